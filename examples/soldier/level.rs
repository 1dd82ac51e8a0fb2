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
use serde::{Deserialize, Serialize};

use tilepath_examples::{
    ground::Ground,
    ground_plan::{GroundPlan, PictureError},
    tiles::{TILE, centre_of},
};

use crate::units::Unit;

const RIVERSIDE: &str = include_str!("../../assets/maps/riverside.txt");

/// A thing that stands on the ground and blocks it.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Returns the size of the area that it blocks, in world units.
    pub(crate) fn size(self) -> Vec2 {
        if self.is_cottage() { Vec2::new(3.0, 2.0) * TILE } else { Vec2::splat(TILE) }
    }

    /// Returns the area that it blocks in the world if its middle is there.
    pub(crate) fn area(self, middle: Vec2) -> Rect {
        Rect::from_center_size(middle, self.size())
    }

    /// Returns the ground that its picture hides: the row behind it, as wide as the thing.
    pub(crate) fn hidden(self, middle: Vec2) -> Rect {
        let area = self.area(middle);
        // A bush is too low to hide anything.
        let deep = if self == Self::Bush { 0.0 } else { TILE };
        Rect::from_corners(Vec2::new(area.min.x, area.max.y), area.max + Vec2::Y * deep)
    }

    /// Returns the name for a player.
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

    /// Returns the place of its middle if its letter is on `cell`.
    pub(crate) fn centre(self, cell: Cell) -> Vec2 {
        let above_door = if self.is_cottage() { Vec2::new(0.0, TILE / 2.0) } else { Vec2::ZERO };
        centre_of(cell) + above_door
    }
}

/// A level: its ground and the things on it.
#[derive(Resource, Debug, Clone, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) plan: GroundPlan,
    pub(crate) bridges: Vec<Cell>,
    pub(crate) scenery: Vec<(Cell, Scenery)>,
    /// The units, and the lower left cell of each.
    pub(crate) units: Vec<(Unit, Cell)>,
}

impl Level {
    /// Returns the level of this example.
    pub(crate) fn riverside() -> Self {
        Self::parse(RIVERSIDE).expect("the level is part of the program and a test reads it")
    }

    /// Reads a level.
    pub(crate) fn parse(text: &str) -> Result<Self, LevelError> {
        let (mut bridges, mut things, mut units) = (Vec::new(), Vec::new(), Vec::new());
        let plan = GroundPlan::read(text, |letter, cell| {
            let mut unit = |unit, ground| {
                units.push((unit, cell));
                ground
            };
            Some(match letter {
                'S' => unit(Unit::Soldier, Ground::Road),
                'W' => unit(Unit::Wagon, Ground::Grass),
                'O' => unit(Unit::Boat, Ground::Water),
                'B' => {
                    bridges.push(cell);
                    Ground::Water
                }
                _ => match scenery(letter) {
                    Some(thing) => {
                        things.push((cell, thing));
                        Ground::Grass
                    }
                    None => Ground::of_letter(letter)?,
                },
            })
        })?;
        let soldiers = units.iter().filter(|(unit, _)| *unit == Unit::Soldier).count();
        if soldiers != 1 {
            return Err(LevelError::Starts { found: soldiers });
        }
        Ok(Self { plan, bridges, scenery: things, units })
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

/// The reason why a level could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LevelError {
    Picture(PictureError),
    Starts { found: usize },
}

impl From<PictureError> for LevelError {
    fn from(error: PictureError) -> Self {
        Self::Picture(error)
    }
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(error) => error.fmt(f),
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
        assert_eq!((level.plan.width, level.plan.height), (40, 24));
        let [grass, road, water] = [Ground::Grass, Ground::Road, Ground::Water].map(Some);
        let stands_on: Vec<_> =
            level.units.iter().map(|&(unit, cell)| (unit, level.plan.ground(cell))).collect();
        assert_eq!(stands_on, [(Unit::Boat, water), (Unit::Soldier, road), (Unit::Wagon, grass)]);
        assert!(level.bridges.iter().all(|&cell| level.plan.ground(cell) == Some(Ground::Water)));
        assert_eq!(level.bridges.len(), 14);
    }

    #[test]
    fn each_letter_puts_something_there() {
        let level = Level::parse("~T\nS.").unwrap();
        assert_eq!(level.units, [(Unit::Soldier, Cell::new(0, 0))]);
        assert_eq!(level.scenery, [(Cell::new(1, 1), Scenery::Oak)]);
    }

    #[test]
    fn exactly_one_soldier_is_needed() {
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
