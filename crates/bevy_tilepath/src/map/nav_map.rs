//! A map and its rules.
//!
//! Decision: `docs/decisions/35-map-rules.md`.

#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use std::{collections::BTreeMap, sync::Arc};

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChanges, Mut, Ref},
    component::Component,
    intern::Interned,
    lifecycle::HookContext,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::Query,
    world::DeferredWorld,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{CostTable, Diagonals, Movement, StepCosts};

use crate::{
    bevy_version::OnInsert,
    core_types,
    map::{
        nav_grid::{NavGrid, WALL},
        opaque::OpaqueClasses,
    },
    schedule::SyncSteps,
};

/// Makes an entity a tile map on which agents can walk, and holds the rules of the map.
///
/// If the entity is a `bevy_ecs_tilemap` tilemap, the plugin reads the tiles (feature `tilemap`). It
/// also reads the tiles if the entity has Bevy's `TilemapChunk` and `TilemapChunkTileData` (feature
/// `tilemap_chunk`). If the entity is not a tilemap, the map may consist of
/// [`NavLayer`](crate::NavLayer)s.
///
/// For a map without tiles, spawn the component with a [`NavGrid`] and a
/// [`NavProjection`](crate::NavProjection) of your own.
///
/// The rules are valid as soon as the component is inserted. Later changes of the component take
/// effect in the next [`SyncMaps`](crate::TilepathSystems::SyncMaps).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec2;
/// use bevy_tilepath::{Cell, Diagonals, NavGrid, NavMap, NavProjection, tilepath::Grid};
///
/// let mut world = World::new();
/// let map = world.spawn((
///     NavMap { diagonals: Diagonals::Never, ..NavMap::default() },
///     NavGrid::new(Grid::new(20, 10, 1)?),
///     NavProjection::square(Vec2::splat(16.0), Vec2::ZERO),
/// ));
/// assert_eq!(map.get::<NavGrid>().unwrap().terrain(Cell::new(19, 9)), Some(1));
/// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(on_insert = rules_inserted)]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
#[require(NavGrid, crate::map::projection::NavProjection)]
pub struct NavMap {
    /// The rule for diagonal steps. By default, a diagonal step is allowed only if both cells
    /// beside the step are open.
    #[reflect(remote = core_types::Diagonals)]
    pub diagonals: Diagonals,
    /// The costs of a straight and a diagonal step on terrain of cost 1. By default 10 and 14.
    #[reflect(remote = core_types::StepCosts)]
    pub steps: StepCosts,
    /// The cost of each terrain class. By default class n costs n.
    ///
    /// Class 0 is the class of walls, cells under [`Obstacle`](crate::Obstacle)s and missing tiles.
    /// If the table makes class 0 passable, all these cells are open.
    #[reflect(remote = core_types::CostTable)]
    pub costs: CostTable,
    /// The terrain of cells without a tile. By default such cells are walls.
    pub missing_tile: MissingTile,
    /// The opaque terrain classes, which block the view. Orders that end [in
    /// sight](crate::orders::Approach::InSight) use them. By default only class 0, the walls, is
    /// opaque. Void cells and cells outside the map always block the view.
    pub opaque: OpaqueClasses,
    /// Movements by name, for units that do not move by the rules of the other fields: see
    /// [`AgentMovement`](crate::AgentMovement).
    ///
    /// You may replace the movement of a name at any time, as you may change the other rules. An
    /// agent keeps its path if all steps are still allowed and their costs are unchanged. Other
    /// paths are planned again.
    ///
    /// If a name is removed, orders of units with this movement end with
    /// [`UnknownMovement`](crate::PathFailure::UnknownMovement).
    ///
    /// # Memory
    /// A movement that no search has used takes almost no memory. A movement that a search has used
    /// takes 1 to 6 bytes for each cell. These bytes are updated with every edit of the map.
    #[reflect(remote = core_types::Movements)]
    pub movements: BTreeMap<Arc<str>, Movement>,
    /// Whether the plugin makes landmarks for this map: by default as soon as its searches have cost
    /// as much as the landmarks will.
    pub landmarks: MapLandmarks,
}

impl NavMap {
    /// Adds a movement under this name, or replaces the movement that has this name.
    ///
    /// ```
    /// use bevy_tilepath::{CostTable, Movement, NavMap};
    ///
    /// let ship = Movement::new().with_costs(CostTable::impassable().with(4, 1));
    /// let map = NavMap::default().with_movement("ship", ship.clone());
    /// assert_eq!(map.movements["ship"], ship);
    /// ```
    #[must_use]
    pub fn with_movement(mut self, name: impl Into<Arc<str>>, movement: Movement) -> Self {
        self.movements.insert(name.into(), movement);
        self
    }

    /// Returns the rules for units without [`AgentMovement`](crate::AgentMovement), as a movement
    /// of the search core.
    #[must_use]
    pub fn rules(&self) -> Movement {
        Movement::new().with_costs(self.costs.clone()).with_diagonals(self.diagonals).with_steps(self.steps)
    }
}

/// Whether the plugin makes landmarks for a map. Landmarks are tables that lead exact searches, so
/// that they expand a fraction of the cells on ground of many costs.
///
/// The plugin makes landmarks for each movement, in slices of work, and lets them follow edits. Paths
/// cost as much as without landmarks. [`TilepathDiagnostics`](crate::TilepathDiagnostics) shows the
/// work that they cost and save.
/// [`PathFinder::make_landmarks`](tilepath::PathFinder::make_landmarks) explains them.
///
/// # Memory
/// For each movement 37 bytes for each cell of the map, and 20 on hexagons, on ground of one cost and
/// without diagonals. Maps of less than 65,536 open cells need half, and maps of less than 4,096 open
/// cells have no landmarks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MapLandmarks {
    /// Makes landmarks for a movement as soon as its searches have cost as much as the landmarks will.
    /// On maps of more cells than 2048 × 2048, and for a [`NavMemory`](crate::maps::NavMemory), it makes
    /// none.
    #[default]
    ByUse,
    /// Makes landmarks for the map's own rules as soon as the map is ready, and for other movements at
    /// their first search. The size of the map has no limit.
    Always,
    /// Makes no landmarks.
    Never,
}

/// The terrain of a tilemap's cells without a tile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MissingTile {
    /// A wall.
    #[default]
    Wall,
    /// Terrain of this class.
    Class(u8),
}

impl MissingTile {
    /// Returns the terrain class of cells without a tile.
    #[must_use]
    pub const fn class(self) -> u8 {
        match self {
            Self::Wall => WALL,
            Self::Class(class) => class,
        }
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<NavMap>()
        .register_type::<MissingTile>()
        .register_type::<MapLandmarks>()
        .register_type::<OpaqueClasses>()
        .register_type::<NavGrid>()
        .add_systems(schedule, apply_rules.in_set(SyncSteps::Maps))
        .add_observer(|on: OnInsert<NavGrid>, mut maps: Query<(&NavMap, Mut<NavGrid>)>| {
            if let Ok((map, grid)) = maps.get_mut(on.entity) {
                map.apply_to(grid);
            }
        });
}

/// Applies the rules at once: a system may search before the first tick.
fn rules_inserted(mut world: DeferredWorld, context: HookContext) {
    let Some(map) = world.get::<NavMap>(context.entity).cloned() else { return };
    if let Some(grid) = world.get_mut::<NavGrid>(context.entity) {
        map.apply_to(grid);
    }
}

fn apply_rules(mut maps: Query<(Ref<NavMap>, Mut<NavGrid>)>) {
    for (map, grid) in &mut maps {
        if map.is_changed() || grid.is_changed() {
            map.apply_to(grid);
        }
    }
}

impl NavMap {
    fn apply_to(&self, mut grid: Mut<NavGrid>) {
        let rules = self.rules();
        if *grid.rules() != rules {
            grid.set_rules(rules);
        }
        if *grid.opaque() != self.opaque {
            grid.set_opaque(self.opaque.clone());
        }
        if !grid.is_named(&self.movements) {
            grid.set_names(&self.movements);
        }
    }
}
