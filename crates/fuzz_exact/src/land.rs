//! Maps with all features, units of many sizes, and their edits.

use rand::{Rng, seq::IndexedRandom};
use testkit::{DIRECTIONS, Land, LandArea, LandEdit, Rules, Unit};
use tilepath::{Bounds, Direction, Edit, Exits, GridError, PathFinder};

use crate::{draw, world::World};

const OVERLAYS: [&str; 3] = ["danger", "noise", "smell"];

/// The highest multiplier of a table. The rest up to 65,535 is for overlays.
const HIGHEST: u64 = 60_000;

/// Draws a map that is small enough to list every edge, with few or many features.
pub(crate) fn land(generator: &mut impl Rng) -> Land {
    let map = loop {
        let map = draw::map(generator);
        if map.classes.len() <= 700 {
            break map;
        }
    };
    let mut land = Land::from(map);
    land.is_hexagonal = generator.random_ratio(1, 4);
    for _ in 0..generator.random_range(0..=land.map.classes.len() / 8 + 2) {
        for edit in edits(generator, &land) {
            edit.apply(&mut land);
        }
    }
    land
}

/// Draws a unit that fits on the map.
pub(crate) fn unit(generator: &mut impl Rng, land: &Land, mut rules: Rules) -> Unit {
    for multiplier in &mut rules.multipliers {
        *multiplier = (*multiplier).min(HIGHEST);
    }
    let largest = if land.is_hexagonal { 1 } else { land.map.width.min(land.map.height).min(8) as i32 };
    let size = *[1, 1, 2, 2, 2, 3, 3, 4, 8].choose(generator).expect("there are sizes");
    let overlays = OVERLAYS.iter().filter(|_| generator.random_ratio(1, 3));
    Unit { rules, size: size.min(largest), overlays: overlays.map(|&name| name.to_owned()).collect() }
}

/// Draws cells in a line.
fn line(generator: &mut impl Rng, land: &Land) -> Vec<(i32, i32)> {
    let (x, y) = draw::position(generator, &land.map);
    let (dx, dy) = *[(1, 0), (0, 1)].choose(generator).expect("there are two");
    let cells = (0..generator.random_range(1..=9)).map(|step| (x + step * dx, y + step * dy));
    cells.filter(|&position| land.map.contains(position)).collect()
}

/// Draws edits of any kind, for one cell or for a line of cells.
pub(crate) fn edits(generator: &mut impl Rng, land: &Land) -> Vec<LandEdit> {
    let position = draw::position(generator, &land.map);
    let neighbours = land.directions().iter().map(|&number| DIRECTIONS[number]);
    let neighbours = neighbours.map(|(dx, dy)| (position.0 + dx, position.1 + dy));
    let neighbours: Vec<_> = neighbours.filter(|&position| land.map.contains(position)).collect();
    let name = (*OVERLAYS.choose(generator).expect("there are overlays")).to_owned();
    let one = match (generator.random_range(0..14), neighbours.choose(generator)) {
        (0..=3, _) | (4..=7, None) => {
            LandEdit::Terrain(position, if generator.random() { 0 } else { generator.random_range(0..=9) })
        }
        (4, Some(&to)) => LandEdit::OneWay(position, to),
        (5 | 6, Some(&to)) => LandEdit::Fence(position, to),
        (7, Some(&to)) => LandEdit::OpenEdge(position, to),
        (8, _) => LandEdit::Exits(position, generator.random_range(1..=255)),
        (9, _) => {
            let straight = if land.is_hexagonal { land.directions() } else { &[0, 2, 4, 6] };
            let cells = line(generator, land);
            let down = *straight.choose(generator).expect("there are directions");
            return cells.into_iter().map(|cell| LandEdit::Ledge(cell, down)).collect();
        }
        (10, _) => LandEdit::ClearOverlay(name),
        (11 | 12, _) => {
            let cells = line(generator, land);
            let highest = *[0, 1, 9, 900].choose(generator).expect("there are values");
            let closes = generator.random_ratio(1, 3);
            let mut value = || if closes { 65_535 } else { generator.random_range(0..=highest) };
            return cells.into_iter().map(|cell| LandEdit::Overlay(name.clone(), cell, value())).collect();
        }
        _ => LandEdit::Void(position),
    };
    vec![one]
}

/// Returns an edit in the library's form.
pub(crate) fn core_edit(world: &World, edit: &LandEdit) -> Result<Edit, GridError> {
    let cell = |position: &(i32, i32)| world.cell(*position);
    let bounds =
        |area: &LandArea| Bounds::new(world.cell(area.corner), area.size.0 as u32, area.size.1 as u32);
    Ok(match edit {
        LandEdit::Terrain(position, class) => Edit::terrain(cell(position), *class),
        LandEdit::TerrainIn(area, class) => Edit::terrain_in(bounds(area)?, *class),
        LandEdit::Void(position) => Edit::void(cell(position)),
        LandEdit::VoidIn(area) => Edit::void_in(bounds(area)?),
        LandEdit::Overlay(name, position, value) => Edit::overlay(name, cell(position), *value as u16),
        LandEdit::OverlayIn(name, area, value) => Edit::overlay_in(name, bounds(area)?, *value as u16),
        LandEdit::ClearOverlay(name) => Edit::clear_overlay(name),
        LandEdit::Exits(position, bits) => Edit::exits(cell(position), Exits::from_bits(*bits)),
        LandEdit::OneWay(from, to) => Edit::one_way(cell(from), cell(to)),
        LandEdit::Fence(from, to) => Edit::fence(cell(from), cell(to)),
        LandEdit::OpenEdge(from, to) => Edit::open_edge(cell(from), cell(to)),
        LandEdit::Ledge(position, down) => Edit::ledge(cell(position), Direction::ALL[*down]),
    })
}

/// Applies edits to a finder, all at once. Returns the number of changes.
pub(crate) fn apply(world: &World, finder: &mut PathFinder, edits: &[LandEdit]) -> Result<usize, GridError> {
    let edits = edits.iter().map(|edit| core_edit(world, edit)).collect::<Result<Vec<Edit>, GridError>>()?;
    finder.edit(&edits)
}
