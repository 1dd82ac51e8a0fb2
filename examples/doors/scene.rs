//! A meadow, a room, a town, and the doors between them.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Cell, NavGraph, NavMap, Obstacle, OnMap, PathAgent, Terrain,
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
};
use tilepath_examples::{
    ground::{self, Ground},
    tiles::{TILE, tilemap},
    town,
};

use crate::level::{self, Letters};

/// The visible part of the world.
pub(crate) const AREA: Rect = Rect { min: Vec2::ZERO, max: Vec2::new(640.0, 360.0) };
/// The lower left corner of the meadow.
pub(crate) const MEADOW: Vec2 = Vec2::new(8.0, 30.0);
/// The lower left corner of the room.
pub(crate) const ROOM: Vec2 = Vec2::new(222.0, 96.0);
/// The visible part of the town, in its own coordinates.
pub(crate) const TOWN: Rect = Rect { min: Vec2::new(0.0, 30.0), max: Vec2::new(260.0, 350.0) };
/// The offset from the town's coordinates to the world.
pub(crate) const TOWN_AT: Vec2 = Vec2::new(372.0, 0.0);

/// The height of the room's tiles. Overlays of the meadow overlap the room by half a tile.
const ABOVE_MEADOW: f32 = 6.0;

/// The speed of the soldier, in world units per second.
pub(crate) const SPEED: f32 = 56.0;

/// The soldier.
#[derive(Component)]
pub(crate) struct Soldier;

/// The three maps.
#[derive(Resource, Debug, Clone, Copy)]
pub(crate) struct Maps {
    pub(crate) meadow: Entity,
    pub(crate) room: Entity,
    pub(crate) town: Entity,
}

impl Maps {
    /// Returns the name of a map for a player.
    pub(crate) fn name(&self, map: Entity) -> &'static str {
        if map == self.meadow {
            "meadow"
        } else if map == self.room {
            "cottage"
        } else {
            "town"
        }
    }
}

/// A door, its number, and the places of its ends in the world.
#[derive(Component, Debug, Clone, Copy)]
pub(crate) struct Numbered {
    pub(crate) number: usize,
    pub(crate) name: &'static str,
    pub(crate) ends: [Vec2; 2],
}

/// Spawns maps, doors and soldier.
pub(crate) struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, spawn);
    }
}

/// Returns the centre of a cell of a map with this lower left corner.
pub(crate) fn centre_of(corner: Vec2, cell: Cell) -> Vec2 {
    corner + (IVec2::new(cell.x, cell.y).as_vec2() + 0.5) * TILE
}

/// Returns the cell of the meadow in front of the cottage's door.
pub(crate) fn doorstep() -> Cell {
    let door = Letters::meadow().find('D');
    Cell::new(door.x, door.y - 1)
}

/// Returns the cell where the road leaves the meadow.
fn meadow_gate() -> Cell {
    let letters = Letters::meadow();
    let east = letters.size().x as i32 - 1;
    let road = letters.cells().find(|&(cell, letter)| cell.x == east && letter == '=');
    road.expect("the road is part of the picture and a test walks it").0
}

/// Returns the waypoints in the visible part of the town.
fn graph() -> WaypointGraph {
    let mut graph = town::graph();
    let outside: Vec<String> = graph
        .waypoints()
        .filter(|waypoint| {
            let place = Vec2::new(waypoint.position.x as f32, waypoint.position.y as f32);
            !TOWN.inflate(-10.0).contains(place)
        })
        .map(|waypoint| waypoint.id.to_owned())
        .collect();
    for id in outside {
        graph.remove(&id).expect("it was listed a moment ago");
    }
    graph
}

fn spawn(mut commands: Commands) {
    let letters = Letters::meadow();
    let meadow =
        spawn_tiles(&mut commands, &letters, MEADOW.extend(0.0), |letter| level::ground(letter).class());
    for (cell, letter) in letters.cells() {
        let centre = centre_of(MEADOW, cell);
        let (size, middle) = match level::thing(letter) {
            None => continue,
            Some(_) if letter == 'D' => (Vec2::new(3.0, 2.0) * TILE, centre + Vec2::Y * TILE / 2.0),
            Some(_) => (Vec2::splat(TILE), centre),
        };
        commands.spawn((
            Obstacle { size, ..default() },
            OnMap(meadow),
            Transform::from_translation(middle.extend(0.0)),
        ));
    }
    let floor = |letter| if level::is_floor(letter) { Ground::Road } else { Ground::Rock };
    let room = spawn_tiles(&mut commands, &Letters::room(), ROOM.extend(ABOVE_MEADOW), |letter| {
        floor(letter).class()
    });
    let graph = graph();
    let waypoint = |id: &str| {
        let place = graph.position(id).expect("a test walks to it");
        Vec2::new(place.x as f32, place.y as f32) + TOWN_AT
    };
    let (smithy, gate) = (waypoint("smithy"), waypoint("west gate"));
    let town = commands.spawn((NavGraph::new(graph), Transform::from_translation(TOWN_AT.extend(0.0)))).id();
    commands.insert_resource(Maps { meadow, room, town });

    let (mat, back) = (Letters::room().find('m'), Letters::room().find('d'));
    let on_meadow = |cell| (DoorEnd::cell(meadow, cell), centre_of(MEADOW, cell));
    let in_room = |cell| (DoorEnd::cell(room, cell), centre_of(ROOM, cell));
    let in_town = |id, place| (DoorEnd::waypoint(town, id), place);
    let doors = [
        ("front door", on_meadow(doorstep()), in_room(mat), 0.0),
        ("back door", in_room(back), in_town("smithy", smithy), 0.0),
        // A long road is behind the gate, so it costs more.
        ("gate", on_meadow(meadow_gate()), in_town("west gate", gate), 240.0),
    ];
    for (index, (name, (from, here), (to, there), cost)) in doors.into_iter().enumerate() {
        commands.spawn((
            Door::new(from, to).with_cost(cost).leaping(),
            Numbered { number: index + 1, name, ends: [here, there] },
        ));
    }
    let start = centre_of(MEADOW, letters.find('S'));
    commands.spawn((
        Soldier,
        PathAgent { speed: SPEED.into(), ..default() },
        OnMap(meadow),
        Transform::from_translation(start.extend(0.0)),
        Visibility::default(),
    ));
}

fn spawn_tiles(
    commands: &mut Commands,
    letters: &Letters,
    corner: Vec3,
    class: impl Fn(char) -> u8,
) -> Entity {
    let map = commands.spawn_empty().id();
    let size = TilemapSize::from(letters.size());
    let mut storage = TileStorage::empty(size);
    for (cell, letter) in letters.cells() {
        let position = TilePos::new(cell.x as u32, cell.y as u32);
        let tile = TileBundle { position, tilemap_id: TilemapId(map), ..default() };
        storage.set(&position, commands.spawn((tile, Terrain(class(letter)))).id());
    }
    commands.entity(map).insert((
        tilemap(size, storage, corner + Vec2::splat(TILE / 2.0).extend(0.0)),
        NavMap { costs: ground::costs(true), ..default() },
    ));
    map
}
