//! What lies within a few steps of the hovered waypoint.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_tilepath::{NavQuery, core::Revision};

use crate::{edit::EditSet, pointing::Pointing, settings::Settings};

/// Everything within [`Settings::steps`] of the waypoint under the pointer.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Around {
    /// The waypoint under the pointer.
    pub(crate) centre: Option<String>,
    /// The fewest steps to each waypoint in reach, itself included.
    pub(crate) steps: HashMap<String, u32>,
}

impl Around {
    /// The steps to the farther end of a way whose ends are both in reach.
    pub(crate) fn steps_over(&self, from: &str, to: &str) -> Option<u32> {
        let (from, to) = (*self.steps.get(from)?, *self.steps.get(to)?);
        // A way between two that are equally far is not on the way to either.
        (from != to).then_some(from.max(to))
    }

    /// How many waypoints are that many steps away.
    pub(crate) fn count(&self, steps: u32) -> usize {
        self.steps.values().filter(|&&other| other == steps).count()
    }
}

/// Keeps [`Around`] up to date.
pub(crate) struct AroundPlugin;

/// The system that looks around; what draws comes after.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct AroundSet;

impl Plugin for AroundPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Around>().add_systems(Update, look_around.in_set(AroundSet).after(EditSet));
    }
}

fn look_around(
    nav: NavQuery,
    pointing: Res<Pointing>,
    settings: Res<Settings>,
    mut around: ResMut<Around>,
    mut asked: Local<Option<(String, u32, Revision)>>,
) {
    let view = nav.only_graph().ok();
    let question = view
        .zip(pointing.waypoint())
        .map(|(view, centre)| (centre.to_owned(), settings.steps, view.graph().revision()));
    if question == *asked {
        return;
    }
    let answer = view.zip(question.as_ref()).and_then(|(view, (centre, steps, _))| {
        let within = view.within_steps(centre, *steps).ok()?;
        Some(Around {
            centre: Some(centre.clone()),
            steps: within.into_iter().map(|reached| (reached.id, reached.steps)).collect(),
        })
    });
    *around = answer.unwrap_or_default();
    *asked = question;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_count_as_far_as_their_farther_end() {
        let steps = [("a", 0), ("b", 1), ("c", 1), ("d", 2)].map(|(id, steps)| (id.to_owned(), steps));
        let around = Around { centre: Some("a".into()), steps: steps.into() };
        assert_eq!(around.steps_over("a", "b"), Some(1));
        assert_eq!(around.steps_over("d", "b"), Some(2));
        assert_eq!(around.steps_over("b", "c"), None);
        assert_eq!(around.steps_over("d", "beyond"), None);
        assert_eq!((around.count(1), around.count(3)), (2, 0));
    }
}
