//! Areas that follow their entity and cost more for some movements.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Cell, Movement, NavGrid, NavMap, NavProjection, NavQuery, OnMap,
    maps::OverlayArea,
    tilepath::{Grid, Topology},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const CELL: f32 = 10.0;

fn map(game: &mut Game, topology: Topology) -> Entity {
    let grid = Grid::new(30, 20, 1).unwrap().with_topology(topology);
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    let careful = Movement::new().with_overlay("danger");
    game.world_mut()
        .spawn((NavMap::default().with_movement("careful", careful), NavGrid::new(grid), projection))
        .id()
}

fn values(game: &Game, map: Entity, name: &str) -> Vec<(Cell, u16)> {
    let grid = game.world().get::<NavGrid>(map).unwrap().grid();
    grid.bounds()
        .cells()
        .map(|cell| (cell, grid.overlay(name, cell)))
        .filter(|(_, value)| *value > 0)
        .collect()
}

#[test]
fn danger_follows_its_guard() {
    let mut game = Game::new();
    let map = map(&mut game, Topology::Square);
    let guard = game
        .world_mut()
        .spawn((OverlayArea::new("danger", 3, 2.0), Transform::from_xyz(55.0, 55.0, 0.0)))
        .id();
    game.tick();
    assert_eq!(values(&game, map, "danger").len(), 13, "the cells of a circle with radius two");
    let careful_cost = |game: &mut Game| {
        game.world_mut()
            .run_system_once(|nav: NavQuery| {
                let view = nav.only_map().unwrap();
                let cost = |movement: Option<&str>| {
                    let view = movement.map_or(view, |name| view.with_movement(name).unwrap());
                    view.find(Cell::new(0, 5), Cell::new(29, 5)).unwrap().outcome.path().unwrap().cost().get()
                };
                (cost(None), cost(Some("careful")))
            })
            .unwrap()
    };
    let (bold, careful) = careful_cost(&mut game);
    assert!(bold == 290 && careful > bold, "{bold} {careful}");
    game.world_mut().get_mut::<Transform>(guard).unwrap().translation.y = 155.0;
    game.tick();
    assert_eq!(careful_cost(&mut game), (290, 290));
    game.world_mut().despawn(guard);
    game.tick();
    assert_eq!(values(&game, map, "danger"), []);
}

#[test]
fn areas_after_any_edits_equal_the_rules_in_words() {
    for topology in [Topology::Square, Topology::Hexagonal] {
        let mut game = Game::new();
        let maps = [map(&mut game, topology), map(&mut game, topology)];
        let mut random = Seed::named(&format!("areas {topology}")).generator();
        let mut guards: Vec<Entity> = Vec::new();
        for step in 0..150 {
            let area = OverlayArea::new(
                ["danger", "smell"][random.random_range(0..2)],
                random.random_range(0..5),
                [0.0, 1.0, 2.5, 6.0, -1.0, f32::NAN, f32::INFINITY][random.random_range(0..7)],
            );
            let place = Transform::from_xyz(
                random.random_range(-60.0..360.0),
                random.random_range(-60.0..260.0),
                0.0,
            );
            match random.random_range(0..5) {
                0 | 1 if guards.len() < 6 => guards.push(game.world_mut().spawn((area, place)).id()),
                2 if !guards.is_empty() => {
                    let guard = guards.swap_remove(random.random_range(0..guards.len()));
                    game.world_mut().despawn(guard);
                }
                3 if !guards.is_empty() => {
                    let guard = guards[random.random_range(0..guards.len())];
                    game.world_mut().entity_mut(guard).insert(OnMap(maps[random.random_range(0..2)]));
                }
                _ if !guards.is_empty() => {
                    let guard = guards[random.random_range(0..guards.len())];
                    game.world_mut().entity_mut(guard).insert((area, place));
                }
                _ => {}
            }
            game.tick();
            for (map, name) in maps.into_iter().flat_map(|map| [(map, "danger"), (map, "smell")]) {
                let projection = *game.world().get::<NavProjection>(map).unwrap();
                let bounds = game.world().get::<NavGrid>(map).unwrap().bounds();
                let expected: Vec<(Cell, u16)> = bounds
                    .cells()
                    .filter_map(|cell| {
                        let of_guard = |&guard: &Entity| {
                            let guard = game.world().entity(guard);
                            let area = guard.get::<OverlayArea>().unwrap();
                            let here = guard.get::<Transform>().unwrap().translation.truncate();
                            let centre = projection.cell_at_world(here).unwrap();
                            let (dx, dy) = (f64::from(cell.x - centre.x), f64::from(cell.y - centre.y));
                            let square =
                                dx * dx + dy * dy + if topology == Topology::Square { 0.0 } else { dx * dy };
                            let is_here = guard.get::<OnMap>().is_none_or(|on_map| on_map.0 == map);
                            let is_near =
                                area.radius >= 0.0 && square.sqrt() <= f64::from(area.radius) + 1e-9;
                            (is_here && is_near && &*area.overlay == name).then_some(area.value)
                        };
                        Some((cell, guards.iter().filter_map(of_guard).max()?))
                            .filter(|(_, value)| *value > 0)
                    })
                    .collect();
                assert_eq!(values(&game, map, name), expected, "{topology} step {step}");
            }
        }
        for guard in guards {
            game.world_mut().despawn(guard);
        }
        game.tick();
        assert!(maps.iter().all(|&map| values(&game, map, "danger").is_empty()));
    }
}
