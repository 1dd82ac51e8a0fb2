//! Bodies that rest at their goals, as units in games.
//!
//! If a body had to make way, it goes back to its goal.

use crate::{
    own_ways::OwnWays,
    simulation::{LedBy, Pace, TestGuide, check, picture},
};
use tilepath::{
    Cell, Cost, Direction, Exits, Grid, Movement, MovementId, PathFinder, StepCosts,
    crowd::{
        Activity, Body, BodyId, Crowd, EFFORT_PER_STRAIGHT_STEP, FieldGuide, Guide, LocalField, Steps, Way,
        WayGuide,
    },
    field::FlowField,
};

/// The cells along each axis within which a body that made way finds back to its resting place.
const HOME_CELLS: u32 = 8;
/// The ticks after which a body stops its return and rests where it is.
const MOST_TICKS_BACK: u32 = 512;

/// A map with bodies, some of which have a goal.
pub(crate) struct Errands {
    pub(crate) grid: Grid,
    pub(crate) movement: Movement,
    pub(crate) pace: Pace,
    pub(crate) led_by: LedBy,
    /// The start of each body, and its goal.
    pub(crate) trips: Vec<(Cell, Option<Cell>)>,
}

/// The end of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The tick in which each body first reached its goal; the first tick for bodies without a
    /// goal.
    pub(crate) arrived: Vec<Option<u32>>,
    /// The tick after which all bodies rested.
    pub(crate) settled: Option<u32>,
    /// The number of bodies that rest away from their goals.
    pub(crate) astray: usize,
    /// The last pictures of the map.
    pub(crate) last: Vec<String>,
}

/// The resting place of a body. If the body is going back there: the tick since when, and the field
/// for it.
struct Home {
    cell: Cell,
    back: Option<(u32, LocalField)>,
    /// True after the body has given up once. It then rests at the cell to which it is pushed.
    is_done: bool,
}

/// A guide for bodies under way, and for bodies that go back to their resting places.
struct ErrandGuide<'map, G> {
    leads: G,
    steps: Steps<'map>,
    homes: &'map [Option<Home>],
    may_decide: Vec<bool>,
}

impl<G> ErrandGuide<'_, G> {
    fn home(&self, body: BodyId) -> Option<&LocalField> {
        assert!(self.may_decide[body.index()], "{body:?} makes no decision in this tick");
        self.homes[body.index()].as_ref().and_then(|home| home.back.as_ref()).map(|(_, field)| field)
    }
}

impl<G: Guide> Guide for ErrandGuide<'_, G> {
    fn exits(&mut self, _body: BodyId, slot: usize) -> Exits {
        self.steps.exits(slot)
    }

    fn rest(&mut self, body: BodyId, slot: usize) -> Option<Cost> {
        match self.home(body) {
            Some(home) => home.rest(slot),
            None => self.leads.rest(body, slot),
        }
    }

    fn step_cost(&mut self, _body: BodyId, entered: usize, direction: Direction) -> Cost {
        self.steps.cost(entered, direction)
    }

    fn effort(&mut self, _body: BodyId, _entered: usize, direction: Direction) -> u32 {
        self.steps.effort(direction)
    }
}

impl Errands {
    /// Runs until all bodies have arrived and rest, or the time is over.
    pub(crate) fn run(&self, most_ticks: u32) -> Outcome {
        let (is_in_lock_step, stride) = match self.pace {
            Pace::LockStep => (true, EFFORT_PER_STRAIGHT_STEP),
            Pace::Ticks(list) => (false, EFFORT_PER_STRAIGHT_STEP.div_ceil(list[0])),
        };
        let step_costs = if is_in_lock_step { StepCosts::new(10, 10).unwrap() } else { StepCosts::PRECISE };
        let movement = self.movement.clone().with_steps(step_costs);
        let finder = PathFinder::new(self.grid.clone(), movement.clone());
        let trips: Vec<(Cell, Cell)> =
            self.trips.iter().map(|&(start, goal)| (start, goal.unwrap_or(start))).collect();
        let fields: Vec<FlowField> = trips.iter().map(|&(_, goal)| finder.field(&[goal]).unwrap()).collect();
        let field_of: Vec<u32> = (0..trips.len() as u32).collect();
        let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
        let slot = |cell: Cell| self.grid.bounds().slot(cell).unwrap();
        let mut ways = OwnWays::new(&finder, &movement, &steps, &trips);
        let mut crowd = Crowd::new(finder.grid());
        let bodies: Vec<Body> = (0..)
            .zip(&self.trips)
            .map(|(number, &(start, goal))| Body {
                stride,
                activity: goal.map_or(Activity::Resting, |_| Activity::UnderWay { since: 0 }),
                goal: goal.map(|goal| slot(goal) as u32),
                ..Body::new(number, start)
            })
            .collect();
        let ids: Vec<BodyId> = bodies.iter().map(|body| crowd.insert(body).unwrap()).collect();
        let mut homes: Vec<Option<Home>> = ids.iter().map(|_| None).collect();
        let arrived = self.trips.iter().map(|(_, goal)| goal.is_none().then_some(0)).collect();
        let mut outcome = Outcome { arrived, settled: None, astray: 0, last: Vec::new() };
        for tick in 1..=most_ticks {
            let may_decide = ids.iter().map(|&id| crowd.may_decide(id)).collect();
            match self.led_by {
                LedBy::Fields => {
                    let leads = FieldGuide { steps, fields: &fields, field_of: &field_of };
                    let leads = ErrandGuide { leads, steps, homes: &homes, may_decide };
                    crowd.tick(&mut TestGuide { leads, is_in_lock_step });
                }
                LedBy::OwnWays => {
                    ways.follow(&crowd, &ids, steps);
                    let mut leads = ways.leads(&crowd, &ids, steps);
                    for (lead, &id) in leads.iter_mut().zip(&ids) {
                        if !matches!(crowd.activity(id), Activity::UnderWay { .. }) {
                            lead.way = Way::default();
                        }
                    }
                    let leads =
                        ErrandGuide { leads: WayGuide::new(&leads), steps, homes: &homes, may_decide };
                    crowd.tick(&mut TestGuide { leads, is_in_lock_step });
                }
            }
            check(&crowd, &self.grid, &movement, &bodies, &ids);
            for (index, &id) in ids.iter().enumerate() {
                let Some(goal) = self.trips[index].1 else { continue };
                let (cell, is_standing) = (crowd.cell(id), crowd.step(id).is_none());
                let number = crowd.goal(id);
                let Some(home) = &mut homes[index] else {
                    if is_standing && cell == goal {
                        outcome.arrived[index] = Some(tick);
                        homes[index] = Some(Home { cell, back: None, is_done: false });
                        crowd.set_activity(id, Activity::Resting, number);
                    }
                    continue;
                };
                let since = home.back.as_ref().map_or(tick, |&(since, _)| since);
                if home.cell == cell {
                    if is_standing {
                        home.back = None;
                        crowd.set_activity(id, Activity::Resting, number);
                    }
                } else if !home.is_done && tick - since < MOST_TICKS_BACK {
                    home.back.get_or_insert_with(|| {
                        let at = slot(home.cell);
                        (tick, LocalField::around(&steps, at, HOME_CELLS, [(at, Cost::ZERO)]))
                    });
                    crowd.set_activity(id, Activity::Returning, number);
                } else if is_standing {
                    *home = Home { cell, back: None, is_done: true };
                    crowd.set_activity(id, Activity::Resting, number);
                }
            }
            let is_settled =
                |&id: &BodyId| crowd.activity(id) == Activity::Resting && crowd.step(id).is_none();
            if tick + 8 > most_ticks {
                outcome.last.push(picture(&crowd, &self.grid, &movement));
            }
            if ids.iter().all(is_settled) {
                outcome.settled = Some(tick);
                outcome.last = vec![picture(&crowd, &self.grid, &movement)];
                break;
            }
        }
        let is_astray = |(&id, &(_, goal)): (&BodyId, &(Cell, Option<Cell>))| {
            goal.is_some_and(|goal| goal != crowd.cell(id))
        };
        outcome.astray = ids.iter().zip(&self.trips).filter(|&errand| is_astray(errand)).count();
        outcome
    }
}
