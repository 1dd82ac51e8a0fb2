//! Edits of a land as values, which can be drawn, printed and applied twice.

use crate::Land;

/// A rectangle of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LandArea {
    /// The position with the lowest column and row.
    pub corner: (i32, i32),
    /// The number of columns and rows.
    pub size: (i32, i32),
}

impl LandArea {
    /// Returns the positions row by row, the lowest row first.
    pub fn positions(self) -> impl Iterator<Item = (i32, i32)> {
        let Self { corner: (x, y), size: (width, height) } = self;
        (y..y + height).flat_map(move |y| (x..x + width).map(move |x| (x, y)))
    }
}

/// An edit as plain data, with all kinds of the library's edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LandEdit {
    /// A cell gets a class.
    Terrain((i32, i32), u8),
    /// All cells of a rectangle get a class.
    TerrainIn(LandArea, u8),
    /// A cell leaves the map.
    Void((i32, i32)),
    /// All cells of a rectangle leave the map.
    VoidIn(LandArea),
    /// A cell gets a value in an overlay.
    Overlay(String, (i32, i32), u64),
    /// All cells of a rectangle get a value in an overlay.
    OverlayIn(String, LandArea, u64),
    /// An overlay loses all its values.
    ClearOverlay(String),
    /// A cell gets exits.
    Exits((i32, i32), u8),
    /// The step back is closed.
    OneWay((i32, i32), (i32, i32)),
    /// The steps in both directions are closed.
    Fence((i32, i32), (i32, i32)),
    /// The steps in both directions are opened.
    OpenEdge((i32, i32), (i32, i32)),
    /// A cell gets a ledge in a direction.
    Ledge((i32, i32), usize),
}

impl LandEdit {
    /// Applies the edit and returns the number of changes: cells for classes, voids, overlays and
    /// sets of exits; single exits for all others.
    pub fn apply(&self, land: &mut Land) -> usize {
        match self {
            Self::Terrain(position, class) => usize::from(land.set_terrain(*position, *class)),
            Self::TerrainIn(area, class) => count(*area, |position| land.set_terrain(position, *class)),
            Self::Void(position) => usize::from(land.set_void(*position)),
            Self::VoidIn(area) => count(*area, |position| land.set_void(position)),
            Self::Overlay(name, position, value) => usize::from(land.set_overlay(name, *position, *value)),
            Self::OverlayIn(name, area, value) => {
                count(*area, |position| land.set_overlay(name, position, *value))
            }
            Self::ClearOverlay(name) => land.clear_overlay(name),
            Self::Exits(position, exits) => usize::from(land.set_exits(*position, *exits)),
            Self::OneWay(from, to) => usize::from(land.one_way(*from, *to)),
            Self::Fence(from, to) => land.fence(*from, *to),
            Self::OpenEdge(from, to) => land.open_edge(*from, *to),
            Self::Ledge(position, down) => land.ledge(*position, *down),
        }
    }
}

fn count(area: LandArea, mut has_changed: impl FnMut((i32, i32)) -> bool) -> usize {
    area.positions().filter(|&position| has_changed(position)).count()
}
