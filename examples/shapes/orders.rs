//! Clicks: the left button sends a walker, the right one puts up rocks.

use bevy::prelude::*;
use bevy_tilepath::{OnMap, PathRequest};
use tilepath_examples::pointer::{MapPointer, world_of_event};

use crate::{
    ground::{Ground, Maps, Spot},
    scene::Walker,
};

/// Turns clicks into orders and rocks. Needs a window.
pub(crate) struct OrdersPlugin;

impl Plugin for OrdersPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointed>().add_systems(Update, look).add_observer(act);
    }
}

/// The tile under the pointer.
#[derive(Resource, Debug, Default)]
pub(crate) struct Pointed(pub(crate) Option<Spot>);

/// Keeps [`Pointed`] up to date.
pub(crate) fn look(maps: Maps, pointer: Res<MapPointer>, mut pointed: ResMut<Pointed>) {
    pointed.0 = pointer.world.and_then(|world| maps.spot_at(world));
}

fn act(
    click: On<Pointer<Click>>,
    windows: Query<(), With<Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    maps: Maps,
    walkers: Query<(Entity, &OnMap, &Transform), With<Walker>>,
    mut grounds: Query<&mut Ground>,
    mut commands: Commands,
) {
    let position = click.pointer_location.position;
    let world = world_of_event(click.original_event_target(), position, &windows, *camera);
    let Some((world, spot)) = world.and_then(|world| Some((world, maps.spot_at(world)?))) else { return };
    let walker = walkers.iter().find(|(_, on_map, _)| on_map.0 == spot.map);
    match click.event.button {
        PointerButton::Primary => {
            if let Some((walker, ..)) = walker {
                commands.entity(walker).insert(order(spot, world));
            }
        }
        PointerButton::Secondary => {
            let below_feet = walker.and_then(|(.., place)| maps.spot_at(place.translation.truncate()));
            if below_feet != Some(spot)
                && let Ok(mut ground) = grounds.get_mut(spot.tile)
            {
                ground.turn();
            }
        }
        PointerButton::Middle => {}
    }
}

/// Returns a request to a place of the world, or to the closest cell in reach.
pub(crate) fn order(spot: Spot, world: Vec2) -> PathRequest {
    PathRequest::to_position(world).on_map(spot.map).or_closest()
}
