//! Random edits of maps, graphs and doors: a kept path is never worse than its order tolerates.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Cell, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathRequest, TilepathDiagnostics,
    TilepathSettings,
    doors::{Door, DoorEnd},
    graphs::{WaypointEdge, WaypointGraph},
    tilepath::Grid,
};
use rand::Rng;
use testkit::Seed;

use super::plain::{Plain, SIDE, WAYPOINTS};
use crate::harness::*;

const SIZES: [f32; 2] = [10.0, 25.0];
const SCALES: [f32; 2] = [1.0, 3.0];

/// Two maps and two graphs. Each of them has units.
struct World {
    game: Game,
    maps: [Entity; 2],
    graphs: [Entity; 2],
    doors: Vec<Entity>,
}

/// A unit, its goal, and the tolerance of its order.
struct Unit {
    entity: Entity,
    goal: usize,
    tolerance: f64,
    /// True if its path was blocked. Blocked places count again only after some time.
    has_lost: bool,
    has_walked: bool,
}

fn any_cell(random: &mut impl Rng) -> Cell {
    Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE))
}

impl World {
    fn new(random: &mut impl Rng) -> Self {
        let mut game = Game::long_steps();
        game.insert_resource(TilepathSettings { work_per_tick: u64::MAX });
        let maps = [0, 1].map(|map| {
            let mut grid = Grid::new(SIDE as u32, SIDE as u32, 1).expect("a small map");
            for cell in grid.bounds().cells() {
                grid.set_terrain(cell, [0, 1, 1, 1, 2, 3][random.random_range(0..6)]).expect("it is there");
            }
            let corner = Vec2::new(0.0, 1000.0 * map as f32);
            let projection = NavProjection::square(Vec2::splat(SIZES[map]), corner + SIZES[map] / 2.0);
            game.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection)).id()
        });
        let graphs = SCALES.map(|scale| {
            let mut graph = WaypointGraph::new();
            for index in 0..WAYPOINTS {
                let at = (random.random_range(0.0..100.0), random.random_range(0.0..100.0));
                graph.add(index.to_string(), at).expect("it is there");
            }
            let place = Transform::from_scale(Vec3::splat(scale));
            game.world_mut().spawn((NavGraph::new(graph), place)).id()
        });
        let mut world = Self { game, maps, graphs, doors: Vec::new() };
        for _ in 0..10 {
            world.edit_graph(random);
        }
        for _ in 0..6 {
            world.add_door(random);
        }
        world
    }

    fn add_door(&mut self, random: &mut impl Rng) {
        let [from, to] = [(); 2].map(|()| match random.random_range(0..4) {
            map @ 0..2 => DoorEnd::cell(self.maps[map], any_cell(random)),
            graph => DoorEnd::waypoint(self.graphs[graph - 2], random.random_range(0..WAYPOINTS).to_string()),
        });
        let door = Door::new(from, to).with_cost(random.random_range(0..60).into());
        let door = if random.random_range(0..3) == 0 { door.one_way() } else { door };
        self.doors.push(self.game.world_mut().spawn(door).id());
    }

    fn edit_graph(&mut self, random: &mut impl Rng) {
        let graph = self.graphs[random.random_range(0..2)];
        let [a, b] = [(); 2].map(|()| random.random_range(0..WAYPOINTS).to_string());
        let (at, kind) =
            ((random.random_range(0.0..100.0), random.random_range(0.0..100.0)), random.random_range(0..10));
        let edge = WaypointEdge { speed: 1.0, cost_factor: [0.5, 1.0, 2.0][random.random_range(0..3)] };
        self.game.edit_graph(graph, |graph| {
            _ = match kind {
                0..5 => graph.join(&a, &b).map(drop),
                5 | 6 => graph.unjoin(&a, &b).map(drop),
                7 | 8 => graph.set_edge(&a, &b, edge),
                _ => graph.move_to(&a, at),
            };
        });
    }

    fn edit(&mut self, random: &mut impl Rng) {
        match random.random_range(0..8) {
            0..4 => {
                let map = self.maps[random.random_range(0..2)];
                let mut grid = self.game.world_mut().get_mut::<NavGrid>(map).expect("it is there");
                grid.set_terrain(any_cell(random), [0, 1, 1, 2, 7][random.random_range(0..5)])
                    .expect("it is there");
            }
            4 | 5 => self.edit_graph(random),
            _ => {
                let place = random.random_range(0..self.doors.len());
                let door = self.doors[place];
                match random.random_range(0..5) {
                    0 => {
                        self.game.world_mut().despawn(self.doors.remove(place));
                        self.add_door(random);
                    }
                    1 => {
                        let cost = random.random_range(0..60).into();
                        self.game.world_mut().get_mut::<Door>(door).expect("it is there").cost = cost;
                    }
                    _ => {
                        let mut door = self.game.world_mut().get_mut::<Door>(door).expect("it is there");
                        door.open = !door.open;
                    }
                }
            }
        }
    }

    fn place(&self, end: &DoorEnd) -> usize {
        let number =
            |of: &[Entity; 2], entity| of.iter().position(|&known| known == entity).expect("one of both");
        match end {
            DoorEnd::Cell { map, cell } => Plain::cell(number(&self.maps, *map), *cell),
            DoorEnd::Waypoint { graph, id } => {
                Plain::waypoint(number(&self.graphs, *graph), id.parse().expect("a number"))
            }
            _ => unreachable!("a door end is a cell or a waypoint"),
        }
    }

    /// Returns all maps, graphs and open doors as one list of steps.
    fn plain(&self) -> Plain {
        let mut plain = Plain::new();
        let world = self.game.world();
        for (number, &map) in self.maps.iter().enumerate() {
            plain.add_map(
                number,
                world.get::<NavGrid>(map).expect("it is there").grid(),
                SIZES[number].into(),
            );
        }
        for (number, &graph) in self.graphs.iter().enumerate() {
            plain.add_graph(
                number,
                world.get::<NavGraph>(graph).expect("it is there").graph(),
                SCALES[number].into(),
            );
        }
        for door in self
            .doors
            .iter()
            .map(|&door| world.get::<Door>(door).expect("it is there"))
            .filter(|door| door.open)
        {
            let (from, to) = (self.place(&door.from), self.place(&door.to));
            plain.door(from, to, door.cost);
            if !door.one_way {
                plain.door(to, from, door.cost);
            }
        }
        plain
    }

    /// Returns the places of a path. The entry is `None` for a point between waypoints, where a
    /// path may begin.
    fn places(&self, walked: &AgentPath) -> Vec<Option<usize>> {
        let mut places = Vec::new();
        for leg in walked.legs() {
            if let Some(path) = leg.path() {
                places.extend(path.cells().iter().map(|&cell| self.place(&DoorEnd::cell(leg.map(), cell))));
            }
            places.extend(leg.waypoints().map(|id| self.place(&DoorEnd::waypoint(leg.map(), id))));
        }
        let nowhere = walked.points().len() - places.len();
        std::iter::repeat_n(None, nowhere).chain(places.into_iter().map(Some)).collect()
    }

    /// Returns how much more the rest of a path costs than the cheapest path, as a fraction of the
    /// cheapest.
    ///
    /// The rest begins at the last place, or at the place to which the unit walks. The result is
    /// the lower of both values.
    fn excess(&self, unit: &Unit, plain: &Plain, cheapest: &[f64]) -> Option<f64> {
        let walked = self.game.world().get::<AgentPath>(unit.entity)?;
        let places = self.places(walked);
        let next = walked.next_point();
        let excess = |index: usize| {
            let from = places[index]?;
            let steps = places[index..].windows(2).map(|pair| plain.step_cost(pair[0]?, pair[1]?));
            let rest: f64 = steps.sum::<Option<f64>>()?;
            Some((rest + 1e-3) / (cheapest[from] + 1e-3) - 1.0)
        };
        let excesses = [next.saturating_sub(1), next.min(places.len() - 1)].map(excess);
        excesses.into_iter().flatten().reduce(f64::min)
    }
}

fn any_order(world: &World, random: &mut impl Rng) -> (PathRequest, usize, f64) {
    let tolerance = [0.0, 0.1, 0.5][random.random_range(0..3)];
    let (request, goal) = match random.random_range(0..4) {
        map @ 0..2 => {
            let cell = any_cell(random);
            (PathRequest::to_cell(cell).on_map(world.maps[map]), Plain::cell(map, cell))
        }
        graph => {
            let index = random.random_range(0..WAYPOINTS);
            let request = PathRequest::to_waypoint(index.to_string()).on_map(world.graphs[graph - 2]);
            (request, Plain::waypoint(graph - 2, index))
        }
    };
    (request.with_tolerance(tolerance), goal, tolerance.into())
}

#[test]
fn no_way_through_doors_is_worse_than_tolerated_whatever_opens() {
    let (mut seen, mut several, mut searches, mut changed) = (0, 0, [0; 2], 0);
    for round in 0..40 {
        let mut random = Seed::named(&format!("kept ways through doors {round}")).generator();
        let mut world = World::new(&mut random);
        let mut units: Vec<Unit> = (0..8)
            .map(|_| {
                let from = any_cell(&mut random);
                let at = (Vec2::new(from.x as f32, from.y as f32) + 0.5) * SIZES[0];
                let entity = world.game.walker(at.x, at.y, 4.0);
                world.game.world_mut().entity_mut(entity).insert(OnMap(world.maps[0]));
                Unit { entity, goal: 0, tolerance: 0.0, has_lost: false, has_walked: false }
            })
            .collect();
        for t in 0..250 {
            for unit in &mut units {
                if !world.game.is_ordered(unit.entity) {
                    let request;
                    (request, unit.goal, unit.tolerance) = any_order(&world, &mut random);
                    unit.has_lost = false;
                    world.game.order(unit.entity, request);
                }
            }
            // In calm times, nothing is edited.
            let is_calm = t / 20 % 2 == 1;
            for _ in 0..if is_calm { 0 } else { random.random_range(0..3) } {
                world.edit(&mut random);
            }
            world.game.step(0.1);
            let answers = world.game.world().resource::<TilepathDiagnostics>().answers;
            searches[usize::from(is_calm)] +=
                world.game.world().resource::<TilepathDiagnostics>().searches.saturating_sub(answers);
            for unit in &mut units {
                unit.has_walked = false;
            }
            for (entity, told) in world.game.named() {
                let unit = units.iter_mut().find(|unit| unit.entity == entity).expect("it is one of them");
                // Paths are compared before agents walk.
                unit.has_walked |= matches!(told, Told::Reached(_) | Told::Passed { .. });
                unit.has_lost |= matches!(told, Told::Blocked(_));
                changed += usize::from(matches!(told, Told::Replanned { .. }) && !unit.has_lost);
            }
            let plain = world.plain();
            for unit in units.iter().filter(|unit| !unit.has_lost && !unit.has_walked) {
                if !world.game.is_ordered(unit.entity) {
                    continue;
                }
                let cheapest = plain.costs_to(&[unit.goal]);
                let Some(excess) = world.excess(unit, &plain, &cheapest) else { continue };
                let Unit { entity, tolerance, .. } = unit;
                assert!(
                    excess <= tolerance + 1e-4,
                    "{excess} with {tolerance} of {entity} in {t} of {round}"
                );
                seen += 1;
                several += usize::from(world.game.path(unit.entity).legs().count() > 1);
            }
        }
    }
    assert!(seen > 5000 && several > 2000 && changed > 50, "{seen} {several} {searches:?} {changed}");
    // If nothing changes, searches end soon.
    assert!(searches[1] * 10 < searches[0], "{searches:?}");
}
