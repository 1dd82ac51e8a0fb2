//! Tests: chunks after edits equal the chunks of a new map.

use super::{PortalMap, chunk_search::ChunkSearch};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    edit::Edit,
    grid::Grid,
    movement::{Diagonals, Movement},
    movement_map::{MovementMap, area::EditedAreas},
    size::Size,
    topology::Topology,
};
use testkit::Seed;

/// Returns a map. Depending on `kind` it has an overlay, a void cell, fences or hexagons.
fn grid(kind: usize) -> Grid {
    let map = testkit::noise(70, 53, 4, 25, &Seed::named(&format!("portals {kind}")));
    let mut grid = Grid::from_classes(map.width, map.height, map.classes).unwrap();
    if kind & 1 > 0 {
        grid.set_overlay("danger", (0..40).map(|number| (Cell::new(number, number / 2), 3))).unwrap();
        grid.edit(&[Edit::void(Cell::new(16, 15))]).unwrap();
    }
    if kind & 2 > 0 {
        for number in 0..50 {
            let cell = Cell::new(number, 15 + number % 2);
            grid.edit(&[Edit::fence(cell, cell + Direction::ALL[number as usize % 4 * 2].offset())]).unwrap();
        }
    }
    grid.with_topology(if kind == 4 { Topology::Hexagonal } else { Topology::Square })
}

fn movements(kind: usize) -> Vec<Movement> {
    let ruled = Diagonals::ALL.map(|diagonals| Movement::new().with_diagonals(diagonals));
    let large = [2, 3].map(|side| Movement::new().with_size(Size::new(side).unwrap()).with_overlay("danger"));
    let larger = large.into_iter().filter(|_| kind != 4);
    ruled.into_iter().chain(larger).chain([Movement::new().with_overlay("danger")]).collect()
}

/// Makes all chunks.
fn make_all(grid: &Grid, movement_map: &MovementMap) {
    let map = PortalMap::new(&grid.bounds(), grid.classes(), movement_map);
    let mut search = ChunkSearch::default();
    for chunk in 0..map.kept.count() {
        map.kept.get(chunk, || search.make(&map, chunk));
    }
}

/// Makes one edit of any kind, mostly near the borders of chunks.
fn edit(grid: &mut Grid, number: usize) -> Vec<Cell> {
    let before = grid.revision();
    let cell = Cell::new((number * 31 % 69) as i32, (14 + number * 7 % 5 + number % 3 * 16) as i32);
    let beside = cell + Direction::ALL[number * 3 % 8].offset();
    match number % 7 {
        0 => grid.edit(&[Edit::void(cell)]).map(|_| ()),
        1 => grid.set_overlay("danger", [(cell, (number % 4) as u16)]).map(|_| ()),
        2 if grid.topology() == Topology::Square => grid.edit(&[Edit::one_way(cell, beside)]).map(|_| ()),
        3 => grid.edit(&[Edit::open_edge(cell, cell + Direction::North.offset())]).map(|_| ()),
        _ => grid.set_terrain(cell, (number % 5) as u8).map(|_| ()),
    }
    .unwrap();
    grid.changes_since(before).unwrap().collect()
}

#[test]
fn chunks_after_any_edit_are_those_of_a_fresh_build() {
    for kind in 0..5 {
        for movement in movements(kind) {
            let mut grid = grid(kind);
            let mut followed = MovementMap::new(&grid, movement.clone());
            make_all(&grid, &followed);
            for number in 0..40 {
                let cells = edit(&mut grid, number);
                let places = cells.iter().filter_map(|&cell| grid.bounds().local(cell));
                followed.follow_edits(&grid, &EditedAreas::of(places), |_| ());
                make_all(&grid, &followed);
                let fresh = MovementMap::new(&grid, movement.clone());
                make_all(&grid, &fresh);
                assert!(
                    followed.portals(&grid.bounds()) == fresh.portals(&grid.bounds()),
                    "map {kind}, {movement:?}, edit {number} of {cells:?}"
                );
            }
        }
    }
}

#[test]
fn chunks_of_a_map_that_grows_are_those_of_a_fresh_build() {
    for kind in 0..5 {
        for movement in movements(kind) {
            let mut grid = grid(kind);
            let mut followed = MovementMap::new(&grid, movement.clone());
            for [west, south, width, height] in
                [[0, 0, 90, 60], [-16, -32, 100, 100], [-15, -30, 90, 90], [1, 2, 64, 64]]
            {
                make_all(&grid, &followed);
                let before = grid.bounds();
                let after = Bounds::new(Cell::new(west, south), width as u32, height as u32).unwrap();
                grid.resize(after, Some(2));
                followed = followed.resized(&grid, &before);
                make_all(&grid, &followed);
                let fresh = MovementMap::new(&grid, movement.clone());
                make_all(&grid, &fresh);
                assert!(
                    followed.portals(&after) == fresh.portals(&after),
                    "map {kind}, {movement:?}, {after}"
                );
            }
        }
    }
}
