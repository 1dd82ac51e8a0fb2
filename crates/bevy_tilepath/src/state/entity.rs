//! The components of one entity in a state.

#[cfg(feature = "serde")]
use std::borrow::Cow;

use bevy_ecs::{
    change_detection::DetectChangesMut,
    component::{Component, Mutable},
    entity::{Entity, EntityMapper, MapEntities},
    entity_disabling::Disabled,
    hierarchy::ChildOf,
    world::{EntityRef, EntityWorldMut},
};
use bevy_transform::components::Transform;

use crate::{
    group::{
        members::{Group, GroupMember},
        order::GroupOrder,
    },
    journey::{
        agent::{Motion, PathAgent},
        body::{Body, BodyPatience, BodyPlace},
        interpolate::DrawnPosition,
        number::AgentNumber,
        path::AgentPath,
        standing_on::StandingOn,
        stepwise::Stepwise,
    },
    map::{
        door::Door, memory::NavMemory, movement::AgentMovement, nav_graph::NavGraph, nav_grid::NavGrid,
        nav_map::NavMap, on_map::OnMap, projection::NavProjection,
    },
    order::{request::PathRequest, state::RequestState, status::PathStatus, stops::PathStops},
    state::grid::GridState,
    sync::{obstacle::Obstacle, overlay_area::OverlayArea, room::Room},
};

macro_rules! entity_state {
    (
        given { $($given:ident: $Given:ident,)* }
        kept { $($kept:ident: $Kept:ident,)* }
    ) => {
        /// The components of an entity, and its place.
        #[derive(Debug, Clone)]
        #[cfg_attr(feature = "serde", derive(serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "StoredEntity<'de>"))]
        pub(crate) struct EntityState {
            pub(crate) entity: Entity,
            pub(crate) is_disabled: bool,
            pub(crate) parent: Option<Entity>,
            pub(crate) transform: Option<Transform>,
            /// The cells of a map.
            pub(crate) grid: Option<Box<GridState>>,
            /// The place of its shared goals among the lists of goals of the state.
            pub(crate) common: Option<usize>,
            /// The place of its body among the bodies of its crowd.
            pub(crate) body_place: Option<usize>,
            $(pub(crate) $given: Option<Box<$Given>>,)*
            $(pub(crate) $kept: Option<Box<$Kept>>,)*
        }

        /// A part of the state of an entity, as it is written. An entity has few of them.
        #[cfg(feature = "serde")]
        #[derive(serde::Serialize, serde::Deserialize)]
        enum PartState<'a> {
            Disabled,
            Parent(Entity),
            Transform(Transform),
            Grid(Cow<'a, Box<GridState>>),
            Common(usize),
            PlaceInCrowd(usize),
            $($Given(Cow<'a, Box<$Given>>),)*
            $($Kept(Cow<'a, Box<$Kept>>),)*
        }

        #[cfg(feature = "serde")]
        impl EntityState {
            fn parts(&self) -> Vec<PartState<'_>> {
                let own = [
                    self.is_disabled.then_some(PartState::Disabled),
                    self.parent.map(PartState::Parent),
                    self.transform.map(PartState::Transform),
                    self.grid.as_ref().map(|grid| PartState::Grid(Cow::Borrowed(grid))),
                    self.common.map(PartState::Common),
                    self.body_place.map(PartState::PlaceInCrowd),
                ];
                let components = [
                    $(self.$given.as_ref().map(|given| PartState::$Given(Cow::Borrowed(given))),)*
                    $(self.$kept.as_ref().map(|kept| PartState::$Kept(Cow::Borrowed(kept))),)*
                ];
                own.into_iter().chain(components).flatten().collect()
            }
        }

        #[cfg(feature = "serde")]
        impl TryFrom<StoredEntity<'_>> for EntityState {
            type Error = &'static str;

            fn try_from(stored: StoredEntity<'_>) -> Result<Self, Self::Error> {
                let mut state = Self {
                    entity: stored.entity,
                    is_disabled: false,
                    parent: None,
                    transform: None,
                    grid: None,
                    common: None,
                    body_place: None,
                    $($given: None,)*
                    $($kept: None,)*
                };
                for part in stored.parts {
                    let is_first = match part {
                        PartState::Disabled => !std::mem::replace(&mut state.is_disabled, true),
                        PartState::Parent(parent) => state.parent.replace(parent).is_none(),
                        PartState::Transform(transform) => state.transform.replace(transform).is_none(),
                        PartState::Grid(grid) => state.grid.replace(grid.into_owned()).is_none(),
                        PartState::Common(place) => state.common.replace(place).is_none(),
                        PartState::PlaceInCrowd(place) => state.body_place.replace(place).is_none(),
                        $(PartState::$Given(given) => state.$given.replace(given.into_owned()).is_none(),)*
                        $(PartState::$Kept(kept) => state.$kept.replace(kept.into_owned()).is_none(),)*
                    };
                    if !is_first {
                        return Err("an entity has one part twice; load an earlier save");
                    }
                }
                Ok(state)
            }
        }

        impl EntityState {
            pub(crate) fn of(entity: EntityRef) -> Self {
                fn boxed<C: Component + Clone>(entity: EntityRef) -> Option<Box<C>> {
                    entity.get::<C>().cloned().map(Box::new)
                }
                Self {
                    entity: entity.id(),
                    is_disabled: entity.contains::<Disabled>(),
                    parent: entity.get::<ChildOf>().map(ChildOf::parent),
                    transform: simulated(entity),
                    grid: None,
                    common: None,
                    body_place: None,
                    $($given: boxed(entity),)*
                    $($kept: boxed(entity),)*
                }
            }

            /// Removes the components that the state does not have.
            pub(crate) fn remove_others(&self, entity: &mut EntityWorldMut) {
                if !self.is_disabled {
                    entity.remove::<Disabled>();
                }
                $(
                    if self.$given.is_none() {
                        entity.remove::<$Given>();
                    }
                )*
            }

            /// Removes all components of the plugin.
            pub(crate) fn clear(entity: &mut EntityWorldMut) {
                entity.remove::<NavGrid>();
                $(entity.remove::<$Given>();)*
                $(entity.remove::<$Kept>();)*
            }

            /// Gives the entity the components that a game gives. Hooks and observers run for those
            /// that differ.
            pub(crate) fn give(&self, entity: &mut EntityWorldMut) {
                if self.is_disabled {
                    entity.insert_if_new(Disabled);
                }
                $(give(entity, self.$given.as_deref());)*
            }

            /// Writes the components that the plugin keeps.
            pub(crate) fn write(self, entity: &mut EntityWorldMut, seen: ChangesSeen) {
                $(write(entity, self.$kept, seen);)*
            }

            /// Returns whether the state of the entity is more than its place.
            pub(crate) fn is_of_plugin(entity: EntityRef) -> bool {
                entity.contains::<NavGrid>() $(|| entity.contains::<$Given>())*
            }
        }

        impl MapEntities for EntityState {
            fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
                self.entity.map_entities(mapper);
                self.parent.map_entities(mapper);
                $(
                    if let Some(given) = &mut self.$given {
                        Component::map_entities(&mut **given, mapper);
                    }
                )*
                $(
                    if let Some(kept) = &mut self.$kept {
                        Component::map_entities(&mut **kept, mapper);
                    }
                )*
            }
        }
    };
}

entity_state! {
    given {
        // Maps and what lies on them.
        map: NavMap,
        memory: NavMemory,
        projection: NavProjection,
        graph: NavGraph,
        on_map: OnMap,
        door: Door,
        obstacle: Obstacle,
        area: OverlayArea,
        // Agents.
        number: AgentNumber,
        agent: PathAgent,
        movement: AgentMovement,
        body: Body,
        patience: BodyPatience,
        stepwise: Stepwise,
        request: PathRequest,
        member: GroupMember,
        group_order: GroupOrder,
    }
    kept {
        status: PathStatus,
        motion: Motion,
        order: RequestState,
        stops: PathStops,
        path: AgentPath,
        standing_on: StandingOn,
        place: BodyPlace,
        group: Group,
        room: Room,
    }
}

/// Returns the transform of an entity with its simulated place. The drawn place lies behind it.
fn simulated(entity: EntityRef) -> Option<Transform> {
    let mut transform = *entity.get::<Transform>()?;
    let here = transform.translation.truncate();
    if let Some(simulated) = entity.get::<DrawnPosition>().and_then(|drawn| drawn.simulated(here)) {
        transform.translation = simulated.extend(transform.translation.z);
    }
    Some(transform)
}

/// An entity as it is written.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "EntityState", deny_unknown_fields)]
struct StoredEntity<'a> {
    entity: Entity,
    #[serde(deserialize_with = "few_parts")]
    parts: Vec<PartState<'a>>,
}

/// The most parts of an entity that are kept: more than there are kinds. So one of them is there twice if
/// a damaged message has more.
#[cfg(feature = "serde")]
const MOST_PARTS: usize = 64;

/// The first parts of an entity.
#[cfg(feature = "serde")]
#[derive(Default)]
struct FewParts<'a>(Vec<PartState<'a>>);

#[cfg(feature = "serde")]
impl<'a> IntoIterator for FewParts<'a> {
    type Item = PartState<'a>;
    type IntoIter = std::vec::IntoIter<PartState<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(feature = "serde")]
impl<'a> Extend<PartState<'a>> for FewParts<'a> {
    fn extend<I: IntoIterator<Item = PartState<'a>>>(&mut self, parts: I) {
        for part in parts {
            if self.0.len() < MOST_PARTS {
                self.0.push(part);
            }
        }
    }
}

/// Reads the parts of an entity. A part takes a byte, so a damaged message could hold thousands.
#[cfg(feature = "serde")]
fn few_parts<'de, 'a, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<PartState<'a>>, D::Error>
where
    PartState<'a>: serde::Deserialize<'de>,
{
    let FewParts(parts) = tilepath::read_list(deserializer)?;
    Ok(parts)
}

#[cfg(feature = "serde")]
impl serde::Serialize for EntityState {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredEntity { entity: self.entity, parts: self.parts() }.serialize(serializer)
    }
}

impl EntityState {
    /// Puts the entity where it was: among its parents, and at its place.
    pub(crate) fn put_in_place(&self, entity: &mut EntityWorldMut) {
        if entity.get::<ChildOf>().map(ChildOf::parent) != self.parent {
            match self.parent {
                Some(parent) => _ = entity.insert(ChildOf(parent)),
                None => _ = entity.remove::<ChildOf>(),
            }
        }
        let Some(transform) = self.transform else { return };
        // An agent that is at its simulated place already goes on being drawn between two places.
        if simulated(entity.as_readonly()) != Some(transform) {
            entity.insert(transform);
            if let Some(mut drawn) = entity.get_mut::<DrawnPosition>() {
                drawn.leap();
            }
        }
    }
}

fn give<C: Component + Clone + PartialEq>(entity: &mut EntityWorldMut, given: Option<&C>) {
    if let Some(given) = given
        && entity.get::<C>() != Some(given)
    {
        entity.insert(given.clone());
    }
}

/// Whether the next tick sees written components as changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangesSeen {
    Yes,
    No,
}

fn write<C: Component<Mutability = Mutable>>(
    entity: &mut EntityWorldMut,
    kept: Option<Box<C>>,
    seen: ChangesSeen,
) {
    match (entity.get_mut::<C>(), kept) {
        (Some(mut present), Some(kept)) if seen == ChangesSeen::No => {
            *present.bypass_change_detection() = *kept;
        }
        (Some(mut present), Some(kept)) => *present = *kept,
        (None, Some(kept)) => _ = entity.insert(*kept),
        (Some(_), None) => _ = entity.remove::<C>(),
        (None, None) => {}
    }
}
