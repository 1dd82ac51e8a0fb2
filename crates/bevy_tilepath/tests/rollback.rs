//! Rollback networking with `bevy_ggrs`: a session that takes back and repeats every frame.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_ggrs::{
    Checksum, GgrsSnapshots, LoadWorld, LocalInputs, LocalPlayers, RollbackFrameCount, SaveWorld, prelude::*,
};
use bevy_tilepath::{
    AgentPath, Body, Cell, NavGrid, NavMap, NavProjection, PathAgent, PathRequest, PathStatus,
    TilepathPlugin, TilepathSettings, TilepathSnapshot,
    doors::{Door, DoorEnd},
    groups::GroupOrder,
    tilepath::Grid,
};
use rand::Rng;
use testkit::Seed;

type Config = GgrsConfig<u32>;

const PLAYERS: usize = 2;
const FRAMES: usize = 2000;
const BACK: usize = 8;
const SIDE: u32 = 40;

/// The units of the players, the map, and its door.
#[derive(Resource)]
struct Field {
    map: Entity,
    door: Entity,
    units: Vec<Entity>,
    squad: Vec<Entity>,
    group: Entity,
}

/// The inputs of the players.
#[derive(Resource)]
struct Bits(Vec<u32>);

/// The number of frames whose repetition differed.
#[derive(Resource, Default)]
struct Mismatches(usize);

fn set_up(mut commands: Commands) {
    let grid = Grid::new(SIDE, SIDE, 1).expect("the map is small");
    let map = commands.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::default())).id();
    let end = |x, y| DoorEnd::cell(map, Cell::new(x, y));
    let door = commands.spawn(Door::new(end(1, 1), end(38, 38)).with_cost(4.0)).id();
    let agent = PathAgent { speed: 6.0.into(), ..default() };
    let mut unit = |x: usize, y: usize| {
        commands.spawn((agent, Transform::from_xyz(x as f32, y as f32, 0.0), Rollback)).id()
    };
    let units = (0..12).map(|n| unit(3 * n, n)).collect::<Vec<_>>();
    let squad = (0..5).map(|n| unit(n, 30)).collect::<Vec<_>>();
    let group = commands.spawn_empty().id();
    for &body in units.iter().step_by(2).chain(&squad) {
        commands.entity(body).insert(Body::default());
    }
    commands.insert_resource(Field { map, door, units, squad, group });
}

/// Each player sends random bits: what to do, and where.
fn read_inputs(mut commands: Commands, players: Res<LocalPlayers>, mut bits: ResMut<Bits>) {
    let inputs = players.0.iter().map(|&player| (player, bits.0.pop().unwrap_or_default())).collect();
    commands.insert_resource(LocalInputs::<Config>(inputs));
}

/// Does what the players want.
fn obey(
    inputs: Res<PlayerInputs<Config>>,
    field: Res<Field>,
    mut maps: Query<&mut NavGrid>,
    mut doors: Query<&mut Door>,
    mut commands: Commands,
) {
    for &(input, _) in &**inputs {
        let place = |bits: u32| Cell::new((bits % SIDE) as i32, (bits / SIDE % SIDE) as i32);
        let cell = place(input >> 8);
        match input % 64 {
            kind @ 0..8 => {
                let unit = field.units[(input >> 20) as usize % field.units.len()];
                let order = PathRequest::to_cell(cell);
                let order = if kind == 0 { order.then(place(input >> 12)).looped() } else { order };
                commands.entity(unit).insert(order);
            }
            8 => drop(commands.entity(field.units[(input >> 20) as usize % 12]).try_remove::<PathRequest>()),
            9..16 => {
                let mut grid = maps.get_mut(field.map).expect("the map is there");
                let class = if grid.terrain(cell) == Some(0) { 1 } else { (input >> 30) as u8 % 3 };
                grid.set_terrain(cell, class).expect("the cell is on the map");
            }
            16 => {
                let mut door = doors.get_mut(field.door).expect("the door is there");
                door.open = !door.open;
            }
            17 => drop(commands.entity(field.group).insert(GroupOrder::to(field.squad.clone(), cell))),
            _ => {}
        }
    }
}

fn save(world: &mut World) {
    let snapshot = TilepathSnapshot::take(world).expect("the plugin is there");
    let frame = world.resource::<RollbackFrameCount>().0;
    world.resource_mut::<GgrsSnapshots<TilepathSnapshot>>().push(frame, snapshot);
}

fn load(world: &mut World) {
    let frame = world.resource::<RollbackFrameCount>().0;
    world.resource_scope(|world, mut snapshots: Mut<GgrsSnapshots<TilepathSnapshot>>| {
        snapshots.rollback(frame).get().put(world).expect("all entities are there");
    });
}

/// Sums up everything that can be seen of the units.
fn sum_up(
    mut checksum: ResMut<Checksum>,
    units: Query<(&Transform, Option<&AgentPath>, &PathStatus)>,
    field: Res<Field>,
) {
    let mut hasher = DefaultHasher::new();
    for &unit in field.units.iter().chain(&field.squad) {
        let (at, path, status) = units.get(unit).expect("the unit is there");
        at.translation.to_array().map(f32::to_bits).hash(&mut hasher);
        format!("{status:?}").hash(&mut hasher);
        if let Some(path) = path {
            path.next_point().hash(&mut hasher);
            path.points().iter().for_each(|point| point.to_array().map(f32::to_bits).hash(&mut hasher));
        }
    }
    checksum.0 = hasher.finish().into();
}

#[test]
fn frames_are_taken_back_and_repeated_exactly() {
    let mut session = SessionBuilder::<Config>::new().with_num_players(PLAYERS).expect("two players");
    session = session.with_max_prediction_window(BACK + 1).with_check_distance(BACK);
    for player in 0..PLAYERS {
        session = session.add_player(PlayerType::Local, player).expect("a new player");
    }
    let session = session.start_synctest_session().expect("the session is complete");
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        GgrsPlugin::<Config>::default(),
        TilepathPlugin::in_schedule(GgrsSchedule),
    ))
    .insert_resource(TilepathSettings { work_per_tick: 500 })
    .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_nanos(1_000_000_000 / 60)))
    .insert_resource(Session::SyncTest(session))
    .insert_resource(Bits(Seed::named("rollback").generator().random_iter().take(PLAYERS * FRAMES).collect()))
    .init_resource::<Mismatches>()
    .init_resource::<GgrsSnapshots<TilepathSnapshot>>()
    .add_systems(Startup, set_up)
    .add_systems(ReadInputs, read_inputs)
    .add_systems(GgrsSchedule, obey.before(bevy_tilepath::TilepathSystems::SyncMaps))
    .add_systems(SaveWorld, save.in_set(SaveWorldSystems::Snapshot))
    .add_systems(SaveWorld, sum_up.after(SaveWorldSystems::Checksum).before(SaveWorldSystems::Snapshot))
    .add_systems(LoadWorld, load.in_set(LoadWorldSystems::Mapping))
    .add_observer(|_: On<SyncTestMismatch>, mut mismatches: ResMut<Mismatches>| mismatches.0 += 1);
    let mut walked = 0;
    // The clock stands in the first update.
    app.update();
    for _ in 0..FRAMES {
        app.update();
        let mut paths = app.world_mut().query::<&AgentPath>();
        walked += paths.iter(app.world()).count();
    }
    assert_eq!(app.world().resource::<RollbackFrameCount>().0 as usize, FRAMES);
    assert_eq!(app.world().resource::<Mismatches>().0, 0);
    assert!(walked > FRAMES, "units walk: {walked}");
}
