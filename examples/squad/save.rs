//! The content of a saved game. F5 saves it, F8 loads it.

use std::io;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{Obstacle, TilepathState};
use serde::{Deserialize, Serialize};
use tilepath_examples::saved_game::SavedGame;

use crate::{
    orders::{Goals, Manner, News},
    scene::{Gate, GateIsOpen, GroundMap},
    select::Selected,
    units::Unit,
};

/// A saved game. Its entities have the ids that they had when it was saved.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedSquad {
    state: TilepathState,
    map: Entity,
    gate: Entity,
    gate_is_open: GateIsOpen,
    units: Vec<(Entity, Unit)>,
    selected: Vec<Entity>,
    /// The groups, with the goals of their flags.
    goals: Vec<(Entity, Goals)>,
    manner: Manner,
}

impl SavedGame for SavedSquad {
    const FILE: &str = "tilepath_squad.ron";
    const LOAD: KeyCode = KeyCode::F8;

    fn take(world: &mut World) -> io::Result<Self> {
        let state = TilepathState::take(world).map_err(io::Error::other)?;
        world.run_system_cached_with(collect, state).map_err(io::Error::other)
    }

    fn put(&self, world: &mut World) -> io::Result<()> {
        let mut entities = world.run_system_cached_with(clear, self).map_err(io::Error::other)?;
        self.state.put(world, &mut entities).map_err(io::Error::other)?;
        // The state has spawned units, groups and obstacles. Units and groups also have components
        // of the game.
        for (entity, unit) in &self.units {
            if let Some(&entity) = entities.get(entity) {
                world.entity_mut(entity).insert(unit.appearance());
            }
        }
        for (entity, goals) in &self.goals {
            if let Some(&entity) = entities.get(entity) {
                world.entity_mut(entity).insert(goals.clone());
            }
        }
        for entity in &self.selected {
            if let Some(&entity) = entities.get(entity) {
                world.entity_mut(entity).insert(Selected);
            }
        }
        world.insert_resource(self.gate_is_open);
        world.insert_resource(self.manner);
        Ok(())
    }

    fn show(world: &mut World, news: String) {
        world.resource_mut::<News>().0 = news;
    }
}

/// Returns the present game, whose state is `state`.
fn collect(
    In(state): In<TilepathState>,
    map: Single<Entity, With<GroundMap>>,
    gate: Single<Entity, With<Gate>>,
    gate_is_open: Res<GateIsOpen>,
    units: Query<(Entity, &Unit)>,
    selected: Query<Entity, With<Selected>>,
    goals: Query<(Entity, &Goals)>,
    manner: Res<Manner>,
) -> SavedSquad {
    SavedSquad {
        state,
        map: *map,
        gate: *gate,
        gate_is_open: *gate_is_open,
        units: units.iter().map(|(entity, unit)| (entity, *unit)).collect(),
        selected: selected.iter().collect(),
        goals: goals.iter().map(|(entity, goals)| (entity, goals.clone())).collect(),
        manner: *manner,
    }
}

/// Despawns units, groups and obstacles, and opens the gate. Returns the entities that stay: the
/// map and the gate.
fn clear(
    save: InRef<SavedSquad>,
    map: Single<Entity, With<GroundMap>>,
    gate: Single<Entity, With<Gate>>,
    others: Query<Entity, Or<(With<Unit>, With<Goals>, (With<Obstacle>, Without<Gate>))>>,
    mut commands: Commands,
) -> EntityHashMap<Entity> {
    for other in &others {
        commands.entity(other).despawn();
    }
    commands.entity(*gate).remove::<Obstacle>();
    [(save.map, *map), (save.gate, *gate)].into_iter().collect()
}

#[cfg(test)]
mod tests {
    use bevy::time::TimeUpdateStrategy;
    use bevy_tilepath::{
        Cell, TilepathPlugin,
        groups::{Formation, Group, GroupOrder},
    };

    use super::*;
    use tilepath_examples::tiles::centre_of;

    use crate::scene::ScenePlugin;

    fn started() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .init_resource::<Manner>();
        update(&mut app, 2);
        app
    }

    fn update(app: &mut App, times: usize) {
        for _ in 0..times {
            app.update();
        }
    }

    /// Returns the places of all units, sorted.
    fn places(app: &mut App) -> Vec<(Unit, [u32; 2])> {
        let world = app.world_mut();
        let mut units = world.query::<(&Unit, &Transform)>();
        let place = |place: &Transform| place.translation.truncate().to_array().map(f32::to_bits);
        let mut places: Vec<_> = units.iter(world).map(|(unit, at)| (*unit, place(at))).collect();
        places.sort_unstable();
        places
    }

    /// Shuts the gate, and sends all units to the other side of it.
    fn send_all(app: &mut App) {
        let world = app.world_mut();
        let units: Vec<Entity> = world.query_filtered::<Entity, With<Unit>>().iter(world).collect();
        let goal = centre_of(Cell::new(30, 11));
        world.spawn((GroupOrder::to(units, goal).in_formation(Formation::Box), Goals(vec![goal])));
        world.insert_resource(GateIsOpen(false));
    }

    #[test]
    fn another_run_goes_on_from_a_save_as_the_first_run_does() {
        let mut first = started();
        send_all(&mut first);
        update(&mut first, 60);
        let text = ron::to_string(&SavedSquad::take(first.world_mut()).unwrap()).unwrap();

        let mut second = started();
        let save: SavedSquad = ron::from_str(&text).unwrap();
        save.load(second.world_mut()).unwrap();
        assert_eq!(*second.world().resource::<GateIsOpen>(), GateIsOpen(false));
        let world = second.world_mut();
        let members = world.query_filtered::<&Group, With<Goals>>().single(world).unwrap().members().count();
        assert_eq!(members, save.units.len());
        update(&mut first, 200);
        update(&mut second, 200);
        assert_eq!(places(&mut first), places(&mut second));
    }

    #[test]
    fn an_earlier_game_is_loaded_again_in_its_own_run() {
        let mut app = started();
        let before = places(&mut app);
        let save = SavedSquad::take(app.world_mut()).unwrap();
        send_all(&mut app);
        update(&mut app, 60);
        assert_ne!(places(&mut app), before);
        save.load(app.world_mut()).unwrap();
        update(&mut app, 60);
        assert_eq!(places(&mut app), before);
        let world = app.world_mut();
        assert!(world.query::<&Goals>().iter(world).next().is_none());
    }
}
