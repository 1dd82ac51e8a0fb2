//! The grid: terrain, start and goal.

use std::collections::BTreeSet;

use rand::Rng;
use testkit::Seed;
use tilepath::{Cell, Edit, Grid, LandmarkCount, Movement, MovementId, PathFinder, Size as Unit};
use tilepath_examples::map_file::MarkedMap;

use crate::{
    brush::{DANGER, next_danger},
    edges::{self, Crossing},
    maps,
    settings::{Brush, Settings},
    shape::Shape,
};

/// The least distance of a new random pair, in columns plus rows.
const APART: u32 = 10;

/// The grid with the start and goal of the query, and the route that the player draws.
pub(crate) struct Field {
    pub(crate) finder: PathFinder,
    pub(crate) start: Cell,
    pub(crate) goal: Cell,
    /// The drawn route, or empty without one.
    pub(crate) proposal: Vec<Cell>,
    /// The cells of friends. The unit may pass them, but may not end a turn on them.
    pub(crate) friends: BTreeSet<Cell>,
    /// The map of --map.
    pub(crate) given: Option<MarkedMap>,
    /// The number of random draws so far, so that the same keys give the same maps.
    draws: u32,
}

impl Field {
    pub(crate) fn new(settings: Settings) -> Self {
        let nothing = Cell::new(0, 0);
        let grid = Grid::new(1, 1, 1).expect("a cell is not too large");
        let mut field = Self {
            finder: PathFinder::new(grid, movement(settings)),
            start: nothing,
            goal: nothing,
            proposal: Vec::new(),
            friends: BTreeSet::new(),
            given: None,
            draws: 0,
        };
        field.fill(settings);
        field
    }

    /// Makes another grid for these settings, with another start and goal.
    pub(crate) fn fill(&mut self, settings: Settings) {
        let seed = self.seed();
        let map = maps::map(settings.topology, settings.ground, settings.size, self.given.as_ref(), &seed);
        self.proposal.clear();
        self.friends.clear();
        self.finder = PathFinder::new(map.grid, movement(settings));
        if map.start.is_none() || map.goal.is_none() {
            self.draw_pair();
        }
        self.start = map.start.unwrap_or(self.start);
        self.goal = map.goal.unwrap_or(self.goal);
        self.settle();
    }

    /// Replaces the grid by one of the same shape.
    pub(crate) fn take_grid(&mut self, grid: Grid) {
        let movement = self.finder.movements().next().cloned().unwrap_or_default();
        self.finder = PathFinder::new(grid, movement);
    }

    /// Returns the size of the unit.
    pub(crate) fn unit(&self) -> Unit {
        self.finder.movements().next().map_or(Unit::ONE, Movement::size)
    }

    /// Returns the shape of the board.
    pub(crate) fn shape(&self) -> Shape {
        Shape::of(self.finder.grid(), self.unit())
    }

    /// Places start and goal as the command line gives them.
    ///
    /// # Errors
    /// Returns a text if one of the cells is not on the map.
    pub(crate) fn place_ends(&mut self, start: Option<Cell>, goal: Option<Cell>) -> Result<(), String> {
        let grid = self.finder.grid();
        for cell in start.into_iter().chain(goal) {
            if !grid.contains(cell) {
                let (width, height) = self.shape().cells();
                return Err(format!("{cell} is not on the map of {width} x {height} cells, counted from 0"));
            }
        }
        self.start = start.unwrap_or(self.start);
        self.goal = goal.unwrap_or(self.goal);
        Ok(())
    }

    fn seed(&mut self) -> Seed {
        self.draws += 1;
        Seed::named(&format!("laboratory {}", self.draws))
    }

    /// Chooses a new random start and goal on free cells, at least ten steps apart if there is such
    /// a pair.
    pub(crate) fn draw_pair(&mut self) {
        self.proposal.clear();
        let grid = self.finder.grid();
        let open: Vec<Cell> = grid.bounds().cells().filter(|&cell| self.fits(cell)).collect();
        let mut generator = self.seed().generator();
        // In the middle of a small map, some cells have no partner. A few tries find a cell that
        // has one.
        for _ in 0..200 {
            let Some(&start) = open.get(generator.random_range(0..open.len().max(1))) else { break };
            let far: Vec<Cell> = open.iter().copied().filter(|&goal| apart(start, goal) >= APART).collect();
            if !far.is_empty() {
                (self.start, self.goal) = (start, far[generator.random_range(0..far.len())]);
                return;
            }
        }
        // If the map is too small or too full of walls: its first and its last free cell.
        let corner = Cell::new(0, 0);
        self.start = open.first().copied().unwrap_or(corner);
        self.goal = open.last().copied().unwrap_or(corner);
    }

    /// Removes all walls, terrain, danger, closed edges and friends.
    pub(crate) fn clear(&mut self) {
        self.friends.clear();
        let grid = self.finder.grid();
        let bounds = grid.bounds();
        let mut open = Grid::new(bounds.width(), bounds.height(), 1)
            .and_then(|open| open.with_topology(grid.topology()).with_origin(bounds.origin()))
            .expect("there is such a map already");
        let void = bounds.cells().filter(|&cell| !grid.contains(cell)).map(Edit::void);
        let edited = open.edit(&void.collect::<Vec<Edit>>());
        debug_assert!(edited.is_ok(), "the cells are those of the map");
        self.take_grid(open);
    }

    /// Changes the ground of a cell. Returns whether anything changed. Start and goal never become
    /// walls.
    pub(crate) fn set(&mut self, cell: Cell, class: u8) -> bool {
        if !self.finder.grid().contains(cell) || class == 0 && self.end_at(cell).is_some() {
            return false;
        }
        self.finder.set_terrain(cell, class).unwrap_or(false)
    }

    /// Changes the danger of a cell. Returns whether anything changed.
    pub(crate) fn endanger(&mut self, cell: Cell, danger: u16) -> bool {
        self.finder.grid().contains(cell)
            && self.finder.set_overlay(DANGER, [(cell, danger)]).is_ok_and(|changed| changed > 0)
    }

    pub(crate) fn danger(&self, cell: Cell) -> u16 {
        self.finder.grid().overlay(DANGER, cell)
    }

    /// Returns the danger that a stroke paints if it begins at this cell.
    pub(crate) fn stroke_danger(&self, cell: Cell) -> u16 {
        next_danger(self.danger(cell))
    }

    /// Adds a friend to a cell of the map, or removes it. Returns whether anything changed.
    pub(crate) fn befriend(&mut self, cell: Cell, stands: bool) -> bool {
        if stands {
            self.finder.grid().contains(cell) && self.friends.insert(cell)
        } else {
            self.friends.remove(&cell)
        }
    }

    /// Returns true if a stroke that begins at this cell adds friends, false if it removes them.
    pub(crate) fn stroke_friend(&self, cell: Cell) -> bool {
        !self.friends.contains(&cell)
    }

    /// Changes the edge that the brush crosses. Returns whether anything changed.
    pub(crate) fn turn_edge(&mut self, from: Cell, to: Cell) -> bool {
        edges::turn(&mut self.finder, from, to)
    }

    /// Returns the ground that a stroke paints if it begins at this cell. If the cell has the
    /// brush's ground already, this is plain ground: a click on a wall removes it.
    pub(crate) fn stroke_class(&self, brush: Brush, cell: Cell) -> Option<u8> {
        let class = brush.class()?;
        Some(if self.finder.grid().terrain(cell) == Some(class) { 1 } else { class })
    }

    /// Moves the start, but only where the unit fits, and not onto the goal.
    pub(crate) fn move_start(&mut self, cell: Cell) -> bool {
        let may = cell != self.goal && cell != self.start && self.fits(cell);
        if may {
            self.start = cell;
            self.proposal.clear();
        }
        may
    }

    /// Moves the goal, but only where the unit fits, and not onto the start.
    pub(crate) fn move_goal(&mut self, cell: Cell) -> bool {
        let may = cell != self.start && cell != self.goal && self.fits(cell);
        if may {
            self.goal = cell;
            self.proposal.clear();
        }
        may
    }

    /// Returns the cell of the start or goal whose unit covers this cell; the start if both do.
    pub(crate) fn end_at(&self, cell: Cell) -> Option<Cell> {
        let covers = |end: &Cell| self.unit().footprint(*end).any(|covered| covered == cell);
        [self.start, self.goal].into_iter().find(covers)
    }

    /// Returns whether the unit can stand there.
    pub(crate) fn fits(&self, anchor: Cell) -> bool {
        self.obstacle(anchor).is_none()
    }

    /// Returns what blocks the unit there.
    pub(crate) fn obstacle(&self, anchor: Cell) -> Option<Obstacle> {
        let (grid, unit) = (self.finder.grid(), self.unit());
        let ground = unit.footprint(anchor).find_map(|cell| match grid.terrain(cell) {
            None => Some(Obstacle::Outside(cell)),
            Some(0) => Some(Obstacle::Wall(cell)),
            Some(_) => None,
        });
        let astride = || {
            unit.footprint(anchor).find_map(|cell| {
                let others = [Cell::new(cell.x + 1, cell.y), Cell::new(cell.x, cell.y + 1)];
                let is_under = |other: &Cell| unit.footprint(anchor).any(|covered| covered == *other);
                let fenced = |&other: &Cell| edges::crossing(grid, cell, other) == Some(Crossing::Fence);
                others.into_iter().filter(is_under).find(fenced).map(|other| Obstacle::Fence(cell, other))
            })
        };
        ground.or_else(astride)
    }

    /// Moves start and goal to the nearest cells where the unit fits, if there are any.
    fn settle(&mut self) {
        let [start, goal] = [self.start, self.goal];
        self.start = self.nearest_fit(start, goal).unwrap_or(start);
        self.goal = self.nearest_fit(goal, self.start).unwrap_or(goal);
    }

    fn nearest_fit(&self, cell: Cell, other_end: Cell) -> Option<Cell> {
        let away = |there: &Cell| {
            let (dx, dy) = (there.x - cell.x, there.y - cell.y);
            dx * dx + dy * dy
        };
        let cells = self.finder.grid().bounds().cells();
        cells.filter(|&there| there != other_end && self.fits(there)).min_by_key(away)
    }

    /// Makes the landmarks of the present map, if it has landmarks, or makes tables anew that edits broke. All
    /// of them at once: the figures on the screen are to depend on the map, not on the edits before.
    pub(crate) fn make_landmarks(&mut self) {
        const LANDMARKS: LandmarkCount = LandmarkCount::Exactly(4);
        let status = self.finder.make_landmarks(MovementId::FIRST, LANDMARKS);
        debug_assert!(status.is_ok(), "every finder has a first movement");
    }

    /// Applies the rules of the settings.
    pub(crate) fn follow_rules(&mut self, settings: Settings) {
        let known = self.finder.set_movement(MovementId::FIRST, movement(settings));
        debug_assert!(known.is_ok(), "every finder has a first movement");
        self.proposal.clear();
        self.settle();
    }
}

/// A reason why a unit cannot stand on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A cell that is not on the map.
    Outside(Cell),
    Wall(Cell),
    /// The unit would stand across the fence between two cells.
    Fence(Cell, Cell),
}

fn movement(settings: Settings) -> Movement {
    let unit = Unit::new(settings.unit).unwrap_or_default();
    Movement::new().with_diagonals(settings.diagonals).with_size(unit).with_overlay(DANGER)
}

/// Returns the distance of two cells in columns plus rows.
fn apart(a: Cell, b: Cell) -> u32 {
    a.x.abs_diff(b.x) + a.y.abs_diff(b.y)
}

#[cfg(test)]
mod tests;
