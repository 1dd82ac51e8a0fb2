//! Queries about many cells at once: reach, ranges, nearest places and fields.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Cost, CostTable, Diagonals, NavGrid, NavMap, NavProjection, PathFailure, Place,
    tilepath::{Direction, Grid, format::parse_ascii},
};

use crate::harness::*;

/// Spawns a map. The centre of cell (0, 0) is at `origin`.
fn spawn(game: &mut Game, picture: &str, origin: Vec2) -> Entity {
    game.world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(parse_ascii(picture).unwrap()),
            NavProjection::square(Vec2::splat(10.0), Vec2::ZERO),
            Transform::from_translation(origin.extend(0.0)),
        ))
        .id()
}

/// Returns the centre of a cell, on a map at the origin.
fn at(x: i32, y: i32) -> Vec2 {
    Vec2::new(x as f32, y as f32) * 10.0
}

const WALLED: &str = "
    ..#.
    ..#.
    .2#.
";

#[test]
fn reach_follows_edits_and_rules_and_what_ways_cost_plays_no_part() {
    let mut game = Game::new();
    let map = spawn(&mut game, WALLED, Vec2::ZERO);
    game.tick();
    let reach =
        |game: &mut Game| game.ask(|nav| nav.only_map().unwrap().is_reachable(at(0, 0), at(3, 0)).unwrap());
    assert!(!reach(&mut game));
    game.world_mut().get_mut::<NavGrid>(map).unwrap().set_terrain(Cell::new(2, 1), 7).unwrap();
    assert!(reach(&mut game), "an edit has effect at once");
    game.world_mut().get_mut::<NavMap>(map).unwrap().costs = CostTable::identity().with(7, 0);
    game.tick();
    assert!(!reach(&mut game), "new rules have effect from the next tick on");
    game.world_mut().get_mut::<NavMap>(map).unwrap().costs = CostTable::identity().with(7, u16::MAX);
    game.tick();
    assert!(reach(&mut game));
}

#[test]
fn reach_is_what_a_search_would_find() {
    let mut game = Game::new();
    let picture = "
        .#.#....
        #.#..##.
        .....#.#
        ##.##.#.
        ....#...
    ";
    let map = spawn(&mut game, picture, Vec2::ZERO);
    for diagonals in Diagonals::ALL {
        game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = diagonals;
        game.tick();
        game.ask(move |nav| {
            let view = nav.only_map().unwrap();
            let cells: Vec<Cell> = nav.map(map).unwrap().grid().bounds().cells().collect();
            for (from, to) in cells.iter().flat_map(|from| cells.iter().map(move |to| (from, to))) {
                let (from, to) = (at(from.x, from.y), at(to.x, to.y));
                let found = view.find(from, to).unwrap().outcome.path().is_some();
                assert_eq!(view.is_reachable(from, to), Ok(found), "{diagonals} {from} {to}");
            }
        });
    }
}

#[test]
fn range_holds_what_the_budget_pays_for_by_the_rules_of_the_map() {
    let mut game = Game::new();
    let map = spawn(&mut game, WALLED, Vec2::new(100.0, 50.0));
    game.tick();
    let costs = |game: &mut Game, budget: u32| {
        game.ask(move |nav| {
            let range = nav.only_map().unwrap().range(Vec2::new(101.0, 49.0), Cost::new(budget)).unwrap();
            assert_eq!(range.start(), Some(Cell::new(0, 0)));
            let mut costs: Vec<_> =
                range.cells().iter().map(|found| (found.cell.x, found.cell.y, found.cost.get())).collect();
            costs.sort_unstable();
            costs
        })
    };
    assert_eq!(costs(&mut game, 0), [(0, 0, 0)]);
    assert_eq!(costs(&mut game, 19), [(0, 0, 0), (0, 1, 10), (1, 1, 14)]);
    let all = [(0, 0, 0), (0, 1, 10), (0, 2, 20), (1, 0, 20), (1, 1, 14), (1, 2, 24)];
    assert_eq!(costs(&mut game, 24), all);
    assert_eq!(costs(&mut game, u32::MAX), all);

    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    game.tick();
    assert_eq!(costs(&mut game, 20), [(0, 0, 0), (0, 1, 10), (0, 2, 20), (1, 0, 20), (1, 1, 20)]);
}

#[test]
fn nearest_places_have_index_and_path() {
    let mut game = Game::new();
    spawn(&mut game, WALLED, Vec2::ZERO);
    game.tick();
    game.ask(|nav| {
        let view = nav.only_map().unwrap();
        let places = [at(3, 0), at(1, 0), at(2, 1), at(0, 2), at(0, 1)];
        let nearest = view.nearest(at(0, 0), places).unwrap().unwrap();
        assert_eq!((nearest.index, nearest.path.goal()), (4, Cell::new(0, 1)));

        // Two goals cost 20, and they keep the order of the list. Walls and the goals behind them
        // are left out.
        let all = view.k_nearest(at(0, 0), places, 9).unwrap();
        let found: Vec<_> = all.iter().map(|goal| (goal.index, goal.path.cost().get())).collect();
        assert_eq!(found, [(4, 10), (1, 20), (3, 20)]);
        assert_eq!(view.k_nearest(at(0, 0), places, 2).unwrap(), all[..2]);

        let cells = [(3, 0), (1, 0), (2, 1), (0, 2), (0, 1)].map(Cell::from);
        assert_eq!(view.k_nearest(at(0, 0), cells, 9).unwrap(), all);
        let mixed = [Place::from(cells[0]), places[1].into()];
        assert_eq!(view.nearest(at(0, 0), mixed).unwrap().unwrap(), all[1].clone());

        assert_eq!(view.nearest(at(0, 0), [at(3, 0), at(3, 2)]), Ok(None));
        assert_eq!(view.nearest::<Cell>(at(0, 0), []), Ok(None));
        assert_eq!(view.k_nearest(at(0, 0), places, 0), Ok(Vec::new()));
        assert_eq!(
            view.nearest(at(2, 0), [at(2, 0)]).unwrap().unwrap().path.steps(),
            0,
            "the unit stands on the place"
        );
    });
}

#[test]
fn field_is_shared_and_follows_edits_and_has_the_rules_of_the_map() {
    let mut game = Game::new();
    let map = spawn(&mut game, "....\n.##.\n....", Vec2::ZERO);
    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    game.tick();
    let mut field = game.ask(|nav| nav.only_map().unwrap().field([at(3, 0)]).unwrap());
    assert_eq!(field.cost(Cell::new(0, 2)), Some(Cost::new(50)));
    assert_eq!(field.direction(Cell::new(0, 1)), Some(Direction::South));

    let mut grid = game.world_mut().get_mut::<NavGrid>(map).unwrap();
    grid.set_terrain(Cell::new(1, 0), 0).unwrap();
    field.update(grid.finder()).unwrap();
    assert_eq!(field.direction(Cell::new(0, 1)), Some(Direction::North));

    let shared = Arc::new(field);
    let other = Arc::clone(&shared);
    assert_eq!(other.path_from(Cell::new(0, 0)).unwrap().steps(), 7);
    game.ask(move |nav| {
        let view = nav.only_map().unwrap();
        let two = view.field([Cell::new(3, 0), Cell::new(0, 2)]).unwrap();
        assert_eq!((two.goal_from(Cell::new(0, 0)), two.goal_from(Cell::new(3, 1))), (Some(1), Some(0)));
        let none = view.field::<Cell>([]).unwrap();
        assert_eq!(none.cost(Cell::new(0, 0)), None);
    });
}

/// Returns the reasons of all four queries, for one unit and one place.
fn reasons(game: &mut Game, from: Vec2, place: Vec2) -> [Option<PathFailure>; 4] {
    game.ask(move |nav| {
        let view = match nav.only_map() {
            Ok(view) => view,
            Err(reason) => return [Some(reason); 4],
        };
        [
            view.range(from, Cost::new(10)).err(),
            view.nearest(from, [place]).err(),
            view.k_nearest(from, [at(0, 0), place], 2).err(),
            view.field([place]).err(),
        ]
    })
}

#[test]
fn questions_about_many_cells_have_reasons_for_failing() {
    use PathFailure::PositionNotFinite;
    let far = (i32::MAX, i32::MAX);

    let mut game = Game::new();
    assert_eq!(reasons(&mut game, at(0, 0), at(1, 0)), [Some(PathFailure::NoMap); 4]);
    let map = spawn(&mut game, WALLED, Vec2::ZERO);
    game.tick();
    assert_eq!(reasons(&mut game, at(0, 0), at(1, 0)), [None; 4]);

    let of_start = |reason| [Some(reason), Some(reason), Some(reason), None];
    assert_eq!(reasons(&mut game, Vec2::NAN, at(1, 0)), of_start(PositionNotFinite));
    assert_eq!(reasons(&mut game, at(-1, 0), at(1, 0)), of_start(start_off((-1, 0), 4, 3)));
    assert_eq!(reasons(&mut game, Vec2::splat(1e30), at(1, 0)), of_start(start_off(far, 4, 3)));
    let of_goal = |reason| [None, Some(reason), Some(reason), Some(reason)];
    assert_eq!(reasons(&mut game, at(0, 0), Vec2::INFINITY), of_goal(PositionNotFinite));
    assert_eq!(reasons(&mut game, at(0, 0), at(0, 3)), of_goal(goal_off((0, 3), 4, 3)));
    assert_eq!(reasons(&mut game, at(0, 0), Vec2::splat(1e30)), of_goal(goal_off(far, 4, 3)));

    game.world_mut().get_mut::<Transform>(map).unwrap().scale = Vec3::ZERO;
    game.tick();
    assert_eq!(reasons(&mut game, at(0, 0), at(1, 0)), [Some(PathFailure::MapWithoutArea); 4]);
    spawn(&mut game, WALLED, Vec2::ZERO);
    game.tick();
    assert_eq!(reasons(&mut game, at(0, 0), at(1, 0)), [Some(PathFailure::AmbiguousMap); 4]);
}

#[test]
fn nearest_place_at_a_cost_that_cannot_be_counted_is_no_answer() {
    let mut game = Game::new();
    let costly = NavMap { costs: CostTable::identity().with(1, u16::MAX), ..NavMap::default() };
    let grid = Grid::new(10_000, 1, 1).unwrap();
    game.world_mut().spawn((
        costly,
        NavGrid::new(grid),
        NavProjection::square(Vec2::splat(10.0), Vec2::ZERO),
    ));
    game.tick();
    game.ask(|nav| {
        let view = nav.only_map().unwrap();
        assert_eq!(view.nearest(at(0, 0), [at(9_999, 0)]), Err(PathFailure::CostOverflow));
        assert_eq!(view.nearest(at(0, 0), [at(9_999, 0), at(5, 0)]).unwrap().unwrap().index, 1);
        assert_eq!(view.is_reachable(at(0, 0), at(9_999, 0)), Ok(true));
    });
}
