//! Portals between chunks, for fast paths over large maps.
//!
//! Chunks have 16 × 16 cells. An entrance is a set of cells beside each other on both sides of the
//! border between two chunks. Both ends of an entrance are portals. Between them there are more
//! portals, at most eight cells apart.
//!
//! The cheapest paths between the portals of a chunk that stay inside it are computed when a search
//! first needs them. Their costs are kept until a cell of the chunk is edited.
//!
//! A search over portals looks at a dozen cells of a chunk instead of 256, and uses the costs
//! between them instead of the ground. The path that it finds need not be a cheapest one. But its
//! chunks are the corridor in which an exact search finds a nearly cheapest path.
//!
//! # Guarantee
//! There is a path over portals exactly if there is a path over cells, under every rule, even with
//! one-way steps.
//!
//! Proof: borders of chunks cut a path over cells into parts. All cells of an entrance are
//! connected by straight steps in both directions, on each side inside its chunk. All its steps
//! lead across in the same directions; if that changes, the entrance ends.
//!
//! A part from one entrance to another can therefore be replaced by a path inside the chunk,
//! between any two portals of these entrances. A diagonal step across a border is an entrance by
//! itself, unless two straight steps lead there too.
//!
//! # Source
//! Botea, Müller and Schaeffer, "Near optimal hierarchical path-finding", Journal of Game
//! Development 1, 2004: entrances and their two ends.
//!
//! Different here:
//! - portals all along an entrance, which make paths on ground of many costs several times better
//! - costs that depend on the direction
//! - chunks that are made when they are needed
//! - the exact search in the corridor
//!
//! Decision: `docs/decisions/19-near-paths.md`.

mod border;
pub(crate) mod chunk_search;
pub(crate) mod coarse_queue;
mod entrances;
pub(crate) mod guide;
pub(crate) mod space;
#[cfg(test)]
mod tests;

use self::{border::cell_at, chunk_search::ChunkSearch};
use crate::{
    bounds::Bounds,
    movement_map::{
        MovementMap,
        kept_portals::{KeptPortals, places_in},
    },
    space::grid::{GridNode, GridSpace},
};

/// A map under one movement, with its portals.
#[derive(Clone, Copy)]
pub(crate) struct PortalMap<'map> {
    grid: GridSpace<'map>,
    movement_map: &'map MovementMap,
    kept: &'map KeptPortals,
    width: u32,
    height: u32,
}

impl<'map> PortalMap<'map> {
    pub(crate) fn new(bounds: &Bounds, classes: &'map [u8], movement_map: &'map MovementMap) -> Self {
        Self {
            grid: GridSpace::new(bounds, classes, movement_map),
            movement_map,
            kept: movement_map.portals(bounds),
            width: bounds.width(),
            height: bounds.height(),
        }
    }

    /// Returns the portals of the chunk that contains a node, for pictures.
    pub(crate) fn portals_of(&self, node: GridNode) -> impl Iterator<Item = GridNode> + use<> {
        let chunk = self.kept.index(node.x(), node.y());
        let places = self.kept.get(chunk, || ChunkSearch::default().make(self, chunk)).places();
        places_in(places).map(move |place| cell_at(node, place))
    }
}
