//! A server and its clients, stepped by hand: each has an app of its own, and all it shares is a socket.

use std::{collections::BTreeMap, net::SocketAddr, time::Duration};

use bevy::{prelude::*, state::app::StatesPlugin, time::TimeUpdateStrategy};
use bevy_replicon::{prelude::*, shared::server_entity_map::ServerEntityMap};
use bevy_tilepath::{agents::PathOutline, prelude::*, tilepath::Grid};
use testkit::Seed;
use tilepath_net::{
    GoTo, Sample,
    client::{self, ClientPlugin, ShownTick},
    server,
};

use super::relay::{Line, Relay};

/// The side of the map, and of its blocks of houses.
pub(crate) const SIDE: u32 = 64;

/// The speed of the units, in cells a second.
pub(crate) const SPEED: f32 = 4.0;

/// The places of all units at the ticks of the server.
#[derive(Resource, Default)]
pub(crate) struct Places(pub(crate) Vec<BTreeMap<Entity, Vec2>>);

pub(crate) struct Client {
    pub(crate) app: App,
    pub(crate) relay: Relay,
    /// The paths that the client was given: unit, revision, number of corners.
    pub(crate) paths: Vec<(Entity, PathOutline)>,
}

pub(crate) struct Game {
    pub(crate) server: App,
    address: SocketAddr,
    pub(crate) clients: Vec<Client>,
    pub(crate) units: Vec<Entity>,
}

fn note_places(mut places: ResMut<Places>, units: Query<(Entity, &Transform), With<Sample>>) {
    let here = units.iter().map(|(unit, transform)| (unit, transform.translation.truncate()));
    places.0.push(here.collect());
}

/// Returns a town: streets of three cells around blocks.
fn town() -> Grid {
    let mut grid = Grid::new(SIDE, SIDE, 1).expect("the map is small");
    for cell in grid.bounds().cells().collect::<Vec<Cell>>() {
        if cell.x % 8 >= 3 && cell.y % 8 >= 3 {
            grid.set_terrain(cell, 0).expect("the cell is on the map");
        }
    }
    grid
}

impl Game {
    /// Starts a server with units on the streets.
    pub(crate) fn new(units: usize) -> Self {
        let mut server = server::app();
        server.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)).init_resource::<Places>();
        server.add_systems(FixedUpdate, note_places.after(TilepathSystems::Follow));
        server.world_mut().spawn((NavMap::default(), NavGrid::new(town())));
        let on_street = (0..SIDE * SIDE).map(|slot| (slot % SIDE, slot / SIDE));
        let on_street = on_street.filter(|(x, y)| x % 8 == 1 && y % 2 == 0);
        let at = on_street.map(|(x, y)| Vec2::new(x as f32, y as f32));
        let agent = PathAgent { speed: SPEED.into(), ..default() };
        let units = at
            .cycle()
            .take(units)
            .map(|at| server.world_mut().spawn((server::unit(agent, at), Body::default())).id());
        let units = units.collect();
        server.finish();
        server.cleanup();
        let address = server::listen(&mut server, ([127, 0, 0, 1], 0).into(), Duration::ZERO);
        let address = address.expect("a port is free");
        Self { server, address, clients: Vec::new(), units }
    }

    /// Lets a client join. Returns its number.
    pub(crate) fn join(&mut self, line: Line) -> usize {
        let number = self.clients.len();
        let relay = Relay::new(self.address, line, &Seed::named("the line of a client"));
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, StatesPlugin, ClientPlugin));
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.finish();
        app.cleanup();
        client::connect(&mut app, relay.address(), number as u64, Duration::ZERO).expect("a port is free");
        self.clients.push(Client { app, relay, paths: Vec::new() });
        number
    }

    pub(crate) fn tick(&mut self) {
        self.server.update();
        for client in &mut self.clients {
            client.relay.tick();
            client.relay.pass_on();
            let before = client.app.world_mut().change_tick();
            client.app.update();
            client.relay.pass_on();
            let now = client.app.world_mut().change_tick();
            let mut outlines = client.app.world_mut().query::<(Entity, Ref<PathOutline>)>();
            let given = outlines.iter(client.app.world()).filter(|(_, outline)| {
                !outline.corners.is_empty() && outline.last_changed().is_newer_than(before, now)
            });
            client.paths.extend(given.map(|(unit, outline)| (unit, PathOutline::clone(&outline))));
        }
    }

    pub(crate) fn ticks(&mut self, ticks: usize) {
        (0..ticks).for_each(|_| self.tick());
    }

    pub(crate) fn is_connected(&self, client: usize) -> bool {
        *self.clients[client].app.world().resource::<State<ClientState>>() == ClientState::Connected
    }

    /// Returns the units as the client has them, by the entities of the server.
    pub(crate) fn shown(&mut self, client: usize) -> BTreeMap<Entity, (Vec2, PathOutline)> {
        let world = self.clients[client].app.world_mut();
        let mut units = world.query::<(Entity, &Transform, &PathOutline)>();
        let entities = world.resource::<ServerEntityMap>();
        let shown = units.iter(world).map(|(unit, transform, outline)| {
            (entities.to_server()[&unit], (transform.translation.truncate(), outline.clone()))
        });
        shown.collect()
    }

    /// Returns the place of a unit on the server at the tick that the client shows.
    pub(crate) fn place_then(&self, client: usize, unit: Entity) -> Option<Vec2> {
        let shown = self.clients[client].app.world().resource::<ShownTick>().0;
        let places = &self.server.world().resource::<Places>().0;
        // The first tick has the number 1.
        let at = |tick: f64| Some(*places.get((tick as usize).checked_sub(1)?)?.get(&unit)?);
        Some(at(shown.floor())?.lerp(at(shown.floor() + 1.0)?, shown.fract() as f32))
    }

    /// A client orders its unit to a cell. The unit is the client's own entity.
    pub(crate) fn order(&mut self, client: usize, unit: Entity, cell: Cell) {
        let world = self.clients[client].app.world_mut();
        let unit = world.resource::<ServerEntityMap>().to_client()[&unit];
        world.client_trigger(GoTo { unit, cell });
    }

    /// Returns a cell in the middle of a street.
    pub(crate) fn street(random: u32) -> Cell {
        let (x, y) = (random % SIDE, random / SIDE % SIDE);
        let (column, row) = (x / 8 * 8 + 1, y / 8 * 8 + 1);
        if random & 0x1_0000 == 0 {
            Cell::new(column as i32, y as i32)
        } else {
            Cell::new(x as i32, row as i32)
        }
    }

    /// Returns the outline of the path that a unit has on the server.
    pub(crate) fn outline(&self, unit: Entity) -> Option<PathOutline> {
        self.server.world().get::<AgentPath>(unit).map(AgentPath::outline)
    }

    /// Returns the address of the server.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}
