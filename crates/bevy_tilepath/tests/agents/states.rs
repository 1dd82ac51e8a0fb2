//! The state of the plugin, taken at any tick and put into another world: agents go on as before.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{
    AgentMovement, AgentPath, Body, Cell, Diagonals, Motion, Movement, NavGraph, NavGrid, NavMap,
    NavProjection, Obstacle, OnMap, PathAgent, PathGoal, PathRequest, PathStatus, Stepwise, TilepathSettings,
    TilepathSnapshot, TilepathState,
    agents::{Drive, PathLine, Speed, TerrainSpeed},
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
    groups::GroupOrder,
    maps::OverlayArea,
    tilepath::{Size, format},
};

use crate::harness::*;

const YARD: &str = "
    ........................
    ..####......33..........
    ..#..#......33....###...
    ..#..#......33....#.....
    ..####............#.....
    ..................#.....
    .......##################
";
const TICKS: usize = 120;

/// A scene with all kinds of agents, and its script.
pub(super) struct Scene {
    pub(super) game: Game,
    pub(super) yard: Entity,
    cellar: Entity,
    door: Entity,
    house: Entity,
    agents: Vec<Entity>,
}

/// The state of an agent, to be compared.
type Seen = (Option<(u32, u32)>, Option<PathStatus>, Option<Motion>, Option<(usize, f64, Vec<Vec2>)>);

fn rows_of(picture: &str) -> String {
    let rows: Vec<&str> = rows(picture).iter().map(|row| &row[..24]).collect();
    rows.join("\n")
}

fn map(game: &mut Game, picture: &str, at: Vec2) -> Entity {
    let grid = format::parse_ascii(&rows_of(picture)).expect("the picture is a map");
    let rules = NavMap { diagonals: Diagonals::default(), ..default() }
        .with_movement("cart", Movement::new().with_size(Size::new(2).expect("a size")))
        .with_movement("scout", Movement::new().with_overlay("danger"));
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    let place = Transform::from_translation(at.extend(0.0));
    game.world_mut().spawn((rules, NavGrid::new(grid), projection, place)).id()
}

impl Scene {
    pub(super) fn new(mut game: Game) -> Self {
        let yard = map(&mut game, YARD, Vec2::ZERO);
        let cellar = map(&mut game, YARD, Vec2::new(0.0, -400.0));
        let mut road = WaypointGraph::new();
        for (id, x) in [("gate", 0.0), ("bend", 50.0), ("inn", 90.0)] {
            road.add(id, (x, x / 3.0)).expect("a new id");
        }
        road.join("gate", "bend").expect("both are there");
        road.join("bend", "inn").expect("both are there");
        let carrier = game.world_mut().spawn(Transform::from_xyz(500.0, 0.0, 0.0)).id();
        let road = game.world_mut().spawn((NavGraph::new(road), Transform::default(), ChildOf(carrier))).id();
        let end = |map, x, y| DoorEnd::cell(map, Cell::new(x, y));
        let door = game.world_mut().spawn(Door::new(end(yard, 23, 3), end(cellar, 0, 6)).with_cost(2.0)).id();
        game.world_mut().spawn(Door::new(end(yard, 0, 0), DoorEnd::waypoint(road, "gate")).leaping());
        let house = Obstacle { size: Vec2::splat(40.0), ..default() };
        let house =
            game.world_mut().spawn((house, Transform::from_translation(centre(9, 4).extend(0.0)))).id();
        let danger = OverlayArea::new("danger", 9, 3.0);
        game.world_mut().spawn((danger, OnMap(yard), Transform::from_translation(centre(15, 3).extend(0.0))));
        let mut scene = Self { game, yard, cellar, door, house, agents: Vec::new() };
        scene.spawn_agents(road, carrier);
        scene
    }

    fn spawn_agents(&mut self, road: Entity, carrier: Entity) {
        let (yard, cellar) = (self.yard, self.cellar);
        let on = |cell: (i32, i32)| PathRequest::to_cell(cell);
        let walker = self.add(1, 6, on((20, 5)));
        let body = self.add(3, 1, on((13, 1)));
        let other = self.add(13, 1, on((3, 1)));
        self.add(0, 3, on((1, 6)).then(Cell::new(6, 6)).then(Cell::new(1, 5)).looped());
        let guard = self.add(12, 6, on((16, 6)).then(Cell::new(12, 5)).back_and_forth());
        self.add(0, 5, PathRequest::to(walker).following());
        let porter = self.add(20, 3, on((5, 5)).on_map(cellar));
        let giant = self.add(8, 0, on((20, 1)).with_movement("cart"));
        self.add(10, 6, on((3, 3)).or_wait());
        let stepper = self.add(6, 6, on((12, 5)));
        let scout = self.add(11, 3, on((22, 3)));
        self.add(22, 5, PathRequest::to(PathGoal::beside(walker)).or_closest());
        let list: PathGoal = PathGoal::nearest([Cell::new(7, 1), Cell::new(17, 5)]);
        let picky = self.add(12, 0, PathRequest::to(list.clone()));
        let world = self.game.world_mut();
        for unit in [body, other, giant, porter] {
            world.entity_mut(unit).insert(Body::default());
        }
        world.entity_mut(stepper).insert(Stepwise { steps: 3, ..default() });
        world.entity_mut(scout).insert(AgentMovement::from("scout"));
        world.entity_mut(guard).insert(AgentMovement::from(Movement::new().with_diagonals(Diagonals::Never)));
        let by_cost =
            PathAgent { speed: Speed::Cells(4.0), terrain_speed: TerrainSpeed::ByCost, ..default() };
        world.entity_mut(picky).insert(by_cost);
        // Units that walk otherwise than from centre to centre. Nothing moves the second one, so it stands.
        for (unit, drive) in [(walker, Drive::Transform), (scout, Drive::Velocity)] {
            let mut agent = world.get_mut::<PathAgent>(unit).expect("it is an agent");
            (agent.line, agent.spread, agent.drive) = (PathLine::Straight, 0.3, drive);
        }
        // An agent along the graph, which moves, and things that only ask.
        let cart = (PathAgent { speed: 30.0.into(), ..default() }, OnMap(road), ChildOf(carrier));
        let cart =
            world.spawn((cart, Transform::from_xyz(2.0, 3.0, 0.0), PathRequest::to_waypoint("inn"))).id();
        let asker =
            world.spawn((OnMap(yard), Transform::from_xyz(24.0, 24.0, 0.0), PathRequest::to(list))).id();
        let squad: Vec<Entity> = (0..4).map(|n| self.add(n, 4, on((0, 0)))).collect();
        let world = self.game.world_mut();
        for &unit in &squad {
            world.entity_mut(unit).insert(Body::default()).remove::<PathRequest>();
        }
        let order = GroupOrder::to(squad.clone(), Cell::new(14, 5)).then(Cell::new(9, 0)).at_common_pace();
        let group = world.spawn(order.on_map(yard)).id();
        self.agents.extend([cart, asker, group]);
    }

    fn add(&mut self, x: i32, y: i32, order: PathRequest) -> Entity {
        let agent = self.game.agent(x, y, 60.0);
        self.game.world_mut().entity_mut(agent).insert((OnMap(self.yard), order));
        self.agents.push(agent);
        agent
    }

    /// Makes the changes of the script for this tick, and takes the tick.
    pub(super) fn tick(&mut self, tick: usize) {
        let (yard, cellar) = (self.yard, self.cellar);
        match tick {
            10 => self.game.budget(60),
            12 => {
                for agent in [0, 1, 4, 7, 12] {
                    self.game.order(self.agents[agent], PathRequest::to_cell((13, 6)));
                }
            }
            14 => self.game.set_terrain(yard, 16, 5, 0),
            20 => self.game.world_mut().get_mut::<Door>(self.door).expect("it is there").open = false,
            30 => self.game.set_terrain(yard, 3, 4, 1),
            36 => self.game.world_mut().get_mut::<Door>(self.door).expect("it is there").open = true,
            40 => self.game.budget(100_000),
            44 => self.game.set_terrain(yard, 16, 5, 1),
            50 => {
                let agent = self.agents[3];
                self.game.world_mut().get_mut::<PathAgent>(agent).expect("an agent").paused = true;
            }
            60 => drop(self.game.world_mut().despawn(self.house)),
            66 => self.game.order(self.agents[0], PathRequest::to_cell((2, 0)).on_map(cellar)),
            72 => {
                let agent = self.agents[3];
                self.game.world_mut().get_mut::<PathAgent>(agent).expect("an agent").paused = false;
            }
            _ => {}
        }
        self.game.step(1.0 / 30.0);
    }

    fn seen(&self) -> Vec<Seen> {
        let seen = |&agent: &Entity| {
            let world = self.game.world();
            let at = world
                .get::<Transform>(agent)
                .map(|at| (at.translation.x.to_bits(), at.translation.y.to_bits()));
            let path = world.get::<AgentPath>(agent);
            (
                at,
                world.get::<PathStatus>(agent).copied(),
                world.get::<Motion>(agent).copied(),
                path.map(|path| (path.next_point(), path.route_cost(), path.points().to_vec())),
            )
        };
        self.agents.iter().map(seen).collect()
    }

    /// Puts a state into a new game.
    fn loaded(&self, state: &TilepathState) -> Self {
        let mut game = Game::long_steps();
        let mut entities = EntityHashMap::default();
        state.put(game.world_mut(), &mut entities).expect("a new world fits every state");
        let now = |entity: Entity| entities.get(&entity).copied().unwrap_or(Entity::PLACEHOLDER);
        Self {
            game,
            yard: now(self.yard),
            cellar: now(self.cellar),
            door: now(self.door),
            house: now(self.house),
            agents: self.agents.iter().map(|&agent| now(agent)).collect(),
        }
    }
}

/// Returns the state of a game.
fn taken(game: &mut Game) -> TilepathState {
    TilepathState::take(game.world_mut()).expect("the plugin is there")
}

/// Writes a state and reads it again.
pub(super) fn through_a_file(state: &TilepathState) -> TilepathState {
    let text = ron::to_string(state).expect("a state can be written");
    ron::from_str(&text).expect("a state can be read")
}

#[test]
fn a_state_taken_at_any_tick_goes_on_in_a_new_world_as_in_the_old_one() {
    for at in 0..TICKS {
        let mut scene = Scene::new(Game::long_steps());
        (0..at).for_each(|tick| scene.tick(tick));
        let state = taken(&mut scene.game);
        let mut loaded = scene.loaded(&through_a_file(&state));
        for tick in at..TICKS {
            scene.tick(tick);
            loaded.tick(tick);
            let (old, new) = (scene.seen(), loaded.seen());
            for (agent, pair) in old.iter().zip(&new).enumerate() {
                assert_eq!(pair.0, pair.1, "agent {agent} in tick {tick}, taken at {at}");
            }
        }
    }
}

#[test]
fn the_scene_has_agents_in_all_states() {
    let mut scene = Scene::new(Game::long_steps());
    let mut met = std::collections::BTreeSet::new();
    for tick in 0..TICKS {
        scene.tick(tick);
        if tick == 11 {
            // Less than the orders of the next tick need.
            scene.game.budget(10);
        }
        let statuses = scene.seen().into_iter().filter_map(|(_, status, ..)| status);
        met.extend(
            statuses.map(|status| format!("{status:?}").split('(').next().unwrap_or_default().to_owned()),
        );
    }
    let all = ["Arrived", "Failed", "Following", "Idle", "Paused", "Queued", "Searching", "WaitingForWay"];
    assert_eq!(met.iter().map(String::as_str).collect::<Vec<_>>(), all);
    assert_eq!(scene.game.world().resource::<TilepathSettings>().work_per_tick, 100_000);
}

/// A game in `FixedUpdate`, where agents are drawn between two ticks.
#[test]
fn agents_are_drawn_as_before_when_their_state_is_taken() {
    let (mut game, _) = Game::open(20, 3);
    let agent = game.ordered_agent((0, 0), 40.0, (19, 2));
    game.ticks(7);
    let (drawn, simulated) = (game.drawn(agent), game.position(agent));
    assert_ne!(drawn, simulated);
    let state = taken(&mut game);
    assert_eq!(game.drawn(agent), drawn);

    let mut loaded = Game::new();
    let mut entities = EntityHashMap::default();
    state.put(loaded.world_mut(), &mut entities).expect("a new world fits every state");
    let now = entities[&agent];
    assert_eq!(loaded.drawn(now), simulated);
    for _ in 0..20 {
        game.tick();
        loaded.tick();
        assert_eq!(game.position(agent), loaded.position(now));
    }
}

#[test]
fn houses_that_burned_down_leave_no_walls_in_a_save() {
    let picture = "
        .....
        .....
    ";
    let (mut game, map) = Game::drawn_as(picture);
    let at = Transform::from_translation(centre(2, 1).extend(0.0));
    let house = Obstacle { size: Vec2::splat(10.0), ..default() };
    let [house, hedge] =
        [house.clone(), house.blocks_only(["cart"])].map(|of| game.world_mut().spawn((of, at)).id());
    game.tick();
    game.assert_map(map, "..#..\n.....");
    let standing = taken(&mut game);
    game.world_mut().despawn(house);
    game.world_mut().despawn(hedge);
    // The tick that opens the cells has not come yet.
    let burned = taken(&mut game);
    for (state, expected) in [(&burned, picture), (&standing, "..#..\n.....")] {
        let mut loaded = Game::new();
        let mut entities = EntityHashMap::default();
        through_a_file(state).put(loaded.world_mut(), &mut entities).expect("a new world fits every state");
        loaded.assert_map(entities[&map], expected);
        loaded.tick();
        loaded.assert_map(entities[&map], expected);
    }
    // The walls of a loaded house go with it.
    let mut loaded = Game::new();
    let mut entities = EntityHashMap::default();
    standing.put(loaded.world_mut(), &mut entities).expect("a new world fits every state");
    loaded.world_mut().despawn(entities[&house]);
    loaded.tick();
    loaded.assert_map(entities[&map], picture);
}

#[test]
fn a_state_is_put_back_into_its_own_world() {
    let (mut game, map) = Game::open(9, 3);
    let agent = game.ordered_agent((0, 0), 64.0, (8, 0));
    game.ticks(10);
    let state = taken(&mut game);
    game.ticks(3);
    let expected: Vec<Vec2> = (0..20).map(|_| (game.tick(), game.position(agent)).1).collect();
    game.set_terrain(map, 8, 0, 0);
    game.cancel(agent);
    game.ticks(5);
    state.put(game.world_mut(), &mut state.same_entities()).expect("all entities are there");
    game.ticks(3);
    let again: Vec<Vec2> = (0..20).map(|_| (game.tick(), game.position(agent)).1).collect();
    assert_eq!(again, expected);
}

/// A snapshot of each tick, and a rollback of eight ticks after each.
#[test]
fn a_rollback_repeats_the_ticks_exactly() {
    const BACK: usize = 8;
    let mut scene = Scene::new(Game::long_steps());
    let mut seen = Vec::new();
    let mut snapshots = Vec::new();
    for tick in 0..TICKS {
        // Entities that are despawned by the script do not come back.
        if tick == 60 {
            continue;
        }
        snapshots.push((tick, TilepathSnapshot::take(scene.game.world_mut()).expect("the plugin is there")));
        scene.tick(tick);
        seen.push((scene.seen(), scene.game.diagnostics()));
        if tick % BACK != BACK - 1 || tick > 60 && tick < 60 + BACK {
            continue;
        }
        let from = snapshots.len() - BACK;
        snapshots[from].1.put(scene.game.world_mut()).expect("all entities are there");
        for again in from..snapshots.len() {
            scene.tick(snapshots[again].0);
            assert_eq!((scene.seen(), scene.game.diagnostics()), seen[again], "tick {again} after {tick}");
        }
    }
}

#[test]
fn a_state_taken_before_the_first_tick_goes_on() {
    let (mut game, _) = Game::open(9, 3);
    let agent = game.ordered_agent((0, 0), 64.0, (8, 2));
    let state = through_a_file(&taken(&mut game));
    let mut loaded = Game::new();
    let mut entities = EntityHashMap::default();
    state.put(loaded.world_mut(), &mut entities).expect("a new world fits every state");
    for _ in 0..40 {
        game.tick();
        loaded.tick();
        assert_eq!(loaded.position(entities[&agent]), game.position(agent));
    }
    assert!(game.path(agent).next_point() > 0);
    // Nothing at all is a state, too.
    let mut empty = Game::new();
    let state = through_a_file(&taken(&mut empty));
    assert_eq!(state.entities().count(), 0);
    state.put(Game::new().world_mut(), &mut EntityHashMap::default()).expect("a new world fits every state");
}
