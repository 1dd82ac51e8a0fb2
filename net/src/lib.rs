//! A server and its clients over UDP: orders travel up, places and paths travel down.
//!
//! The server runs the plugin and has no renderer. The clients know no map and run no search: they show
//! the units at the places of a moment ago, and draw the paths.

pub mod client;
pub mod server;

use bevy::prelude::*;
use bevy_replicon::{
    prelude::*,
    shared::replication::registry::receive_fns::{default_remove, write_if_neq},
};
use bevy_tilepath::{Cell, agents::PathOutline};
use serde::{Deserialize, Serialize};

/// The ticks from one sample to the next. At 64 ticks a second, a lost message leaves a gap of 94 ms.
pub const TICKS_A_SAMPLE: u32 = 3;

/// The number of the protocol, so that other programs are refused.
const PROTOCOL: u64 = 0x7469_6c65;

/// The steps of a sample in one world unit, here in one cell: places reach to 512 cells.
const STEPS: f32 = 64.0;

/// The steps of a speed in one world unit a second.
const SPEED_STEPS: f32 = 8.0;

/// The place of a unit at the tick of its message, and its speed then, in at most seven bytes.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    x: i16,
    y: i16,
    speed: u8,
}

impl Sample {
    /// Rounds a place, and a speed in world units a second.
    #[must_use]
    pub fn new(place: Vec2, speed: f32) -> Self {
        let Vec2 { x, y } = (place * STEPS).round();
        Self { x: x as i16, y: y as i16, speed: (speed * SPEED_STEPS).ceil() as u8 }
    }

    /// Returns the place.
    #[must_use]
    pub fn place(self) -> Vec2 {
        Vec2::new(self.x.into(), self.y.into()) / STEPS
    }

    /// Returns the speed, in world units a second.
    #[must_use]
    pub fn speed(self) -> f32 {
        f32::from(self.speed) / SPEED_STEPS
    }
}

/// The order of a player: go to this cell.
#[derive(Event, bevy::ecs::entity::MapEntities, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GoTo {
    /// The unit, an entity of the client. The server gets its own.
    #[entities]
    pub unit: Entity,
    /// The goal.
    pub cell: Cell,
}

/// Registers what travels. Server and clients must do it alike.
fn register(app: &mut App) {
    app.replicate::<Sample>()
        .replicate::<PathOutline>()
        // A message is repeated until it is answered, but a path counts as changed once.
        .set_receive_fns::<PathOutline>(write_if_neq, default_remove::<PathOutline>)
        .add_mapped_client_event::<GoTo>(Channel::Ordered);
}
