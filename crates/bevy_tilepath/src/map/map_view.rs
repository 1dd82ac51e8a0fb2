//! A tile map with its rules and its place in the world.

use bevy_ecs::entity::Entity;
use bevy_math::{IVec2, Vec2};
use tilepath::{Bounds, Cell, Movement, MovementId, Path, PathFault, PathFinder, Topology};

use crate::{
    failure::PathFailure,
    map::{
        cells::ToCell, lattice::LatticeShape, movement::AgentMovement, nav_grid::NavGrid, place::Place,
        projection::NavProjection,
    },
};

/// How far a position may be off for having been computed with `f32`, as a part of its coordinates.
pub(crate) const ROUNDING: f32 = 1e-6;

/// How far from a line, in cells, still counts as on it: more than rounding, less than can be seen.
const ON_LINE: f32 = 1e-3;

/// The same where rounding is coarse: farther off, a line counts as another line wherever it is.
const FAR_OUT: f32 = 0.2;

/// One tile map as a unit sees it, by one movement: the map's own rules, or another. The cell of a unit of several cells is
/// the lowest and leftmost one, and positions are those of the centre of all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MapView<'a> {
    pub(crate) map: Entity,
    pub(crate) grid: &'a NavGrid,
    /// That of the grid, or of a map that is only supposed.
    pub(crate) finder: &'a PathFinder,
    pub(crate) projection: &'a NavProjection,
    pub(crate) movement: MovementId,
    pub(crate) rules: &'a Movement,
}

/// Distances on an empty map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Distances {
    straight: f64,
    diagonal: f64,
    /// What one unit of distance costs.
    rate: f64,
}

impl Distances {
    /// Between cells so far apart along the two axes.
    #[inline]
    pub(crate) fn along(&self, x: f64, y: f64) -> f64 {
        let (short, long) = if x < y { (x, y) } else { (y, x) };
        let distance = short * self.diagonal + (long - short) * self.straight;
        // A distance is a cost, and no cost is more.
        let most = f64::from(u32::MAX);
        (if distance < most { distance } else { most }) * self.rate
    }

    pub(crate) fn between(&self, from: Cell, to: Cell) -> f64 {
        self.along(from.x.abs_diff(to.x).into(), from.y.abs_diff(to.y).into())
    }
}

impl<'a> MapView<'a> {
    /// By the map's own rules.
    pub(crate) fn new(map: Entity, grid: &'a NavGrid, projection: &'a NavProjection) -> Self {
        Self { map, grid, finder: grid.finder(), projection, movement: grid.movement(), rules: grid.rules() }
    }

    /// By the movement of a unit, which may have none.
    pub(crate) fn by(self, movement: Option<&AgentMovement>) -> Result<Self, PathFailure> {
        let Some(movement) = movement else { return Ok(self) };
        let known = self.grid.movement_of(movement).and_then(|id| Some((id, self.finder.movement(id)?)));
        let (movement, rules) = known.ok_or(PathFailure::UnknownMovement { map: self.map })?;
        Ok(Self { movement, rules, ..self })
    }

    /// Cells on a side of the unit.
    pub(crate) fn side(&self) -> u8 {
        self.rules.size().side()
    }

    /// Whether the unit may enter a cell.
    pub(crate) fn is_passable(&self, cell: Cell) -> bool {
        self.rules.is_open(self.finder.grid(), cell)
    }

    /// Whether each step of a path is allowed by the unit's movement and costs what the path says.
    pub(crate) fn verify(&self, path: &Path) -> Result<(), PathFault> {
        path.verify(self.finder.grid(), self.rules)
    }

    /// Where in the world a unit stands whose cell this is.
    pub(crate) fn position_of(&self, cell: Cell) -> Vec2 {
        self.projection.centre_of_unit(cell, self.side())
    }

    /// The cell of a unit that stands at a position in the world; it may be out of bounds. Near the border of the map it is
    /// that of the nearest place where the whole unit is on it.
    pub(crate) fn unbounded_cell_at(&self, world: Vec2) -> Option<Cell> {
        let under = self.projection.cell_at_world(world)?;
        if self.side() == 1 || !self.grid.bounds().contains(under) {
            return Some(under);
        }
        Some(self.whole_unit(self.units(world).floor().as_ivec2()).unwrap_or(under))
    }

    /// The cell of a unit in the place of another one of that side; of two as near the lower one.
    pub(crate) fn in_place_of(&self, cell: Cell, side: u8) -> Cell {
        if side == self.side() || !self.grid.bounds().contains(cell) {
            return cell;
        }
        let further = (i32::from(side) - i32::from(self.side())).div_euclid(2);
        self.whole_unit(cell.to_ivec2() + IVec2::splat(further)).unwrap_or(cell)
    }

    /// The nearest cell of a unit that is on the map as a whole; `None` if there is no room for it.
    fn whole_unit(&self, nearest: IVec2) -> Option<Cell> {
        let (bounds, side) = (self.grid.bounds(), u32::from(self.side()));
        let origin = bounds.origin();
        let within = |place: i32, first: i32, length: u32| {
            let last = first + length.checked_sub(side)? as i32;
            Some(place.clamp(first, last))
        };
        let x = within(nearest.x, origin.x, bounds.width())?;
        Some(Cell::new(x, within(nearest.y, origin.y, bounds.height())?))
    }

    /// What one unit of its costs is in world units.
    pub(crate) fn unit(&self) -> f64 {
        self.projection.cell_side() / f64::from(self.rules.steps().straight().max(1))
    }

    /// The least that ways between cells may cost, in world units: the distance on an empty map of the cheapest terrain
    /// that is on this one.
    pub(crate) fn distances(&self) -> Distances {
        let rules = self.rules;
        let cheapest = self.finder.cheapest_terrain(self.movement).unwrap_or(0);
        let topology = self.grid.grid().topology();
        let step = |x, y| f64::from(rules.distance(topology, Cell::new(0, 0), Cell::new(x, y)).get());
        let rate = f64::from(cheapest) * self.unit();
        let straight = step(1, 0);
        let diagonal = match topology {
            Topology::Square => step(1, 1),
            // One of the two diagonals is a step; the other is not, and costs more.
            Topology::Hexagonal => straight,
        };
        Distances { straight, diagonal, rate }
    }

    /// A position in the world, in cells of this map: where the middle of the unit's own cell would be if it stood there in
    /// the middle of it.
    pub(crate) fn units(&self, world: Vec2) -> Vec2 {
        self.projection.cell_units(self.projection.local_of(world)) - f32::from(self.side() - 1) / 2.0
    }

    /// How far from a line still counts as on it for a position with the digits that `f32` has there.
    pub(crate) fn reach(&self, here: Vec2, units: Vec2) -> f32 {
        let in_world = here.abs().element_sum() / self.projection.cell_side() as f32;
        (ROUNDING * (units.abs().element_sum() + in_world)).clamp(ON_LINE, FAR_OUT)
    }

    /// The cell of a unit at a position in the world. It may be out of bounds; `off` is the answer where it is even out of
    /// the range of cells.
    pub(crate) fn cell_under(
        &self,
        world: Vec2,
        off: fn(Cell, Bounds) -> PathFailure,
    ) -> Result<Cell, PathFailure> {
        self.unbounded_cell_at(world).ok_or_else(|| {
            let units = self.units(world);
            if !world.is_finite() {
                PathFailure::PositionNotFinite
            } else if !units.is_finite() {
                PathFailure::MapWithoutArea
            } else {
                let cell = self.projection.lattice().cell_under(units).as_ivec2();
                off(Cell::new(cell.x, cell.y), self.grid.bounds())
            }
        })
    }

    /// The cell of a place. It may be out of bounds; `off` is the answer where it is even out of the range of cells.
    pub(crate) fn cell_of(
        &self,
        place: &Place,
        off: fn(Cell, Bounds) -> PathFailure,
    ) -> Result<Cell, PathFailure> {
        match place {
            Place::Cell(cell) => Ok(*cell),
            Place::Tile { tile, tilemap } => {
                let offset = match tilemap.filter(|&tilemap| tilemap != self.map) {
                    Some(tilemap) => self.grid.offset_of(tilemap).ok_or(PathFailure::NotALayer)?,
                    None => IVec2::ZERO,
                };
                let Cell { x, y } = self.projection.lattice().cell_of(tile.to_cell().into());
                Ok(Cell::new(x.saturating_add(offset.x), y.saturating_add(offset.y)))
            }
            Place::Position(position) => self.cell_under(*position, off),
            Place::Waypoint(_) => Err(PathFailure::WrongKindOfMap),
        }
    }
}
