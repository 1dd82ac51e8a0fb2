//! The grid: terrain, start and goal.

use std::collections::BTreeSet;

use rand::Rng;
use testkit::Seed;
use tilepath::{Cell, Edit, Grid, Movement, PathFinder, Size as Unit};
use tilepath_examples::map_file::MarkedMap;

use crate::{
    brush::{DANGER, next_danger},
    edges::{self, Crossing},
    maps,
    settings::{Brush, Settings},
    shape::Shape,
};

/// A new random pair is at least so far apart: columns plus rows.
const APART: u32 = 10;

/// The grid with the two ends of the query, and the route that is proposed.
pub(crate) struct Field {
    pub(crate) finder: PathFinder,
    pub(crate) start: Cell,
    pub(crate) goal: Cell,
    /// Empty where nothing is proposed.
    pub(crate) proposal: Vec<Cell>,
    /// Where friends stand, whom the unit may pass; there it may not stop at the end of a turn.
    pub(crate) friends: BTreeSet<Cell>,
    /// The map of --map.
    pub(crate) given: Option<MarkedMap>,
    /// Counts what was drawn by lot, so that the same keys give the same maps.
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

    /// Another grid as the settings say, and another pair on it.
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

    /// How many cells the unit covers.
    pub(crate) fn unit(&self) -> Unit {
        self.finder.movements().next().map_or(Unit::ONE, Movement::size)
    }

    /// Where the cells lie.
    pub(crate) fn shape(&self) -> Shape {
        Shape::of(self.finder.grid(), self.unit())
    }

    /// Puts the ends where the command line wants them.
    ///
    /// # Errors
    /// Names the cell that is not on the map.
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

    /// A new random pair of open cells, at least ten steps apart where there is such a pair.
    pub(crate) fn draw_pair(&mut self) {
        self.proposal.clear();
        let grid = self.finder.grid();
        let open: Vec<Cell> = grid.bounds().cells().filter(|&cell| self.fits(cell)).collect();
        let mut generator = self.seed().generator();
        // From the middle of a small map some cells have no partner: a few tries find one that has.
        for _ in 0..200 {
            let Some(&start) = open.get(generator.random_range(0..open.len().max(1))) else { break };
            let far: Vec<Cell> = open.iter().copied().filter(|&goal| apart(start, goal) >= APART).collect();
            if !far.is_empty() {
                (self.start, self.goal) = (start, far[generator.random_range(0..far.len())]);
                return;
            }
        }
        // A map too small, or too full of walls: the open cells that lie furthest apart in its own order.
        let corner = Cell::new(0, 0);
        self.start = open.first().copied().unwrap_or(corner);
        self.goal = open.last().copied().unwrap_or(corner);
    }

    /// Takes every wall, all terrain, danger, every closed edge and all friends away.
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
        let movement = self.finder.movements().next().cloned().unwrap_or_default();
        self.finder = PathFinder::new(open, movement);
    }

    /// Changes the ground; says whether that made a difference. Start and goal are never walled in.
    pub(crate) fn set(&mut self, cell: Cell, class: u8) -> bool {
        if !self.finder.grid().contains(cell) || class == 0 && self.end_at(cell).is_some() {
            return false;
        }
        self.finder.set_terrain(cell, class).unwrap_or(false)
    }

    /// Changes the danger of a cell; says whether that made a difference.
    pub(crate) fn endanger(&mut self, cell: Cell, danger: u16) -> bool {
        self.finder.grid().contains(cell)
            && self.finder.set_overlay(DANGER, [(cell, danger)]).is_ok_and(|changed| changed > 0)
    }

    pub(crate) fn danger(&self, cell: Cell) -> u16 {
        self.finder.grid().overlay(DANGER, cell)
    }

    /// What a stroke of danger that begins at a cell leaves.
    pub(crate) fn stroke_danger(&self, cell: Cell) -> u16 {
        next_danger(self.danger(cell))
    }

    /// A friend comes to stand on a cell of the map, or goes; says whether that made a difference.
    pub(crate) fn befriend(&mut self, cell: Cell, stands: bool) -> bool {
        if stands {
            self.finder.grid().contains(cell) && self.friends.insert(cell)
        } else {
            self.friends.remove(&cell)
        }
    }

    /// Whether a stroke that begins at a cell leaves friends, or takes them away.
    pub(crate) fn stroke_friend(&self, cell: Cell) -> bool {
        !self.friends.contains(&cell)
    }

    /// The brush crosses an edge; says whether that made a difference.
    pub(crate) fn turn_edge(&mut self, from: Cell, to: Cell) -> bool {
        edges::turn(&mut self.finder, from, to)
    }

    /// What a stroke of the brush that begins at a cell leaves: the brush's ground, or plain ground where that is already
    /// there. So a click on a wall takes it away.
    pub(crate) fn stroke_class(&self, brush: Brush, cell: Cell) -> Option<u8> {
        let class = brush.class()?;
        Some(if self.finder.grid().terrain(cell) == Some(class) { 1 } else { class })
    }

    /// Puts the start somewhere else; only where the unit fits, and not onto the goal.
    pub(crate) fn move_start(&mut self, cell: Cell) -> bool {
        let may = cell != self.goal && cell != self.start && self.fits(cell);
        if may {
            self.start = cell;
            self.proposal.clear();
        }
        may
    }

    /// Puts the goal somewhere else; only where the unit fits, and not onto the start.
    pub(crate) fn move_goal(&mut self, cell: Cell) -> bool {
        let may = cell != self.start && cell != self.goal && self.fits(cell);
        if may {
            self.goal = cell;
            self.proposal.clear();
        }
        may
    }

    /// The end whose unit covers a cell: its own cell. The start if both do.
    pub(crate) fn end_at(&self, cell: Cell) -> Option<Cell> {
        let covers = |end: &Cell| self.unit().footprint(*end).any(|covered| covered == cell);
        [self.start, self.goal].into_iter().find(covers)
    }

    /// Whether the unit can stand there.
    pub(crate) fn fits(&self, anchor: Cell) -> bool {
        self.obstacle(anchor).is_none()
    }

    /// What is in the way of a unit that would stand there.
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

    /// Moves ends where the unit does not fit to the nearest cell where it does, if there is one.
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

    /// Lets the rules follow the settings.
    pub(crate) fn follow_rules(&mut self, settings: Settings) {
        let known = self.finder.set_movement(tilepath::MovementId::FIRST, movement(settings));
        debug_assert!(known.is_ok(), "every finder has a first movement");
        self.proposal.clear();
        self.settle();
    }
}

/// What is in the way of a unit.
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

/// Columns plus rows between two cells.
fn apart(a: Cell, b: Cell) -> u32 {
    a.x.abs_diff(b.x) + a.y.abs_diff(b.y)
}

#[cfg(test)]
mod tests;
