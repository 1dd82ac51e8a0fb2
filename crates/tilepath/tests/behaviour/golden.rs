//! Guaranteed answers: costs, drawn paths, the order of expansion.

use testkit::{DiagonalRule, Rules, Seed};
use tilepath::{
    Algorithm, Cell, Cost, Diagonals, Movement, Outcome, PathFinder, PathQuery, QueryError, format,
    search::Step,
};

use crate::worlds::World;

/// Twelve rows of fifteen cells that cost 2, a road of 1 down column 10, and a wall across columns 2 to 8 of row 6.
const ROAD: &str = "
    222222222212222
    222222222212222
    222222222212222
    222222222212222
    222222222212222
    222222222212222
    220000000212222
    222222222212222
    222222222212222
    222222222212222
    222222222212222
    222222222212222
";

#[test]
fn the_road_map_costs_what_the_rules_give() {
    let grid = format::parse_ascii(ROAD).unwrap();
    let from = format::cell_from_top(&grid.bounds(), 2, 2).unwrap();
    let to = format::cell_from_top(&grid.bounds(), 9, 9).unwrap();
    let expected = [
        (Diagonals::Never, 240),
        (Diagonals::OnlyWhenNoObstacles, 226),
        (Diagonals::IfAtMostOneObstacle, 224),
        (Diagonals::Always, 224),
    ];
    for (diagonals, cost) in expected {
        let finder = PathFinder::new(grid.clone(), Movement::new().with_diagonals(diagonals));
        for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
            let query = PathQuery::new(from, to).with_algorithm(algorithm);
            let path = finder.solve(&query).unwrap().outcome.into_path().unwrap();
            assert_eq!(path.cost(), Cost::new(cost), "{diagonals} {algorithm}");
        }
    }
}

fn trimmed(picture: &str) -> String {
    picture.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Solves a picture that has `S` and `G`, and draws the answer.
fn drawn(picture: &str, movement: Movement) -> (Outcome, String) {
    let scene = testkit::Scene::from_picture(picture);
    let world = World::new(scene.map.clone(), Rules::classic(DiagonalRule::Never));
    let finder = PathFinder::new(world.grid(), movement);
    let outcome = finder.find(world.cell(scene.start()), world.cell(scene.goal())).unwrap();
    let picture = format::to_ascii(finder.grid(), outcome.path());
    (outcome, picture)
}

#[test]
fn a_straight_corridor_has_a_straight_path() {
    let (outcome, picture) = drawn("S.......G", Movement::new());
    assert_eq!(picture, "S*******G");
    assert_eq!(outcome.path().unwrap().cost(), Cost::new(80));
    for diagonals in Diagonals::ALL {
        let open = "
            .........
            S.......G
            .........
        ";
        let expected = "
            .........
            S*******G
            .........
        ";
        let (_, picture) = drawn(open, Movement::new().with_diagonals(diagonals));
        assert_eq!(picture, trimmed(expected), "{diagonals}: no zig-zag in the open");
    }
}

#[test]
fn the_only_way_is_drawn_cell_by_cell() {
    let picture = "
        S#.....
        .#.###.
        .#.#G#.
        .#.#.#.
        ...#...
    ";
    let (outcome, drawing) = drawn(picture, Movement::new().with_diagonals(Diagonals::Never));
    let expected = "
        S#*****
        *#*###*
        *#*#G#*
        *#*#*#*
        ***#***
    ";
    assert_eq!(drawing, trimmed(expected));
    assert_eq!(outcome.path().unwrap().cost(), Cost::new(220));
}

#[test]
fn a_corner_is_cut_only_where_the_rule_allows() {
    let picture = "
        ..G
        .#.
        S#.
    ";
    let strict = "
        **G
        *#.
        S#.
    ";
    let loose = "
        .*G
        *#.
        S#.
    ";
    assert_eq!(drawn(picture, Movement::new()).1, trimmed(strict));
    let cutting = Movement::new().with_diagonals(Diagonals::IfAtMostOneObstacle);
    assert_eq!(drawn(picture, cutting).1, trimmed(loose));
}

#[test]
fn a_detour_by_road_beats_the_mud() {
    let picture = "
        .......
        .99999.
        S99999G
        .99999.
        9999999
    ";
    let expected = "
        .*****.
        *99999*
        S99999G
        .99999.
        9999999
    ";
    let cutting = Movement::new().with_diagonals(Diagonals::Always);
    let (outcome, drawing) = drawn(picture, cutting);
    assert_eq!(drawing, trimmed(expected));
    assert_eq!(outcome.path().unwrap().cost(), Cost::new(10 + 14 + 4 * 10 + 14 + 10));
}

/// An FNV-1a hash, which is enough to detect a change.
struct Fingerprint(u64);

impl Fingerprint {
    fn mix(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn mix_cell(&mut self, cell: Cell) {
        self.mix(cell.x as u32 as u64);
        self.mix(cell.y as u32 as u64);
    }
}

/// Returns a hash of all expansions and paths of some hundred searches, in order.
fn fingerprint(algorithm: Algorithm) -> u64 {
    let mut fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);
    let seed = Seed::named("order of expansion");
    let maps = [
        testkit::open(30, 20),
        testkit::cluttered(40, 30, 30, &seed),
        testkit::rooms(40, 40, 6, &seed),
        testkit::maze(31, 31, 1, &seed),
        testkit::caves(50, 40, &seed),
        testkit::terrain(40, 40, 5, 15, &seed),
        testkit::noise(30, 30, 9, 10, &seed),
    ];
    for map in maps {
        let queries = map.queries(6, &seed);
        for diagonals in DiagonalRule::ALL {
            let world = World::new(map.clone(), Rules::classic(diagonals));
            let finder = world.finder();
            for &(from, to) in &queries {
                let query =
                    PathQuery::new(world.cell(from), world.cell(to)).with_algorithm(algorithm).or_closest();
                let mut search = match finder.begin(&query) {
                    // Some maps and rules have no jump points. The hash includes which ones.
                    Err(QueryError::NoJumpPoints) => {
                        fingerprint.mix(u64::MAX);
                        continue;
                    }
                    search => search.unwrap(),
                };
                for step in search.steps() {
                    if let Step::Expanded(cell) = step {
                        fingerprint.mix_cell(cell);
                    }
                }
                let outcome = search.finish().unwrap().outcome;
                let (Outcome::Found(path) | Outcome::Unreachable { closest: Some(path) }) = outcome else {
                    panic!("{outcome:?}")
                };
                for &cell in path.cells() {
                    fingerprint.mix_cell(cell);
                }
                fingerprint.mix(u64::from(path.cost().get()));
            }
        }
    }
    fingerprint.0
}

/// The crate guarantees equal paths on every machine for equal maps, movements, requests and
/// versions. The order among ties is part of that.
///
/// If one of these numbers changes, the change is either a mistake, or the CHANGELOG states that
/// paths of equal cost may differ from the last version. In the second case, put the number from
/// the failing test here.
#[test]
fn expansion_order_and_paths_equal_this_version() {
    let expected = [
        (Algorithm::Auto, 0x1d8a_198c_4cb8_9629),
        (Algorithm::JumpPoint, 0x75a6_696a_4ffe_cf8f),
        (Algorithm::AStar, 0x2e44_9e76_cefb_d9ee),
        (Algorithm::Dijkstra, 0xb9af_40a8_3731_6114),
        (Algorithm::Greedy, 0x1dd9_bc1e_bde8_b79e),
        (Algorithm::WeightedAStar { percent: 150 }, 0xca06_6c3c_81d7_d0e0),
        (Algorithm::BreadthFirst, 0x3207_d7d0_2f80_214a),
    ];
    let found = expected.map(|(algorithm, _)| (algorithm, fingerprint(algorithm)));
    assert_eq!(found, expected, "new fingerprints: {found:#x?}");
}
