//! Ways over large maps by way of few cells: portals between chunks of 16 × 16 cells.
//!
//! Where cells on both sides of the border between two chunks lie beside each other, they are an entrance; both ends of an entrance are
//! portals, and cells between them at most eight apart. What the cheapest ways between the portals of a chunk cost that stay inside
//! is found out when a search first comes to the chunk, and kept until a cell there is edited. A search over portals looks at a
//! dozen cells of a chunk in the place of 256, and at the costs between them in the place of the ground. The way that it finds need
//! not be a cheapest one; but the chunks that it leads through are the corridor in which an exact search finds one that is nearly so.
//!
//! # Guarantee
//! There is a way over portals exactly where there is one over cells, under every rule, also where steps go one way only. For a way
//! over cells is cut by the borders of chunks into parts. All cells of an entrance are connected by straight steps there and
//! back, on each side inside its chunk, and all its steps lead across in the same directions: an entrance ends where that ends.
//! So a part from one entrance to another is no more than a way inside the chunk between any portal of the one and any of the
//! other. A diagonal step across a border is an entrance by itself, unless two straight steps lead there too.
//!
//! # Source
//! Botea, Müller and Schaeffer, "Near optimal hierarchical path-finding", Journal of Game Development 1, 2004: entrances and their two
//! ends. Different here: portals all along an entrance, which makes ways on ground of many costs several times better; costs that
//! depend on the direction; chunks that are made when they are needed; and the exact search in the corridor.

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

    /// The portals of the chunk in which a node lies. For pictures.
    pub(crate) fn portals_of(&self, node: GridNode) -> impl Iterator<Item = GridNode> + use<> {
        let chunk = self.kept.index(node.x(), node.y());
        let places = self.kept.get(chunk, || ChunkSearch::default().make(self, chunk)).places();
        places_in(places).map(move |place| cell_at(node, place))
    }
}
