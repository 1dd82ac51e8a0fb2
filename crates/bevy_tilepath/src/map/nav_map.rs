//! A map: its rules, its grid and its place in the world.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Arc,
};

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChanges, Mut, Ref},
    component::Component,
    entity::Entity,
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::Query,
};
use bevy_math::IVec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{
    Bounds, Cell, CostTable, Diagonals, Direction, Grid, GridError, Movement, MovementId, PathFinder,
    Revision, StepCosts,
};

use crate::{
    map::{
        movement::{AgentMovement, KnownMovements, OwnMovements, obstacle_overlay},
        projection::NavProjection,
        version::{Version, next_number},
    },
    schedule::SyncSteps,
};

/// The terrain class of walls, obstacles and missing tiles.
pub(crate) const WALL: u8 = 0;

/// Makes an entity a map that agents may walk on, and holds its rules.
///
/// On a `bevy_ecs_tilemap` tilemap its tiles are read (feature `tilemap`). Elsewhere spawn it with a
/// [`NavGrid`] and a [`NavProjection`] of your own. Changes of the rules take effect in the next
/// [`SyncMaps`](crate::TilepathSystems::SyncMaps).
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
#[reflect(opaque)]
#[reflect(Default, Debug, Clone, PartialEq)]
#[require(NavGrid, NavProjection)]
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
    /// Movements by name, for units that move in other ways than the rules above say: see [`AgentMovement`].
    ///
    /// What a name means may change at any time, as those rules may: journeys go on where their way is allowed and costs what
    /// it did, others are planned again. Where a name is taken away, orders of units with it end with
    /// [`UnknownMovement`](crate::PathFailure::UnknownMovement).
    ///
    /// # Memory
    /// A movement that no unit asks for takes next to nothing. One that is asked for keeps what the search needs of the map,
    /// one to six bytes a cell, and every edit of the map is entered in it.
    pub movements: BTreeMap<Arc<str>, Movement>,
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

/// The grid of a map with its search: what [`NavMap`] entities are searched by.
///
/// On a tilemap the plugin fills it from the tiles. On a map without tiles spawn it with
/// [`NavGrid::new`] and edit it with [`NavGrid::set_terrain`].
#[derive(Component, Debug, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(from_reflect = false)]
pub struct NavGrid {
    // By its first movement: the rules of the map.
    #[reflect(ignore)]
    finder: PathFinder,
    #[reflect(ignore)]
    movements: KnownMovements,
    #[reflect(ignore)]
    generation: u64,
    // Moves with the rules and with readiness.
    #[reflect(ignore)]
    state: Version,
    #[reflect(ignore)]
    ready: bool,
    // Its rules are to come from a file that is not there yet.
    #[cfg(feature = "rules_asset")]
    #[reflect(ignore)]
    awaits_rules: bool,
    // It is read from a tilemap, and no cell of that has a tile.
    #[reflect(ignore)]
    pub(crate) without_tiles: bool,
    // The tilemaps that it is read from, with the cells on which their tiles (0, 0) lie.
    #[reflect(ignore)]
    pub(crate) tilemaps: Vec<(Entity, IVec2)>,
    // Cells under obstacles, with the terrain that comes back when the last one leaves.
    #[reflect(ignore)]
    covered: BTreeMap<Cell, Covered>,
    // By cell and name: how many obstacles close the cell to that movement.
    #[reflect(ignore)]
    closed: BTreeMap<(Cell, Arc<str>), u32>,
}

#[derive(Debug)]
struct Covered {
    obstacles: u32,
    /// `None` where the cell is void.
    terrain: Option<u8>,
}

impl Default for NavGrid {
    /// A grid without cells that is not ready: agents wait until the map's tiles have been read.
    fn default() -> Self {
        let empty = Grid::new(0, 0, WALL).expect("an empty grid is within every limit");
        Self { ready: false, ..Self::new(empty) }
    }
}

impl NavGrid {
    /// A grid of your own, for maps without tiles. It is ready at once; the rules come from
    /// [`NavMap`] in the next [`SyncMaps`](crate::TilepathSystems::SyncMaps).
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
            #[cfg(feature = "rules_asset")]
            awaits_rules: false,
            without_tiles: false,
            tilemaps: Vec::new(),
            covered: BTreeMap::new(),
            closed: BTreeMap::new(),
        }
    }

    /// The search over this grid, by the map's rules: those that [`NavMap`] had in the last
    /// [`SyncMaps`](crate::TilepathSystems::SyncMaps).
    #[must_use]
    pub fn finder(&self) -> &PathFinder {
        &self.finder
    }

    /// The terrain classes, walls of obstacles included.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.finder.grid()
    }

    /// The cells of the map.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.grid().bounds()
    }

    /// The terrain class of a cell, 0 under an obstacle; `None` out of bounds.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<u8> {
        self.grid().terrain(cell)
    }

    /// The revision of the grid: every edit that changes a cell moves it.
    ///
    /// Revisions compare only within one [`generation`](Self::generation).
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.grid().revision()
    }

    /// Which grid this is. It changes when the grid is replaced as a whole, for example when the type of the
    /// tilemap changes; nothing found on an older generation can be relied on.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The rules of the map's [`NavMap`], as [`PathQuery`](tilepath::PathQuery) takes them: always the first movement of
    /// the [`finder`](Self::finder), whatever the rules are changed to.
    #[must_use]
    pub fn movement(&self) -> MovementId {
        MovementId::FIRST
    }

    /// The movement of a unit, as queries take it. `None` for a name that the map's [`NavMap`] did not define in the last
    /// [`SyncMaps`](crate::TilepathSystems::SyncMaps), and for a movement that no unit and no order had of its own then.
    #[must_use]
    pub fn movement_of(&self, movement: &AgentMovement) -> Option<MovementId> {
        self.movements.id(movement)
    }

    /// The names of the movements that the map defines, sorted.
    pub fn movement_names(&self) -> impl Iterator<Item = &str> {
        self.movements.names()
    }

    /// Whether the grid can be searched: it was built by hand, or its tiles have been read, and rules that are to come from a
    /// file have come.
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

    /// Changes the terrain of a cell and returns whether its own terrain changed. Under an obstacle
    /// the new terrain shows once the obstacle is gone.
    ///
    /// For maps without tiles: on a tilemap change the tiles, they overwrite this.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] if the cell is not on the map.
    pub fn set_terrain(&mut self, cell: Cell, class: u8) -> Result<bool, GridError> {
        if let Some(covered) = self.covered.get_mut(&cell) {
            let changed = covered.terrain != Some(class);
            covered.terrain = Some(class);
            if changed && self.terrain(cell).is_none() {
                self.write(cell, Some(WALL));
            }
            return Ok(changed);
        }
        self.finder.set_terrain(cell, class)
    }

    /// Closes the step from `to` back to `from`; see [`Grid::one_way`]. On a tilemap put [`OneWay`](crate::OneWay) on the tile.
    ///
    /// # Errors
    /// As [`Grid::one_way`]; the map is as before.
    pub fn one_way(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.finder.one_way(from, to)
    }

    /// Closes the edge between two cells in both directions; see [`Grid::fence`]. On a tilemap put [`Fence`](crate::Fence) on one
    /// of the tiles.
    ///
    /// # Errors
    /// As [`Grid::fence`]; the map is as before.
    pub fn fence(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.finder.fence(from, to)
    }

    /// Opens the edge between two cells in both directions.
    ///
    /// # Errors
    /// As [`Grid::open_edge`]; the map is as before.
    pub fn open_edge(&mut self, from: Cell, to: Cell) -> Result<bool, GridError> {
        self.finder.open_edge(from, to)
    }

    /// Makes the edge of cells in a straight direction a ledge; see [`Grid::ledge`]. On a tilemap put [`Ledge`](crate::Ledge) on
    /// the tiles.
    ///
    /// # Errors
    /// As [`Grid::ledge`]; the map is as before.
    pub fn ledge(&mut self, cells: &[Cell], down: Direction) -> Result<bool, GridError> {
        self.finder.ledge(cells, down)
    }

    /// Gives cells values under a name, for units whose movement names it; see [`Grid::set_overlay`]. For what lies around an
    /// entity use [`OverlayArea`](crate::OverlayArea).
    ///
    /// # Errors
    /// As [`Grid::set_overlay`]; the map is as before.
    pub fn set_overlay(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = (Cell, u16)>,
    ) -> Result<usize, GridError> {
        self.finder.set_overlay(name, values)
    }

    /// Says in which directions a cell may be left, and whether that made a difference.
    #[cfg(feature = "tilemap")]
    pub(crate) fn write_exits(&mut self, cell: Cell, exits: tilepath::Exits) -> bool {
        if self.grid().exits(cell) == Some(exits) {
            return false;
        }
        if exits == tilepath::Exits::NONE {
            // One by one: a set without any is no answer, but edges from all sides make it.
            let around =
                self.grid().topology().directions().iter().map(|direction| cell + direction.offset());
            return around
                .fold(false, |changed, next| self.finder.one_way(next, cell).unwrap_or(false) | changed);
        }
        self.finder.set_exits(cell, exits).unwrap_or(false)
    }

    /// Puts one more obstacle on a cell of the map.
    pub(crate) fn cover(&mut self, cell: Cell) {
        if !self.bounds().contains(cell) {
            return;
        }
        let terrain = self.terrain(cell);
        let covered = self.covered.entry(cell).or_insert(Covered { obstacles: 0, terrain });
        covered.obstacles += 1;
        if covered.obstacles == 1 && terrain.is_some() {
            self.write(cell, Some(WALL));
        }
    }

    /// Takes one obstacle off a cell that it was put on.
    pub(crate) fn uncover(&mut self, cell: Cell) {
        if let Entry::Occupied(mut covered) = self.covered.entry(cell) {
            covered.get_mut().obstacles -= 1;
            if covered.get().obstacles == 0 {
                let terrain = covered.remove().terrain;
                // The cell may have left the map meanwhile.
                if self.bounds().contains(cell) {
                    self.write(cell, terrain);
                }
            }
        }
    }

    /// Puts one more obstacle on a cell that is one to the movement of a name.
    pub(crate) fn close(&mut self, cell: Cell, name: &Arc<str>) {
        if !self.bounds().contains(cell) {
            return;
        }
        let obstacles = self.closed.entry((cell, name.clone())).or_insert(0);
        *obstacles += 1;
        if *obstacles == 1 {
            self.write_closed(cell, name, Grid::CLOSING);
        }
    }

    /// Takes one of them off again.
    pub(crate) fn open(&mut self, cell: Cell, name: &Arc<str>) {
        if let Entry::Occupied(mut obstacles) = self.closed.entry((cell, name.clone())) {
            *obstacles.get_mut() -= 1;
            if *obstacles.get() == 0 {
                obstacles.remove();
                self.write_closed(cell, name, 0);
            }
        }
    }

    fn write_closed(&mut self, cell: Cell, name: &str, value: u16) {
        // Only a cell that is gone from the map is refused, and there is nothing to open there.
        let _ = self.finder.set_overlay(&obstacle_overlay(name), [(cell, value)]);
    }

    fn write(&mut self, cell: Cell, class: Option<u8>) {
        match class {
            Some(class) => self.finder.set_terrain(cell, class),
            None => self.finder.set_void(cell),
        }
        .expect("the cell was found on this map");
    }

    /// The terrain class of a cell as it is without obstacles; `None` where it is void.
    #[cfg(feature = "tilemap")]
    pub(crate) fn own_terrain(&self, cell: Cell) -> Option<u8> {
        self.covered.get(&cell).map_or_else(|| self.terrain(cell), |covered| covered.terrain)
    }

    /// Writes cells of the map, void ones without a class; under obstacles they show once these are gone. Says whether that
    /// made a difference.
    #[cfg(feature = "tilemap")]
    pub(crate) fn write_cells(&mut self, cells: &[(Cell, Option<u8>)]) -> bool {
        let mut changed = false;
        let (mut classes, mut voids) = (Vec::new(), Vec::new());
        for &(cell, class) in cells {
            let mut shown = class;
            if let Some(covered) = self.covered.get_mut(&cell) {
                changed |= covered.terrain != class;
                covered.terrain = class;
                shown = class.map(|_| WALL);
            }
            match shown {
                Some(class) => classes.push((cell, class)),
                None => voids.push(cell),
            }
        }
        let on_map = "the cells lie within the map's bounds";
        changed |= self.finder.set_terrains(&classes).expect(on_map) > 0;
        changed | (self.finder.set_voids(&voids).expect(on_map) > 0)
    }

    /// Grows or shrinks the map. What comes is void.
    #[cfg(feature = "tilemap")]
    pub(crate) fn resize(&mut self, bounds: Bounds) {
        self.finder.resize(bounds, None);
    }

    /// Puts another grid in place of this one. Obstacles enter it again.
    #[cfg(feature = "tilemap")]
    pub(crate) fn replace(&mut self, grid: Grid) {
        let rules = self.rules().clone();
        *self = Self {
            ready: self.ready,
            #[cfg(feature = "rules_asset")]
            awaits_rules: self.awaits_rules,
            ..Self::with_rules(grid, rules)
        };
    }

    /// The cell on which tile (0, 0) of a tilemap lies.
    pub(crate) fn offset_of(&self, tilemap: Entity) -> Option<IVec2> {
        self.tilemaps.iter().find(|(known, _)| *known == tilemap).map(|&(_, offset)| offset)
    }

    /// Says whether the grid can be searched.
    #[cfg(feature = "tilemap")]
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
        self.state.with_revision(self.revision())
    }

    fn set_rules(&mut self, rules: Movement) {
        let id = self.movement();
        self.finder.set_movement(id, rules).expect("a finder has a first movement");
        self.state = Version::next();
    }

    fn set_names(&mut self, names: &BTreeMap<Arc<str>, Movement>) {
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

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<NavMap>()
        .register_type::<MissingTile>()
        .register_type::<NavGrid>()
        .add_systems(schedule, apply_rules.in_set(SyncSteps::Maps));
}

fn apply_rules(mut maps: Query<(Ref<NavMap>, Mut<NavGrid>)>) {
    for (map, mut grid) in &mut maps {
        if !map.is_changed() && !grid.is_changed() {
            continue;
        }
        let rules = map.rules();
        if *grid.rules() != rules {
            grid.set_rules(rules);
        }
        if !grid.movements.is_named(&map.movements) {
            grid.set_names(&map.movements);
        }
    }
}
