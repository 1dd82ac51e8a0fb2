//! Damaged and hostile messages, of what travels and at the server's socket.

use std::net::UdpSocket;

use allocation_counter::measure;
use bevy::prelude::*;
use bevy_replicon::prelude::*;
use bevy_tilepath::{PathStatus, agents::PathOutline, prelude::*};
use rand::Rng;
use testkit::{Seed, assert_damage_is_borne, assert_read_back};
use tilepath_net::{GoTo, Sample};

use super::{game::Game, relay::Line};

fn most_bytes(call: &mut dyn FnMut()) -> u64 {
    measure(call).bytes_max
}

#[test]
fn damaged_messages_of_each_type_are_refused_within_little_memory() {
    let seed = Seed::named("damaged messages");
    let corners = (0..40_u8).map(|n| Vec2::new(f32::from(n), f32::from(n % 3))).collect();
    let outline = PathOutline { revision: 300, corners };
    let samples = [Sample::new(Vec2::new(-500.0, 7.3), 4.0), Sample::new(Vec2::splat(1e9), f32::NAN)];
    let order = GoTo { unit: Entity::from_raw_u32(7).expect("an index"), cell: Cell::new(-3, i32::MAX) };
    samples.iter().for_each(assert_read_back);
    assert_read_back(&outline);
    assert_read_back(&order);
    assert_damage_is_borne(&[outline], &seed, most_bytes);
    assert_damage_is_borne(&samples, &seed, most_bytes);
    assert_damage_is_borne(&[order], &seed, most_bytes);
}

#[test]
fn orders_to_other_entities_and_impossible_places_leave_the_server_alone() {
    let mut game = Game::new(2);
    game.join(Line::default());
    game.ticks(64);
    assert!(game.is_connected(0));
    let map = game.server.world_mut().query_filtered::<Entity, With<NavMap>>().single(game.server.world());
    let map = map.expect("there is one map");
    let others = [map, Entity::from_raw_u32(1_000_000).expect("an index")];
    for unit in others {
        game.clients[0].app.world_mut().client_trigger(GoTo { unit, cell: Cell::new(1, 1) });
    }
    let unit = game.units[0];
    game.order(0, unit, Cell::new(i32::MAX, i32::MIN));
    game.ticks(10);
    let server = game.server.world();
    assert!(server.get::<PathRequest>(map).is_none());
    assert!(matches!(server.get::<PathStatus>(unit), Some(PathStatus::Failed(_))));
    // It still obeys.
    game.order(0, unit, Cell::new(1, 30));
    game.ticks(10);
    assert_eq!(game.server.world().get::<PathStatus>(unit), Some(&PathStatus::Following));
}

#[test]
fn random_datagrams_leave_the_server_and_its_client_alone() {
    let mut game = Game::new(2);
    game.join(Line::default());
    let stranger = UdpSocket::bind("127.0.0.1:0").expect("a port is free");
    let mut random = Seed::named("datagrams").generator();
    for _ in 0..200 {
        for _ in 0..5 {
            let datagram: Vec<u8> = (0..random.random_range(0..1400)).map(|_| random.random()).collect();
            stranger.send_to(&datagram, game.address()).expect("the socket takes the datagram");
        }
        game.tick();
    }
    assert!(game.is_connected(0));
    assert_eq!(game.shown(0).len(), 2);
}
