//! Near fields, which cover only the corridors of their units.
//!
//! The paths are legal, found exactly if a path exists, and cheapest within their chunks. Costs are
//! correct, and other queries change no answer.

mod slices;

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet},
};

use proptest::collection::vec;
use proptest::prelude::*;
use testkit::{DIRECTIONS, DiagonalRule, Oracle, Rules, Seed, TileMap};
use tilepath::{
    Algorithm, Bounds, Cell, Cost, CostTable, Diagonals, Grid, Movement, MovementId, PathFinder, PathQuery,
    QueryError, Size, StepCosts, field::NearField,
};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};

/// A map for a unit that goes to a goal, with the oracle.
struct View<'a> {
    finder: &'a PathFinder,
    movement: &'a Movement,
    oracle: &'a Oracle,
    goal: (i32, i32),
}

impl View<'_> {
    fn cell(&self, (x, y): (i32, i32)) -> Cell {
        self.finder.grid().bounds().origin() + (x, y)
    }

    fn position(&self, cell: Cell) -> (i32, i32) {
        let origin = self.finder.grid().bounds().origin();
        (cell.x - origin.x, cell.y - origin.y)
    }

    fn slot(&self, (x, y): (i32, i32)) -> usize {
        y as usize * self.finder.grid().width() as usize + x as usize
    }

    /// Joins the field at a cell, and compares the cost with a search of all cells. Returns the
    /// cost.
    fn join(&self, field: &mut NearField, start: (i32, i32)) -> Option<Cost> {
        let cell = self.cell(start);
        let cheapest = self.oracle.costs_from(start)[self.slot(self.goal)];
        let cost = match field.join(self.finder, cell) {
            Err(QueryError::ClosedStart { .. }) => {
                assert!(!self.oracle.is_open(start) && start != self.goal);
                return None;
            }
            answer => answer.unwrap(),
        };
        assert_eq!(field.revision(), self.finder.grid().revision());
        assert_eq!(
            cost.is_some(),
            cheapest.is_some(),
            "{cost:?} where the oracle says {cheapest:?} from {start:?}"
        );
        let (cost, cheapest) = (cost?, cheapest?);
        assert_eq!(field.cost(cell), Some(cost));
        let path = field.path_from(cell).unwrap();
        assert_eq!((path.start(), path.goal(), path.cost()), (cell, self.cell(self.goal), cost));
        assert_eq!(path.verify(self.finder.grid(), self.movement), Ok(()), "{path:?}");
        let walked: Vec<_> = path.cells().iter().map(|&cell| self.position(cell)).collect();
        let (stated, bound) = (u64::from(cost.get()), u64::from(path.lower_bound().get()));
        assert_eq!(self.oracle.walk_cost(&walked), Some(stated), "{path:?}");
        assert!(bound <= cheapest && cheapest <= stated, "{bound} <= {cheapest} <= {stated}");
        assert_eq!(field.direction(cell).is_none(), start == self.goal);
        Some(cost)
    }

    /// Checks that the costs of all open cells in the field are the cheapest ones within its
    /// chunks.
    fn check_chunks(&self, field: &NearField) {
        let room: HashSet<(i32, i32)> = field
            .corridor()
            .flat_map(|chunk| chunk.cells().collect::<Vec<_>>())
            .map(|cell| self.position(cell))
            .collect();
        let mut costs = vec![None; self.finder.grid().classes().len()];
        let mut open = BinaryHeap::new();
        if self.oracle.is_open(self.goal) {
            open.push((Reverse(0_u64), self.goal));
        }
        while let Some((Reverse(cost), here)) = open.pop() {
            if costs[self.slot(here)].is_some_and(|known| known <= cost) {
                continue;
            }
            costs[self.slot(here)] = Some(cost);
            for (dx, dy) in DIRECTIONS {
                let from = (here.0 + dx, here.1 + dy);
                if !room.contains(&from) || !self.oracle.is_open(from) || costs[self.slot(from)].is_some() {
                    continue;
                }
                if let Some(step) = self.oracle.step_cost(from, here) {
                    open.push((Reverse(cost + step), from));
                }
            }
        }
        for &position in
            room.iter().filter(|&&position| position != self.goal && self.oracle.is_open(position))
        {
            if let Some(cost) = field.cost(self.cell(position)) {
                assert_eq!(Some(u64::from(cost.get())), costs[self.slot(position)], "{position:?}");
            }
        }
    }
}

fn same(one: &NearField, other: &NearField) {
    let chunks = [one, other].map(|field| field.corridor().collect::<Vec<_>>());
    assert_eq!(chunks[0], chunks[1]);
    for cell in chunks[0].iter().flat_map(Bounds::cells) {
        assert_eq!(one.cost(cell), other.cost(cell), "{cell}");
    }
}

/// Runs the queries of all units of a world, each for its own goal, before and between edits.
fn live(mut world: PlaneWorld) {
    let mut finder = world.finder();
    let goals: Vec<_> = (0..world.units.len()).map(|unit| world.place(4, unit)).collect();
    let mut fields: Vec<_> = (0..world.units.len())
        .map(|unit| {
            let id = finder.movement_id(&world.movement(unit)).unwrap();
            finder.near_field(world.cell(goals[unit]), id).ok()
        })
        .collect();
    let mut batches = std::mem::take(&mut world.batches).into_iter();
    loop {
        for (unit, slot) in fields.iter_mut().enumerate() {
            let Some(field) = slot else { continue };
            let (movement, oracle, goal) = (world.movement(unit), world.oracle(unit), goals[unit]);
            let view = View { finder: &finder, movement: &movement, oracle: &oracle, goal };
            if world.land.void[world.land.map.slot(goal)] {
                let lost = field.join(&finder, world.cell(world.place(0, unit)));
                assert!(matches!(lost, Err(QueryError::GoalOutOfBounds { .. })));
                *slot = None;
                continue;
            }
            for start in [0, 1, 2, 3, 4].map(|number| world.place(number, unit)) {
                if oracle.fits(start) && oracle.fits(goal) {
                    view.join(field, start);
                }
            }
            view.check_chunks(field);
        }
        let Some(batch) = batches.next() else { return };
        for edit in batch.chunks(1) {
            world.edit(&mut finder, edit);
        }
    }
}

const WIDE: i32 = 176;
const HIGH: i32 = 130;

/// Hills with walls, larger than a corridor; the units that join, and the edits between them.
#[derive(Clone, Debug)]
struct Hills {
    classes: Vec<u8>,
    rule: usize,
    goal: (i32, i32),
    rounds: Vec<Round>,
}

#[derive(Clone, Debug)]
struct Round {
    joining: Vec<(i32, i32)>,
    edits: Vec<((i32, i32), (u32, u32), u8)>,
}

fn hills() -> impl Strategy<Value = Hills> {
    let cell = || (0..WIDE, 0..HIGH);
    let size = || prop_oneof![(1_u32..4, 1_u32..4), Just((1, 70)), Just((90, 1)), Just((16, 16))];
    let round = (vec(cell(), 1..4), vec((cell(), size(), 0_u8..5), 0..4));
    let round = round.prop_map(|(joining, edits)| Round { joining, edits });
    (vec(prop_oneof![1 => Just(0_u8), 5 => 1_u8..9], 900), 0..4_usize, cell(), vec(round, 1..5)).prop_map(
        |(ground, rule, goal, rounds)| {
            let width = WIDE as usize;
            let class = |slot: usize| ground[(slot % width / 5 + slot / width / 4 * 36) % ground.len()];
            let classes = (0..width * HIGH as usize).map(class).collect();
            Hills { classes, rule, goal, rounds }
        },
    )
}

impl Hills {
    /// Returns the movement of a unit, and its rule for the oracle.
    fn rules(&self) -> (Movement, DiagonalRule) {
        let rules = [
            DiagonalRule::Never,
            DiagonalRule::OnlyWhenNoObstacles,
            DiagonalRule::IfAtMostOneObstacle,
            DiagonalRule::Always,
        ];
        (Movement::new().with_diagonals(Diagonals::ALL[self.rule]), rules[self.rule])
    }
}

fn journey(hills: &Hills) {
    let (movement, rule) = hills.rules();
    let grid = Grid::from_classes(WIDE as u32, HIGH as u32, hills.classes.clone()).unwrap();
    let mut finder = PathFinder::new(grid.clone(), movement.clone());
    let mut other = PathFinder::new(grid, movement.clone());
    let mut field = finder.near_field(hills.goal.into(), MovementId::FIRST).unwrap();
    let mut again = other.near_field(hills.goal.into(), MovementId::FIRST).unwrap();
    for Round { joining, edits } in &hills.rounds {
        let map = TileMap::new("hills", WIDE as u32, HIGH as u32, finder.grid().classes().to_vec());
        let oracle = Oracle::new(&map, &Rules::classic(rule));
        let view = View { finder: &finder, movement: &movement, oracle: &oracle, goal: hills.goal };
        for &start in joining {
            let asked = PathQuery::new(Cell::from(hills.goal), start.into()).with_algorithm(Algorithm::Near);
            other.solve(&asked).unwrap();
            let cost = view.join(&mut field, start);
            assert_eq!(again.join(&other, start.into()).unwrap(), cost);
            assert_eq!(field.join(&finder, start.into()).unwrap(), cost, "asked again");
        }
        view.check_chunks(&field);
        same(&field, &again);
        for &((x, y), (width, height), class) in edits {
            let (width, height) = (width.min((WIDE - x) as u32), height.min((HIGH - y) as u32));
            let area = Bounds::new(Cell::new(x, y), width, height).unwrap();
            finder.set_terrain_in(area, class).unwrap();
            other.set_terrain_in(area, class).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn on_random_worlds(world in plane_world(Features::ALL, 40)) {
        live(world);
    }

    #[test]
    fn on_squares(world in plane_world(Features::default(), 40)) {
        live(world);
    }

    #[test]
    fn on_hexagons(world in plane_world(Features { hexagons: true, ..Features::default() }, 40)) {
        live(world);
    }

    #[test]
    fn on_maps_that_are_edited_while_others_join(hills in hills()) {
        journey(&hills);
    }
}

fn large(kind: fn(u32, u32, u8, u32, &Seed) -> TileMap) -> PathFinder {
    let map = kind(500, 400, 9, 10, &Seed::named("near field"));
    PathFinder::new(Grid::from_classes(map.width, map.height, map.classes).unwrap(), Movement::new())
}

/// Returns two cells near two places, if a path connects them.
fn ends(finder: &PathFinder, from: (i32, i32), to: (i32, i32)) -> (Cell, Cell) {
    let open_near = |place: (i32, i32)| {
        let cells = (0..12).flat_map(move |dy| (0..12).map(move |dx| Cell::from(place) + (dx, dy)));
        cells.filter(|&cell| finder.grid().terrain(cell).is_some_and(|class| class > 0))
    };
    let pairs = open_near(to).flat_map(|goal| open_near(from).map(move |start| (start, goal)));
    let mut pairs = pairs.filter(|&(start, goal)| finder.is_reachable(&PathQuery::new(start, goal)).unwrap());
    pairs.next().unwrap()
}

#[test]
fn the_first_to_join_pays_no_more_than_a_near_path() {
    for kind in [testkit::terrain, testkit::noise] {
        let finder = large(kind);
        for (from, goal) in [((5, 5), (470, 370)), ((460, 10), (20, 350)), ((10, 200), (470, 190))] {
            let (start, goal) = ends(&finder, from, goal);
            let mut field = finder.near_field(goal, MovementId::FIRST).unwrap();
            let cost = field.join(&finder, start).unwrap().unwrap();
            let near = PathQuery::new(start, goal).with_algorithm(Algorithm::Near);
            let path = finder.solve(&near).unwrap().outcome.into_path().unwrap();
            assert!(cost <= path.cost(), "{cost:?} and {:?} from {start} to {goal}", path.cost());
        }
    }
}

#[test]
fn first_to_join_close_to_the_goal_pays_no_more_than_a_near_path() {
    for number in 0..12 {
        let seed = Seed::named(&format!("first to join close by {number}"));
        let map = testkit::noise(48, 48, 9, 30, &seed);
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let finder = PathFinder::new(grid, Movement::new());
        for ((x, y), goal) in map.queries(100, &seed) {
            let goal = Cell::from(goal);
            let start = Cell::new(goal.x + (x - goal.x).clamp(-16, 16), goal.y + (y - goal.y).clamp(-16, 16));
            let near = PathQuery::new(start, goal).with_algorithm(Algorithm::Near);
            let Some(path) = finder.solve(&near).unwrap().outcome.into_path() else { continue };
            let mut field = finder.near_field(goal, MovementId::FIRST).unwrap();
            let cost = field.join(&finder, start).unwrap().unwrap();
            assert!(cost <= path.cost(), "{cost:?} and {:?} from {start} to {goal}", path.cost());
        }
    }
}

#[test]
fn first_to_join_on_even_ground_pays_no_more_than_a_near_path() {
    let seed = Seed::named("first to join on even ground");
    let map = testkit::cluttered(300, 200, 35, &seed);
    let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    for (start, goal) in map.queries(60, &seed) {
        let near = PathQuery::new(start.into(), goal.into()).with_algorithm(Algorithm::Near);
        let Some(path) = finder.solve(&near).unwrap().outcome.into_path() else { continue };
        let mut field = finder.near_field(goal.into(), MovementId::FIRST).unwrap();
        let cost = field.join(&finder, start.into()).unwrap().unwrap();
        assert!(cost <= path.cost(), "{cost:?} and {:?} from {start:?} to {goal:?}", path.cost());
    }
}

#[test]
fn a_squad_shares_one_corridor() {
    let finder = large(testkit::noise);
    let (first, goal) = ends(&finder, (30, 30), (470, 370));
    let mut field = finder.near_field(goal, MovementId::FIRST).unwrap();
    field.join(&finder, first).unwrap().unwrap();
    let (chunks, work) = (field.corridor().count(), field.statistics().expanded);
    assert!(chunks * 2 < 32 * 25, "{chunks}");
    let squad = (0..40).map(|step| first + (step % 8, step / 8));
    let answered = squad.filter(|&cell| field.join(&finder, cell).unwrap().is_some()).count();
    assert!(answered > 20 && field.corridor().count() == chunks, "{answered}");
    assert!(field.statistics().expanded < work * 11 / 10);
    let work = field.statistics().expanded;
    // Units on cells that the field has already passed read their answers.
    let passed = field.path_from(first).unwrap();
    for &cell in passed.cells().iter().step_by(9) {
        assert_eq!(field.join(&finder, cell).unwrap(), field.cost(cell));
    }
    assert_eq!((field.corridor().count(), field.statistics().expanded), (chunks, work));
}

#[test]
fn costs_that_are_known_only_fall_while_others_join() {
    let finder = large(testkit::noise);
    let (_, goal) = ends(&finder, (5, 5), (250, 200));
    let mut field = finder.near_field(goal, MovementId::FIRST).unwrap();
    let places = [(5, 5), (470, 5), (5, 370), (470, 370), (250, 5), (120, 120)];
    let mut known = Vec::<(Cell, Cost)>::new();
    for place in places {
        let (cell, _) = ends(&finder, place, (goal.x, goal.y));
        let cost = field.join(&finder, cell).unwrap().unwrap();
        for (cell, before) in &mut known {
            let now = field.cost(*cell).unwrap();
            assert!(now <= *before);
            *before = now;
        }
        known.push((cell, cost));
    }
}

#[test]
fn a_wall_across_the_corridor_is_gone_round() {
    let mut finder = large(testkit::noise);
    let (start, goal) = ends(&finder, (10, 200), (470, 200));
    let mut field = finder.near_field(goal, MovementId::FIRST).unwrap();
    let before = (field.join(&finder, start).unwrap().unwrap(), field.corridor().count());
    finder.set_terrain_in(Bounds::new(Cell::new(240, 10), 1, 390).unwrap(), 0).unwrap();
    let after = field.join(&finder, start).unwrap().unwrap();
    assert!(after > before.0 && field.corridor().count() > before.1);
    finder.set_terrain_in(Bounds::new(Cell::new(240, 0), 1, 10).unwrap(), 0).unwrap();
    assert_eq!(field.join(&finder, start), Ok(None));
    assert_eq!((field.cost(start), field.path_from(start), field.direction(start)), (None, None, None));
    finder.set_terrain_in(Bounds::new(Cell::new(240, 0), 1, 400).unwrap(), 1).unwrap();
    assert!(field.join(&finder, start).unwrap().unwrap() <= before.0);
}

#[test]
fn a_map_that_grows_is_followed() {
    let mut finder = large(testkit::terrain);
    let (start, goal) = ends(&finder, (5, 5), (470, 370));
    let mut field = finder.near_field(goal, MovementId::FIRST).unwrap();
    let cost = field.join(&finder, start).unwrap();
    assert!(finder.resize(Bounds::new(Cell::new(-7, 0), 520, 401).unwrap(), 0));
    assert_eq!(field.join(&finder, start).unwrap().is_some(), cost.is_some());
    assert_eq!((field.goal(), field.revision()), (goal, finder.grid().revision()));
    let mut fresh = finder.near_field(goal, MovementId::FIRST).unwrap();
    fresh.join(&finder, start).unwrap();
    same(&field, &fresh);
    assert!(finder.resize(Bounds::new(Cell::new(0, 0), 100, 100).unwrap(), 0));
    assert!(matches!(field.join(&finder, start), Err(QueryError::GoalOutOfBounds { .. })));
}

#[test]
fn maps_of_one_row_and_of_one_cell() {
    let mut grid = Grid::new(300, 1, 1).unwrap();
    grid.set_terrain(Cell::new(100, 0), 3).unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let mut field = finder.near_field(Cell::new(299, 0), MovementId::FIRST).unwrap();
    assert_eq!(field.join(&finder, Cell::new(0, 0)), Ok(Some(Cost::new(298 * 10 + 30))));
    assert_eq!(field.join(&finder, Cell::new(299, 0)), Ok(Some(Cost::ZERO)));
    assert_eq!(field.path_from(Cell::new(299, 0)).unwrap().steps(), 0);
    let finder = PathFinder::new(Grid::new(1, 1, 1).unwrap(), Movement::new());
    let mut field = finder.near_field(Cell::new(0, 0), MovementId::FIRST).unwrap();
    assert_eq!(field.join(&finder, Cell::new(0, 0)), Ok(Some(Cost::ZERO)));
    assert_eq!(
        field.join(&finder, Cell::new(1, 0)).unwrap_err().to_string(),
        "the start (1, 0) is not on the map of 1 × 1 cells from (0, 0)"
    );
}

#[test]
fn what_cannot_be_asked_is_said() {
    let mut finder = PathFinder::new(Grid::new(60, 60, 1).unwrap(), Movement::new());
    let bounds = finder.grid().bounds();
    let off = Cell::new(60, 0);
    assert_eq!(
        finder.near_field(off, MovementId::FIRST).unwrap_err(),
        QueryError::GoalOutOfBounds { cell: off, bounds }
    );
    let cart = finder.add_movement(Movement::new().with_size(Size::new(2).unwrap()));
    let corner = Cell::new(59, 59);
    assert_eq!(
        finder.near_field(corner, cart).unwrap_err(),
        QueryError::FootprintOutOfBounds { cell: corner, side: 2, bounds }
    );
    let mut field = finder.near_field(Cell::new(50, 50), cart).unwrap();
    assert_eq!(
        field.join(&finder, corner),
        Err(QueryError::FootprintOutOfBounds { cell: corner, side: 2, bounds })
    );
    finder.set_terrain(Cell::new(5, 5), 0).unwrap();
    let closed = QueryError::ClosedStart { cell: Cell::new(4, 4), side: 2 };
    assert_eq!(field.join(&finder, Cell::new(4, 4)), Err(closed));
    assert!(closed.to_string().contains("2 × 2") && closed.to_string().contains("search for its path alone"));
    assert!(field.join(&finder, Cell::new(6, 6)).unwrap().is_some());
    finder.remove_movement(cart).unwrap();
    assert_eq!(field.join(&finder, Cell::new(6, 6)), Err(QueryError::UnknownMovement(cart)));
}

#[test]
fn costs_that_cannot_be_told_are_an_error() {
    let mut grid = Grid::new(70, 1, 1).unwrap();
    grid.set_terrain(Cell::new(30, 0), 2).unwrap();
    let costs = CostTable::impassable().with(1, 65_535).with(2, 65_000);
    let steps = StepCosts::new(60_000, 60_000).unwrap();
    let finder = PathFinder::new(grid, Movement::new().with_costs(costs).with_steps(steps));
    let mut field = finder.near_field(Cell::new(69, 0), MovementId::FIRST).unwrap();
    assert_eq!(field.join(&finder, Cell::new(0, 0)), Err(QueryError::CostOverflow));
    assert_eq!(field.join(&finder, Cell::new(68, 0)), Ok(Some(Cost::new(65_535 * 60_000))));
}
