//! Endless orders: after each arrival a unit gets a new goal.

use std::collections::VecDeque;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_tilepath::{
    PathGoal, PathRequest, TilepathSystems,
    events::{Arrived, PathFailed, PathLost},
};

use crate::{
    city::{City, GOAL_RADIUS},
    traffic::Traffic,
    units::Unit,
};

/// The wait of a unit without a path, in ticks.
const REST: u64 = 64;

/// Gives units their next orders.
pub(crate) struct OrdersPlugin;

impl Plugin for OrdersPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Later>()
            .add_systems(FixedUpdate, try_again.before(TilepathSystems::SyncMaps))
            .add_observer(|arrived: On<Arrived>, mut next: Next| next.go_on(arrived.entity))
            .add_observer(|failed: On<PathFailed>, mut later: LaterOn| later.put_off(failed.entity))
            .add_observer(|lost: On<PathLost>, mut later: LaterOn| later.put_off(lost.entity));
    }
}

/// Returns a request to the square of a unit's goal.
pub(crate) fn request(city: &City, unit: Unit) -> PathRequest {
    PathRequest::to(PathGoal::within(city.goals[unit.goal], GOAL_RADIUS))
}

/// Gives a unit its next order.
#[derive(SystemParam)]
struct Next<'w, 's> {
    city: Res<'w, City>,
    traffic: ResMut<'w, Traffic>,
    units: Query<'w, 's, &'static mut Unit>,
    commands: Commands<'w, 's>,
}

impl Next<'_, '_> {
    fn go_on(&mut self, entity: Entity) {
        self.traffic.arrivals += 1;
        self.order(entity);
    }

    fn order(&mut self, entity: Entity) {
        if let Ok(mut unit) = self.units.get_mut(entity) {
            *unit = unit.next();
            self.commands.entity(entity).insert(request(&self.city, *unit));
        }
    }
}

/// Units whose order failed, and the tick in which each gets another.
#[derive(Resource, Debug, Default)]
struct Later(VecDeque<(u64, Entity)>);

/// Puts off the next order of a unit.
#[derive(SystemParam)]
struct LaterOn<'w> {
    later: ResMut<'w, Later>,
    traffic: ResMut<'w, Traffic>,
}

impl LaterOn<'_> {
    fn put_off(&mut self, entity: Entity) {
        self.traffic.failed += 1;
        self.later.0.push_back((self.traffic.ticks + REST, entity));
    }
}

fn try_again(mut later: ResMut<Later>, mut next: Next) {
    while let Some(&(tick, entity)) = later.0.front()
        && tick <= next.traffic.ticks
    {
        later.0.pop_front();
        next.order(entity);
    }
}
