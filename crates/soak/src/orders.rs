//! Random orders.

use bevy_ecs::{entity::Entity, world::World};
use bevy_math::Vec2;
use bevy_tilepath::{
    AgentMovement, Algorithm, Cell, Cost, NavGrid, OnMap, PathGoal, PathRequest, Place,
    orders::{PathStops, PathTarget, Repeat},
    tilepath::PathQuery,
};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::{
    crew::{Agent, Asked, Spot},
    level::{Level, any_cell, any_waypoint, open_cell},
    places,
};

/// The distance from an edge, in cells, at which a position can mean the cell beyond.
const NEAR_AN_EDGE: f32 = 0.01;

/// Gives an agent a random order.
pub(crate) fn order(world: &mut World, level: &Level, agent: &mut Agent, random: &mut ChaCha8Rng) {
    let own = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0);
    let elsewhere = random.random_bool(0.3).then(|| level.any(random));
    let Some(map) = elsewhere.or(own) else { return };
    let many = if random.random_bool(0.15) { random.random_range(2..6) } else { 1 };
    let goals: Vec<(Place, Spot)> =
        (0..many).map(|_| goal(world, level, map, agent.entity, random)).collect();
    let spots = goals.iter().map(|(_, spot)| spot.clone()).collect();
    let places: Vec<Place> = goals.into_iter().map(|(place, _)| place).collect();
    let mut request = match &places[..] {
        [Place::Cell(cell)] => PathRequest::to_cell(*cell),
        [Place::Position(position)] => PathRequest::to_position(*position),
        [Place::Waypoint(id)] => PathRequest::to_waypoint(id.clone()),
        _ => PathRequest::to_nearest(places),
    };
    // Each name of a waypoint is on one graph. A cell is on the agent's own map unless the order
    // names a map.
    if elsewhere.is_some() || random.random_bool(0.2) {
        request = request.on_map(map);
    }
    if random.random_bool(0.1) {
        request = request.or_closest();
    }
    let is_limited = random.random_bool(0.05);
    if is_limited {
        request = request.with_limit(random.random_range(0..200));
    }
    if random.random_bool(0.1) {
        request = request.with_algorithm(Algorithm::Dijkstra);
    }
    give(
        world,
        agent,
        request,
        Asked { goals: spots, is_limited, along_from: None, is_vague: false, lives: false },
    );
}

/// Sends an agent to the position of another agent.
pub(crate) fn chase(world: &mut World, level: &Level, agent: &mut Agent, target: Entity) {
    let Some(map) = world.get::<OnMap>(target).map(|on_map| on_map.0) else { return };
    let position = places::position(world, target);
    let spot =
        if level.is_graph(map) { Spot::Beside(map) } else { cells_at(world, map, agent.entity, position) };
    let asked =
        Asked { goals: vec![spot], is_limited: false, along_from: None, is_vague: false, lives: false };
    give(world, agent, PathRequest::to_position(position).on_map(map), asked);
}

/// Orders an agent along a path over its own map. The agent may stand elsewhere.
pub(crate) fn order_along(world: &mut World, agent: &mut Agent, random: &mut ChaCha8Rng) {
    let Some(map) = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0) else { return };
    let Some(Spot::Cells(_, cells)) = world
        .get::<NavGrid>(map)
        .map(|_| cells_at(world, map, agent.entity, places::position(world, agent.entity)))
    else {
        return;
    };
    let Some(&start) = cells.first() else { return };
    let goal = open_cell(world, map, random);
    let is_careless = random.random_bool(0.3);
    let found = world.get::<NavGrid>(map).and_then(|grid| {
        // Mostly for its own movement, so that the path can be valid when the order comes.
        let own = world.get::<AgentMovement>(agent.entity).filter(|_| !is_careless);
        let movement = own.map_or(Some(grid.movement()), |own| grid.movement_of(own))?;
        let query = PathQuery::new(start, goal).with_movement(movement);
        grid.finder().solve(&query).ok()?.outcome.path().cloned()
    });
    let Some(path) = found else { return };
    let asked = Asked {
        goals: vec![Spot::Cells(map, vec![goal])],
        is_limited: false,
        along_from: Some((map, start)),
        is_vague: false,
        lives: false,
    };
    give(world, agent, PathRequest::along(path), asked);
}

/// Gives an agent an order that goes on (see `Deed::Living`).
pub(crate) fn order_living(
    world: &mut World,
    level: &Level,
    agent: &mut Agent,
    target: Entity,
    random: &mut ChaCha8Rng,
) {
    let Some(map) = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0) else { return };
    let mut request = PathRequest::to(living_goal(world, level, map, target, random));
    for _ in 0..[0, 0, 1, 3][random.random_range(0..4)] {
        request = request.then(living_goal(world, level, map, target, random));
    }
    request = match random.random_range(0..4) {
        0 => request.looped(),
        1 => request.back_and_forth(),
        _ => request,
    };
    if random.random_bool(0.3) {
        request = request.or_wait();
    }
    if random.random_bool(0.2) {
        request = request.or_closest();
    }
    if random.random_bool(0.2) {
        request = request.following();
    }
    if random.random_bool(0.3) {
        request = request.with_tolerance([0.0, 0.5, f32::INFINITY][random.random_range(0..3)]);
    }
    let asked = Asked { goals: Vec::new(), is_limited: false, along_from: None, is_vague: true, lives: true };
    give(world, agent, request, asked);
}

fn living_goal(
    world: &World,
    level: &Level,
    map: Entity,
    target: Entity,
    random: &mut ChaCha8Rng,
) -> PathGoal {
    let distance = random.random_range(0.0..8.0);
    let (place, _) = goal(world, level, map, target, random);
    let near: PathTarget = if random.random_bool(0.6) { target.into() } else { place.clone().into() };
    match random.random_range(0..7) {
        0 => PathGoal::Entity(target),
        1 => PathGoal::within(near, distance),
        2 => PathGoal::beside(near),
        3 => PathGoal::in_sight(near, distance),
        4 => PathGoal::flee([near], distance, Cost::new(random.random_range(0..400))),
        _ => place.into(),
    }
}

/// Edits the stops of an agent's order of any kind.
pub(crate) fn edit_stops(world: &mut World, level: &Level, agent: &mut Agent, random: &mut ChaCha8Rng) {
    let Some(map) = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0) else { return };
    let target = living_goal(world, level, map, agent.entity, random);
    let Some(mut stops) = world.get_mut::<PathStops>(agent.entity) else { return };
    let index = random.random_range(0..=stops.stops().len());
    match random.random_range(0..6) {
        0 => stops.push(target),
        1 => stops.insert(index, target),
        2 => _ = stops.remove(index),
        3 => _ = stops.replace(index, target),
        4 => _ = stops.skip(),
        _ => stops.set_repeat([Repeat::Once, Repeat::Loop, Repeat::BackAndForth][random.random_range(0..3)]),
    }
    if let Some(asked) = &mut agent.asked {
        (asked.is_vague, asked.lives) = (true, true);
    }
}

/// Inserts the order. If the agent already has an equal order, nothing changes.
fn give(world: &mut World, agent: &mut Agent, request: PathRequest, asked: Asked) {
    if world.get::<PathRequest>(agent.entity) != Some(&request) {
        agent.is_ordered(asked);
    }
    world.entity_mut(agent.entity).insert(request);
}

pub(crate) fn goal(
    world: &World,
    level: &Level,
    map: Entity,
    unit: Entity,
    random: &mut ChaCha8Rng,
) -> (Place, Spot) {
    if let Some(graph) = level.graphs.iter().position(|&graph| graph == map) {
        if random.random_bool(0.7) {
            let id = any_waypoint(graph, random);
            return (Place::from(id.as_str()), Spot::Waypoint(map, id));
        }
        return (level.somewhere_on(world, map, random).into(), Spot::Beside(map));
    }
    if random.random_bool(0.6) {
        let cell = match random.random_range(0..20) {
            0 => Cell::new(random.random_range(-40..60), random.random_range(-40..60)),
            1..5 => any_cell(world, map, random),
            _ => open_cell(world, map, random),
        };
        return (cell.into(), Spot::Cells(map, vec![cell]));
    }
    let position = level.somewhere_on(world, map, random);
    (position.into(), cells_at(world, map, unit, position))
}

/// Returns the cells that a position can mean for a unit: the lowest, leftmost cell of the unit at
/// the position.
fn cells_at(world: &World, map: Entity, unit: Entity, position: Vec2) -> Spot {
    let units = places::units(world, map, position);
    let ground = places::Ground::of(world, map, Some(unit));
    let cells = units.zip(ground).map(|(units, ground)| ground.anchors_around(units, NEAR_AN_EDGE));
    Spot::Cells(map, cells.unwrap_or_default())
}
