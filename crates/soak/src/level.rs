//! Maps, graphs and doors, with their moving parents.

use bevy_ecs::{entity::Entity, hierarchy::ChildOf, world::World};
use bevy_math::{Quat, Vec2, Vec3};
use bevy_tilepath::{
    Cell, Diagonals, NavGraph, NavGrid, NavMap, NavProjection,
    doors::{Door, DoorEnd},
    graphs::{WaypointGraph, WaypointSlowdown},
    maps::Lattice,
    tilepath::Grid,
};
use bevy_transform::components::Transform;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use testkit::{Seed, noise};

use crate::{
    areas::Area,
    places::{self, Ground, MAX_CLASS},
    settings::Settings,
};

/// The side of a tile map, in cells.
pub(crate) const SIDE: u32 = 24;
/// The distance between maps, in world units.
const APART: f32 = 650.0;
/// The tile maps by hand. At first, map number n has rule number n for diagonals, and the last map
/// the rule of the first.
const BY_HAND: [ByHand; 5] = [
    ByHand { cell: 16.0, origin: Cell { x: 0, y: 0 }, angle: 0.0, rides: false, many_costs: false },
    ByHand { cell: 10.0, origin: Cell { x: -7, y: 3 }, angle: 0.0, rides: true, many_costs: false },
    ByHand { cell: 25.0, origin: Cell { x: -12, y: -5 }, angle: 0.0, rides: false, many_costs: false },
    ByHand { cell: 16.0, origin: Cell { x: 0, y: 0 }, angle: 0.3, rides: false, many_costs: false },
    ByHand { cell: 10.0, origin: Cell { x: 5, y: -40 }, angle: 0.0, rides: false, many_costs: true },
];
/// The side of a map with ground of many costs, in cells. It has enough cells for landmarks.
const MANY_COSTS_SIDE: u32 = 80;
const GRAPHS: usize = 2;
const WAYPOINTS: usize = 10;
const DOORS: usize = 10;

struct ByHand {
    cell: f32,
    origin: Cell,
    angle: f32,
    rides: bool,
    /// True if the map is larger, and its ground has many costs.
    many_costs: bool,
}

/// The common settings of all maps of a level.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) lattice: Lattice,
    /// True if maps define all movements, and not the scout alone.
    pub(crate) has_movements: bool,
    /// True if most agents walk otherwise than from centre to centre.
    pub(crate) has_lines: bool,
}

impl Style {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self { lattice: settings.lattice, has_movements: settings.movements, has_lines: settings.lines }
    }

    /// Returns the settings of a map with this rule.
    pub(crate) fn map(self, diagonals: Diagonals) -> NavMap {
        let map = NavMap { diagonals, ..NavMap::default() };
        let movements = places::movements(self.lattice.topology(), self.has_movements);
        movements.into_iter().fold(map, |map, (name, movement)| map.with_movement(name, movement))
    }
}

/// The maps, graphs and doors of a world.
#[derive(Debug, Default)]
pub(crate) struct Level {
    pub(crate) style: Style,
    pub(crate) maps: Vec<Entity>,
    pub(crate) graphs: Vec<Entity>,
    pub(crate) doors: Vec<Entity>,
    pub(crate) obstacles: Vec<Entity>,
    pub(crate) areas: Vec<Area>,
    /// Entities that move and turn with all their children.
    pub(crate) carriers: Vec<Entity>,
    #[cfg(feature = "tilemaps")]
    pub(crate) tilemap: Option<crate::tiles::Tilemap>,
}

impl Level {
    pub(crate) fn spawn(world: &mut World, random: &mut ChaCha8Rng, style: Style) -> Self {
        let mut level = Self { style, ..Self::default() };
        level.carriers.push(world.spawn(Transform::from_xyz(APART, 0.0, 0.0)).id());
        for index in 0..BY_HAND.len() {
            let map = level.spawn_map(world, random, index);
            level.maps.push(map);
        }
        for index in 0..GRAPHS {
            let graph = level.spawn_graph(world, random, index);
            level.graphs.push(graph);
        }
        #[cfg(feature = "tilemaps")]
        {
            let tilemap = crate::tiles::Tilemap::spawn(world, random, style, Vec2::new(0.0, -APART));
            level.maps.push(tilemap.map());
            level.tilemap = Some(tilemap);
        }
        for _ in 0..DOORS {
            let door = level.spawn_door(world, random);
            level.doors.push(door);
        }
        level
    }

    fn spawn_map(&self, world: &mut World, random: &mut ChaCha8Rng, index: usize) -> Entity {
        let ByHand { cell, origin, angle, rides, many_costs } = BY_HAND[index];
        let (side, classes) = if many_costs { (MANY_COSTS_SIDE, MAX_CLASS) } else { (SIDE, 4) };
        let seed = Seed::named(&format!("{}", random.random::<u64>()));
        let tiles = noise(side, side, classes, 20, &seed);
        let grid = Grid::from_classes(side, side, tiles.classes)
            .and_then(|grid| grid.with_origin(origin))
            .expect("the map is small")
            .with_topology(self.style.lattice.topology());
        // The lowest corner lies at the map's own origin.
        let cells = |first| NavProjection::new(self.style.lattice, Vec2::splat(cell), first);
        let corner = -cells(Vec2::ZERO).position_of(origin);
        let place = if rides {
            Transform::default()
        } else {
            Transform::from_xyz(APART * index as f32, 0.0, 0.0).with_rotation(Quat::from_rotation_z(angle))
        };
        let map = world
            .spawn((
                self.style.map(Diagonals::ALL[index % Diagonals::ALL.len()]),
                NavGrid::new(grid),
                cells(corner + cell / 2.0),
                place,
            ))
            .id();
        if rides {
            world.entity_mut(map).insert(ChildOf(self.carriers[0]));
        }
        map
    }

    fn spawn_graph(&self, world: &mut World, random: &mut ChaCha8Rng, index: usize) -> Entity {
        let mut graph = WaypointGraph::new();
        for id in 0..WAYPOINTS {
            let at = (random.random_range(0.0..400.0), random.random_range(0.0..300.0));
            graph.add(waypoint_id(index, id), at).expect("each id is there once");
        }
        for _ in 0..2 * WAYPOINTS {
            let [a, b] = [(); 2].map(|()| waypoint_id(index, random.random_range(0..WAYPOINTS)));
            // A waypoint is not joined to itself.
            let _ = graph.join(&a, &b);
        }
        let mut graph = NavGraph::new(graph);
        if random.random_bool(0.5) {
            graph = graph.with_easing(WaypointSlowdown { distance: 8.0, slowest: 0.3 });
        }
        let entity = world.spawn((graph, Transform::from_xyz(APART * index as f32, APART - 150.0, 0.0))).id();
        if index == 1 {
            world
                .entity_mut(entity)
                .insert((ChildOf(self.carriers[0]), Transform::from_xyz(0.0, 300.0, 0.0)));
        }
        entity
    }

    pub(crate) fn spawn_door(&self, world: &mut World, random: &mut ChaCha8Rng) -> Entity {
        let [from, to] = [(); 2].map(|()| self.end(world, random));
        let mut door = Door::new(from, to).with_cost(random.random_range(0.0..50.0));
        if random.random_bool(0.3) {
            door = door.one_way();
        }
        if random.random_bool(0.3) {
            door = door.leaping();
        }
        world.spawn(door).id()
    }

    fn end(&self, world: &World, random: &mut ChaCha8Rng) -> DoorEnd {
        if random.random_ratio(1, 4) {
            let index = random.random_range(0..self.graphs.len());
            return DoorEnd::waypoint(
                self.graphs[index],
                waypoint_id(index, random.random_range(0..WAYPOINTS)),
            );
        }
        let map = self.maps[random.random_range(0..self.maps.len())];
        DoorEnd::cell(map, open_cell(world, map, random))
    }

    /// Despawns a map or graph, and spawns a new one in its place. Doors keep their ends on the
    /// despawned entity.
    pub(crate) fn renew(&mut self, world: &mut World, random: &mut ChaCha8Rng) {
        let index = random.random_range(0..BY_HAND.len() + GRAPHS);
        if index < BY_HAND.len() {
            world.despawn(self.maps[index]);
            self.maps[index] = self.spawn_map(world, random, index);
        } else {
            let index = index - BY_HAND.len();
            world.despawn(self.graphs[index]);
            self.graphs[index] = self.spawn_graph(world, random, index);
        }
    }

    pub(crate) fn move_carriers(&self, world: &mut World, tick: u32) {
        // A slow sway that returns to its start, so that coordinates stay small enough for precise
        // floats.
        let time = f64::from(tick) * 0.013;
        for &carrier in &self.carriers {
            if let Some(mut at) = world.get_mut::<Transform>(carrier) {
                at.translation =
                    Vec3::new(APART + 120.0 * time.sin() as f32, 80.0 * (0.7 * time).cos() as f32, 0.0);
                at.rotation = Quat::from_rotation_z((0.4 * time).sin() as f32);
            }
        }
    }

    /// Despawns everything.
    pub(crate) fn despawn(self, world: &mut World) {
        #[cfg(feature = "tilemaps")]
        if let Some(tilemap) = self.tilemap {
            tilemap.despawn(world);
        }
        let areas = self.areas.into_iter().map(|area| area.entity).collect();
        let all = [self.doors, self.obstacles, areas, self.maps, self.graphs, self.carriers];
        for entity in all.into_iter().flatten() {
            // A child may be despawned with its parent already.
            if world.get_entity(entity).is_ok() {
                world.despawn(entity);
            }
        }
    }

    pub(crate) fn is_graph(&self, map: Entity) -> bool {
        self.graphs.contains(&map)
    }

    /// Returns a random map or graph.
    pub(crate) fn any(&self, random: &mut ChaCha8Rng) -> Entity {
        let index = random.random_range(0..self.maps.len() + self.graphs.len());
        self.maps.get(index).copied().unwrap_or_else(|| self.graphs[index - self.maps.len()])
    }

    /// Returns a random position on a map, or around a graph.
    pub(crate) fn somewhere_on(&self, world: &World, map: Entity, random: &mut ChaCha8Rng) -> Vec2 {
        if self.is_graph(map) {
            let at = Vec2::new(random.random_range(-20.0..420.0), random.random_range(-20.0..320.0));
            return places::world_from(world, map).transform_point2(at);
        }
        let cell = if random.random_bool(0.8) {
            open_cell(world, map, random)
        } else {
            any_cell(world, map, random)
        };
        let centre = places::centre(world, map, cell).unwrap_or_default();
        centre + Vec2::new(random.random_range(-3.0..3.0), random.random_range(-3.0..3.0))
    }
}

pub(crate) fn waypoint_id(graph: usize, index: usize) -> String {
    format!("{graph}n{index}")
}

/// Returns the name of a random waypoint.
pub(crate) fn any_waypoint(graph: usize, random: &mut ChaCha8Rng) -> String {
    waypoint_id(graph, random.random_range(0..WAYPOINTS))
}

pub(crate) fn any_cell(world: &World, map: Entity, random: &mut ChaCha8Rng) -> Cell {
    let bounds = world.get::<NavGrid>(map).map(NavGrid::bounds);
    let cell = bounds.and_then(|bounds| bounds.cell(random.random_range(0..bounds.cell_count().max(1))));
    cell.unwrap_or_default()
}

/// Returns a random open cell, if 20 draws find one.
pub(crate) fn open_cell(world: &World, map: Entity, random: &mut ChaCha8Rng) -> Cell {
    let mut cell = any_cell(world, map, random);
    for _ in 0..20 {
        if Ground::of(world, map, None).is_some_and(|ground| ground.is_open(cell)) {
            break;
        }
        cell = any_cell(world, map, random);
    }
    cell
}
