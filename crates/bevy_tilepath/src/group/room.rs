//! Room for obstacles: units that rest inside are ordered aside.
//!
//! Decision: `docs/decisions/71-out-of-closed-ground.md`.

use std::collections::{BTreeMap, BTreeSet};

use bevy_ecs::{
    entity::Entity,
    event::{EntityEvent, Event},
    hierarchy::ChildOf,
    message::Message,
    query::{Has, Or, QueryData, With},
    system::{Commands, Query, Res},
    world::World,
};
use bevy_transform::components::Transform;
use tilepath::{Cell, Cost, RangeQuery};

use crate::{
    journey::{
        agent::PathAgent, body::Body, number::AgentNumber, parents::ParentPlaces, path::AgentPath,
        standing_on::StandingOn,
    },
    map::{
        map_view::MapView,
        maps::{AnyMap, Maps},
        movement::AgentMovement,
        on_map::OnMap,
        place::{MapPlace, Place},
    },
    order::{goal::PathGoal, request::PathRequest},
    report::{
        events::{ObstacleClear, ObstacleOccupied},
        publish::emit,
    },
    sync::{
        obstacle::{BlockedCells, Obstacle},
        room::Room,
    },
};

/// The cost within which free cells are looked for first. It grows by the factor [`WIDER`].
const FIRST_BUDGET: Cost = Cost::new(64);

const WIDER: u32 = 4;

/// The components of a unit that may stand inside.
#[derive(QueryData)]
pub(super) struct UnitParts {
    entity: Entity,
    walks: Has<PathAgent>,
    request: Option<&'static PathRequest>,
    number: Option<&'static AgentNumber>,
    standing_on: Option<&'static StandingOn>,
    path: Option<&'static AgentPath>,
    transform: Option<&'static Transform>,
    parent: Option<&'static ChildOf>,
    on_map: Option<&'static OnMap>,
    movement: Option<&'static AgentMovement>,
}

/// A unit on a tile map.
struct Unit<'a> {
    entity: Entity,
    number: Option<u64>,
    view: MapView<'a>,
    cell: Cell,
    walks: bool,
    has_order: bool,
    movement: Option<&'a AgentMovement>,
    goal: Option<Cell>,
}

impl<'a> Unit<'a> {
    fn of(parts: &'a UnitPartsItem, maps: &'a Maps, parents: &ParentPlaces) -> Option<Self> {
        let unit = maps.of(parts.movement);
        let map = unit.see(maps.resolve(parts.on_map.map(|on_map| on_map.0), None).ok()?).ok()?;
        let standing = parents.standing(parts.parent, parts.transform, parts.standing_on)?;
        let Ok(MapPlace::Cell(cell)) = unit.standing_place(&map, &standing, parts.path) else { return None };
        let AnyMap::Tiles(view) = map else { return None };
        let led = parts.path.filter(|path| parts.request.is_some() && path.map() == view.map);
        let asked = parts.request.and_then(|request| match request.goal() {
            PathGoal::One(place) => Some(place),
            _ => None,
        });
        let goal = led.map(AgentPath::goal).or(asked).and_then(|place| match place {
            Place::Cell(cell) => Some(*cell),
            _ => None,
        });
        Some(Self {
            entity: parts.entity,
            number: parts.number.map(|number| number.get()),
            view,
            cell,
            walks: parts.walks,
            has_order: parts.request.is_some(),
            movement: parts.movement,
            goal,
        })
    }

    /// Returns the cells that it covers with its lowest and leftmost cell at this one.
    fn footprint(&self, anchor: Cell) -> impl Iterator<Item = Cell> + use<> {
        self.view.rules.size().footprint(anchor)
    }

    /// Returns the nearest free cells, at least this many if there are as many, with their costs.
    fn free_cells(&self, wanted: usize, taken: &BTreeSet<Cell>) -> Vec<(Cost, Cell)> {
        let mut budget = FIRST_BUDGET;
        loop {
            let query = RangeQuery::new(self.cell, budget).with_movement(self.view.movement);
            let Ok(range) = self.view.finder.solve_range(&query) else { return Vec::new() };
            let is_free = |cell: Cell| {
                self.view.is_passable(cell) && !self.footprint(cell).any(|covered| taken.contains(&covered))
            };
            let near = range.cells().iter().filter(|reached| is_free(reached.cell));
            let mut free: Vec<(Cost, Cell)> = near.map(|reached| (reached.cost, reached.cell)).collect();
            if free.len() >= wanted || budget == Cost::MAX {
                free.sort_unstable();
                free.truncate(wanted);
                return free;
            }
            budget = Cost::new(budget.get().saturating_mul(WIDER));
        }
    }
}

/// Finds the units inside obstacles that make room. Units that rest there are ordered aside. Events name
/// units that cannot leave, and obstacles that no unit is in.
pub(super) fn make_room(
    obstacles: Query<(Entity, &Obstacle, &BlockedCells, Option<&Room>)>,
    parts: Query<UnitParts, Or<(With<PathAgent>, With<Body>)>>,
    maps: Maps,
    parents: Res<ParentPlaces>,
    mut commands: Commands,
) {
    let waits = |room: Option<&Room>| room.is_none_or(|room| !room.is_clear);
    let mut waiting: Vec<_> = (obstacles.iter())
        .filter(|(_, obstacle, blocked, room)| {
            // The units of a map that is not ready are not known.
            let are_ready = || blocked.maps().all(|map| maps.ready(map).is_some());
            obstacle.makes_room && waits(*room) && blocked.maps().next().is_some() && are_ready()
        })
        .collect();
    if waiting.is_empty() {
        return;
    }
    // Entities have other numbers on other machines.
    let first_cell = |blocked: &BlockedCells| blocked.maps().flat_map(|map| blocked.on(map)).min().copied();
    waiting.sort_by_key(|&(entity, _, blocked, _)| (first_cell(blocked), entity));
    let parts: Vec<UnitPartsItem> = parts.iter().collect();
    let mut units: Vec<Unit> = parts.iter().filter_map(|parts| Unit::of(parts, &maps, &parents)).collect();
    units.sort_by_key(|unit| (unit.number, unit.entity));
    // Cells where a unit stands, or will stand.
    let mut taken: BTreeMap<Entity, BTreeSet<Cell>> = BTreeMap::new();
    for unit in &units {
        let cells = [Some(unit.cell), unit.goal].into_iter().flatten();
        taken.entry(unit.view.map).or_default().extend(cells.flat_map(|cell| unit.footprint(cell)));
    }
    let mut ordered: BTreeSet<Entity> = BTreeSet::new();
    for (entity, obstacle, blocked, room) in waiting {
        let closed: BTreeMap<Entity, BTreeSet<Cell>> =
            blocked.maps().map(|map| (map, blocked.on(map).iter().copied().collect())).collect();
        let is_inside = |unit: &&Unit| {
            let closed = closed.get(&unit.view.map).filter(|_| obstacle.blocks(unit.movement));
            // Walls may be open to a unit.
            !unit.view.is_passable(unit.cell)
                && closed.is_some_and(|closed| unit.footprint(unit.cell).any(|cell| closed.contains(&cell)))
        };
        let inside: Vec<&Unit> = units.iter().filter(is_inside).collect();
        let before = room.cloned().unwrap_or_default();
        let was_asked = |unit: &&&Unit| before.asked.contains(&unit.entity);
        let resting = || inside.iter().filter(|unit| !unit.has_order && !ordered.contains(&unit.entity));
        let idle: Vec<&Unit> = resting().filter(|unit| unit.walks && !was_asked(unit)).copied().collect();
        let aside = aside(&idle, &taken);
        for (unit, cell) in idle.iter().zip(&aside) {
            let Some(cell) = *cell else { continue };
            taken.entry(unit.view.map).or_default().extend(unit.footprint(cell));
            commands.entity(unit.entity).try_insert(PathRequest::to_cell(cell));
        }
        let leave = idle.iter().zip(&aside).filter(|(_, cell)| cell.is_some());
        let leave: BTreeSet<Entity> = leave.map(|(unit, _)| unit.entity).collect();
        let stuck: Vec<Entity> =
            resting().map(|unit| unit.entity).filter(|unit| !leave.contains(unit)).collect();
        let mut after = Room { is_clear: inside.is_empty(), ..Room::default() };
        let is_asked = |unit: &&&Unit| was_asked(unit) || idle.iter().any(|idle| idle.entity == unit.entity);
        let asked = inside.iter().filter(is_asked);
        after.asked = asked.map(|unit| unit.entity).collect();
        let was_named = |unit: &Entity| before.named.contains(unit);
        let is_named = |unit: &Entity| was_named(unit) || stuck.contains(unit);
        after.named = inside.iter().map(|unit| unit.entity).filter(is_named).collect();
        ordered.extend(leave);
        if room != Some(&after) {
            let is_clear = after.is_clear;
            commands.entity(entity).try_insert(after);
            for by in stuck.into_iter().filter(|unit| !was_named(unit)) {
                announce(&mut commands, ObstacleOccupied { entity, by });
            }
            if is_clear {
                announce(&mut commands, ObstacleClear { entity });
            }
        }
    }
}

/// Triggers an event, if its obstacle still makes room.
fn announce<E>(commands: &mut Commands, event: E)
where
    E: EntityEvent + Message + Clone + for<'a> Event<Trigger<'a>: Default>,
{
    commands.queue(move |world: &mut World| {
        if world.get::<Obstacle>(event.event_target()).is_some_and(|obstacle| obstacle.makes_room) {
            emit(world, event);
        }
    });
}

/// Returns a free cell for each unit: none for two, and the nearest ones first.
fn aside(idle: &[&Unit], taken: &BTreeMap<Entity, BTreeSet<Cell>>) -> Vec<Option<Cell>> {
    let none = BTreeSet::new();
    let widest = idle.iter().map(|unit| usize::from(unit.view.side())).max().unwrap_or(1);
    // The square of one unit overlaps so many places of another.
    let wanted = idle.len() * (2 * widest - 1).pow(2);
    let mut wishes: Vec<(Cost, usize, Cell)> = Vec::new();
    for (place, unit) in idle.iter().enumerate() {
        let free = unit.free_cells(wanted, taken.get(&unit.view.map).unwrap_or(&none));
        wishes.extend(free.into_iter().map(|(cost, cell)| (cost, place, cell)));
    }
    wishes.sort_unstable();
    let mut given: BTreeSet<(Entity, Cell)> = BTreeSet::new();
    let mut places = vec![None; idle.len()];
    for (_, place, cell) in wishes {
        let unit = idle[place];
        let covered = || unit.footprint(cell).map(|covered| (unit.view.map, covered));
        if places[place].is_none() && !covered().any(|covered| given.contains(&covered)) {
            places[place] = Some(cell);
            given.extend(covered());
        }
    }
    places
}
