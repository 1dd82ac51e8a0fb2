//! Checks of answers: one answer, one end, and a confirmed reason for each failure.

use bevy_ecs::{
    entity::{Entity, EntityHashMap},
    world::World,
};
use bevy_math::Vec2;
use bevy_tilepath::{Body, Cell, NavGraph, NavMap, OnMap, PathAgent, PathFailure, Place};

use super::reach::Reach;
use crate::{
    crew::{Agent, Asked, Spot},
    events::{End, Told},
    life::Life,
    lines,
    places::{self, Ground},
    run::{Complaint, Soak},
};

/// The distance from an edge, in cells, at which an agent can count as standing in the cell beyond.
const NEAR_AN_EDGE: f32 = 0.02;

impl Soak {
    pub(crate) fn check_answers(&mut self, told: &[(Entity, Told)]) -> Result<(), Complaint> {
        let index_of: EntityHashMap<usize> =
            self.crew.iter().enumerate().map(|(index, agent)| (agent.entity, index)).collect();
        for (entity, told) in told {
            if let Told::GroupArrived(_) | Told::GroupFailed(_) = told {
                let world = self.app.world();
                self.report.groups[usize::from(matches!(told, Told::GroupFailed(_)))] += 1;
                self.squads.end(world, &self.crew, told, *entity).map_err(|what| (None, what))?;
                continue;
            }
            let Some(&index) = index_of.get(entity) else {
                Life::Gone.told(told).map_err(|fault| (None, fault.to_string()))?;
                continue;
            };
            let number = self.crew[index].number;
            self.check_told(index, told).map_err(|what| (Some(number), what))?;
        }
        Ok(())
    }

    fn check_told(&mut self, index: usize, told: &Told) -> Result<(), String> {
        let agent = &mut self.crew[index];
        match *told {
            // The group chose the place of this member.
            Told::Ordered { is_same, .. } if !is_same || !agent.life.has_order() => {
                agent.is_ordered(Asked {
                    goals: Vec::new(),
                    is_limited: false,
                    along_from: None,
                    is_vague: true,
                    lives: false,
                });
            }
            Told::Ordered { .. } => {}
            _ => agent.life.told(told)?,
        }
        let report = &mut self.report;
        match told {
            Told::Found { .. } => report.found += 1,
            Told::Failed(_) => report.failed += 1,
            Told::Arrived(_) => report.arrived += 1,
            Told::Lost(_) => report.lost += 1,
            Told::Replanned => report.replanned += 1,
            Told::Passed { .. } => report.doors += 1,
            _ => {}
        }
        if let Told::Failed(reason) | Told::Lost(reason) = told {
            self.check_reason(index, *reason)?;
        }
        self.squads.note(self.app.world(), &self.crew[index], told)?;
        match told {
            Told::Arrived(end) => self.check_end(index, end),
            _ => Ok(()),
        }
    }

    /// Checks that a journey ended at its goal, with the whole unit in its place.
    fn check_end(&self, index: usize, end: &End) -> Result<(), String> {
        let world = self.app.world();
        let agent = &self.crew[index];
        let End { map, ref place, is_there } = *end;
        let asked = agent.asked.as_ref().filter(|asked| is_there && !asked.is_vague && !asked.lives);
        let is_meant = |spot: &Spot| match (spot, place) {
            (Spot::Cells(goal_map, cells), Place::Cell(cell)) => *goal_map == map && cells.contains(cell),
            (Spot::Waypoint(graph, id), Place::Waypoint(at)) => *graph == map && *id == **at,
            (Spot::Beside(graph), _) => *graph == map,
            _ => false,
        };
        if let Some(asked) = asked.filter(|asked| !asked.goals.iter().any(is_meant)) {
            return Err(format!("arrived at {place:?} of {map}, but was ordered to {:?}", asked.goals));
        }
        let Place::Cell(cell) = *place else { return Ok(()) };
        let side = places::side_of(world, map, agent.entity);
        let [here, there] =
            [Some(places::position(world, agent.entity)), places::place(world, map, cell, side)]
                .map(|at| at.and_then(|at| places::units(world, map, at)));
        let lives = agent.asked.as_ref().is_none_or(|asked| asked.lives);
        let reach = lines::arrival(world, agent.entity, lives).max(NEAR_AN_EDGE);
        match here.zip(there) {
            // A body that other bodies keep from its goal may still walk to the middle of its cell.
            // A body that stood there before may have begun to give way to another body.
            Some((here, there))
                if here.distance(there) > reach
                    && (world.get::<Body>(agent.entity).is_none()
                        || is_there && !stood_at(world, agent, map, there)) =>
            {
                Err(format!("arrived at {place:?}, and stands at {here} in cells instead of {there}"))
            }
            _ => Ok(()),
        }
    }

    /// Checks the reason against the current world, which has not changed since.
    fn check_reason(&mut self, index: usize, reason: PathFailure) -> Result<(), String> {
        let world = self.app.world();
        let agent = &self.crew[index];
        let own = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0);
        let Some(asked) = &agent.asked else { return Err(format!("{reason:?}, and nothing was asked")) };
        if own.is_none() || asked.is_vague {
            return Ok(());
        }
        let any_goal = |test: &dyn Fn(&Spot) -> bool| asked.goals.iter().any(test);
        let is_confirmed = match reason {
            PathFailure::Unreachable
            | PathFailure::GoalBlocked { .. }
            | PathFailure::GoalUnderOverlay { .. } => {
                let found = self.reached_all_the_same(index);
                self.report.confirmed += u64::from(found.is_none());
                return match found {
                    None => Ok(()),
                    Some(spot) => Err(format!("{reason:?} is told, but a flood reaches {spot:?}")),
                };
            }
            PathFailure::StartOutOfBounds { .. } => {
                agent.gap.is_none_or(|gap| gap.is_doubted) && may_be_off_its_map(world, agent)
            }
            PathFailure::GoalOutOfBounds { .. } => any_goal(&|spot| match spot {
                Spot::Cells(map, cells) => cells
                    .iter()
                    .any(|&cell| Ground::of(world, *map, None).is_none_or(|ground| !ground.contains(cell))),
                Spot::Waypoint(..) | Spot::Beside(_) => false,
            }),
            PathFailure::FootprintOutOfBounds { cell, side, .. } => {
                let passes_border = |map: Entity| {
                    Ground::of(world, map, Some(agent.entity))
                        .is_none_or(|ground| ground.side() == i32::from(side) && !ground.is_within(cell))
                };
                // In a door, the agent counts as standing at the end that it left. If that is in
                // doubt, it can be another end on its map.
                let left = agent.gap.and_then(|gap| gap.left).filter(|&(_, left)| left == cell);
                let doubted = own.filter(|_| agent.gap.is_some_and(|gap| gap.is_doubted));
                left.map(|(map, _)| map).or(doubted).is_some_and(passes_border)
                    || any_goal(&|spot| match spot {
                        Spot::Cells(map, cells) => cells.contains(&cell) && passes_border(*map),
                        Spot::Waypoint(..) | Spot::Beside(_) => false,
                    })
            }
            PathFailure::UnknownWaypoint => any_goal(&|spot| match spot {
                Spot::Waypoint(graph, id) => {
                    world.get::<NavGraph>(*graph).is_none_or(|graph| !graph.graph().contains(id))
                }
                // A position at a waypoint means that waypoint, which may have been removed since.
                Spot::Beside(_) => true,
                Spot::Cells(..) => false,
            }),
            PathFailure::NoMap => any_goal(&|spot| world.get_entity(spot.map()).is_err()),
            PathFailure::PathBeginsElsewhere { .. } => {
                // A body counts as standing at the end of its step.
                let is_body = world.get::<Body>(agent.entity).is_some();
                asked.along_from.is_some_and(|start| is_body || !stands_in(world, agent, start))
            }
            // A path over cells, but the agent is now on a graph.
            PathFailure::WrongKindOfMap => {
                asked.along_from.is_some() && own.is_some_and(|map| world.get::<NavGraph>(map).is_some())
            }
            PathFailure::PathOutdated(_) => asked.along_from.is_some(),
            PathFailure::LimitReached => asked.is_limited,
            PathFailure::Blocked { .. } => world.get::<Body>(agent.entity).is_some(),
            PathFailure::AgentRemoved => world.get::<PathAgent>(agent.entity).is_none(),
            _ => false,
        };
        if is_confirmed {
            return Ok(());
        }
        let position = places::position(world, agent.entity);
        let units = own.and_then(|map| places::units(world, map, position));
        Err(format!(
            "{reason:?} is told, but the world does not confirm it: at {units:?} in cells, {:?}, {asked:?}",
            agent.gap
        ))
    }

    /// Returns a goal that can be reached from one of the cells where the agent can count as
    /// standing.
    fn reached_all_the_same(&self, index: usize) -> Option<Spot> {
        let world = self.app.world();
        let agent = &self.crew[index];
        let map = world.get::<OnMap>(agent.entity)?.0;
        // On a graph an agent can stand on an edge, at a position that only the plugin has.
        world.get::<NavMap>(map)?;
        let mut starts = Vec::new();
        if let Some(gap) = agent.gap {
            starts.push(gap.left.filter(|(left, _)| *left == map)?.1);
        }
        if agent.gap.is_none_or(|gap| gap.is_doubted) {
            let units = places::units(world, map, places::position(world, agent.entity))?;
            let ground = Ground::of(world, map, Some(agent.entity))?;
            starts.extend(ground.anchors_around(units, NEAR_AN_EDGE));
        }
        // A body counts as standing at the end of its step, as it was when the answer was found.
        starts.extend(self.body_steps.get(&agent.entity).map(|step| step.to));
        let reaches: Vec<Reach> = starts
            .into_iter()
            .map(|start| Reach::from(world, &self.level, agent.entity, map, start))
            .collect();
        let goals = &agent.asked.as_ref()?.goals;
        goals.iter().find(|spot| reaches.iter().all(|reach| reach.contains(spot))).cloned()
    }
}

/// Returns whether the agent was near a position before the tick. The map itself can have moved.
fn stood_at(world: &World, agent: &Agent, map: Entity, there: Vec2) -> bool {
    /// A distance that is longer than a map moves in a tick, in cells.
    const MOVED: f32 = 0.25;
    places::units(world, map, agent.before.world).is_some_and(|before| before.distance(there) < MOVED)
}

/// Returns whether the agent can count as standing only in this cell.
fn stands_in(world: &World, agent: &Agent, (map, cell): (Entity, Cell)) -> bool {
    let Some(units) = places::units(world, map, places::position(world, agent.entity)) else { return false };
    let Some(ground) = Ground::of(world, map, Some(agent.entity)) else { return false };
    world.get::<OnMap>(agent.entity) == Some(&OnMap(map))
        && agent.gap.is_none()
        && ground.anchors_around(units, NEAR_AN_EDGE) == [cell]
}

/// Returns whether the agent is outside its map, or near enough to the edge to count as outside.
fn may_be_off_its_map(world: &World, agent: &Agent) -> bool {
    let Some(map) = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0) else { return true };
    let (Some(ground), Some(units)) =
        (Ground::of(world, map, None), places::units(world, map, places::position(world, agent.entity)))
    else {
        return false;
    };
    places::cells_around(ground.shape(), units, NEAR_AN_EDGE).any(|cell| !ground.contains(cell))
}
