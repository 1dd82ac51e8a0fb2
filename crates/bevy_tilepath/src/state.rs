//! The state of the plugin as one value: to save a game, to load it, and to take back ticks.
//!
//! Decision: `docs/decisions/60-states.md`.

#[cfg(feature = "serde")]
mod checksum;
mod content;
mod entity;
pub(crate) mod error;
mod grid;
mod put;
mod resume;
pub(crate) mod snapshot;
#[cfg(feature = "serde")]
mod stored;
mod take;
mod versions;

use bevy_ecs::{
    entity::{Entity, EntityHashMap},
    world::World,
};

use self::{content::Content, error::StateError};

/// Everything that decides what agents do from now on, as one value: to save a game and to load it.
/// With the feature `serde` it can be written to a file and read again.
///
/// It holds maps, graphs, doors, obstacles, areas, agents, bodies, orders with their stops, paths and
/// groups, with their entities, transforms and parents. It also holds the queue of searches, the crowds,
/// and the settings. It does not hold tiles and their components, layers, handles of files, the components of
/// your game, and the clock.
///
/// Load in this order: spawn tilemaps as at the start of a level, with their tiles and `NavMap`. Put
/// the state. Then give the entities of the state what your game adds to them, such as sprites.
///
/// For rollback in a running game, and for a copy of every tick, use
/// [`TilepathSnapshot`](crate::TilepathSnapshot).
///
/// # Guarantee
/// [`take`](Self::take) is a checkpoint: the world from which a state was taken, and a world into which it
/// was put, do the same in all following ticks, if both get the same input. For this, searches under way
/// do their work again in both, and what was derived from the maps is made again. Landmarks are made again
/// within the budget. However often states are taken, each order is answered. If the game names entities
/// of its own for maps in [`put`](Self::put), it spawns them in the order of [`entities`](Self::entities).
///
/// # Format
/// Use RON to read a state with your eyes, and a format without names of fields for small files: `postcard`, or
/// `MessagePack`. JSON has no infinite numbers, which a state may hold. A state is read only by the format
/// version that has written it, and only if its checksum is right.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::{entity::EntityHashMap, prelude::*};
/// use bevy_tilepath::{AgentPath, Cell, NavGrid, NavMap, PathAgent, PathRequest, TilepathPlugin, TilepathState, tilepath::Grid};
///
/// /// Returns a game that is stepped by hand.
/// fn game() -> App {
///     let mut app = App::new();
///     app.add_plugins(TilepathPlugin::default());
///     app
/// }
///
/// let mut old = game();
/// old.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(9, 9, 1)?)));
/// let unit = old.world_mut().spawn((PathAgent::default(), PathRequest::to_cell((8, 3)))).id();
/// old.world_mut().run_schedule(FixedUpdate);
/// let state = TilepathState::take(old.world_mut())?;
///
/// let mut new = game();
/// let mut entities = EntityHashMap::default();
/// state.put(new.world_mut(), &mut entities)?;
/// // The unit goes on along its path, without a search.
/// let path = new.world().get::<AgentPath>(entities[&unit]).unwrap();
/// assert_eq!(path.path().unwrap().goal(), Cell::new(8, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[doc(alias = "save")]
#[doc(alias = "load")]
pub struct TilepathState {
    content: Content,
}

impl TilepathState {
    /// Takes the state of a world, between two ticks. In the world itself, searches under way do their
    /// work again.
    ///
    /// # Errors
    /// [`StateError::Maps`] if the app has no plugin, or if maps are being read: during a tick.
    ///
    /// # Complexity
    /// O(cells + entities + work of the searches under way).
    pub fn take(world: &mut World) -> Result<Self, StateError> {
        let state = Self { content: take::content(world)? };
        state.put(world, &mut state.same_entities())?;
        Ok(state)
    }

    /// Puts the state into a world. `entities` maps entities of the state to entities of the world. Each
    /// entity of the state that is not in it is spawned, and entered in it.
    ///
    /// Entities get exactly the components of this crate that the state has. Hooks and observers run for
    /// components that are inserted or removed. Events that were triggered before the state was taken are
    /// not triggered again.
    ///
    /// To go back in the same world, pass [`same_entities`](Self::same_entities).
    ///
    /// # Errors
    /// [`StateError`] if the state does not fit the world. Then nothing has changed.
    ///
    /// # Complexity
    /// O(cells + entities + work of the searches under way), and the time to read the tilemaps.
    pub fn put(&self, world: &mut World, entities: &mut EntityHashMap<Entity>) -> Result<(), StateError> {
        put::put(&self.content, world, entities)
    }

    /// Returns the entities of the state, as they were called in its world: those with components of this
    /// crate, their parents, and those to which agents go.
    pub fn entities(&self) -> impl Iterator<Item = Entity> + '_ {
        self.content.entities.iter().map(|state| state.entity)
    }

    /// Returns a map from each entity of the state to itself, for [`put`](Self::put) into the same world.
    #[must_use]
    pub fn same_entities(&self) -> EntityHashMap<Entity> {
        self.entities().map(|entity| (entity, entity)).collect()
    }
}
