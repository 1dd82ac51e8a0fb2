//! Edits of many cells in one call.

use rand::Rng;
use testkit::{LandArea, LandEdit};

use crate::{draw, land, world::World};

fn area(generator: &mut impl Rng, world: &World) -> LandArea {
    let map = &world.land.map;
    let corner = draw::position(generator, map);
    let mut length = |most: i32| generator.random_range(0..=most.min(12));
    let size = (length(map.width as i32 - corner.0), length(map.height as i32 - corner.1));
    LandArea { corner, size }
}

/// Draws edits for one call: of cells, with repetitions, of a rectangle, or of all kinds.
pub(crate) fn draw(generator: &mut impl Rng, world: &World) -> Vec<LandEdit> {
    let class = if generator.random() { 0 } else { generator.random_range(0..=9) };
    let count = generator.random_range(0..=40);
    // The fast oracle has only classes.
    match generator.random_range(0..if world.is_plain { 6 } else { 10 }) {
        0..=2 => {
            let edit = |_| {
                let position = draw::position(generator, &world.land.map);
                LandEdit::Terrain(position, generator.random_range(0..=9_u8) * class.min(1))
            };
            (0..count).map(edit).collect()
        }
        3..=5 => vec![LandEdit::TerrainIn(area(generator, world), class)],
        6 => (0..count / 4).map(|_| LandEdit::Void(draw::position(generator, &world.land.map))).collect(),
        7 => vec![LandEdit::VoidIn(area(generator, world))],
        _ => {
            let mut edits: Vec<LandEdit> =
                (0..count / 4).flat_map(|_| land::edits(generator, &world.land)).collect();
            edits.push(LandEdit::OverlayIn("danger".to_owned(), area(generator, world), u64::from(class)));
            edits.push(LandEdit::TerrainIn(area(generator, world), class));
            edits
        }
    }
}
