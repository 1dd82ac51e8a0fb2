//! Games with turns: the game's own code moves agents to the next point of their path.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    AgentPath, Cell, Cost, NavGrid, NavMap, NavProjection, NavQuery, OnMap, PathAgent, PathFailure,
    PathRequest, PathStatus, Stepwise,
    agents::StepAgent,
    doors::{Door, DoorEnd},
    events::DoorPassed,
    tilepath::{
        Grid,
        turns::{TurnPath, Zone},
    },
};

use crate::harness::*;

/// Writes the next point of the path into the transform, as the code of a game would.
fn end_turn(mut pawns: Query<(&AgentPath, &mut Transform), With<PathAgent>>) {
    for (path, mut transform) in &mut pawns {
        if let Some(next) = path.points().get(path.next_point()) {
            transform.translation = next.extend(transform.translation.z);
        }
    }
}

fn turn(game: &mut Game) {
    game.world_mut().run_system_cached(end_turn).expect("the system runs");
    game.step(0.0);
}

#[test]
fn one_tile_a_turn_is_told_like_walking() {
    let mut game = Game::long_steps();
    game.map(".....\n.....\n....#");
    let pawn = game.ordered_agent((0, 0), 0.0, (3, 2));
    game.step(0.0);
    let cells = game.cell_path(pawn).cells().to_vec();
    assert_eq!(game.status(pawn), PathStatus::Following);
    game.told();
    for (n, &cell) in cells.iter().enumerate().skip(1) {
        turn(&mut game);
        assert_eq!(game.position(pawn), centre(cell.x, cell.y));
        let mut expected = vec![(pawn, Told::Reached(cell))];
        if n + 1 == cells.len() {
            expected.push((pawn, Told::Arrived(cell)));
        }
        assert_eq!(game.told(), expected);
        // Time between two turns changes nothing.
        game.step(10.0);
        assert_eq!(game.told(), []);
    }
    assert_eq!(game.status(pawn), PathStatus::Arrived);
}

#[test]
fn edit_between_two_turns_replans_the_rest() {
    let mut game = Game::long_steps();
    let map = game.map(".....\n.....");
    let pawn = game.ordered_agent((0, 0), 0.0, (4, 0));
    game.step(0.0);
    turn(&mut game);
    game.told();
    game.set_terrain(map, 2, 0, 0);
    game.step(0.0);
    let news = game.told_of(pawn);
    assert!(matches!(news[..], [Told::Blocked(Cell { x: 2, y: 0 }), Told::Replanned { .. }]), "{news:?}");
    for _ in 0..10 {
        turn(&mut game);
        let at = game.position(pawn) / CELL;
        let cell = Cell::new(at.x.floor() as i32, at.y.floor() as i32);
        assert_eq!(game.world().get::<NavGrid>(map).unwrap().terrain(cell), Some(1), "{cell}");
    }
    assert_eq!(game.status(pawn), PathStatus::Arrived);
    assert_eq!(game.position(pawn), centre(4, 0));
}

#[test]
fn turn_leads_through_a_door() {
    #[derive(Resource, Default)]
    struct Doors(usize);
    let mut game = Game::long_steps();
    game.init_resource::<Doors>().add_observer(|_: On<DoorPassed>, mut doors: ResMut<Doors>| doors.0 += 1);
    let maps = [0.0, 200.0].map(|x| {
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(x + CELL / 2.0, CELL / 2.0));
        game.world_mut()
            .spawn((NavMap::default(), NavGrid::new(Grid::new(3, 1, 1).unwrap()), projection))
            .id()
    });
    let end = |map: usize, x| DoorEnd::cell(maps[map], Cell::new(x, 0));
    game.world_mut().spawn(Door::new(end(0, 2), end(1, 0)));
    let pawn = game.agent(0, 0, 0.0);
    game.world_mut().entity_mut(pawn).insert(OnMap(maps[0]));
    game.world_mut().entity_mut(pawn).insert(PathRequest::to_cell(Cell::new(2, 0)).on_map(maps[1]));
    game.step(0.0);
    for _ in 0..5 {
        turn(&mut game);
    }
    assert_eq!(game.status(pawn), PathStatus::Arrived);
    assert_eq!(game.position(pawn), Vec2::new(200.0 + 2.5 * CELL, CELL / 2.0));
    assert_eq!(game.world().get::<OnMap>(pawn), Some(&OnMap(maps[1])));
    assert_eq!(game.world().resource::<Doors>().0, 1);
    // The next order leads back through the door.
    game.world_mut().entity_mut(pawn).insert(PathRequest::to_cell(Cell::new(0, 0)).on_map(maps[0]));
    game.step(0.0);
    for _ in 0..5 {
        turn(&mut game);
    }
    assert_eq!((game.status(pawn), game.position(pawn)), (PathStatus::Arrived, centre(0, 0)));
}

#[test]
fn a_turn_is_walked() {
    let mut game = Game::long_steps();
    game.map(".........");
    let knight = game.agent(0, 0, 0.0);
    game.world_mut().entity_mut(knight).insert(Stepwise { steps: 0, is_animated: false });
    game.step(0.0);
    // Three steps a turn, and a zone at (4, 0) ends the second turn.
    let plan = |game: &mut Game| -> TurnPath {
        let from = game.cell_at(knight);
        let ask = move |nav: NavQuery| -> Result<Option<TurnPath>, PathFailure> {
            let map = nav.only_map()?;
            let unit = map.turn_query(from, Cost::new(30))?.with_zone(Zone::new([Cell::new(4, 0)]));
            map.solve_turn_path(&unit, Cell::new(8, 0))
        };
        let path = game.world_mut().run_system_once(ask).expect("it runs");
        path.expect("a map").expect("there is a path")
    };
    for columns in [3, 4, 7, 8] {
        let leg = plan(&mut game).leg(1);
        let steps = leg.steps() as u32;
        game.order(knight, PathRequest::along(leg));
        game.world_mut().trigger(StepAgent { entity: knight, steps });
        game.step(0.0);
        game.step(0.0);
        assert_eq!(game.cell_at(knight), Cell::new(columns, 0));
        assert_eq!(game.status(knight), PathStatus::Arrived);
    }
}
