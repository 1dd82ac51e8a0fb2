//! A client: it shows units where they were a moment ago, by the samples of their places.

use std::{
    collections::VecDeque,
    net::{SocketAddr, UdpSocket},
    time::Duration,
};

use bevy::prelude::*;
use bevy_replicon::{client::confirm_history::ConfirmHistory, prelude::*};
use bevy_replicon_renet::{
    RenetChannelsExt, RenetClient, RepliconRenetClientPlugin,
    netcode::{ClientAuthentication, NetcodeClientTransport},
    renet::ConnectionConfig,
};
use bevy_tilepath::agents::PathOutline;

use crate::{PROTOCOL, Sample, TICKS_A_SAMPLE};

/// The ticks of a server in a second.
const TICKS_A_SECOND: f64 = 64.0;

/// The ticks by which a client shows the past: a lost message is bridged by the next one.
const DELAY: f64 = 3.25 * TICKS_A_SAMPLE as f64;

/// The most ticks for which a unit walks on along its path without a sample.
const MOST_AHEAD: f64 = 16.0;

/// The distance from its path at which a unit still walks along it, in world units.
const BESIDE: f32 = 0.1;

/// The tick of the server that the client shows.
#[derive(Resource, Debug, Default)]
pub struct ShownTick(pub f64);

/// The samples of a unit from the shown tick on, with their ticks.
#[derive(Component, Default)]
struct Track(VecDeque<(f64, Sample)>);

/// Adds the client to an app that has `StatesPlugin`. It needs no map and no other plugin of ours.
pub struct ClientPlugin;

impl Plugin for ClientPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((RepliconPlugins, RepliconRenetClientPlugin))
            .init_resource::<ShownTick>()
            .register_required_components::<Sample, Track>()
            .register_required_components::<Sample, Transform>()
            .add_systems(Update, (note_samples, show_units).chain());
        crate::register(app);
    }
}

/// Connects the client to a server. `id` is the number of the client, and `now` the time since 1970.
///
/// # Errors
/// If no socket can be bound.
pub fn connect(app: &mut App, server: SocketAddr, id: u64, now: Duration) -> Result {
    let socket = UdpSocket::bind((server.ip(), 0))?;
    let authentication = ClientAuthentication::Unsecure {
        client_id: id,
        protocol_id: PROTOCOL,
        server_addr: server,
        user_data: None,
    };
    let channels = app.world().resource::<RepliconChannels>();
    let client = RenetClient::new(ConnectionConfig {
        server_channels_config: channels.server_configs(),
        client_channels_config: channels.client_configs(),
        ..default()
    });
    app.insert_resource(client).insert_resource(NetcodeClientTransport::new(now, authentication, socket)?);
    Ok(())
}

/// Keeps new samples, and lets the shown tick follow the newest one.
fn note_samples(
    time: Res<Time>,
    mut shown: ResMut<ShownTick>,
    mut newest: Local<f64>,
    mut units: Query<(&Sample, &ConfirmHistory, &mut Track), Changed<Sample>>,
) {
    for (&sample, history, mut track) in &mut units {
        let tick = f64::from(history.last_tick().get());
        // A unit that stood has sent nothing until it set out, and the first message may be lost.
        if let Some(&(before, last)) = track.0.back()
            && last.speed() == 0.0
        {
            let seconds = last.place().distance(sample.place()) / sample.speed();
            let begin = tick - if seconds.is_finite() { f64::from(seconds) * TICKS_A_SECOND } else { 1.0 };
            if begin > before {
                track.0.push_back((begin, last));
            }
        }
        track.0.push_back((tick, sample));
        *newest = newest.max(tick);
    }
    let behind = *newest - DELAY - shown.0;
    let is_far = behind.abs() > TICKS_A_SECOND;
    shown.0 += if is_far { behind } else { time.delta_secs_f64() * TICKS_A_SECOND + 0.05 * behind };
}

/// Shows each unit at the shown tick: between two samples, or ahead of the last one.
fn show_units(shown: Res<ShownTick>, mut units: Query<(&mut Track, Option<&PathOutline>, &mut Transform)>) {
    for (mut track, outline, mut transform) in &mut units {
        while track.0.get(1).is_some_and(|&(tick, _)| tick <= shown.0) {
            track.0.pop_front();
        }
        let Some(&(tick, sample)) = track.0.front() else { continue };
        let corners = outline.map_or(&[][..], |outline| &outline.corners);
        let (from, ticks) = (sample.place(), (shown.0 - tick).max(0.0));
        let place = match track.0.get(1) {
            Some(&(next, to)) => between(corners, from, to.place(), (ticks / (next - tick)) as f32),
            None => ahead(corners, from, sample.speed() * (ticks.min(MOST_AHEAD) / TICKS_A_SECOND) as f32),
        };
        transform.translation = place.extend(transform.translation.z);
    }
}

/// Returns a place between two places: along the path if both are on it.
fn between(corners: &[Vec2], from: Vec2, to: Vec2, part: f32) -> Vec2 {
    let on_path = distance_to(corners, from).zip(distance_to(corners, to));
    match on_path.filter(|(begin, end)| (0.0..2.0 * from.distance(to)).contains(&(end - begin))) {
        Some((begin, end)) => point_at(corners, begin.lerp(end, part)).unwrap_or(to),
        None => from.lerp(to, part),
    }
}

/// Returns the place that is this far ahead along the path.
fn ahead(corners: &[Vec2], from: Vec2, distance: f32) -> Vec2 {
    let begin = distance_to(corners, from).filter(|_| distance > 0.0);
    begin.and_then(|begin| point_at(corners, begin + distance)).unwrap_or(from)
}

/// Returns the distance along the path to a place on it.
fn distance_to(corners: &[Vec2], place: Vec2) -> Option<f32> {
    let mut before = 0.0;
    for ends in corners.windows(2) {
        let nearest = Segment2d::new(ends[0], ends[1]).closest_point(place);
        if place.distance(nearest) < BESIDE {
            return Some(before + ends[0].distance(nearest));
        }
        before += ends[0].distance(ends[1]);
    }
    None
}

/// Returns the point at this distance along the path, or its end.
fn point_at(corners: &[Vec2], mut distance: f32) -> Option<Vec2> {
    for ends in corners.windows(2) {
        let length = ends[0].distance(ends[1]);
        if distance < length {
            return Some(ends[0].lerp(ends[1], distance / length));
        }
        distance -= length;
    }
    corners.last().copied()
}
