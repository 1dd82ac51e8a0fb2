//! Clicks become orders, keys shut and open doors.

use bevy::prelude::*;
use bevy_tilepath::{NavQuery, PathAgent, PathRequest, doors::Door};
use tilepath_examples::pointer::{MapPointer, world_of_event};

use crate::{
    pictures::areas,
    report::Report,
    scene::{Maps, Numbered, Soldier},
};

/// The greatest distance from the pointer to a waypoint that it points at, in world units.
const WAYPOINT_REACH: f32 = 10.0;

/// Turns clicks into orders, and lets keys shut and open doors. Needs a window.
pub(crate) struct OrdersPlugin;

impl Plugin for OrdersPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, press_keys).add_observer(order_by_click);
    }
}

/// A place to which the soldier can be sent.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    /// The name for a player.
    pub(crate) name: String,
    /// The marked area: a tile, or the surroundings of a waypoint.
    pub(crate) area: Rect,
    pub(crate) order: PathRequest,
}

/// Returns the target at a place of the world, or `None` beside the maps.
pub(crate) fn spot_at(nav: &NavQuery, maps: &Maps, world: Vec2) -> Option<Spot> {
    if let Some((map, cell)) = nav.map_at(world) {
        let (centre, map) = (map.world_of(cell)?, map.entity());
        return Some(Spot {
            name: format!("{} {cell}", maps.name(map)),
            area: Rect::from_center_size(centre, Vec2::splat(16.0)),
            order: PathRequest::to_cell(cell).on_map(map).or_closest(),
        });
    }
    if !areas()[2].contains(world) {
        return None;
    }
    let view = nav.graph(maps.town).ok()?;
    let waypoint = view
        .nearest_waypoint(world)
        .map(|waypoint| (waypoint.id, view.world_of(waypoint.position)))
        .filter(|(_, place)| place.distance(world) <= WAYPOINT_REACH);
    let (name, middle, order) = match waypoint {
        Some((id, place)) => (id.to_owned(), place, PathRequest::to_waypoint(id)),
        None => ("beside the ways".into(), world, PathRequest::to_position(world)),
    };
    let area = Rect::from_center_size(middle, Vec2::splat(16.0));
    Some(Spot { name, area, order: order.on_map(maps.town) })
}

fn order_by_click(
    click: On<Pointer<Click>>,
    windows: Query<(), With<Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    nav: NavQuery,
    maps: Res<Maps>,
    soldier: Single<Entity, With<Soldier>>,
    mut report: ResMut<Report>,
    mut commands: Commands,
) {
    let position = click.pointer_location.position;
    if click.event.button == PointerButton::Primary
        && let Some(world) = world_of_event(click.original_event_target(), position, &windows, *camera)
        && let Some(spot) = spot_at(&nav, &maps, world)
    {
        report.goal = spot.name;
        commands.entity(*soldier).insert(spot.order);
    }
}

fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut doors: Query<(&Numbered, &mut Door)>,
    mut soldier: Single<&mut PathAgent, With<Soldier>>,
) {
    for (key, number) in [(KeyCode::Digit1, 1), (KeyCode::Digit2, 2), (KeyCode::Digit3, 3)] {
        if keys.just_pressed(key) {
            for (_, mut door) in doors.iter_mut().filter(|(numbered, _)| numbered.number == number) {
                door.open = !door.open;
            }
        }
    }
    if keys.just_pressed(KeyCode::Space) {
        soldier.paused = !soldier.paused;
    }
}

/// The target under the pointer.
#[derive(Resource, Debug, Default)]
pub(crate) struct Pointed(pub(crate) Option<Spot>);

/// Keeps [`Pointed`] up to date.
pub(crate) fn look(nav: NavQuery, maps: Res<Maps>, pointer: Res<MapPointer>, mut pointed: ResMut<Pointed>) {
    pointed.0 = pointer.world.and_then(|world| spot_at(&nav, &maps, world));
}
