//! A map and its rules.
//!
//! Decision: `docs/decisions/35-map-rules.md.`.

use std::{collections::BTreeMap, sync::Arc};

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChanges, Mut, Ref},
    component::Component,
    intern::Interned,
    lifecycle::{HookContext, Insert},
    observer::On,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::Query,
    world::DeferredWorld,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{CostTable, Diagonals, Movement, StepCosts};

use crate::{
    map::{
        nav_grid::{NavGrid, WALL},
        opaque::OpaqueClasses,
    },
    schedule::SyncSteps,
};

/// Makes an entity a map that agents may walk on, and holds its rules.
///
/// On a `bevy_ecs_tilemap` tilemap the plugin reads its tiles (feature `tilemap`). For a map
/// without tiles, spawn it with a [`NavGrid`] and a [`NavProjection`](crate::NavProjection) of your
/// own.
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
#[type_path = "bevy_tilepath"]
#[component(on_insert = rules_inserted)]
#[reflect(opaque)]
#[reflect(Default, Debug, Clone, PartialEq)]
#[require(NavGrid, crate::map::projection::NavProjection)]
pub struct NavMap {
    /// The diagonal steps that are allowed. By default those that pass no obstacle.
    pub diagonals: Diagonals,
    /// The costs of a straight and a diagonal step on terrain of cost 1. By default 10 and 14.
    pub steps: StepCosts,
    /// The cost of each terrain class. By default class n costs n.
    ///
    /// Class 0 is the class of walls, [`Obstacle`](crate::Obstacle)s and missing tiles. If a table
    /// makes it passable, all of them are open.
    pub costs: CostTable,
    /// The terrain of cells without a tile. By default a wall.
    pub missing_tile: MissingTile,
    /// The terrain classes that hide what is behind them, for orders that end
    /// [in sight](crate::orders::Approach::InSight). By default class 0, the walls. Cells off the
    /// map and cells without a tile also hide.
    pub opaque: OpaqueClasses,
    /// Movements by name, for units that do not move by the rules above: see
    /// [`AgentMovement`](crate::AgentMovement).
    ///
    /// A name may get another movement at any time, as the rules above may change. A path whose
    /// steps are still allowed at the same cost is kept; other paths are planned again. If a name
    /// is removed, orders of units with it end with
    /// [`UnknownMovement`](crate::PathFailure::UnknownMovement).
    ///
    /// # Memory
    /// A movement that is never searched takes almost nothing. For a movement that is searched, the
    /// search keeps 1 to 6 bytes a cell, and updates them with every edit of the map.
    pub movements: BTreeMap<Arc<str>, Movement>,
    /// The number of expected expansions above which an order gets a path
    /// [near](tilepath::Algorithm::Near) the cheapest. It applies to orders to one place that name
    /// no algorithm.
    ///
    /// The expected number is the count of cells that are no farther from the start than the goal
    /// is, along rows or columns. By default `None`: all such orders get a cheapest path, however
    /// long the search takes.
    ///
    /// Use it for large maps of many costs. For example, with 250,000 paths of up to some 250 cells
    /// stay exact. An order that names [`AStar`](tilepath::Algorithm::AStar) always gets a cheapest
    /// path.
    ///
    /// If many orders have the same goal, one field answers them. Orders for which a path near the
    /// cheapest is enough share a [near](tilepath::field::NearField) field, the others an exact
    /// field.
    ///
    /// ```
    /// use bevy_tilepath::NavMap;
    ///
    /// let map = NavMap { near_above: Some(250_000), ..NavMap::default() };
    /// assert_eq!(NavMap::default().near_above, None);
    /// ```
    pub near_above: Option<u64>,
}

impl NavMap {
    /// Adds a movement under this name, or replaces the one that has it.
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

    /// Returns the rules for units without a movement of their own, for the search core.
    #[must_use]
    pub fn rules(&self) -> Movement {
        Movement::new().with_costs(self.costs.clone()).with_diagonals(self.diagonals).with_steps(self.steps)
    }
}

/// The terrain of a tilemap's cells without a tile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
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
    /// Returns the terrain class of such a cell.
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
        .register_type::<OpaqueClasses>()
        .register_type::<NavGrid>()
        .add_systems(schedule, apply_rules.in_set(SyncSteps::Maps))
        .add_observer(|on: On<Insert, NavGrid>, mut maps: Query<(&NavMap, Mut<NavGrid>)>| {
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
        if grid.near_above() != self.near_above {
            grid.set_near_above(self.near_above);
        }
        if !grid.is_named(&self.movements) {
            grid.set_names(&self.movements);
        }
    }
}
