//! The level, read from a picture made of letters.
//!
//! | letter | means |
//! |---|---|
//! | `.` `=` `,` `~` `#` | grass, road, mud, water, rock |
//! | `B` | a bridge over water |
//! | `S` | the soldier, on the road |
//! | `W` | the lower left cell of the wagon, on grass |
//! | `O` | the boat, on water |
//! | `T` `A` `P` `b` `w` | oak, autumn oak, fir, bush, well: each blocks its cell |
//! | `H` `h` | the door of a cottage with a red or a blue roof: it blocks 3 x 2 cells, door at the bottom middle |

use std::fmt;

use bevy::prelude::*;
use bevy_tilepath::Cell;

use tilepath_examples::ground::Ground;

use crate::units::Unit;

pub(crate) use tilepath_examples::tiles::TILE;

const RIVERSIDE: &str = include_str!("../../assets/maps/riverside.txt");

/// Something that stands on the ground and blocks it.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scenery {
    Oak,
    AutumnOak,
    Fir,
    Bush,
    Well,
    RedCottage,
    BlueCottage,
}

impl Scenery {
    /// The area it blocks, in world units.
    pub(crate) fn size(self) -> Vec2 {
        if self.is_cottage() { Vec2::new(3.0, 2.0) * TILE } else { Vec2::splat(TILE) }
    }

    /// The area that it blocks when its middle is there, in the world.
    pub(crate) fn area(self, middle: Vec2) -> Rect {
        Rect::from_center_size(middle, self.size())
    }

    /// The ground behind it that its picture hides: as wide as itself, and a row deep.
    pub(crate) fn hidden(self, middle: Vec2) -> Rect {
        let area = self.area(middle);
        // A bush is too low to hide anything.
        let deep = if self == Self::Bush { 0.0 } else { TILE };
        Rect::from_corners(Vec2::new(area.min.x, area.max.y), area.max + Vec2::Y * deep)
    }

    /// What a player calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Oak | Self::AutumnOak => "oak",
            Self::Fir => "fir",
            Self::Bush => "bush",
            Self::Well => "well",
            Self::RedCottage | Self::BlueCottage => "cottage",
        }
    }

    pub(crate) const fn is_cottage(self) -> bool {
        matches!(self, Self::RedCottage | Self::BlueCottage)
    }

    /// Where its middle is when its letter stands on `cell`.
    pub(crate) fn centre(self, cell: Cell) -> Vec2 {
        let above_door = if self.is_cottage() { Vec2::new(0.0, TILE / 2.0) } else { Vec2::ZERO };
        centre_of(cell) + above_door
    }
}

/// The centre of a cell in the world.
pub(crate) fn centre_of(cell: Cell) -> Vec2 {
    (IVec2::new(cell.x, cell.y).as_vec2() + 0.5) * TILE
}

/// A level: its ground and what stands on it.
#[derive(Resource, Debug, Clone, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Row by row from the bottom.
    ground: Vec<Ground>,
    pub(crate) bridges: Vec<Cell>,
    pub(crate) scenery: Vec<(Cell, Scenery)>,
    /// Who is there, and the lower left cell of each.
    pub(crate) units: Vec<(Unit, Cell)>,
}

impl Level {
    /// The level of this example.
    pub(crate) fn riverside() -> Self {
        Self::parse(RIVERSIDE).expect("the level is part of the program and a test reads it")
    }

    /// Reads a level.
    pub(crate) fn parse(text: &str) -> Result<Self, LevelError> {
        let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut level = Self {
            width: width as u32,
            height: rows.len() as u32,
            ground: vec![Ground::Grass; width * rows.len()],
            bridges: Vec::new(),
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
                let mut ground = Ground::Grass;
                match letter {
                    '.' => {}
                    '=' => ground = Ground::Road,
                    ',' => ground = Ground::Mud,
                    '~' => ground = Ground::Water,
                    '#' => ground = Ground::Rock,
                    'B' => {
                        ground = Ground::Water;
                        level.bridges.push(cell);
                    }
                    'S' => {
                        ground = Ground::Road;
                        level.units.push((Unit::Soldier, cell));
                    }
                    'W' => level.units.push((Unit::Wagon, cell)),
                    'O' => {
                        ground = Ground::Water;
                        level.units.push((Unit::Boat, cell));
                    }
                    _ => {
                        let thing =
                            scenery(letter).ok_or(LevelError::UnknownLetter { letter, row, column })?;
                        level.scenery.push((cell, thing));
                    }
                }
                level.ground[y * width + column] = ground;
            }
        }
        let soldiers = level.units.iter().filter(|(unit, _)| *unit == Unit::Soldier).count();
        if soldiers == 1 { Ok(level) } else { Err(LevelError::Starts { found: soldiers }) }
    }

    /// The ground of a cell, `None` off the level.
    pub(crate) fn ground(&self, cell: Cell) -> Option<Ground> {
        let inside = (0..self.width as i32).contains(&cell.x) && (0..self.height as i32).contains(&cell.y);
        inside.then(|| self.ground[cell.y as usize * self.width as usize + cell.x as usize])
    }

    /// The rectangle of the level in the world.
    pub(crate) fn area(&self) -> Rect {
        Rect::from_corners(Vec2::ZERO, UVec2::new(self.width, self.height).as_vec2() * TILE)
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> {
        let width = self.width as i32;
        (0..self.height as i32).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }
}

fn scenery(letter: char) -> Option<Scenery> {
    Some(match letter {
        'T' => Scenery::Oak,
        'A' => Scenery::AutumnOak,
        'P' => Scenery::Fir,
        'b' => Scenery::Bush,
        'w' => Scenery::Well,
        'H' => Scenery::RedCottage,
        'h' => Scenery::BlueCottage,
        _ => return None,
    })
}

/// Why a level could not be read. Rows and columns count from 0 at the top left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LevelError {
    Ragged { row: usize },
    UnknownLetter { letter: char, row: usize, column: usize },
    Starts { found: usize },
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ragged { row } => write!(f, "row {row} is not as long as the first one"),
            Self::UnknownLetter { letter, row, column } => {
                write!(f, "row {row}, column {column}: nothing is drawn as {letter:?}")
            }
            Self::Starts { found } => write!(f, "exactly one S is needed, there are {found}"),
        }
    }
}

impl std::error::Error for LevelError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn riverside_is_a_level_of_40_by_24() {
        let level = Level::riverside();
        assert_eq!((level.width, level.height), (40, 24));
        let [grass, road, water] = [Ground::Grass, Ground::Road, Ground::Water].map(Some);
        let stands_on: Vec<_> = level.units.iter().map(|&(unit, cell)| (unit, level.ground(cell))).collect();
        assert_eq!(stands_on, [(Unit::Boat, water), (Unit::Soldier, road), (Unit::Wagon, grass)]);
        assert!(level.bridges.iter().all(|&cell| level.ground(cell) == Some(Ground::Water)));
        assert_eq!(level.bridges.len(), 14);
    }

    #[test]
    fn the_first_row_is_the_top() {
        let level = Level::parse("~T\nS.").unwrap();
        assert_eq!(level.units, [(Unit::Soldier, Cell::new(0, 0))]);
        assert_eq!(level.ground(Cell::new(0, 1)), Some(Ground::Water));
        assert_eq!(level.scenery, [(Cell::new(1, 1), Scenery::Oak)]);
        assert_eq!(level.ground(Cell::new(0, 2)), None);
        assert_eq!(level.ground(Cell::new(-1, 0)), None);
    }

    #[test]
    fn faults_are_named_with_their_place() {
        assert_eq!(Level::parse("S..\n..").unwrap_err(), LevelError::Ragged { row: 1 });
        assert_eq!(Level::parse("S.?").unwrap_err().to_string(), "row 0, column 2: nothing is drawn as '?'");
        assert_eq!(Level::parse("...").unwrap_err(), LevelError::Starts { found: 0 });
        assert_eq!(Level::parse("S.S").unwrap_err(), LevelError::Starts { found: 2 });
    }

    #[test]
    fn a_cottage_stands_above_its_door() {
        assert_eq!(Scenery::RedCottage.centre(Cell::new(1, 0)), Vec2::new(24.0, 16.0));
        assert_eq!(Scenery::Oak.centre(Cell::new(1, 0)), Vec2::new(24.0, 8.0));
    }
}
