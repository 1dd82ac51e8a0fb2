//! A server without a window: `cargo run --manifest-path net/Cargo.toml --example server`. Then start clients.

use std::time::{Duration, SystemTime};

use bevy::{app::ScheduleRunnerPlugin, log::LogPlugin, prelude::*};
use bevy_tilepath::{prelude::*, tilepath::format::parse_ascii};
use tilepath_net::server;

const TOWN: &str = include_str!("town.txt");

fn main() -> Result {
    let mut app = server::app();
    app.add_plugins((LogPlugin::default(), ScheduleRunnerPlugin::run_loop(Duration::from_millis(8))));
    app.world_mut().spawn((NavMap::default(), NavGrid::new(parse_ascii(TOWN)?)));
    for number in 0..12_u8 {
        let agent = PathAgent { speed: 4.0.into(), ..default() };
        let at = Vec2::new(1.0 + f32::from(number), 1.0);
        app.world_mut().spawn((server::unit(agent, at), Body::default()));
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let address = server::listen(&mut app, ([127, 0, 0, 1], 5600).into(), now)?;
    info!("waits for clients at {address}");
    app.run();
    Ok(())
}
