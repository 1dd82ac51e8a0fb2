//! The server: it obeys orders, and sends places and paths.

use std::{
    io,
    net::{SocketAddr, UdpSocket},
    time::Duration,
};

use bevy::{app::ScheduleRunnerPlugin, prelude::*, state::app::StatesPlugin};
use bevy_replicon::{prelude::*, server::server_tick::ServerTick};
use bevy_replicon_renet::{
    RenetChannelsExt, RenetServer, RepliconRenetServerPlugin,
    netcode::{NetcodeServerTransport, ServerAuthentication, ServerConfig},
    renet::ConnectionConfig,
};
use bevy_tilepath::{agents::PathOutline, prelude::*};

use crate::{GoTo, PROTOCOL, Sample, TICKS_A_SAMPLE};

/// The most clients.
const CLIENTS: usize = 16;

/// Returns an app without a renderer. Spawn maps in it, and units with [`unit`].
pub fn app() -> App {
    let mut app = App::new();
    // Messages carry the tick of the game, so that a client can date a sample.
    let replicon = RepliconPlugins.set(ServerPlugin { tick_schedule: None, ..default() });
    let loops = MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(Duration::from_millis(8)));
    app.add_plugins((loops, StatesPlugin, replicon, RepliconRenetServerPlugin));
    app.add_plugins(TilepathPlugin::default())
        .add_systems(FixedUpdate, (write_outlines, take_samples).chain().after(TilepathSystems::Follow))
        .add_observer(obey);
    crate::register(&mut app);
    app
}

/// Returns the components of a unit that the clients see. The outline is there from the start: a component
/// that is inserted later travels on another channel, on which a lost message delays all samples.
#[must_use]
pub fn unit(agent: PathAgent, at: Vec2) -> impl Bundle {
    let sent = (Sample::new(at, 0.0), PathOutline::default(), Replicated);
    (agent, Transform::from_translation(at.extend(0.0)), sent)
}

/// Waits for clients at this address. Returns the address, with the port that was chosen for port 0. `now`
/// is the time since 1970.
///
/// # Errors
/// If the socket cannot be bound.
pub fn listen(app: &mut App, address: SocketAddr, now: Duration) -> io::Result<SocketAddr> {
    let socket = UdpSocket::bind(address)?;
    let address = socket.local_addr()?;
    let config = ServerConfig {
        current_time: now,
        max_clients: CLIENTS,
        protocol_id: PROTOCOL,
        public_addresses: vec![address],
        // A game that is played over the internet takes tokens here.
        authentication: ServerAuthentication::Unsecure,
    };
    let channels = app.world().resource::<RepliconChannels>();
    let server = RenetServer::new(ConnectionConfig {
        server_channels_config: channels.server_configs(),
        client_channels_config: channels.client_configs(),
        ..default()
    });
    app.insert_resource(server).insert_resource(NetcodeServerTransport::new(config, socket)?);
    Ok(address)
}

/// Gives the order of a client to the unit. A game also checks here that the unit belongs to the client.
fn obey(order: On<FromClient<GoTo>>, units: Query<(), With<Sample>>, mut commands: Commands) {
    if units.contains(order.unit) {
        commands.entity(order.unit).insert(PathRequest::to_cell(order.cell));
    }
}

/// Sends each path once, and takes it away if the unit has lost it.
fn write_outlines(mut units: Query<(&mut PathOutline, Option<Ref<AgentPath>>)>) {
    for (mut outline, path) in &mut units {
        match path {
            Some(path) if path.is_added() || path.revision() != outline.revision => *outline = path.outline(),
            None if !outline.corners.is_empty() => *outline = PathOutline::default(),
            _ => {}
        }
    }
}

/// Takes a sample of each unit every few ticks. Units that stand send nothing.
fn take_samples(
    mut ticks: Local<u32>,
    mut sent: ResMut<ServerTick>,
    mut units: Query<(&Transform, &Motion, &mut Sample)>,
) {
    *ticks += 1;
    if !ticks.is_multiple_of(TICKS_A_SAMPLE) {
        return;
    }
    for (transform, motion, mut sample) in &mut units {
        sample.set_if_neq(Sample::new(transform.translation.truncate(), motion.velocity.length()));
    }
    sent.increment_by(TICKS_A_SAMPLE);
}
