//! Rollback networking with `bevy_ggrs`: a session that takes back and repeats every frame.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_ggrs::{
    Checksum, GgrsSnapshots, LoadWorld, LocalInputs, LocalPlayers, RollbackFrameCount, SaveWorld, prelude::*,
};
use bevy_tilepath::{
    AgentPath, Body, Cell, NavGrid, NavMap, NavProjection, Obstacle, OnMap, PathAgent, PathFailure, PathGoal,
    PathRequest, PathStatus, TilepathPlugin, TilepathSettings, TilepathSnapshot,
    agents::AgentNumber,
    doors::{Door, DoorEnd},
    events::DoorPassed,
    groups::{Group, GroupOrder},
    orders::Stop,
    tilepath::Grid,
};
use rand::Rng;
use testkit::Seed;

type Config = GgrsConfig<u32>;

const PLAYERS: usize = 2;
const FRAMES: usize = 2000;
const BACK: usize = 8;
const SIDE: u32 = 40;

/// The least and the most number of units.
const UNITS: [usize; 2] = [8, 24];

/// The map with its door, and the storey above, to which stairs lead.
#[derive(Resource)]
struct Field {
    map: Entity,
    upper: Entity,
    door: Entity,
}

/// A unit that gets orders with its group.
#[derive(Component)]
struct InSquad;

/// A group of units.
#[derive(Component)]
struct Troop;

/// The inputs of the players.
#[derive(Resource)]
struct Bits(Vec<u32>);

/// The number of deeds and of passages between the storeys, with the repeated ones.
#[derive(Resource, Default)]
struct Deeds {
    killed: usize,
    born: usize,
    pulled_down: usize,
    climbed: usize,
}

/// The number of frames whose repetition differed.
#[derive(Resource, Default)]
struct Mismatches(usize);

fn set_up(mut commands: Commands) {
    let [map, upper] = [0.0, 100.0].map(|x| {
        let grid = Grid::new(SIDE, SIDE, 1).expect("the map is small");
        let projection = NavProjection::square(Vec2::ONE, Vec2::new(x, 0.0));
        commands.spawn((NavMap::default(), NavGrid::new(grid), projection)).id()
    });
    let end = |map, x, y| DoorEnd::cell(map, Cell::new(x, y));
    let door = commands.spawn(Door::new(end(map, 1, 1), end(map, 38, 38)).with_cost(4.0)).id();
    commands.spawn(Door::new(end(map, 20, 20), end(upper, 20, 20)).with_cost(2.0).leaping());
    commands.spawn(Door::new(end(map, 39, 5), end(upper, 0, 5)));
    (0..12).for_each(|n| bear(&mut commands, map, Cell::new(3 * n, n), (n % 2 == 0, false)));
    (0..5).for_each(|n| bear(&mut commands, map, Cell::new(n, 30), (true, true)));
    commands.spawn((Troop, Rollback));
    commands.insert_resource(Field { map, upper, door });
}

/// Spawns a unit: a body or none, in the squad or not.
fn bear(commands: &mut Commands, map: Entity, at: Cell, (is_body, is_in_squad): (bool, bool)) {
    let agent = PathAgent { speed: 6.0.into(), ..default() };
    let place = Transform::from_xyz(at.x as f32, at.y as f32, 0.0);
    let mut unit = commands.spawn((agent, OnMap(map), place, Rollback));
    if is_body {
        unit.insert(Body::default());
    }
    if is_in_squad {
        unit.insert(InSquad);
    }
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
    units: Query<(Entity, &AgentNumber, Has<InSquad>)>,
    troops: Query<Entity, With<Troop>>,
    houses: Query<(Entity, &Transform), With<Obstacle>>,
    mut deeds: ResMut<Deeds>,
    mut commands: Commands,
) {
    let mut living: Vec<_> = units.iter().collect();
    living.sort_unstable_by_key(|(_, number, _)| number.get());
    for &(input, _) in &**inputs {
        let place = |bits: u32| Cell::new((bits % SIDE) as i32, (bits / SIDE % SIDE) as i32);
        let cell = place(input >> 8);
        let (unit, ..) = living[(input >> 20) as usize % living.len()];
        let [least, most] = UNITS;
        match input % 64 {
            kind @ 0..8 => {
                let (other, ..) = living[(input >> 14) as usize % living.len()];
                let order = match kind {
                    0 => PathRequest::to_cell(cell).on_map(field.map).then(place(input >> 12)).looped(),
                    1 => PathRequest::to(other).following(),
                    2 => PathRequest::to(PathGoal::beside(other)).or_wait(),
                    3 => {
                        let post = Stop::from(cell).on_map(field.upper).wait(0.2);
                        PathRequest::to(post).then_on(field.map, place(input >> 12)).looped()
                    }
                    _ => PathRequest::to_cell(cell).on_map([field.map, field.upper][kind as usize % 2]),
                };
                commands.entity(unit).insert(order);
            }
            8 => drop(commands.entity(unit).try_remove::<PathRequest>()),
            9..16 => {
                let mut grid = maps.get_mut(field.map).expect("the map is there");
                let class = if grid.terrain(cell) == Some(0) { 1 } else { (input >> 30) as u8 % 3 };
                grid.set_terrain(cell, class).expect("the cell is on the map");
            }
            16 => {
                let mut door = doors.get_mut(field.door).expect("the door is there");
                door.open = !door.open;
            }
            17 | 18 => {
                let squad = living.iter().filter(|(.., is_in_squad)| *is_in_squad).map(|&(unit, ..)| unit);
                let order = GroupOrder::to(squad, cell).on_map(field.map);
                match troops.iter().next() {
                    Some(troop) => drop(commands.entity(troop).insert(order)),
                    None => drop(commands.spawn((Troop, Rollback, order))),
                }
            }
            19 | 20 if living.len() > least => {
                commands.entity(unit).despawn_rollback();
                deeds.killed += 1;
            }
            21 | 22 if living.len() < most => {
                bear(&mut commands, field.map, cell, (input >> 30 != 0, input >> 31 != 0));
                deeds.born += 1;
            }
            23 | 24 => {
                let at = Transform::from_xyz(cell.x as f32, cell.y as f32, 0.0);
                commands.spawn((Obstacle { size: Vec2::splat(2.0), ..default() }, at, Rollback));
            }
            25 | 26 => {
                let key = |at: &Transform| at.translation.to_array().map(f32::to_bits);
                if let Some((house, _)) = houses.iter().min_by_key(|(_, at)| key(at)) {
                    commands.entity(house).despawn_rollback();
                    deeds.pulled_down += 1;
                }
            }
            27 => troops.iter().for_each(|troop| commands.entity(troop).despawn_rollback()),
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

/// Sums up everything that can be seen of the units, and their group.
fn sum_up(
    mut checksum: ResMut<Checksum>,
    field: Res<Field>,
    units: Query<(&AgentNumber, &Transform, Option<&AgentPath>, &PathStatus, &OnMap)>,
    groups: Query<&Group, With<GroupOrder>>,
) {
    let mut hasher = DefaultHasher::new();
    let number_of = |unit| units.get(unit).ok().map(|(number, ..)| number.get());
    let mut sorted: Vec<_> = units.iter().collect();
    sorted.sort_unstable_by_key(|(number, ..)| number.get());
    for (number, at, path, status, on_map) in sorted {
        (number.get(), on_map.0 == field.upper).hash(&mut hasher);
        at.translation.to_array().map(f32::to_bits).hash(&mut hasher);
        // A body that is born again has another entity.
        match *status {
            PathStatus::Failed(PathFailure::Blocked { by }) => number_of(by).hash(&mut hasher),
            status => format!("{status:?}").hash(&mut hasher),
        }
        if let Some(path) = path {
            path.next_point().hash(&mut hasher);
            path.points().iter().for_each(|point| point.to_array().map(f32::to_bits).hash(&mut hasher));
        }
    }
    for group in &groups {
        let cells: Vec<Cell> = group.places().map(|(_, cell)| cell).collect();
        (group.members().count(), cells).hash(&mut hasher);
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
    .init_resource::<Deeds>()
    .init_resource::<GgrsSnapshots<TilepathSnapshot>>()
    .add_systems(Startup, set_up)
    .add_systems(ReadInputs, read_inputs)
    .add_systems(GgrsSchedule, obey.before(bevy_tilepath::TilepathSystems::SyncMaps))
    .add_systems(SaveWorld, save.in_set(SaveWorldSystems::Snapshot))
    .add_systems(SaveWorld, sum_up.after(SaveWorldSystems::Checksum).before(SaveWorldSystems::Snapshot))
    .add_systems(LoadWorld, load.in_set(LoadWorldSystems::Mapping))
    .add_observer(|_: On<DoorPassed>, mut deeds: ResMut<Deeds>| deeds.climbed += 1)
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
    let Deeds { killed, born, pulled_down, climbed } = *app.world().resource::<Deeds>();
    assert!(killed.min(born).min(pulled_down) > FRAMES / 8, "{killed} {born} {pulled_down}");
    assert!(climbed > FRAMES / 20, "{climbed}");
}
