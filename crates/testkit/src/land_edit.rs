//! Edits of a land as values, so that they can be drawn, shown and made twice.

use crate::Land;

/// One edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LandEdit {
    /// A cell gets a class.
    Terrain((i32, i32), u8),
    /// A cell leaves the map.
    Void((i32, i32)),
    /// Cells get values in an overlay, one after the other.
    Overlay(String, Vec<((i32, i32), u64)>),
    /// An overlay loses all its values.
    ClearOverlay(String),
    /// A cell gets exits.
    Exits((i32, i32), u8),
    /// Closes the step back.
    OneWay((i32, i32), (i32, i32)),
    /// Closes the steps there and back.
    Fence((i32, i32), (i32, i32)),
    /// Opens the steps there and back.
    OpenEdge((i32, i32), (i32, i32)),
    /// Cells get a ledge in a direction.
    Ledge(Vec<(i32, i32)>, usize),
}

impl LandEdit {
    /// Makes the edit. Says how much it has changed: cells for overlays, otherwise 1 or 0.
    pub fn apply(&self, land: &mut Land) -> usize {
        usize::from(match self {
            Self::Overlay(name, values) => {
                return values
                    .iter()
                    .filter(|&&(position, value)| land.set_overlay(name, position, value))
                    .count();
            }
            Self::ClearOverlay(name) => return land.clear_overlay(name),
            Self::Terrain(position, class) => land.set_terrain(*position, *class),
            Self::Void(position) => land.set_void(*position),
            Self::Exits(position, exits) => land.set_exits(*position, *exits),
            Self::OneWay(from, to) => land.one_way(*from, *to),
            Self::Fence(from, to) => land.fence(*from, *to),
            Self::OpenEdge(from, to) => land.open_edge(*from, *to),
            Self::Ledge(cells, down) => land.ledge(cells, *down),
        })
    }
}
