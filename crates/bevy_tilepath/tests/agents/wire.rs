//! Components and states through files and messages of four formats, and damaged messages.

use std::{any::type_name, collections::BTreeSet, path::Path as FilePath};

use allocation_counter::measure;
use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, AgentPath, Body, Cell, Motion, Movement, NavGraph, NavGrid, NavMap, NavProjection,
    Obstacle, OnMap, PathAgent, PathFailure, PathGoal, PathRequest, PathStatus, Place, Stepwise,
    TilepathSettings, TilepathState,
    agents::{AgentNumber, BodyPatience, Drive, PathLeg, PathLine, PathOutline, Speed, TerrainSpeed},
    doors::{Door, DoorEnd, Passage},
    graphs::WaypointSlowdown,
    groups::{Group, GroupMember, GroupOrder},
    maps::{Edges, Fence, Ledge, MapLandmarks, MissingTile, NavMemory, OneWay, OpaqueClasses, OverlayArea},
    orders::{Approach, PathStops, PathTarget, Repeat, Stop},
    tilepath::{Cost, Direction},
};
use serde::{Serialize, de::DeserializeOwned};
use testkit::{Seed, Wire, assert_damage_is_borne, public_serde_types_in};

use super::states::Scene;
use crate::harness::*;

/// The types whose values were read back.
#[derive(Default)]
struct Seen(BTreeSet<&'static str>);

impl Seen {
    /// Asserts that each format reads what it has written, by the text of the value.
    fn all<T: Serialize + DeserializeOwned>(&mut self, values: &[T]) {
        let name = type_name::<T>();
        assert!(!values.is_empty(), "the scene has no {name}");
        for value in values {
            let text = Wire::Ron.write(value);
            for wire in Wire::ALL {
                let message = wire.write(value);
                let read: T = wire.read(&message).unwrap_or_else(|error| {
                    panic!("{wire:?} does not read {name}: {error}\n{}", String::from_utf8_lossy(&text))
                });
                assert!(Wire::Ron.write(&read) == text, "{wire:?} reads another {name}");
            }
        }
        self.0.insert(name.rsplit("::").next().expect("a name"));
    }

    /// Reads back each component of this type in the world.
    fn each<C: Component + Clone + Serialize + DeserializeOwned>(&mut self, world: &mut World) {
        self.all(&components::<C>(world));
    }
}

fn components<C: Component + Clone>(world: &mut World) -> Vec<C> {
    world.query::<&C>().iter(world).cloned().collect()
}

/// Returns the outlines of all paths.
fn outlines(world: &mut World) -> Vec<PathOutline> {
    components::<AgentPath>(world).iter().map(AgentPath::outline).collect()
}

fn small_values(seen: &mut Seen, map: Entity) {
    seen.all(&[AgentMovement::from("cart"), AgentMovement::from(Movement::new())]);
    seen.all(&[Drive::Transform, Drive::Velocity]);
    seen.all(&[PathLine::Cells, PathLine::Straight]);
    seen.all(&[Speed::Cells(2.5), Speed::World(f32::MAX)]);
    seen.all(&[TerrainSpeed::Constant, TerrainSpeed::ByCost]);
    seen.all(&[DoorEnd::cell(map, Cell::new(-1, 4)), DoorEnd::waypoint(map, "inn")]);
    seen.all(&[Passage::default()]);
    seen.all(&[WaypointSlowdown::default()]);
    seen.all(&[MapLandmarks::default()]);
    seen.all(&[MissingTile::default()]);
    seen.all(&[Edges::new("river", [Direction::North, Direction::West])]);
    seen.all(&[Fence(vec![Direction::North, Direction::East])]);
    seen.all(&[Ledge(Direction::South)]);
    seen.all(&[OneWay(Direction::West)]);
    seen.all(&[OpaqueClasses::default()]);
    seen.all(&[NavMemory]);
    seen.all(&[PathFailure::Unreachable, PathFailure::NoMap]);
    seen.all(&[Place::from(Cell::new(3, 4)), Place::Waypoint("inn".into())]);
    seen.all(&[PathGoal::beside(map), PathGoal::nearest([Cell::new(1, 2), Cell::new(3, 4)])]);
    seen.all(&[Repeat::Once, Repeat::Loop]);
    seen.all(&[TilepathSettings::default()]);
    seen.all(&[BodyPatience::default()]);
    seen.all(&[PathTarget::Entity(map)]);
    seen.all(&[Stop::from(map).on_map(map).wait(2.5), Stop::from(Cell::new(1, 2)).wait(f32::INFINITY)]);
    seen.all(&[Approach::Beside, Approach::Flee { distance: f32::INFINITY, budget: Cost::new(9) }]);
}

#[test]
fn public_values_are_read_back_from_each_format() {
    let mut scene = Scene::new(Game::long_steps());
    let mut seen = Seen::default();
    small_values(&mut seen, scene.yard);
    for tick in 0..40 {
        scene.tick(tick);
    }
    seen.all(&[TilepathState::take(scene.game.world_mut()).expect("a state")]);
    scene.tick(40);
    let world = scene.game.world_mut();
    seen.each::<AgentPath>(world);
    let legs = components::<AgentPath>(world)
        .iter()
        .flat_map(|path| path.legs().cloned().collect::<Vec<PathLeg>>())
        .collect::<Vec<PathLeg>>();
    seen.all(&legs);
    seen.all(&outlines(world));
    seen.each::<AgentNumber>(world);
    seen.each::<Body>(world);
    seen.each::<Motion>(world);
    seen.each::<PathAgent>(world);
    seen.each::<PathRequest>(world);
    seen.each::<PathStatus>(world);
    seen.each::<PathStops>(world);
    seen.each::<Stepwise>(world);
    seen.each::<OnMap>(world);
    seen.each::<NavMap>(world);
    seen.each::<NavGrid>(world);
    seen.each::<NavGraph>(world);
    seen.each::<NavProjection>(world);
    seen.each::<Door>(world);
    seen.each::<Obstacle>(world);
    seen.each::<OverlayArea>(world);
    seen.each::<Group>(world);
    seen.each::<GroupMember>(world);
    seen.each::<GroupOrder>(world);

    let public = public_serde_types_in(&FilePath::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(public.len() > 35, "the sources were read");
    let missing: Vec<&String> = public.iter().filter(|name| !seen.0.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "no value of {missing:?} was read back");
}

/// Returns the most bytes that a call holds at a time.
fn most_bytes(call: &mut dyn FnMut()) -> u64 {
    measure(call).bytes_max
}

#[test]
fn damaged_messages_are_refused_within_little_memory() {
    let seed = Seed::named("damaged messages");
    let mut scene = Scene::new(Game::long_steps());
    for tick in 0..30 {
        scene.tick(tick);
    }
    let state = TilepathState::take(scene.game.world_mut()).expect("a state");
    assert_damage_is_borne(&[state], &seed, most_bytes);
    scene.tick(30);
    let world = scene.game.world_mut();
    assert_damage_is_borne(&components::<AgentPath>(world), &seed, most_bytes);
    assert_damage_is_borne(&outlines(world), &seed, most_bytes);
    assert_damage_is_borne(&components::<NavGrid>(world), &seed, most_bytes);
    assert_damage_is_borne(&components::<NavMap>(world), &seed, most_bytes);
    assert_damage_is_borne(&components::<NavGraph>(world), &seed, most_bytes);
    assert_damage_is_borne(&components::<PathRequest>(world), &seed, most_bytes);
    assert_damage_is_borne(&components::<PathStops>(world), &seed, most_bytes);
    assert_damage_is_borne(&components::<GroupOrder>(world), &seed, most_bytes);
    assert_damage_is_borne(&components::<Group>(world), &seed, most_bytes);
    assert_damage_is_borne(&components::<Door>(world), &seed, most_bytes);
}
