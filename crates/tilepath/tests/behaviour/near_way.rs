//! Paths found in parts.
//!
//! They are legal on the present map, found exactly if a path exists, and report an edit that
//! blocks them.

use proptest::collection::vec;
use proptest::prelude::*;
use testkit::{DiagonalRule, Oracle, Rules, Seed, TileMap};
use tilepath::{
    Bounds, Cell, Cost, Diagonals, Grid, Limit, Movement, MovementId, NearWay, NearWayAnswer, NearWayFault,
    Outcome, Path, PathFinder, PathQuery, QueryError, SearchStatus,
};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};

/// Returns all parts of a path in one list of cells, and their cost.
fn walked(mut way: NearWay, finder: &PathFinder, movement: &Movement) -> (Vec<Cell>, Cost) {
    let (start, goal) = (way.query().start(), way.goal());
    let (mut cells, mut cost) = (vec![start], 0);
    while let Some(part) = way.refine(finder).unwrap() {
        assert_eq!(Some(&part.start()), cells.last());
        assert_eq!(part.verify(finder.grid(), movement), Ok(()));
        cells.extend(&part.cells()[1..]);
        cost += part.cost().get();
        assert_eq!((way.end(), way.cost()), (part.goal(), Cost::new(cost)));
    }
    assert!(way.is_whole() && way.refine(finder) == Ok(None));
    assert_eq!((way.end(), way.rest(), way.portals().count()), (goal, Cost::ZERO, 0));
    (cells, Cost::new(cost))
}

fn ask(world: &PlaneWorld, finder: &PathFinder) {
    for unit in 0..world.units.len() {
        let (movement, oracle) = (world.movement(unit), world.oracle(unit));
        let id = finder.movement_id(&movement).unwrap();
        let ends = [0, 1, 2, 3, 4].map(|number| world.place(number, unit));
        for (start, goal) in [(ends[0], ends[1]), (ends[2], ends[3]), (ends[3], ends[4])] {
            if !oracle.fits(start) || !oracle.fits(goal) || world.land.void[world.land.map.slot(goal)] {
                continue;
            }
            let costs = oracle.costs_from(start);
            let plain = PathQuery::new(world.cell(start), world.cell(goal)).with_movement(id);
            for query in [plain, plain.or_closest()] {
                let answer = finder.solve_near_way(&query).unwrap();
                let mut search = finder.begin_near_way(&query).unwrap();
                while search.advance(3) == SearchStatus::Running {}
                assert_eq!(answer, search.finish().unwrap(), "in slices, {query:?}");
                let is_there = costs[world.land.map.slot(goal)].is_some();
                assert_eq!(answer.is_found(), is_there, "{query:?}");
                let way = match answer {
                    NearWayAnswer::InParts(way) => way,
                    NearWayAnswer::Whole(answer) => {
                        let near = query.with_algorithm(tilepath::Algorithm::Near);
                        assert_eq!(answer, finder.solve(&near).unwrap());
                        continue;
                    }
                };
                let bound = u64::from(way.lower_bound().get());
                let (cells, cost) = walked(way.clone(), finder, &movement);
                let positions: Vec<_> = cells.iter().map(|&cell| world.position(cell)).collect();
                assert_eq!(oracle.walk_cost(&positions), Some(cost.get().into()), "{query:?}");
                let cheapest = costs[world.land.map.slot(world.position(way.goal()))].unwrap();
                assert!(bound <= cheapest && cheapest <= u64::from(cost.get()), "{query:?}");
            }
        }
    }
}

fn live(mut world: PlaneWorld) {
    let mut finder = world.finder();
    ask(&world, &finder);
    for batch in std::mem::take(&mut world.batches) {
        for edit in batch.chunks(1) {
            world.edit(&mut finder, edit);
        }
        ask(&world, &finder);
    }
}

/// A strip of hills and a few walls, longer than one refined part. It is edited while a unit walks.
#[derive(Clone, Debug)]
struct Strip {
    classes: Vec<u8>,
    rule: usize,
    ends: [(i32, i32); 2],
    /// The edits after each part: rectangles and their new class.
    edits: Vec<Vec<((i32, i32), (u32, u32), u8)>>,
}

const WIDE: i32 = 250;
const HIGH: i32 = 34;

fn strip() -> impl Strategy<Value = Strip> {
    let cell = || (0..WIDE, 0..HIGH);
    let edit = || (cell(), prop_oneof![(1_u32..4, 1_u32..4), Just((1, 30)), Just((16, 16))], 0_u8..5);
    (
        vec(prop_oneof![1 => Just(0_u8), 4 => 1_u8..9], 600),
        0..4_usize,
        [cell(), cell()],
        vec(vec(edit(), 0..5), 12),
    )
        .prop_map(|(ground, rule, [from, to], edits)| {
            let width = WIDE as usize;
            let class = |slot: usize| ground[(slot % width / 4 + slot / width / 3 * 63) % ground.len()];
            let classes = (0..width * HIGH as usize).map(class).collect();
            Strip { classes, rule, ends: [(from.0 / 8, from.1), (WIDE - 1 - to.0 / 8, to.1)], edits }
        })
}

impl Strip {
    fn oracle(&self, finder: &PathFinder) -> Oracle {
        let classes = finder.grid().classes().to_vec();
        let rule = [
            DiagonalRule::Never,
            DiagonalRule::OnlyWhenNoObstacles,
            DiagonalRule::IfAtMostOneObstacle,
            DiagonalRule::Always,
        ][self.rule];
        Oracle::new(&TileMap::new("strip", WIDE as u32, HIGH as u32, classes), &Rules::classic(rule))
    }

    fn movement(&self) -> Movement {
        Movement::new().with_diagonals(Diagonals::ALL[self.rule])
    }
}

/// Walks each part as soon as it is found, on a map that is edited between parts. Each step is
/// legal when it is taken.
///
/// If an edit blocks the path, the unit searches again, until it arrives or no path exists.
fn walk(strip: &Strip) {
    let grid = Grid::from_classes(WIDE as u32, HIGH as u32, strip.classes.clone()).unwrap();
    let mut finder = PathFinder::new(grid, strip.movement());
    let goal = strip.ends[1];
    let (mut here, mut edits, mut way) = (strip.ends[0], strip.edits.iter().cycle(), None::<NearWay>);
    for _ in 0..60 {
        let oracle = strip.oracle(&finder);
        let part = match way.as_mut().map(|way| way.refine(&finder)) {
            Some(Ok(Some(part))) => part,
            Some(Ok(None)) => return assert_eq!(here, goal),
            None | Some(Err(NearWayFault::Blocked { .. })) => {
                let answer =
                    finder.solve_near_way(&PathQuery::new(Cell::from(here), Cell::from(goal))).unwrap();
                assert_eq!(answer.is_found(), oracle.cost(here, goal).is_some());
                match answer {
                    NearWayAnswer::InParts(mut found) => {
                        let part =
                            found.refine(&finder).expect("nothing was edited").expect("no part is known yet");
                        way = Some(found);
                        part
                    }
                    NearWayAnswer::Whole(answer) => {
                        way = None;
                        match answer.outcome.into_path() {
                            Some(path) => path,
                            None => return,
                        }
                    }
                }
            }
            Some(Err(fault)) => panic!("{fault}"),
        };
        assert_eq!(part.start(), Cell::from(here));
        let positions: Vec<_> = part.cells().iter().map(|cell| (cell.x, cell.y)).collect();
        assert_eq!(oracle.walk_cost(&positions), Some(part.cost().get().into()));
        assert!(
            u64::from(part.lower_bound().get()) <= oracle.cost(here, (part.goal().x, part.goal().y)).unwrap()
        );
        here = (part.goal().x, part.goal().y);
        if here == goal {
            return;
        }
        for &((x, y), (width, height), class) in edits.next().unwrap() {
            let (width, height) = (width.min((WIDE - x) as u32), height.min((HIGH - y) as u32));
            finder.set_terrain_in(Bounds::new(Cell::new(x, y), width, height).unwrap(), class).unwrap();
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
    fn on_maps_that_are_edited_while_they_are_walked(strip in strip()) {
        walk(&strip);
    }
}

fn hills(width: u32, height: u32) -> Grid {
    let map = testkit::terrain(width, height, 9, 20, &Seed::named("near way hills"));
    Grid::from_classes(map.width, map.height, map.classes).unwrap()
}

/// Returns, among some random queries, the path in parts that has the most portals.
fn long_way(finder: &PathFinder) -> NearWay {
    let grid = finder.grid();
    let map = TileMap::new("pairs", grid.width(), grid.height(), grid.classes().to_vec());
    let asked = map.queries(60, &Seed::named("near way pairs")).into_iter();
    let ways = asked.filter_map(|(from, to)| {
        let query = PathQuery::new(Cell::from(from), Cell::from(to));
        finder.solve_near_way(&query).unwrap().into_way()
    });
    ways.max_by_key(|way| way.portals().count()).unwrap()
}

fn exact(finder: &PathFinder, way: &NearWay) -> Path {
    finder.find(way.query().start(), way.query().goal()).unwrap().into_path().unwrap()
}

#[test]
fn parts_cost_hardly_more_than_the_cheapest_path() {
    let finder = PathFinder::new(hills(400, 400), Movement::new());
    let map = TileMap::new("pairs", 400, 400, finder.grid().classes().to_vec());
    let (mut near, mut cheapest, mut several) = (0, 0, 0);
    for (from, to) in map.queries(60, &Seed::named("near way pairs")) {
        let query = PathQuery::new(Cell::from(from), Cell::from(to));
        let Some(mut way) = finder.solve_near_way(&query).unwrap().into_way() else { continue };
        let promised = u64::from(way.rest().get());
        let exact = exact(&finder, &way).cost();
        let mut parts = 0;
        while way.refine(&finder).unwrap().is_some() {
            parts += 1;
            assert!(
                u64::from(way.cost().get()) + u64::from(way.rest().get()) <= promised,
                "the expected cost never rises"
            );
        }
        several += u32::from(parts > 2);
        assert!(way.cost() >= exact && way.lower_bound() <= exact);
        near += u64::from(way.cost().get());
        cheapest += u64::from(exact.get());
    }
    assert!(several > 10);
    assert!(near * 1000 <= cheapest * 1010, "{near} for {cheapest}: more than one percent");
}

#[test]
fn the_first_part_takes_a_fraction_of_the_expansions_of_the_whole() {
    let finder = PathFinder::new(hills(512, 512), Movement::new());
    let way = long_way(&finder);
    let mut first = way.clone();
    let over_portals = way.statistics().expanded;
    assert!(first.refine(&finder).unwrap().is_some_and(|part| part.steps() > 16));
    let (cells, _) = walked(way.clone(), &finder, &Movement::new());
    let part = first.statistics().expanded - over_portals;
    assert!(part * 3 < cells.len() as u64 * 64, "{part}");
    assert!(first.work() >= part && way.work() == 0);
}

#[test]
fn a_way_says_which_part_is_near_and_by_how_much_at_most() {
    let finder = PathFinder::new(hills(300, 300), Movement::new());
    let mut way = long_way(&finder);
    way.refine(&finder).unwrap();
    let (end, cost, rest, least) = (way.end(), way.cost(), way.rest(), way.lower_bound().get());
    let percent = ((cost.get() + rest.get() - least) * 100).div_ceil(least);
    let text = way.to_string();
    assert!(text.starts_with(&format!("known to {end}, cost {cost}; then approximate, through ")), "{text}");
    assert!(text.ends_with(&format!(
        "cost about {rest}; no path costs less than {least}: at most about {percent} percent above the cheapest"
    )));
    while way.refine(&finder).unwrap().is_some() {}
    let (goal, cost) = (way.goal(), way.cost());
    assert!(
        way.to_string().starts_with(&format!("known to its goal {goal}, cost {cost}; no path costs less"))
    );
}

#[test]
fn a_chunk_that_is_edited_cell_by_cell_is_gone_round() {
    let mut finder = PathFinder::new(hills(300, 300), Movement::new());
    let mut way = long_way(&finder);
    let mut here = way.query().start();
    let mut searched = 0;
    let mut ahead = 0;
    while here != way.goal() {
        let part = match way.refine(&finder) {
            Ok(part) => part.unwrap(),
            Err(NearWayFault::Blocked { end, .. }) => {
                assert_eq!(end, here);
                searched += 1;
                let query = PathQuery::new(here, way.query().goal());
                match finder.solve_near_way(&query).unwrap() {
                    NearWayAnswer::InParts(found) => way = found,
                    NearWayAnswer::Whole(answer) => {
                        assert!(matches!(answer.outcome, Outcome::Found(_)));
                        break;
                    }
                }
                continue;
            }
            Err(fault) => panic!("{fault}"),
        };
        assert_eq!(part.verify(finder.grid(), &Movement::new()), Ok(()));
        here = part.goal();
        // Closes the whole chunk of a later portal, except where the unit goes.
        let Some(portal) = way.portals().nth(14) else { continue };
        ahead += 1;
        let corner = (portal.x.div_euclid(16) * 16, portal.y.div_euclid(16) * 16);
        for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (corner.0 + x, corner.1 + y))) {
            let cell = Cell::new(x, y);
            if finder.grid().contains(cell) && cell != way.query().goal() {
                finder.set_terrain(cell, 0).unwrap();
            }
        }
    }
    assert!(ahead > 2, "{ahead} chunks, {searched} searches");
}

#[test]
fn a_way_of_a_movement_that_is_gone_says_so() {
    let mut finder = PathFinder::new(hills(300, 300), Movement::new());
    let query = *long_way(&finder).query();
    let other = finder.add_movement(Movement::new().with_diagonals(Diagonals::Never));
    let mut way = finder.solve_near_way(&query.with_movement(other)).unwrap().into_way().unwrap();
    assert!(way.refine(&finder).unwrap().is_some());
    let before = way.clone();
    finder.remove_movement(other).unwrap();
    assert_eq!(way.refine(&finder), Err(QueryError::UnknownMovement(other).into()));
    assert_eq!(way, before);
    // Another movement in its place does not replace it.
    finder.add_movement(Movement::new());
    assert_eq!(way.refine(&finder), Err(QueryError::UnknownMovement(other).into()));
    assert_eq!(finder.movement_id(&Movement::new()), Some(MovementId::FIRST));
}

#[test]
fn a_map_that_became_smaller_blocks_what_it_cut_off() {
    let mut finder = PathFinder::new(hills(400, 60), Movement::new());
    finder.set_terrain_in(Bounds::new(Cell::new(0, 20), 400, 2).unwrap(), 3).unwrap();
    let query = PathQuery::new(Cell::new(3, 20), Cell::new(390, 21));
    let mut way = finder.solve_near_way(&query).unwrap().into_way().unwrap();
    let end = way.refine(&finder).unwrap().unwrap().goal();
    finder.resize(Bounds::new(Cell::new(0, 0), 200, 60).unwrap(), 1);
    loop {
        match way.refine(&finder) {
            Ok(Some(part)) => assert_eq!(part.verify(finder.grid(), &Movement::new()), Ok(())),
            Ok(None) => panic!("the path cannot reach a goal off the map"),
            Err(fault) => {
                break assert!(matches!(fault, NearWayFault::Blocked { portal, .. } if portal.x > 180));
            }
        }
    }
    finder
        .resize(Bounds::new(Cell::new(-20, 0), end.x.unsigned_abs().saturating_sub(5) + 20, 60).unwrap(), 1);
    assert!(way.refine(&finder).is_err());
}

#[test]
fn a_unit_whose_end_was_walled_in_is_told() {
    let mut finder = PathFinder::new(hills(300, 300), Movement::new());
    let mut way = long_way(&finder);
    let part = way.refine(&finder).unwrap().unwrap();
    finder.set_terrain(part.goal(), 0).unwrap();
    assert!(matches!(way.refine(&finder), Err(NearWayFault::Blocked { end, .. }) if end == part.goal()));
    finder.set_terrain(part.goal(), 3).unwrap();
    assert!(way.refine(&finder).is_ok_and(|part| part.is_some()), "after the wall is gone, the path goes on");
}

#[test]
fn queries_with_limits_are_answered_whole() {
    let finder = PathFinder::new(hills(300, 300), Movement::new());
    let query = *long_way(&finder).query();
    let whole = |query: &PathQuery| match finder.solve_near_way(query).unwrap() {
        NearWayAnswer::InParts(way) => panic!("{way:?}"),
        NearWayAnswer::Whole(answer) => answer.outcome,
    };
    assert!(matches!(whole(&query.with_limit(5)), Outcome::LimitReached { limit: Limit::Expansions, .. }));
    let few = whole(&query.with_cost_limit(Cost::new(50)));
    assert!(matches!(few, Outcome::LimitReached { limit: Limit::Cost, .. }));
    assert!(matches!(whole(&query.with_length_limit(10_000)), Outcome::Found(_)));
    let outside = PathQuery::new(Cell::new(-1, 0), Cell::new(9, 9));
    assert!(matches!(finder.solve_near_way(&outside), Err(QueryError::StartOutOfBounds { .. })));
}
