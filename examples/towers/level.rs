//! The level, read from a picture made of letters.
//!
//! | letter | means |
//! |---|---|
//! | `.` `=` `,` `~` `#` | grass, road, mud, water, rock |
//! | `N` `S` | the gates of the creeps, on the road: the northern one and the southern one |
//! | `K` | the keep, on the road |
//! | `T` `A` `P` `b` `w` | oak, autumn oak, fir, bush, well: each blocks its cell |
//! | `H` `h` | the door of a cottage with a red or a blue roof: it blocks 3 x 2 cells, door at the bottom middle |

use bevy::prelude::*;
use bevy_tilepath::Cell;
use tilepath_examples::{
    ground::Ground,
    ground_plan::{GroundPlan, PictureError},
    town::Kind,
};

const VALLEY: &str = include_str!("../../assets/maps/valley.txt");

/// A level: its ground, the things on it, the gates and the keep.
#[derive(Resource, Debug, Clone, PartialEq)]
pub(crate) struct Level {
    pub(crate) plan: GroundPlan,
    pub(crate) scenery: Vec<(Cell, Kind)>,
    /// The northern gate and the southern one.
    pub(crate) gates: [Cell; 2],
    pub(crate) keep: Cell,
}

/// The names of the gates for a player.
pub(crate) const GATE_NAMES: [&str; 2] = ["the northern gate", "the southern gate"];

/// Two walls of towers, each from one edge of the valley almost to the other edge. The gaps are at
/// their ends.
pub(crate) fn maze() -> impl Iterator<Item = Cell> {
    let northern = (5..23).map(|y| Cell::new(17, y));
    let southern = (2..19).map(|y| Cell::new(23, y));
    northern.chain(southern)
}

/// The last gap of the first wall.
pub(crate) const LAST_GAP: [Cell; 3] = [Cell::new(17, 2), Cell::new(17, 3), Cell::new(17, 4)];

impl Level {
    /// Returns the level of this example.
    pub(crate) fn valley() -> Self {
        Self::parse(VALLEY).expect("the level is part of the program and a test reads it")
    }

    /// Reads a level. A gate or a keep that is not drawn is at the lower left.
    fn parse(text: &str) -> Result<Self, PictureError> {
        let (mut things, mut gates, mut keep) = (Vec::new(), [Cell::default(); 2], Cell::default());
        let plan = GroundPlan::read(text, |letter, cell| {
            match letter {
                'N' => gates[0] = cell,
                'S' => gates[1] = cell,
                'K' => keep = cell,
                _ => {
                    if let Some(thing) = Kind::of_letter(letter) {
                        things.push((cell, thing));
                        return Some(Ground::Grass);
                    }
                    return Ground::of_letter(letter);
                }
            }
            Some(Ground::Road)
        })?;
        Ok(Self { plan, scenery: things, gates, keep })
    }

    /// Returns start and goal of the paths that must stay open.
    pub(crate) fn ways(&self) -> [(Cell, Cell); 2] {
        self.gates.map(|gate| (gate, self.keep))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valley_is_a_level_of_40_by_24_with_two_gates_and_a_keep() {
        let level = Level::valley();
        assert_eq!((level.plan.width, level.plan.height), (40, 24));
        assert_eq!((level.gates, level.keep), ([Cell::new(0, 18), Cell::new(0, 5)], Cell::new(29, 12)));
    }
}
