//! Scenes in code: `bsn!` of Bevy 0.19 and 0.20, in the syntax that both have.
//!
//! Lists of entities are written one entity a list, because the separator of lists differs.

use bevy::{
    asset::io::memory::Dir,
    ecs::template::{EntityTemplate, FnTemplate, Template, TemplateContext, template},
    prelude::*,
    scene::ScenePlugin,
};
use bevy_tilepath::{
    AgentMovement, Body, Cell, CostTable, Movement, NavGrid, NavMap, NavProjection, OnMap, PathAgent,
    PathFailure, PathRequest,
    agents::{MapAgents, Speed},
    doors::{Door, DoorEnd, Passage},
    groups::{Formation, GroupOrder},
    maps::OverlayArea,
    tilepath::Grid,
};

use crate::harness::*;

fn game_with_scenes(files: &Dir) -> Game {
    let mut game = Game::with_files(files);
    game.add_plugins(ScenePlugin);
    game
}

fn spawn(game: &mut Game, scene: impl Scene) -> Entity {
    game.world_mut().spawn_scene(scene).unwrap().id()
}

/// Returns the entity of this name.
fn named(game: &mut Game, name: &str) -> Entity {
    let mut names = game.world_mut().query::<(Entity, &Name)>();
    names.iter(game.world()).find(|(_, known)| known.as_str() == name).unwrap().0
}

fn grid(width: u32, height: u32) -> Grid {
    Grid::new(width, height, 1).unwrap()
}

fn at(x: i32, y: i32) -> Vec3 {
    centre(x, y).extend(0.0)
}

/// A group order to members that the scene names. It shows how a scene passes names to a component
/// whose constructor takes entities.
fn order_to_both(
    first: EntityTemplate,
    second: EntityTemplate,
) -> FnTemplate<impl Fn(&mut TemplateContext) -> Result<GroupOrder> + Clone + Send + Sync + 'static, GroupOrder>
{
    template(move |context: &mut TemplateContext| {
        let members = [first.build_template(context)?, second.build_template(context)?];
        Ok(GroupOrder::to(members, Cell::new(9, 2)).in_formation(Formation::Line))
    })
}

/// An order to a target that the scene names.
fn order_beside(
    target: EntityTemplate,
) -> FnTemplate<
    impl Fn(&mut TemplateContext) -> Result<PathRequest> + Clone + Send + Sync + 'static,
    PathRequest,
> {
    template(move |context: &mut TemplateContext| {
        Ok(PathRequest::to(bevy_tilepath::PathGoal::beside(target.build_template(context)?)))
    })
}

#[test]
fn unit_of_a_scene_walks_on_the_map_of_the_scene() {
    let mut game = game_with_scenes(&Dir::default());
    let map = spawn(
        &mut game,
        bsn! {
            NavMap { diagonals: bevy_tilepath::Diagonals::Never }
            NavGrid::new(grid(12, 3))
            NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0))
            MapAgents [
                #Unit
                PathAgent { speed: Speed::World(160.0) }
                Transform { translation: {at(0, 0)} }
                PathRequest::to_cell((9, 2))
            ]
        },
    );
    let unit = named(&mut game, "Unit");
    assert_eq!(game.world().get::<OnMap>(unit), Some(&OnMap(map)));
    assert!(game.is_ready(map), "a grid of a scene is ready at once");
    game.run_until_quiet(200);
    assert_eq!(game.words_of(unit), "found (9, 2) for 110, arrived at (9, 2)");
    assert_eq!(game.position(unit), centre(9, 2));
}

#[test]
fn names_of_a_scene_are_maps_layers_and_ends_of_doors() {
    let mut game = game_with_scenes(&Dir::default());
    spawn(
        &mut game,
        bsn! {
            Transform
            Children [
                #Yard
                NavMap
                NavGrid::new(grid(5, 1))
                NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0))
            ]
            Children [
                #Cellar
                Transform { translation: {at(0, 9)} }
                NavMap
                NavGrid::new(grid(5, 1))
                NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0))
            ]
            Children [
                #Stairs
                Door::between(#Yard, Cell::new(4, 0), #Cellar, Cell::new(0, 0))
                Door { one_way: true, passage: Passage::Leap, cost: 3.0 }
            ]
            Children [
                #Unit
                OnMap(#Yard)
                PathAgent { speed: Speed::World(160.0) }
                Transform { translation: {at(0, 0)} }
            ]
        },
    );
    let [yard, cellar, stairs, unit] =
        ["Yard", "Cellar", "Stairs", "Unit"].map(|name| named(&mut game, name));
    let door = game.world().get::<Door>(stairs).unwrap();
    assert_eq!((door.from.map(), door.to.map(), door.cost), (yard, cellar, 3.0));
    assert!(door.open && door.one_way && door.passage == Passage::Leap);
    assert_eq!(game.world().get::<OnMap>(unit), Some(&OnMap(yard)));

    game.order(unit, PathRequest::to_cell((4, 0)).on_map(cellar));
    game.run_until_quiet(200);
    assert_eq!(game.world().get::<OnMap>(unit), Some(&OnMap(cellar)));
    assert_eq!(game.told_of(unit).last(), Some(&Told::Arrived(Cell::new(4, 0))));
}

#[test]
fn scene_passes_the_names_of_members_and_targets_to_functions() {
    let mut game = game_with_scenes(&Dir::default());
    let map = spawn(
        &mut game,
        bsn! {
            NavMap
            NavGrid::new(grid(20, 5))
            NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0))
            MapAgents [
                #First
                PathAgent { speed: Speed::World(160.0) }
                Body
                Transform { translation: {at(0, 0)} }
            ]
            MapAgents [
                #Second
                PathAgent { speed: Speed::World(160.0) }
                Body
                Transform { translation: {at(0, 1)} }
            ]
            MapAgents [
                #Guard
                PathAgent { speed: Speed::World(160.0) }
                Transform { translation: {at(19, 4)} }
                order_beside(#Second)
            ]
            Children [
                #Squad
                order_to_both(#First, #Second)
            ]
        },
    );
    let [first, second, guard, squad] =
        ["First", "Second", "Guard", "Squad"].map(|name| named(&mut game, name));
    assert_eq!(game.world().get::<GroupOrder>(squad).unwrap().members(), [first, second]);
    assert_eq!(game.world().get::<OnMap>(guard), Some(&OnMap(map)));
    game.run_to_end(squad, 400);
    assert_eq!(game.only_end(), [2, 0, 0, 0]);
    game.run_until_quiet(400);
    assert!(game.told_of(guard).iter().any(|told| matches!(told, Told::Arrived(_))));
    let (guard, second) = (game.cell_at(guard), game.cell_at(second));
    assert_eq!((guard.x - second.x).abs().max((guard.y - second.y).abs()), 1);
}

#[test]
fn group_order_takes_known_members_and_further_fields() {
    let mut game = game_with_scenes(&Dir::default());
    let map = game.open_map(20, 5);
    let members = game.squad(4);
    let squad = members.clone();
    let group = spawn(
        &mut game,
        bsn! {
            GroupOrder::to(squad, Cell::new(12, 2))
            GroupOrder { formation: Formation::Line, keeps_pace: true, facing: {Some(Vec2::X)}, goal_map: {map} }
        },
    );
    let expected = GroupOrder::to(members.clone(), Cell::new(12, 2)).in_formation(Formation::Line);
    let expected = expected.at_common_pace().facing(Vec2::X).on_map(map);
    assert_eq!(game.world().get::<GroupOrder>(group), Some(&expected));
    game.run_to_end(group, 400);
    assert_eq!(game.only_end(), [4, 0, 0, 0]);
}

#[test]
fn components_without_entities_are_their_own_templates() {
    let mut game = game_with_scenes(&Dir::default());
    let boat = || Movement::new().with_costs(CostTable::impassable().with(4, 1));
    let named = spawn(
        &mut game,
        bsn! {
            AgentMovement::from("boat")
            OverlayArea { overlay: "danger", value: 3, radius: 2.5 }
        },
    );
    assert_eq!(game.world().get::<AgentMovement>(named), Some(&AgentMovement::from("boat")));
    assert_eq!(game.world().get::<OverlayArea>(named), Some(&OverlayArea::new("danger", 3, 2.5)));
    let own = spawn(&mut game, bsn! { AgentMovement::from(boat()) OverlayArea::new("smell", 1, 1.0) });
    assert_eq!(game.world().get::<AgentMovement>(own), Some(&AgentMovement::from(boat())));
    assert_eq!(game.world().get::<OverlayArea>(own), Some(&OverlayArea::new("smell", 1, 1.0)));
}

#[test]
fn scene_with_an_order_without_a_goal_tells_it_as_a_failed_order() {
    let mut game = game_with_scenes(&Dir::default());
    game.open_map(3, 3);
    let unit = spawn(&mut game, bsn! { PathAgent PathRequest Transform { translation: {at(0, 0)} } });
    assert_eq!(game.world().get::<PathRequest>(unit), Some(&PathRequest::default()));
    game.tick();
    assert_eq!(game.told_of(unit), [Told::Failed(PathFailure::NoGoals)]);
}

#[test]
fn scene_that_leaves_out_what_a_component_needs_is_not_spawned() {
    let mut game = game_with_scenes(&Dir::default());
    let map = game.open_map(3, 3);
    let mut error_of = |scene: Box<dyn Scene>| match game.world_mut().spawn_scene(scene) {
        Ok(entity) => panic!("{} was spawned", entity.id()),
        Err(error) => error.to_string(),
    };
    let faults = [
        error_of(Box::new(bsn! { Door { one_way: true } })),
        error_of(Box::new(bsn! { Door::between(map, Vec2::ZERO, map, "gate") })),
        error_of(Box::new(bsn! { GroupOrder { formation: Formation::Line } })),
        error_of(Box::new(bsn! { OnMap })),
    ];
    let texts = [
        "the door has no ends: begin with Door::between in the scene",
        "a door cannot end at [0, 0]: name a cell of a map or the id of a waypoint",
        "the group order has no goal: begin with GroupOrder::to in the scene",
        "Failed to specify an entity",
    ];
    for (fault, text) in faults.iter().zip(texts) {
        assert!(fault.contains(text), "{fault}");
    }
}

#[test]
fn door_of_a_scene_ends_at_waypoints_and_cells() {
    let mut game = game_with_scenes(&Dir::default());
    let [map, graph] = [game.open_map(3, 3), game.thing(0, 0)];
    let door = spawn(&mut game, bsn! { Door::between(map, Cell::new(2, 0), graph, "gate") });
    let expected = Door::new(DoorEnd::cell(map, Cell::new(2, 0)), DoorEnd::waypoint(graph, "gate"));
    assert_eq!(game.world().get::<Door>(door), Some(&expected));
}

#[cfg(feature = "rules_asset")]
#[test]
fn files_of_a_scene_are_paths() {
    let files = Dir::default();
    write(
        &files,
        "ford.rules.ron",
        r#"(classes: {1: "grass"}, movements: {"infantry": (costs: {"grass": 7})})"#,
    );
    let mut game = game_with_scenes(&files);
    let map = spawn(
        &mut game,
        bsn! {
            NavMap
            NavGrid::new(grid(3, 3))
            bevy_tilepath::maps::NavRules {
                file: "ford.rules.ron",
                movement: {Some(std::sync::Arc::<str>::from("infantry"))},
            }
        },
    );
    game.update_until(|game| game.world().get::<NavMap>(map).unwrap().costs.multiplier(1) == 7);
}

#[cfg(feature = "waypoint_asset")]
#[test]
fn graph_of_a_scene_is_a_path() {
    let mut town = bevy_tilepath::graphs::WaypointGraph::new();
    town.add("gate", (3.0, 4.0)).unwrap();
    let files = Dir::default();
    write(&files, "town.waypoints.ron", &town.to_ron());
    let mut game = game_with_scenes(&files);
    let graph = spawn(&mut game, bsn! { bevy_tilepath::graphs::NavGraphHandle("town.waypoints.ron") });
    let read = |game: &Game| game.world().get::<bevy_tilepath::NavGraph>(graph).unwrap().graph().clone();
    game.update_until(|game| read(game) == town);
}

#[cfg(feature = "tilemap")]
mod tilemaps {
    use bevy_ecs_tilemap::prelude::*;
    use bevy_tilepath::{
        NavLayer, Terrain,
        maps::{Ledge, OneWay},
        tilepath::Direction,
    };

    use super::*;

    /// `TilemapId` has no template, so a function puts the name of the tilemap into it.
    fn tile_of(
        map: EntityTemplate,
    ) -> FnTemplate<
        impl Fn(&mut TemplateContext) -> Result<TilemapId> + Clone + Send + Sync + 'static,
        TilemapId,
    > {
        template(move |context: &mut TemplateContext| Ok(TilemapId(map.build_template(context)?)))
    }

    #[test]
    fn tilemap_of_a_scene_has_tiles_layers_edges_and_units() {
        let mut game = game_with_scenes(&Dir::default());
        let map = spawn(
            &mut game,
            bsn! {
                #Ground
                TilemapSize { x: 3, y: 1 }
                TilemapTileSize { x: 16.0, y: 16.0 }
                TilemapGridSize { x: 16.0, y: 16.0 }
                TilemapType
                TilemapAnchor
                Transform
                NavMap
                Children [ tile_of(#Ground) TilePos { x: 0, y: 0 } Terrain(1) OneWay(Direction::East) ]
                Children [ tile_of(#Ground) TilePos { x: 1, y: 0 } Terrain(9) Ledge(Direction::East) ]
                Children [ tile_of(#Ground) TilePos { x: 2, y: 0 } Terrain(1) ]
                Children [
                    #Bridge
                    NavLayer { map: #Ground, order: 1 }
                    TilemapSize { x: 3, y: 1 }
                    TilemapTileSize { x: 16.0, y: 16.0 }
                    TilemapGridSize { x: 16.0, y: 16.0 }
                    TilemapType
                    TilemapAnchor
                    Transform
                    Children [ tile_of(#Bridge) TilePos { x: 1, y: 0 } Terrain(2) ]
                ]
                MapAgents [
                    #Unit
                    PathAgent { speed: Speed::World(160.0) }
                    Transform
                    PathRequest::to_tile(TilePos::new(2, 0))
                ]
            },
        );
        let [bridge, unit] = ["Bridge", "Unit"].map(|name| named(&mut game, name));
        let layer = NavLayer::new(map).with_order(1);
        assert_eq!(game.world().get::<NavLayer>(bridge), Some(&layer));
        game.run_until_quiet(200);
        game.assert_map(map, ".2.");
        assert_eq!(game.words_of(unit), "found (2, 0) for 30, arrived at (2, 0)");
        game.order_to(unit, 0, 0);
        game.tick();
        assert_eq!(game.told_of(unit), [Told::Failed(PathFailure::Unreachable)]);
    }
}
