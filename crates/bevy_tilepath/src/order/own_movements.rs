//! Registration of movements that units and orders define themselves.
//!
//! Decision: `docs/decisions/36-movements-of-units.md`.

use bevy_app::App;
use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::Entity,
    entity_disabling::Disabled,
    intern::Interned,
    observer::On,
    query::Allow,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, ResMut},
    world::DeferredWorld,
};

use crate::{
    disabling::{WasDisabled, WasEnabled},
    map::{
        movement::{AgentMovement, OwnMovements, own_movement_changed},
        nav_grid::NavGrid,
    },
    order::request::PathRequest,
    schedule::{AcceptSteps, SearchSteps, SyncSteps},
};

/// Adds the systems that register such movements with maps. They run before the movements are used:
/// when maps are read, when orders are accepted, and when paths are searched. Other code may have
/// given a unit a movement in between.
pub(crate) fn plugin(
    app: &mut App,
    schedule: Interned<dyn ScheduleLabel>,
    sync: Interned<dyn ScheduleLabel>,
) {
    app.init_resource::<OwnMovements>()
        .register_type::<AgentMovement>()
        .add_observer(|on: On<WasDisabled>, world: DeferredWorld| note_own(world, on.entity))
        .add_observer(|on: On<WasEnabled>, world: DeferredWorld| note_own(world, on.entity))
        .add_systems(sync, know_own_movements.in_set(SyncSteps::Movements))
        .add_systems(
            schedule,
            (
                know_own_movements.in_set(AcceptSteps::Movements),
                know_own_movements.in_set(SearchSteps::Movements),
            ),
        );
    // Units may have been spawned before the plugin was added.
    app.world_mut().resource_mut::<OwnMovements>().is_outdated = true;
}

/// Notes that a unit with a movement of its own has come or gone.
fn note_own(mut world: DeferredWorld, unit: Entity) {
    let own = world.get::<AgentMovement>(unit);
    let ordered = world.get::<PathRequest>(unit).and_then(PathRequest::movement);
    if own.into_iter().chain(ordered).any(|movement| matches!(movement, AgentMovement::Own(_))) {
        own_movement_changed(&mut world);
    }
}

fn know_own_movements(
    mut own: ResMut<OwnMovements>,
    mut grids: Query<&mut NavGrid>,
    units: Query<&AgentMovement, Allow<Disabled>>,
    requests: Query<&PathRequest, Allow<Disabled>>,
) {
    if own.is_outdated {
        own.set(units.iter().chain(requests.iter().filter_map(PathRequest::movement)));
    }
    for mut grid in &mut grids {
        if !grid.knows_own_movements(&own) {
            // No answer depends on this, so the grid is not marked as changed.
            grid.bypass_change_detection().know_own_movements(&own);
        }
    }
}
