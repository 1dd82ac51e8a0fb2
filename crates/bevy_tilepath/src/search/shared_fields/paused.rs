//! Shared fields in a state, with the orders that use them.
//!
//! Decision: `docs/decisions/60-states.md`.

use std::{collections::BTreeMap, sync::Arc};

use bevy_ecs::entity::{Entity, MapEntities};
use tilepath::{Cell, MovementId};

use super::{FieldQuestion, Group, SharedFields, view_of};
use crate::map::{maps::Maps, movement::AgentMovement};

/// The orders with the same question in a [`TilepathState`](crate::TilepathState), and their field.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct GroupState {
    #[entities]
    map: Entity,
    movement: Option<AgentMovement>,
    goals: Arc<[Cell]>,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    askers: Vec<Entity>,
    reach: u32,
    given_up: Option<u64>,
    field: Option<PausedField>,
}

/// A field in a state: its work, which is done again.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct PausedField {
    work: u64,
    asked: u64,
    restarts: u32,
}

impl SharedFields {
    /// Returns the groups for a state, older fields first.
    pub(super) fn group_states(
        &self,
        movement_of: impl Fn(Entity, MovementId) -> Option<AgentMovement>,
    ) -> Vec<GroupState> {
        let mut askers: BTreeMap<&FieldQuestion, Vec<Entity>> = BTreeMap::new();
        for (&asker, question) in &self.askers {
            askers.entry(question).or_default().push(asker);
        }
        let mut groups: Vec<(&FieldQuestion, &Group)> = self.groups.iter().collect();
        groups.sort_by_key(|(_, group)| group.field.as_ref().map_or(u64::MAX, |shared| shared.number));
        let state = |(question, group): (&FieldQuestion, &Group)| {
            let FieldQuestion { map, movement, goals } = question;
            let mut askers = askers.remove(question).unwrap_or_default();
            askers.sort_unstable();
            let field = group.field.as_ref().map(|shared| PausedField {
                work: shared.field.work(),
                asked: shared.asked,
                restarts: shared.restarts,
            });
            let (movement, goals) = (movement_of(*map, *movement), goals.clone());
            let (reach, given_up) = (group.reach, group.given_up);
            GroupState { map: *map, movement, goals, askers, reach, given_up, field }
        };
        groups.into_iter().map(state).collect()
    }

    /// Puts groups back, and does the work of their fields again on the present maps.
    pub(super) fn put_groups(
        &mut self,
        states: Vec<GroupState>,
        id_of: impl Fn(Entity, Option<&AgentMovement>) -> Option<MovementId>,
        maps: &Maps,
    ) {
        for GroupState { map, movement, goals, askers, reach, given_up, field } in states {
            let Some(movement) = id_of(map, movement.as_ref()) else { continue };
            let question = FieldQuestion { map, movement, goals };
            for asker in askers {
                self.note(asker, &question);
            }
            let group = self.groups.entry(question.clone()).or_default();
            (group.reach, group.given_up) = (reach, given_up);
            if let Some(paused) = field
                && let Some(view) = view_of(maps, map)
                && self.begin(&question, &view)
                && let Some(shared) = self.groups.get_mut(&question).and_then(|group| group.field.as_mut())
            {
                (shared.asked, shared.restarts) = (paused.asked, paused.restarts);
                shared.field.advance(paused.work.saturating_sub(shared.field.work()));
            }
        }
    }
}
