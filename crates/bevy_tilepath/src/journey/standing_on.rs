//! What an agent stands on, where its position alone does not tell.

use bevy_ecs::{component::Component, entity::Entity};
use bevy_math::Vec2;
use tilepath::Cell;

use crate::{journey::path::AgentPath, map::place::MapPlace};

/// How far beside the line between the ends of a door still counts as inside it, as a part of the line's length: a push
/// by other systems, not a move to elsewhere.
const PUSH: f32 = 0.1;

/// How far beyond the ends of that line is still inside, as a part of its length: more than rounding.
const END: f32 = 1e-3;

/// What an agent was last seen on: a step, or a door.
///
/// The position does not tell: on a diagonal step it passes through the corner where four cells meet, and two of them
/// may be walls; and a door may lie off its map, on a map that moves. So the ends are kept, by which it can be left
/// whatever moves, and the agent's own translation, which only this plugin and a teleport write. In a door the agent
/// counts as standing at one of its ends, and like any start that one may be left even if it is a wall by now.
#[derive(Component, Debug, Clone, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct StandingOn {
    /// `None` on open ground.
    crossing: Option<Crossing>,
    /// Where the agent was put, in the space of its parent.
    local: Option<Vec2>,
}

#[derive(Debug, Clone)]
enum Crossing {
    Step(Step),
    /// Between these ends of a door, the one it came from first.
    Door(Box<[DoorSide; 2]>),
}

/// From the centre of one cell to that of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) map: Entity,
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    /// Cells on a side of the agent.
    pub(crate) side: u8,
    /// Whether it goes to the end of the step whatever it is ordered to do: it is a [`Body`](crate::Body).
    pub(crate) is_bound: bool,
}

/// An end of a door in which an agent is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DoorSide {
    pub(crate) map: Entity,
    pub(crate) map_place: MapPlace,
}

impl StandingOn {
    /// An agent on its path has been put from one place in its parent's space to another.
    pub(crate) fn set(&mut self, path: &AgentPath, before: Vec2, after: Vec2) {
        // On its way to the beginning of its path it is still on the step, or in the door, where the order met it.
        if path.next_point() == 0 {
            if self.local == Some(before) {
                self.local = Some(after);
            }
            return;
        }
        self.local = Some(after);
        self.crossing = if path.is_in_door() {
            sides(path).map(Crossing::Door)
        } else {
            let side = path.leg().side();
            path.step()
                .map(|(from, to)| Crossing::Step(Step { map: path.map(), from, to, side, is_bound: false }))
        };
    }

    /// The same where it went on between two points of its path. `false`: it was not known to be there.
    pub(crate) fn go_on(&mut self, before: Vec2, after: Vec2) -> bool {
        let is_known = self.local == Some(before);
        if is_known {
            self.local = Some(after);
        }
        is_known
    }
}

impl StandingOn {
    /// An agent that is a body stands, or steps from one cell to another.
    pub(crate) fn set_in_crowd(&mut self, map: Entity, step: Option<(Cell, Cell)>, side: u8, local: Vec2) {
        self.local = Some(local);
        self.crossing = step.map(|(from, to)| Crossing::Step(Step { map, from, to, side, is_bound: true }));
    }

    /// One that is no body any more, or no agent, may turn back on its step.
    pub(crate) fn set_free(&mut self) {
        if let Some(Crossing::Step(step)) = &mut self.crossing {
            step.is_bound = false;
        }
    }

    /// Where the agent was put last, in the space of its parent.
    pub(crate) fn local(&self) -> Option<Vec2> {
        self.local
    }

    /// Whether it was last seen in a door.
    pub(crate) fn is_in_door(&self) -> bool {
        matches!(self.crossing, Some(Crossing::Door(_)))
    }
}

/// The ends of the door in which an agent on that path is.
fn sides(path: &AgentPath) -> Option<Box<[DoorSide; 2]>> {
    let near = path.leg();
    let far = path.legs_left().get(1)?;
    // At the very end of the leg it has not left it yet.
    let is_at_end = path.walk.position == Some(path.points()[path.next_point() - 1]);
    let sides = [
        DoorSide { map: near.map(), map_place: near.last_map_place()? },
        DoorSide { map: far.map(), map_place: far.first_map_place()? },
    ];
    (!is_at_end).then(|| Box::new(sides))
}

/// Where an agent is, and what is known of how it got there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing<'a> {
    /// In the world.
    pub(crate) here: Vec2,
    /// In the space of its parent.
    pub(crate) local: Vec2,
    pub(crate) last_seen: Option<&'a StandingOn>,
}

impl<'a> Standing<'a> {
    /// Whether only the plugin has moved it, in its parent's space, since it last walked.
    pub(crate) fn is_unmoved(&self) -> bool {
        self.last_seen.is_some_and(|standing_on| standing_on.local == Some(self.local))
    }

    /// The step on that map that it was last seen on.
    pub(crate) fn step(&self, map: Entity) -> Option<Step> {
        match self.last_seen?.crossing {
            Some(Crossing::Step(step)) if step.map == map => Some(step),
            _ => None,
        }
    }

    /// The ends of the door that it was last seen in, the one on that map first. Where both are on the map that is the
    /// one it came from.
    pub(crate) fn door_sides(&self, map: Entity) -> Option<[&'a DoorSide; 2]> {
        let Some(Crossing::Door(sides)) = &self.last_seen?.crossing else { return None };
        match &**sides {
            [near, far] if near.map == map => Some([near, far]),
            [near, far] if far.map == map => Some([far, near]),
            _ => None,
        }
    }

    /// Whether it is between the ends of a door that are there in the world, if only beside the line.
    pub(crate) fn is_between(&self, ends: [Vec2; 2]) -> bool {
        let [from, to] = ends;
        let line = to - from;
        let share = (self.here - from).dot(line) / line.length_squared();
        let off = self.here.distance_squared(from + line * share);
        (-END..=1.0 + END).contains(&share) && off <= line.length_squared() * (PUSH * PUSH)
    }
}

/// Whether a point is no farther than `reach` from the line between two others.
pub(crate) fn is_on_line(point: Vec2, from: Vec2, to: Vec2, reach: f32) -> bool {
    let line = to - from;
    let along = ((point - from).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    point.distance_squared(from + line * along) <= reach * reach
}
