//! The colours of pictures.

use super::canvas::{Colour, mix};

/// The path.
pub(crate) const PATH: Colour = [214, 40, 57];
/// The path over a heat map.
pub(crate) const PATH_ON_HEAT: Colour = [240, 252, 255];
/// The rim of the path and of the marks.
pub(crate) const RIM: Colour = [28, 24, 32];
/// The ring of the marks, and waypoints off the path.
pub(crate) const RING: Colour = [255, 252, 242];
/// The middle of the start.
pub(crate) const START: Colour = [34, 139, 74];
/// The middle of the goal.
pub(crate) const GOAL: Colour = PATH;
/// The frame and the tint of a marked cell.
pub(crate) const MARKED: Colour = [232, 126, 4];
/// The frame and the tint of a closed cell that must open.
pub(crate) const OPENING: Colour = [0, 172, 193];
/// The opacity of the tint of a marked cell.
pub(crate) const MARKED_OPACITY: f32 = 0.4;
/// A wall in a table of costs.
pub(crate) const WALL: Colour = [58, 61, 74];
/// Cells out of bounds in MovingAI maps.
pub(crate) const VOID: Colour = [40, 42, 54];
/// Void cells, and the background of maps.
pub(crate) const BLANK: Colour = [252, 251, 248];
/// The tint of cells with a value in an overlay.
pub(crate) const OVERLAY: Colour = [142, 36, 170];
/// The opacity of this tint, from value 0 to the highest value.
pub(crate) const OVERLAY_OPACITY: [f32; 2] = [0.22, 0.6];
/// The opacity of the tint of cells that a unit covers.
pub(crate) const COVERED_OPACITY: f32 = 0.3;
/// Bars on edges that are closed in both directions, and arrows on edges that are closed in one.
pub(crate) const EDGE: Colour = [120, 20, 24];
/// The shade on cells that a unit does not see.
pub(crate) const UNSEEN: Colour = [16, 16, 26];
/// The opacity of this shade.
pub(crate) const UNSEEN_OPACITY: f32 = 0.7;
/// Trees.
pub(crate) const TREES: Colour = [62, 98, 66];
/// Water.
pub(crate) const WATER: Colour = [72, 126, 168];
/// Swamp.
pub(crate) const SWAMP: Colour = [150, 164, 106];
/// The opacity of the heat map.
pub(crate) const HEAT_OPACITY: f32 = 0.8;

/// The background of graphs.
pub(crate) const PAPER: Colour = [244, 238, 222];
/// The dots of this background.
pub(crate) const PAPER_DOT: Colour = [222, 213, 190];
/// An edge between waypoints.
pub(crate) const WAY: Colour = [206, 180, 132];
/// The rim of an edge.
pub(crate) const WAY_RIM: Colour = [139, 112, 74];
/// Edges and waypoints out of reach.
pub(crate) const WAY_FAR: Colour = [226, 217, 198];

/// Ground of cost 1, 2, 4, … 256.
const GROUND: [Colour; 9] = [
    [235, 225, 198],
    [193, 207, 146],
    [152, 179, 112],
    [186, 124, 66],
    [152, 96, 54],
    [122, 80, 50],
    [100, 68, 46],
    [82, 58, 42],
    [66, 48, 36],
];

/// The least sum of the differences of red, green and blue at which two colours look different.
const LEAST_DIFFERENCE: u32 = 16;

/// The heat map, from the first expanded cell to the last.
const HEAT: [Colour; 6] =
    [[44, 26, 92], [92, 38, 134], [160, 48, 130], [219, 82, 98], [247, 142, 76], [252, 222, 128]];

/// Returns the colour of open ground of a cost from 1.
pub(crate) fn ground(cost: u8) -> Colour {
    let doublings = f32::from(cost.max(1)).log2();
    between(&GROUND, doublings / (GROUND.len() - 1) as f32)
}

/// Returns the colour of an expanded cell: 0 is the first cell, 1 the last.
pub(crate) fn heat(share: f32) -> Colour {
    between(&HEAT, share)
}

/// Returns the colour of a waypoint within reach: 0 is the start, 1 the farthest waypoint.
pub(crate) fn range(share: f32) -> Colour {
    between(&[[34, 139, 74], [112, 176, 84], [214, 190, 74], [224, 134, 58], [196, 76, 52]], share)
}

/// Returns whether two colours look alike on a map.
pub(crate) fn look_alike(one: Colour, other: Colour) -> bool {
    one.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other))).sum::<u32>() < LEAST_DIFFERENCE
}

/// Returns a colour that is darker (light below 1) or lighter (above 1; 2 is white).
pub(crate) fn shade(colour: Colour, light: f32) -> Colour {
    let target = if light < 1.0 { 0 } else { 255 };
    colour.map(|part| mix(part, target, (light - 1.0).abs()))
}

/// Returns the colour at a share of a list of colours, from 0 to 1.
fn between(colours: &[Colour], share: f32) -> Colour {
    let last = colours.len() - 1;
    let position = share.clamp(0.0, 1.0) * last as f32;
    let index = (position as usize).min(last - 1);
    let (from, to) = (colours[index], colours[index + 1]);
    std::array::from_fn(|part| mix(from[part], to[part], position - index as f32))
}

#[cfg(test)]
mod tests {
    use super::{GROUND, HEAT, ground, heat, look_alike, shade};

    #[test]
    fn gradients_begin_and_end_with_their_ends() {
        assert_eq!(ground(1), GROUND[0]);
        assert_eq!(ground(2), GROUND[1]);
        assert_eq!(ground(64), GROUND[6]);
        assert_eq!(heat(0.0), HEAT[0]);
        assert_eq!(heat(1.0), HEAT[5]);
        assert_eq!(heat(7.0), HEAT[5]);
    }

    #[test]
    fn costs_up_to_eight_have_different_colours() {
        for one in 1..=8 {
            for other in one + 1..=8 {
                assert!(!look_alike(ground(one), ground(other)), "{one} and {other}");
            }
        }
        let difference = |one, other| -> u32 {
            ground(one).iter().zip(ground(other)).map(|(&one, other)| u32::from(one.abs_diff(other))).sum()
        };
        assert!([difference(3, 4), difference(4, 5)].iter().all(|&difference| difference >= 36));
        assert!(look_alike(ground(200), ground(201)));
    }

    #[test]
    fn shade_darkens_and_lightens() {
        assert_eq!(shade([100, 200, 0], 1.0), [100, 200, 0]);
        assert_eq!(shade([100, 200, 0], 0.5), [50, 100, 0]);
        assert_eq!(shade([100, 200, 0], 2.0), [255; 3]);
    }
}
