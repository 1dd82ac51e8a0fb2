use super::{area::EditedAreas, *};
use crate::{edit::Edit, movement::StepRules};

#[test]
fn moves_equal_the_rule_in_every_neighbourhood() {
    for diagonals in Diagonals::ALL {
        for neighbourhood in 0..512_usize {
            let classes = (0..9).map(|bit| (neighbourhood >> bit & 1) as u8).collect();
            let grid = Grid::from_classes(3, 3, classes).unwrap();
            let movement = Movement::new().with_diagonals(diagonals);
            let movement_map = MovementMap::new(&grid, movement.clone());
            for direction in Direction::ALL {
                let rules = StepRules::new(&movement, &grid, Cell::new(1, 1));
                let allowed = rules.step_cost(Cell::new(1, 1), direction).is_some();
                assert_eq!(
                    movement_map.moves(1, 1) >> direction as u8 & 1 == 1,
                    allowed,
                    "{diagonals}, neighbourhood {neighbourhood:09b}, {direction:?}"
                );
            }
        }
    }
}

#[test]
fn edits_lead_to_the_layer_of_a_fresh_build() {
    let mut grid = Grid::new(70, 3, 2).unwrap();
    let movement = Movement::new();
    let mut movement_map = MovementMap::new(&grid, movement.clone());
    for step in 0..400_u32 {
        let cell = Cell::new((step * 37 % 70) as i32, (step % 3) as i32);
        let (old, new) = (grid.terrain(cell).unwrap(), (step * 7 % 5) as u8);
        if grid.set_terrain(cell, new).unwrap() {
            movement_map.follow_edit(&grid, cell, (old, new), |_| ());
        }
        assert_eq!(movement_map, MovementMap::new(&grid, movement.clone()), "after edit {step}");
    }
}

#[test]
fn many_edits_at_once_lead_to_the_layer_of_a_fresh_build() {
    let mut grid = Grid::new(70, 3, 2).unwrap();
    let mut movement_map = MovementMap::new(&grid, Movement::new());
    for batch in 0..60_u32 {
        let mut cells = Vec::new();
        for edit in 0..batch % 7 {
            // A class occurs twice in one batch, so it appears with a count of two.
            let number = batch * 7 + edit / 2;
            let cell = Cell::new(((batch * 31 + edit * 5) % 70) as i32, (edit % 3) as i32);
            grid.set_terrain(cell, (number % 11) as u8).unwrap();
            cells.push(cell);
        }
        let cells = EditedAreas::of(cells.into_iter().filter_map(|cell| grid.bounds().local(cell)));
        movement_map.follow_edits(&grid, &cells, |_| ());
        assert_eq!(movement_map, MovementMap::new(&grid, Movement::new()), "after batch {batch}");
    }
}

#[test]
fn rectangles_lead_to_the_layer_of_a_fresh_build_with_all_that_is_made() {
    let squares = Diagonals::ALL.map(|diagonals| (Topology::Square, diagonals));
    for (topology, diagonals) in squares.into_iter().chain([(Topology::Hexagonal, Diagonals::Always)]) {
        let mut grid = Grid::new(150, 90, 1).unwrap().with_topology(topology);
        let movement = Movement::new().with_diagonals(diagonals);
        let made = |grid: &Grid| {
            let movement_map = MovementMap::new(grid, movement.clone());
            let made = match (topology, diagonals) {
                (Topology::Square, Diagonals::Never) => movement_map.four_way_stops(&grid.bounds()).bytes(),
                (Topology::Square, _) => movement_map.jump_stops(&grid.bounds()).bytes(),
                (Topology::Hexagonal, _) => movement_map.hexagon_stops(&grid.bounds()).bytes(),
            };
            assert!(made >= 150 * 90 / 2);
            movement_map
        };
        let mut movement_map = made(&grid);
        for edit in 0..80_i32 {
            let corner = Cell::new(edit * 37 % 135, edit * 23 % 77);
            let area = Bounds::new(corner, 1 + edit as u32 % 14, 1 + edit as u32 % 12).unwrap();
            let edits = grid.make_edits_of_classes(&[Edit::terrain_in(area, (edit % 3 % 2) as u8)]);
            let cells = edits.iter().filter_map(|edit| grid.bounds().local(edit.cell));
            let edited = EditedAreas::together(cells);
            movement_map.follow_edits(&grid, &edited, |_| ());
            assert_eq!(movement_map, made(&grid), "{topology}, {diagonals}, after rectangle {edit}");
        }
    }
}
