//! Views against rays and lines that are followed one by one.

use std::collections::BTreeSet;

use testkit::{Seed, TileMap};
use tilepath::{Cell, Topology};

const BOTH: [Topology; 2] = [Topology::Square, Topology::Hexagonal];

/// A view with its number of reads. Fails if a cell is seen or read twice.
struct Viewed {
    cells: BTreeSet<Cell>,
    reads: usize,
}

fn view(topology: Topology, from: Cell, range: u8, is_opaque: impl Fn(Cell) -> bool) -> Viewed {
    let (mut read, mut cells) = (BTreeSet::new(), BTreeSet::new());
    let opaque = |cell| {
        assert!(read.insert(cell), "{cell} is read twice from {from}");
        is_opaque(cell)
    };
    topology
        .view(from, range, opaque, |cell| assert!(cells.insert(cell), "{cell} is seen twice from {from}"));
    Viewed { cells, reads: read.len() }
}

fn is_within(topology: Topology, from: Cell, cell: Cell, range: u8) -> bool {
    let (x, y) = (i64::from(cell.x - from.x), i64::from(cell.y - from.y));
    match topology {
        Topology::Square => x * x + y * y <= i64::from(range).pow(2),
        Topology::Hexagonal => x.abs().max(y.abs()).max((x + y).abs()) <= i64::from(range),
    }
}

fn around(from: Cell, range: u8) -> impl Iterator<Item = Cell> {
    let reach = i32::from(range);
    (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| from + (x, y)))
}

fn is_opaque(map: &TileMap, cell: Cell) -> bool {
    map.class((cell.x, cell.y)).is_none_or(|class| class == 0)
}

fn open_cells(map: &TileMap) -> Vec<Cell> {
    (0..map.classes.len())
        .map(|slot| Cell::from(map.position(slot)))
        .filter(|&cell| !is_opaque(map, cell))
        .collect()
}

fn maps(side: u32) -> Vec<TileMap> {
    let seed = Seed::named("views");
    vec![
        testkit::open(side, side),
        testkit::caves(side, side, &seed),
        testkit::cluttered(side, side, 4, &seed),
        testkit::cluttered(side, side, 15, &seed),
        testkit::cluttered(side, side, 40, &seed),
        testkit::maze(side, side, 1, &seed),
        testkit::maze(side, side, 3, &seed),
        testkit::rooms(side, side, 6, &seed),
    ]
}

/// Returns whether a wall hides one open square from another, by the rule in words. On each row
/// between the two, along the longer axis, the line between the centres has one point. A wall whose
/// half width reaches over the point hides the other square. So do two walls that the line touches,
/// one from each side.
fn is_hidden(from: Cell, to: Cell, is_opaque: impl Fn(Cell) -> bool) -> bool {
    let (x, y) = (to.x - from.x, to.y - from.y);
    let is_steep = y.abs() > x.abs();
    let (long, short) = if is_steep { (y, x) } else { (x, y) };
    let (mut touches_low, mut touches_high) = (false, false);
    for row in 1..long.abs() {
        let middle = short * row; // in units of 1 / |long|
        for cell in (middle.div_euclid(long.abs()))..=(middle.div_euclid(long.abs()) + 1) {
            let there = if is_steep { (cell, row * long.signum()) } else { (row * long.signum(), cell) };
            if !is_opaque(from + there) {
                continue;
            }
            let off = 2 * (cell * long.abs() - middle);
            match off.abs().cmp(&long.abs()) {
                std::cmp::Ordering::Less => return true,
                std::cmp::Ordering::Equal if off < 0 => touches_low = true,
                std::cmp::Ordering::Equal => touches_high = true,
                std::cmp::Ordering::Greater => {}
            }
        }
    }
    touches_low && touches_high
}

/// Returns the walls that rays meet first. The rays are so close together that each pair of ends of
/// cells has a ray between them, up to row 8, and no ray passes through an end.
fn walls_on_rays(
    topology: Topology,
    from: Cell,
    range: u8,
    is_opaque: impl Fn(Cell) -> bool,
) -> BTreeSet<Cell> {
    const PARTS: i32 = 2 * 1680;
    let mut walls = BTreeSet::new();
    let directions = topology.directions();
    for (index, direction) in directions.iter().enumerate() {
        let (outwards, next) = (direction.offset(), directions[(index + 1) % directions.len()].offset());
        for part in (1..PARTS).step_by(2) {
            for row in 1..=i32::from(range) {
                let aside = (2 * row * part + PARTS) / (2 * PARTS);
                let there = |out: i32, next: i32| out * (row - aside) + next * aside;
                let cell = from + (there(outwards.0, next.0), there(outwards.1, next.1));
                if is_opaque(cell) {
                    walls.extend(is_within(topology, from, cell, range).then_some(cell));
                    break;
                }
            }
        }
    }
    walls
}

#[test]
fn view_is_that_of_lines_and_rays_followed_one_by_one() {
    let (mut floors, mut walls) = (0, 0);
    for map in maps(24) {
        for topology in BOTH {
            for (index, from) in open_cells(&map).into_iter().enumerate().step_by(11) {
                let range = (index % 9) as u8;
                let opaque = |cell| is_opaque(&map, cell);
                let seen = view(topology, from, range, opaque).cells;
                for cell in around(from, range) {
                    let is_near = is_within(topology, from, cell, range);
                    if opaque(cell) {
                        continue;
                    }
                    let expected = match topology {
                        Topology::Square => !is_hidden(from, cell, opaque),
                        Topology::Hexagonal => topology.sees(from, cell, opaque),
                    };
                    let place = format!("{cell} from {from}, range {range}, {topology}, {}", map.name);
                    assert_eq!(seen.contains(&cell), expected && is_near, "{place}");
                    assert!(
                        expected || !topology.sees(from, cell, opaque),
                        "what shots reach is seen: {place}"
                    );
                    floors += usize::from(expected && is_near);
                }
                let expected = walls_on_rays(topology, from, range, opaque);
                walls += expected.len();
                let seen: BTreeSet<Cell> = seen.into_iter().filter(|&cell| opaque(cell)).collect();
                assert_eq!(seen, expected, "walls from {from}, range {range}, {topology}, {}", map.name);
            }
        }
    }
    assert!(floors > 10_000 && walls > 5_000, "{floors} floors, {walls} walls");
}

/// Gate 1.
#[test]
fn cell_that_sees_an_open_cell_is_seen_from_there() {
    let mut pairs = [0, 0];
    for map in maps(44) {
        for (topology, pairs) in BOTH.into_iter().zip(&mut pairs) {
            let range = 13;
            let open = open_cells(&map);
            let views: Vec<BTreeSet<Cell>> = open
                .iter()
                .map(|&from| view(topology, from, range, |cell| is_opaque(&map, cell)).cells)
                .collect();
            for (first, &one) in open.iter().enumerate() {
                for (second, &other) in open.iter().enumerate().take(first) {
                    if is_within(topology, one, other, range) {
                        *pairs += 1;
                        let sees = views[first].contains(&other);
                        let is_seen = views[second].contains(&one);
                        assert_eq!(sees, is_seen, "{one} and {other}, {topology}, {}", map.name);
                    }
                }
            }
        }
    }
    assert!(
        pairs.iter().sum::<i32>() >= 1_000_000 && pairs.iter().all(|&count| count > 400_000),
        "{pairs:?}"
    );
}

/// Gate 2. Rooms with straight walls. In a diamond of squares only walls that share an edge with
/// floor count: each other wall lies behind two of them.
#[test]
fn walls_of_convex_room_are_seen_from_each_cell() {
    let mut walls = 0;
    let room = |width: i32, height: i32| {
        move |cell: Cell| (0..width).contains(&cell.x) && (0..height).contains(&cell.y)
    };
    for (width, height) in [(1, 1), (1, 30), (30, 1), (2, 17), (5, 4), (9, 9), (21, 13), (25, 3)] {
        walls += check_room(Topology::Square, true, room(width, height));
        walls += check_room(Topology::Hexagonal, true, room(width, height));
    }
    for side in 0..9 {
        let steps = |cell: Cell| Topology::Hexagonal.steps(Cell::new(8, 8), cell);
        walls += check_room(Topology::Hexagonal, true, |cell| steps(cell) <= side);
        walls += check_room(Topology::Hexagonal, true, |cell| {
            cell.x >= 0 && cell.y >= 0 && cell.x + cell.y <= 2 * side as i32
        });
        let off = |cell: Cell| ((cell.x - 8).abs(), (cell.y - 8).abs());
        let side = side as i32;
        walls += check_room(Topology::Square, false, |cell| off(cell).0 + off(cell).1 <= side);
    }
    assert!(walls > 20_000, "{walls}");
}

/// Looks from each cell of a room. Returns the number of walls that were compared.
fn check_room(topology: Topology, with_corners: bool, is_floor: impl Fn(Cell) -> bool) -> usize {
    let mut walls = 0;
    let all: Vec<Cell> = (-2..34).flat_map(|y| (-2..34).map(move |x| Cell::new(x, y))).collect();
    for &from in all.iter().filter(|&&cell| is_floor(cell)) {
        for range in [1, 4, 9, 60] {
            let seen = view(topology, from, range, |cell| !is_floor(cell)).cells;
            for &cell in all.iter().filter(|&&cell| is_within(topology, from, cell, range)) {
                if is_floor(cell) {
                    assert!(seen.contains(&cell), "floor {cell} from {from}, range {range}, {topology}");
                    continue;
                }
                let sides = topology.directions().iter();
                let sides = sides.filter(|side| with_corners || !side.is_diagonal());
                let mut touched = sides.map(|side| cell + side.offset());
                if touched.any(|floor| is_floor(floor) && seen.contains(&floor)) {
                    assert!(seen.contains(&cell), "wall {cell} from {from}, range {range}, {topology}");
                    walls += 1;
                }
            }
        }
    }
    walls
}

/// Gate 3: for the views of a range on a map together. A single view may read a little more.
#[test]
fn view_reads_few_cells_that_it_does_not_see() {
    for map in maps(60) {
        for topology in BOTH {
            for range in [8, 16, 32] {
                let (mut reads, mut seen) = (0, 0);
                for from in open_cells(&map).into_iter().step_by(7) {
                    let viewed = view(topology, from, range, |cell| is_opaque(&map, cell));
                    let of_view = (viewed.reads, viewed.cells.len());
                    assert!(of_view.0 * 100 <= of_view.1 * 170, "{of_view:?} from {from} in {}", map.name);
                    (reads, seen) = (reads + of_view.0, seen + of_view.1);
                }
                let place = format!("{topology}, range {range}, {}", map.name);
                assert!(reads * 100 <= seen * 140, "{reads} reads, {seen} seen: {place}");
            }
        }
    }
}

#[test]
fn view_at_the_ends_of_the_plane_sees_no_cell_twice() {
    for topology in BOTH {
        for (x, y) in [(i32::MIN, i32::MIN), (i32::MAX, 0), (i32::MAX, i32::MAX), (3, i32::MIN)] {
            for range in [0, 1, 5, u8::MAX] {
                let from = Cell::new(x, y);
                let seen = view(topology, from, range, |_| false).cells;
                assert!(seen.contains(&from) && (range > 0) == (seen.len() > 1));
                let shut_in = view(topology, from, range, |_| true).cells.len();
                assert!(shut_in <= 1 + topology.directions().len());
            }
        }
    }
    let seen = view(Topology::Square, Cell::new(0, 0), u8::MAX, |_| false).cells.len();
    let disc = around(Cell::new(0, 0), u8::MAX)
        .filter(|&cell| is_within(Topology::Square, Cell::new(0, 0), cell, u8::MAX));
    assert_eq!(seen, disc.count());
}
