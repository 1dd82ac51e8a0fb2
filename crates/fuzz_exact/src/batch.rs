//! Many cells edited in one call.

use rand::Rng;
use testkit::LandEdit;
use tilepath::{Bounds, Cell, GridError, PathFinder};

use crate::{draw, world::World};

/// Cells of a list, some of which may come twice, or of a rectangle; they get classes or leave the map.
#[derive(Clone, Debug)]
pub(crate) enum Batch {
    Classes(Vec<((i32, i32), u8)>),
    Voids(Vec<(i32, i32)>),
    ClassArea(Area, u8),
    VoidArea(Area),
}

/// A rectangle by its corner with the lowest column and row, its width and its height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    corner: (i32, i32),
    size: (i32, i32),
}

impl Area {
    fn draw(generator: &mut impl Rng, world: &World) -> Self {
        let map = &world.land.map;
        let corner = draw::position(generator, map);
        let mut length = |most: i32| generator.random_range(0..=most.min(12));
        let size = (length(map.width as i32 - corner.0), length(map.height as i32 - corner.1));
        Self { corner, size }
    }

    fn positions(self) -> impl Iterator<Item = (i32, i32)> {
        let Self { corner: (x, y), size: (width, height) } = self;
        (y..y + height).flat_map(move |y| (x..x + width).map(move |x| (x, y)))
    }

    fn bounds(self, world: &World) -> Result<Bounds, GridError> {
        Bounds::new(world.cell(self.corner), self.size.0 as u32, self.size.1 as u32)
    }
}

impl Batch {
    pub(crate) fn draw(generator: &mut impl Rng, world: &World) -> Self {
        let class = if generator.random() { 0 } else { generator.random_range(0..=9) };
        let count = generator.random_range(0..=40);
        // The fast oracle knows classes only.
        match generator.random_range(0..if world.is_plain { 6 } else { 8 }) {
            0..=2 => {
                let cell = |_| {
                    (
                        draw::position(generator, &world.land.map),
                        generator.random_range(0..=9_u8) * class.min(1),
                    )
                };
                Self::Classes((0..count).map(cell).collect())
            }
            3..=5 => Self::ClassArea(Area::draw(generator, world), class),
            6 => Self::Voids((0..count / 4).map(|_| draw::position(generator, &world.land.map)).collect()),
            _ => Self::VoidArea(Area::draw(generator, world)),
        }
    }

    /// The same, cell by cell.
    pub(crate) fn edits(&self) -> Vec<LandEdit> {
        match self {
            Self::Classes(cells) => {
                cells.iter().map(|&(position, class)| LandEdit::Terrain(position, class)).collect()
            }
            Self::Voids(positions) => positions.iter().map(|&position| LandEdit::Void(position)).collect(),
            Self::ClassArea(area, class) => {
                area.positions().map(|position| LandEdit::Terrain(position, *class)).collect()
            }
            Self::VoidArea(area) => area.positions().map(LandEdit::Void).collect(),
        }
    }

    /// Makes the edit in the core. Says how many cells it has changed.
    pub(crate) fn apply(&self, world: &World, finder: &mut PathFinder) -> Result<usize, GridError> {
        match self {
            Self::Classes(cells) => {
                let cells: Vec<(Cell, u8)> =
                    cells.iter().map(|&(position, class)| (world.cell(position), class)).collect();
                finder.set_terrains(&cells)
            }
            Self::Voids(positions) => {
                let cells: Vec<Cell> = positions.iter().map(|&position| world.cell(position)).collect();
                finder.set_voids(&cells)
            }
            Self::ClassArea(area, class) => finder.set_terrain_in(area.bounds(world)?, *class),
            Self::VoidArea(area) => finder.set_void_in(area.bounds(world)?),
        }
    }
}
