//! Soldier, wagon and boat at the same time, each with its own movement.
//!
//! The ground is painted while they move.

use std::io::{self, Write};

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{AgentPath, Cell, NavQuery, PathAgent, PathStatus};
use tilepath_examples::{ground::Ground, tiles::centre_of};

use super::{PATIENCE, STEP, Tour};
use crate::{brush::Brush, orders::order, report::News, rules::Rules, units::Unit};

/// The greatest difference of the forecast time and the real time, in seconds: two updates.
const TOLERANCE: f64 = 0.13;

/// The result of a unit's order.
struct Journey {
    news: News,
    why: String,
    replans: u32,
    /// The time of the walk, in seconds.
    taken: f64,
}

/// Continues after the soldier's own tour: the great bridge is gone, and rocks block the small one.
pub(super) fn run(tour: &mut Tour, out: &mut dyn Write) -> io::Result<()> {
    let great_bridge = || (19..=23).flat_map(|x| [(x, 11), (x, 12)]);
    tour.paint(Brush::Bridge, great_bridge());
    tour.paint(Brush::Ground(Ground::Road), [(16, 3), (17, 3), (22, 3), (23, 3)]);
    writeln!(out, "\nthe bridges are mended, the rocks are gone: now the wagon and the boat, too")?;

    tour.rules(|rules| rules.closest = false);
    let all = [(Unit::Soldier, (9, 15)), (Unit::Wagon, (30, 11)), (Unit::Boat, (20, 22))];
    let plain = tour.together(out, "home, over the great bridge, and up the river", &all)?;
    demand(plain.iter().all(Journey::is_there), "all three arrive")?;

    tour.rules(|rules| rules.terrain_speed = true);
    let all = [(Unit::Soldier, (6, 2)), (Unit::Wagon, (12, 11)), (Unit::Boat, (22, 14))];
    let by_cost = tour.together(out, "and on, slowed down by what the ground costs", &all)?;
    demand(by_cost.iter().all(Journey::is_there), "all three arrive at their own speed")?;
    let all = [(Unit::Soldier, (9, 15)), (Unit::Wagon, (30, 11)), (Unit::Boat, (20, 22))];
    tour.rules(|rules| rules.terrain_speed = false);
    let constant = tour.together(out, "the same paths back, as fast on any ground", &all)?;
    for (slow, fast) in by_cost.iter().zip(&constant).take(2) {
        demand(slow.taken > fast.taken, "on grass and mud it takes longer by cost")?;
    }

    let all = [(Unit::Soldier, (20, 15)), (Unit::Wagon, (19, 3)), (Unit::Boat, (24, 20))];
    let refused = tour.together(out, "where they cannot go", &all)?;
    for (journey, unit) in refused.iter().zip(Unit::ALL) {
        demand(journey.why.starts_with(unit.limit()), "each says what it is like")?;
        demand(journey.why.contains("There would be one if"), "each says what to open")?;
    }
    let below = [(Unit::Boat, (20, 6))];
    let stopped = tour.together(out, "down the river, below the great bridge", &below)?;
    demand(stopped[0].why.contains("road or bridge"), "the bridge stops the boat")?;

    tour.rules(|rules| rules.closest = true);
    let both = [(Unit::Soldier, (30, 13)), (Unit::Wagon, (12, 11))];
    tour.send(&both);
    tour.steps(8);
    tour.paint(Brush::Ground(Ground::Water), great_bridge());
    writeln!(out, "\nthe great bridge falls while the soldier and the wagon are on their way to it")?;
    tour.send(&below);
    let [on_foot, rolled, sailed] = &tour.arrive(out, &Unit::ALL)?[..] else { return Ok(()) };
    demand(on_foot.replans == 1 && on_foot.is_there(), "the soldier takes the small bridge")?;
    let stays = News::Arrived { partial: true };
    demand(rolled.replans == 1 && rolled.news == stays, "the small bridge is too narrow for the wagon")?;
    demand(sailed.is_there(), "where the bridge was the boat sails through")
}

/// Returns an error unless a fact holds.
fn demand(holds: bool, fact: &str) -> io::Result<()> {
    if holds { Ok(()) } else { Err(io::Error::other(format!("it is not so that {fact}"))) }
}

impl Journey {
    fn is_there(&self) -> bool {
        self.news == News::Arrived { partial: false }
    }
}

impl Tour {
    fn entity(&self, unit: Unit) -> Entity {
        match unit {
            Unit::Soldier => self.soldier,
            Unit::Wagon => self.wagon,
            Unit::Boat => self.boat,
        }
    }

    /// Orders several units at once and waits for the last one.
    fn together(
        &mut self,
        out: &mut dyn Write,
        name: &str,
        orders: &[(Unit, (i32, i32))],
    ) -> io::Result<Vec<Journey>> {
        writeln!(out, "\norders: {name}")?;
        self.send(orders);
        let units: Vec<Unit> = orders.iter().map(|(unit, _)| *unit).collect();
        self.arrive(out, &units)
    }

    fn send(&mut self, orders: &[(Unit, (i32, i32))]) {
        let rules = *self.app.world().resource::<Rules>();
        for &(unit, goal) in orders {
            let entity = self.entity(unit);
            let goal = order(centre_of(Cell::from(goal)), rules);
            self.app.world_mut().entity_mut(entity).insert(goal);
        }
        self.steps(2);
    }

    /// Runs until the orders of these units have ended, and writes how.
    fn arrive(&mut self, out: &mut dyn Write, units: &[Unit]) -> io::Result<Vec<Journey>> {
        let foreseen: Vec<f64> = units.iter().map(|&unit| self.seconds_left(unit)).collect();
        let mut taken = vec![None; units.len()];
        for update in 0..PATIENCE {
            for (taken, &unit) in taken.iter_mut().zip(units) {
                let status = self.app.world().get::<PathStatus>(self.entity(unit));
                if matches!(status, Some(PathStatus::Arrived | PathStatus::Failed(_))) {
                    taken.get_or_insert(update as f64 * STEP.as_secs_f64());
                }
            }
            if taken.iter().all(Option::is_some) {
                break;
            }
            self.app.update();
            self.check_ground()?;
        }
        let mut journeys = Vec::with_capacity(units.len());
        for ((&unit, foreseen), taken) in units.iter().zip(foreseen).zip(taken) {
            let report = self.report(self.entity(unit));
            let taken =
                taken.ok_or_else(|| io::Error::other(format!("the {} does not arrive", unit.name())))?;
            let place = self.place(self.entity(unit));
            match &report.news {
                News::Arrived { partial: false } if report.replans == 0 => {
                    writeln!(
                        out,
                        "{}: arrived at {place} in {taken:.1} s, foreseen {foreseen:.1} s",
                        unit.name()
                    )?;
                    demand((taken - foreseen).abs() < TOLERANCE, "the time left is known beforehand")?;
                }
                News::Arrived { partial: false } => {
                    writeln!(out, "{}: arrived at {place}, planned again", unit.name())?;
                }
                News::Arrived { partial: true } => {
                    writeln!(out, "{}: as near as it gets, at {place}. {}", unit.name(), report.why)?;
                }
                _ => writeln!(out, "{}: stays at {place}. {}", unit.name(), report.why)?,
            }
            let (news, why, replans) = (report.news, report.why, report.replans);
            journeys.push(Journey { news, why, replans, taken });
        }
        Ok(journeys)
    }

    fn seconds_left(&self, unit: Unit) -> f64 {
        let entity = self.app.world().entity(self.entity(unit));
        let parts = entity.get_components::<(&AgentPath, &PathAgent)>();
        parts.map_or(0.0, |(path, agent)| path.seconds_left(agent))
    }

    /// Tests that each unit is on ground that is open for all of its cells.
    fn check_ground(&mut self) -> io::Result<()> {
        let stand = |nav: NavQuery, units: Query<(Entity, &Unit, &Transform)>| {
            units.iter().find_map(|(entity, unit, place)| {
                let map = nav.map_of(entity).ok()?;
                let cell = map.cell_at(place.translation.truncate())?;
                let may = map.finder().movement(map.movement())?.is_open(map.grid().grid(), cell);
                (!may).then(|| format!("the {} stands at {cell}", unit.name()))
            })
        };
        let wrong = self.app.world_mut().run_system_once(stand).map_err(|error| error.to_string());
        wrong.map_err(io::Error::other)?.map_or(Ok(()), |fault| Err(io::Error::other(fault)))
    }
}
