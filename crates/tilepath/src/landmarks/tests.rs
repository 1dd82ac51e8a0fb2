use super::{
    LandmarkCount, Landmarks,
    ground::MapGround,
    tiles::{Directions, LandmarkTables, UNREACHED},
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    edit::Edit,
    grid::Grid,
    movement::{Diagonals, Movement, StepCosts},
    movement_map::{MovementMap, area::EditedAreas},
    size::Size,
    space::grid::GridNode,
    terrain::CostTable,
    topology::Topology,
};
use proptest::{collection::vec, prelude::*, sample::select};
use std::collections::BTreeSet;

/// The floor as a list: the lowest multiplier of each cell, and all steps that it has allowed.
#[derive(Clone, PartialEq, Eq)]
struct Model {
    multipliers: Vec<u16>,
    steps: BTreeSet<(usize, Direction)>,
}

impl Model {
    fn of(map: MapGround<'_>) -> Self {
        let slots = 0..map.bounds.cell_count();
        let steps = slots.clone().flat_map(|slot| Direction::ALL.map(|direction| (slot, direction)));
        let is_allowed = |&(slot, direction): &(usize, Direction)| {
            map.movement_map.moves_at(slot) >> direction as u8 & 1 == 1
        };
        Self {
            multipliers: slots.map(|slot| map.multiplier(slot)).collect(),
            steps: steps.filter(is_allowed).collect(),
        }
    }

    /// Returns the floor after it sank to a map. If steps go both ways, so do the new ones.
    fn sunk_to(&self, map: MapGround<'_>, goes_both_ways: bool) -> Self {
        let other = Self::of(map);
        let cheaper = |(one, other): (&u16, &u16)| match (*one, *other) {
            (0, other) => other,
            (one, 0) => one,
            (one, other) => one.min(other),
        };
        let mut sunk = Self {
            multipliers: self.multipliers.iter().zip(&other.multipliers).map(cheaper).collect(),
            steps: self.steps.union(&other.steps).copied().collect(),
        };
        if goes_both_ways {
            let open = |&(slot, _): &(usize, Direction)| sunk.multipliers[slot] > 0;
            let steps: Vec<_> = sunk.steps.iter().copied().filter(open).collect();
            let back =
                |(slot, direction)| (ahead(map.bounds, slot, direction), Direction::opposite(direction));
            sunk.steps.extend(steps.into_iter().map(back));
        }
        sunk
    }

    /// Returns the least cost between a set of cells and each cell, to the set or from it.
    fn costs(&self, map: MapGround<'_>, set: &[usize], to_set: bool) -> Vec<Option<u32>> {
        let units = map.movement_map.movement().unit_costs(map.movement_map.topology());
        let mut costs = vec![None; self.multipliers.len()];
        for &cell in set {
            costs[cell] = Some(0_u32);
        }
        loop {
            let mut is_settled = true;
            for &(from, direction) in &self.steps {
                let to = ahead(map.bounds, from, direction);
                if self.multipliers[from] == 0 || self.multipliers[to] == 0 {
                    continue;
                }
                let step = u32::from(self.multipliers[to]) * units[usize::from(direction.is_diagonal())];
                let (known, found) = if to_set { (to, from) } else { (from, to) };
                if let Some(cost) = costs[known].map(|cost| cost + step)
                    && costs[found].is_none_or(|known| cost < known)
                {
                    costs[found] = Some(cost);
                    is_settled = false;
                }
            }
            if is_settled {
                return costs;
            }
        }
    }
}

fn ahead(bounds: &Bounds, slot: usize, direction: Direction) -> usize {
    bounds.slot(bounds.cell(slot).unwrap() + direction.offset()).unwrap()
}

/// Returns the cells of a landmark: those that cost nothing.
fn set_of(tables: &LandmarkTables, map: MapGround<'_>, landmark: usize) -> Vec<usize> {
    let [table, _] = tables.of_landmark(landmark);
    let cost =
        |slot: usize| tables.cost(table, GridNode::of(map.bounds, map.bounds.cell(slot).unwrap()).unwrap());
    (0..map.bounds.cell_count()).filter(|&slot| cost(slot) == Some(0)).collect()
}

/// Checks the cells of new landmarks, if all steps go both ways: in each region, one cell of each
/// landmark, as long as the region has cells that are not landmarks already.
fn check_sets(tables: &LandmarkTables, map: MapGround<'_>, floor: &Model) {
    let mut used = BTreeSet::new();
    for landmark in 0..tables.landmarks().len() {
        let set = set_of(tables, map, landmark);
        let mut free: BTreeSet<usize> =
            (0..floor.multipliers.len()).filter(|&slot| floor.multipliers[slot] > 0).collect();
        for &cell in &set {
            let costs = floor.costs(map, &[cell], true);
            free.retain(|&slot| costs[slot].is_none());
            let others = set.iter().filter(|&&other| other != cell && costs[other].is_some());
            assert_eq!(others.count(), 0, "landmark {landmark} has one cell of each region");
            assert!(used.insert(cell), "{cell} is a cell of two landmarks");
        }
        assert!(free.is_subset(&used), "landmark {landmark} has a cell of each region with free cells");
    }
}

/// Checks every cost of every table against the costs on the floor.
fn check_tables(tables: &LandmarkTables, map: MapGround<'_>, floor: &Model) {
    for (landmark, &cell) in tables.landmarks().iter().enumerate() {
        let set = set_of(tables, map, landmark);
        assert!(set.contains(&map.bounds.slot(cell).unwrap()), "{cell} is a cell of its landmark");
        let costs = [true, false].map(|to_set| floor.costs(map, &set, to_set));
        let halves = if tables.directions() == Directions::OneLength { 1 } else { 2 };
        for (table, costs) in tables.of_landmark(landmark).into_iter().zip(&costs).take(halves) {
            for slot in (0..costs.len()).filter(|&slot| floor.multipliers[slot] > 0) {
                let at = map.bounds.cell(slot).unwrap();
                let node = GridNode::of(map.bounds, at).unwrap();
                assert_eq!(tables.cost(table, node), costs[slot], "{at} and {cell}, table {table}");
            }
        }
    }
}

/// Makes an edit of any kind from numbers.
fn edit_of(grid: &Grid, (kind, slot, number): (u8, usize, u8)) -> Edit {
    let cell = grid.bounds().cell(slot % grid.bounds().cell_count()).unwrap();
    let directions = grid.topology().directions();
    let ahead = cell + directions[usize::from(number) % directions.len()].offset();
    match kind {
        0 => Edit::void(cell),
        1 | 2 => Edit::overlay("danger", cell, if number > 5 { Grid::CLOSING } else { number.into() }),
        3 if grid.bounds().contains(ahead) => Edit::one_way(cell, ahead),
        4 if grid.bounds().contains(ahead) => Edit::fence(cell, ahead),
        5 if grid.bounds().contains(ahead) => Edit::open_edge(cell, ahead),
        _ => Edit::terrain(cell, number % 5),
    }
}

fn movement() -> impl Strategy<Value = Movement> {
    let steps = select(vec![(10, 14), (1, 1), (60_000, 65_535)]);
    let rules = (select(Diagonals::ALL.to_vec()), steps, 1..4_u8, any::<[bool; 2]>());
    rules.prop_map(|(diagonals, (straight, diagonal), side, [has_overlay, opens_void])| {
        let costs = CostTable::identity().with(0, if opens_void { 2 } else { 0 });
        let steps = StepCosts::new(straight, diagonal).unwrap();
        let movement = Movement::new().with_diagonals(diagonals).with_steps(steps).with_costs(costs);
        let movement = movement.with_size(Size::new(side).unwrap());
        if has_overlay { movement.with_overlay("danger") } else { movement }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn tables_hold_the_least_costs_on_the_floor(
        (width, height) in (3..13_u32, 3..13_u32),
        classes in vec(0..5_u8, 12 * 12),
        (movement, is_hexagonal) in (movement(), any::<bool>()),
        kinds in select(vec![vec![6_u8], vec![0, 1, 2, 6], vec![3, 4, 5, 6], vec![0, 1, 2, 3, 4, 5, 6, 6, 6]]),
        batches in vec(vec((0..9_usize, 0..144_usize, 0..8_u8), 1..8), 0..6),
    ) {
        let movement = if is_hexagonal { movement.with_size(Size::ONE) } else { movement };
        let topology = if is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        let classes = classes[..(width * height) as usize].to_vec();
        let mut grid = Grid::from_classes(width, height, classes).unwrap().with_topology(topology);
        let mut batches = batches.into_iter().map(|batch: Vec<(usize, usize, u8)>| {
            batch.into_iter().map(|(kind, slot, number)| (kinds[kind % kinds.len()], slot, number)).collect::<Vec<_>>()
        });
        for drawn in batches.next().unwrap_or_default() {
            grid.edit(&[edit_of(&grid, drawn)]).unwrap();
        }
        let mut movement_map = MovementMap::new(&grid, movement);
        let bounds = grid.bounds();
        let count = LandmarkCount::Exactly(3);
        let mut landmarks = Landmarks::default();
        let map = MapGround { bounds: &bounds, classes: grid.classes(), movement_map: &movement_map };
        landmarks.advance(map, count, u64::MAX);
        let Some(tables) = landmarks.ready() else { return Ok(()) };
        let (mut floor, mut directions) = (Model::of(map), tables.directions());
        let mut goes_both_ways = !grid.has_exits();
        check_tables(tables, map, &floor);
        if goes_both_ways {
            check_sets(tables, map, &floor);
        }
        for batch in batches {
            let edits: Vec<Edit> = batch.iter().map(|&drawn| edit_of(&grid, drawn)).collect();
            let before = grid.revision();
            grid.edit(&edits).unwrap();
            let changed: Vec<Cell> = match grid.changes_since(before) {
                Some(cells) => cells.collect(),
                None => bounds.cells().collect(),
            };
            let edited = EditedAreas::of(changed.into_iter().filter_map(|cell| bounds.local(cell)));
            movement_map.follow_edits(&grid, &edited, |_| ());
            let map = MapGround { bounds: &bounds, classes: grid.classes(), movement_map: &movement_map };
            landmarks.follow_edits(map, edited.areas());
            let sunk = floor.sunk_to(map, goes_both_ways);
            prop_assert_eq!(landmarks.ready().is_none(), sunk != floor);
            while landmarks.advance(map, count, 7) > 0 {}
            let Some(tables) = landmarks.ready() else { return Ok(()) };
            if tables.directions() == directions {
                floor = sunk;
            } else {
                // Ground of one cost became uneven, so the tables were made again.
                floor = Model::of(map);
                goes_both_ways = !grid.has_exits();
                directions = tables.directions();
            }
            check_tables(tables, map, &floor);
        }
    }

    #[test]
    fn a_tile_holds_any_costs_exactly(
        changes in vec((0..20_u32, 0..13_u32, 0..3_usize, prop_oneof![0..90_000_u32, 0..super::tiles::HIGHEST]), 1..200),
        [west, south] in [-20..20_i32, -20..20_i32],
    ) {
        let bounds = Bounds::new(Cell::new(0, 0), 20, 13).unwrap();
        let mut tables = LandmarkTables::new(&bounds, Directions::OneLength, false);
        tables.make_room(3);
        (0..3).for_each(|x| tables.add(Cell::new(x, 0)));
        let mut known = vec![[None; 3]; 20 * 13];
        for (x, y, table, cost) in changes {
            tables.set(table, GridNode::new(x, y), cost);
            known[(y * 20 + x) as usize][table] = Some(cost);
        }
        let check = |tables: &LandmarkTables, bounds: &Bounds| {
            for cell in bounds.cells() {
                let node = GridNode::of(bounds, cell).unwrap();
                let known = Bounds::new(Cell::new(0, 0), 20, 13).unwrap().slot(cell).map(|slot| known[slot]);
                let costs: Vec<Option<u32>> = (0..3).map(|table| tables.cost(table, node)).collect();
                assert_eq!(costs, known.unwrap_or_default(), "{cell}");
                for (table, cost) in costs.into_iter().enumerate().filter(|(_, cost)| cost.is_some()) {
                    assert_eq!(Some(tables.cost_at(tables.place(node), table)), cost);
                }
            }
        };
        check(&tables, &bounds);
        // Grown or shrunk, cells keep their costs. What was cut off does not come back.
        let moved = Bounds::new(Cell::new(west.min(0), south.min(0)), 45, 40).unwrap();
        check(&tables.resized(&bounds, &moved), &moved);
        let cut = Bounds::new(Cell::new(west.clamp(0, 9), south.clamp(0, 9)), 9, 4).unwrap();
        let back = tables.resized(&bounds, &cut).resized(&cut, &bounds);
        for cell in bounds.cells() {
            let node = GridNode::of(&bounds, cell).unwrap();
            let kept = known[bounds.slot(cell).unwrap()].map(|cost| cost.filter(|_| cut.contains(cell)));
            assert_eq!([0, 1, 2].map(|table| back.cost(table, node)), kept, "{cell}");
        }
    }
}

#[test]
fn costs_that_span_two_bytes_or_more_take_four() {
    let bounds = Bounds::new(Cell::new(0, 0), 8, 8).unwrap();
    let mut tables = LandmarkTables::new(&bounds, Directions::OneLength, false);
    tables.make_room(1);
    tables.add(Cell::new(0, 0));
    let mut costs = [UNREACHED; 64];
    (costs[0], costs[63]) = (1_000, 1_000 + 65_534);
    tables.pack(0, 0, &costs);
    let narrow = tables.bytes();
    costs[62] = 999;
    tables.pack(0, 0, &costs);
    assert!(tables.bytes() > narrow);
    let found = [0, 1, 62, 63].map(|cell: u32| tables.cost(0, GridNode::new(cell % 8, cell / 8)));
    assert_eq!(found, [Some(1_000), None, Some(999), Some(66_534)]);
}
