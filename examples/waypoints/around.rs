//! The waypoints within a few steps of the hovered waypoint.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_tilepath::{
    NavQuery,
    tilepath::{Revision, waypoint::WaypointStep},
};

use crate::{
    edit::EditSet,
    pointing::Pointing,
    settings::{Settings, Shown},
};

/// The waypoints within [`Settings::steps`] of the waypoint under the pointer.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Around {
    /// The waypoint under the pointer.
    pub(crate) centre: Option<String>,
    /// The number of steps that are shown.
    limit: u32,
    /// The fewest steps to each waypoint in reach, the hovered one included.
    pub(crate) steps: HashMap<String, u32>,
}

impl Around {
    /// Returns the steps from the hovered waypoint over this way, if they are within the limit.
    pub(crate) fn steps_over(&self, step: &WaypointStep) -> Option<u32> {
        let begin = self.steps.get(step.from.id);
        let back = self.steps.get(step.to.id).filter(|_| step.is_two_way);
        let steps = begin.into_iter().chain(back).min()? + 1;
        (steps <= self.limit).then_some(steps)
    }

    /// Returns the number of waypoints at this many steps.
    pub(crate) fn count(&self, steps: u32) -> usize {
        self.steps.values().filter(|&&other| other == steps).count()
    }
}

/// Keeps [`Around`] up to date.
pub(crate) struct AroundPlugin;

/// The system that updates [`Around`]. Systems that draw run after it.
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
        .zip(pointing.waypoint().filter(|_| settings.shown == Shown::Steps))
        .map(|(view, centre)| (centre.to_owned(), settings.steps, view.graph().revision()));
    if question == *asked {
        return;
    }
    let answer = view.zip(question.as_ref()).and_then(|(view, (centre, steps, _))| {
        let within = view.within_steps(centre, *steps).ok()?;
        Some(Around {
            centre: Some(centre.clone()),
            limit: *steps,
            steps: within.into_iter().map(|reached| (reached.id, reached.steps)).collect(),
        })
    });
    *around = answer.unwrap_or_default();
    *asked = question;
}

#[cfg(test)]
mod tests {
    use bevy_tilepath::graphs::WaypointGraph;

    use super::*;

    #[test]
    fn ways_count_as_the_step_that_walks_them() {
        let mut graph = WaypointGraph::new();
        for (index, id) in ["a", "b", "c", "d"].into_iter().enumerate() {
            graph.add(id, (index as f64, 0.0)).unwrap();
        }
        for (from, to) in [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d")] {
            graph.join(from, to).unwrap();
        }
        graph.join_one_way("d", "a").unwrap();
        let steps = [("a", 0), ("b", 1), ("c", 1), ("d", 2)].map(|(id, steps)| (id.to_owned(), steps));
        let around = |limit| Around { centre: Some("a".into()), limit, steps: steps.clone().into() };
        let over = |limit, from, to| around(limit).steps_over(&graph.edge(from, to).unwrap());
        assert_eq!(over(3, "a", "b"), Some(1));
        assert_eq!(over(3, "d", "b"), Some(2), "walked from the other end");
        assert_eq!(over(3, "b", "c"), Some(2));
        assert_eq!(over(3, "d", "a"), Some(3), "one way only");
        assert_eq!(over(2, "d", "a"), None);
        assert_eq!((around(3).count(1), around(3).count(3)), (2, 0));
    }
}
