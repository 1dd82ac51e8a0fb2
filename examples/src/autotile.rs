//! Rules for pictures of tiles: overlays with soft borders, railings, flowers.
//!
//! Overlay tiles lie half a tile off the ground, so that each one touches four cells. The kind of
//! an overlay tile depends on the cells at its corners. Sixteen pictures for each overlay are
//! enough for any map.

use crate::ground::Ground;

/// An overlay that draws one kind of ground over the grass.
#[derive(Debug, Clone, Copy)]
pub struct Overlay {
    /// The ground that it draws.
    pub ground: Ground,
    /// The file of its pictures, below the folder of assets.
    pub file: &'static str,
    /// The side of its seamless pattern: there is a picture for each of `side` x `side` places.
    side: u32,
    /// The number of frames of its animation.
    pub frames: u32,
}

/// All overlays, from the lowest to the topmost.
pub const OVERLAYS: [Overlay; 4] = [
    Overlay { ground: Ground::Mud, file: "tiles/mud.png", side: 4, frames: 1 },
    Overlay { ground: Ground::Road, file: "tiles/road.png", side: 4, frames: 1 },
    Overlay { ground: Ground::Water, file: "tiles/water.png", side: 2, frames: 4 },
    Overlay { ground: Ground::Rock, file: "tiles/rock.png", side: 4, frames: 1 },
];

/// The four cells around an overlay tile: north-west, north-east, south-west, south-east.
pub type Corners = [Ground; 4];

impl Overlay {
    /// Returns the corners that this overlay covers, as bits in their order. 0 means that there is
    /// nothing to draw.
    #[must_use]
    pub fn mask(&self, corners: Corners) -> u32 {
        if !corners.contains(&self.ground) {
            return 0;
        }
        // It also reaches below higher overlays. Otherwise grass would be visible between the two.
        bits(corners.map(|corner| corner == self.ground || is_above(corner, self.ground)))
    }

    /// Returns the tile of the picture for a mask. `column` counts from the left and `row` from the
    /// top.
    #[must_use]
    pub fn tile(&self, mask: u32, column: u32, row: u32) -> u32 {
        let place = (row % self.side) * self.side + column % self.side;
        (place * 16 + mask) * self.frames
    }
}

fn is_above(corner: Ground, ground: Ground) -> bool {
    match ground {
        Ground::Mud => matches!(corner, Ground::Road | Ground::Water),
        Ground::Road => corner == Ground::Water,
        _ => false,
    }
}

fn bits(flags: [bool; 4]) -> u32 {
    flags.into_iter().zip([1, 2, 4, 8]).map(|(flag, bit)| if flag { bit } else { 0 }).sum()
}

/// Returns the bridge tile with railings towards open water, given as north, east, south, west.
#[must_use]
pub fn railings(water: [bool; 4]) -> u32 {
    bits(water)
}

/// Returns the tile of the meadow, from an 8 x 8 pattern.
#[must_use]
pub fn meadow(column: u32, row: u32) -> u32 {
    (row % 8) * 8 + column % 8
}

/// Returns the small plant or stone on a cell, 0 for nothing. `near_land` is for water beside other
/// ground.
#[must_use]
pub fn growth(ground: Ground, near_land: bool, column: u32, row: u32) -> u32 {
    const REEDS: u32 = 10;
    const LILY: u32 = 9;
    const MEADOW: [u32; 12] = [1, 4, 5, 6, 5, 11, 2, 7, 5, 3, 11, 8];

    let dice = scrambled(column, row);
    let chance = (dice >> 8) % 100;
    match ground {
        Ground::Grass if chance < 26 => MEADOW[(dice % 12) as usize],
        Ground::Water if near_land && chance < 16 => REEDS,
        Ground::Water if chance < 6 => LILY,
        Ground::Mud if chance < 12 => REEDS,
        _ => 0,
    }
}

/// Returns a number for a cell: the same in every run, without a visible pattern.
fn scrambled(column: u32, row: u32) -> u32 {
    let mut value = column.wrapping_mul(0x27d4_eb2d) ^ row.wrapping_mul(0x1656_67b1);
    value = (value ^ (value >> 15)).wrapping_mul(0x85eb_ca6b);
    value = (value ^ (value >> 13)).wrapping_mul(0xc2b2_ae35);
    value ^ (value >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Ground::{Grass, Mud, Road, Rock, Water};

    fn overlay(ground: Ground) -> Overlay {
        OVERLAYS.into_iter().find(|overlay| overlay.ground == ground).unwrap()
    }

    #[test]
    fn each_corner_has_its_bit() {
        let water = overlay(Water);
        assert_eq!(water.mask([Water, Grass, Grass, Grass]), 1);
        assert_eq!(water.mask([Grass, Water, Grass, Grass]), 2);
        assert_eq!(water.mask([Grass, Grass, Water, Grass]), 4);
        assert_eq!(water.mask([Grass, Grass, Grass, Water]), 8);
        assert_eq!(water.mask([Water; 4]), 15);
        assert_eq!(water.mask([Grass; 4]), 0);
    }

    #[test]
    fn lower_overlays_reach_under_upper_ones_but_do_not_spread() {
        assert_eq!(overlay(Mud).mask([Mud, Road, Water, Grass]), 1 | 2 | 4);
        assert_eq!(overlay(Road).mask([Mud, Road, Water, Grass]), 2 | 4);
        assert_eq!(overlay(Water).mask([Mud, Road, Water, Grass]), 4);
        assert_eq!(overlay(Mud).mask([Road, Road, Water, Grass]), 0, "no mud, no tile");
        assert_eq!(overlay(Mud).mask([Mud, Rock, Rock, Grass]), 1, "rock stands on grass");
    }

    #[test]
    fn tiles_stay_within_their_pictures() {
        for overlay in OVERLAYS {
            let largest = (0..16)
                .flat_map(|mask| (0..9).flat_map(move |x| (0..9).map(move |y| overlay.tile(mask, x, y))))
                .max();
            assert_eq!(largest.map(|tile| tile + overlay.frames), Some(256), "{}", overlay.file);
        }
        assert_eq!(meadow(7, 15), 63);
        assert_eq!(railings([true, false, true, false]), 5);
    }

    #[test]
    fn nothing_grows_on_roads_and_rock() {
        for x in 0..40 {
            for y in 0..24 {
                assert_eq!(growth(Road, false, x, y), 0);
                assert_eq!(growth(Rock, false, x, y), 0);
                assert!(growth(Grass, false, x, y) < 12);
            }
        }
    }
}
