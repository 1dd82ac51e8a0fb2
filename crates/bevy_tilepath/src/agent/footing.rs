//! Where an agent stands between cells, and how it gets onto a path without cutting a corner.

use bevy_ecs::{component::Component, entity::Entity};
use bevy_math::Vec2;
use tilepath::{Bounds, Cell};

use crate::{
    agent::{AgentPath, is_on_world_line},
    failure::PathFailure,
    nav_map::NavGrid,
    projection::NavProjection,
    request::{Place, Spot},
};

/// How far from a line, in cells, still counts as on it: more than rounding, less than can be seen.
const ON_LINE: f32 = 1e-3;

/// The step an agent was last seen on, or the door.
///
/// The position alone does not tell: on a diagonal step it passes through the corner where four cells
/// meet, and two of them may be walls; and a door may lie off its map.
#[derive(Component, Debug, Clone, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Footing(Foothold);

#[derive(Debug, Clone, Default)]
enum Foothold {
    #[default]
    Ground,
    Step(Step),
    Door(Box<InDoor>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    map: Entity,
    from: Cell,
    to: Cell,
}

/// Between the ends of a door: to whoever asks, at the end of the map that is being left.
#[derive(Debug, Clone)]
pub(crate) struct InDoor {
    map: Entity,
    pub(crate) door: Entity,
    pub(crate) spot: Spot,
    here: Vec2,
}

impl Footing {
    pub(crate) fn set(&mut self, path: &AgentPath) {
        self.0 = match path.step() {
            _ if path.is_in_door() => in_door(path).map_or(Foothold::Ground, Foothold::Door),
            Some((from, to)) => Foothold::Step(Step { map: path.map(), from, to }),
            None => Foothold::Ground,
        };
    }

    /// The door of that map in which somebody stands who is here.
    pub(crate) fn door(&self, map: Entity, here: Vec2) -> Option<&InDoor> {
        match &self.0 {
            Foothold::Door(door) if door.map == map && door.here == here => Some(door),
            _ => None,
        }
    }
}

fn in_door(path: &AgentPath) -> Option<Box<InDoor>> {
    let spot = path.leg().last_spot()?;
    let (door, here) = (path.ahead().front()?.door()?, path.walk.position?);
    // At the very end of the leg he has not left it yet.
    let is_at_end = path.points()[path.next_point() - 1] == here;
    (!is_at_end).then(|| Box::new(InDoor { map: path.map(), door, spot, here }))
}

/// A map as seen by somebody who stands on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) map: Entity,
    pub(crate) grid: &'a NavGrid,
    pub(crate) projection: &'a NavProjection,
}

impl Ground<'_> {
    /// A position in the world, in cells of this map.
    fn units(&self, world: Vec2) -> Vec2 {
        self.projection.cell_units(self.projection.local_of(world))
    }

    /// The step under way, if the position still lies on it.
    fn step_at(&self, units: Vec2, footing: Option<&Footing>) -> Option<Step> {
        let Foothold::Step(step) = footing?.0 else { return None };
        (step.map == self.map && is_on_line(units, centre(step.from), centre(step.to))).then_some(step)
    }

    /// The cell an agent is in: on a step under way the nearer end, otherwise the cell under it.
    pub(crate) fn standing_cell(&self, world: Vec2, footing: Option<&Footing>) -> Result<Cell, PathFailure> {
        if let Some(Spot::Cell(cell)) =
            footing.and_then(|footing| footing.door(self.map, world)).map(|door| &door.spot)
        {
            return Ok(*cell);
        }
        let units = self.units(world);
        match self.step_at(units, footing) {
            Some(step) => {
                let nearer_to_start =
                    units.distance_squared(centre(step.from)) < units.distance_squared(centre(step.to));
                Ok(if nearer_to_start { step.from } else { step.to })
            }
            None => self.cell_under(world, PathFailure::start_off),
        }
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
                let cell = units.floor().as_ivec2();
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
            Place::Position(position) => self.cell_under(*position, off),
            Place::Waypoint(_) => Err(PathFailure::WrongKindOfMap),
        }
    }

    /// Chooses the leg that leads from here onto the path, or along it if the agent is on its way.
    ///
    /// It stays within the cells that the path passes, or crosses a corner where the cell beside it is
    /// open. `false`: there is no such leg, the way has to be planned anew.
    pub(crate) fn join(&self, path: &mut AgentPath, here: Vec2, footing: Option<&Footing>) -> bool {
        if let Some(next) = path.next_by_door(self.map, here, footing) {
            path.set_leg(here, next);
            return true;
        }
        let Some(course) = path.path() else { return false };
        let units = self.units(here);
        let first = path.leg_points().start;
        let cells = course.cells();
        let end = cells.len();
        let next = path.next_point() - first;
        let last = next.saturating_sub(1);
        let under = self.projection.cell_at_world(here);

        let leg = if next > 0 && next < end && is_on_line(units, centre(cells[last]), centre(cells[next])) {
            Some(next)
        } else if let Some(step) = self.step_at(units, footing).filter(|_| next == 0) {
            // Half-way through a step when the order came: forward or back along the same line.
            let other_end = if cells[0] == step.to { step.from } else { step.to };
            if cells[0] != step.from && cells[0] != step.to {
                None
            } else if end > 1
                && (cells[1] == other_end
                    || under == Some(cells[0]) && self.is_open(units, cells[0], cells[1]))
            {
                Some(1)
            } else {
                Some(0)
            }
        } else {
            None
        };
        let leg = leg.or_else(|| {
            let at = last + cells[last..].iter().position(|&cell| Some(cell) == under)?;
            let straight_on =
                at < next.max(1) && at + 1 < end && self.is_open(units, cells[at], cells[at + 1]);
            Some(if straight_on { at + 1 } else { at })
        });
        match leg {
            Some(next) => {
                path.set_leg(here, first + next);
                true
            }
            None => false,
        }
    }

    /// Whether the straight line from a position in one cell to the centre of the next is open.
    ///
    /// Towards an orthogonal neighbour the line stays within the two. Towards a diagonal one it passes the
    /// shared corner on one side, and the cell on that side must be open.
    fn is_open(&self, units: Vec2, from: Cell, to: Cell) -> bool {
        let offset = Vec2::new((to.x - from.x) as f32, (to.y - from.y) as f32);
        if offset.x == 0.0 || offset.y == 0.0 {
            return true;
        }
        // The diagonal through both centres, and which side of it the position lies on.
        let side = (-offset).perp_dot(units - centre(to));
        if side.abs() < ON_LINE {
            return true;
        }
        let beside = if (side > 0.0) == (offset.x * offset.y > 0.0) {
            Cell::new(to.x, from.y)
        } else {
            Cell::new(from.x, to.y)
        };
        let movement = self.grid.finder().movement(self.grid.movement());
        self.grid
            .terrain(beside)
            .is_some_and(|class| movement.is_some_and(|movement| movement.costs().is_passable(class)))
    }
}

impl AgentPath {
    /// The point to walk to for somebody who is in a door, or was when the way was planned.
    pub(crate) fn next_by_door(&self, map: Entity, here: Vec2, footing: Option<&Footing>) -> Option<usize> {
        let next = self.next_point();
        if self.is_in_door() {
            let points = self.points();
            let is_between =
                self.walk.position == Some(here) || is_on_world_line(here, points[next - 1], points[next]);
            return is_between.then_some(next);
        }
        let door = footing?.door(map, here).filter(|_| next == 0)?;
        // Straight on if the new way leads through the same door, otherwise back to where it begins.
        let leads_on = self.leg_points().len() == 1
            && self.ahead().front().is_some_and(|leg| leg.door() == Some(door.door));
        Some(usize::from(leads_on))
    }
}

fn centre(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, cell.y as f32) + 0.5
}

fn is_on_line(point: Vec2, from: Vec2, to: Vec2) -> bool {
    let line = to - from;
    let along = ((point - from).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    point.distance_squared(from + line * along) <= ON_LINE * ON_LINE
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilepath::Grid;

    fn ground(edit: impl FnOnce(&mut NavGrid), check: impl FnOnce(Ground)) {
        let mut grid = NavGrid::new(Grid::new(4, 4, 1).unwrap());
        edit(&mut grid);
        let projection = NavProjection::square(Vec2::ONE, Vec2::splat(0.5));
        check(Ground { map: Entity::PLACEHOLDER, grid: &grid, projection: &projection });
    }

    #[test]
    fn line_past_a_corner_is_open_where_the_cell_beside_it_is() {
        let (from, to) = (Cell::new(1, 1), Cell::new(2, 2));
        let (below, above) = (Vec2::new(1.8, 1.2), Vec2::new(1.2, 1.8));
        ground(
            |grid| assert!(grid.set_terrain(Cell::new(2, 1), 0).unwrap()),
            |ground| {
                assert!(!ground.is_open(below, from, to));
                assert!(ground.is_open(above, from, to));
                assert!(ground.is_open(Vec2::splat(1.3), from, to));
            },
        );
        ground(
            |grid| assert!(grid.set_terrain(Cell::new(1, 2), 0).unwrap()),
            |ground| {
                assert!(ground.is_open(below, from, to));
                assert!(!ground.is_open(above, from, to));
            },
        );
        let (from, to) = (Cell::new(2, 1), Cell::new(1, 2));
        ground(
            |grid| assert!(grid.set_terrain(Cell::new(1, 1), 0).unwrap()),
            |ground| {
                assert!(!ground.is_open(Vec2::new(2.2, 1.2), from, to));
                assert!(ground.is_open(Vec2::new(2.8, 1.8), from, to));
                assert!(ground.is_open(Vec2::new(2.2, 1.2), from, Cell::new(1, 1)));
            },
        );
    }

    #[test]
    fn step_under_way_decides_the_cell_at_a_corner() {
        ground(
            |_| {},
            |ground| {
                let step = Step { map: ground.map, from: Cell::new(1, 1), to: Cell::new(2, 2) };
                let footing = Footing(Foothold::Step(step));
                assert_eq!(ground.standing_cell(Vec2::new(1.999, 2.0), Some(&footing)), Ok(step.from));
                assert_eq!(ground.standing_cell(Vec2::new(1.999, 2.0), None), Ok(Cell::new(1, 2)));
                assert_eq!(ground.standing_cell(Vec2::new(2.0, 2.001), Some(&footing)), Ok(step.to));
                assert_eq!(ground.standing_cell(Vec2::new(3.2, 0.4), Some(&footing)), Ok(Cell::new(3, 0)));
                assert_eq!(
                    ground.standing_cell(Vec2::NAN, Some(&footing)),
                    Err(PathFailure::PositionNotFinite)
                );
            },
        );
    }
}
