//! Larger bodies at rest, which make room for smaller ones that have waited.

use crate::{
    random_worlds::SizedGuide,
    simulation::{check_all, walkers},
};
use testkit::{CROWDED_ROOM, PLACES, Place, crowd_faults};
use tilepath::{
    Cell, Grid, Movement, MovementId, PathFinder, Size,
    crowd::{Activity, Body, BodyId, Crowd, EFFORT_PER_STRAIGHT_STEP, Steps},
    field::{FieldQuery, FlowField},
};

/// The ticks for which a body walks back to the cell on which it rested.
const TICKS_BACK: u32 = 512;

/// A body of a place: it goes to its goal and rests there. A body that was pushed aside goes back
/// once.
struct Unit {
    body: Body,
    goal: Cell,
    /// The tick in which it arrived; bodies at rest have arrived at the start.
    arrived: Option<u32>,
    /// The tick since which it goes back.
    since: Option<u32>,
    is_done: bool,
}

impl Unit {
    /// Returns what it does after a tick, given its anchor.
    fn activity(&mut self, tick: u32, cell: Cell, stands: bool) -> Activity {
        if self.arrived.is_none() && stands && cell == self.goal {
            self.arrived = Some(tick);
        }
        if self.arrived.is_none() {
            return Activity::UnderWay { since: 0 };
        }
        if cell == self.goal {
            self.is_done |= self.since.is_some();
            return Activity::Resting;
        }
        if !self.is_done && tick < *self.since.get_or_insert(tick) + TICKS_BACK {
            return Activity::Returning;
        }
        if stands {
            (self.goal, self.is_done) = (cell, true);
        }
        Activity::Resting
    }
}

/// The result of a place.
struct Report {
    /// For each smaller body: the tick of its arrival, and the ticks that it would take alone.
    smaller: Vec<(Option<u32>, f64)>,
    /// The last tick in which a body moved.
    last: u32,
    /// For each larger body: its anchors before and after.
    larger: Vec<[Cell; 2]>,
}

/// Runs a place until all bodies rest, or the time is over. The rules are checked after each tick.
fn run(place: &Place, ticks_a_step: u32, most: u32) -> Report {
    run_with(place, ticks_a_step, most, |_, _| ())
}

/// Runs a place after a change of its crowd.
fn run_with(
    place: &Place,
    ticks_a_step: u32,
    most: u32,
    change: impl FnOnce(&mut Crowd, &[BodyId]),
) -> Report {
    let height = place.classes.len() as u32 / place.width;
    let grid = Grid::from_classes(place.width, height, place.classes.clone()).unwrap();
    let movements = [1, 2, 3].map(|side| Movement::new().with_size(Size::new(side).unwrap()));
    let mut finder = PathFinder::new(grid.clone(), movements[0].clone());
    let ids: Vec<MovementId> =
        movements.iter().map(|movement| finder.add_movement(movement.clone())).collect();
    let resting = place.large.iter().map(|&(at, side)| (at, at, side, Activity::Resting));
    let under_way = (place.small.iter())
        .map(|&([start, goal], side)| (start, goal, side, Activity::UnderWay { since: 0 }));
    let stride = EFFORT_PER_STRAIGHT_STEP.div_ceil(ticks_a_step);
    let mut crowd = Crowd::new(&grid);
    let (mut units, mut fields, mut kinds) = (Vec::new(), Vec::<FlowField>::new(), Vec::new());
    for (start, goal, side, activity) in resting.chain(under_way) {
        let size = Size::new(side).unwrap();
        let body = Body { size, stride, activity, ..Body::new(units.len() as u32, start.into()) };
        let arrived = (activity == Activity::Resting).then_some(0);
        units.push(Unit { body, goal: goal.into(), arrived, since: None, is_done: false });
        let kind = usize::from(side) - 1;
        kinds.push((kind, fields.len()));
        let query = FieldQuery::new(vec![goal.into()]).with_movement(ids[kind]);
        fields.push(finder.solve_field(&query).unwrap());
    }
    let bodies: Vec<Body> = units.iter().map(|unit| unit.body.clone()).collect();
    let names: Vec<BodyId> = bodies.iter().map(|body| crowd.insert(body).unwrap()).collect();
    change(&mut crowd, &names);
    let steps = ids.iter().map(|&id| Steps::new(&finder, id).unwrap()).collect();
    let mut guide = SizedGuide { steps, fields: &fields, kinds, may_decide: Vec::new() };
    let (mut before, mut last) = (Vec::new(), 0);
    for tick in 1..=most {
        guide.may_decide = names.iter().map(|&name| crowd.may_decide(name)).collect();
        let (larger, smaller) = names.split_at(place.large.len());
        let waited = smaller.iter().filter_map(|&name| Some(crowd.waiting(name)?.ticks + 1)).max();
        let rest = |crowd: &Crowd, name: BodyId| {
            crowd.activity(name) == Activity::Resting && crowd.step(name).is_none()
        };
        let rested: Vec<BodyId> = larger.iter().copied().filter(|&name| rest(&crowd, name)).collect();
        crowd.tick(&mut guide);
        let is_one_pushed = rested.iter().any(|&name| crowd.step(name).is_some());
        assert!(!is_one_pushed || waited >= Some(16), "tick {tick}: {waited:?}");
        let now = walkers(&crowd, &bodies, &names);
        let faults = crowd_faults(&now, false);
        assert!(faults.is_empty(), "after tick {tick}: {faults:#?}");
        check_all(&now, &grid, |index| &movements[guide.kinds[index].0]);
        for (unit, &name) in units.iter_mut().zip(&names) {
            let activity = unit.activity(tick, crowd.cell(name), crowd.step(name).is_none());
            crowd.set_activity(name, activity, None);
        }
        last = if now == before { last } else { tick };
        before = now;
        if units.iter().all(|unit| unit.arrived.is_some()) && tick > last + TICKS_BACK {
            break;
        }
    }
    let (large, small) = units.split_at(place.large.len());
    let smaller = small.iter().zip(&fields[large.len()..]).map(|(unit, field)| {
        let steps = f64::from(field.cost(unit.body.cell).unwrap().get()) / 10.0;
        (unit.arrived, steps * f64::from(ticks_a_step))
    });
    let larger = large.iter().zip(&names).map(|(unit, &name)| [unit.body.cell, crowd.cell(name)]);
    Report { smaller: smaller.collect(), last, larger: larger.collect() }
}

#[test]
fn smaller_bodies_get_past_larger_ones_at_rest() {
    for (name, picture) in PLACES {
        let place = Place::from_picture(picture);
        for ticks_a_step in [1, 3, 8] {
            let report = run(&place, ticks_a_step, 3_000);
            for &(arrived, alone) in &report.smaller {
                let ticks = arrived.map_or(f64::INFINITY, f64::from);
                assert!(ticks <= 10.0 * alone, "{name}, {ticks_a_step}: {ticks} ticks, {alone} alone");
            }
            let end = report.smaller.iter().filter_map(|(arrived, _)| *arrived).max().unwrap();
            assert!(report.last <= end + 200, "{name}, {ticks_a_step}: {end}, {}", report.last);
        }
    }
}

#[test]
fn larger_body_goes_back_after_one_was_let_past() {
    for (name, picture) in &PLACES[..12] {
        for [before, after] in run(&Place::from_picture(picture), 8, 3_000).larger {
            assert_eq!(before, after, "{name}");
        }
    }
}

/// Beside the walls of this room, the larger body would still be on the path.
#[test]
fn larger_body_with_no_place_beside_the_path_stays() {
    let report = run(&Place::from_picture(CROWDED_ROOM), 8, 600);
    assert_eq!(report.smaller[0].0, None);
    assert_eq!(report.larger, [[Cell::new(2, 2); 2]]);
    assert!(report.last < 100, "it stands before the larger one");
}

#[test]
fn larger_body_that_is_held_or_a_target_stays() {
    let place = Place::from_picture(PLACES[0].1);
    let report = run_with(&place, 8, 300, |crowd, names| crowd.set_target(names[1], Some(names[0])));
    assert_eq!(report.larger, [[Cell::new(6, 2); 2]]);
    assert!(report.last < 100, "no body moves any more");
    let report = run_with(&place, 8, 300, |crowd, names| crowd.set_stride(names[0], 0));
    assert_eq!(report.larger, [[Cell::new(6, 2); 2]]);
    assert!(report.last < 100, "no body moves any more");
}
