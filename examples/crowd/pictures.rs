//! Pictures drawn by code: tiles of 4 x 4 pixels, discs, rings.

use bevy::{
    asset::RenderAssetUsages,
    image::ImageSampler,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

/// The side of a tile, in pixels.
const SIDE: u32 = 4;

/// The tiles of the sheet, by index.
pub(crate) mod tile {
    /// Four kinds of even ground, to be tinted.
    pub(crate) const GROUND: u32 = 0;
    /// Sixteen roofs, to be tinted, by the sides where the house ends: north 1, east 2, south 4,
    /// west 8.
    pub(crate) const ROOF: u32 = 4;
    /// Two trees, to be tinted.
    pub(crate) const TREE: u32 = 20;
    /// Four pictures of water, to be tinted.
    pub(crate) const WATER: u32 = 22;
    /// A wall that the player painted.
    pub(crate) const WALL: u32 = 26;
    /// Planks of a bridge, to be tinted.
    pub(crate) const BRIDGE: u32 = 27;
    /// The number of tiles.
    pub(crate) const ALL: u32 = 28;
}

/// Returns all tiles in a row.
pub(crate) fn tiles() -> Image {
    let mut pixels = Vec::new();
    for y in 0..SIDE {
        for number in 0..tile::ALL {
            for x in 0..SIDE {
                let light = brightness(number, x, y);
                pixels.extend([light, light, light, 255]);
            }
        }
    }
    image(tile::ALL * SIDE, SIDE, pixels)
}

/// Returns the brightness of a pixel of a tile; y points down.
fn brightness(number: u32, x: u32, y: u32) -> u8 {
    match number {
        tile::GROUND..tile::ROOF => {
            let speck = (x * 7 + y * 5 + number * 3) % 11;
            if speck == 0 {
                226
            } else if speck == 4 {
                246
            } else {
                238
            }
        }
        tile::ROOF..tile::TREE => {
            let sides = number - tile::ROOF;
            let ends = |side: u32| sides & side != 0;
            // The sun is in the north-west.
            if ends(4) && y == SIDE - 1 || ends(2) && x == SIDE - 1 {
                128
            } else if ends(1) && y == 0 || ends(8) && x == 0 {
                255
            } else if (x + y) % 4 == 3 {
                208
            } else {
                216
            }
        }
        tile::TREE..tile::WATER => {
            let leaves =
                [[150, 235, 215, 130], [225, 255, 220, 165], [205, 215, 180, 140], [125, 160, 135, 105]];
            let (x, y) = if number == tile::TREE { (x, y) } else { (y, x) };
            leaves[y as usize][x as usize]
        }
        tile::WATER..tile::WALL => {
            let wave = (x + 2 * y + 3 * number) % 13;
            if wave < 2 && y.is_multiple_of(2) { 255 } else { 215 }
        }
        tile::WALL => {
            let is_joint = y % 2 == 1 || (x + y).is_multiple_of(4);
            if is_joint { 150 } else { 255 }
        }
        _ => {
            if y.is_multiple_of(2) {
                240
            } else {
                205
            }
        }
    }
}

/// The side of a round picture, in pixels.
const ROUND: u32 = 24;

/// Returns a white disc with a dark rim, to be tinted.
pub(crate) fn disc() -> Image {
    round(ROUND, |far| match far {
        ..0.60 => (255, 255),
        ..0.76 => (190, 255),
        ..0.94 => (70, 255),
        _ => (70, 0),
    })
}

/// Returns a ring with a faint inside, to be tinted.
pub(crate) fn ring() -> Image {
    round(4 * ROUND, |far| match far {
        ..0.86 => (255, 46),
        ..0.97 => (255, 235),
        _ => (255, 0),
    })
}

/// Returns a round picture. `shade` gets the distance of a pixel from the middle, 1 at the edge,
/// and returns brightness and opacity.
fn round(side: u32, shade: impl Fn(f32) -> (u32, u32)) -> Image {
    const PARTS: u32 = 4;

    let mut pixels = Vec::new();
    let half = side as f32 / 2.0;
    for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
        let (mut light, mut opacity) = (0, 0);
        for (part_y, part_x) in (0..PARTS).flat_map(|y| (0..PARTS).map(move |x| (y, x))) {
            let at = |pixel: u32, part: u32| pixel as f32 + (part as f32 + 0.5) / PARTS as f32 - half;
            let (one_light, one_opacity) = shade(at(x, part_x).hypot(at(y, part_y)) / half);
            light += one_light * one_opacity;
            opacity += one_opacity;
        }
        let light = light.checked_div(opacity).unwrap_or(0) as u8;
        pixels.extend([light, light, light, (opacity / PARTS / PARTS) as u8]);
    }
    let mut image = image(side, side, pixels);
    // These pictures are scaled to any size, unlike the tiles.
    image.sampler = ImageSampler::linear();
    image
}

fn image(width: u32, height: u32, pixels: Vec<u8>) -> Image {
    Image::new(
        Extent3d { width, height, depth_or_array_layers: 1 },
        TextureDimension::D2,
        pixels,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::default(),
    )
}
