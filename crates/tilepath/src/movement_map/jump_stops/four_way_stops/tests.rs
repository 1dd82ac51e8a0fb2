use super::*;
use crate::movement_map::jump_stops::tests::{is_stop, map};

fn input(rows: &BitGrid, width: u32, height: u32) -> ScanInput<'_> {
    ScanInput { rows, rule: Diagonals::Never, width, height }
}

/// Returns the end of a horizontal scan from an open cell, cell by cell, if it is open.
fn end_of_scan(rows: &BitGrid, size: (u32, u32), (x, y): (u32, u32), step: i64) -> Option<u32> {
    let mut at = (i64::from(x) + step, i64::from(y));
    while !is_stop(rows, size, Diagonals::Never, at, (step, 0)) {
        at.0 += step;
    }
    u32::try_from(at.0).ok().filter(|&x| x < size.0 && rows.get(x, y))
}

#[test]
fn walks_stop_at_obstacles_and_where_a_horizontal_scan_leads_somewhere() {
    for (width, height) in [(1, 1), (1, 70), (70, 1), (3, 70), (150, 9), (63, 64), (64, 63), (9, 150)] {
        for closed_in in [2, 5, 40] {
            let rows = map(width, height, closed_in, closed_in);
            let stops = FourWayStops::new(input(&rows, width, height));
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                if !rows.get(x, y) {
                    continue;
                }
                let place = format!("at {x}, {y} of {width} × {height}");
                for (direction, step) in [(Direction::East, 1), (Direction::West, -1)] {
                    let end = end_of_scan(&rows, (width, height), (x, y), step);
                    let scans = stops.scans(direction);
                    assert_eq!(scans.reaches_jump_point(x, y), end.is_some(), "{direction:?} {place}");
                    assert!(end.is_none_or(|end| scans.stops().get(end, y)), "{direction:?} {place}");
                }
                for (direction, step) in [(Direction::North, 1), (Direction::South, -1)] {
                    let mut steps = 1;
                    loop {
                        let beside = y.checked_add_signed(step * steps).filter(|&y| y < height);
                        let Some(beside) = beside.filter(|&y| rows.get(x, y)) else { break };
                        let turns =
                            [1, -1].map(|step| end_of_scan(&rows, (width, height), (x, beside), step));
                        if turns.iter().any(Option::is_some) {
                            break;
                        }
                        steps += 1;
                    }
                    let found = stops.walk(direction, x, y, &mut 0);
                    assert_eq!(found, steps as u32, "{direction:?} {place}");
                }
            }
        }
    }
}

#[test]
fn edits_lead_to_the_stops_of_a_fresh_build() {
    for (width, height) in [(130, 20), (20, 130), (1, 90), (90, 1), (130, 130)] {
        for closed_in in [3, 50] {
            let mut rows = map(width, height, 1, closed_in);
            let mut stops = FourWayStops::new(input(&rows, width, height));
            for step in 0..300_u32 {
                // Single cells, and some rectangles.
                let areas: Vec<Area> = (0..=step % 3)
                    .map(|area| {
                        let random = (step * 3 + area).wrapping_mul(2_654_435_761) >> 7;
                        let (x, y) = (random % width, random / width % height);
                        let [more, rows] =
                            if step % 4 == 0 { [random % 70, random / 16 % 5] } else { [0, 0] };
                        Area { columns: x..(x + 1 + more).min(width), rows: y..(y + 1 + rows).min(height) }
                    })
                    .collect();
                for (x, y) in areas.iter().flat_map(Area::cells) {
                    rows.set(x, y, (x + y + step) % 5 == 0 || step % 2 == 0);
                }
                stops.follow_edits(input(&rows, width, height), &areas);
                let expected = FourWayStops::new(input(&rows, width, height));
                assert_eq!(stops, expected, "{width} × {height}, edit {step}");
            }
        }
    }
}
