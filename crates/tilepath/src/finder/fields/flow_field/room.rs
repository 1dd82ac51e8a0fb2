//! A field that stays in some chunks of its map.

use super::{FlowField, space};
use crate::{
    cost::Cost,
    finder::snapshot::MapSnapshot,
    movement_map::kept_portals::SIDE,
    space::{corridor::Corridor, grid::GridNode},
};

impl FlowField {
    /// From here on it stays in these chunks, among which those of its goals are. It has not spread yet.
    pub(crate) fn confine(&mut self, room: Corridor) {
        self.room = Some(room);
    }

    /// The chunks in which it stays.
    pub(crate) const fn room(&self) -> Option<&Corridor> {
        self.room.as_ref()
    }

    /// Lets it into more chunks: what was settled is settled again, up to the same cost, and where ways through these chunks
    /// are cheaper it costs less.
    pub(crate) fn open(&mut self, add: impl FnOnce(&mut Corridor)) {
        let Some(room) = &mut self.room else { return };
        let before = room.len();
        add(room);
        let opened = room.beside_first(before).flat_map(|corner| at_border(&self.map, corner)).collect();
        self.spread_to(opened);
    }

    /// Whether it may spread everywhere.
    pub(crate) fn is_everywhere(&self) -> bool {
        self.room.as_ref().is_none_or(Corridor::is_whole)
    }

    /// The cost of an open node, if it is known.
    pub(crate) fn known(&self, node: GridNode) -> Option<Cost> {
        self.settled(&space(&self.map), node)
    }

    /// The state of the map that it tells of.
    pub(crate) const fn map(&self) -> &MapSnapshot {
        &self.map
    }
}

/// The cells at the border of a chunk of which the lowest cell is this.
fn at_border(map: &MapSnapshot, corner: GridNode) -> impl Iterator<Item = GridNode> + use<> {
    let (last_x, last_y) =
        ((corner.x() + SIDE).min(map.bounds.width()) - 1, (corner.y() + SIDE).min(map.bounds.height()) - 1);
    let rows = corner.y()..=last_y;
    rows.flat_map(move |y| (corner.x()..=last_x).map(move |x| GridNode::new(x, y))).filter(move |node| {
        let (x, y) = (node.x(), node.y());
        x == corner.x() || x == last_x || y == corner.y() || y == last_y
    })
}
