//! Reasons why a unit does not walk.

use bevy_ecs::entity::Entity;
use bevy_reflect::Reflect;
use thiserror::Error;

use crate::{
    failure::PathFailure, group::order::GroupOrder, journey::halt::Halt, order::status::PathStatus,
    query::NavQuery,
};

/// The reason why a unit does not walk: see [`NavQuery::why_not`]. The `Display` text of the reason
/// includes what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum WhyNot {
    /// The entity does not exist, or it is not a unit.
    #[error("the entity is not a unit: give it a PathAgent")]
    NoUnit,
    /// The unit has no order. It never got an order, or the order was cancelled or has ended.
    #[error("it has no order: insert a PathRequest, or a GroupOrder for a group")]
    NoOrder,
    /// The app has no [`TilepathPlugin`](crate::TilepathPlugin), so nothing reads the unit's order.
    #[error("nothing answers its order: add TilepathPlugin to the app")]
    NoPlugin,
    /// The unit has no [`PathAgent`](crate::PathAgent). Paths are found for its orders, but the
    /// unit does not walk.
    #[error(
        "it has no PathAgent, so its orders are answered but it does not walk: insert PathAgent and order again"
    )]
    NoAgent,
    /// The unit is a group, and no member of the group is an agent.
    #[error("none of its members has a PathAgent: name agents in the GroupOrder")]
    NoMembers,
    /// The unit lacks a component that [`PathAgent`](crate::PathAgent) requires: it was removed.
    #[error("it has no {which}, which PathAgent requires: insert PathAgent again")]
    PartMissing {
        /// The name of the component.
        which: &'static str,
    },
    /// The entity is disabled, by Bevy's `Disabled` or by another component that disables entities.
    #[error("it is disabled: remove the component that disables it, such as Disabled")]
    Disabled,
    /// No time is counted, so no tick runs, or no time passes in ticks.
    #[error(
        "the app has no clock: add TimePlugin (it is part of MinimalPlugins and DefaultPlugins), or advance Time"
    )]
    NoClock,
    /// No tick has run yet.
    #[error(
        "no tick has run yet: update the app until a fixed step has passed, or run the plugin's schedule"
    )]
    NoTick,
    /// The plugin's schedule does not run, or no time passes in this schedule.
    #[error("time stands still: unpause Time<Virtual>, or give it a relative speed above 0")]
    TimeStands,
    /// The map of the unit does not exist yet, or the plugin has not read it yet.
    #[error(
        "its map does not exist or has no tiles yet: spawn a NavMap with tiles or a NavGrid, or point OnMap at one"
    )]
    WaitingForMap,
    /// The search for the unit's path has not begun: other searches are first.
    #[error("its search waits for its turn: raise TilepathSettings::work_per_tick if it takes long")]
    Queued,
    /// The search for the unit's path is running.
    #[error("its search is under way: raise TilepathSettings::work_per_tick if it takes long")]
    Searching,
    /// There is no path, for this reason. The unit's order waits until there is a path.
    #[error("it waits for a path: {0}")]
    WaitingForWay(PathFailure),
    /// The path of the unit is blocked, and the unit stands until a new path is found: it has come to the
    /// blocked place, or the search is running.
    #[error("it waits for a new path: raise TilepathSettings::work_per_tick if it takes long")]
    Replanning,
    /// The unit has reached the entity that it follows, or the last of its stops. The order goes
    /// on.
    #[error("it is at its goal and waits until the goal moves or the order gets another stop")]
    AtGoal,
    /// Another body blocks the unit and does not move.
    #[error("it waits for the body {by}, which does not move: send {by} away, or give both another goal")]
    WaitingFor {
        /// The other body.
        by: Entity,
    },
    /// The unit is a body and waits before a door, because other bodies hold the door or the cell behind
    /// it.
    #[error("it waits before the door {door} until the cell behind it is free")]
    WaitingForDoor {
        /// The entity of the door.
        door: Entity,
    },
    /// [`PathAgent::paused`](crate::PathAgent::paused) is set.
    #[error("it is paused: set PathAgent::paused to false")]
    Paused,
    /// The speed of the unit is zero, negative or NaN.
    #[error("its speed is not above 0: raise PathAgent::speed")]
    NoSpeed,
    /// The unit has no steps left, see [`Stepwise`](crate::Stepwise).
    #[error("it has no steps left: trigger StepAgent, or remove Stepwise")]
    NoSteps,
    /// Other code writes the `Transform` of the unit, and has put the unit back to one place again
    /// and again. A warning is logged, too.
    #[error(
        "another system writes its Transform and puts it back: only the plugin may write x and y; to draw the unit \
         elsewhere, move a child of it"
    )]
    PutBack,
    /// Other code moves the unit ([`Drive::Velocity`](crate::agents::Drive::Velocity)), and the unit has
    /// made no progress for a second.
    #[error("it makes no progress: move it by Motion::velocity, or remove what holds it")]
    Stuck,
    /// The unit has arrived.
    #[error("it has arrived: give it another order")]
    Arrived,
    /// The unit is a member of a group and has reached its place. Other members have not reached
    /// their places.
    #[error("it is at its place in the group {group} and waits for the other members")]
    WaitingForGroup {
        /// The entity of the group.
        group: Entity,
    },
    /// The unit is a group, and no member of the group walks.
    #[error("no member of the group walks: call why_not for its members, {member} first")]
    MembersStand {
        /// A member that is not at its place yet: the one with the lowest
        /// [`AgentNumber`](crate::agents::AgentNumber).
        member: Entity,
    },
    /// The order of the unit has failed, or the path of the unit was lost.
    #[error("its order has ended: {0}")]
    Failed(PathFailure),
}

impl NavQuery<'_, '_> {
    /// Returns the reason why a unit does not walk, or `None` if it walks. Use it to inform the
    /// player, and to debug.
    ///
    /// For a group use the entity of the group. A group walks if one of its members walks.
    ///
    /// The answer is about the last tick. If an order has failed, or waits for a path,
    /// [`NavView::why`](crate::NavView::why) returns the walls that are in the way.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{queries::WhyNot, NavQuery, PathAgent};
    ///
    /// let mut world = World::new();
    /// let soldier = world.spawn(PathAgent::default()).id();
    /// let why = world.run_system_once(move |nav: NavQuery| nav.why_not(soldier)).unwrap();
    /// assert_eq!(why, Some(WhyNot::NoOrder));
    /// assert_eq!(why.unwrap().to_string(), "it has no order: insert a PathRequest, or a GroupOrder for a group");
    /// ```
    #[must_use]
    pub fn why_not(&self, unit: Entity) -> Option<WhyNot> {
        if let Some(which) = self.parts.get(unit).ok().and_then(|parts| parts.missing()) {
            return Some(WhyNot::PartMissing { which });
        }
        let Ok((_, status, path, body, member, is_agent, is_stepwise)) = self.journeys.get(unit) else {
            return match self.groups.get(unit) {
                Ok(Some(order)) => self.why_not_group(unit, order),
                Ok(None) => Some(WhyNot::NoOrder),
                Err(_) if self.disabled.contains(unit) => Some(WhyNot::Disabled),
                Err(_) => Some(WhyNot::NoUnit),
            };
        };
        let is_over = matches!(status, PathStatus::Idle | PathStatus::Arrived | PathStatus::Failed(_));
        if !is_over && self.disabled.contains(unit) {
            return Some(WhyNot::Disabled);
        }
        if let Some(why) = self.why_no_tick(*status, is_stepwise) {
            return Some(why);
        }
        match *status {
            PathStatus::Idle => Some(match self.units.get(unit) {
                Ok((.., Some(_))) if self.clock.is_none() => WhyNot::NoPlugin,
                _ if !is_agent => WhyNot::NoAgent,
                _ => WhyNot::NoOrder,
            }),
            PathStatus::WaitingForMap => Some(WhyNot::WaitingForMap),
            PathStatus::Queued => Some(WhyNot::Queued),
            PathStatus::Searching => Some(WhyNot::Searching),
            PathStatus::WaitingForWay(reason) => Some(WhyNot::WaitingForWay(reason)),
            PathStatus::Paused => Some(WhyNot::Paused),
            PathStatus::Arrived => {
                let group = member.map(|(member, _)| member.group());
                let group = group.filter(|&group| self.groups.get(group).is_ok_and(|order| order.is_some()));
                Some(group.map_or(WhyNot::Arrived, |group| WhyNot::WaitingForGroup { group }))
            }
            PathStatus::Failed(reason) => Some(WhyNot::Failed(reason)),
            PathStatus::Following => {
                let by = body.and_then(|body| body.waits_for).map(|(by, _)| by);
                path.and_then(|path| path.why_halt(by)).map(WhyNot::from)
            }
        }
    }

    /// Returns the reason if a unit with this status stands because no tick runs, or no time passes.
    fn why_no_tick(&self, status: PathStatus, is_stepwise: bool) -> Option<WhyNot> {
        let clock = self.clock.as_ref()?;
        let needs_ticks =
            matches!(status, PathStatus::Queued | PathStatus::Searching | PathStatus::Following);
        // Steps without animation need no time.
        let needs_time = matches!(status, PathStatus::Following) && !is_stepwise;
        if clock.is_missing && (needs_time || needs_ticks && !clock.has_ticked) {
            Some(WhyNot::NoClock)
        } else if needs_ticks && !clock.has_ticked {
            Some(WhyNot::NoTick)
        } else {
            (needs_ticks && clock.stands).then_some(WhyNot::TimeStands)
        }
    }

    fn why_not_group(&self, group: Entity, order: &GroupOrder) -> Option<WhyNot> {
        if self.clock.is_none() {
            return Some(WhyNot::NoPlugin);
        }
        if !order
            .members()
            .iter()
            .any(|&member| self.journeys.get(member).is_ok_and(|(.., is_agent, _)| is_agent))
        {
            return Some(WhyNot::NoMembers);
        }
        let is_over =
            |status| matches!(status, PathStatus::Idle | PathStatus::Arrived | PathStatus::Failed(_));
        let (mut are_known, mut stands) = (false, None);
        for (member, &status, _, _, of, ..) in &self.journeys {
            let Some((_, number)) = of.filter(|(of, _)| of.group() == group) else { continue };
            are_known = true;
            if !is_over(status) {
                // If a member walks, the group walks.
                self.why_not(member)?;
                stands = stands.into_iter().chain([(number.get(), member)]).min();
            }
        }
        Some(match stands {
            Some((_, member)) => WhyNot::MembersStand { member },
            None if are_known => WhyNot::Arrived,
            None => WhyNot::WaitingForMap,
        })
    }
}

impl From<Halt> for WhyNot {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::PutBack => Self::PutBack,
            Halt::Body(by) => Self::WaitingFor { by },
            Halt::Replanning => Self::Replanning,
            Halt::AtGoal => Self::AtGoal,
            Halt::Paused => Self::Paused,
            Halt::NoSteps => Self::NoSteps,
            Halt::NoSpeed => Self::NoSpeed,
            Halt::Door(door) => Self::WaitingForDoor { door },
            Halt::Stuck => Self::Stuck,
        }
    }
}
