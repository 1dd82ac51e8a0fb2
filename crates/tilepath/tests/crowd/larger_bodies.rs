//! Larger bodies at rest, which make room for smaller ones that have waited.

use crate::{
    random_worlds::SizedGuide,
    simulation::{check_all, walkers},
};
use testkit::crowd_faults;
use tilepath::{
    Cell, Grid, Movement, MovementId, PathFinder, Size,
    crowd::{Activity, Body, BodyId, Crowd, EFFORT_PER_STRAIGHT_STEP, Steps},
    field::{FieldQuery, FlowField},
};

/// Pictures, drawn from the top. A digit is the lowest and leftmost cell of a body of this size
/// that rests; a small letter is a start, and its capital letter the goal. The letters from `w` on
/// are bodies of 2 × 2 cells.
pub(crate) const PICTURES: [(&str, &[&str]); 22] = [
    ("2 before a gap", &["........#.......", "........#.......", "a.....2.......A.", "........#.......", "........#......."]),
    ("2 before a gap, high", &["........#.......", "........#.......", "a.............A.", "......2.#.......", "........#......."]),
    ("3 before a gap", &["........#.......", "........#.......", "........#.......", "a.............A.", ".....3..#.......", "........#.......", "........#......."]),
    ("2 behind a gap", &["........#.......", "........#.......", "A.....2.......a.", "........#.......", "........#......."]),
    ("3 behind a gap", &["........#.......", "........#.......", "........#.......", "A.............a.", ".....3..#.......", "........#.......", "........#......."]),
    ("2 in a corridor", &["....######....", "....######....", "..............", "a....2.......A", "....######....", "....######...."]),
    ("3 in a corridor", &["....######.....", "....######.....", "...............", "a.............A", ".....3.........", "....######.....", "....######....."]),
    ("2 in a corridor with a bay", &["########..########", "########..########", "..................", "a.....2..........A", "##################"]),
    ("2 in a small room", &["#####......", "....#......", "....#......", "A.2.......a", "....#......", "#####......"]),
    ("3 in a small room", &["######......", ".....#......", ".....#......", "A.........a.", "..3..#......", ".....#......", "######......"]),
    ("out of a small room", &["#####......", "....#......", "....#......", "a.2.......A", "....#......", "#####......"]),
    ("goal under 2", &[".........", ".........", "a...2A...", ".........", "........."]),
    ("goal under 3", &[".........", ".........", "a....A...", "....3....", ".........", "........."]),
    ("four before 2", &["........#.......", "b.......#.....B.", "a.....2.......A.", "c.......#.....C.", "d.......#.....D."]),
    ("four before 3", &["........#.......", "........#.......", "b.......#.....B.", "a.............A.", "c....3..#.....C.", "d.......#.....D.", "........#......."]),
    ("both sides of 2", &["........#.......", "b.......#.....A.", "a.....2.......B.", "C.......#.....c.", "D.......#.....d."]),
    ("2 on both sides", &["........#.......", "........#.......", "a.....2..2....A.", "........#.......", "........#......."]),
    ("3 on both sides", &["........#.......", "........#.......", "........#.......", "a.............A.", ".....3..#3......", "........#.......", "........#......."]),
    ("3 and 2 before a gap", &["........#.......", "........#.......", ".....2..#.......", "a.............A.", "........#.......", ".....3..#.......", "........#.......", "........#......."]),
    ("2 waits for 3", &["..........#........", "..........#........", "..........#........", "...................", "w................W.", ".......3..#........", "..........#........", "..........#........"]),
    ("2 where corridors cross", &["######..######", "######..######", "######..######", "..............", "a.....2......A", "######..######", "######..######", "######..######"]),
    ("two rows of 2 in a corridor", &["....######....", "....######....", "..............", "a....2.2.....A", "....######....", "....######...."]),
];

struct Unit {
    start: Cell,
    goal: Cell,
    side: u8,
}

struct Picture {
    grid: Grid,
    large: Vec<(Cell, u8)>,
    small: Vec<Unit>,
}

fn read(rows: &[&str]) -> Picture {
    let (width, height) = (rows[0].len(), rows.len());
    let mut classes = Vec::new();
    let (mut large, mut starts, mut goals) = (Vec::new(), Vec::new(), Vec::new());
    for (y, row) in rows.iter().rev().enumerate() {
        assert_eq!(row.len(), width, "{row}");
        for (x, letter) in row.bytes().enumerate() {
            classes.push(u8::from(letter != b'#'));
            let cell = Cell::new(x as i32, y as i32);
            match letter {
                b'0'..=b'9' => large.push((cell, letter - b'0')),
                b'a'..=b'z' => starts.push((letter, cell)),
                b'A'..=b'Z' => goals.push((letter.to_ascii_lowercase(), cell)),
                _ => {}
            }
        }
    }
    (starts.sort_unstable(), goals.sort_unstable());
    let small = starts.iter().zip(&goals).map(|(&(letter, start), &(other, goal))| {
        assert_eq!(letter, other);
        Unit { start, goal, side: if letter >= b'w' { 2 } else { 1 } }
    });
    Picture {
        grid: Grid::from_classes(width as u32, height as u32, classes).unwrap(),
        large,
        small: small.collect(),
    }
}

/// The times of a picture, in ticks.
#[derive(Debug)]
struct Times {
    arrived: Vec<Option<u32>>,
    alone: Vec<f64>,
    /// The tick after which no body moved.
    rest: u32,
    homes: Vec<(Cell, Cell)>,
    last: Vec<String>,
}

fn run(rows: &[&str], ticks_a_step: u32, most: u32) -> Times {
    let Picture { grid, large, small } = read(rows);
    let mut finder = PathFinder::new(grid.clone(), Movement::new());
    let movements: Vec<Movement> =
        [1, 2, 3].map(|side| Movement::new().with_size(Size::new(side).unwrap())).to_vec();
    for movement in &movements[1..] {
        finder.add_movement(movement.clone());
    }
    let ids: Vec<MovementId> = movements.iter().map(|movement| finder.movement_id(movement).unwrap()).collect();
    let field = |goal: Cell, side: u8| {
        finder.solve_field(&FieldQuery::new(vec![goal]).with_movement(ids[usize::from(side) - 1])).unwrap()
    };
    let stride = EFFORT_PER_STRAIGHT_STEP.div_ceil(ticks_a_step);
    let mut crowd = Crowd::new(&grid);
    let (mut bodies, mut fields, mut kinds): (Vec<Body>, Vec<FlowField>, _) = (vec![], vec![], vec![]);
    let large_units = large.iter().map(|&(cell, side)| (cell, cell, side, Activity::Resting));
    let small_units =
        small.iter().map(|unit| (unit.start, unit.goal, unit.side, Activity::UnderWay { since: 0 }));
    for (start, goal, side, activity) in large_units.chain(small_units) {
        let size = Size::new(side).unwrap();
        bodies.push(Body { size, stride, activity, ..Body::new(bodies.len() as u32, start) });
        kinds.push((usize::from(side) - 1, fields.len()));
        fields.push(field(goal, side));
    }
    let names: Vec<BodyId> = bodies.iter().map(|body| crowd.insert(body).unwrap()).collect();
    let steps = ids.iter().map(|&id| Steps::new(&finder, id).unwrap()).collect();
    let mut guide = SizedGuide { steps, fields: &fields, kinds, may_decide: Vec::new() };
    let mut homes: Vec<(Cell, bool, u32)> = bodies.iter().map(|body| (body.cell, false, 0)).collect();
    let mut arrived = vec![None; small.len()];
    let alone = small.iter().zip(&fields[large.len()..]);
    let alone = alone.map(|(unit, field)| f64::from(field.cost(unit.start).unwrap().get()) / 10.0 * f64::from(ticks_a_step));
    let alone: Vec<f64> = alone.collect();
    let (mut before, mut rest, mut last) = (Vec::new(), 0, Vec::new());
    for tick in 1..=most {
        guide.may_decide = names.iter().map(|&name| crowd.may_decide(name)).collect();
        crowd.tick(&mut guide);
        let now = walkers(&crowd, &bodies, &names);
        let faults = crowd_faults(&now, false);
        assert!(faults.is_empty(), "after tick {tick}: {faults:#?}");
        check_all(&now, &grid, |index| &movements[guide.kinds[index].0]);
        for (index, &name) in names.iter().enumerate() {
            let (cell, stands) = (crowd.cell(name), crowd.step(name).is_none());
            let place = index.checked_sub(large.len());
            if let Some(place) = place.filter(|&place| arrived[place].is_none()) {
                if stands && cell == small[place].goal {
                    arrived[place] = Some(tick);
                    homes[index].0 = cell;
                    crowd.set_activity(name, Activity::Resting, None);
                }
                continue;
            }
            let (home, is_done, since) = &mut homes[index];
            let activity = if cell == *home {
                *is_done |= *since > 0;
                Activity::Resting
            } else if *is_done || tick > *since + 512 && *since > 0 {
                if stands {
                    (*home, *is_done) = (cell, true);
                }
                Activity::Resting
            } else {
                *since = if *since == 0 { tick } else { *since };
                Activity::Returning
            };
            crowd.set_activity(name, activity, None);
        }
        let seen = format!("{now:?}");
        if seen != before.concat() {
            rest = tick;
        }
        before = vec![seen];
        let _: &Vec<String> = &before;
        if tick % (ticks_a_step * 4) == 0 && last.len() < 60 {
            last.push(draw(&grid, &crowd, &bodies, &names));
        }
        if arrived.iter().all(Option::is_some) && tick > rest + 100 {
            break;
        }
    }
    let homes = (0..large.len()).map(|index| (bodies[index].cell, crowd.cell(names[index]))).collect();
    Times { arrived, alone, rest, homes, last }
}

fn draw(grid: &Grid, crowd: &Crowd, bodies: &[Body], names: &[BodyId]) -> String {
    let mut text = String::new();
    for y in (0..grid.height() as i32).rev() {
        for x in 0..grid.width() as i32 {
            let cell = Cell::new(x, y);
            let on = (0..names.len())
                .find(|&index| bodies[index].size.footprint(crowd.cell(names[index])).any(|at| at == cell));
            text.push(match on {
                Some(index) => char::from(b'A' + index as u8),
                None if grid.terrain(cell) == Some(1) => '.',
                None => '#',
            });
        }
        text.push('\n');
    }
    text
}

#[test]
fn smaller_ones_get_past_larger_ones_at_rest() {
    let mut faults = Vec::new();
    for (name, rows) in PICTURES {
        for ticks_a_step in [8, 1] {
            let times = run(rows, ticks_a_step, 6000);
            let worst = times.arrived.iter().zip(&times.alone).map(|(at, alone)| {
                at.map_or(f64::INFINITY, |at| f64::from(at) / alone)
            });
            let worst = worst.fold(0.0, f64::max);
            println!("{name} {ticks_a_step}: {worst:.1} {:?} of {:?}, rest {}, {:?}", times.arrived, times.alone, times.rest, times.homes);
            let arrived = times.arrived.iter().flatten().max().copied().unwrap_or(0);
            if !worst.is_finite() || times.rest > arrived + 300 {
                faults.push(format!("{name} {ticks_a_step}: {}", times.last.join("\n")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
