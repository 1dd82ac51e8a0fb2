//! A tile map with its rules and its place in the world.
//!
//! Decision: `docs/decisions/36-movements-of-units.md`.
//! Decision: `docs/decisions/37-places-of-large-units.md`.

use bevy_ecs::entity::Entity;
use bevy_math::{IVec2, Vec2};
use tilepath::{Bounds, Cell, Cost, Direction, Movement, MovementId, Path, PathFault, PathFinder, Topology};

use crate::{
    failure::PathFailure,
    map::{
        cells::ToCell,
        lattice::LatticeShape,
        movement::{AgentMovement, closed_to},
        nav_grid::NavGrid,
        place::Place,
        projection::NavProjection,
    },
};

/// The rounding error of a position computed with `f32`, as a part of its coordinates.
pub(crate) const ROUNDING: f32 = 1e-6;

/// The distance from a line, in cells, that still counts as on it: more than rounding, less than
/// can be seen.
const ON_LINE: f32 = 1e-3;

/// The greatest such distance, for coarse rounding. A position farther away is never on the line.
const FAR_OUT: f32 = 0.2;

/// One tile map as a unit sees it, by one movement: the map's own rules, or another. The cell of a
/// unit of several cells is its lowest and leftmost one. Positions are the centre of all its cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MapView<'a> {
    pub(crate) map: Entity,
    pub(crate) grid: &'a NavGrid,
    /// The finder of the grid, or of a what-if map.
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
    /// The cost of one unit of distance.
    rate: f64,
}

impl Distances {
    /// Returns the distance between cells, from their distances along the two axes.
    #[inline]
    pub(crate) fn along(&self, x: f64, y: f64) -> f64 {
        let (short, long) = if x < y { (x, y) } else { (y, x) };
        let distance = short * self.diagonal + (long - short) * self.straight;
        // A distance is a cost, and `u32::MAX` is the greatest cost.
        let most = f64::from(u32::MAX);
        (if distance < most { distance } else { most }) * self.rate
    }

    pub(crate) fn between(&self, from: Cell, to: Cell) -> f64 {
        self.along(from.x.abs_diff(to.x).into(), from.y.abs_diff(to.y).into())
    }
}

impl<'a> MapView<'a> {
    /// Creates a view by the map's own rules.
    pub(crate) fn new(map: Entity, grid: &'a NavGrid, projection: &'a NavProjection) -> Self {
        Self { map, grid, finder: grid.finder(), projection, movement: grid.movement(), rules: grid.rules() }
    }

    /// Returns the view by the movement of a unit, if it has one.
    pub(crate) fn by(self, movement: Option<&AgentMovement>) -> Result<Self, PathFailure> {
        let Some(movement) = movement else { return Ok(self) };
        let known = self.grid.movement_of(movement).and_then(|id| Some((id, self.finder.movement(id)?)));
        let (movement, rules) = known.ok_or(PathFailure::UnknownMovement { map: self.map })?;
        Ok(Self { movement, rules, ..self })
    }

    /// Returns the number of cells on a side of the unit.
    pub(crate) fn side(&self) -> u8 {
        self.rules.size().side()
    }

    /// Returns whether the unit may enter a cell.
    pub(crate) fn is_passable(&self, cell: Cell) -> bool {
        self.rules.is_open(self.finder.grid(), cell)
    }

    /// Returns whether a field leads the unit from a cell. A unit of several cells on closed ground, and
    /// one deep in it, needs a search.
    pub(crate) fn is_led_by_fields(&self, start: Cell) -> bool {
        let leads_off = |direction: Direction| {
            let is_open = start.neighbour(direction).is_some_and(|entered| self.is_passable(entered));
            is_open && self.rules.step_cost(self.finder.grid(), start, direction).is_some()
        };
        self.is_passable(start) || self.side() == 1 && Direction::ALL.into_iter().any(leads_off)
    }

    /// Returns the name of an overlay that closes a cell under the unit. The plugin's own overlays,
    /// for obstacles, do not count.
    pub(crate) fn closing_overlay(&self, cell: Cell) -> Option<&'a str> {
        let (grid, rules) = (self.finder.grid(), self.rules);
        let mut names = rules.size().footprint(cell).flat_map(|cell| rules.closing_overlays(grid, cell));
        names.find(|name| closed_to(name).is_none())
    }

    /// Checks that each step of a path is allowed by the unit's movement, and that the costs are
    /// still right.
    pub(crate) fn verify(&self, path: &Path) -> Result<(), PathFault> {
        path.verify(self.finder.grid(), self.rules)
    }

    /// Returns the world position of a unit on this cell.
    pub(crate) fn position_of(&self, cell: Cell) -> Vec2 {
        self.projection.centre_of_unit(cell, self.side())
    }

    /// Returns the cell of a unit at a position in the world. The cell may be out of bounds. Near
    /// the border of the map, it is the nearest cell at which the whole unit is on the map.
    pub(crate) fn unbounded_cell_at(&self, world: Vec2) -> Option<Cell> {
        let under = self.projection.cell_at_world(world)?;
        if self.side() == 1 || !self.grid.bounds().contains(under) {
            return Some(under);
        }
        Some(self.whole_unit(self.units(world).floor().as_ivec2()).unwrap_or(under))
    }

    /// Returns the unit's cell in the place of a unit of another side. Of two equally near, it is
    /// the lower one.
    pub(crate) fn in_place_of(&self, cell: Cell, side: u8) -> Cell {
        if side == self.side() || !self.grid.bounds().contains(cell) {
            return cell;
        }
        let further = (i32::from(side) - i32::from(self.side())).div_euclid(2);
        self.whole_unit(cell.to_ivec2() + IVec2::splat(further)).unwrap_or(cell)
    }

    /// Returns the nearest cell at which the whole unit is on the map, or `None` if there is no
    /// room.
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

    /// Returns the value of one cost unit, in world units.
    pub(crate) fn unit(&self) -> f64 {
        self.projection.cell_side() / f64::from(self.rules.steps().straight().max(1))
    }

    /// Returns a lower bound for the cost of a path from one cell to another.
    pub(crate) fn least_cost(&self, from: Cell, to: Cell) -> Option<Cost> {
        self.finder.least_cost(from, Bounds::new(to, 1, 1).ok()?, self.movement).ok()
    }

    /// Returns lower bounds for paths between cells, in world units: the distances on an empty map
    /// that has only the cheapest terrain of this one.
    pub(crate) fn distances(&self) -> Distances {
        let rules = self.rules;
        let cheapest = self.finder.cheapest_terrain(self.movement).unwrap_or(0);
        let topology = self.grid.grid().topology();
        let step = |x, y| f64::from(rules.distance(topology, Cell::new(0, 0), Cell::new(x, y)).get());
        let rate = f64::from(cheapest) * self.unit();
        let straight = step(1, 0);
        let diagonal = match topology {
            Topology::Square => step(1, 1),
            // One of the two diagonals is a step. The other one is not, and costs more.
            Topology::Hexagonal => straight,
        };
        Distances { straight, diagonal, rate }
    }

    /// Converts a world position of the unit's centre to cells of this map: the centre of the
    /// unit's own cell.
    pub(crate) fn units(&self, world: Vec2) -> Vec2 {
        self.projection.cell_units(self.projection.local_of(world)) - f32::from(self.side() - 1) / 2.0
    }

    /// Returns the distance from a line that still counts as on it, for a position rounded to
    /// `f32`.
    pub(crate) fn reach(&self, here: Vec2, units: Vec2) -> f32 {
        let in_world = here.abs().element_sum() / self.projection.cell_side() as f32;
        (ROUNDING * (units.abs().element_sum() + in_world)).clamp(ON_LINE, FAR_OUT)
    }

    /// Returns the cell of a unit at a position in the world. The cell may be out of bounds. If it
    /// is even out of the range of cells, `off` creates the error.
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

    /// Returns the cell of a place. It may be out of bounds. If it is even out of the range of
    /// cells, `off` creates the error.
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
