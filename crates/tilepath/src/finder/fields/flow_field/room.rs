//! A field that stays in some chunks of its map.

use super::{FlowField, space};
use crate::{
    cost::Cost,
    dial::{
        dial_queue::{DialQueue, QueueKind},
        repair::best_offers,
        reversed::FieldNode,
    },
    finder::snapshot::MapSnapshot,
    movement_map::kept_portals::SIDE,
    search::{OpenList, records::NodeRecords},
    space::{corridor::Corridor, grid::GridNode},
};

impl FlowField {
    /// Restricts the field to these chunks, which include the chunks of its goals. It has not
    /// spread yet.
    pub(crate) fn confine(&mut self, room: Corridor) {
        self.room = Some(room);
    }

    /// Returns the chunks in which the field stays.
    pub(crate) const fn room(&self) -> Option<&Corridor> {
        self.room.as_ref()
    }

    /// Adds chunks to the field. It goes back to the lowest cost that they may lower, and settles
    /// the costs above it again while it [climbs](Self::is_climbing).
    pub(crate) fn open(&mut self, add: impl FnOnce(&mut Corridor)) {
        let Some(mut room) = self.room.take() else { return };
        let before = room.len();
        add(&mut room);
        let opened = room.beside_first(before).flat_map(|corner| at_border(&self.map, corner));
        let grid = space(&self.map);
        let is_goal = |node| self.goal_index(node).is_some();
        let offers = best_offers(&grid, |node| self.settled(&grid, node), is_goal, opened);
        self.room = Some(room);
        let climbs_to = self.climbs_to.max(self.settled_to);
        match offers {
            None => self.restart(),
            Some(offers) => self.go_back_to(offers),
        }
        self.climbs_to = climbs_to;
    }

    /// Sets the costs that are new, and continues from the lowest of them.
    fn go_back_to(&mut self, offers: Vec<(GridNode, Cost)>) {
        let kind =
            QueueKind::for_few(self.farthest.get().saturating_add(self.map.movement_map.max_step_cost()));
        let mut queue = DialQueue::new(kind);
        let mut lowest = Cost::MAX;
        let grid = space(&self.map);
        let (values, frontier) = self.search.parts_mut();
        for (node, cost) in offers {
            if !values.knows(grid.slot(node), cost) {
                values.set(grid.slot(node), cost);
                queue.push(cost, FieldNode::from(node));
                lowest = lowest.min(cost);
            }
        }
        if lowest == Cost::MAX {
            return;
        }
        // Waiting cells may have left out directions that lead into the new chunks, so all are
        // queued again.
        while let Some((cost, FieldNode { node, .. })) = frontier.pop() {
            queue.push(cost, node.into());
        }
        *frontier = queue;
        self.search.resume();
        self.settled_to = self.settled_to.min(Cost::new(lowest.get() - 1));
    }

    /// Returns whether some cells that were settled must be settled again.
    pub(crate) fn is_climbing(&self) -> bool {
        self.settled_to < self.climbs_to && !self.is_done()
    }

    /// Returns whether the field may spread over the whole map.
    pub(crate) fn is_everywhere(&self) -> bool {
        self.room.as_ref().is_none_or(Corridor::is_whole)
    }

    /// Returns the cost of an open node, if it is known.
    pub(crate) fn known(&self, node: GridNode) -> Option<Cost> {
        self.settled(&space(&self.map), node)
    }

    /// Returns the map state that the field describes.
    pub(crate) const fn map(&self) -> &MapSnapshot {
        &self.map
    }
}

/// Returns the cells at the border of a chunk. `corner` is the lowest cell of the chunk.
fn at_border(map: &MapSnapshot, corner: GridNode) -> impl Iterator<Item = GridNode> + use<> {
    let (last_x, last_y) =
        ((corner.x() + SIDE).min(map.bounds.width()) - 1, (corner.y() + SIDE).min(map.bounds.height()) - 1);
    let rows = corner.y()..=last_y;
    rows.flat_map(move |y| (corner.x()..=last_x).map(move |x| GridNode::new(x, y))).filter(move |node| {
        let (x, y) = (node.x(), node.y());
        x == corner.x() || x == last_x || y == corner.y() || y == last_y
    })
}
