//! The claims of one tilemap's tiles on its cells.

#[cfg(feature = "tilemap")]
use std::collections::HashMap;

#[cfg(feature = "tilemap")]
use bevy_ecs::entity::Entity;
use bevy_math::IVec2;
use tilepath::{Bounds, Cell, GridError};
#[cfg(feature = "tilemap")]
use tracing::warn;

use crate::{
    map::terrain::TextureTerrain,
    sync::tilemap::geometry::{TilemapGeometry, TilemapKind},
};

/// The claim of a tile on its cell. The larger claim wins: a wall, then the larger class, then a
/// tile without a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Claim(u16);

impl Claim {
    pub(crate) const NO_TILE: Self = Self(0);
    const UNNAMED: Self = Self(1);
    const WALL: Self = Self(257);

    pub(crate) fn of(class: Option<u8>) -> Self {
        match class {
            None => Self::UNNAMED,
            Some(0) => Self::WALL,
            Some(class) => Self(u16::from(class) + 1),
        }
    }

    /// Returns the class that decides the cell, if there is a tile with a class.
    pub(crate) fn class(self) -> Option<u8> {
        match self {
            Self::NO_TILE | Self::UNNAMED => None,
            Self::WALL => Some(0),
            Self(rank) => Some((rank - 1) as u8),
        }
    }

    /// Returns whether there is a tile without a class.
    pub(crate) fn is_unnamed(self) -> bool {
        self == Self::UNNAMED
    }
}

/// The cells of one tilemap, two bytes each.
///
/// A cell holds its winning claim. A few cells have several tiles: their losing claims lie in a
/// separate map. Tiles remember their own claim, so that no cell has to remember its tiles.
pub(crate) struct LayerClaims {
    kind: TilemapKind,
    bounds: Bounds,
    table: Option<TextureTerrain>,
    /// The number of this filling of the cells. A tile that was entered in another filling has
    /// nothing to leave.
    epoch: u32,
    winners: Vec<Claim>,
    /// The number of cells with at least one tile.
    occupied: usize,
    changed_cells: Vec<u32>,
    #[cfg(feature = "tilemap")]
    losers: HashMap<u32, Vec<Claim>>,
    #[cfg(feature = "tilemap")]
    conflict_told: bool,
}

impl LayerClaims {
    /// Creates empty cells, to be filled from all tiles.
    pub(crate) fn new(
        geometry: &TilemapGeometry,
        table: Option<&TextureTerrain>,
        epoch: u32,
    ) -> Result<Self, GridError> {
        let bounds = Bounds::new(Cell::new(0, 0), geometry.width, geometry.height)?;
        Ok(Self {
            kind: geometry.kind,
            bounds,
            table: table.cloned(),
            epoch,
            winners: vec![Claim::NO_TILE; bounds.cell_count()],
            occupied: 0,
            changed_cells: Vec::new(),
            #[cfg(feature = "tilemap")]
            losers: HashMap::new(),
            #[cfg(feature = "tilemap")]
            conflict_told: false,
        })
    }

    /// Returns whether the tilemap still has this kind, this size and these texture classes.
    pub(crate) fn fits(&self, geometry: &TilemapGeometry, table: Option<&TextureTerrain>) -> bool {
        (self.kind, self.width(), self.height()) == (geometry.kind, geometry.width, geometry.height)
            && self.table.as_ref() == table
    }

    pub(crate) fn kind(&self) -> TilemapKind {
        self.kind
    }

    #[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
    pub(crate) fn table(&self) -> Option<&TextureTerrain> {
        self.table.as_ref()
    }

    pub(crate) fn epoch(&self) -> u32 {
        self.epoch
    }

    pub(crate) fn width(&self) -> u32 {
        self.bounds.width()
    }

    pub(crate) fn height(&self) -> u32 {
        self.bounds.height()
    }

    pub(crate) fn slot(&self, x: u32, y: u32) -> Option<u32> {
        (x < self.width() && y < self.height()).then(|| y * self.width() + x)
    }

    /// Returns the winning claims of a row, from the west.
    pub(crate) fn row(&self, y: u32) -> &[Claim] {
        let start = y as usize * self.width() as usize;
        &self.winners[start..start + self.width() as usize]
    }

    /// Returns whether no cell has a tile.
    pub(crate) fn is_bare(&self) -> bool {
        self.occupied == 0
    }

    /// Returns the number of cells with at least one tile.
    pub(crate) fn occupied_count(&self) -> usize {
        self.occupied
    }

    /// Returns the winning claim at a tile's place, or `None` beyond the tilemap.
    pub(crate) fn claim_at(&self, tile: IVec2) -> Option<Claim> {
        let slot = self.slot(u32::try_from(tile.x).ok()?, u32::try_from(tile.y).ok()?)?;
        Some(self.winners[slot as usize])
    }

    pub(crate) fn has_changed_cells(&self) -> bool {
        !self.changed_cells.is_empty()
    }

    /// Replaces the claims of all cells, row by row from the south. No cell has several tiles.
    pub(crate) fn set_all(&mut self, claims: impl Iterator<Item = Claim>) {
        for (slot, (winner, claim)) in (0..).zip(self.winners.iter_mut().zip(claims)) {
            if *winner == claim {
                continue;
            }
            self.occupied += usize::from(*winner == Claim::NO_TILE);
            self.occupied -= usize::from(claim == Claim::NO_TILE);
            *winner = claim;
            self.changed_cells.push(slot);
        }
    }

    /// Returns the cells whose winner changed since the list was last cleared, as columns and rows.
    /// Some are listed more than once.
    pub(crate) fn changed_cells(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let width = self.width();
        self.changed_cells.iter().map(move |slot| (slot % width, slot / width))
    }

    pub(crate) fn forget_changed_cells(&mut self) {
        self.changed_cells.clear();
    }
}

/// The tiles of tilemaps whose tiles are entities.
#[cfg(feature = "tilemap")]
impl LayerClaims {
    /// Copies from an older filling of the tilemap which warnings were given.
    pub(crate) fn after(self, older: Option<&Self>) -> Self {
        Self { conflict_told: older.is_some_and(|older| older.conflict_told), ..self }
    }

    pub(crate) fn class_of_texture(&self, texture_index: u32) -> Option<u8> {
        self.table()?.class_of(texture_index)
    }

    /// Enters a tile into a cell.
    pub(crate) fn enter(&mut self, slot: u32, claim: Claim) {
        let winner = &mut self.winners[slot as usize];
        if *winner == Claim::NO_TILE {
            self.occupied += 1;
        } else {
            self.losers.entry(slot).or_default().push(claim.min(*winner));
        }
        if claim > *winner {
            *winner = claim;
            self.changed_cells.push(slot);
        }
    }

    /// Removes a tile from the cell that it entered with this claim.
    pub(crate) fn leave(&mut self, slot: u32, claim: Claim) {
        let winner = &mut self.winners[slot as usize];
        let wins = *winner == claim;
        let Some(losers) = self.losers.get_mut(&slot) else {
            debug_assert!(wins, "the only tile of a cell holds its claim");
            *winner = Claim::NO_TILE;
            self.occupied -= 1;
            self.changed_cells.push(slot);
            return;
        };
        let next = if wins { losers.iter().max().copied() } else { Some(claim) };
        let position = next.and_then(|next| losers.iter().position(|&loser| loser == next));
        debug_assert!(position.is_some(), "a contested cell remembers every claim");
        if let Some(position) = position {
            let next = losers.swap_remove(position);
            if wins && next != *winner {
                *winner = next;
                self.changed_cells.push(slot);
            }
        }
        if losers.is_empty() {
            self.losers.remove(&slot);
        }
    }

    /// Warns, once for each tilemap, if several tiles lie on one cell.
    pub(crate) fn warn_of_conflict(&mut self, tilemap: Entity) {
        if self.conflict_told || self.losers.is_empty() {
            return;
        }
        self.conflict_told = true;
        if let Some(cell) = self.losers.keys().min().and_then(|&slot| self.bounds.cell(slot as usize)) {
            warn!(
                "several tiles of tilemap {tilemap} lie on cell {cell}: a wall wins, then the larger class; \
                 give each tile a cell of its own or put one of them on another NavLayer"
            );
        }
    }
}

#[cfg(feature = "tilemap")]
#[cfg(test)]
mod tests {
    use super::*;

    fn layer() -> LayerClaims {
        LayerClaims::new(&TilemapGeometry::of_entities(3, 2), None, 0).unwrap()
    }

    fn winner(layer: &LayerClaims, x: i32, y: i32) -> Claim {
        layer.claim_at(IVec2::new(x, y)).unwrap()
    }

    #[test]
    fn a_wall_wins_over_every_class_and_a_larger_class_over_a_smaller() {
        let mut layer = layer();
        for class in [Some(3), None, Some(0), Some(200), Some(1)] {
            layer.enter(4, Claim::of(class));
        }
        let mut classes = vec![];
        for class in [Some(0), Some(200), Some(3), Some(1)] {
            classes.push(winner(&layer, 1, 1).class());
            layer.leave(4, Claim::of(class));
        }
        assert_eq!(classes, [Some(0), Some(200), Some(3), Some(1)]);
        assert!(winner(&layer, 1, 1).is_unnamed());
        layer.leave(4, Claim::of(None));
        assert_eq!(winner(&layer, 1, 1), Claim::NO_TILE);
        assert!(layer.is_bare());
        assert!(layer.losers.is_empty(), "a cell with at most one tile has no losers");
    }

    #[test]
    fn a_losing_tile_leaves_without_a_trace() {
        let mut layer = layer();
        layer.enter(0, Claim::of(Some(5)));
        layer.enter(0, Claim::of(Some(2)));
        layer.forget_changed_cells();
        layer.leave(0, Claim::of(Some(2)));
        assert_eq!(winner(&layer, 0, 0).class(), Some(5));
        assert_eq!(layer.changed_cells().count(), 0);
    }

    #[test]
    fn two_equal_tiles_leave_one_after_the_other() {
        let mut layer = layer();
        layer.enter(5, Claim::of(Some(7)));
        layer.enter(5, Claim::of(Some(7)));
        layer.leave(5, Claim::of(Some(7)));
        assert_eq!(winner(&layer, 2, 1).class(), Some(7));
        assert!(!layer.is_bare());
        layer.leave(5, Claim::of(Some(7)));
        assert_eq!(winner(&layer, 2, 1), Claim::NO_TILE);
    }

    #[test]
    fn every_class_comes_back_from_its_claim() {
        for class in 0..=u8::MAX {
            assert_eq!(Claim::of(Some(class)).class(), Some(class));
        }
        assert_eq!(Claim::of(None).class(), None);
    }
}
