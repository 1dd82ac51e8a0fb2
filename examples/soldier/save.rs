//! The content of a saved game. F5 saves it, F6 loads it.

use std::io;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, Terrain, TilepathState};
use serde::{Deserialize, Serialize};
use tilepath_examples::saved_game::SavedGame;

use crate::{
    chosen::{Chosen, choose},
    level::{Level, Scenery},
    report::Report,
    rules::Rules,
    scene::{BridgeMap, GroundMap, bridge_tile, tile_of},
    units::Unit,
};

/// The result of the last save or load, for the strip above the map.
#[derive(Resource, Debug, Default)]
pub(crate) struct SaveNews(pub(crate) String);

/// A saved game. Its entities have the ids that they had when it was saved.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedRiverside {
    state: TilepathState,
    map: Entity,
    units: Vec<SavedUnit>,
    scenery: Vec<(Entity, Scenery)>,
    /// The terrain classes of the ground, row by row from the bottom.
    classes: Vec<u8>,
    bridges: Vec<Cell>,
    rules: Rules,
}

/// The components of a unit that the plugin does not have.
#[derive(Serialize, Deserialize)]
struct SavedUnit {
    entity: Entity,
    kind: Unit,
    report: Report,
    is_chosen: bool,
}

impl SavedGame for SavedRiverside {
    const FILE: &str = "tilepath_soldier.ron";
    const LOAD: KeyCode = KeyCode::F6;

    fn take(world: &mut World) -> io::Result<Self> {
        let state = TilepathState::take(world).map_err(io::Error::other)?;
        world.run_system_cached_with(collect, state).map_err(io::Error::other)
    }

    fn put(&self, world: &mut World) -> io::Result<()> {
        let mut entities = world.run_system_cached_with(prepare, self).map_err(io::Error::other)?;
        self.state.put(world, &mut entities).map_err(io::Error::other)?;
        // The state has spawned the obstacles. Now they become trees and houses.
        for (entity, thing) in &self.scenery {
            if let Some(&entity) = entities.get(entity) {
                world.entity_mut(entity).insert((*thing, Visibility::default()));
            }
        }
        let before =
            world.query_filtered::<Entity, With<Chosen>>().single(world).map_err(io::Error::other)?;
        for unit in &self.units {
            let Some(&entity) = entities.get(&unit.entity) else { continue };
            // The observer of orders has replaced the report.
            world.entity_mut(entity).insert(unit.report.clone());
            if unit.is_chosen {
                choose(&mut world.commands(), before, entity);
            }
        }
        world.flush();
        world.insert_resource(self.rules);
        Ok(())
    }

    fn show(world: &mut World, news: String) {
        world.resource_mut::<SaveNews>().0 = news;
    }
}

/// Returns the present game, whose state is `state`.
fn collect(
    In(state): In<TilepathState>,
    level: Res<Level>,
    rules: Res<Rules>,
    ground: Single<(Entity, &TileStorage), (With<GroundMap>, Without<BridgeMap>)>,
    bridges: Single<&TileStorage, With<BridgeMap>>,
    terrain: Query<&Terrain>,
    scenery: Query<(Entity, &Scenery)>,
    units: Query<(Entity, &Unit, &Report, Has<Chosen>)>,
) -> SavedRiverside {
    let (map, tiles) = *ground;
    let class = |cell: Cell| {
        let tile = tiles.checked_get(&tile_of(cell));
        tile.and_then(|tile| terrain.get(tile).ok()).map_or(0, |class| class.0)
    };
    let is_bridge = |cell: &Cell| bridges.checked_get(&tile_of(*cell)).is_some();
    let saved = |(entity, kind, report, is_chosen): (Entity, &Unit, &Report, bool)| SavedUnit {
        entity,
        kind: *kind,
        report: report.clone(),
        is_chosen,
    };
    SavedRiverside {
        state,
        map,
        units: units.iter().map(saved).collect(),
        scenery: scenery.iter().map(|(entity, thing)| (entity, *thing)).collect(),
        classes: level.plan.cells().map(class).collect(),
        bridges: level.plan.cells().filter(is_bridge).collect(),
        rules: *rules,
    }
}

/// Puts the tiles of a save back, and despawns the scenery. Returns the entities that stay: the map
/// and the units. Units are found by their kind, because a level has at most one unit of a kind.
fn prepare(
    save: InRef<SavedRiverside>,
    level: Res<Level>,
    ground: Single<(Entity, &TileStorage), (With<GroundMap>, Without<BridgeMap>)>,
    bridges: Single<(Entity, &mut TileStorage), With<BridgeMap>>,
    mut terrain: Query<&mut Terrain>,
    scenery: Query<Entity, With<Scenery>>,
    units: Query<(Entity, &Unit)>,
    mut commands: Commands,
) -> EntityHashMap<Entity> {
    let (map, tiles) = *ground;
    let (bridge_map, mut bridges) = bridges.into_inner();
    for (cell, class) in level.plan.cells().zip(&save.classes) {
        let position = tile_of(cell);
        if let Some(tile) = tiles.checked_get(&position)
            && let Ok(mut present) = terrain.get_mut(tile)
        {
            present.set_if_neq(Terrain(*class));
        }
        match (bridges.checked_get(&position), save.bridges.contains(&cell)) {
            (Some(bridge), false) => {
                bridges.checked_remove(&position);
                commands.entity(bridge).despawn();
            }
            (None, true) => {
                let tile = commands.spawn(bridge_tile(bridge_map, position)).id();
                bridges.checked_set(&position, tile);
            }
            (Some(_), true) | (None, false) => {}
        }
    }
    for thing in &scenery {
        commands.entity(thing).despawn();
    }
    let mut entities = EntityHashMap::default();
    entities.insert(save.map, map);
    for saved in &save.units {
        if let Some((present, _)) = units.iter().find(|(_, kind)| **kind == saved.kind) {
            entities.insert(saved.entity, present);
        }
    }
    entities
}

#[cfg(test)]
mod tests {
    use bevy::time::TimeUpdateStrategy;
    use bevy_tilepath::TilepathPlugin;

    use super::*;
    use tilepath_examples::{ground::Ground, tiles::centre_of};

    use crate::{
        brush::{Brush, Paint},
        orders::order,
        scene::ScenePlugin,
    };

    fn started() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        update(&mut app, 2);
        app
    }

    fn update(app: &mut App, times: usize) {
        for _ in 0..times {
            app.update();
        }
    }

    fn unit(app: &mut App, wanted: Unit) -> Entity {
        let world = app.world_mut();
        let mut units = world.query::<(Entity, &Unit)>();
        units.iter(world).find(|(_, unit)| **unit == wanted).unwrap().0
    }

    fn place(app: &mut App, wanted: Unit) -> Vec3 {
        let unit = unit(app, wanted);
        app.world().get::<Transform>(unit).unwrap().translation
    }

    #[test]
    fn another_run_goes_on_from_a_save_as_the_first_run_does() {
        let mut first = started();
        for (kind, goal) in [(Unit::Soldier, Cell::new(34, 6)), (Unit::Boat, Cell::new(20, 22))] {
            let unit = unit(&mut first, kind);
            first.world_mut().entity_mut(unit).insert(order(centre_of(goal), Rules::default()));
        }
        update(&mut first, 60);
        // The great bridge and a fir become water.
        let cells = (19..=23).flat_map(|x| [(x, 11), (x, 12)]).chain([(0, 23)]);
        let brush = Brush::Ground(Ground::Water);
        let paints: Vec<Paint> = cells.map(|(x, y)| Paint { cell: Cell::new(x, y), brush }).collect();
        first.world_mut().write_message_batch(paints);
        update(&mut first, 10);
        let text = ron::to_string(&SavedRiverside::take(first.world_mut()).unwrap()).unwrap();

        let mut second = started();
        let save: SavedRiverside = ron::from_str(&text).unwrap();
        save.load(second.world_mut()).unwrap();
        update(&mut first, 200);
        update(&mut second, 200);
        for kind in Unit::ALL {
            assert_eq!(place(&mut first, kind), place(&mut second, kind), "the {}", kind.name());
        }
        let [first, second] = [first, second].map(|mut app| SavedRiverside::take(app.world_mut()).unwrap());
        assert_eq!((first.classes, first.bridges.len()), (second.classes, second.bridges.len()));
        assert_eq!((second.bridges.len(), second.scenery.len()), (4, Level::riverside().scenery.len() - 1));
    }

    #[test]
    fn a_save_that_does_not_fit_leaves_the_game_as_it_is() {
        let mut app = started();
        let mut save = SavedRiverside::take(app.world_mut()).unwrap();
        save.map = Entity::PLACEHOLDER;
        save.bridges.clear();
        assert!(save.load(app.world_mut()).is_err());
        let present = SavedRiverside::take(app.world_mut()).unwrap();
        let level = Level::riverside();
        assert_eq!(
            (present.bridges.len(), present.scenery.len()),
            (level.bridges.len(), level.scenery.len())
        );
    }
}
