//! Agents with parents: their positions in the world.
//!
//! Agents walk in world space. An agent without a parent has its position in its own `Transform`.
//! For agents with a parent, the place of the parent is computed once a tick, from the transforms
//! at that time.

use bevy_app::App;
use bevy_ecs::{
    entity::EntityHashMap,
    entity_disabling::Disabled,
    hierarchy::ChildOf,
    intern::Interned,
    query::{Allow, Or, With},
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, ResMut},
};
use bevy_math::{Affine2, Vec2};
use bevy_transform::components::Transform;

use crate::{
    journey::{
        body::Body,
        standing_on::{Standing, StandingOn},
    },
    map::world_places::WorldPlaces,
    order::state::RequestState,
    schedule::AcceptSteps,
};

/// The places of all parents of agents, in this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct ParentPlaces(EntityHashMap<ParentPlace>);

#[derive(Debug)]
struct ParentPlace {
    world_from_local: Affine2,
    local_from_world: Affine2,
}

impl ParentPlaces {
    pub(crate) fn entry_count(&self) -> usize {
        self.0.len()
    }

    /// Converts a position in the parent's space into a position in the world. Returns `None` if
    /// the parent is newer than the places of this tick.
    pub(crate) fn world_of(&self, parent: Option<&ChildOf>, local: Vec2) -> Option<Vec2> {
        match parent {
            None => Some(local),
            Some(parent) => Some(self.0.get(&parent.parent())?.world_from_local.transform_point2(local)),
        }
    }

    /// Returns where an agent is. Returns `None` if it has no transform, or its parent is newer
    /// than the places of this tick.
    pub(crate) fn standing<'a>(
        &self,
        parent: Option<&ChildOf>,
        transform: Option<&Transform>,
        standing_on: Option<&'a StandingOn>,
    ) -> Option<Standing<'a>> {
        let local = transform?.translation.truncate();
        Some(Standing { here: self.world_of(parent, local)?, local, last_seen: standing_on })
    }

    /// Converts a position in the world into a position in the parent's space. Returns `None` if
    /// the parent is newer than the places of this tick, or its scale is zero.
    pub(crate) fn local_of(&self, parent: Option<&ChildOf>, world: Vec2) -> Option<Vec2> {
        match parent {
            None => Some(world),
            Some(parent) => {
                let local = self.0.get(&parent.parent())?.local_from_world.transform_point2(world);
                local.is_finite().then_some(local)
            }
        }
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<ParentPlaces>().add_systems(schedule, place_parents.in_set(AcceptSteps::Look));
}

fn place_parents(
    mut places: ResMut<ParentPlaces>,
    // Orders of disabled entities are answered, too.
    children: Query<&ChildOf, (Or<(With<RequestState>, With<Body>)>, Allow<Disabled>)>,
    world_places: WorldPlaces,
) {
    places.0.clear();
    for child in &children {
        places.0.entry(child.parent()).or_insert_with(|| {
            let world_from_local = world_places.of(child.parent());
            ParentPlace { world_from_local, local_from_world: world_from_local.inverse() }
        });
    }
}
