//! Steps and doors: what an agent stands on besides its position.

use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityMapper, MapEntities},
};
use bevy_math::Vec2;
use tilepath::Cell;

use crate::{journey::path::AgentPath, map::place::MapPlace};

/// The distance beside the line between the ends of a door that still counts as inside, as a part
/// of the line's length. It allows a push by other systems, not a move elsewhere.
const PUSH: f32 = 0.1;

/// The distance beyond the ends of that line that still counts as inside, as a part of its length:
/// more than rounding.
const END: f32 = 1e-3;

/// The step or the door on which an agent was last.
///
/// The position alone is not enough. On a diagonal step it passes the corner where four cells meet,
/// and two of them may be walls. A door may lie off its map, on a map that moves. So both ends are
/// kept: the agent can leave by them, whatever moves. The agent's own translation is kept too,
/// which only this plugin and a teleport write.
///
/// An agent in a door counts as standing at one of its ends. Like any start, the end may be left
/// even if it is a wall now.
#[derive(Component, Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[component(map_entities, clone_behavior = Ignore)]
pub(crate) struct StandingOn {
    /// `None` on open ground.
    crossing: Option<Crossing>,
    /// The place where the plugin put the agent, in the space of its parent.
    local: Option<Vec2>,
    /// True if other code moves the agent, so that it may be elsewhere.
    is_driven: bool,
}

#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Crossing {
    Step(Step),
    /// The two ends of a door, first the end where the agent entered.
    Door(Box<[DoorSide; 2]>),
}

/// A step from the centre of one cell to the centre of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Step {
    pub(crate) map: Entity,
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    /// The number of cells on each side of the agent.
    pub(crate) side: u8,
    /// True if the agent ends the step whatever its orders are: it is a [`Body`](crate::Body).
    pub(crate) is_bound: bool,
}

/// An end of a door in which an agent is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct DoorSide {
    pub(crate) map: Entity,
    pub(crate) map_place: MapPlace,
}

impl MapEntities for StandingOn {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        match &mut self.crossing {
            Some(Crossing::Step(step)) => step.map.map_entities(mapper),
            Some(Crossing::Door(sides)) => sides.iter_mut().for_each(|side| side.map.map_entities(mapper)),
            None => {}
        }
    }
}

impl StandingOn {
    /// Records that an agent on its path was moved from one place in its parent's space to another.
    pub(crate) fn set(&mut self, path: &AgentPath, before: Vec2, after: Vec2) {
        // Before it reaches the start of its path, the agent is still on the step, or in the door,
        // where it got the order.
        if path.next_point() == 0 {
            if self.local == Some(before) {
                self.local = Some(after);
            }
            return;
        }
        self.local = Some(after);
        self.is_driven = path.is_driven();
        self.crossing = if path.is_in_door() {
            sides(path).map(Crossing::Door)
        } else {
            let side = path.leg().side();
            path.step()
                .map(|(from, to)| Crossing::Step(Step { map: path.map(), from, to, side, is_bound: false }))
        };
    }

    /// Records a move between the same two points of its path. Returns false if the agent was not
    /// known to be at `before`.
    pub(crate) fn go_on(&mut self, before: Vec2, after: Vec2) -> bool {
        let is_known = self.local == Some(before);
        if is_known {
            self.local = Some(after);
        }
        is_known
    }
}

impl StandingOn {
    /// Records that a body stands, or steps from one cell to another.
    pub(crate) fn set_in_crowd(&mut self, map: Entity, step: Option<(Cell, Cell)>, side: u8, local: Vec2) {
        (self.local, self.is_driven) = (Some(local), false);
        self.crossing = step.map(|(from, to)| Crossing::Step(Step { map, from, to, side, is_bound: true }));
    }

    /// Lets an agent turn back on its step, because it is not a body or not an agent any more.
    pub(crate) fn set_free(&mut self) {
        if let Some(Crossing::Step(step)) = &mut self.crossing {
            step.is_bound = false;
        }
    }

    /// Records the place of an agent that is not an agent any more. Until now, other code may have moved
    /// it within a door.
    pub(crate) fn end_drive(&mut self, local: Vec2) {
        if std::mem::take(&mut self.is_driven) {
            self.local = Some(local);
        }
    }

    /// Returns where the plugin put the agent last, in the space of its parent.
    pub(crate) fn local(&self) -> Option<Vec2> {
        self.local
    }

    /// Returns whether the agent was last in a door.
    pub(crate) fn is_in_door(&self) -> bool {
        matches!(self.crossing, Some(Crossing::Door(_)))
    }
}

/// Returns the ends of the door in which an agent on this path is.
fn sides(path: &AgentPath) -> Option<Box<[DoorSide; 2]>> {
    let near = path.leg();
    let far = path.legs_left().get(1)?;
    // At the very end of the leg it has not left the leg yet, unless other code moves it right now.
    let is_at_end = !path.is_driven() && path.walk.position == Some(path.points()[path.next_point() - 1]);
    let sides = [
        DoorSide { map: near.map(), map_place: near.last_map_place()? },
        DoorSide { map: far.map(), map_place: far.first_map_place()? },
    ];
    (!is_at_end).then(|| Box::new(sides))
}

/// The place of an agent, with the step or door on which it was last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing<'a> {
    /// The position in the world.
    pub(crate) here: Vec2,
    /// The position in the space of its parent.
    pub(crate) local: Vec2,
    pub(crate) last_seen: Option<&'a StandingOn>,
}

impl<'a> Standing<'a> {
    /// Returns whether only the plugin has moved the agent, in its parent's space, since it last
    /// walked.
    pub(crate) fn is_unmoved(&self) -> bool {
        self.last_seen.is_some_and(|seen| seen.local == Some(self.local))
    }

    /// Returns whether other code always moves the agent, so that its place is no sign of a
    /// teleport.
    pub(crate) fn is_driven(&self) -> bool {
        self.last_seen.is_some_and(|seen| seen.is_driven)
    }

    /// Returns the step on this map on which the agent was last.
    pub(crate) fn step(&self, map: Entity) -> Option<Step> {
        match self.last_seen?.crossing {
            Some(Crossing::Step(step)) if step.map == map => Some(step),
            _ => None,
        }
    }

    /// Returns the ends of the door in which the agent was last, first the end on this map. If both
    /// are on this map, the end where it entered is first.
    pub(crate) fn door_sides(&self, map: Entity) -> Option<[&'a DoorSide; 2]> {
        let Some(Crossing::Door(sides)) = &self.last_seen?.crossing else { return None };
        match &**sides {
            [near, far] if near.map == map => Some([near, far]),
            [near, far] if far.map == map => Some([far, near]),
            _ => None,
        }
    }

    /// Returns whether the agent is between these ends of a door in the world. It may be a little
    /// beside the line.
    pub(crate) fn is_between(&self, ends: [Vec2; 2]) -> bool {
        let [from, to] = ends;
        let line = to - from;
        let share = (self.here - from).dot(line) / line.length_squared();
        let off = self.here.distance_squared(from + line * share);
        (-END..=1.0 + END).contains(&share) && off <= line.length_squared() * (PUSH * PUSH)
    }
}

/// Returns whether a point is at most `reach` away from the line between two other points.
pub(crate) fn is_on_line(point: Vec2, from: Vec2, to: Vec2, reach: f32) -> bool {
    let line = to - from;
    let along = ((point - from).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    point.distance_squared(from + line * along) <= reach * reach
}
