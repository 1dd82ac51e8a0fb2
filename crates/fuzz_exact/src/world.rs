//! The map under test in a second form, which the oracles read and which can be drawn.

use std::fmt;

use rand::{Rng, seq::IndexedRandom};
use testkit::{DiagonalRule, Rules, TileMap};
use tilepath::{Cell, CostTable, Diagonals, Grid, Movement, PathFinder, StepCosts};

use crate::draw;

/// A map and the kinds of units on it, as plain data.
pub(crate) struct World {
    pub(crate) map: TileMap,
    pub(crate) origin: Cell,
    pub(crate) units: Vec<Rules>,
    /// How many edits the map has seen.
    pub(crate) edit_count: usize,
}

impl World {
    pub(crate) fn draw(generator: &mut impl Rng) -> Self {
        let map = draw::map(generator);
        let units = (0..generator.random_range(1..=3)).map(|_| draw::rules(generator)).collect();
        let far = Cell::new(i32::MIN, i32::MAX - 200);
        let near = Cell::new(generator.random_range(-99..=99), generator.random_range(-99..=99));
        let origin = *[Cell::new(0, 0), near, near, far].choose(generator).expect("there are origins");
        Self { map, origin, units, edit_count: 0 }
    }

    pub(crate) fn cell(&self, (x, y): (i32, i32)) -> Cell {
        Cell::new(self.origin.x + x, self.origin.y + y)
    }

    pub(crate) fn position(&self, cell: Cell) -> (i32, i32) {
        (cell.x - self.origin.x, cell.y - self.origin.y)
    }

    pub(crate) fn slot(&self, cell: Cell) -> usize {
        self.map.slot(self.position(cell))
    }

    /// A finder that has never seen another map, with this world's units in their order.
    ///
    /// # Panics
    /// Never for the maps drawn here: they are small.
    pub(crate) fn finder(&self) -> PathFinder {
        let grid = Grid::from_classes(self.map.width, self.map.height, self.map.classes.clone());
        let grid = grid.and_then(|grid| grid.with_origin(self.origin)).expect("the map is small");
        PathFinder::new(grid, movement(&self.units[0]))
    }
}

/// The movement of the core by the oracle's rules.
pub(crate) fn movement(rules: &Rules) -> Movement {
    let mut costs = CostTable::impassable();
    for class in 0..=u8::MAX {
        costs = costs.with(class, rules.multipliers[usize::from(class)] as u16);
    }
    let steps = StepCosts::new(rules.straight as u16, rules.diagonal as u16).expect("the steps are valid");
    let diagonals = match rules.diagonals {
        DiagonalRule::Never => Diagonals::Never,
        DiagonalRule::OnlyWhenNoObstacles => Diagonals::OnlyWhenNoObstacles,
        DiagonalRule::IfAtMostOneObstacle => Diagonals::IfAtMostOneObstacle,
        DiagonalRule::Always => Diagonals::Always,
    };
    Movement::new().with_costs(costs).with_diagonals(diagonals).with_steps(steps)
}

/// A picture: each digit is a class, 0 to 9, the top row first.
impl fmt::Display for World {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { map, origin, units, edit_count } = self;
        let (name, width, height) = (&map.name, map.width, map.height);
        writeln!(formatter, "{name}, {width} × {height} cells from {origin} after {edit_count} edits")?;
        for (number, rules) in units.iter().enumerate() {
            let Rules { diagonals, straight, diagonal, multipliers } = rules;
            write!(formatter, "unit {number}: {diagonals:?}, steps {straight}/{diagonal}, ")?;
            writeln!(formatter, "classes 0 to 9 cost {:?}", &multipliers[..10])?;
        }
        for row in map.classes.chunks(map.width as usize).rev() {
            let row: String = row.iter().map(|class| char::from(b'0' + class)).collect();
            writeln!(formatter, "{row}")?;
        }
        Ok(())
    }
}
