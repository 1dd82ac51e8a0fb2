//! Maps that grow and shrink at all sides.

use rand::{Rng, seq::IndexedRandom};
use testkit::DIRECTIONS;
use tilepath::{Bounds, Cell};

use crate::world::World;

/// A change of size: the columns and rows to add in the west, the south, the east and the north,
/// and the class of new cells. Negative numbers remove columns and rows.
#[derive(Clone, Debug)]
pub(crate) struct Resize {
    pub(crate) sides: [i32; 4],
    pub(crate) class: Option<u8>,
}

/// The longest side of a map.
const LONGEST: i64 = 200;

fn side(generator: &mut impl Rng) -> i32 {
    match generator.random_range(0..8) {
        0..=3 => 0,
        4 => 64,
        5 => *[-64, 16, -16, 128].choose(generator).expect("there are some"),
        _ => generator.random_range(-9..=9),
    }
}

/// Draws a change of size that the library allows, if a few tries find one.
pub(crate) fn draw(generator: &mut impl Rng, world: &World) -> Option<(Resize, Bounds)> {
    let most = if world.is_plain { i64::MAX } else { 1_000 };
    let least = i64::from(world.units.iter().map(|unit| unit.size).max().unwrap_or(1));
    for _ in 0..9 {
        let sides = [0; 4].map(|_| side(generator));
        let is_void = !world.is_plain && generator.random_ratio(1, 4);
        let class = (!is_void).then(|| generator.random_range(0..=9));
        let [west, south, east, north] = sides.map(i64::from);
        let map = &world.land.map;
        let (width, height) = (i64::from(map.width) + west + east, i64::from(map.height) + south + north);
        let (x, y) = (i64::from(world.origin.x) - west, i64::from(world.origin.y) - south);
        let fits = |length: i64| (least..=LONGEST).contains(&length);
        let (Ok(x), Ok(y)) = (i32::try_from(x), i32::try_from(y)) else { continue };
        if !fits(width) || !fits(height) || width * height > most {
            continue;
        }
        let Ok(bounds) = Bounds::new(Cell::new(x, y), width as u32, height as u32) else { continue };
        let resize = Resize { sides, class };
        if can_be_written(world, &resize) {
            return Some((resize, bounds));
        }
    }
    None
}

/// Returns whether each cell without exits still has a neighbour. `World::grid` needs it to close
/// the last exit.
fn can_be_written(world: &World, resize: &Resize) -> bool {
    let land = world.land.resized(resize.sides, resize.class);
    let has_neighbour = |(x, y): (i32, i32)| {
        let beside = land.directions().iter().map(|&number| DIRECTIONS[number]);
        beside.into_iter().any(|(dx, dy)| land.map.contains((x + dx, y + dy)))
    };
    let bare = (0..land.exits.len()).filter(|&slot| land.exits[slot] == 0);
    bare.into_iter().all(|slot| has_neighbour(land.map.position(slot)))
}

/// Moves the sides of the world.
pub(crate) fn apply(world: &mut World, resize: &Resize) {
    let [west, south, ..] = resize.sides;
    world.land = world.land.resized(resize.sides, resize.class);
    world.origin = Cell::new(world.origin.x - west, world.origin.y - south);
}
