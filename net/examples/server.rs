//! A server without a window, whose units patrol until a client orders them elsewhere. Then start clients.
//!
//! `cargo run --manifest-path net/Cargo.toml --example server`

use std::time::SystemTime;

use bevy::{log::LogPlugin, prelude::*};
use bevy_replicon::prelude::ConnectedClient;
use bevy_tilepath::{prelude::*, tilepath::format::parse_ascii};
use tilepath_net::server;

const TOWN: &str = include_str!("town.txt");

fn main() -> Result {
    let mut app = server::app();
    app.add_plugins(LogPlugin::default())
        .add_observer(|_: On<Add, ConnectedClient>| info!("a client has joined"));
    app.world_mut().spawn((NavMap::default(), NavGrid::new(parse_ascii(TOWN)?)));
    for number in 0..12 {
        let agent = PathAgent { speed: 4.0.into(), ..default() };
        let (home, there) = (Cell::new(1 + number, 1), Cell::new(22 - number, 17));
        let unit = server::unit(agent, Vec2::new(home.x as f32, home.y as f32));
        let patrol = PathRequest::to(there).then(home).looped();
        app.world_mut().spawn((unit, Body::default(), patrol));
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let address = server::listen(&mut app, ([127, 0, 0, 1], 5600).into(), now)?;
    info!("waits for clients at {address}");
    app.run();
    Ok(())
}
