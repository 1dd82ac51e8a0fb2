//! The level, read from a picture made of letters.
//!
//! | letter | means |
//! |---|---|
//! | `.` `=` `,` `~` `#` | grass, road, mud, water, rock |
//! | `G` | the gate, on the road |
//! | `s` `t` `O` | a soldier, an archer, a boat |
//! | `W` | the lower left cell of a wagon |
//! | `T` `A` `P` `b` `w` | oak, autumn oak, fir, bush, well: each blocks its cell |
//! | `H` `h` | the door of a cottage with a red or a blue roof: it blocks 3 x 2 cells, door at the bottom middle |

use std::fmt;

use bevy::prelude::*;
use bevy_tilepath::Cell;
use tilepath_examples::{ground::Ground, tiles::TILE, town::Kind};

use crate::units::Unit;

const GARRISON: &str = include_str!("../../assets/maps/garrison.txt");

/// The centre of a cell in the world.
pub(crate) fn centre_of(cell: Cell) -> Vec2 {
    (IVec2::new(cell.x, cell.y).as_vec2() + 0.5) * TILE
}

/// A level: its ground and what stands on it.
#[derive(Resource, Debug, Clone, PartialEq)]
pub(crate) struct Level {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Row by row from the bottom.
    ground: Vec<Ground>,
    /// The cells of the gate.
    pub(crate) gate: Vec<Cell>,
    pub(crate) scenery: Vec<(Cell, Kind)>,
    /// Who is there, and the lower left cell of each.
    pub(crate) units: Vec<(Unit, Cell)>,
}

impl Level {
    /// The level of this example.
    pub(crate) fn garrison() -> Self {
        Self::parse(GARRISON).expect("the level is part of the program and a test reads it")
    }

    /// Reads a level.
    pub(crate) fn parse(text: &str) -> Result<Self, LevelError> {
        let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut level = Self {
            width: width as u32,
            height: rows.len() as u32,
            ground: vec![Ground::Grass; width * rows.len()],
            gate: Vec::new(),
            scenery: Vec::new(),
            units: Vec::new(),
        };
        for (row, line) in rows.iter().enumerate() {
            if line.chars().count() != width {
                return Err(LevelError::Ragged { row });
            }
            let y = rows.len() - 1 - row;
            for (column, letter) in line.chars().enumerate() {
                let cell = Cell::new(column as i32, y as i32);
                level.ground[y * width + column] =
                    level.take(letter, cell).ok_or(LevelError::UnknownLetter { letter, row, column })?;
            }
        }
        Ok(level)
    }

    /// Notes what stands on a cell; the ground there.
    fn take(&mut self, letter: char, cell: Cell) -> Option<Ground> {
        let mut unit = |unit, ground| {
            self.units.push((unit, cell));
            ground
        };
        Some(match letter {
            '.' => Ground::Grass,
            '=' => Ground::Road,
            ',' => Ground::Mud,
            '~' => Ground::Water,
            '#' => Ground::Rock,
            's' => unit(Unit::Soldier, Ground::Grass),
            't' => unit(Unit::Archer, Ground::Grass),
            'W' => unit(Unit::Wagon, Ground::Grass),
            'O' => unit(Unit::Boat, Ground::Water),
            'G' => {
                self.gate.push(cell);
                Ground::Road
            }
            _ => {
                self.scenery.push((cell, scenery(letter)?));
                Ground::Grass
            }
        })
    }

    /// The ground of a cell; beyond the edge it goes on as at the edge.
    pub(crate) fn ground(&self, cell: Cell) -> Ground {
        let x = cell.x.clamp(0, self.width as i32 - 1) as usize;
        let y = cell.y.clamp(0, self.height as i32 - 1) as usize;
        self.ground[y * self.width as usize + x]
    }

    /// The rectangle of the level in the world.
    pub(crate) fn area(&self) -> Rect {
        Rect::from_corners(Vec2::ZERO, UVec2::new(self.width, self.height).as_vec2() * TILE)
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let width = self.width as i32;
        (0..self.height as i32).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// The rectangle of the gate in the world.
    pub(crate) fn gateway(&self) -> Rect {
        let cells = self.gate.iter().map(|&cell| Rect::from_center_size(centre_of(cell), Vec2::splat(TILE)));
        cells.reduce(|whole, cell| whole.union(cell)).unwrap_or_default()
    }
}

fn scenery(letter: char) -> Option<Kind> {
    Some(match letter {
        'T' => Kind::Oak,
        'A' => Kind::AutumnOak,
        'P' => Kind::Fir,
        'b' => Kind::Bush,
        'w' => Kind::Well,
        'H' => Kind::RedCottage,
        'h' => Kind::BlueCottage,
        _ => return None,
    })
}

/// Cells that a thing covers, and where its middle is when its letter stands on a cell, in the world.
pub(crate) fn covered(kind: Kind, cell: Cell) -> Rect {
    let middle = centre_of(cell);
    if matches!(kind, Kind::RedCottage | Kind::BlueCottage) {
        Rect::from_center_size(middle + Vec2::Y * TILE / 2.0, Vec2::new(3.0, 2.0) * TILE)
    } else {
        Rect::from_center_size(middle, Vec2::splat(TILE))
    }
}

/// Why a level could not be read. Rows and columns count from 0 at the top left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LevelError {
    Ragged { row: usize },
    UnknownLetter { letter: char, row: usize, column: usize },
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ragged { row } => write!(f, "row {row} is not as long as the first one"),
            Self::UnknownLetter { letter, row, column } => {
                write!(f, "row {row}, column {column}: nothing is drawn as {letter:?}")
            }
        }
    }
}

impl std::error::Error for LevelError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_garrison_is_a_level_of_40_by_24_with_twenty_two_units_and_a_gate() {
        let level = Level::garrison();
        assert_eq!((level.width, level.height, level.units.len(), level.gate.len()), (40, 24, 22, 4));
        assert_eq!(level.gateway().size(), Vec2::splat(2.0 * TILE));
        for &(unit, cell) in &level.units {
            let water = level.ground(cell) == Ground::Water;
            assert_eq!(water, unit == Unit::Boat, "{unit:?} at {cell}");
        }
    }

    #[test]
    fn faults_are_named_with_their_place() {
        assert_eq!(Level::parse("s..\n..").unwrap_err(), LevelError::Ragged { row: 1 });
        assert_eq!(Level::parse("s.?").unwrap_err().to_string(), "row 0, column 2: nothing is drawn as '?'");
    }
}
