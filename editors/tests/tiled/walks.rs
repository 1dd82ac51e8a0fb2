//! Walks on maps from Tiled, and the places of its points.

use bevy::prelude::*;
use bevy_ecs_tiled::prelude::*;
use bevy_tilepath::{AgentPath, Cell, NavProjection};
use tilepath_editors::update_until;

use crate::{map_of, send, tiled_app, walk};

/// Returns the cells of the unit's path, as tiles of the map.
fn tiles_of_way(app: &mut App, map: Entity, unit: Entity) -> Vec<IVec2> {
    update_until(app, |world| world.get::<AgentPath>(unit).is_some());
    let lattice = app.world().get::<NavProjection>(map).expect("the map has a projection").lattice();
    let way = app.world().get::<AgentPath>(unit).and_then(AgentPath::path).expect("the path is on tiles");
    way.cells().iter().map(|&cell| lattice.tile_of(cell).into()).collect()
}

#[test]
fn units_go_by_the_only_gate() {
    // For each file: start, goal, and tiles that each path between them enters, as tiles of the
    // map.
    let walks = [
        ("river.tmx", (0, 0), (11, 7), vec![(5, 3), (6, 3)]),
        ("island.tmx", (0, 0), (2, 2), vec![(6, 3)]),
        ("ford.tmx", (0, 5), (9, 0), vec![(2, 2), (3, 2)]),
        ("wilds.tmx", (-3, 3), (-8, 7), vec![(-1, -3)]),
    ];
    for (file, from, to, gates) in walks {
        let (mut app, _) = tiled_app(&[]);
        let map = map_of(&mut app, file);
        let lattice = app.world().get::<NavProjection>(map).expect("the map has a projection").lattice();
        let [from, to] = [from, to].map(|tile| lattice.cell_of(tile));
        let unit = send(&mut app, map, from, to);
        let way = tiles_of_way(&mut app, map, unit);
        for gate in gates {
            assert!(way.contains(&gate.into()), "{file}: {way:?}");
        }
        assert!(walk(&mut app, unit), "{file}");
        app.update();
        let stands =
            app.world().get::<Transform>(unit).expect("the unit has a transform").translation.truncate();
        let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
        assert!(stands.distance(projection.world_position_of(to)) < 0.01, "{file}: {stands}");
    }
}

#[test]
fn points_lie_on_their_cells() {
    let (mut app, _) = tiled_app(&[]);
    let map = map_of(&mut app, "river.tmx");
    let mut points = app.world_mut().query_filtered::<(&TiledName, &GlobalTransform), With<TiledObject>>();
    let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
    let mut cells: Vec<_> = points
        .iter(app.world())
        .map(|(name, place)| (name.0.clone(), projection.cell_at_world(place.translation().truncate())))
        .collect();
    cells.sort();
    assert_eq!(cells, [("A".into(), Some(Cell::new(0, 7))), ("B".into(), Some(Cell::new(11, 0)))]);
}
