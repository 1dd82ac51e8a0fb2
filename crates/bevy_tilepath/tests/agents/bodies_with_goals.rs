//! Bodies with one order to several cells. Each body takes the cheapest free cell.

use bevy::prelude::*;
use bevy_tilepath::{Body, Cell, Cost, PathGoal, PathRequest};

use crate::harness::*;

/// The agents that arrived, with the index of their goal in the list.
#[derive(Resource, Default)]
struct Chosen(Vec<(Entity, usize)>);

fn tree() -> Cell {
    Cell::new(15, 6)
}

fn is_beside_tree(cell: Cell) -> bool {
    (cell.x - tree().x).abs().max((cell.y - tree().y).abs()) == 1
}

/// Gives the order to `count` bodies. Returns the end cell and the shortfall of each.
fn ends(game: &mut Game, count: i32, request: &PathRequest) -> Vec<(Cell, Cost)> {
    let all: Vec<Entity> = (0..count).map(|n| game.body(1 + n / 12, n % 12, 96.0)).collect();
    for &one in &all {
        game.world_mut().entity_mut(one).insert(request.clone());
    }
    game.ticks(1500);
    let mut ends = Vec::new();
    for &one in &all {
        let told: Vec<Cost> =
            game.body_news().arrived.iter().filter(|(who, _)| *who == one).map(|(_, short)| *short).collect();
        assert_eq!(told.len(), 1, "{:?}", game.body_news().lost);
        ends.push((game.cell_at(one), told[0]));
    }
    ends
}

#[test]
fn eight_gatherers_stand_on_the_eight_cells_beside_a_tree() {
    for what in ["wall", "body"] {
        for count in 1..=8 {
            let (mut game, map) = Game::open(24, 12);
            let request = if what == "wall" {
                game.set_terrain(map, tree().x, tree().y, 0);
                PathRequest::to(PathGoal::beside(tree()))
            } else {
                let at = centre(tree().x, tree().y).extend(1.0);
                let trunk = game.world_mut().spawn((Body::default(), Transform::from_translation(at))).id();
                PathRequest::to(PathGoal::beside(trunk))
            };
            for (cell, short) in ends(&mut game, count, &request) {
                assert!(is_beside_tree(cell), "{what}, {count} gatherers: a gatherer ended at {cell}");
                assert_eq!(short, Cost::ZERO, "{what}, {count} gatherers: {cell} is a goal");
            }
        }
    }
}

#[test]
fn each_of_a_list_is_taken_once_and_named_by_its_index() {
    let goals: Vec<Cell> = (0..8).map(|n| Cell::new(18, 2 + n)).collect();
    let (mut game, _) = Game::open(24, 12);
    game.init_resource::<Chosen>().add_observer(
        |on: On<bevy_tilepath::events::Arrived>, mut chosen: ResMut<Chosen>| {
            chosen.0.push((on.entity, on.chosen));
        },
    );
    let mut taken: Vec<Cell> =
        ends(&mut game, 8, &PathRequest::to_nearest(goals.clone())).iter().map(|(cell, _)| *cell).collect();
    for &(entity, chosen) in &game.world().resource::<Chosen>().0 {
        assert_eq!(game.cell_at(entity), goals[chosen]);
    }
    taken.sort_unstable();
    assert_eq!(taken, {
        let mut all = goals;
        all.sort_unstable();
        all
    });
}

#[test]
fn more_than_there_are_cells_end_around_them() {
    let (mut game, map) = Game::open(24, 12);
    game.set_terrain(map, tree().x, tree().y, 0);
    let ends = ends(&mut game, 14, &PathRequest::to(PathGoal::beside(tree())));
    let beside = ends.iter().filter(|(cell, _)| is_beside_tree(*cell)).count();
    assert_eq!(beside, 8, "{ends:?}");
    for (cell, short) in ends {
        assert_eq!(short == Cost::ZERO, is_beside_tree(cell), "{cell}");
        assert!((cell.x - tree().x).abs().max((cell.y - tree().y).abs()) <= 3, "{cell}");
    }
}
