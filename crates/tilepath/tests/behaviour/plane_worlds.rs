//! Random maps with all features and their edits.
//!
//! The features: hexagons, void cells, units of many sizes, overlays and closed exits. Each world
//! has two forms: for the core and for the oracle.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use testkit::{DIRECTIONS, Land, LandArea, LandEdit, Oracle, TileMap, Unit};
use tilepath::{Bounds, Cell, Direction, Edit, Exits, Grid, Movement, PathFinder, Size, Topology};

use crate::worlds::{Prices, classes, movement, origin, rules, size};

const OVERLAYS: [&str; 2] = ["danger", "smell"];

/// The features that a world may have besides classes.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is switched by itself")]
pub(crate) struct Features {
    pub(crate) hexagons: bool,
    pub(crate) void: bool,
    pub(crate) sizes: bool,
    pub(crate) overlays: bool,
    pub(crate) exits: bool,
}

impl Features {
    pub(crate) const ALL: Self =
        Self { hexagons: true, void: true, sizes: true, overlays: true, exits: true };

    /// Returns the kinds of edits by their numbers in a [`Draft`].
    fn kinds(self) -> Vec<u8> {
        let mut kinds = vec![0, 0, 9];
        for (has, numbers) in
            [(self.void, &[1, 10][..]), (self.overlays, &[2, 3, 11]), (self.exits, &[4, 5, 6, 6, 7, 8])]
        {
            kinds.extend(has.then_some(numbers).into_iter().flatten());
        }
        kinds
    }
}

/// A map, its units, the places of queries, and edits in batches.
#[derive(Clone)]
pub(crate) struct PlaneWorld {
    pub(crate) land: Land,
    pub(crate) origin: Cell,
    pub(crate) units: Vec<Unit>,
    /// The places. For each unit they are wrapped onto its possible anchors.
    pub(crate) places: Vec<(i32, i32)>,
    pub(crate) batches: Vec<Vec<LandEdit>>,
}

impl fmt::Debug for PlaneWorld {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { land, origin, units, places, batches, .. } = self;
        let shape = if land.is_hexagonal { "hexagons" } else { "squares" };
        writeln!(
            formatter,
            "{} × {} {shape} from {origin}, places {places:?}",
            land.map.width, land.map.height
        )?;
        for Unit { rules, size, overlays } in units {
            write!(
                formatter,
                "size {size}, {:?}, steps {}/{}",
                rules.diagonals, rules.straight, rules.diagonal
            )?;
            writeln!(formatter, ", {overlays:?}, classes 0 to 9 cost {:?}", &rules.multipliers[..10])?;
        }
        let width = land.map.width as usize;
        for row in (0..land.map.height as usize).rev() {
            let slots = row * width..(row + 1) * width;
            let sign = |slot: usize| {
                if land.void[slot] { "v".to_owned() } else { land.map.classes[slot].to_string() }
            };
            writeln!(formatter, "{}", slots.map(sign).collect::<String>())?;
        }
        for (slot, exits) in land.exits.iter().enumerate().filter(|(_, exits)| **exits != 255) {
            writeln!(formatter, "{:?} has exits {exits:#010b}", land.map.position(slot))?;
        }
        for (name, values) in &land.overlays {
            for (slot, value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
                writeln!(formatter, "{:?} has {name} {value}", land.map.position(slot))?;
            }
        }
        writeln!(formatter, "edits {batches:?}")
    }
}

impl PlaneWorld {
    pub(crate) fn cell(&self, (x, y): (i32, i32)) -> Cell {
        Cell::new(self.origin.x + x, self.origin.y + y)
    }

    pub(crate) fn position(&self, cell: Cell) -> (i32, i32) {
        (cell.x - self.origin.x, cell.y - self.origin.y)
    }

    pub(crate) fn positions(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        (0..self.land.map.classes.len()).map(|slot| self.land.map.position(slot))
    }

    pub(crate) fn oracle(&self, unit: usize) -> Oracle {
        Oracle::of(&self.land, &self.units[unit])
    }

    pub(crate) fn movement(&self, unit: usize) -> Movement {
        let Unit { rules, size, overlays } = &self.units[unit];
        let plain = movement(rules).with_size(Size::new(*size as u8).unwrap());
        overlays.iter().fold(plain, Movement::with_overlay)
    }

    /// Returns a place where the unit fits, if it has one.
    pub(crate) fn place(&self, number: usize, unit: usize) -> (i32, i32) {
        let (x, y) = self.places[number % self.places.len()];
        let room = |side: u32| (side as i32 - self.units[unit].size + 1).max(1);
        (x % room(self.land.map.width), y % room(self.land.map.height))
    }

    /// Makes the grid of the present map in one go.
    pub(crate) fn grid(&self) -> Grid {
        let Land { map, is_hexagonal, void, exits, overlays } = &self.land;
        let topology = if *is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let mut grid = grid.with_topology(topology).with_origin(self.origin).unwrap();
        for position in self.positions() {
            let (cell, slot) = (self.cell(position), map.slot(position));
            if void[slot] {
                grid.edit(&[Edit::void(cell)]).unwrap();
            }
            if exits[slot] == 0 {
                // Only exits to neighbours on the map can be the last ones closed.
                let neighbour = |number: &&usize| {
                    let (dx, dy) = DIRECTIONS[**number];
                    map.contains((position.0 + dx, position.1 + dy))
                };
                let number = *self.land.directions().iter().find(neighbour).unwrap();
                grid.edit(&[Edit::exits(cell, Exits::NONE.with(Direction::ALL[number]))]).unwrap();
                grid.edit(&[Edit::one_way(cell + Direction::ALL[number].offset(), cell)]).unwrap();
            } else if exits[slot] != 255 {
                grid.edit(&[Edit::exits(cell, Exits::from_bits(exits[slot]))]).unwrap();
            }
        }
        for (name, values) in overlays {
            let named = self.positions().filter(|&position| values[map.slot(position)] != 0);
            let named = named.map(|position| (self.cell(position), values[map.slot(position)] as u16));
            grid.set_overlay(name, named).unwrap();
        }
        grid
    }

    /// Makes a finder that never had another map. The units are its movements, in their order.
    pub(crate) fn finder(&self) -> PathFinder {
        let mut finder = PathFinder::new(self.grid(), self.movement(0));
        for unit in 1..self.units.len() {
            finder.add_movement(self.movement(unit));
        }
        finder
    }

    /// Converts the edit to an edit of the core.
    pub(crate) fn edit_of(&self, edit: &LandEdit) -> Edit {
        let cell = |position: &(i32, i32)| self.cell(*position);
        let bounds = |area: &LandArea| {
            let (width, height) = area.size;
            Bounds::new(self.cell(area.corner), width as u32, height as u32)
                .expect("the area lies on the map")
        };
        match edit {
            LandEdit::Terrain(position, class) => Edit::terrain(cell(position), *class),
            LandEdit::TerrainIn(area, class) => Edit::terrain_in(bounds(area), *class),
            LandEdit::Void(position) => Edit::void(cell(position)),
            LandEdit::VoidIn(area) => Edit::void_in(bounds(area)),
            LandEdit::Overlay(name, position, value) => Edit::overlay(name, cell(position), *value as u16),
            LandEdit::OverlayIn(name, area, value) => Edit::overlay_in(name, bounds(area), *value as u16),
            LandEdit::ClearOverlay(name) => Edit::clear_overlay(name),
            LandEdit::Exits(position, bits) => Edit::exits(cell(position), Exits::from_bits(*bits)),
            LandEdit::OneWay(from, to) => Edit::one_way(cell(from), cell(to)),
            LandEdit::Fence(from, to) => Edit::fence(cell(from), cell(to)),
            LandEdit::OpenEdge(from, to) => Edit::open_edge(cell(from), cell(to)),
            LandEdit::Ledge(position, down) => Edit::ledge(cell(position), Direction::ALL[*down]),
        }
    }

    /// Makes the edits in both forms, in the core as one batch. Both must report the same number of
    /// changes.
    pub(crate) fn edit(&mut self, finder: &mut PathFinder, edits: &[LandEdit]) {
        let told = finder.edit(&edits.iter().map(|edit| self.edit_of(edit)).collect::<Vec<Edit>>());
        let changes: usize = edits.iter().map(|edit| edit.apply(&mut self.land)).sum();
        assert_eq!(told, Ok(changes), "{edits:?} change as much");
    }
}

/// An edit before the size of the map is known.
type Draft = (u8, (i32, i32), usize, u16, usize);

fn drafts(features: Features, most: usize) -> impl Strategy<Value = Vec<Draft>> {
    vec((select(features.kinds()), (0..40, 0..40), 0..8_usize, any::<u16>(), 1..6_usize), 0..=most)
}

fn finished(land: &Land, &(kind, (x, y), turn, number, length): &Draft) -> Vec<LandEdit> {
    let wrapped = |x: i32, y: i32| (x % land.map.width as i32, y % land.map.height as i32);
    let position = wrapped(x, y);
    let name = OVERLAYS[usize::from(number) % 2].to_owned();
    let ahead = |number: usize| (position.0 + DIRECTIONS[number].0, position.1 + DIRECTIONS[number].1);
    let mut numbers: Vec<usize> = land.directions().to_vec();
    let turned = turn % numbers.len();
    numbers.rotate_left(turned);
    let neighbour = numbers.into_iter().map(ahead).find(|&position| land.map.contains(position));
    let area = || {
        let side = |long: usize, first: i32, most: u32| (long as i32).min(most as i32 - first);
        let size = (side(length, position.0, land.map.width), side(turn / 2, position.1, land.map.height));
        LandArea { corner: position, size }
    };
    let class = || if number % 2 == 0 { 0 } else { (number >> 4) as u8 % 10 };
    // Mostly a few ones in the lowest bits, far below the values where costs overflow.
    let value = u64::from(number >> 3) % [0, 1, 5, 60][length % 4].max(1) + u64::from(length % 4 != 0);
    // Some values close the cell.
    let value = if number % 5 == 0 { 65_535 } else { value };
    let one = match (kind, neighbour) {
        (1, _) => LandEdit::Void(position),
        (2, _) => {
            let cells = (0..length as i32).map(|step| wrapped(x + step, y + step % 2));
            return cells.map(|cell| LandEdit::Overlay(name.clone(), cell, value)).collect();
        }
        (3, _) => LandEdit::ClearOverlay(name),
        (4, _) => LandEdit::Exits(position, ((number >> 8) as u8 | number as u8).max(1)),
        (5, Some(to)) => LandEdit::OneWay(position, to),
        (6, Some(to)) => LandEdit::Fence(position, to),
        (7, Some(to)) => LandEdit::OpenEdge(position, to),
        (8, _) => {
            let down = if land.is_hexagonal { land.directions()[turn % 6] } else { turn / 2 * 2 };
            let cells = (0..length as i32)
                .map(|step| if turn % 4 < 2 { wrapped(x + step, y) } else { wrapped(x, y + step) });
            return cells.map(|cell| LandEdit::Ledge(cell, down)).collect();
        }
        (9, _) => LandEdit::TerrainIn(area(), class()),
        (10, _) => LandEdit::VoidIn(area()),
        (11, _) => LandEdit::OverlayIn(name, area(), value),
        _ => LandEdit::Terrain(position, class()),
    };
    vec![one]
}

fn units(features: Features) -> impl Strategy<Value = Vec<Unit>> {
    let sizes = if features.sizes { vec![1, 2, 2, 2, 3, 3, 4, 5, 8] } else { vec![1] };
    let names = if features.overlays { 0..4_usize } else { 0..1 };
    let unit = (rules(Prices::Low), select(sizes), names).prop_map(|(rules, size, names)| {
        let overlays = OVERLAYS.into_iter().enumerate().filter(|(number, _)| names >> number & 1 == 1);
        Unit { rules, size, overlays: overlays.map(|(_, name)| name.to_owned()).collect() }
    });
    vec(unit, 1..=2)
}

/// Returns a world with some features, whose edits change all of them.
pub(crate) fn plane_world(features: Features, longest: i32) -> impl Strategy<Value = PlaneWorld> {
    size(longest).prop_flat_map(move |(width, height)| {
        let shape = if features.hexagons { any::<bool>().boxed() } else { Just(false).boxed() };
        let only_hexagons = features.hexagons && !features.sizes;
        (
            (classes((width * height) as usize), shape),
            origin(),
            units(features),
            drafts(features, 12),
            vec(drafts(features, 5), 0..=4),
            vec((0..40, 0..40), 5),
        )
            .prop_map(move |((classes, shape), origin, mut units, first, batches, places)| {
                let mut land = Land::from(TileMap::new("random", width as u32, height as u32, classes));
                land.is_hexagonal = shape || only_hexagons;
                for unit in units.iter_mut().filter(|_| land.is_hexagonal) {
                    unit.size = 1;
                }
                for edit in first.iter().flat_map(|draft| finished(&land, draft)).collect::<Vec<_>>() {
                    edit.apply(&mut land);
                }
                let finish =
                    |batch: &Vec<Draft>| batch.iter().flat_map(|draft| finished(&land, draft)).collect();
                let batches = batches.iter().map(finish).collect();
                PlaneWorld { land, origin, units, places, batches }
            })
    })
}

/// Returns whether a unit that starts on a cell walks onto closed ground, to leave it.
pub(crate) fn enters_closed_ground(grid: &Grid, movement: &Movement, start: Cell) -> bool {
    let enters = |direction: Direction| {
        let step = movement.step_cost(grid, start, direction);
        step.is_some() && !movement.is_open(grid, start + direction.offset())
    };
    !movement.is_open(grid, start) && Direction::ALL.into_iter().any(enters)
}
