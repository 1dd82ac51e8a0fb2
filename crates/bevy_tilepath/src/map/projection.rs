//! The places of a map's cells in the world.

use bevy_ecs::{component::Component, reflect::ReflectComponent};
use bevy_math::{Affine2, Vec2};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Cell, Lattice};

use crate::map::lattice::{LatticeShape, ReflectedLattice};

/// The positions of a map's cells: in the map's own space and in the world. World positions also
/// depend on the map's transform.
///
/// For a tilemap, the plugin writes the component. For a map without tiles, spawn the component
/// with [`NavMap`](crate::NavMap) and [`NavGrid`](crate::NavGrid). A [`NavGraph`](crate::NavGraph)
/// also has a projection, which holds the graph's transform; the cells of this projection have no
/// meaning.
///
/// World positions are computed from the map's global transform in the last
/// [`SyncMaps`](crate::TilepathSystems::SyncMaps). They have x and y, and include rotation and
/// scale.
///
/// ```
/// use bevy_math::Vec2;
/// use bevy_tilepath::{Cell, NavProjection};
///
/// let projection = NavProjection::square(Vec2::splat(16.0), Vec2::new(8.0, 8.0));
/// assert_eq!(projection.cell_at(Vec2::new(40.0, 3.0)), Some(Cell::new(2, 0)));
/// assert_eq!(projection.position_of(Cell::new(2, 0)), Vec2::new(40.0, 8.0));
/// assert_eq!(projection.cell_at(Vec2::NAN), None);
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct NavProjection {
    lattice: ReflectedLattice,
    cell_size: Vec2,
    origin: Vec2,
    world_from_local: Affine2,
    local_from_world: Affine2,
}

impl Default for NavProjection {
    /// Creates a projection with square cells of side 1. The centre of cell (0, 0) is the origin of
    /// the map's space.
    fn default() -> Self {
        Self::square(Vec2::ONE, Vec2::ZERO)
    }
}

impl NavProjection {
    /// Creates a projection with rectangular cells of `cell_size`. The centre of cell (0, 0) is at
    /// `origin` in the map's space.
    ///
    /// If the size is zero or not finite, no position lies in any cell.
    #[must_use]
    pub fn square(cell_size: Vec2, origin: Vec2) -> Self {
        Self::new(Lattice::Square, cell_size, origin)
    }

    /// Creates a projection with cells of any lattice. A cell is as wide and high as `cell_size`.
    /// The centre of cell (0, 0) is at `origin` in the map's space.
    ///
    /// The map's [`Grid`](tilepath::Grid) must have the [topology](Lattice::topology) of the
    /// lattice. If the size is zero or not finite, no position lies in any cell.
    ///
    /// ```
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{maps::Lattice, Cell, NavProjection};
    ///
    /// let hexagons = NavProjection::new(Lattice::HexRow, Vec2::new(16.0, 20.0), Vec2::ZERO);
    /// assert_eq!(hexagons.position_of(Cell::new(2, 1)), Vec2::new(40.0, 15.0));
    /// assert_eq!(hexagons.cell_at(Vec2::new(35.0, 17.0)), Some(Cell::new(2, 1)));
    /// assert_eq!(hexagons.corners_of(Cell::new(0, 0)).count(), 6);
    /// ```
    #[must_use]
    pub fn new(lattice: Lattice, cell_size: Vec2, origin: Vec2) -> Self {
        let (world_from_local, local_from_world) = (Affine2::IDENTITY, Affine2::IDENTITY);
        Self { lattice: lattice.into(), cell_size, origin, world_from_local, local_from_world }
    }

    /// Returns the lattice: how the cells lie beside each other.
    #[must_use]
    pub fn lattice(&self) -> Lattice {
        self.lattice.into()
    }

    /// Returns the width and height of a cell in the map's space. On a tilemap, it is the grid
    /// size or `tile_display_size`.
    #[must_use]
    pub fn cell_size(&self) -> Vec2 {
        self.cell_size
    }

    /// Returns the corners of a cell in the map's space, in sequence around the cell. A hexagon has
    /// six corners, any other cell four.
    pub fn corners_of(&self, cell: Cell) -> impl Iterator<Item = Vec2> + use<> {
        let projection = *self;
        self.lattice().corners().iter().map(move |&corner| projection.point_in(cell, corner))
    }

    /// Returns a point in the map's space, at an offset from the centre of a cell, in cells.
    pub(crate) fn point_in(&self, cell: Cell, offset: Vec2) -> Vec2 {
        self.position_of(cell) + self.lattice().shape() * offset * self.cell_size
    }

    /// Returns the cell under a position in the map's space. The cell may lie outside the map.
    ///
    /// Returns `None` if the position is not finite, or if a coordinate of the cell does not fit
    /// into `i32`. Never panics.
    #[must_use]
    pub fn cell_at(&self, local: Vec2) -> Option<Cell> {
        let cell = self.lattice().cell_under(self.cell_units(local));
        let in_range = |v: f32| v >= i32::MIN as f32 && v < -(i32::MIN as f32);
        (in_range(cell.x) && in_range(cell.y)).then(|| Cell::new(cell.x as i32, cell.y as i32))
    }

    /// Returns the centre of a cell in the map's space.
    #[must_use]
    pub fn position_of(&self, cell: Cell) -> Vec2 {
        self.lattice().shape() * Vec2::new(cell.x as f32, cell.y as f32) * self.cell_size + self.origin
    }

    /// Returns the cell under a position in the world. Limits are as for
    /// [`cell_at`](Self::cell_at).
    #[must_use]
    pub fn cell_at_world(&self, world: Vec2) -> Option<Cell> {
        self.cell_at(self.local_of(world))
    }

    /// Returns the centre of a cell in the world.
    #[must_use]
    pub fn world_position_of(&self, cell: Cell) -> Vec2 {
        self.world_of(self.position_of(cell))
    }

    /// Returns the world centre of a unit with this many cells on a side. `cell` is its lowest and
    /// leftmost one.
    pub(crate) fn centre_of_unit(&self, cell: Cell, side: u8) -> Vec2 {
        let first = self.world_position_of(cell);
        if side == 1 {
            return first;
        }
        let reach = i32::from(side) - 1;
        let last = Cell::new(cell.x.saturating_add(reach), cell.y.saturating_add(reach));
        first.midpoint(self.world_position_of(last))
    }

    /// Converts a position in the map's space to the world.
    #[must_use]
    pub fn world_of(&self, local: Vec2) -> Vec2 {
        self.world_from_local.transform_point2(local)
    }

    /// Converts a position in the world to the map's space. If the map's scale is zero, the result
    /// is not finite.
    #[must_use]
    pub fn local_of(&self, world: Vec2) -> Vec2 {
        self.local_from_world.transform_point2(world)
    }

    /// Converts a position in the map's space to cells: cell (x, y) has its centre half a cell
    /// beyond (x, y). A square cell reaches from (x, y) to (x + 1, y + 1).
    pub(crate) fn cell_units(&self, local: Vec2) -> Vec2 {
        self.lattice().cells_from_shape() * ((local - self.origin) / self.cell_size) + 0.5
    }

    /// Returns whether the map has a place in the world. It has none if its transform is not
    /// finite, or its scale is zero.
    pub(crate) fn is_somewhere(&self) -> bool {
        self.world_from_local.is_finite() && self.local_from_world.is_finite()
    }

    /// Returns the side of a square in the world that is as large as a square of side 1 in the
    /// map's space.
    pub(crate) fn scale(&self) -> f64 {
        f64::from(self.world_from_local.matrix2.determinant().abs()).sqrt()
    }

    /// Returns the side of a square in the world that is as large as a cell.
    pub(crate) fn cell_side(&self) -> f64 {
        let cell = self.cell_size.x * self.cell_size.y * self.lattice().shape().determinant();
        self.scale() * f64::from(cell.abs()).sqrt()
    }

    /// Returns the length of a straight step in the world, along the first axis.
    pub(crate) fn straight_step(&self) -> f64 {
        let step = self.position_of(Cell::new(1, 0)) - self.position_of(Cell::new(0, 0));
        self.world_from_local.transform_vector2(step).as_dvec2().length()
    }

    /// Converts a direction in the world to cells.
    pub(crate) fn cell_units_of_world_vector(&self, vector: Vec2) -> Vec2 {
        self.lattice().cells_from_shape() * (self.local_from_world.transform_vector2(vector) / self.cell_size)
    }

    /// Returns this projection with the map at another place in the world.
    pub(crate) fn placed(self, world_from_local: Affine2) -> Self {
        Self { world_from_local, local_from_world: world_from_local.inverse(), ..self }
    }

    /// Returns whether the cells of another projection lie at the same places, except for a part of
    /// a cell.
    pub(crate) fn is_nearly(&self, other: &Self, part: f32) -> bool {
        let off = (self.origin - other.origin) / self.cell_size;
        *self == Self { origin: self.origin, ..*other } && off.length() <= part
    }

    /// Returns this projection with other cells, and the map at its present place.
    pub(crate) fn with_cells(self, lattice: Lattice, cell_size: Vec2, origin: Vec2) -> Self {
        Self { lattice: lattice.into(), cell_size, origin, ..self }
    }
}
