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

use bevy::prelude::*;
use bevy_tilepath::Cell;
use tilepath_examples::{
    ground::Ground,
    ground_plan::{GroundPlan, PictureError},
    tiles::{TILE, centre_of},
    town::Kind,
};

use crate::units::Unit;

const GARRISON: &str = include_str!("../../assets/maps/garrison.txt");

/// A level: its ground and the things on it.
#[derive(Resource, Debug, Clone, PartialEq)]
pub(crate) struct Level {
    pub(crate) plan: GroundPlan,
    /// The cells of the gate.
    pub(crate) gate: Vec<Cell>,
    pub(crate) scenery: Vec<(Cell, Kind)>,
    /// The units, and the lower left cell of each.
    pub(crate) units: Vec<(Unit, Cell)>,
}

impl Level {
    /// Returns the level of this example.
    pub(crate) fn garrison() -> Self {
        Self::parse(GARRISON).expect("the level is part of the program and a test reads it")
    }

    /// Reads a level.
    pub(crate) fn parse(text: &str) -> Result<Self, PictureError> {
        let (mut gate, mut things, mut units) = (Vec::new(), Vec::new(), Vec::new());
        let plan = GroundPlan::read(text, |letter, cell| {
            let mut unit = |unit, ground| {
                units.push((unit, cell));
                ground
            };
            Some(match letter {
                's' => unit(Unit::Soldier, Ground::Grass),
                't' => unit(Unit::Archer, Ground::Grass),
                'W' => unit(Unit::Wagon, Ground::Grass),
                'O' => unit(Unit::Boat, Ground::Water),
                'G' => {
                    gate.push(cell);
                    Ground::Road
                }
                _ => match Kind::of_letter(letter) {
                    Some(thing) => {
                        things.push((cell, thing));
                        Ground::Grass
                    }
                    None => Ground::of_letter(letter)?,
                },
            })
        })?;
        Ok(Self { plan, gate, scenery: things, units })
    }

    /// Returns the rectangle of the gate in the world.
    pub(crate) fn gateway(&self) -> Rect {
        let cells = self.gate.iter().map(|&cell| Rect::from_center_size(centre_of(cell), Vec2::splat(TILE)));
        cells.reduce(|whole, cell| whole.union(cell)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_garrison_is_a_level_of_40_by_24_with_twenty_two_units_and_a_gate() {
        let level = Level::garrison();
        assert_eq!(
            (level.plan.width, level.plan.height, level.units.len(), level.gate.len()),
            (40, 24, 22, 4)
        );
        assert_eq!(level.gateway().size(), Vec2::splat(2.0 * TILE));
        for &(unit, cell) in &level.units {
            let water = level.plan.ground(cell) == Some(Ground::Water);
            assert_eq!(water, unit == Unit::Boat, "{unit:?} at {cell}");
        }
    }
}
