//! The map under test as plain data, for the oracles and for drawing.

use std::fmt;

use rand::{Rng, seq::IndexedRandom};
use testkit::{DIRECTIONS, DiagonalRule, Land, Rules, Unit};
use tilepath::{
    Cell, CostTable, Diagonals, Direction, Edit, Exits, Grid, GridError, Movement, PathFinder, Size,
    StepCosts, Topology,
};

use crate::{draw, land, led};

/// The kind of maps and units of a run.
#[derive(Clone, Copy)]
pub(crate) struct Scene {
    /// True if all units move in four directions over ground of one cost.
    pub(crate) has_four_ways: bool,
    /// True if landmarks are made on every map.
    pub(crate) has_landmarks: bool,
}

/// A map and the kinds of units on it, as plain data.
pub(crate) struct World {
    pub(crate) land: Land,
    /// True if the map has only classes, and only units of one cell.
    pub(crate) is_plain: bool,
    pub(crate) scene: Scene,
    pub(crate) origin: Cell,
    pub(crate) units: Vec<Unit>,
    /// The number of edits of the map so far.
    pub(crate) edit_count: usize,
}

impl World {
    pub(crate) fn draw(generator: &mut impl Rng, scene: Scene) -> Self {
        let is_plain = generator.random();
        let mut land = || match is_plain {
            _ if scene.has_landmarks => led::land(generator, is_plain),
            true => Land::from(draw::map(generator)),
            false => land::land(generator),
        };
        let mut drawn = land();
        while scene.has_four_ways && drawn.is_hexagonal {
            drawn = land();
        }
        let mut world =
            Self { land: drawn, is_plain, scene, origin: Cell::default(), units: Vec::new(), edit_count: 0 };
        world.units = (0..generator.random_range(1..=3)).map(|_| world.draw_unit(generator)).collect();
        let far = Cell::new(i32::MIN, i32::MAX - 200);
        let near = Cell::new(generator.random_range(-99..=99), generator.random_range(-99..=99));
        world.origin = *[Cell::new(0, 0), near, near, far].choose(generator).expect("there are origins");
        world
    }

    /// Draws a unit for this map.
    pub(crate) fn draw_unit(&self, generator: &mut impl Rng) -> Unit {
        let rules = if self.scene.has_four_ways {
            draw::rules_of_four_ways(generator)
        } else {
            draw::rules(generator)
        };
        if self.is_plain { Unit::from(rules) } else { land::unit(generator, &self.land, rules) }
    }

    pub(crate) fn cell(&self, (x, y): (i32, i32)) -> Cell {
        Cell::new(self.origin.x + x, self.origin.y + y)
    }

    pub(crate) fn position(&self, cell: Cell) -> (i32, i32) {
        (cell.x - self.origin.x, cell.y - self.origin.y)
    }

    pub(crate) fn slot(&self, cell: Cell) -> usize {
        self.land.map.slot(self.position(cell))
    }

    /// Returns a fresh finder with this map and its first unit.
    ///
    /// # Panics
    /// If the map is too large, which drawn maps never are.
    pub(crate) fn finder(&self) -> PathFinder {
        PathFinder::new(self.grid().expect("the map is small"), movement(&self.units[0]))
    }

    /// Returns the map in the library's form.
    pub(crate) fn grid(&self) -> Result<Grid, GridError> {
        let Land { map, is_hexagonal, void, exits, overlays } = &self.land;
        let topology = if *is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone())?;
        let mut grid = grid.with_topology(topology).with_origin(self.origin)?;
        for slot in 0..void.len() {
            let position = map.position(slot);
            let cell = self.cell(position);
            if void[slot] {
                grid.edit(&[Edit::void(cell)])?;
            }
            if exits[slot] == 0 {
                // `Edit::exits` cannot close the last exit, but `Edit::one_way` from a neighbour
                // can.
                let offset = |&number: &usize| DIRECTIONS[number];
                let neighbour = |(dx, dy)| (position.0 + dx, position.1 + dy);
                let mut numbers = self.land.directions().iter();
                let number = numbers.find(|number| map.contains(neighbour(offset(number))));
                let direction = Direction::ALL[*number.expect("it was closed towards a neighbour")];
                let last = Edit::exits(cell, Exits::NONE.with(direction));
                grid.edit(&[last, Edit::one_way(cell + direction.offset(), cell)])?;
            } else if exits[slot] != 255 {
                grid.edit(&[Edit::exits(cell, Exits::from_bits(exits[slot]))])?;
            }
        }
        for (name, values) in overlays {
            let named = values.iter().enumerate().filter(|(_, value)| **value != 0);
            let named = named.map(|(slot, &value)| (self.cell(map.position(slot)), value as u16));
            grid.set_overlay(name, named.collect::<Vec<_>>())?;
        }
        Ok(grid)
    }
}

/// Returns the library's movement for the oracle's rules.
pub(crate) fn movement(Unit { rules, size, overlays }: &Unit) -> Movement {
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
    let size = Size::new(*size as u8).expect("the size is valid");
    let movement =
        Movement::new().with_costs(costs).with_diagonals(diagonals).with_steps(steps).with_size(size);
    overlays.iter().fold(movement, Movement::with_overlay)
}

/// Draws the map: each digit is a class, 0 to 9, the top row first.
impl fmt::Display for World {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { land, origin, units, edit_count, .. } = self;
        let Land { map, is_hexagonal, void, exits, overlays } = land;
        let (name, width, height) = (&map.name, map.width, map.height);
        let shape = if *is_hexagonal { "hexagons" } else { "cells" };
        writeln!(formatter, "{name}, {width} × {height} {shape} from {origin} after {edit_count} edits")?;
        for (number, Unit { rules, size, overlays }) in units.iter().enumerate() {
            let Rules { diagonals, straight, diagonal, multipliers } = rules;
            write!(formatter, "unit {number}: size {size}, {diagonals:?}, steps {straight}/{diagonal}, ")?;
            writeln!(formatter, "{overlays:?}, classes 0 to 9 cost {:?}", &multipliers[..10])?;
        }
        for (row, void) in map.classes.chunks(width as usize).zip(void.chunks(width as usize)).rev() {
            let sign = |(class, is_void): (&u8, &bool)| if *is_void { 'v' } else { char::from(b'0' + class) };
            writeln!(formatter, "{}", row.iter().zip(void).map(sign).collect::<String>())?;
        }
        for (slot, bits) in exits.iter().enumerate().filter(|(_, bits)| **bits != 255) {
            writeln!(formatter, "{:?} has exits {bits:#010b}", map.position(slot))?;
        }
        for (name, values) in overlays {
            for (slot, value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
                writeln!(formatter, "{:?} has {name} {value}", map.position(slot))?;
            }
        }
        Ok(())
    }
}
