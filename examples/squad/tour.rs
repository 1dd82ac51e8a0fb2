//! The orders of the program itself, for a screenshot.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use bevy_tilepath::{
    Cell,
    groups::{Formation, GroupOrder},
};
use tilepath_examples::{pointer::MapPointer, screenshot::has_begun, tiles::centre_of};

use crate::{
    orders::{Goals, Manner, News},
    select::Frame,
    units::Unit,
};

/// Sends the garrison out. Needs a window.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (give_orders.run_if(condition_changed_to(true, has_begun)), show_frame));
    }
}

/// The orders of the groups: goal and formation.
const ORDERS: [(&[Unit], Cell, Formation); 3] = [
    (&[Unit::Soldier, Unit::Wagon], Cell::new(29, 12), Formation::Wedge),
    (&[Unit::Archer], Cell::new(13, 14), Formation::Line),
    (&[Unit::Boat], Cell::new(14, 2), Formation::Line),
];

fn give_orders(
    mut commands: Commands,
    units: Query<(Entity, &Unit)>,
    mut manner: ResMut<Manner>,
    mut news: ResMut<News>,
) {
    for (kinds, goal, formation) in ORDERS {
        let members = units.iter().filter(|(_, unit)| kinds.contains(unit)).map(|(entity, _)| entity);
        let goal = centre_of(goal);
        commands.spawn((GroupOrder::to(members, goal).in_formation(formation), Goals(vec![goal])));
    }
    manner.formation = Formation::Wedge;
    news.0 = "14 on their way, as a wedge".into();
}

/// Drags a frame around the archers, wherever the mouse is.
fn show_frame(
    mut frame: ResMut<Frame>,
    mut pointer: ResMut<MapPointer>,
    archers: Query<(&Unit, &Transform)>,
) {
    pointer.world = None;
    let archers = archers.iter().filter(|(unit, _)| **unit == Unit::Archer);
    let places = archers.map(|(_, place)| place.translation.truncate());
    let around = places.map(|at| Rect::from_center_size(at, Vec2::splat(1.0))).reduce(|a, b| a.union(b));
    frame.0 = around.map(|around| (around.min - Vec2::new(14.0, 12.0), around.max + Vec2::new(14.0, 26.0)));
}
