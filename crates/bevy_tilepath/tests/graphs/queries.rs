//! Queries about graphs.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{NavGraph, NavQuery, PathFailure, tilepath::graph::Position};

use super::fixtures::*;
use crate::harness::*;

#[test]
fn questions_are_answered_where_the_graph_stands() {
    let mut game = Game::long_steps();
    let graph = game.graph(tutorial());
    game.world_mut()
        .entity_mut(graph)
        .insert(Transform::from_xyz(1000.0, 0.0, 0.0).with_scale(Vec3::splat(2.0)));
    game.tile_map("...", Vec2::ZERO);
    game.step(0.1);
    game.world_mut()
        .run_system_once(move |nav: NavQuery| {
            let view = nav.graph(graph).unwrap();
            assert_eq!(nav.only_graph().unwrap().entity(), graph);
            assert!((view.nav_graph().access_factor() - 4.0).abs() < 1e-12);
            let path = view.find_path("n1", "n6").unwrap();
            assert_eq!(path.ids(), ["n1", "n2", "n4", "n6"]);
            let within: Vec<(String, u32)> = view
                .within_steps("n1", 2)
                .unwrap()
                .into_iter()
                .map(|found| (found.id, found.steps))
                .collect();
            let expected = [("n1", 0), ("n2", 1), ("n3", 1), ("n4", 2), ("n5", 2), ("n6", 2)];
            assert_eq!(within, expected.map(|(id, steps)| (id.to_owned(), steps)));
            assert_eq!(view.within_cost("n1", 130.0).unwrap().len(), 2);

            let n3 = view.position_of("n3").unwrap();
            assert_eq!(n3, Vec2::new(1100.0, 360.0));
            assert_eq!(view.nearest_waypoint(n3 + 3.0).unwrap().id, "n3");
            assert_eq!(view.local(n3), Position::new(50.0, 180.0));
            let foot = view.nearest_on_edge(n3.midpoint(view.position_of("n1").unwrap())).unwrap();
            assert_eq!((foot.from, foot.to), ("n1", "n3"));
            let route = view.route("n1", n3).unwrap();
            assert_eq!(view.points(&route), [view.position_of("n1").unwrap(), n3]);
            assert_eq!(route.ids().collect::<Vec<_>>(), ["n1", "n3"]);

            assert_eq!(view.route("n1", "n9").unwrap_err(), PathFailure::UnknownWaypoint);
            assert_eq!(view.route("n1", Vec2::NAN).unwrap_err(), PathFailure::PositionNotFinite);
            assert_eq!(
                view.route(bevy_tilepath::Cell::new(0, 0), "n1").unwrap_err(),
                PathFailure::WrongKindOfMap
            );
            // The graph is not counted as a map, so a query still finds the only map.
            assert!(nav.only_map().is_ok());
            assert_eq!(nav.map(graph).unwrap_err(), PathFailure::NoMap);
        })
        .unwrap();
}

#[test]
fn graphs_that_are_not_there_not_ready_or_several_have_reasons() {
    let mut game = Game::long_steps();
    let graph = game.world_mut().spawn(NavGraph::default()).id();
    let reasons = move |nav: NavQuery| (nav.graph(graph).err(), nav.only_graph().err());
    let ask = |game: &mut Game| game.world_mut().run_system_once(reasons).unwrap();
    assert_eq!(ask(&mut game), [(); 2].map(|()| Some(PathFailure::NotReadYet { map: graph })).into());
    game.edit_graph(graph, |_| ());
    assert_eq!(ask(&mut game), (None, None));
    game.graph(tutorial());
    assert_eq!(ask(&mut game), (None, Some(PathFailure::AmbiguousMap)));
    game.world_mut().despawn(graph);
    assert_eq!(ask(&mut game), (Some(PathFailure::NoMap), None));
}
