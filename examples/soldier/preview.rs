//! What the soldier would do if the player clicked here: asked through `NavQuery` while the pointer moves.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavQuery,
    core::{Outcome, Path, Revision},
};
use tilepath_examples::pointer::MapPointer;

use crate::{rules::Rules, scene::Soldier};

/// Keeps [`Preview`] up to date.
pub(crate) struct PreviewPlugin;

impl Plugin for PreviewPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Preview>().add_systems(Update, look_ahead);
    }
}

/// The cell under the pointer and the way there.
#[derive(Resource, Default)]
pub(crate) struct Preview {
    pub(crate) hover: Option<Hover>,
}

/// A cell under the pointer.
pub(crate) struct Hover {
    pub(crate) cell: Cell,
    pub(crate) centre: Vec2,
    pub(crate) way: Way,
    /// The way's points in the world, empty if there is none.
    pub(crate) points: Vec<Vec2>,
}

/// Where the way leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// There, at this cost.
    There(u32),
    /// To the closest reachable cell, at this cost.
    Closest(u32),
    Nowhere,
}

/// Everything the answer depends on, but for the rules, which say themselves when they change.
type Question = (Cell, Cell, Revision);

/// For so many frames after a change of rules the question is asked again.
const SETTLING_FRAMES: u8 = 10;

pub(crate) fn look_ahead(
    pointer: Res<MapPointer>,
    nav: NavQuery,
    rules: Res<Rules>,
    soldier: Single<&Transform, With<Soldier>>,
    mut preview: ResMut<Preview>,
    mut asked: Local<Option<Question>>,
    mut settling: Local<u8>,
) {
    let here = soldier.translation.truncate();
    let question = pointer.world.and_then(|world| {
        let map = nav.only().ok()?;
        let (from, to) = (map.tile_at(here)?, map.tile_at(world)?);
        Some((from, to, map.grid().revision()))
    });
    // The map takes new rules in its next tick, which may be some frames away.
    *settling = if rules.is_changed() { SETTLING_FRAMES } else { settling.saturating_sub(1) };
    if question == *asked && *settling == 0 {
        return;
    }
    *asked = question;
    preview.hover = question
        .zip(pointer.world)
        .and_then(|((_, cell, _), world)| hover(&nav, rules.closest, here, world, cell));
}

fn hover(nav: &NavQuery, or_closest: bool, here: Vec2, world: Vec2, cell: Cell) -> Option<Hover> {
    let map = nav.only().ok()?;
    let answer = if or_closest { map.find_closest(here, world) } else { map.find(here, world) }.ok()?;
    let points = |path: &Path| map.points(path);
    let (way, points) = match &answer.outcome {
        Outcome::Found(path) => (Way::There(path.cost().get()), points(path)),
        Outcome::Unreachable { closest: Some(path) } => (Way::Closest(path.cost().get()), points(path)),
        Outcome::Unreachable { closest: None } | Outcome::LimitReached { .. } => (Way::Nowhere, Vec::new()),
    };
    Some(Hover { cell, centre: map.world_of(cell)?, way, points })
}
