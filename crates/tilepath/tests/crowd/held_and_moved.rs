//! Bodies held within a step, limited, chasing, or on changed maps.
//!
//! A limit sets how many bodies may begin steps. A chasing body has another body as its goal.

use crate::bodies::{fields_to, file_of, guide, tick_of};
use tilepath::{
    Cell, Grid, Movement,
    crowd::{Activity, Body, Crowd, EFFORT_PER_DIAGONAL_STEP, EFFORT_PER_STRAIGHT_STEP},
};

const UNDER_WAY: Activity = Activity::UnderWay { since: 0 };

fn under_way(number: u32, x: i32, y: i32) -> Body {
    Body { activity: UNDER_WAY, ..Body::new(number, Cell::new(x, y)) }
}

#[test]
fn diagonal_step_waits_for_a_crossing_step_and_names_its_body() {
    let goals = [Cell::new(1, 1), Cell::new(0, 1)];
    let (finder, fields) = fields_to(Grid::new(2, 2, 1).unwrap(), Movement::new(), &goals);
    let mut guide = guide(&finder, &fields, &[0, 1]);
    let mut crowd = Crowd::new(finder.grid());
    let held = crowd.insert(&Body { stride: EFFORT_PER_DIAGONAL_STEP / 2, ..under_way(1, 0, 0) }).unwrap();
    let other = crowd.insert(&Body { activity: Activity::Resting, ..under_way(2, 1, 0) }).unwrap();
    crowd.tick(&mut guide);
    assert!(crowd.step(held).is_some());
    crowd.set_stride(held, 0);
    crowd.set_activity(other, UNDER_WAY, None);
    for _ in 0..3 {
        crowd.tick(&mut guide);
    }
    let waiting = crowd.waiting(other).unwrap();
    assert_eq!((waiting.by, waiting.cell), (Some(held), Some(Cell::new(0, 1))));
    assert_eq!(crowd.cell(other), Cell::new(1, 0));
}

#[test]
fn a_body_begins_no_more_steps_in_a_tick_than_it_may() {
    let (finder, fields) = fields_to(Grid::new(40, 1, 1).unwrap(), Movement::new(), &[Cell::new(39, 0)]);
    let mut guide = guide(&finder, &fields, &[0, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let fast = Body { stride: 20 * EFFORT_PER_STRAIGHT_STEP, ..under_way(1, 10, 0) };
    let first = crowd.insert(&fast).unwrap();
    let second = crowd.insert(&Body { cell: Cell::new(0, 0), number: 2, ..fast }).unwrap();
    crowd.set_steps(first, 9);
    crowd.set_steps(second, 1);
    crowd.tick(&mut guide);
    assert_eq!((crowd.cell(first), crowd.steps_ended(first)), (Cell::new(19, 0), 9));
    assert_eq!((crowd.cell(second), crowd.steps_ended(second)), (Cell::new(1, 0), 1));
    crowd.set_steps(first, 0);
    let recorded = crowd.tick_recorded(&mut guide);
    assert_eq!(crowd.cell(first), Cell::new(19, 0));
    assert_eq!(tick_of(&file_of(&finder, recorded)).unwrap().replay(), Ok(()));
}

/// The held body preferred the cell in the east. Its new cell is the last one in the east.
#[test]
fn held_body_that_is_moved_to_another_cell_has_no_wish_there() {
    let (finder, fields) = fields_to(Grid::new(3, 1, 1).unwrap(), Movement::new(), &[Cell::new(2, 0)]);
    let mut guide = guide(&finder, &fields, &[0, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let body = crowd.insert(&under_way(1, 0, 0)).unwrap();
    crowd.insert(&Body { activity: Activity::Fixed, ..under_way(2, 1, 0) }).unwrap();
    crowd.tick(&mut guide);
    assert_eq!(crowd.waiting(body).unwrap().cell, Some(Cell::new(1, 0)));
    crowd.set_stride(body, 0);
    crowd.place(body, Cell::new(2, 0)).unwrap();
    crowd.tick(&mut guide);
    assert_eq!(crowd.waiting(body).unwrap().cell, None);
}

#[test]
fn chaser_neither_pushes_its_target_nor_draws_it_out_of_a_dead_end() {
    for activity in [Activity::Resting, Activity::Fixed, UNDER_WAY] {
        let grid =
            Grid::from_classes(8, 3, [[1, 1, 1, 0, 0, 0, 0, 0], [1; 8], [1, 1, 1, 0, 0, 0, 0, 0]].concat());
        let (finder, fields) = fields_to(grid.unwrap(), Movement::new(), &[Cell::new(6, 1)]);
        let mut guide = guide(&finder, &fields, &[0, 0]);
        let mut crowd = Crowd::new(finder.grid());
        let target =
            crowd.insert(&Body { activity, goal: Some(7), ..Body::new(1, Cell::new(6, 1)) }).unwrap();
        let dog = crowd.insert(&Body { goal: Some(8), ..under_way(2, 0, 1) }).unwrap();
        crowd.set_target(dog, Some(target));
        let mut ticks = 0;
        while !crowd.is_beside_target(dog, &mut guide) && ticks < 50 {
            crowd.tick(&mut guide);
            ticks += 1;
            assert_eq!(crowd.cell(target), Cell::new(6, 1), "{activity:?}");
        }
        assert_eq!(crowd.cell(dog), Cell::new(5, 1), "{activity:?}");
        let recorded = crowd.tick_recorded(&mut guide);
        let read = tick_of(&file_of(&finder, recorded)).unwrap();
        assert_eq!((read.before()[1].target, read.replay()), (Some(0), Ok(())));
        crowd.remove(target);
        crowd.tick(&mut guide);
        let next = crowd.insert(&Body::new(3, Cell::new(7, 1))).unwrap();
        assert_eq!(next, target, "ids are reused");
        assert!(!crowd.is_beside_target(dog, &mut guide));
    }
}

#[test]
fn tick_in_recording_of_older_version_is_read() {
    let (finder, fields) = fields_to(Grid::new(3, 1, 1).unwrap(), Movement::new(), &[Cell::new(2, 0)]);
    let mut guide = guide(&finder, &fields, &[0]);
    let mut crowd = Crowd::new(finder.grid());
    crowd.insert(&under_way(1, 0, 0)).unwrap();
    let file = file_of(&finder, crowd.tick_recorded(&mut guide));
    let old = file.replacen("Crowd((", "Crowd((format: \"tilepath crowd tick\", version: 1, ", 1);
    let old = old.replace(" steps: 4, target: None,", "");
    assert!(old.contains("version: 1") && !old.contains("target"), "{old}");
    assert_eq!(tick_of(&old).unwrap().replay(), Ok(()));
    let wrong = file.replacen("target: None,", "target: Some(7),", 1);
    assert!(tick_of(&wrong).unwrap_err().to_string().contains("goes to a body that is not there"));
}

#[test]
fn bodies_go_on_with_their_steps_over_a_grid_that_has_grown() {
    let goals = [Cell::new(8, 2), Cell::new(0, 2)];
    let small = Grid::new(9, 5, 1).unwrap();
    let large = Grid::new(15, 9, 1).unwrap().with_origin(Cell::new(-3, -2)).unwrap();
    let (finder, fields) = fields_to(small, Movement::new(), &goals);
    let (grown_finder, grown_fields) = fields_to(large, Movement::new(), &goals);
    let mut small_guide = guide(&finder, &fields, &[0, 1]);
    let mut large_guide = guide(&grown_finder, &grown_fields, &[0, 1]);
    let mut crowd = Crowd::new(finder.grid());
    let all = [(1, 0), (2, 8)]
        .map(|(number, x)| crowd.insert(&Body { stride: 9_000, ..under_way(number, x, 2) }).unwrap());
    for _ in 0..20 {
        crowd.tick(&mut small_guide);
    }
    let steps = all.map(|id| crowd.step(id).unwrap());
    assert_eq!(crowd.move_to(grown_finder.grid()), []);
    assert_eq!(all.map(|id| crowd.step(id).unwrap()), steps);
    crowd.tick(&mut large_guide);
    for (id, before) in all.into_iter().zip(steps) {
        let after = crowd.step(id).unwrap();
        assert!((after.from, after.to) == (before.from, before.to) && after.share > before.share);
    }
    for _ in 0..100 {
        crowd.tick(&mut large_guide);
    }
    assert_eq!(all.map(|id| crowd.cell(id)), goals);
}
