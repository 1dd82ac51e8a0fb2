//! Fields of costs to goals, against brute force.

use proptest::prelude::*;
use testkit::{DiagonalRule, Rules, Seed};
use tilepath::{
    Cell, Cost, Direction, Edit, Grid, Movement, PathFinder, QueryError, SearchStatus, StepCosts,
    field::{FieldQuery, FieldState, FlowField},
};

use crate::worlds::{Prices, World, cases, world};

/// Returns the cost from each cell to the nearest goal, by a forward search from each cell.
pub(crate) fn oracle_costs(world: &World, goals: &[(i32, i32)]) -> Vec<Option<u64>> {
    let oracle = world.oracle();
    let cheapest = |position| {
        let costs = oracle.costs_from(position);
        goals.iter().filter_map(|&goal| costs[world.map.slot(goal)]).min()
    };
    world.positions().map(cheapest).collect()
}

pub(crate) fn goals_on(world: &World, places: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let (width, height) = (world.map.width as i32, world.map.height as i32);
    places.iter().map(|&(x, y)| (x % width, y % height)).collect()
}

pub(crate) fn cells(world: &World, positions: &[(i32, i32)]) -> Vec<Cell> {
    positions.iter().map(|&position| world.cell(position)).collect()
}

pub(crate) fn places() -> impl Strategy<Value = Vec<(i32, i32)>> {
    proptest::collection::vec((0..40, 0..40), 0..4)
}

/// Checks each property of the settled part of a field. Returns the number of settled cells.
pub(crate) fn check_settled(world: &World, goals: &[(i32, i32)], field: &FlowField) -> usize {
    let costs = oracle_costs(world, goals);
    let (grid, movement, oracle) = (world.grid(), world.movement(), world.oracle());
    let mut settled = 0;
    for position in world.positions() {
        let cell = world.cell(position);
        // Fields do not lead out of deep closed ground.
        let is_led = |cost| cost == 0 || oracle.way_out(position).is_empty();
        let expected = costs[world.map.slot(position)].filter(|&cost| is_led(cost));
        match field.state(cell) {
            FieldState::Settled(cost) => {
                settled += 1;
                assert_eq!(Some(u64::from(cost.get())), expected, "{cell}");
                assert_eq!(field.cost(cell), Some(cost));
            }
            state => {
                match state {
                    FieldState::Pending => assert!(!field.is_done(), "{cell}"),
                    FieldState::Unreachable => assert_eq!(expected, None, "{cell}"),
                    FieldState::CostOverflow => {
                        assert!(expected.is_some_and(|cost| cost >= u64::from(u32::MAX)), "{cell}");
                    }
                    state => panic!("{cell} is {state:?}"),
                }
                assert_eq!((field.cost(cell), field.direction(cell)), (None, None));
                assert_eq!((field.path_from(cell), field.goal_from(cell)), (None, None));
                continue;
            }
        }
        let cost = field.cost(cell).unwrap();
        let leads_on = |&direction: &Direction| {
            let Some(step) = movement.step_cost(&grid, cell, direction) else { return false };
            let entered = world.position(cell.neighbour(direction).unwrap());
            let rest = costs[world.map.slot(entered)].unwrap_or(u64::MAX / 2);
            cost > Cost::ZERO && rest + u64::from(step.get()) == u64::from(cost.get())
        };
        assert_eq!(field.direction(cell), Direction::ALL.into_iter().find(leads_on), "{cell}");
        let path = field.path_from(cell).unwrap();
        path.verify(&grid, &movement).unwrap();
        assert_eq!((path.start(), path.cost(), path.is_optimal()), (cell, cost, true));
        let winner = field.goal_from(cell).unwrap();
        assert_eq!(path.goal(), world.cell(goals[winner]));
        assert_eq!(goals.iter().position(|goal| *goal == goals[winner]), Some(winner));
    }
    settled
}

fn field(world: &World, goals: &[(i32, i32)]) -> FlowField {
    world.finder().field(&cells(world, goals)).unwrap()
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn field_costs_are_the_oracles(world in world(14, Prices::Low), places in places()) {
        let goals = goals_on(&world, &places);
        let field = field(&world, &goals);
        prop_assert!(field.is_done());
        check_settled(&world, &goals, &field);
    }

    #[test]
    fn field_costs_are_the_oracles_up_to_the_largest_costs(world in world(10, Prices::Any), places in places()) {
        let goals = goals_on(&world, &places);
        check_settled(&world, &goals, &field(&world, &goals));
    }

    #[test]
    fn a_paused_field_is_exact_as_far_as_it_has_come(
        world in world(12, Prices::Low), places in places(), slices in proptest::collection::vec(0..30_u64, 1..6),
    ) {
        let goals = goals_on(&world, &places);
        let finder = world.finder();
        let mut paused = finder.begin_field(&FieldQuery::new(cells(&world, &goals))).unwrap();
        let mut settled = 0;
        for slice in slices {
            let expanded = paused.statistics().expanded;
            let status = paused.advance(slice);
            prop_assert_eq!(status == SearchStatus::Done, paused.is_done());
            prop_assert!(paused.statistics().expanded <= expanded + slice);
            let now = check_settled(&world, &goals, &paused);
            prop_assert!(now >= settled, "settled cells stay settled");
            prop_assert!(now as u64 >= paused.statistics().expanded, "expanded cells are settled");
            settled = now;
        }
        paused.advance(u64::MAX);
        let whole = field(&world, &goals);
        for position in world.positions() {
            let cell = world.cell(position);
            prop_assert_eq!(paused.state(cell), whole.state(cell));
            prop_assert_eq!(paused.direction(cell), whole.direction(cell));
        }
        prop_assert_eq!(paused.statistics(), whole.statistics());
    }

    #[test]
    fn a_field_runs_until_the_cell_asked_for_is_known(
        world in world(12, Prices::Low), places in places(), asked in (0..12, 0..12),
    ) {
        let goals = goals_on(&world, &places);
        let asked = world.cell(goals_on(&world, &[asked])[0]);
        let mut paused = world.finder().begin_field(&FieldQuery::new(cells(&world, &goals))).unwrap();
        let state = paused.advance_until(asked);
        prop_assert_eq!(state, field(&world, &goals).state(asked));
        prop_assert_eq!(paused.state(asked), state);
        check_settled(&world, &goals, &paused);
    }
}

#[test]
fn fields_on_maps_as_games_have_them() {
    for map in [
        testkit::caves(36, 30, &Seed::named("field caves")),
        testkit::maze(31, 31, 1, &Seed::named("field maze")),
        testkit::terrain(32, 28, 9, 20, &Seed::named("field hills")),
    ] {
        for diagonals in DiagonalRule::ALL {
            let world = World::new(map.clone(), Rules::classic(diagonals));
            let goals: Vec<(i32, i32)> =
                map.queries(3, &Seed::named("camps")).into_iter().map(|(_, goal)| goal).collect();
            assert!(check_settled(&world, &goals, &field(&world, &goals)) > 0);
        }
    }
}

#[test]
fn a_unit_in_a_wall_sees_what_it_pays_to_walk_out() {
    let grid = tilepath::format::parse_ascii(
        "
        5#..
        .#..
        ",
    )
    .unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let mut field = finder.begin_field(&FieldQuery::new([Cell::new(0, 1)])).unwrap();
    let wall = Cell::new(1, 1);
    assert_eq!(field.state(wall), FieldState::Pending, "a path by the south-west may be cheaper");
    assert_eq!(field.advance_until(wall), FieldState::Settled(Cost::new(50)));
    assert_eq!(field.direction(wall), Some(Direction::West));
    assert_eq!(field.path_from(wall).unwrap().cells(), [wall, Cell::new(0, 1)]);
    assert_eq!(field.advance_until(Cell::new(2, 0)), FieldState::Unreachable, "no path leads through walls");
}

#[test]
fn closed_goal_costs_nothing_and_is_never_entered() {
    let mut finder = PathFinder::new(Grid::new(3, 1, 1).unwrap(), Movement::new());
    let closed = Cell::new(1, 0);
    finder.set_terrain(closed, 0).unwrap();
    let field = finder.field(&[closed]).unwrap();
    assert_eq!(field.state(closed), FieldState::Settled(Cost::ZERO));
    assert_eq!((field.direction(closed), field.goal_from(closed)), (None, Some(0)));
    assert_eq!(field.path_from(closed).unwrap().cells(), [closed]);
    assert_eq!(field.state(Cell::new(0, 0)), FieldState::Unreachable);
}

#[test]
fn field_without_goals_reaches_no_cell() {
    let finder = PathFinder::new(Grid::new(3, 2, 1).unwrap(), Movement::new());
    let field = finder.field(&[]).unwrap();
    assert!(field.is_done());
    assert_eq!(field.state(Cell::new(0, 0)), FieldState::Unreachable);
    assert_eq!(field.state(Cell::new(3, 0)), FieldState::OutOfBounds);
}

#[test]
fn a_way_that_costs_too_much_to_state_is_not_called_unreachable() {
    use tilepath::{CostTable, StepCosts};
    let costly = Movement::new()
        .with_costs(CostTable::identity().with(1, u16::MAX))
        .with_steps(StepCosts::new(u16::MAX, u16::MAX).unwrap());
    let finder = PathFinder::new(Grid::new(4, 1, 1).unwrap(), costly);
    let field = finder.field(&[Cell::new(0, 0)]).unwrap();
    assert_eq!(field.cost(Cell::new(1, 0)), Some(Cost::new(65_535 * 65_535)));
    assert_eq!(field.state(Cell::new(2, 0)), FieldState::CostOverflow);
}

#[test]
fn a_field_can_be_shared_by_threads() {
    fn shared<T: Send + Sync + 'static>(value: T) -> std::sync::Arc<T> {
        std::sync::Arc::new(value)
    }
    let finder = PathFinder::new(Grid::new(30, 30, 1).unwrap(), Movement::new());
    let field = shared(finder.field(&[Cell::new(0, 0)]).unwrap());
    drop(finder);
    let askers: Vec<_> = (1..4)
        .map(|x| {
            let field = std::sync::Arc::clone(&field);
            std::thread::spawn(move || field.cost(Cell::new(x, 0)))
        })
        .collect();
    for (steps, asker) in (1..4).zip(askers) {
        assert_eq!(asker.join().unwrap(), Some(Cost::new(10 * steps)));
    }
}

#[test]
fn a_bad_field_query_names_what_is_wrong() {
    let mut stranger = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    let unknown = stranger.add_movement(Movement::new().with_diagonals(tilepath::Diagonals::Never));
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    let bounds = finder.grid().bounds();
    let outside = Cell::new(0, 3);
    let error = finder.field(&[Cell::new(0, 0), outside]).unwrap_err();
    assert_eq!(error, QueryError::GoalOutOfBounds { cell: outside, bounds });
    let query = FieldQuery::new([Cell::new(0, 0)]).with_movement(unknown);
    assert_eq!(finder.begin_field(&query).unwrap_err(), QueryError::UnknownMovement(unknown));
}

#[test]
fn a_cell_without_a_way_is_unreachable_though_costs_overflow_elsewhere() {
    let costly = tilepath::CostTable::impassable().with(1, u16::MAX);
    let steps = StepCosts::new(10_000, 14_000).unwrap();
    let mut grid = Grid::new(14, 1, 1).unwrap();
    grid.set_terrain(Cell::new(10, 0), 0).unwrap();
    grid.set_terrain(Cell::new(12, 0), 0).unwrap();
    let mut finder = PathFinder::new(grid, Movement::new().with_costs(costly).with_steps(steps));
    let mut field = finder.field(&[Cell::new(0, 0)]).unwrap();
    assert!(matches!(field.state(Cell::new(3, 0)), FieldState::Settled(_)));
    assert_eq!(field.state(Cell::new(9, 0)), FieldState::CostOverflow);
    assert_eq!(
        field.state(Cell::new(10, 0)),
        FieldState::CostOverflow,
        "the unit leaves the wall, and the path goes on"
    );
    assert_eq!(field.state(Cell::new(11, 0)), FieldState::Unreachable);
    assert_eq!(
        field.state(Cell::new(12, 0)),
        FieldState::Unreachable,
        "from no side of this wall can the goal be reached"
    );
    finder.set_terrain(Cell::new(10, 0), 1).unwrap();
    field.update(&finder).unwrap();
    assert_eq!(field.state(Cell::new(11, 0)), FieldState::CostOverflow, "now the goal can be reached");
    assert_eq!(field.state(Cell::new(13, 0)), FieldState::Unreachable);
}

#[test]
fn cell_with_outward_edges_only_is_unreachable_despite_overflow_elsewhere() {
    let costly = tilepath::CostTable::impassable().with(1, u16::MAX);
    let steps = StepCosts::new(10_000, 14_000).unwrap();
    let mut grid = Grid::new(14, 1, 1).unwrap();
    grid.set_terrain(Cell::new(12, 0), 0).unwrap();
    grid.edit(&[Edit::one_way(Cell::new(9, 0), Cell::new(10, 0))]).unwrap();
    let mut finder = PathFinder::new(grid, Movement::new().with_costs(costly).with_steps(steps));
    let mut field = finder.field(&[Cell::new(0, 0)]).unwrap();
    assert!(matches!(field.state(Cell::new(3, 0)), FieldState::Settled(_)));
    assert_eq!(field.state(Cell::new(9, 0)), FieldState::CostOverflow);
    assert_eq!(field.state(Cell::new(10, 0)), FieldState::Unreachable, "no step leads back");
    assert_eq!(field.state(Cell::new(11, 0)), FieldState::Unreachable);
    assert_eq!(field.state(Cell::new(12, 0)), FieldState::Unreachable, "and no step leads out of the wall");
    finder.edit(&[Edit::open_edge(Cell::new(9, 0), Cell::new(10, 0))]).unwrap();
    field.update(&finder).unwrap();
    assert_eq!(field.state(Cell::new(11, 0)), FieldState::CostOverflow, "now the goal can be reached");
}
