//! World places of maps and entities.

use bevy_app::App;
use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::Entity,
    entity_disabling::Disabled,
    hierarchy::ChildOf,
    intern::Interned,
    query::{Allow, Or, With},
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, SystemParam},
};
use bevy_math::{Affine2, Mat2, Vec3Swizzles};
use bevy_transform::components::{GlobalTransform, Transform};

use crate::{
    map::{nav_graph::NavGraph, nav_map::NavMap, projection::NavProjection},
    schedule::SyncSteps,
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<NavProjection>().add_systems(schedule, place_maps.in_set(SyncSteps::Maps));
}

fn place_maps(
    mut maps: Query<(Entity, &mut NavProjection), Or<(With<NavMap>, With<NavGraph>)>>,
    places: WorldPlaces,
) {
    for (map, mut projection) in &mut maps {
        let placed = projection.placed(places.of(map));
        projection.set_if_neq(placed);
    }
}

/// The world places of entities, from the transforms at this moment: global transforms are one
/// frame old. Disabled entities are included.
#[derive(SystemParam)]
pub(crate) struct WorldPlaces<'w, 's> {
    transforms: Query<'w, 's, &'static Transform, Allow<Disabled>>,
    parents: Query<'w, 's, &'static ChildOf, Allow<Disabled>>,
}

impl WorldPlaces<'_, '_> {
    /// Returns the place of an entity. An entity without a transform stands at the origin.
    pub(crate) fn of(&self, entity: Entity) -> Affine2 {
        let own = self.transforms.get(entity).copied().unwrap_or_default();
        let mut ancestors = self.parents.iter_ancestors(entity);
        let global = ancestors.try_fold(GlobalTransform::from(own), |place, ancestor| {
            self.transforms.get(ancestor).map(|transform| *transform * place)
        });
        // A parent without a transform has no place in the world: the entity's own transform
        // counts.
        on_plane(&global.unwrap_or(own.into()))
    }
}

/// Returns the part of a place in the world that lies in the plane of maps.
pub(crate) fn on_plane(place: &GlobalTransform) -> Affine2 {
    let affine = place.affine();
    let axes = Mat2::from_cols(affine.matrix3.x_axis.xy(), affine.matrix3.y_axis.xy());
    Affine2::from_mat2_translation(axes, affine.translation.xy())
}
