use super::{
    LandmarkCount, Landmarks,
    ground::{Frozen, MapGround},
    making::Sources,
    table::{CELLS, HIGHEST, Kind, Table, UNKNOWN, cells_of, tile_count},
    tables::LandmarkTables,
};
use crate::{
    bounds::Bounds,
    cell::Direction,
    edit::Edit,
    grid::Grid,
    journal::Revision,
    movement::{Diagonals, Movement, StepCosts},
    movement_map::{MovementMap, area::EditedAreas},
    size::Size,
    space::grid::GridNode,
    terrain::CostTable,
    topology::Topology,
};
use proptest::{collection::vec, prelude::*, sample::select};
use std::{collections::BTreeMap, sync::Arc};

/// A map as a list of the multipliers of the cells, and of the steps.
#[derive(Clone)]
struct Model {
    bounds: Bounds,
    multipliers: Vec<u16>,
    steps: Vec<(usize, usize, u32)>,
    goes_both_ways: bool,
}

impl Model {
    fn of(map: MapGround<'_>) -> Self {
        let units = map.units();
        let multipliers: Vec<u16> = (0..map.bounds.cell_count()).map(|slot| map.multiplier(slot)).collect();
        let steps = (0..multipliers.len()).flat_map(|slot| Direction::ALL.map(|direction| (slot, direction)));
        let steps = steps.filter_map(|(from, direction)| {
            let is_allowed = map.movement_map.moves_at(from) >> direction as u8 & 1 == 1;
            let to = map.bounds.slot(map.bounds.cell(from)? + direction.offset())?;
            let is_step = is_allowed && multipliers[from] > 0 && multipliers[to] > 0;
            let unit = units[usize::from(direction.is_diagonal())];
            is_step.then(|| (from, to, u32::from(multipliers[to]) * unit))
        });
        let steps = steps.collect();
        Self { bounds: *map.bounds, multipliers, steps, goes_both_ways: map.goes_both_ways() }
    }

    /// Returns the least cost between a cell and each cell, to it or from it.
    fn costs(&self, cell: usize, to_cell: bool) -> Vec<Option<u32>> {
        let mut costs = vec![None; self.multipliers.len()];
        costs[cell] = Some(0_u32);
        loop {
            let mut is_settled = true;
            for &(from, to, step) in &self.steps {
                let (known, found) = if to_cell { (to, from) } else { (from, to) };
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

    /// Returns the costs of a table: the costs to the first source, then to each cell that is not yet
    /// known, above the highest cost so far where steps lead one way.
    fn table(&self, sources: &Sources, to_landmark: bool) -> Vec<Option<u32>> {
        let slot = |node: &GridNode| (node.y() * self.bounds.width() + node.x()) as usize;
        let mut table: Vec<Option<u32>> = vec![None; self.multipliers.len()];
        for cell in sources.iter().map(slot).chain(0..self.multipliers.len()) {
            if self.multipliers[cell] > 0 && table[cell].is_none() {
                let highest = table.iter().copied().flatten().max().unwrap_or(0);
                let begin = if self.goes_both_ways { 0 } else { highest };
                for (known, cost) in table.iter_mut().zip(self.costs(cell, to_landmark)) {
                    *known = known.or(cost.map(|cost| cost + begin));
                }
            }
        }
        table
    }
}

/// Checks every cost of every table against the map for which it was made.
fn check_tables(tables: &LandmarkTables, models: &BTreeMap<Revision, Model>) {
    for place in 0..tables.places() {
        let table = tables.table(place);
        let model = &models[&table.revision()];
        let costs = model.table(tables.sources(place), table.kind() != Kind::FromLandmark);
        for (slot, cost) in costs.into_iter().enumerate() {
            let node = GridNode::of(&model.bounds, model.bounds.cell(slot).unwrap()).unwrap();
            let known = Some(table.cost_at(table.place(node))).filter(|&cost| cost != UNKNOWN);
            assert_eq!(known, cost, "cell {slot}, table {place}, {:?}", table.kind());
        }
    }
}

/// Checks that each step of the present map is in a patch if it breaks a table.
fn check_patches(tables: &LandmarkTables, map: MapGround<'_>) {
    let lean = super::lean::Lean::of(map);
    for slot in (0..map.bounds.cell_count()).filter(|&slot| map.multiplier(slot) > 0) {
        let from = GridNode::of(map.bounds, map.bounds.cell(slot).unwrap()).unwrap();
        map.for_steps_from(from, |to, step| {
            for place in 0..tables.places() {
                let [here, there] = [from, to].map(|node| tables.leaning_cost(place, node, lean));
                let [high, low] = if place % 2 == 0 { [here, there] } else { [there, here] };
                let holds = here == UNKNOWN || there != UNKNOWN && high <= low.saturating_add(step);
                let is_known = tables.patches.values().any(|patch| {
                    patch.has_step(from, to) && patch.least() <= step && patch.breaks().contains(place)
                });
                assert!(holds || is_known, "{from:?} to {to:?} breaks table {place}");
            }
            let is_known = tables
                .patches
                .values()
                .any(|patch| patch.has_step(from, to) && patch.breaks().contains(super::patch::LABELS));
            let [here, there] = [from, to].map(|node| tables.label(node));
            assert!(here == there || is_known, "{from:?} to {to:?} joins regions");
        });
    }
}

/// Returns the revisions of the tables, and the blocks of the patches.
fn state_of(landmarks: &Landmarks) -> (Vec<Revision>, Vec<u32>) {
    let Some(tables) = landmarks.tables() else { return Default::default() };
    let revisions = (0..tables.places()).map(|place| tables.table(place).revision()).collect();
    (revisions, tables.patches.keys().copied().collect())
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

fn frozen(grid: &Grid, movement_map: &Arc<MovementMap>) -> Frozen {
    Frozen {
        bounds: grid.bounds(),
        classes: grid.shared_classes(),
        movement_map: Arc::clone(movement_map),
        revision: grid.revision(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn tables_hold_the_least_costs_of_their_revision_and_patches_the_rest(
        (width, height) in (3..13_u32, 3..13_u32),
        classes in vec(0..5_u8, 12 * 12),
        (movement, is_hexagonal) in (movement(), any::<bool>()),
        kinds in select(vec![vec![6_u8], vec![0, 1, 2, 6], vec![3, 4, 5, 6], vec![0, 1, 2, 3, 4, 5, 6, 6, 6]]),
        batches in vec(vec((0..9_usize, 0..144_usize, 0..8_u8), 1..8), 0..6),
        slices in vec(0..900_u64, 6),
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
        let mut movement_map = Arc::new(MovementMap::new(&grid, movement.clone()));
        let count = LandmarkCount::Exactly(3);
        let mut landmarks = Landmarks::default();
        let mut models = BTreeMap::new();
        models.insert(grid.revision(), Model::of(frozen(&grid, &movement_map).ground()));
        landmarks.advance(&frozen(&grid, &movement_map), count, u64::MAX);
        if let Some(tables) = landmarks.ready() {
            check_tables(tables, &models);
            prop_assert_eq!(tables.patches.len(), 0);
        }
        for (batch, slice) in batches.zip(slices) {
            let edits: Vec<Edit> = batch.iter().map(|&drawn| edit_of(&grid, drawn)).collect();
            let before = grid.revision();
            grid.edit(&edits).unwrap();
            let cheaper = movement.openings_since(&grid, before);
            let bounds = grid.bounds();
            let cheaper = cheaper.unwrap_or_else(|| bounds.cells().collect());
            let changed: Vec<_> = match grid.changes_since(before) {
                Some(cells) => cells.collect(),
                None => bounds.cells().collect(),
            };
            let edited = EditedAreas::of(changed.into_iter().filter_map(|cell| bounds.local(cell)));
            Arc::make_mut(&mut movement_map).follow_edits(&grid, &edited, |_| ());
            let frozen = frozen(&grid, &movement_map);
            models.insert(grid.revision(), Model::of(frozen.ground()));
            let nodes = cheaper.into_iter().filter_map(|cell| GridNode::of(&bounds, cell));
            landmarks.follow_edits(frozen.ground(), edited.areas(), nodes);
            if let Some(tables) = landmarks.tables() {
                check_patches(tables, frozen.ground());
            }
            // In slices and in one go, clones that share the work come to the same.
            let mut sliced = landmarks.clone();
            let mut left = slice;
            while left > 0 {
                match sliced.advance(&frozen, count, left.min(7)) {
                    0 => break,
                    spent => left -= spent,
                }
            }
            landmarks.advance(&frozen, count, slice);
            prop_assert_eq!(state_of(&sliced), state_of(&landmarks));
            if let Some(tables) = landmarks.tables() {
                check_tables(tables, &models);
                check_patches(tables, frozen.ground());
            }
            if slice % 3 == 0 {
                while landmarks.advance(&frozen, count, u64::MAX) > 0 {}
                if let Some(tables) = landmarks.tables() {
                    check_tables(tables, &models);
                    prop_assert_eq!(tables.patches.len(), 0);
                }
            }
        }
    }

    #[test]
    fn a_tile_holds_any_costs_exactly(
        costs in vec(prop_oneof![2 => 0..90_000_u32, 1 => 0..=HIGHEST, 1 => Just(UNKNOWN)], 20 * 13),
        span in prop_oneof![Just(u32::MAX), Just(65_534), Just(65_535), Just(40)],
    ) {
        let grid = Grid::new(20, 13, 1).unwrap();
        let movement_map = Arc::new(MovementMap::new(&grid, Movement::new()));
        let frozen = frozen(&grid, &movement_map);
        let costs: Vec<u32> = costs.into_iter().map(|cost| if cost == UNKNOWN { cost } else { cost.min(span) }).collect();
        let mut table = Table::new(Kind::Even, &frozen);
        for tile in 0..tile_count(&frozen.bounds) {
            let cells = cells_of(tile, &frozen.bounds);
            let cost = |node: GridNode| costs[(node.y() * 20 + node.x()) as usize];
            table.pack(&std::array::from_fn(|cell| cells[cell].map_or(UNKNOWN, cost)));
        }
        for (slot, &cost) in costs.iter().enumerate() {
            let node = GridNode::new(slot as u32 % 20, slot as u32 / 20);
            prop_assert_eq!(table.cost_at(table.place(node)), cost);
        }
    }
}

#[test]
fn costs_that_span_two_bytes_or_more_take_four() {
    let grid = Grid::new(8, 8, 1).unwrap();
    let movement_map = Arc::new(MovementMap::new(&grid, Movement::new()));
    let frozen = frozen(&grid, &movement_map);
    let made = |first: u32| {
        let mut costs = [UNKNOWN; CELLS];
        (costs[0], costs[62], costs[63]) = (1_000, first, 1_000 + 65_534);
        let mut table = Table::new(Kind::ToLandmark, &frozen);
        table.pack(&costs);
        let found =
            [0, 1, 62, 63].map(|cell: u32| table.cost_at(table.place(GridNode::new(cell % 8, cell / 8))));
        assert_eq!(found, [1_000, UNKNOWN, first, 66_534]);
        table.bytes()
    };
    assert!(made(999) > made(1_001));
}
