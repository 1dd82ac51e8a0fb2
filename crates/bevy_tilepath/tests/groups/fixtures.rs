//! Squads on maps by hand, and what was told about them.

use std::collections::BTreeSet;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{
    Arrived, Body, Cell, Group, GroupArrived, GroupFailed, GroupMember, GroupOrder, NavGrid, NavMap,
    NavProjection, PathAgent, PathFound, PathRequest, Place,
    tilepath::{Grid, format},
};

use crate::harness::tick;

/// The width of a cell.
pub(super) const CELL: f32 = 16.0;

/// What was told, in order.
#[derive(Resource, Default, Debug)]
pub(super) struct Heard {
    pub(super) arrived: Vec<GroupArrived>,
    pub(super) failed: Vec<GroupFailed>,
    /// Of members, where.
    pub(super) members: Vec<(Entity, Cell)>,
    /// Answers to the orders of members.
    pub(super) found: usize,
}

/// Where everything stood at the end of the last fixed step.
#[derive(Resource, Default)]
struct Simulated(EntityHashMap<Vec2>);

pub(super) fn app() -> App {
    let mut app = crate::harness::app();
    app.init_resource::<Heard>()
        .init_resource::<Simulated>()
        .add_systems(
            FixedLast,
            |mut simulated: ResMut<Simulated>, transforms: Query<(Entity, &Transform)>| {
                simulated.0 =
                    transforms.iter().map(|(entity, at)| (entity, at.translation.truncate())).collect();
            },
        )
        .add_observer(|on: On<GroupArrived>, mut heard: ResMut<Heard>| heard.arrived.push(*on.event()))
        .add_observer(|on: On<GroupFailed>, mut heard: ResMut<Heard>| heard.failed.push(*on.event()))
        .add_observer(|_: On<PathFound>, mut heard: ResMut<Heard>| heard.found += 1)
        .add_observer(|on: On<Arrived>, mut heard: ResMut<Heard>| {
            let Place::Cell(cell) = on.place else { panic!("maps have cells") };
            heard.members.push((on.entity, cell));
        });
    app
}

pub(super) fn heard(app: &App) -> &Heard {
    app.world().resource::<Heard>()
}

pub(super) fn open_map(app: &mut App, width: u32, height: u32) -> Entity {
    map_of(app, Grid::new(width, height, 1).expect("the map is small"))
}

/// A map drawn.
pub(super) fn map(app: &mut App, picture: &str) -> Entity {
    map_of(app, format::parse_ascii(picture).expect("the picture is a map"))
}

pub(super) fn map_of(app: &mut App, grid: Grid) -> Entity {
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    app.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection)).id()
}

pub(super) fn centre(x: i32, y: i32) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * CELL
}

/// An agent without a body.
pub(super) fn ghost(app: &mut App, x: i32, y: i32, speed: f32) -> Entity {
    let agent = PathAgent { speed: speed.into(), ..default() };
    app.world_mut().spawn((agent, Transform::from_translation(centre(x, y).extend(0.0)))).id()
}

pub(super) fn body(app: &mut App, x: i32, y: i32, speed: f32) -> Entity {
    let body = ghost(app, x, y, speed);
    app.world_mut().entity_mut(body).insert(Body::default());
    body
}

/// Bodies side by side in rows of six.
pub(super) fn squad(app: &mut App, count: i32) -> Vec<Entity> {
    (0..count).map(|n| body(app, n % 6, n / 6, 96.0)).collect()
}

pub(super) fn order(app: &mut App, order: GroupOrder) -> Entity {
    app.world_mut().spawn(order).id()
}

pub(super) fn position(app: &App, entity: Entity) -> Vec2 {
    app.world().resource::<Simulated>().0[&entity]
}

pub(super) fn cell_at(app: &App, entity: Entity) -> Cell {
    let at = (position(app, entity) / CELL).floor();
    Cell::new(at.x as i32, at.y as i32)
}

/// Where those stand when nothing moves any more, each on a cell of its own, in the middle of it. Who has made way for the last
/// to come goes back when the order of the group is over.
#[track_caller]
pub(super) fn cells(app: &mut App, units: &[Entity]) -> BTreeSet<Cell> {
    ticks(app, 120);
    let app = &*app;
    let cells: BTreeSet<Cell> = units.iter().map(|&unit| cell_at(app, unit)).collect();
    assert_eq!(cells.len(), units.len(), "no two share a cell: {cells:?}");
    for &unit in units {
        let cell = cell_at(app, unit);
        assert_eq!(position(app, unit), centre(cell.x, cell.y));
    }
    cells
}

/// Ticks until the order of a group is over.
#[track_caller]
pub(super) fn run_to_end(app: &mut App, group: Entity, most: usize) -> usize {
    for ticks in 0..most {
        if app.world().get::<GroupOrder>(group).is_none() {
            return ticks;
        }
        tick(app);
    }
    let group = app.world().get::<Group>(group);
    panic!("it goes on after {most} ticks: {group:?}, {:?}", heard(app));
}

pub(super) fn ticks(app: &mut App, count: usize) {
    (0..count).for_each(|_| tick(app));
}

/// Nothing of a group is left on its members.
#[track_caller]
pub(super) fn assert_free(app: &App, units: &[Entity]) {
    for &unit in units {
        assert!(app.world().get::<GroupMember>(unit).is_none());
        assert!(app.world().get::<PathRequest>(unit).is_none());
    }
}

/// How many arrived, came short, were lost and left, of the only group that has come to its end.
#[track_caller]
pub(super) fn only_end(app: &App) -> [usize; 4] {
    let [GroupArrived { arrived, with_shortfall: short, lost, left, .. }] = heard(app).arrived[..] else {
        panic!("there is one end: {:?}", heard(app));
    };
    assert!(heard(app).failed.is_empty());
    [arrived, short, lost, left]
}
