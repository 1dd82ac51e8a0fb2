//! What a unit waits for.

use bevy_ecs::entity::Entity;
use bevy_reflect::Reflect;
use thiserror::Error;

use crate::{
    failure::PathFailure,
    group::order::GroupOrder,
    journey::{halt::Halt, path::AgentPath},
    order::status::PathStatus,
    query::NavQuery,
};

/// Why a unit does not walk. Its `Display` says what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum WhyNot {
    /// The entity is gone, or it never was a unit.
    #[error("the entity is no unit: give it a PathAgent")]
    NoUnit,
    /// It has no order: none was given, it was cancelled, or answered.
    #[error("it has no order: insert a PathRequest, or a GroupOrder for a group")]
    NoOrder,
    /// The app has no [`TilepathPlugin`](crate::TilepathPlugin), and nothing looks at its order.
    #[error("nothing answers its order: add TilepathPlugin to the app")]
    NoPlugin,
    /// It has no [`PathAgent`](crate::PathAgent). Without one an order is answered and moves nothing.
    #[error(
        "it has no PathAgent, so that its orders are answered and nothing walks: insert PathAgent and order again"
    )]
    NoAgent,
    /// It is a group, and none of its members is an agent.
    #[error("none of its members has a PathAgent: name agents in the GroupOrder")]
    NoMembers,
    /// No tick comes, or no time goes by in it.
    #[error("time stands still: unpause Time<Virtual>, or give it a relative speed above 0")]
    TimeStands,
    /// There is no map yet, or it has not been read.
    #[error(
        "its map is not there yet: spawn a NavMap whose tiles or NavGrid are there, or point OnMap at one"
    )]
    WaitingForMap,
    /// Its order waits for its turn.
    #[error("its search waits for its turn: raise TilepathSettings::work_per_tick if it takes long")]
    Queued,
    /// Its search is under way.
    #[error("its search is under way: raise TilepathSettings::work_per_tick if it takes long")]
    Searching,
    /// Its order waits for a way, which there is not for that reason.
    #[error("it waits for a way: {0}")]
    WaitingForWay(PathFailure),
    /// It stands on its way until that has been planned again.
    #[error("its way is planned again: raise TilepathSettings::work_per_tick if it takes long")]
    Replanning,
    /// It is where the entity is that it follows, or at its last stop.
    #[error("it has come to its goal and waits for that to go on, or for another stop")]
    AtGoal,
    /// Another body is in its way, and does not move.
    #[error("it waits for the body {by}, which is in its way: send that away, or give both another goal")]
    WaitingFor {
        /// The other body.
        by: Entity,
    },
    /// [`PathAgent::paused`](crate::PathAgent::paused) is set.
    #[error("it is paused: set PathAgent::paused to false")]
    Paused,
    /// Its speed is 0, or none.
    #[error("its speed is no more than 0: raise PathAgent::speed")]
    NoSpeed,
    /// It has no steps left.
    #[error("it has no steps left: trigger StepAgent, or remove Stepwise")]
    NoSteps,
    /// Other code writes its `Transform`, and has put it back to one place in each of the last ticks.
    #[error("another system writes its Transform and puts it back: let the plugin alone write x and y")]
    PutBack,
    /// It has arrived.
    #[error("it has arrived: give it another order")]
    Arrived,
    /// It is a member of a group and has come to its place there. Others of the group have not.
    #[error("it has come to its place in the group {group} and waits for the others of that")]
    WaitingForGroup {
        /// The entity of the group.
        group: Entity,
    },
    /// It is a group, none of whose members walks.
    #[error("none of the group walks: ask why_not of its members, {member} first")]
    MembersStand {
        /// Of those that are not at their places yet the one with the lowest [`AgentNumber`](crate::agents::AgentNumber).
        member: Entity,
    },
    /// Its order has failed, or its way was lost.
    #[error("its order has ended: {0}")]
    Failed(PathFailure),
}

impl NavQuery<'_, '_> {
    /// Why a unit does not walk; `None`: it does. For the player who asks, and for debugging.
    ///
    /// A group, by its entity, walks as long as one of its members walks.
    ///
    /// It tells of the last tick. What walls are in the way of an order that failed or waits says
    /// [`NavView::why`](crate::NavView::why).
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
        let Ok((_, status, path, body, member, is_agent)) = self.journeys.get(unit) else {
            return match self.groups.get(unit) {
                Ok(Some(order)) => self.why_not_group(unit, order),
                Ok(None) => Some(WhyNot::NoOrder),
                Err(_) => Some(WhyNot::NoUnit),
            };
        };
        let needs_ticks =
            matches!(status, PathStatus::Queued | PathStatus::Searching | PathStatus::Following);
        if needs_ticks && self.clock.as_ref().is_some_and(|clock| clock.stands) {
            return Some(WhyNot::TimeStands);
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
            PathStatus::Following if path.is_some_and(AgentPath::is_held_by_others) => Some(WhyNot::PutBack),
            PathStatus::Following => {
                let waits_for = body.and_then(|body| body.waits_for);
                waits_for
                    .map(|(by, _)| WhyNot::WaitingFor { by })
                    .or_else(|| path.and_then(AgentPath::why_not))
            }
        }
    }

    fn why_not_group(&self, group: Entity, order: &GroupOrder) -> Option<WhyNot> {
        if self.clock.is_none() {
            return Some(WhyNot::NoPlugin);
        }
        if !order
            .members()
            .iter()
            .any(|&member| self.journeys.get(member).is_ok_and(|(.., is_agent)| is_agent))
        {
            return Some(WhyNot::NoMembers);
        }
        let is_over =
            |status| matches!(status, PathStatus::Idle | PathStatus::Arrived | PathStatus::Failed(_));
        let (mut are_known, mut stands) = (false, None);
        for (member, &status, _, _, of, _) in &self.journeys {
            let Some((_, number)) = of.filter(|(of, _)| of.group() == group) else { continue };
            are_known = true;
            if !is_over(status) {
                // One walks.
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

impl AgentPath {
    fn why_not(&self) -> Option<WhyNot> {
        Some(match self.way_halt().or(self.halt)? {
            Halt::Paused => WhyNot::Paused,
            Halt::Replanning => WhyNot::Replanning,
            Halt::AtGoal => WhyNot::AtGoal,
            Halt::NoSteps => WhyNot::NoSteps,
            Halt::NoSpeed => WhyNot::NoSpeed,
        })
    }
}
