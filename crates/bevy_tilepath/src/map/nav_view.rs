//! A tile map with its rules and its place in the world.

use bevy_ecs::entity::Entity;
use bevy_math::{IVec2, Vec2};
use tilepath::{Bounds, Cell, Topology};

use crate::{
    failure::PathFailure,
    map::{cells::ToCell, nav_map::NavGrid, place::Place, projection::NavProjection},
};

/// How far a position may be off for having been computed with `f32`, as a part of its coordinates.
pub(crate) const ROUNDING: f32 = 1e-6;

/// How far from a line, in cells, still counts as on it: more than rounding, less than can be seen.
const ON_LINE: f32 = 1e-3;

/// The same where rounding is coarse: farther off, a line counts as another line wherever it is.
const FAR_OUT: f32 = 0.2;

/// One tile map, to be asked at once: see [`NavQuery`](crate::NavQuery).
#[derive(Debug, Clone, Copy)]
pub struct NavView<'a> {
    pub(crate) map: Entity,
    pub(crate) grid: &'a NavGrid,
    pub(crate) projection: &'a NavProjection,
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

impl NavView<'_> {
    /// What one unit of its costs is in world units.
    pub(crate) fn unit(&self) -> f64 {
        self.projection.cell_side() / f64::from(self.grid.rules().steps().straight().max(1))
    }

    /// The least that ways between cells may cost, in world units: the distance on an empty map of the cheapest terrain
    /// that is on this one.
    pub(crate) fn distances(&self) -> Distances {
        let rules = self.grid.rules();
        let cheapest = self.grid.finder().cheapest_terrain(self.grid.movement()).unwrap_or(0);
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

    /// A position in the world, in cells of this map.
    pub(crate) fn units(&self, world: Vec2) -> Vec2 {
        self.projection.cell_units(self.projection.local_of(world))
    }

    /// How far from a line still counts as on it for a position with the digits that `f32` has there.
    pub(crate) fn reach(&self, here: Vec2, units: Vec2) -> f32 {
        let in_world = here.abs().element_sum() / self.projection.cell_side() as f32;
        (ROUNDING * (units.abs().element_sum() + in_world)).clamp(ON_LINE, FAR_OUT)
    }

    /// The cell under a position in the world. It may be out of bounds; `off` is the answer where it is even out of
    /// the range of cells.
    pub(crate) fn cell_under(
        &self,
        world: Vec2,
        off: fn(Cell, Bounds) -> PathFailure,
    ) -> Result<Cell, PathFailure> {
        self.projection.cell_at_world(world).ok_or_else(|| {
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
                let Cell { x, y } = self.projection.lattice().cell_of(tile.to_cell().to_ivec2());
                Ok(Cell::new(x.saturating_add(offset.x), y.saturating_add(offset.y)))
            }
            Place::Position(position) => self.cell_under(*position, off),
            Place::Waypoint(_) => Err(PathFailure::WrongKindOfMap),
        }
    }
}
