//! The target under the pointer: a waypoint, a way or open ground.

use bevy::prelude::*;
use bevy_tilepath::{NavQuery, graphs::NavGraphView};
use tilepath_examples::{pointer::MapPointer, town};

use crate::{
    edit::EditSet,
    scene::{Source, drawing_scale},
};

/// The greatest distance from the pointer to a waypoint that it points at, in world units.
const WAYPOINT_REACH: f32 = 9.0;
/// The greatest distance from the pointer to a way that it points at, in world units.
const WAY_REACH: f32 = 5.0;

/// The target under the pointer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    Waypoint(String),
    Way { from: String, to: String },
    Ground,
}

/// The target under the pointer, and its place in the world. `None` while the pointer is not over
/// the town.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Pointing(pub(crate) Option<(Target, Vec2)>);

impl Pointing {
    /// Returns the waypoint under the pointer.
    pub(crate) fn waypoint(&self) -> Option<&str> {
        match &self.0 {
            Some((Target::Waypoint(id), _)) => Some(id),
            _ => None,
        }
    }
}

/// Keeps [`Pointing`] up to date.
pub(crate) struct PointingPlugin;

/// The system that updates [`Pointing`].
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PointingSet;

impl Plugin for PointingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointing>().add_systems(Update, look.in_set(PointingSet).before(EditSet));
    }
}

fn look(pointer: Res<MapPointer>, nav: NavQuery, source: Res<Source>, mut pointing: ResMut<Pointing>) {
    let view = nav.only_graph().ok();
    let now = view.zip(pointer.world).map(|(view, world)| (target_at(&view, world), world));
    // A meadow has no end. Beside the town there is nothing to walk on.
    let is_endless = matches!(*source, Source::OverMeadow { .. });
    let now =
        now.filter(|(target, world)| is_endless || *target != Target::Ground || town::AREA.contains(*world));
    pointing.set_if_neq(Pointing(now));
}

/// Returns the target at a position of the world.
pub(crate) fn target_at(view: &NavGraphView, world: Vec2) -> Target {
    let scale = drawing_scale(view.graph().len());
    if let Some(waypoint) = view.nearest_waypoint(world)
        && view.world_of(waypoint.position).distance(world) <= WAYPOINT_REACH * scale
    {
        return Target::Waypoint(waypoint.id.to_owned());
    }
    match view.nearest_on_edge(world) {
        Some(place) if view.world_of(place.position).distance(world) <= WAY_REACH * scale => {
            Target::Way { from: place.from.to_owned(), to: place.to.to_owned() }
        }
        _ => Target::Ground,
    }
}
