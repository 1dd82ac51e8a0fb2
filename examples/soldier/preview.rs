//! The path of the chosen unit to the pointer, from `NavQuery`.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavQuery, NavView,
    tilepath::{Outcome, Path, Revision},
};
use tilepath_examples::{pointer::MapPointer, tiles::TILE};

use crate::{
    chosen::{Chosen, other_unit_at},
    rules::Rules,
    units::Unit,
};

/// Keeps [`Preview`] up to date.
pub(crate) struct PreviewPlugin;

impl Plugin for PreviewPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Preview>().add_systems(Update, look_ahead);
    }
}

/// The path of the chosen unit to the pointer.
#[derive(Resource, Default)]
pub(crate) struct Preview {
    pub(crate) pointed: Pointed,
}

/// The thing under the pointer.
#[derive(Default)]
pub(crate) enum Pointed {
    /// The panel, or nothing because the pointer is not in the window.
    #[default]
    Nothing,
    /// A place of the world beside the map.
    Outside(Vec2),
    /// Another unit, and the area of its picture.
    Unit(Unit, Rect),
    /// A tile, and the path there.
    Tile(Hover),
}

impl Preview {
    /// The cell under the pointer, and the path there.
    pub(crate) fn hover(&self) -> Option<&Hover> {
        match &self.pointed {
            Pointed::Tile(hover) => Some(hover),
            Pointed::Nothing | Pointed::Outside(_) | Pointed::Unit(..) => None,
        }
    }
}

/// The cell under the pointer.
pub(crate) struct Hover {
    pub(crate) cell: Cell,
    /// The ground on which the unit would stand there.
    pub(crate) footprint: Rect,
    pub(crate) room: Room,
    pub(crate) way: Way,
    /// The points of the path in the world, empty if there is no path.
    pub(crate) points: Vec<Vec2>,
}

/// Whether a unit can stand on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    Open,
    /// The cell itself is open, but another cell that the unit would cover is blocked.
    TooNarrow,
    Closed,
}

/// The end of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// The pointed cell, at this cost.
    There(u32),
    /// The closest reachable cell, at this cost.
    Closest(u32),
    Nowhere,
}

/// The inputs of the answer: the unit, its cell, the pointed cell, the place where the unit would
/// stand, and the state of the map.
///
/// The rules are left out, because their changes are detected by themselves.
type Question = (Entity, Cell, Cell, Cell, Revision);

/// The number of frames after a change of rules in which the answer is computed again.
const SETTLING_FRAMES: u8 = 10;

pub(crate) fn look_ahead(
    pointer: Res<MapPointer>,
    nav: NavQuery,
    rules: Res<Rules>,
    chosen: Single<(Entity, &Unit, &Transform), With<Chosen>>,
    others: Query<(Entity, &Unit, &Transform), Without<Chosen>>,
    mut preview: ResMut<Preview>,
    mut asked: Local<Option<Question>>,
    mut settling: Local<u8>,
) {
    let (entity, &unit, place) = *chosen;
    let here = place.translation.truncate();
    let Some((map, world)) = nav.map_of(entity).ok().zip(pointer.world) else {
        (preview.pointed, *asked) = (Pointed::Nothing, None);
        return;
    };
    if let Some((_, other, middle)) = other_unit_at(world, others) {
        (preview.pointed, *asked) = (Pointed::Unit(other, other.picture(middle)), None);
        return;
    }
    let Some((_, cell)) = nav.map_at(world) else {
        (preview.pointed, *asked) = (Pointed::Outside(world), None);
        return;
    };
    let question =
        || Some((entity, map.cell_at(here)?, cell, map.cell_at(world)?, map.grid().grid().revision()));
    let question = question();
    // The map takes new rules in its next tick, which may be some frames away.
    *settling = if rules.is_changed() { SETTLING_FRAMES } else { settling.saturating_sub(1) };
    if question == *asked && *settling == 0 {
        return;
    }
    *asked = question;
    let hover = hover(&map, unit, rules.closest, here, world, cell);
    preview.pointed = hover.map_or(Pointed::Nothing, Pointed::Tile);
}

fn hover(map: &NavView, unit: Unit, or_closest: bool, here: Vec2, world: Vec2, cell: Cell) -> Option<Hover> {
    let answer = if or_closest { map.find_closest(here, world) } else { map.find(here, world) }.ok()?;
    let points = |path: &Path| map.points(path);
    let (way, points) = match &answer.outcome {
        Outcome::Found(path) => (Way::There(path.cost().get()), points(path)),
        Outcome::Unreachable { closest: Some(path) } => (Way::Closest(path.cost().get()), points(path)),
        Outcome::Unreachable { closest: None } | Outcome::LimitReached { .. } => (Way::Nowhere, Vec::new()),
    };
    let movement = map.finder().movement(map.movement())?;
    let stands_on = map.cell_at(world)?;
    let room = if movement.is_open(map.grid().grid(), stands_on) {
        Room::Open
    } else if movement.costs().is_passable(map.grid().terrain(cell)?) {
        Room::TooNarrow
    } else {
        Room::Closed
    };
    let side = f32::from(unit.side()) * TILE;
    let footprint = Rect::from_center_size(map.world_of(stands_on)?, Vec2::splat(side));
    Some(Hover { cell, footprint, room, way, points })
}
