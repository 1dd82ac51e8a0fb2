//! Random deeds between two ticks.

mod ground;

use bevy_ecs::world::World;
use bevy_math::Vec2;
use bevy_tilepath::{
    AgentMovement, Body, Diagonals, NavGraph, NavMap, Obstacle, OnMap, PathAgent, PathRequest,
    TilepathSettings, doors::Door,
};
use bevy_transform::components::Transform;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::{
    crew::Agent,
    level::{Level, any_waypoint, open_cell},
    lines, orders, places,
    run::Soak,
    settings::Deed,
    squads,
};

/// The largest share of paused agents, about.
const MOST_HELD: f64 = 0.2;
/// One agent in this number chases another agent.
const CHASERS: u32 = 20;
/// The number of movements, from the first, that are drawn twice as often.
const FIRST_MORE: usize = 3;
/// The speeds in world units per second. In a tick they are less than a third of the smallest cell.
const SPEEDS: std::ops::Range<f32> = 20.0..60.0;

impl Soak {
    /// Does all deeds before a tick.
    pub(crate) fn do_deeds(&mut self) {
        let busy = self.crew.len() as f64 / 200.0;
        for deed in self.settings.deeds.clone() {
            match deed {
                Deed::Carrier => self.level.move_carriers(self.app.world_mut(), self.tick),
                Deed::Chase => self.chase(),
                Deed::Area => self.level.change_areas(self.app.world_mut(), &self.crew, &mut self.random),
                _ => {
                    let rate = deed.rate() * if is_done_to_agents(deed) { busy } else { 1.0 };
                    let often = rate.floor() as u32 + u32::from(self.random.random_bool(rate.fract()));
                    for _ in 0..often {
                        self.apply(deed);
                    }
                }
            }
        }
        self.call_back();
    }

    fn chase(&mut self) {
        let (world, level) = (self.app.world_mut(), &self.level);
        for index in 1..self.crew.len() {
            if self.crew[index].chases {
                let target = self.crew[index - 1].entity;
                orders::chase(world, level, &mut self.crew[index], target);
            }
        }
    }

    fn apply(&mut self, deed: Deed) {
        let Self { app, level, crew, random, next_number, squads, settings, .. } = self;
        let world = app.world_mut();
        let who = random.random_range(0..crew.len());
        let target = crew[random.random_range(0..crew.len())].entity;
        let agent = &mut crew[who];
        match deed {
            Deed::Order if !agent.life.has_order() => orders::order(world, level, agent, random),
            Deed::Replace if agent.life.has_order() && !agent.chases => {
                orders::order(world, level, agent, random);
            }
            Deed::Along if !agent.chases => orders::order_along(world, agent, random),
            Deed::Living if !agent.chases => orders::order_living(world, level, agent, target, random),
            Deed::Stops => orders::edit_stops(world, level, agent, random),
            Deed::Order
            | Deed::Replace
            | Deed::Living
            | Deed::Along
            | Deed::Chase
            | Deed::Carrier
            | Deed::Area => {}
            Deed::Cancel => {
                if world.entity_mut(agent.entity).take::<PathRequest>().is_some() {
                    agent.is_cancelled();
                }
            }
            Deed::Group => squads::order(world, level, squads, crew, random),
            Deed::GroupChange => {
                if let Err(what) = squads::change(world, level, squads, crew, random) {
                    self.fault.get_or_insert(what);
                }
            }
            Deed::Pause => {
                let paused = random.random_bool(MOST_HELD);
                edit_agent(world, agent, |walker| walker.paused = paused);
            }
            Deed::Speed => {
                let speed = match random.random_range(0..10) {
                    0 => 0.0,
                    1 => f32::INFINITY,
                    2 => -5.0,
                    3 => 400.0,
                    _ => random.random_range(SPEEDS),
                };
                edit_agent(world, agent, |walker| walker.speed = speed.into());
            }
            Deed::Teleport => teleport(world, level, agent, random),
            Deed::Transfer => transfer(world, level, agent, random),
            Deed::Despawn => {
                world.despawn(agent.entity);
                *agent = spawn_agent(world, level, random, next_number);
            }
            Deed::Retire => retire(world, agent, random),
            Deed::Body => change_body(world, agent, random),
            Deed::Movement => change_movement(world, level, agent, random),
            Deed::Edit => ground::edit(world, level, random),
            Deed::EditNear => ground::edit_near(world, agent, random),
            Deed::EditMany => ground::edit_many(world, level, random),
            Deed::Void => ground::void(world, level, agent, settings.buildings, random),
            Deed::Edge => ground::edge(world, level, agent, random),
            Deed::Overlay => ground::overlay(world, level, agent, random),
            Deed::Rules => {
                let map = level.maps[random.random_range(0..level.maps.len())];
                if let Some(mut rules) = world.get_mut::<NavMap>(map) {
                    rules.diagonals = Diagonals::ALL[random.random_range(0..4)];
                }
            }
            Deed::Door | Deed::DoorLife if level.doors.is_empty() => {}
            Deed::Door => {
                let door = level.doors[random.random_range(0..level.doors.len())];
                if let Some(mut door) = world.get_mut::<Door>(door) {
                    if random.random_bool(0.7) {
                        door.open = random.random_bool(0.7);
                    } else {
                        door.cost = random.random_range(0.0..80.0);
                    }
                }
            }
            Deed::DoorLife => {
                let index = random.random_range(0..level.doors.len());
                world.despawn(level.doors[index]);
                level.doors[index] = level.spawn_door(world, random);
            }
            Deed::Graph => edit_graph(world, level, random),
            Deed::Obstacle => obstacle(world, level, random),
            Deed::MapLife => level.renew(world, random),
            Deed::Budget => {
                let work_per_tick = [200, 2000, 20_000, 100_000][random.random_range(0..4)];
                world.resource_mut::<TilepathSettings>().work_per_tick = work_per_tick;
            }
            Deed::Tile =>
            {
                #[cfg(feature = "tilemaps")]
                if let Some(tilemap) = &mut level.tilemap {
                    tilemap.change(world, random);
                }
            }
        }
    }

    /// Gives a new map to agents whose map is gone, and brings back retired agents, after a while.
    /// Otherwise fewer and fewer agents would walk.
    fn call_back(&mut self) {
        let Self { app, level, crew, random, squads, .. } = self;
        let world = app.world_mut();
        squads.clear(world);
        for agent in crew {
            let is_gone = world.get_entity(agent.entity).is_err();
            if is_gone {
                // The agent was a child of a despawned map.
                *agent = spawn_agent(world, level, random, &mut self.next_number);
            } else if world.get::<OnMap>(agent.entity).is_none() && random.random_bool(0.1) {
                transfer(world, level, agent, random);
            } else if world.get::<PathAgent>(agent.entity).is_none() && random.random_bool(0.02) {
                retire(world, agent, random);
            }
        }
    }

    /// Prepares the world so that all agents can come to rest.
    pub(crate) fn let_everybody_walk(&mut self) {
        let Self { app, level, crew, random, .. } = self;
        let world = app.world_mut();
        world.resource_mut::<TilepathSettings>().work_per_tick = TilepathSettings::default().work_per_tick;
        for agent in crew {
            if world.get::<OnMap>(agent.entity).is_none() {
                transfer(world, level, agent, random);
            }
            // Such an order can have no end.
            if agent.asked.as_ref().is_some_and(|asked| asked.lives)
                && world.entity_mut(agent.entity).take::<PathRequest>().is_some()
            {
                agent.is_cancelled();
            }
            world.entity_mut(agent.entity).insert_if_new(PathAgent::default());
            edit_agent(world, agent, |walker| {
                *walker = PathAgent { speed: SPEEDS.end.into(), ..PathAgent::default() }
            });
        }
    }
}

/// Returns whether the rate of a deed grows with the number of agents.
fn is_done_to_agents(deed: Deed) -> bool {
    !matches!(
        deed,
        Deed::EditMany
            | Deed::Rules
            | Deed::Door
            | Deed::DoorLife
            | Deed::Graph
            | Deed::Obstacle
            | Deed::MapLife
            | Deed::Budget
            | Deed::Tile
    )
}

/// Spawns an agent on a random map.
pub(crate) fn spawn_agent(
    world: &mut World,
    level: &Level,
    random: &mut ChaCha8Rng,
    next_number: &mut u32,
) -> Agent {
    let number = *next_number;
    *next_number += 1;
    let speed = random.random_range(SPEEDS);
    let agent = PathAgent { speed: speed.into(), ..PathAgent::default() };
    let agent = if level.style.has_lines { lines::styled(agent, number) } else { agent };
    let entity = world.spawn((agent, Transform::default())).id();
    let mut agent = Agent::new(number, entity);
    agent.chases = random.random_ratio(1, CHASERS);
    let map = level.any(random);
    world.entity_mut(entity).insert(OnMap(map));
    let position = level.somewhere_on(world, map, random);
    places::put(world, entity, position);
    change_movement(world, level, &mut agent, random);
    agent
}

fn edit_agent(world: &mut World, agent: &Agent, edit: impl FnOnce(&mut PathAgent)) {
    if let Some(mut walker) = world.get_mut::<PathAgent>(agent.entity) {
        edit(&mut walker);
    }
}

fn teleport(world: &mut World, level: &Level, agent: &mut Agent, random: &mut ChaCha8Rng) {
    let Some(map) = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0) else { return };
    let position = match random.random_range(0..10) {
        // Off the map.
        0 => Vec2::new(random.random_range(-900.0..3000.0), random.random_range(-900.0..900.0)),
        // A short way aside, often still on the path.
        1..6 => {
            places::position(world, agent.entity)
                + Vec2::new(random.random_range(-12.0..12.0), random.random_range(-12.0..12.0))
        }
        _ => level.somewhere_on(world, map, random),
    };
    places::put(world, agent.entity, position);
    agent.was_put();
}

/// Puts an agent on another map, or only changes its `OnMap`.
fn transfer(world: &mut World, level: &Level, agent: &mut Agent, random: &mut ChaCha8Rng) {
    let map = level.any(random);
    world.entity_mut(agent.entity).insert(OnMap(map));
    if random.random_bool(0.9) {
        let position = level.somewhere_on(world, map, random);
        places::put(world, agent.entity, position);
    }
    agent.was_put();
    if let Some(asked) = &mut agent.asked {
        asked.is_vague = true;
    }
}

fn retire(world: &mut World, agent: &mut Agent, random: &mut ChaCha8Rng) {
    let mut entity = world.entity_mut(agent.entity);
    if entity.contains::<PathAgent>() {
        entity.remove::<PathAgent>();
        // In the middle of a step the agent now belongs to the nearer cell, even if another body is
        // just leaving that cell.
        agent.is_body_put = true;
    } else {
        entity.insert(PathAgent { speed: random.random_range(SPEEDS).into(), ..PathAgent::default() });
    }
}

/// Changes the body of an agent. Most bodies have one layer.
fn change_body(world: &mut World, agent: &mut Agent, random: &mut ChaCha8Rng) {
    let mut entity = world.entity_mut(agent.entity);
    match random.random_range(0..8) {
        0..2 => {
            entity.remove::<Body>();
            // It can stand in a wall that was built during its step.
            agent.was_put();
        }
        2 => {
            entity.insert(Body { layer: 2, blocks: 2 });
        }
        3 => {
            entity.insert(Body { layer: 1, blocks: 3 });
        }
        _ => {
            entity.insert(Body::default());
        }
    }
}

/// Changes the movement of an agent.
fn change_movement(world: &mut World, level: &Level, agent: &mut Agent, random: &mut ChaCha8Rng) {
    // It may be on a graph, where it has no size, and its order may lead to any map.
    let sides_of = |world: &World| -> Vec<i32> {
        level.maps.iter().map(|&map| places::side_of(world, map, agent.entity)).collect()
    };
    let sides = sides_of(world);
    let movements = places::movements(level.style.lattice.topology(), level.style.has_movements);
    let mut entity = world.entity_mut(agent.entity);
    // Large units and scouts come first and are drawn more often: their orders are the hardest.
    let draw = random.random_range(0..movements.len() + FIRST_MORE + 2);
    match movements.get(if draw < movements.len() { draw } else { draw - movements.len() }) {
        Some((name, _)) if draw < movements.len() + FIRST_MORE => {
            entity.insert(AgentMovement::from(*name));
        }
        _ => _ = entity.remove::<AgentMovement>(),
    }
    // Its cells can now be walls for it, or cells of another body.
    (agent.is_put, agent.is_body_put) = (true, true);
    // For a unit of another size, the position of an order means other cells.
    if sides_of(world) != sides
        && let Some(asked) = &mut agent.asked
    {
        asked.is_vague = true;
    }
}

fn edit_graph(world: &mut World, level: &Level, random: &mut ChaCha8Rng) {
    let index = random.random_range(0..level.graphs.len());
    let [a, b] = [(); 2].map(|()| any_waypoint(index, random));
    let at = (random.random_range(0.0..400.0), random.random_range(0.0..300.0));
    let kind = random.random_range(0..12);
    let Some(mut graph) = world.get_mut::<NavGraph>(level.graphs[index]) else { return };
    let graph = graph.graph_mut();
    // An edit that is refused changes nothing.
    let _ = match kind {
        0..3 => graph.move_to(&a, at),
        3..6 => graph.join(&a, &b).map(drop),
        6 => graph.join_one_way(&a, &b).map(drop),
        7..9 => graph.unjoin(&a, &b).map(drop),
        9 => graph.remove(&a),
        _ => graph.add(a, at),
    };
}

fn obstacle(world: &mut World, level: &mut Level, random: &mut ChaCha8Rng) {
    let map = level.maps[random.random_range(0..level.maps.len())];
    let cell = open_cell(world, map, random);
    let Some(at) = places::centre(world, map, cell) else { return };
    let is_many = level.obstacles.len() > 20;
    match random.random_range(0..3) {
        0 if !is_many => {
            let size = Vec2::new(random.random_range(0.0..40.0), random.random_range(0.0..40.0));
            let obstacle = (
                Obstacle { size, ..Obstacle::default() },
                OnMap(map),
                Transform::from_translation(at.extend(0.0)),
            );
            level.obstacles.push(world.spawn(obstacle).id());
        }
        1 if !level.obstacles.is_empty() => {
            let obstacle = level.obstacles[random.random_range(0..level.obstacles.len())];
            if let Some(mut place) = world.get_mut::<Transform>(obstacle) {
                place.translation = at.extend(0.0);
            }
        }
        _ if !level.obstacles.is_empty() => {
            let obstacle = level.obstacles.swap_remove(random.random_range(0..level.obstacles.len()));
            if world.get_entity(obstacle).is_ok() {
                world.despawn(obstacle);
            }
        }
        _ => {}
    }
}
