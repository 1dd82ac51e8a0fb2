use super::*;
use crate::{
    bounds::Bounds,
    cell::Cell,
    movement_map::{
        area::Area,
        neighbour_masks::NeighbourMasks,
        pruning::{MoveTable, StepRule},
    },
};

const RULES: [Diagonals; 3] =
    [Diagonals::OnlyWhenNoObstacles, Diagonals::IfAtMostOneObstacle, Diagonals::Always];

pub(super) fn map(width: u32, height: u32, seed: u32, closed_in: u32) -> BitGrid {
    let items: Vec<u32> =
        (0..width * height).map(|item| (item + seed).wrapping_mul(2_654_435_761) >> 8).collect();
    BitGrid::from_rows(width, height, &items, |item| item % closed_in != 0)
}

fn with_scan_input<T>(
    rows: &BitGrid,
    rule: Diagonals,
    width: u32,
    height: u32,
    use_it: impl FnOnce(ScanInput<'_>) -> T,
) -> T {
    use_it(ScanInput { rows, rule, width, height })
}

fn lines_of(rows: &BitGrid, rule: Diagonals, width: u32, height: u32) -> JumpStops {
    with_scan_input(rows, rule, width, height, JumpStops::new)
}

/// Returns whether the cell is a jump point, by the rules word for word.
pub(super) fn is_stop(
    rows: &BitGrid,
    size: (u32, u32),
    rule: Diagonals,
    at: (i64, i64),
    way: (i64, i64),
) -> bool {
    let open = |x: i64, y: i64| {
        (0..i64::from(size.0)).contains(&x)
            && (0..i64::from(size.1)).contains(&y)
            && rows.get(x as u32, y as u32)
    };
    let ((x, y), (dx, dy)) = (at, way);
    let must_turn = [(dy, dx), (-dy, -dx)].into_iter().any(|(side_x, side_y)| {
        let beside = |steps: i64| open(x + side_x + steps * dx, y + side_y + steps * dy);
        match rule {
            Diagonals::OnlyWhenNoObstacles | Diagonals::Never => beside(0) && !beside(-1),
            Diagonals::IfAtMostOneObstacle => !beside(0) && beside(1) && open(x + dx, y + dy),
            Diagonals::Always => !beside(0) && beside(1),
        }
    });
    must_turn || !open(x, y)
}

/// Returns whether a scan from a cell ends at a jump point.
fn reaches(lines: &JumpStops, direction: Direction, (x, y): (u32, u32)) -> bool {
    let is_row = matches!(direction, Direction::East | Direction::West);
    let (place, line) = if is_row { (x, y) } else { (y, x) };
    lines.scans(direction).reaches_jump_point(place, line)
}

fn check(lines: &JumpStops, rows: &BitGrid, rule: Diagonals, width: u32, height: u32) {
    for direction in [Direction::East, Direction::West, Direction::North, Direction::South] {
        let (dx, dy) = direction.offset();
        for y in 0..height {
            for x in 0..width {
                let found = |bits: &BitGrid| match direction {
                    Direction::East | Direction::West => bits.get(x, y),
                    _ => bits.get(y, x),
                };
                let place = format!("{rule}, {direction:?} at {x}, {y} of {width} × {height}");
                let (dx, dy) = (i64::from(dx), i64::from(dy));
                let stops = |at| is_stop(rows, (width, height), rule, at, (dx, dy));
                let mut at = (i64::from(x), i64::from(y));
                assert_eq!(found(lines.scans(direction).stops()), stops(at), "stop, {place}");
                if !rows.get(x, y) {
                    continue;
                }
                at = (at.0 + dx, at.1 + dy);
                while !stops(at) {
                    at = (at.0 + dx, at.1 + dy);
                }
                let is_open = (0..i64::from(width)).contains(&at.0)
                    && (0..i64::from(height)).contains(&at.1)
                    && rows.get(at.0 as u32, at.1 as u32);
                assert_eq!(reaches(lines, direction, (x, y)), is_open, "lead, {place}");
            }
        }
    }
}

#[test]
fn stops_equal_the_rules_read_cell_by_cell() {
    for (width, height) in [(1, 1), (3, 70), (150, 9), (63, 64), (128, 2)] {
        for closed_in in [2, 5, 40] {
            let rows = map(width, height, closed_in, closed_in);
            for rule in RULES {
                check(&lines_of(&rows, rule, width, height), &rows, rule, width, height);
            }
        }
    }
}

#[test]
fn diagonal_walks_stop_where_a_walk_cell_by_cell_does() {
    for (width, height) in [(1, 1), (1, 70), (70, 1), (3, 70), (150, 9), (63, 64), (64, 63), (9, 150)] {
        for closed_in in [2, 5, 40] {
            let rows = map(width, height, closed_in, closed_in);
            for rule in RULES {
                check_walks(&rows, rule, width, height);
            }
        }
    }
}

fn check_walks(rows: &BitGrid, rule: Diagonals, width: u32, height: u32) {
    let lines = lines_of(rows, rule, width, height);
    let is_open = |(x, y): (u32, u32)| x < width && y < height && rows.get(x, y);
    let mut count = 0;
    let bounds = Bounds::new(Cell::new(0, 0), width, height).unwrap();
    let neighbour_masks = NeighbourMasks::new(rows, &bounds);
    let pruned = MoveTable::pruned(StepRule::Square(rule));
    // Returns whether a diagonal walk cannot go straight on from a cell with these open neighbours.
    let must_turn = |direction: Direction, open: u8| {
        let pruned_successors = pruned.directions(Some(direction), open);
        let aside = 1 << direction.turned(2) as u8 | 1 << direction.turned(6) as u8;
        pruned_successors >> direction as u8 & 1 == 0 || pruned_successors & aside != 0
    };
    {
        for (start, direction) in (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .flat_map(|start| DIAGONALS.map(|direction| (start, direction)))
        {
            let (dx, dy) = direction.offset();
            let moved = |(x, y): (u32, u32)| (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if !is_open(start) || !is_open(moved(start)) {
                continue;
            }
            let looks = |(x, y): (u32, u32)| {
                let sides = [direction.turned(7), direction.turned(1)];
                must_turn(direction, neighbour_masks.at(x, y))
                    || sides.into_iter().any(|side| reaches(&lines, side, (x, y)))
            };
            let (mut at, mut steps) = (moved(start), 1);
            while is_open(at) && !looks(at) {
                (at, steps) = (moved(at), steps + 1);
            }
            let found = lines.walk(direction, start.0, start.1, &mut 0);
            assert_eq!(found, steps, "{rule}, {direction:?} from {start:?} of {width} × {height}");
            count += 1;
        }
    }
    assert!(count > 0 || width.min(height) == 1, "{width} × {height}");
}

#[test]
fn edits_lead_to_the_lines_of_a_fresh_build() {
    for (width, height) in [(130, 20), (20, 130), (1, 90), (90, 1)] {
        check_edits(width, height);
    }
}

#[test]
fn rectangles_lead_to_the_lines_of_a_fresh_build() {
    for (width, height) in [(300, 40), (40, 300), (130, 130)] {
        for rule in RULES {
            for closed_in in [1_000_000, 50, 3] {
                let mut rows = map(width, height, 1, closed_in);
                let mut lines = lines_of(&rows, rule, width, height);
                for step in 0..60_u32 {
                    let areas: Vec<Area> = (0..=step % 5)
                        .map(|area| {
                            let random = (step * 5 + area).wrapping_mul(2_654_435_761) >> 7;
                            let (x, y) = (random % width, random / width % height);
                            let (columns, rows) = (random % 13, random / 16 % 9);
                            Area {
                                columns: x..(x + 1 + columns).min(width),
                                rows: y..(y + 1 + rows).min(height),
                            }
                        })
                        .collect();
                    for (x, y) in areas.iter().flat_map(Area::cells) {
                        rows.set(x, y, (x + y + step) % 7 == 0 || step % 3 == 0);
                    }
                    with_scan_input(&rows, rule, width, height, |input| lines.follow_edits(input, &areas));
                    let expected = lines_of(&rows, rule, width, height);
                    assert_eq!(lines, expected, "{rule}, {width} × {height}, edit {step}");
                }
            }
        }
    }
}

fn check_edits(width: u32, height: u32) {
    for rule in RULES {
        let mut rows = map(width, height, 1, 3);
        let mut lines = lines_of(&rows, rule, width, height);
        for step in 0..300_u32 {
            let random = step.wrapping_mul(2_654_435_761) >> 7;
            let (x, y) = (random % width, random / width % height);
            rows.set(x, y, !rows.get(x, y));
            with_scan_input(&rows, rule, width, height, |input| {
                lines.follow_edits(input, &[Area::of_cell(x, y)]);
            });
            assert_eq!(lines, lines_of(&rows, rule, width, height), "{rule}, edit {step}");
        }
    }
}
