//! The grid of a map, with its path finder.

mod edits;
mod obstacles;
mod resize;
mod reveal;
pub(crate) mod snapshot;
pub(crate) mod template;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::{component::Component, entity::Entity};
use bevy_math::IVec2;
use bevy_reflect::Reflect;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use tilepath::{Bounds, Cell, Grid, LandmarkCount, Movement, MovementId, PathFinder};

use crate::map::{
    movement::{AgentMovement, KnownMovements, OwnMovements},
    nav_grid::obstacles::Covered,
    opaque::OpaqueClasses,
    version::{Version, next_number},
};

/// The terrain class of walls, obstacles and missing tiles.
pub(crate) const WALL: u8 = 0;

/// The grid of a [`NavMap`](crate::NavMap) entity, with the path finder that searches this grid.
///
/// On a tilemap, the plugin fills the grid from the tiles. On a map without tiles, create the grid
/// with [`NavGrid::new`] and edit it with [`NavGrid::edit`].
///
/// To make such a map larger or smaller, call [`NavGrid::resize`]. To replace all of its cells, insert
/// another `NavGrid` over the old one, at any time. Units that walk keep their orders. Their paths are
/// checked as after edits of all cells: units whose paths are still valid walk on, and the others are
/// replanned.
#[derive(Component, Debug, Reflect)]
#[type_path = "bevy_tilepath"]
#[cfg_attr(not(feature = "serde"), reflect(from_reflect = false))]
#[cfg_attr(feature = "serde", reflect(opaque))]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
pub struct NavGrid {
    // The first movement holds the rules of the map.
    #[reflect(ignore)]
    finder: PathFinder,
    #[reflect(ignore)]
    movements: KnownMovements,
    #[reflect(ignore)]
    generation: u64,
    // Changes with the rules and with readiness.
    #[reflect(ignore)]
    state: Version,
    #[reflect(ignore)]
    ready: bool,
    #[reflect(ignore)]
    opaque: OpaqueClasses,
    // True if the rules come from a file that is not loaded yet.
    #[cfg(feature = "rules_asset")]
    #[reflect(ignore)]
    awaits_rules: bool,
    // True if the grid is read from a tilemap without any tile.
    #[reflect(ignore)]
    pub(crate) without_tiles: bool,
    // The tilemaps from which the grid is read, with the cells on which their tiles (0, 0) lie.
    #[reflect(ignore)]
    pub(crate) tilemaps: Vec<(Entity, IVec2)>,
    // The cell of the first edit by hand on a map that tilemaps fill. A warning was given for it.
    #[reflect(ignore)]
    first_edit: Option<Cell>,
    // Cells under obstacles, with the terrain that comes back when the last obstacle leaves.
    #[reflect(ignore)]
    covered: BTreeMap<Cell, Covered>,
    // By cell and name: the number of obstacles that close the cell to that movement.
    #[reflect(ignore)]
    closed: BTreeMap<(Cell, Arc<str>), u32>,
    // The overlays that the areas of entities have written.
    #[reflect(ignore)]
    area_overlays: BTreeSet<Arc<str>>,
    // The number of changes of the bounds.
    #[reflect(ignore)]
    resizes: u64,
}

/// A clone has the map's own cells. It is a new map: obstacles and areas are placed on it again.
impl Clone for NavGrid {
    fn clone(&self) -> Self {
        Self::restored(self.bare_grid(), self.ready)
    }
}

/// The map's own cells are written, without the walls of obstacles and the overlays of areas.
#[cfg(feature = "serde")]
impl serde::Serialize for NavGrid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.ready, self.bare_grid()).serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for NavGrid {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(bool, Grid)>::deserialize(deserializer).map(|(is_ready, grid)| Self::restored(grid, is_ready))
    }
}

impl Default for NavGrid {
    /// Creates a grid without cells that is not ready. Agents wait until the tiles of the map have
    /// been read.
    fn default() -> Self {
        let empty = Grid::new(0, 0, WALL).expect("an empty grid is within every limit");
        Self { ready: false, ..Self::new(empty) }
    }
}

impl NavGrid {
    /// Creates the component from a grid of your own, for maps without tiles. The grid is ready at
    /// once, and takes the rules of the entity's [`NavMap`](crate::NavMap).
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self::with_rules(grid, Movement::default())
    }

    fn with_rules(grid: Grid, rules: Movement) -> Self {
        Self {
            finder: PathFinder::new(grid, rules),
            movements: KnownMovements::default(),
            generation: next_number(),
            state: Version::next(),
            ready: true,
            opaque: OpaqueClasses::default(),
            #[cfg(feature = "rules_asset")]
            awaits_rules: false,
            without_tiles: false,
            tilemaps: Vec::new(),
            first_edit: None,
            covered: BTreeMap::new(),
            closed: BTreeMap::new(),
            area_overlays: BTreeSet::new(),
            resizes: 0,
        }
    }

    /// Returns the path finder of this grid. The finder has the rules of the entity's
    /// [`NavMap`](crate::NavMap), as they were when the component was inserted or, later, in the
    /// last [`SyncMaps`](crate::TilepathSystems::SyncMaps).
    #[must_use]
    pub fn finder(&self) -> &PathFinder {
        &self.finder
    }

    /// Returns the searched grid, in which the cells under obstacles are walls.
    /// [`bare_grid`](Self::bare_grid) returns the grid without obstacles.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.finder.grid()
    }

    /// Returns the rectangle of cells that the map covers.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.grid().bounds()
    }

    /// Returns the terrain class of a cell, or `None` if the cell is void or outside the map. A
    /// cell under an obstacle has class 0; [`own_terrain`](Self::own_terrain) returns the class
    /// under the obstacle.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<u8> {
        self.grid().terrain(cell)
    }

    /// Returns the generation of this grid: a number that changes when the whole grid is replaced.
    /// For example, that happens when the type of the tilemap changes. Compare two revisions of the
    /// [`grid`](Self::grid) only if the generation is equal.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the id of the map's own rules, for [`PathQuery`](tilepath::PathQuery). The id is
    /// always the id of the first movement of the [`finder`](Self::finder), also after the rules
    /// change.
    #[must_use]
    pub fn movement(&self) -> MovementId {
        MovementId::FIRST
    }

    /// Returns the id of a unit's movement, for queries, as of the last
    /// [`SyncMaps`](crate::TilepathSystems::SyncMaps). Returns `None` for a name that the map's
    /// [`NavMap`](crate::NavMap) did not define at that time. Returns `None` for an own movement
    /// that no unit and no order had at that time.
    #[must_use]
    pub fn movement_of(&self, movement: &AgentMovement) -> Option<MovementId> {
        self.movements.id(movement)
    }

    /// Returns the movement of a unit by its id, the inverse of [`movement_of`](Self::movement_of).
    /// `None` for the map's own rules.
    pub(crate) fn agent_movement(&self, id: MovementId) -> Option<AgentMovement> {
        self.movements.of(id)
    }

    /// Returns the names of the movements that the map defines, sorted.
    pub fn movement_names(&self) -> impl Iterator<Item = &str> {
        self.movements.names()
    }

    /// Returns whether the grid is ready to be searched: the grid was built in code, or the tiles
    /// of the map have been read. If the rules of the map come from a file, the file must be
    /// loaded, too.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        #[cfg(feature = "rules_asset")]
        if self.awaits_rules {
            return false;
        }
        self.ready
    }

    #[cfg(feature = "rules_asset")]
    pub(crate) fn awaits_rules(&self) -> bool {
        self.awaits_rules
    }

    #[cfg(feature = "rules_asset")]
    pub(crate) fn set_awaits_rules(&mut self, awaits_rules: bool) {
        self.awaits_rules = awaits_rules;
        self.state = Version::next();
    }

    /// Replaces this grid by another. Obstacles enter it again.
    pub(crate) fn replace(&mut self, grid: Grid) {
        let rules = self.rules().clone();
        *self = Self {
            ready: self.ready,
            opaque: self.opaque.clone(),
            first_edit: self.first_edit,
            #[cfg(feature = "rules_asset")]
            awaits_rules: self.awaits_rules,
            ..Self::with_rules(grid, rules)
        };
    }

    /// Returns the cell on which tile (0, 0) of a tilemap lies.
    pub(crate) fn offset_of(&self, tilemap: Entity) -> Option<IVec2> {
        self.tilemaps.iter().find(|(known, _)| *known == tilemap).map(|&(_, offset)| offset)
    }

    /// Sets whether the grid can be searched.
    pub(crate) fn set_ready(&mut self, ready: bool) {
        if ready != self.ready {
            self.ready = ready;
            self.state = Version::next();
        }
    }

    pub(crate) fn rules(&self) -> &Movement {
        self.finder.movement(self.movement()).expect("a finder has a first movement")
    }

    pub(crate) fn version(&self) -> Version {
        self.state.with_revision(self.grid().revision())
    }

    pub(super) fn opaque(&self) -> &OpaqueClasses {
        &self.opaque
    }

    pub(super) fn set_opaque(&mut self, opaque: OpaqueClasses) {
        self.opaque = opaque;
        self.state = Version::next();
    }

    /// Drops everything that was derived from the cells, for a state that is taken or put back.
    pub(crate) fn renew(&mut self) {
        self.finder.renew();
    }

    /// Returns whether tilemaps fill the grid.
    pub(crate) fn is_filled(&self) -> bool {
        !self.tilemaps.is_empty()
    }

    /// Creates a grid that is read from a state.
    pub(crate) fn restored(grid: Grid, is_ready: bool) -> Self {
        Self { ready: is_ready, ..Self::new(grid) }
    }

    /// Makes the landmarks of a movement, or makes tables anew. Returns the work.
    pub(crate) fn advance_landmarks(&mut self, movement: MovementId, budget: u64) -> u64 {
        self.finder.advance_landmarks(movement, LandmarkCount::ByMap, budget).unwrap_or(0)
    }

    /// Lets new landmarks take the place of a movement's, if it has any.
    pub(crate) fn renew_landmarks(&mut self, movement: MovementId) {
        // An unknown movement has no landmarks.
        _ = self.finder.renew_landmarks(movement);
    }

    /// Drops the landmarks of a movement, if it has any.
    pub(crate) fn drop_landmarks(&mut self, movement: MovementId) {
        // An unknown movement has no landmarks.
        _ = self.finder.drop_landmarks(movement);
    }

    /// Returns whether a class hides what is behind it.
    pub(crate) fn is_opaque(&self, class: u8) -> bool {
        self.opaque.contains(class)
    }

    pub(super) fn set_rules(&mut self, rules: Movement) {
        let id = self.movement();
        self.finder.set_movement(id, rules).expect("a finder has a first movement");
        self.state = Version::next();
    }

    /// Returns whether the named movements are these.
    pub(super) fn is_named(&self, names: &BTreeMap<Arc<str>, Movement>) -> bool {
        self.movements.is_named(names)
    }

    pub(super) fn set_names(&mut self, names: &BTreeMap<Arc<str>, Movement>) {
        if self.movements.set_names(names, &mut self.finder) {
            self.state = Version::next();
        }
    }

    pub(crate) fn knows_own_movements(&self, own: &OwnMovements) -> bool {
        self.movements.follows(own)
    }

    pub(crate) fn know_own_movements(&mut self, own: &OwnMovements) {
        self.movements.follow(own, &mut self.finder);
    }
}
