//! A map and its rules.

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
/// On a `bevy_ecs_tilemap` tilemap its tiles are read (feature `tilemap`). Elsewhere spawn it with a
/// [`NavGrid`] and a [`NavProjection`](crate::NavProjection) of your own. The rules hold from the moment of insertion; later changes of
/// the component take effect in the next [`SyncMaps`](crate::TilepathSystems::SyncMaps).
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
    /// Which diagonal steps are allowed. By default those that pass no obstacle.
    pub diagonals: Diagonals,
    /// What a straight and a diagonal step cost on terrain of cost 1. By default 10 and 14.
    pub steps: StepCosts,
    /// What each terrain class costs. By default class n costs n.
    ///
    /// Class 0 is the class of walls, [`Obstacle`](crate::Obstacle)s and missing tiles: a table that
    /// makes it passable opens them all.
    pub costs: CostTable,
    /// What a cell is that no tile lies on. By default a wall.
    pub missing_tile: MissingTile,
    /// Which terrain classes hide what is behind them, for orders that end [in sight](crate::orders::Approach::InSight). By default
    /// class 0, that of walls. What is off the map, and where no tile lies, hides, too.
    pub opaque: OpaqueClasses,
    /// Movements by name, for units that move in other ways than the rules above say: see [`AgentMovement`](crate::AgentMovement).
    ///
    /// What a name means may change at any time, as those rules may: journeys go on where their way is allowed and costs what
    /// it did, others are planned again. Where a name is taken away, orders of units with it end with
    /// [`UnknownMovement`](crate::PathFailure::UnknownMovement).
    ///
    /// # Memory
    /// A movement that no unit asks for takes next to nothing. One that is asked for keeps what the search needs of the map,
    /// one to six bytes a cell, and every edit of the map is entered in it.
    pub movements: BTreeMap<Arc<str>, Movement>,
    /// Above how many expected expansions an order to one place that names no algorithm is answered
    /// [near](tilepath::Algorithm::Near) the cheapest: as many are expected as there are cells no farther from the start than the goal
    /// is, along rows or columns. By default none is: all such orders are answered by a cheapest way, however long that takes.
    ///
    /// For large maps of many costs. 250,000, say, leaves ways of up to some 250 cells exact. An order that names
    /// [`AStar`](tilepath::Algorithm::AStar) gets a cheapest way all the same. Where many ask for the same goal one field answers them:
    /// a [near](tilepath::field::NearField) one those for whom a way near the cheapest is good enough, an exact one the others.
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
    /// The same with one more movement, or another of that name.
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

    /// The rules as the search core takes them, for units without a movement.
    #[must_use]
    pub fn rules(&self) -> Movement {
        Movement::new().with_costs(self.costs.clone()).with_diagonals(self.diagonals).with_steps(self.steps)
    }
}

/// What a cell of a tilemap is that no tile lies on.
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
    /// The terrain class of such a cell.
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

/// The rules hold at once: a system may ask before the first tick.
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
