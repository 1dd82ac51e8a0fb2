//! Obstacles: entities that block the cells under them.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChanges, Ref},
    component::Component,
    entity::Entity,
    hierarchy::ChildOf,
    intern::Interned,
    lifecycle::HookContext,
    observer::On,
    query::Has,
    reflect::ReflectComponent,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Local, Query, ResMut},
    world::{DeferredWorld, World},
};
use bevy_math::{Affine2, Vec2};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;
use tilepath::{Bounds, Cell};
use tracing::warn;

use crate::{
    disabling::WasDisabled,
    journey::agent::PathAgent,
    map::{
        cells::ToCell, lattice::LatticeShape, map_view::MapView, memory::NavMemory, movement::AgentMovement,
        nav_grid::NavGrid, nav_map::NavMap, on_map::OnMap, projection::NavProjection,
        unknown_names::UnknownNames, world_places::WorldPlaces,
    },
    schedule::SyncSteps,
    sync::room::Room,
};

/// Blocks the cells under an entity. Examples: a building, a closed door, a tree that is a sprite
/// and not a tile.
///
/// The blocked cells become walls (class 0). If the entity's `Transform` changes, the obstacle
/// blocks the cells at the new place. When the last obstacle leaves a cell, the cell gets its own
/// terrain back.
///
/// If there are several maps, the obstacle blocks cells on every map on which it lies, except on a
/// [`NavMemory`]. If the entity has [`OnMap`], it blocks only cells of this map.
///
/// If [`movements`](Self::movements) has names, the obstacle blocks only units with these
/// movements, and the terrain does not change. Examples: a boom across a river that stops boats, a
/// gate that lets its owner's people pass.
///
/// Do not put `Obstacle` on agents: the agent would stand in its own way. On an entity with
/// [`PathAgent`](crate::PathAgent), the obstacle blocks nothing, and a warning is logged.
#[derive(Component, Debug, Clone, Default, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
#[require(Transform, BlockedCells)]
#[component(on_discard = obstacle_discarded)]
pub struct Obstacle {
    /// The width and height of the blocked rectangle. The centre of the rectangle is the entity's
    /// position. The rectangle turns with the entity, but the entity's scale has no effect on it.
    ///
    /// # Units
    /// World units. A cell is blocked if the obstacle overlaps it by more than 0.01 of a cell. A
    /// side below zero counts as zero. If one side is zero, the obstacle is a line and blocks the
    /// cells under it. `Vec2::ZERO` blocks exactly one cell, the cell under the entity.
    ///
    /// If the size or the position is not finite, the obstacle blocks nothing.
    pub size: Vec2,
    /// The names of the [movements](crate::AgentMovement) that the obstacle blocks. If the list is
    /// empty, the obstacle blocks all units. A unit without a named movement is blocked only by
    /// obstacles with an empty list: it moves by the rules of its map or by a movement of its own.
    /// See [`blocks_only`](Self::blocks_only).
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub movements: Vec<String>,
    /// True if units that rest inside are ordered aside. See [`makes_room`](Self::makes_room).
    #[cfg_attr(feature = "serde", serde(default))]
    pub makes_room: bool,
}

/// The part of a cell by which an edge may overlap a neighbouring cell without blocking it. So a
/// building of two by two cells blocks four, however its coordinates were rounded.
const HAIR: f32 = 0.01;

/// The cells that an obstacle blocks. Only the sync writes it.
#[derive(Clone, Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct BlockedCells {
    placements: Vec<Placement>,
    /// The other inputs of the placements, besides transforms and maps. `None` if it has to be
    /// placed.
    depends_on: Option<Ties>,
}

impl BlockedCells {
    /// Returns the maps on which it blocks cells.
    pub(crate) fn maps(&self) -> impl Iterator<Item = Entity> + '_ {
        self.placements.iter().map(|placement| placement.map)
    }

    /// Returns the cells on one map.
    pub(crate) fn on(&self, map: Entity) -> &[Cell] {
        let placement = self.placements.iter().find(|placement| placement.map == map);
        placement.map_or(&[], |placement| &placement.cells)
    }
}

/// The cells that an obstacle blocks on one grid.
#[derive(Clone, Debug, PartialEq)]
struct Placement {
    map: Entity,
    generation: u64,
    cells: Vec<Cell>,
    /// The names of the movements that it blocks. Empty: it blocks all.
    names: Arc<[Arc<str>]>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Ties {
    on_map: Option<Entity>,
    parent: Option<Entity>,
    /// True for an agent: it blocks nothing.
    walks: bool,
}

/// Placements of obstacles that were removed, despawned or inserted again since the last tick.
#[derive(Clone, Resource, Default, Debug)]
pub(crate) struct LeftPlacements(Vec<Placement>);

/// A map as obstacles see it. While all maps stay the same, obstacles that did not move are not
/// placed again.
#[derive(Clone, PartialEq)]
struct ObstacleMap {
    map: Entity,
    is_memory: bool,
    is_ready: bool,
    generation: u64,
    bounds: Bounds,
    projection: NavProjection,
}

/// Returns the number of placements that are still to be lifted.
pub(crate) fn entry_count(world: &World) -> usize {
    world.get_resource::<LeftPlacements>().map_or(0, |left| left.0.len())
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<Obstacle>()
        .init_resource::<LeftPlacements>()
        .add_systems(schedule, place_obstacles.in_set(SyncSteps::Obstacles))
        .add_observer(|disabled: On<WasDisabled>, world: DeferredWorld| lift(world, disabled.entity));
}

fn obstacle_discarded(world: DeferredWorld, context: HookContext) {
    lift(world, context.entity);
}

/// Lifts an obstacle that is gone or disabled. If it is enabled again, it is placed again.
fn lift(mut world: DeferredWorld, obstacle: Entity) {
    if let Some(mut room) = world.get_mut::<Room>(obstacle) {
        *room = Room::default();
    }
    let Some(mut blocked) = world.get_mut::<BlockedCells>(obstacle) else { return };
    let blocked = std::mem::take(&mut *blocked);
    if let Some(mut left) = world.get_resource_mut::<LeftPlacements>() {
        left.0.extend(blocked.placements);
    }
}

type ObstacleParts = (
    Entity,
    Ref<'static, Obstacle>,
    Option<Ref<'static, Transform>>,
    Option<&'static OnMap>,
    Option<&'static ChildOf>,
    Has<PathAgent>,
    &'static mut BlockedCells,
    Option<&'static mut Room>,
);

type ObstacleMaps<'w, 's> =
    Query<'w, 's, (Entity, &'static mut NavGrid, &'static NavProjection, Has<NavMap>, Has<NavMemory>)>;

fn place_obstacles(
    mut obstacles: Query<ObstacleParts>,
    mut left: ResMut<LeftPlacements>,
    mut maps: ObstacleMaps,
    mut known_maps: Local<Vec<ObstacleMap>>,
    places: WorldPlaces,
    // Names of movements for which a warning was given.
    mut unknown: Local<UnknownNames>,
) {
    let obstacle_maps: Vec<ObstacleMap> = maps
        .iter()
        .filter(|&(.., is_map, _)| is_map)
        .map(|(map, grid, projection, _, is_memory)| ObstacleMap {
            is_memory,
            ..ObstacleMap::new(map, grid, projection)
        })
        .collect();
    let maps_changed = *known_maps != obstacle_maps;

    for (entity, obstacle, transform, on_map, parent, walks, mut blocked, room) in &mut obstacles {
        let ties = Ties { on_map: on_map.map(|on_map| on_map.0), parent: parent.map(ChildOf::parent), walks };
        let stands_still = blocked.depends_on == Some(ties)
            // A parent or its own parent may have moved, so an obstacle with a parent is placed in
            // every tick.
            && ties.parent.is_none()
            && !obstacle.is_changed()
            && transform.is_none_or(|transform| !transform.is_changed());
        if stands_still && !maps_changed {
            continue;
        }
        if walks && blocked.depends_on.is_none_or(|before| !before.walks) {
            warn!(
                "{entity} is a PathAgent with an Obstacle, which blocks nothing: it would stand in its own way. Remove \
                 one of the two"
            );
        }
        let place = places.of(entity);
        let names: Arc<[Arc<str>]> = obstacle.movements.iter().map(|name| name.as_str().into()).collect();
        let placements: Vec<Placement> = obstacle_maps
            .iter()
            .filter(|map| !walks && ties.on_map.map_or(!map.is_memory, |on_map| on_map == map.map))
            .map(|map| Placement {
                map: map.map,
                generation: map.generation,
                cells: map.cells_under(obstacle.size, place),
                names: Arc::clone(&names),
            })
            .filter(|placement| !placement.cells.is_empty())
            .collect();
        warn_of_unknown(&placements, &names, &maps, &mut unknown);
        let was_placed = blocked.depends_on.replace(ties).is_some();
        if blocked.placements != placements {
            // Blocks new cells first, so that cells that stay blocked are not opened in between.
            for placement in &placements {
                placement.for_each_cell(&mut maps, NavGrid::cover, NavGrid::close);
            }
            left.0.append(&mut blocked.placements);
            blocked.placements = placements;
            if let Some(mut room) = room.filter(|_| was_placed) {
                *room = Room::default();
            }
        }
    }
    for placement in left.0.drain(..) {
        placement.for_each_cell(&mut maps, NavGrid::uncover, NavGrid::open);
    }
    *known_maps = obstacle_maps;
}

/// Warns, once for each name, if no map under an obstacle defines a movement that the obstacle
/// names.
fn warn_of_unknown(
    placements: &[Placement],
    names: &[Arc<str>],
    maps: &ObstacleMaps,
    unknown: &mut UnknownNames,
) {
    let Some(first) = placements.first() else { return };
    for name in names {
        // The sides that have a memory of the map may define the movement there.
        let memories = maps.iter().filter(|&(.., is_memory)| is_memory);
        let mut known: BTreeSet<&str> = memories.flat_map(|(_, grid, ..)| grid.movement_names()).collect();
        let are_ready = placements.iter().all(|placement| {
            maps.get(placement.map).is_ok_and(|(_, grid, ..)| {
                known.extend(grid.movement_names());
                grid.is_ready()
            })
        });
        if are_ready && !known.contains(&**name) && unknown.is_new(first.map, name) {
            warn!(
                "an Obstacle names the movement \"{name}\", which the map {} does not define; it has {known:?}: add it with \
                 NavMap::with_movement, or correct the name",
                first.map
            );
        }
    }
}

impl Placement {
    /// Edits the cells on their grid, unless the grid was replaced: a new grid has no obstacles
    /// yet.
    fn for_each_cell(
        &self,
        maps: &mut ObstacleMaps,
        edit: fn(&mut NavGrid, Cell),
        edit_named: fn(&mut NavGrid, Cell, &Arc<str>),
    ) {
        let Ok((_, mut grid, ..)) = maps.get_mut(self.map) else { return };
        if grid.generation() == self.generation {
            for &cell in &self.cells {
                if self.names.is_empty() {
                    edit(&mut grid, cell);
                }
                for name in &*self.names {
                    edit_named(&mut grid, cell, name);
                }
            }
        }
    }
}

impl Obstacle {
    /// Adds names of [movements](Self::movements) that the obstacle blocks. Units with any other
    /// movement can pass.
    ///
    /// ```
    /// use bevy_tilepath::Obstacle;
    ///
    /// let boom = Obstacle::default().blocks_only(["boat"]);
    /// assert_eq!(boom.movements, ["boat"]);
    /// ```
    #[must_use]
    pub fn blocks_only<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.movements.extend(names.into_iter().map(Into::into));
        self
    }

    /// Orders units aside that rest inside: each to the nearest free cell outside. They do not come
    /// back. Units with an order go on with it, also if it waits: cancel it, if they shall leave.
    ///
    /// Use it for a building that a player sets on units. The obstacle takes effect at once: units
    /// inside may leave, and no unit enters. When the last one is out,
    /// [`ObstacleClear`](crate::events::ObstacleClear) is triggered. If a unit cannot leave,
    /// [`ObstacleOccupied`](crate::events::ObstacleOccupied) names it, once. If the obstacle gets other
    /// cells, all of this begins anew. Units on a [`NavMemory`] are not seen.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{
    ///     Cell, NavGrid, NavMap, NavProjection, NavQuery, Obstacle, PathAgent, TilepathPlugin,
    ///     events::ObstacleClear, tilepath::Grid,
    /// };
    /// use bevy_math::Vec2;
    /// use bevy_transform::components::Transform;
    ///
    /// # #[derive(Resource, Default)]
    /// # struct IsClear(bool);
    /// # let mut app = App::new();
    /// # app.init_resource::<IsClear>();
    /// app.add_plugins(TilepathPlugin::in_schedule(bevy_app::Update));
    /// let world = app.world_mut();
    /// world.spawn((NavMap::default(), NavGrid::new(Grid::new(6, 3, 1)?), NavProjection::square(Vec2::ONE, Vec2::ZERO)));
    /// let unit = world.spawn((PathAgent { speed: 1e6.into(), ..Default::default() }, Transform::from_xyz(1.0, 1.0, 0.0))).id();
    /// let house = Obstacle { size: Vec2::splat(2.9), ..Default::default() }.makes_room();
    /// world.spawn((house, Transform::from_xyz(1.0, 1.0, 0.0)));
    /// world.add_observer(|clear: On<ObstacleClear>, mut is_clear: ResMut<IsClear>| is_clear.0 = true);
    /// # app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(std::time::Duration::from_millis(16)));
    /// # app.add_plugins(bevy_time::TimePlugin);
    /// for _ in 0..9 {
    ///     app.update();
    /// }
    /// assert!(app.world().resource::<IsClear>().0);
    /// assert_eq!(app.world().get::<Transform>(unit).unwrap().translation.truncate(), Vec2::new(3.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn makes_room(mut self) -> Self {
        self.makes_room = true;
        self
    }

    /// Returns whether the obstacle blocks units with this movement.
    pub(crate) fn blocks(&self, movement: Option<&AgentMovement>) -> bool {
        let name = movement.and_then(AgentMovement::name);
        self.movements.is_empty() || name.is_some_and(|name| self.movements.iter().any(|own| own == name))
    }

    /// Returns the cells of a map that it blocks at this place.
    pub(crate) fn cells_on(&self, map: &MapView, place: Affine2) -> Vec<Cell> {
        ObstacleMap::new(map.map, map.grid, map.projection).cells_under(self.size, place)
    }
}

impl ObstacleMap {
    fn new(map: Entity, grid: &NavGrid, projection: &NavProjection) -> Self {
        Self {
            map,
            is_memory: false,
            is_ready: grid.is_ready(),
            generation: grid.generation(),
            bounds: grid.bounds(),
            projection: *projection,
        }
    }

    /// Returns the cells that a rectangle at this place overlaps by more than [`HAIR`].
    fn cells_under(&self, size: Vec2, place: Affine2) -> Vec<Cell> {
        let direction = place.matrix2.x_axis.normalize_or(Vec2::X);
        let half = size.max(Vec2::ZERO) / 2.0;
        let centre = self.projection.cell_units(self.projection.local_of(place.translation));
        // Half of each side, in cells. In cells, a rectangle of the world may be a parallelogram.
        let sides = [direction * half.x, direction.perp() * half.y]
            .map(|side| shortened(self.projection.cell_units_of_world_vector(side)));
        let lattice = self.projection.lattice();
        let wide = lattice.corners().iter().fold(0.0, |wide: f32, corner| wide.max(corner.x));
        let reach = sides[0].abs() + sides[1].abs() + (wide - 0.5);
        let (lowest, highest) = ((centre - reach).floor(), (centre + reach).floor());
        if !size.is_finite() || !lowest.is_finite() || !highest.is_finite() || self.bounds.is_empty() {
            return Vec::new();
        }
        if sides == [Vec2::ZERO; 2] {
            let cell = lattice.cell_under(centre).as_ivec2().to_cell();
            return if self.bounds.contains(cell) { vec![cell] } else { Vec::new() };
        }

        let overlaps = |cell: Cell| {
            let offset = Vec2::new(cell.x as f32, cell.y as f32) + 0.5 - centre;
            let normals = sides.iter().map(|side| side.perp()).chain(lattice.normals().iter().copied());
            normals.into_iter().all(|normal| {
                let reach: f32 = sides.iter().map(|side| side.dot(normal).abs()).sum();
                let cell_reach =
                    lattice.corners().iter().fold(0.0, |reach: f32, corner| reach.max(corner.dot(normal)));
                offset.dot(normal).abs() <= (reach + cell_reach) * ROUNDING
            })
        };
        let origin = self.bounds.origin();
        let columns = clamped(lowest.x, highest.x, origin.x, self.bounds.width());
        let rows = clamped(lowest.y, highest.y, origin.y, self.bounds.height());
        rows.flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)))
            .filter(|&cell| overlaps(cell))
            .collect()
    }
}

/// Tolerance for the last bit of a rounded product, if a point lies exactly on an edge.
const ROUNDING: f32 = 1.0 + 4.0 * f32::EPSILON;

/// Returns half a side without [`HAIR`] at its end.
fn shortened(side: Vec2) -> Vec2 {
    side.clamp_length_max((side.length() - HAIR).max(0.0))
}

/// Returns the whole numbers from `lowest` to `highest`, both included, among the `length` numbers
/// from `origin`.
fn clamped(lowest: f32, highest: f32, origin: i32, length: u32) -> Range<i32> {
    let (origin, end) = (i64::from(origin), i64::from(origin) + i64::from(length));
    let first = (lowest as i64).clamp(origin, end);
    let last = (highest as i64).saturating_add(1).clamp(origin, end);
    // Bounds end within the range of i32.
    first as i32..last as i32
}
