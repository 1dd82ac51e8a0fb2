//! The cost of each cell of maps from Tiled.

use bevy::prelude::*;
use bevy_ecs_tiled::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, NavProjection,
    maps::{Lattice, NavLayers},
};
use tilepath_editors::{costs, update_until};

use crate::{
    harness::{OnAdd, logs_of, rows},
    is_ready, map_of, spawn, text_of, tiled_app,
};

#[track_caller]
fn assert_costs(app: &App, map: Entity, first: IVec2, picture: &str) {
    let rows = rows(picture);
    let size = UVec2::new(rows[0].len() as u32, rows.len() as u32);
    assert_eq!(costs(app.world(), map, first, size), rows);
}

/// Returns the number of passable cells of the map.
fn open_cells(app: &App, map: Entity) -> usize {
    let grid = app.world().get::<NavGrid>(map).expect("the map has a grid");
    let bounds = grid.bounds();
    let is_open = |cell: &Cell| grid.terrain(*cell).is_some_and(|class| [1, 3].contains(&class));
    bounds.cells().filter(is_open).count()
}

#[test]
fn square_layers_of_two_tilesets_have_the_classes_of_their_tiles() {
    let (mut app, _) = tiled_app(&[]);
    let mut map = Entity::PLACEHOLDER;
    let told = logs_of(|| map = map_of(&mut app, "river.tmx"));
    let picture = "
        .....##.....
        ..3..##..#..
        .333.##.##..
        ..3..###.#..
        ............
        ..#..###.3..
        .###.##.333.
        .....##.....
    ";
    // The bridge lies over water, and the walls lie over grass. The flowers change no cost.
    assert_costs(&app, map, IVec2::ZERO, picture);
    let layers = app.world().get::<NavLayers>(map).expect("the map has layers").iter().count();
    assert_eq!(layers, 3 * 2, "one for each tileset of each layer");
    assert_eq!(told, [""; 0], "no warning: all layers are aligned");
}

#[test]
fn diamonds_have_the_classes_of_the_rules_file() {
    let (mut app, _) = tiled_app(&[]);
    let map = map_of(&mut app, "island.tmx");
    let picture = "
        ........
        .######.
        .#....#.
        .#.##.#.
        .#.#..3.
        .#....#.
        .######.
        ........
    ";
    assert_costs(&app, map, IVec2::ZERO, picture);
    let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
    assert_eq!((projection.lattice(), projection.cell_size()), (Lattice::Diamond, Vec2::new(32.0, 16.0)));
}

const FORD: &str = "
    ....#.....
    ...##.##..
    ..##...#..
    .333...#..
    ..##..##..
    ...##.....
";

#[test]
fn hexagons_of_all_four_staggers_have_the_classes_of_their_tiles() {
    let kinds = [
        ("y", "odd", Lattice::HexRowEven),
        ("y", "even", Lattice::HexRowOdd),
        ("x", "odd", Lattice::HexColumnEven),
        ("x", "even", Lattice::HexColumnOdd),
    ];
    for (axis, index, lattice) in kinds {
        let (_, files) = tiled_app(&[]);
        let text = text_of(&files, "ford.tmx")
            .replace("staggeraxis=\"y\"", &format!("staggeraxis=\"{axis}\""))
            .replace("staggerindex=\"odd\"", &format!("staggerindex=\"{index}\""));
        let (mut app, _) = tiled_app(&[("ford.tmx", &text)]);
        let map = map_of(&mut app, "ford.tmx");
        assert_costs(&app, map, IVec2::ZERO, FORD);
        let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
        assert_eq!(projection.lattice(), lattice);
    }
}

/// The file counts rows from above, and a tilemap counts them from below. With an odd number of
/// rows, the rows shifted in the tilemap are the ones not shifted in the file.
#[test]
fn an_even_number_of_rows_of_hexagons_is_moved_as_in_tiled() {
    for (rows, right) in [(6, 8.0), (5, -8.0)] {
        let (_, files) = tiled_app(&[]);
        let whole = text_of(&files, "ford.tmx");
        let (last_row, without) = (",\n1,1,1,3,3,1,1,1,1,1\n", "\n");
        let text = whole.replace("height=\"6\"", &format!("height=\"{rows}\""));
        let text = if rows == 5 { text.replacen(last_row, without, 1) } else { text };
        let (mut app, _) = tiled_app(&[("ford.tmx", &text)]);
        let map = map_of(&mut app, "ford.tmx");
        let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
        let place = |row| projection.world_position_of(projection.lattice().cell_of((0, rows - 1 - row)));
        // In Tiled, row 1 is odd and lies half a tile to the right of row 0.
        assert_eq!(place(1) - place(0), Vec2::new(right, -12.0), "{rows} rows");
    }
}

/// Returns the text of the ford with a flag on each tile.
fn turned(text: &str, flag: u32) -> String {
    let turned = |letter: char| match letter.to_digit(10) {
        Some(number) if number > 0 => (number | flag).to_string(),
        _ => letter.to_string(),
    };
    let (head, data) = text.split_once("csv\">").expect("the map has data");
    let (data, foot) = data.split_once("</data>").expect("the data have an end");
    format!("{head}csv\">{}</data>{foot}", data.chars().map(turned).collect::<String>())
}

/// Tiled turns hexagons by 60°, by 120° and by both.
#[test]
fn turned_hexagons_keep_their_classes() {
    let (_, files) = tiled_app(&[]);
    let text = text_of(&files, "ford.tmx");
    let plain = text.replace("hexagons.tsx", "plain_ground.tsx");
    let two = text
        .replace("hexagons.tsx\"/>", "hexagons.tsx\"/>\n <tileset firstgid=\"5\" source=\"buildings.tsx\"/>");
    for text in [text, plain, two] {
        for flag in [0x2000_0000, 0x1000_0000, 0x3000_0000] {
            let (mut app, _) = tiled_app(&[("ford.tmx", &turned(&text, flag))]);
            let map = map_of(&mut app, "ford.tmx");
            assert_costs(&app, map, IVec2::ZERO, FORD);
        }
    }
}

/// A river below, and the ground with a bridge in a layer above it. One corner has no tile. The
/// tileset of the ground names no class.
const UPPER_GROUND: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="6" height="3" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" source="ground.tsx"/>
 <tileset firstgid="5" source="plain_ground.tsx"/>
 <layer id="1" name="river" width="6" height="3">
  <data encoding="csv">0,0,3,3,0,0,
0,0,3,3,0,0,
0,0,3,3,0,0</data>
 </layer>
 <layer id="2" name="ground" width="6" height="3">
  <data encoding="csv">5,5,0,0,5,5,
5,5,5,5,5,5,
5,5,0,0,5,0</data>
 </layer>
</map>"#;

#[test]
fn ground_in_an_upper_layer_is_ground_and_a_bridge_counts_if_it_has_a_class() {
    let (mut app, _) = tiled_app(&[("upper.tmx", UPPER_GROUND)]);
    let map = spawn(&mut app, "upper.tmx");
    update_until(&mut app, |world| is_ready(world, map));
    assert_costs(&app, map, IVec2::ZERO, "..44..\n..44..\n..44.#");
    // The rules give the texture of the bridge a class.
    let map = map_of(&mut app, "upper.tmx");
    assert_costs(&app, map, IVec2::ZERO, "..##..\n......\n..##.#");
}

const WILDS: &str = "
    ..............##
    ..............##
    ..##############
    ..#............#
    ..#............#
    ..#..33333..#..#
    ..#..33333..#..#
    ..#..33333..#..#
    ..#..333########
    ..#..333########
    ..#####.########
    ........########
    ........########
    ##......########
    ###.....########
    ################
";

#[test]
fn an_infinite_map_of_any_type_has_the_cells_that_it_has_in_tiled() {
    let kinds = [
        ("orthogonal", "", Lattice::Square),
        ("isometric", "", Lattice::Diamond),
        ("hexagonal", "hexsidelength=\"8\" staggeraxis=\"y\" staggerindex=\"odd\"", Lattice::HexRowEven),
        ("hexagonal", "hexsidelength=\"8\" staggeraxis=\"x\" staggerindex=\"even\"", Lattice::HexColumnOdd),
    ];
    for (orientation, stagger, lattice) in kinds {
        let (_, files) = tiled_app(&[]);
        let attributes = format!("orientation=\"{orientation}\" {stagger}");
        let text = text_of(&files, "wilds.tmx").replace("orientation=\"orthogonal\"", &attributes);
        let (mut app, _) = tiled_app(&[("wilds.tmx", &text)]);
        let map = map_of(&mut app, "wilds.tmx");
        // Tiled counts rows downwards: its upper left tile (-8, -8) is in row 7 here.
        assert_costs(&app, map, IVec2::new(-8, -8), WILDS);
        assert_eq!(open_cells(&app, map), WILDS.chars().filter(|letter| ".3".contains(*letter)).count());
        let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
        assert_eq!(projection.lattice(), lattice);
        let place = projection.world_position_of(Cell::new(0, 0));
        assert!(place.length() < 0.01, "the origin is the origin in Tiled: {place}");
    }
}

#[test]
fn layers_in_groups_lie_one_upon_the_other() {
    let (_, files) = tiled_app(&[]);
    let text = text_of(&files, "river.tmx")
        .replace(" <layer id=\"2\"", " <group id=\"9\" name=\"above\">\n <layer id=\"2\"")
        .replace(" <objectgroup", " </group>\n <objectgroup");
    let (mut app, _) = tiled_app(&[("river.tmx", &text)]);
    let map = map_of(&mut app, "river.tmx");
    let bridge = "..###\n.....\n..###";
    assert_costs(&app, map, IVec2::new(3, 2), bridge);
}

/// Tiles may be higher than their cells. With an anchor at a side, the place of a tilemap depends
/// on the size of its tiles, so it is drawn off the other tilemaps. This triggers a warning, and
/// the tilemap is read all the same.
#[test]
fn a_tileset_of_another_size_lies_on_the_same_cells() {
    let (_, files) = tiled_app(&[]);
    let text = text_of(&files, "buildings.tsx").replace("tileheight=\"16\"", "tileheight=\"24\"");
    for (anchor, warnings) in
        [(TilemapAnchor::None, 0), (TilemapAnchor::Center, 0), (TilemapAnchor::TopLeft, 3)]
    {
        let (mut app, _) = tiled_app(&[("buildings.tsx", &text)]);
        app.add_observer(move |added: OnAdd<TiledMap>, mut commands: Commands| {
            commands.entity(added.entity).insert(anchor);
        });
        let mut map = Entity::PLACEHOLDER;
        let told = logs_of(|| map = map_of(&mut app, "river.tmx"));
        assert_costs(&app, map, IVec2::new(3, 2), "..###\n.....\n..###");
        let told: Vec<_> = told.iter().filter(|text| text.contains("0.25 cell sizes off")).collect();
        assert_eq!(told.len(), warnings, "{anchor:?}: {told:?}");
    }
}
