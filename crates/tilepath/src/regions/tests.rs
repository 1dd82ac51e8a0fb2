use super::*;
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    edit::Edit,
    grid::Grid,
    movement::{Diagonals, Movement, StepCosts},
    movement_map::{MovementMap, area::EditedAreas},
    size::Size,
    space::{grid::GridNode, octile_distance::Metric},
    topology::Topology,
};
use testkit::{Seed, TileMap};

/// A map, one movement, and regions that follow its edits.
struct Followed {
    grid: Grid,
    movement_map: MovementMap,
    regions: Regions,
}

impl Followed {
    fn new(map: &TileMap, movement: Movement) -> Self {
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let movement_map = MovementMap::new(&grid, movement);
        let regions = fresh(&grid, &movement_map);
        Self { grid, movement_map, regions }
    }

    /// Opens a wall or closes an open cell.
    fn flip(&mut self, slot: usize) {
        let cell = self.grid.bounds().cell(slot).unwrap();
        let old = self.grid.terrain(cell).unwrap();
        self.grid.set_terrain(cell, 1 - old).unwrap();
        self.movement_map.follow_edit(&self.grid, cell, (old, 1 - old), |area| self.regions.mark(area));
    }

    fn component(&self, cell: Cell) -> Option<ComponentId> {
        self.regions.component(self.movement_map.rows(), cell.x as u32, cell.y as u32)
    }

    /// Returns every reachable cell that was not seen before, by a direct use of the movement's
    /// rules.
    fn flood(&self, start: Cell, seen: &mut [bool]) -> Vec<Cell> {
        let bounds = self.grid.bounds();
        let mut reached = vec![start];
        seen[bounds.slot(start).unwrap()] = true;
        let mut expanded = 0;
        while let Some(&cell) = reached.get(expanded) {
            expanded += 1;
            for direction in Direction::ALL {
                if self.movement_map.movement().step_cost(&self.grid, cell, direction).is_some() {
                    let next = cell.neighbour(direction).unwrap();
                    if !std::mem::replace(&mut seen[bounds.slot(next).unwrap()], true) {
                        reached.push(next);
                    }
                }
            }
        }
        reached
    }

    /// Asserts that two cells are in one component exactly if a flood from one reaches the other.
    fn check_components(&self) {
        let bounds = self.grid.bounds();
        let mut seen = vec![false; bounds.cell_count()];
        let mut found = Vec::new();
        for cell in bounds.cells() {
            let id = self.component(cell);
            assert_eq!(id.is_some(), self.grid.terrain(cell) != Some(0), "{cell}");
            if let Some(id) = id
                && !seen[bounds.slot(cell).unwrap()]
            {
                found.push(id.0);
                for other in self.flood(cell, &mut seen) {
                    assert_eq!(self.component(other), Some(id), "{other} can be reached from {cell}");
                }
            }
        }
        let count = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), count, "cells that no path connects are in one component");
    }
}

fn fresh(grid: &Grid, movement_map: &MovementMap) -> Regions {
    Regions::new(&grid.bounds(), movement_map)
}

const SIZES: [(u32, u32); 14] = [
    (1, 1),
    (1, 70),
    (70, 1),
    (5, 3),
    (63, 64),
    (64, 64),
    (65, 64),
    (64, 65),
    (66, 66),
    (100, 100),
    (128, 30),
    (129, 70),
    (40, 193),
    (200, 131),
];

fn maps(width: u32, height: u32) -> impl Iterator<Item = TileMap> {
    let seed = move |kind: &str| Seed::named(&format!("regions {kind} {width} {height}"));
    let cluttered = [10, 33, 45, 60].map(|walls| testkit::cluttered(width, height, walls, &seed("clutter")));
    let chequered = (0..height).flat_map(|y| (0..width).map(move |x| ((x + y) % 2) as u8)).collect();
    let built = [
        testkit::open(width, height),
        testkit::caves(width, height, &seed("caves")),
        TileMap::new("all wall", width, height, vec![0; (width * height) as usize]),
        TileMap::new("chequered", width, height, chequered),
    ];
    cluttered.into_iter().chain(built)
}

#[test]
fn components_are_what_a_flood_reaches() {
    for (width, height) in SIZES {
        for map in maps(width, height) {
            for diagonals in Diagonals::ALL {
                Followed::new(&map, Movement::new().with_diagonals(diagonals)).check_components();
            }
        }
    }
}

#[test]
fn regions_after_any_edits_equal_a_fresh_build() {
    for (width, height) in SIZES {
        for map in maps(width, height) {
            for diagonals in Diagonals::ALL {
                let mut world = Followed::new(&map, Movement::new().with_diagonals(diagonals));
                let mut slot = 7;
                for edit in 0..40_usize {
                    // Makes up to three edits at a time, in turns close together and far apart.
                    slot = (slot * 31 + if edit % 3 == 0 { 977 } else { 1 }) % map.classes.len();
                    world.flip(slot);
                    if edit % 4 != 0 {
                        world.regions.catch_up(world.movement_map.rows());
                        assert_eq!(
                            world.regions,
                            fresh(&world.grid, &world.movement_map),
                            "{} {width} × {height}, {diagonals}, edit {edit}",
                            map.name
                        );
                    }
                }
                world.regions.catch_up(world.movement_map.rows());
                world.check_components();
            }
        }
    }
}

#[test]
fn regions_after_rectangles_equal_a_fresh_build() {
    for map in maps(150, 131) {
        for diagonals in Diagonals::ALL {
            let mut world = Followed::new(&map, Movement::new().with_diagonals(diagonals));
            for edit in 0..100_i32 {
                let corner = Cell::new(edit * 37 % 140, edit * 23 % 120);
                let area = Bounds::new(corner, 1 + edit as u32 % 7, 1 + edit as u32 % 5).unwrap();
                let edits = world.grid.make_edits_of_classes(&[Edit::terrain_in(area, (edit % 3 % 2) as u8)]);
                let Followed { grid, movement_map, regions } = &mut world;
                let cells = edits.iter().filter_map(|edit| grid.bounds().local(edit.cell));
                let edited = EditedAreas::together(cells);
                movement_map.follow_edits(grid, &edited, |area| regions.mark(area));
                regions.catch_up(movement_map.rows());
                assert_eq!(
                    *regions,
                    fresh(grid, movement_map),
                    "{}, {diagonals}, rectangle {edit}",
                    map.name
                );
            }
        }
    }
}

#[test]
fn an_edit_that_connects_nothing_anew_joins_nothing_again() {
    let map = testkit::open(200, 200);
    let mut world = Followed::new(&map, Movement::new());
    let before = world.regions.components.clone();
    world.flip(100 * 200 + 100);
    world.regions.components = Components::default();
    world.regions.catch_up(world.movement_map.rows());
    assert_eq!(world.regions.components, Components::default(), "the wall lies within one region");
    world.flip(100 * 200 + 100);
    world.regions.catch_up(world.movement_map.rows());
    world.regions.components = before;
    assert_eq!(world.regions, fresh(&world.grid, &world.movement_map));
}

/// Returns the closest cells by a test of all cells.
fn closest_by_looking(world: &Followed, components: &[ComponentId], goal: Cell) -> Option<(u64, Vec<Cell>)> {
    let distance =
        |cell| u64::from(world.movement_map.movement().distance(Topology::Square, cell, goal).get());
    let candidates: Vec<Cell> = (world.grid.bounds().cells())
        .filter(|&cell| world.component(cell).is_some_and(|id| components.contains(&id)))
        .collect();
    let smallest = candidates.iter().map(|&cell| distance(cell)).min()?;
    Some((smallest, candidates.into_iter().filter(|&cell| distance(cell) == smallest).collect()))
}

#[test]
fn closest_cells_equal_a_scan_of_all_cells() {
    let steps = [(10, 14), (7, 7), (5, 10), (70, 99)];
    let mut many = 0;
    for (number, (width, height)) in SIZES.into_iter().enumerate() {
        for map in maps(width, height) {
            for (diagonals, (straight, diagonal)) in Diagonals::ALL.into_iter().zip(steps) {
                let movement = Movement::new()
                    .with_diagonals(diagonals)
                    .with_steps(StepCosts::new(straight, diagonal).unwrap());
                let world = Followed::new(&map, movement);
                let metric = Metric::new(world.movement_map.movement(), Topology::Square, 1);
                let cells = map.classes.len();
                for question in 0..20 {
                    let at = |factor: usize| {
                        world.grid.bounds().cell((question * factor + number) % cells).unwrap()
                    };
                    let goal = at(7_919);
                    let components: Vec<_> = [at(104_729), at(1_299_709)]
                        .into_iter()
                        .filter_map(|cell| world.component(cell))
                        .collect();
                    let mut closest = ClosestCells::within(u64::MAX);
                    let node = GridNode::new(goal.x as u32, goal.y as u32);
                    let _work = world.regions.add_closest(
                        world.movement_map.rows(),
                        &components,
                        node,
                        metric,
                        &mut closest,
                    );
                    let Some((distance, expected)) = closest_by_looking(&world, &components, goal) else {
                        assert_eq!(closest.listed(), Some(&[][..]));
                        continue;
                    };
                    assert_eq!(closest.distance(), distance, "{} {width} × {height}, {diagonals}", map.name);
                    let Some(listed) = closest.listed() else {
                        assert!(expected.len() > 8);
                        many += 1;
                        continue;
                    };
                    let mut listed: Vec<_> =
                        listed.iter().map(|node| node.cell(&world.grid.bounds())).collect();
                    listed.sort_by_key(|&cell| world.grid.bounds().slot(cell));
                    assert_eq!(listed, expected, "{} {width} × {height}, {diagonals} to {goal}", map.name);
                }
            }
        }
    }
    assert!(many > 0, "no case had more ties than can be listed");
}

#[test]
fn regions_after_any_resize_equal_a_fresh_build() {
    // The numbers of cells that are added to the west, the south, the east and the north.
    let resizes = [
        [64, 0, 0, 0],
        [0, 0, 37, 0],
        [0, 64, 0, 64],
        [-64, 0, 64, 0],
        [0, -64, -1, 0],
        [128, 64, -70, 13],
        [3, 0, 0, 0],
        [0, -5, 0, 0],
        [0, 0, 1, -1],
        [64, 64, 64, 64],
        [0, 0, -400, 0],
        [0, 0, 90, 0],
        [64, 128, 0, 0],
    ];
    for (number, (width, height)) in SIZES.into_iter().enumerate() {
        for map in maps(width, height) {
            for diagonals in Diagonals::ALL {
                let mut world = Followed::new(&map, Movement::new().with_diagonals(diagonals));
                for step in 0..resizes.len() {
                    let [west, south, east, north] = resizes[(step * 5 + number) % resizes.len()];
                    let before = world.grid.bounds();
                    let grown = |length: u32, by: i32| length.saturating_add_signed(by).min(260);
                    let (width, height) =
                        (grown(before.width(), west + east), grown(before.height(), south + north));
                    let origin = before.origin() - (west, south);
                    let after = Bounds::new(origin, width, height).unwrap();
                    world.grid.resize(after, (step % 2) as u8);
                    world.movement_map = MovementMap::new(&world.grid, world.movement_map.movement().clone());
                    let resized = world.regions.clone().resized(&before, &after, Size::ONE);
                    assert_eq!(resized.is_some(), west % 64 == 0 && south % 64 == 0);
                    world.regions = resized.unwrap_or_else(|| fresh(&world.grid, &world.movement_map));
                    if step % 3 == 0 && !after.is_empty() {
                        world.flip(step * 977 % after.cell_count());
                    }
                    if step % 4 != 1 {
                        world.regions.catch_up(world.movement_map.rows());
                        assert_eq!(
                            world.regions,
                            fresh(&world.grid, &world.movement_map),
                            "{} {width} × {height}, {diagonals}, step {step}",
                            map.name
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn chunks_that_stay_as_they_are_are_not_labelled_again() {
    let mut world = Followed::new(&testkit::open(256, 256), Movement::new());
    let before = world.grid.bounds();
    let after = Bounds::new(Cell::new(-64, 0), 320, 256).unwrap();
    world.grid.resize(after, 1);
    world.movement_map = MovementMap::new(&world.grid, Movement::new());
    world.regions = world.regions.resized(&before, &after, Size::ONE).unwrap();
    assert_eq!(world.regions.edited.len(), 8, "the new column and the column beside it");
    world.regions.catch_up(world.movement_map.rows());
    assert_eq!(world.regions, fresh(&world.grid, &world.movement_map));
}
