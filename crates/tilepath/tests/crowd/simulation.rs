//! Runs of bodies with goals of their own.
//!
//! Ticks run until all bodies have arrived. The rules are checked after each tick.

use crate::own_ways::OwnWays;
use std::collections::BTreeMap;
use testkit::{Walker, crowd_faults};
use tilepath::{
    Cell, Cost, Direction, Exits, Grid, Movement, MovementId, PathFinder, StepCosts, Topology,
    crowd::{
        Activity, Body, BodyId, Crowd, EFFORT_PER_STRAIGHT_STEP, FieldGuide, Guide, Steps, Surroundings,
        WayGuide,
    },
    field::FlowField,
};

/// The duration of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// Each step takes one tick, also a diagonal one.
    LockStep,
    /// A straight step takes this many ticks; the bodies use the numbers of the list in turns.
    Ticks(&'static [u32]),
}

/// A scene: a map, and the starts and goals of bodies.
pub(crate) struct Scene {
    pub(crate) grid: Grid,
    pub(crate) movement: Movement,
    pub(crate) pace: Pace,
    pub(crate) led_by: LedBy,
    pub(crate) trips: Vec<(Cell, Cell)>,
}

/// The guide of the bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LedBy {
    Fields,
    OwnWays,
}

/// A guide that wraps another one. In lock step, each step takes a whole stride.
pub(crate) struct TestGuide<G> {
    pub(crate) leads: G,
    pub(crate) is_in_lock_step: bool,
}

impl<G: Guide> Guide for TestGuide<G> {
    fn exits(&mut self, body: BodyId, slot: usize) -> Exits {
        self.leads.exits(body, slot)
    }

    fn rest(&mut self, body: BodyId, slot: usize) -> Option<Cost> {
        self.leads.rest(body, slot)
    }

    fn step_cost(&mut self, body: BodyId, entered: usize, direction: Direction) -> Cost {
        self.leads.step_cost(body, entered, direction)
    }

    fn look_around(&mut self, body: BodyId, slot: usize, offsets: &[isize; 8]) -> Surroundings {
        self.leads.look_around(body, slot, offsets)
    }

    fn effort(&mut self, body: BodyId, entered: usize, direction: Direction) -> u32 {
        if self.is_in_lock_step {
            EFFORT_PER_STRAIGHT_STEP
        } else {
            self.leads.effort(body, entered, direction)
        }
    }
}

/// The result of a scene.
#[derive(Debug)]
pub(crate) struct Report {
    /// The tick in which each body first arrived.
    pub(crate) arrived: Vec<Option<u32>>,
    /// The ticks that each body would take alone.
    pub(crate) alone: Vec<f64>,
    /// Pictures of the last ticks.
    pub(crate) last: Vec<String>,
}

impl Report {
    pub(crate) fn all_arrived(&self) -> bool {
        self.arrived.iter().all(Option::is_some)
    }

    pub(crate) fn makespan(&self) -> f64 {
        f64::from(self.arrived.iter().map(|tick| tick.unwrap_or(u32::MAX)).max().unwrap_or(0))
    }

    pub(crate) fn longest_alone(&self) -> f64 {
        self.alone.iter().copied().fold(1.0, f64::max)
    }
}

pub(crate) fn walkers(crowd: &Crowd, bodies: &[Body], ids: &[BodyId]) -> Vec<Walker> {
    let walker = |(body, &id): (&Body, &BodyId)| {
        let cell = crowd.cell(id);
        let (from, share) = crowd.step(id).map_or((cell, 0.0), |step| (step.from, step.share));
        let size = i32::from(body.size.side());
        let (layer, blocks) = (body.layer, body.blocks);
        let number = id.index() as u32;
        Walker { number, from: from.into(), to: cell.into(), share: f64::from(share), size, layer, blocks }
    };
    bodies.iter().zip(ids).map(walker).collect()
}

/// Checks that no rule is broken after a tick, by the bodies among each other or by their steps on
/// the map.
pub(crate) fn check(crowd: &Crowd, grid: &Grid, movement: &Movement, bodies: &[Body], ids: &[BodyId]) {
    let seen = walkers(crowd, bodies, ids);
    let faults = crowd_faults(&seen, grid.topology() == Topology::Hexagonal);
    assert!(faults.is_empty(), "{}\n{faults:#?}", picture(crowd, grid, movement));
    check_all(&seen, grid, |_| movement);
}

/// Checks that the map allows the steps of the bodies, each with its own movement.
pub(crate) fn check_all<'a>(seen: &[Walker], grid: &Grid, movement: impl Fn(usize) -> &'a Movement) {
    for (index, walker) in seen.iter().enumerate().filter(|(_, walker)| walker.from != walker.to) {
        let (from, to) = (Cell::from(walker.from), Cell::from(walker.to));
        let direction = Direction::between(from, to).expect("a step leads to a neighbour");
        let cost = movement(index).step_cost(grid, from, direction);
        assert!(cost.is_some(), "a step that the map forbids: {walker:?}");
    }
}

/// Draws the map from the top. Each letter is a body, by its id.
pub(crate) fn picture(crowd: &Crowd, grid: &Grid, movement: &Movement) -> String {
    let mut on: BTreeMap<Cell, BodyId> = BTreeMap::new();
    for id in crowd.bodies() {
        on.insert(crowd.cell(id), id);
    }
    let rows = (0..grid.height() as i32).rev().map(|y| {
        let letters = (0..grid.width() as i32).map(|x| {
            let cell = grid.origin() + (x, y);
            match on.get(&cell) {
                Some(id) => char::from(b'A' + (id.index() % 26) as u8),
                None if movement.is_open(grid, cell) => '.',
                None => '#',
            }
        });
        letters.collect::<String>()
    });
    rows.collect::<Vec<_>>().join("\n")
}

impl Scene {
    pub(crate) fn movement_for(&self) -> Movement {
        match self.pace {
            Pace::LockStep => self.movement.clone().with_steps(StepCosts::new(10, 10).unwrap()),
            Pace::Ticks(_) => self.movement.clone().with_steps(StepCosts::PRECISE),
        }
    }

    /// Runs until all bodies have arrived, or the time is over.
    pub(crate) fn run(&self, most_ticks: u32) -> Report {
        let movement = self.movement_for();
        let finder = PathFinder::new(self.grid.clone(), movement.clone());
        let mut goals: Vec<Cell> = self.trips.iter().map(|&(_, goal)| goal).collect();
        goals.sort_unstable();
        goals.dedup();
        let fields: Vec<FlowField> = goals.iter().map(|&goal| finder.field(&[goal]).unwrap()).collect();
        let field_of: Vec<u32> =
            self.trips.iter().map(|(_, goal)| goals.binary_search(goal).unwrap() as u32).collect();
        let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
        let is_in_lock_step = self.pace == Pace::LockStep;
        let mut ways = OwnWays::new(&finder, &movement, &steps, &self.trips);
        let stride = |index: usize| match self.pace {
            Pace::LockStep => EFFORT_PER_STRAIGHT_STEP,
            Pace::Ticks(list) => EFFORT_PER_STRAIGHT_STEP.div_ceil(list[index % list.len()]),
        };
        let mut crowd = Crowd::new(finder.grid());
        let bodies: Vec<Body> = (self.trips.iter().enumerate())
            .map(|(index, &(start, _))| Body {
                stride: stride(index),
                size: movement.size(),
                activity: Activity::UnderWay { since: 0 },
                ..Body::new(index as u32, start)
            })
            .collect();
        let ids: Vec<BodyId> = bodies.iter().map(|body| crowd.insert(body).unwrap()).collect();
        let alone = (self.trips.iter().zip(&field_of).enumerate())
            .map(|(index, (&(start, _), &field))| {
                let cost = f64::from(fields[field as usize].cost(start).unwrap().get());
                match self.pace {
                    Pace::LockStep => cost / 10.0,
                    Pace::Ticks(_) => cost * 1_000.0 / f64::from(stride(index)),
                }
            })
            .collect();
        let mut report = Report { arrived: vec![None; ids.len()], alone, last: Vec::new() };
        for tick in 1..=most_ticks {
            match self.led_by {
                LedBy::Fields => {
                    let leads = FieldGuide { steps, fields: &fields, field_of: &field_of };
                    crowd.tick(&mut TestGuide { leads, is_in_lock_step });
                }
                LedBy::OwnWays => {
                    ways.follow(&crowd, &ids, steps);
                    let leads = ways.leads(&crowd, &ids, steps);
                    crowd.tick(&mut TestGuide { leads: WayGuide::new(&leads), is_in_lock_step });
                }
            }
            check(&crowd, &self.grid, &movement, &bodies, &ids);
            for (index, &id) in ids.iter().enumerate() {
                let is_home = crowd.cell(id) == self.trips[index].1;
                if is_home && crowd.step(id).is_none() {
                    report.arrived[index] = report.arrived[index].or(Some(tick));
                    crowd.set_activity(id, Activity::Resting, None);
                } else if !is_home && crowd.activity(id) == Activity::Resting {
                    crowd.set_activity(id, Activity::Returning, None);
                }
            }
            if tick + 12 > most_ticks {
                report.last.push(picture(&crowd, &self.grid, &movement));
            }
            if report.all_arrived() {
                break;
            }
        }
        report
    }
}
