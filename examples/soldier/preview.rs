//! What the soldier would do at a click where the pointer is: asked through `NavQuery` while the pointer moves.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavQuery,
    tilepath::{Outcome, Path, Revision},
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

/// What lies under the pointer.
#[derive(Resource, Default)]
pub(crate) struct Preview {
    pub(crate) pointed: Pointed,
}

/// What lies under the pointer.
#[derive(Default)]
pub(crate) enum Pointed {
    /// The panel, or the pointer is not in the window.
    #[default]
    Nothing,
    /// A place of the world beside the map.
    Outside(Vec2),
    /// A tile, and the way there.
    Tile(Hover),
}

impl Preview {
    /// The cell under the pointer and the way there.
    pub(crate) fn hover(&self) -> Option<&Hover> {
        match &self.pointed {
            Pointed::Tile(hover) => Some(hover),
            Pointed::Nothing | Pointed::Outside(_) => None,
        }
    }
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

/// For this many frames after a change of rules the question is asked again.
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
    let map = nav.only().ok();
    let Some((map, world)) = map.zip(pointer.world) else {
        (preview.pointed, *asked) = (Pointed::Nothing, None);
        return;
    };
    let Some(cell) = map.tile_at(world) else {
        (preview.pointed, *asked) = (Pointed::Outside(world), None);
        return;
    };
    let question = map.tile_at(here).map(|from| (from, cell, map.grid().revision()));
    // The map takes new rules in its next tick, which may be some frames away.
    *settling = if rules.is_changed() { SETTLING_FRAMES } else { settling.saturating_sub(1) };
    if question == *asked && *settling == 0 {
        return;
    }
    *asked = question;
    let hover = hover(&nav, rules.closest, here, world, cell);
    preview.pointed = hover.map_or(Pointed::Nothing, Pointed::Tile);
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
