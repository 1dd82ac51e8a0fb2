//! The classes of named values and tags, in projects written by hand.

use bevy::{asset::io::memory::Dir, prelude::*};
use bevy_ecs_ldtk::prelude::*;
use bevy_tilepath::{NavMap, maps::MissingTile};
use tilepath_editors::{costs, files, update_until};

use crate::{
    harness::{logs_of, logs_of_all_threads, rows},
    is_ready, ldtk_app,
    project::{
        HALL, LEVEL_FILE,
        Layer::{self, Tiles, Values},
        write_project, write_project_without_level,
    },
    spawn_world,
};

/// Returns the costs of the level in these files, with the warnings while it was read.
fn hall(files: Dir, size: (u32, u32), missing_tile: MissingTile) -> (Vec<String>, Vec<String>) {
    let mut read = None;
    let told = logs_of(|| {
        let mut app = ldtk_app(&files);
        let map = spawn_world(&mut app, LevelSet::from_iids([HALL]));
        app.world_mut().entity_mut(map).insert(NavMap { missing_tile, ..default() });
        update_until(&mut app, |world| is_ready(world, map));
        app.update();
        read = Some(costs(app.world(), map, IVec2::new(0, -(size.1 as i32)), size.into()));
    });
    (read.expect("the map was read"), told)
}

fn hall_of(layers: &[Layer], size: (u32, u32)) -> (Vec<String>, Vec<String>) {
    let files = files().expect("the folder `assets` can be read");
    write_project(&files, layers);
    hall(files, size, MissingTile::default())
}

const WALLS: &str = "
    111111
    1....1
    1.11..
    111111
";

#[test]
fn values_named_walls_are_walls_and_cells_without_a_value_are_ground() {
    const NAMES: [&[(i32, &str)]; 3] = [&[(1, "walls")], &[(1, "Wall")], &[(1, "SOLID_rock")]];
    for names in NAMES {
        let (costs, told) = hall_of(&[Values(names, WALLS)], (6, 4));
        assert_eq!(costs, rows(&WALLS.replace('1', "#")), "{names:?}");
        assert_eq!(told, [""; 0], "{names:?}");
    }
}

#[test]
fn cells_without_a_value_have_the_class_that_the_game_has_chosen() {
    let files = files().expect("the folder `assets` can be read");
    write_project(&files, &[Values(&[(1, "walls")], "1..1")]);
    assert_eq!(hall(files, (4, 1), MissingTile::Class(3)).0, ["#33#"]);
}

#[test]
fn a_layer_of_plain_tiles_is_ground_and_its_holes_are_walls() {
    let (costs, _) = hall_of(&[Tiles("2222 2..2 2222")], (4, 3));
    assert_eq!(costs, ["....", ".##.", "...."]);
}

#[test]
fn plain_tiles_above_and_below_walls_leave_them() {
    let layers = [Tiles("22...."), Values(&[(1, "walls")], ".1.1.."), Tiles("2222..")];
    let (costs, told) = hall_of(&layers, (6, 1));
    assert_eq!(costs, [".#.#.."]);
    assert_eq!(told, [""; 0]);
}

#[test]
fn a_bridge_lies_over_water_and_water_over_ground() {
    // Above the bridge stand two walls. Class 4, the water, is a wall for walkers by the rules.
    let layers = [
        Tiles("0....0"),
        Tiles(".1111."),
        Values(&[(7, "water_deep"), (3, "Mud")], "..77.3"),
        Tiles("222222"),
    ];
    let (costs, told) = hall_of(&layers, (6, 1));
    assert_eq!(costs, ["#....#"]);
    assert_eq!(told, [""; 0]);
    let [_, _, water, ground] = layers;
    assert_eq!(hall_of(&[water, ground], (6, 1)).0, ["..##.3"]);
}

#[test]
fn values_without_a_known_name_count_as_no_class_and_warn_once() {
    let layers = [Values(&[(2, "ladders"), (5, "")], "22555."), Values(&[(1, "walls")], "1..1..")];
    let (costs, told) = hall_of(&layers, (6, 1));
    assert_eq!(costs, ["#..#.."]);
    assert_eq!(told.len(), 2, "{told:?}");
    for fault in
        ["the IntGrid value 2 (`ladders`) of layer Layer1", "the IntGrid value 5 (``) of layer Layer1"]
    {
        assert!(told.iter().any(|text| text.starts_with(fault)), "{told:?}");
    }
}

#[test]
fn a_level_in_a_file_of_its_own_is_read() {
    let files = files().expect("the folder `assets` can be read");
    let level = write_project_without_level(&files, &[Values(&[(1, "walls")], WALLS)]);
    files.insert_asset_text(LEVEL_FILE.as_ref(), &level);
    let (costs, told) = hall(files, (6, 4), MissingTile::default());
    assert_eq!(costs, rows(&WALLS.replace('1', "#")));
    assert_eq!(told, [""; 0]);
}

#[test]
fn a_file_of_a_level_that_is_missing_is_named_once() {
    let files = files().expect("the folder `assets` can be read");
    write_project_without_level(&files, &[Values(&[(1, "walls")], WALLS)]);
    let mut app = ldtk_app(&files);
    let map = spawn_world(&mut app, LevelSet::from_iids([HALL]));
    let count = || logs_of_all_threads().iter().filter(|text| text.contains(LEVEL_FILE)).count();
    update_until(&mut app, |_| count() > 0);
    (0..20).for_each(|_| app.update());
    assert_eq!(count(), 1, "{:?}", logs_of_all_threads());
    assert!(!is_ready(app.world(), map));
}
