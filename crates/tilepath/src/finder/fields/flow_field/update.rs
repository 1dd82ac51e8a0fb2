//! Updates of a field after edits of its map.

use super::{FlowField, problem, space};
use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    dial::{
        dial_queue::{DialQueue, QueueKind},
        repair::{Repair, Repaired},
        reversed::FieldNode,
    },
    finder::{PathFinder, outcome::QueryError, snapshot::MapSnapshot},
    movement_map::area::EditedAreas,
    search::{OpenList, observer::Visits},
    space::grid::GridNode,
};
use std::sync::Arc;

/// The result of [`FlowField::update`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FieldUpdate {
    /// No change of the map affects the field.
    Unchanged,
    /// Only the part that the edits affect was computed again.
    Repaired {
        /// The number of dropped costs plus the number of cells expanded again.
        cells: u64,
    },
    /// The whole field was computed again, as far as it had spread before.
    Rebuilt,
    /// A repair would cost too much: no cell is settled any more, and the field starts again.
    Restarted,
}

impl FlowField {
    /// Brings the field up to date with the finder's map: it repairs the field, or computes it
    /// again if that is cheaper. After the update, costs are final up to the same cost as before. A
    /// paused field continues from this cost.
    ///
    /// If the map was [resized](PathFinder::resize), each side that moved counts as an edit of the
    /// cells along it.
    ///
    /// # Errors
    /// - [`QueryError::UnknownMovement`], [`QueryError::GoalOutOfBounds`]: the finder does not have
    ///   the field's movement, or a goal is not on its map any more. The field is unchanged.
    ///
    /// # Complexity
    /// O(cells whose cost changes) for a repair, and O(cells settled) in the worst case. There are
    /// three worst cases: the edits cut the paths of a quarter of the cells, the edits are older
    /// than the map's change journal, or the rules of the movement changed.
    ///
    /// # Guarantee
    /// Every answer is equal to the answer of a new field with the same progress.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, field::FieldUpdate};
    /// let mut finder = PathFinder::new(Grid::new(60, 60, 1)?, Movement::new());
    /// let mut field = finder.field(&[Cell::new(0, 0)])?;
    /// finder.set_terrain(Cell::new(40, 40), 0)?; // on the diagonal
    /// assert!(matches!(field.update(&finder)?, FieldUpdate::Repaired { cells } if cells < 400));
    /// assert_eq!(field.cost(Cell::new(41, 41)), Some(Cost::new(39 * 14 + 4 * 10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update(&mut self, finder: &PathFinder) -> Result<FieldUpdate, QueryError> {
        self.update_or_restart(finder, u64::MAX).map(|update| match update {
            FieldUpdate::Restarted => self.rebuild(),
            update => update,
        })
    }

    /// Updates the field within a budget of [work](Self::work). If a repair would exceed the
    /// budget, nothing is repaired: the field starts again, and runs in slices.
    ///
    /// # Errors
    /// See [`update`](Self::update).
    ///
    /// # Complexity
    /// O(work + cells that wait to be expanded).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, field::FieldUpdate};
    /// let mut finder = PathFinder::new(Grid::new(60, 60, 1)?, Movement::new());
    /// let mut field = finder.field(&[Cell::new(0, 0)])?;
    /// finder.set_terrain(Cell::new(1, 1), 0)?; // cuts the paths from half of the map
    /// assert_eq!(field.update_within(&finder, 10)?, FieldUpdate::Restarted);
    /// assert_eq!(field.cost(Cell::new(40, 40)), None);
    /// field.advance(u64::MAX);
    /// assert_eq!(field.cost(Cell::new(40, 40)), Some(Cost::new(38 * 14 + 4 * 10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_within(&mut self, finder: &PathFinder, budget: u64) -> Result<FieldUpdate, QueryError> {
        let update = self.update_or_restart(finder, budget)?;
        if update == FieldUpdate::Restarted {
            self.restart();
        }
        Ok(update)
    }

    /// Repairs the field, or returns [`FieldUpdate::Restarted`]. Then the caller must restart the
    /// field: its costs are invalid.
    fn update_or_restart(&mut self, finder: &PathFinder, most: u64) -> Result<FieldUpdate, QueryError> {
        self.leading.take();
        let map = finder.snapshot(self.query.movement())?;
        self.goals = finder.field_goals(&self.query, map.movement_map.movement())?;
        let edited = self.edited(finder, &map);
        self.finder = Arc::downgrade(&finder.pool);
        let Some(edited) = edited else {
            self.map = map;
            return Ok(FieldUpdate::Restarted);
        };
        if edited.is_empty() {
            self.follow(finder, map, &edited);
            return Ok(FieldUpdate::Unchanged);
        }
        self.first_goals.forget();
        let left = self.keep_promises(most);
        self.follow(finder, map, &edited);
        // After a dropped cost, the search has no record of what it missed.
        let left = left.filter(|_| !self.search.has_overflowed());
        Ok(left.map_or(FieldUpdate::Restarted, |left| self.repair(&edited, left)))
    }

    /// Returns the cells that differ from the field's map, by slot. Returns `None` if a repair
    /// cannot handle the difference.
    fn edited(&self, finder: &PathFinder, map: &MapSnapshot) -> Option<Vec<GridNode>> {
        let is_same_map = std::ptr::eq(self.finder.as_ptr(), Arc::as_ptr(&finder.pool));
        let is_same_queue = QueueKind::for_few(self.map.movement_map.max_step_cost())
            == QueueKind::for_few(map.movement_map.max_step_cost());
        let is_same_kind = self.map.movement_map.is_of_kind(&map.movement_map);
        if !is_same_map || !is_same_queue || !is_same_kind {
            return None;
        }
        let (before, after) = (&self.map.bounds, &map.bounds);
        let mut edited = self.beside_moved_sides(map);
        for cell in finder.grid.changes_since(self.map.revision)? {
            if !before.contains(cell) || !after.contains(cell) {
                continue;
            }
            for (x, y) in map.movement_map.touched(&finder.grid, cell)?.cells() {
                if self.differs_at(map, after.global(x, y)) {
                    edited.push(GridNode::new(x, y));
                }
            }
        }
        edited.sort_unstable_by_key(|node| node.packed());
        edited.dedup();
        Some(edited)
    }

    /// Returns the cells in both maps that a resize may have changed. The repair itself reaches
    /// cells whose path came from a removed part.
    fn beside_moved_sides(&self, map: &MapSnapshot) -> Vec<GridNode> {
        let (before, after) = (&self.map.bounds, &map.bounds);
        let kept = before.undisturbed(after, 1, map.movement_map.movement().size().side().into());
        let parts = before.shared(after).outside(&kept);
        parts.iter().flat_map(Bounds::cells).filter_map(|cell| GridNode::of(after, cell)).collect()
    }

    /// Returns whether a cell differs from the field's map, in its cost or in the steps out of it.
    fn differs_at(&self, map: &MapSnapshot, cell: Cell) -> bool {
        let (Some(old), Some(new)) = (self.map.bounds.slot(cell), map.bounds.slot(cell)) else {
            return false;
        };
        if map.movement_map.is_plain() {
            return self.map.classes[old] != map.classes[new];
        }
        let is_priced_by_class = !map.movement_map.movement().class_steps().is_empty();
        is_priced_by_class && self.map.classes[old] != map.classes[new]
            || self.map.plane().entry_costs(old) != map.plane().entry_costs(new)
            || self.map.movement_map.listed_at(old) != map.movement_map.listed_at(new)
            || self.map.plane().surcharge_row(old) != map.plane().surcharge_row(new)
    }

    /// Makes sure that the neighbours of all settled cells have the offers of these cells.
    ///
    /// A paused search may have left a neighbour out, because a waiting cell beside it offers the
    /// same cost. After an edit that cell may not offer it any more. So the search runs on until
    /// all offers of settled cells exist. The cells expanded for this wait again and count as not
    /// settled.
    ///
    /// Returns the rest of the budget, or `None` if the budget was too small.
    fn keep_promises(&mut self, most: u64) -> Option<u64> {
        let before = self.work();
        if self.is_done() || !space(&self.map).leaves_out() {
            return most.checked_sub(self.work() - before);
        }
        let largest_offer =
            u64::from(self.settled_to.get()) + u64::from(self.map.movement_map.max_step_cost());
        let grid = space(&self.map);
        let mut ahead = Vec::new();
        while ahead.last().is_none_or(|&(_, cost): &(FieldNode, Cost)| u64::from(cost.get()) <= largest_offer)
            && !self.search.is_done()
        {
            if self.work() - before > most {
                return None;
            }
            let mut visits = Visits(|FieldNode { node, .. }, cost| ahead.push((node.into(), cost)));
            self.search.step(&problem(&grid), &mut visits);
        }
        if self.search.is_done() {
            self.settled_to = ahead.last().map_or(self.settled_to, |&(_, cost)| cost);
            self.note_progress();
        } else {
            let (_, frontier) = self.search.parts_mut();
            for (node, cost) in ahead {
                frontier.push(cost, node);
            }
        }
        most.checked_sub(self.work() - before)
    }

    /// Takes over the finder's state of the map.
    ///
    /// If only the field holds its old state, it edits that state instead of sharing the finder's.
    /// Then the finder need not copy its own state at the next edit.
    fn follow(&mut self, finder: &PathFinder, map: MapSnapshot, edited: &[GridNode]) {
        if map.bounds != self.map.bounds {
            self.move_to(&map.bounds);
            self.map = map;
            return;
        }
        if !map.movement_map.is_plain() {
            self.map = map;
            return;
        }
        let MapSnapshot { classes, movement_map, .. } = &mut self.map;
        let (Some(own_classes), Some(own_layer)) = (Arc::get_mut(classes), Arc::get_mut(movement_map)) else {
            self.map = map;
            return;
        };
        let cells = EditedAreas::of(edited.iter().map(|node| (node.x(), node.y())));
        own_layer.follow_edits(&finder.grid, &cells, |_| ());
        for node in edited {
            let slot = map.bounds.slot(node.cell(&map.bounds));
            if let Some(slot) = slot {
                own_classes[slot] = map.classes[slot];
            }
        }
        self.map.revision = map.revision;
    }

    /// Moves the known costs and the waiting cells to their slots in the new bounds.
    fn move_to(&mut self, after: &Bounds) {
        let before = self.map.bounds;
        let (values, frontier) = self.search.parts_mut();
        values.move_to(&before, after);
        let mut waiting = Vec::new();
        while let Some((cost, FieldNode { node, .. })) = frontier.pop() {
            waiting.extend(GridNode::of(after, node.cell(&before)).map(|node| (cost, node)));
        }
        for (cost, node) in waiting {
            frontier.push(cost, node.into());
        }
    }

    fn repair(&mut self, edited: &[GridNode], most: u64) -> FieldUpdate {
        let goals = self.open_goals();
        let most_invalid = (self.search.expanded() / 4) as usize;
        if edited.len() > most_invalid {
            return FieldUpdate::Restarted;
        }
        // The costs to repair may differ by as much as any two costs of the field.
        let mut queue = DialQueue::new(QueueKind::for_few(
            self.farthest.get().saturating_add(self.map.movement_map.max_step_cost()),
        ));
        let (values, frontier) = self.search.parts_mut();
        let mut repair = Repair {
            space: space(&self.map),
            values,
            frontier,
            settled_to: self.settled_to,
            queue: &mut queue,
            goals: &goals,
            most_invalid,
            most_cells: most,
            cells: 0,
        };
        let repaired = repair.run(edited);
        let cells = repair.cells;
        self.repaired += cells;
        match repaired {
            Repaired::Done { farthest } => {
                self.farthest = self.farthest.max(farthest);
                FieldUpdate::Repaired { cells }
            }
            Repaired::GaveUp => FieldUpdate::Restarted,
        }
    }

    /// Computes the whole field again, as far as it had spread.
    fn rebuild(&mut self) -> FieldUpdate {
        let (settled_to, was_done) = (self.settled_to, self.is_done());
        self.restart();
        if was_done {
            self.advance(u64::MAX);
        } else {
            while self.settled_to < settled_to && !self.is_done() {
                self.advance(1);
            }
        }
        FieldUpdate::Rebuilt
    }
}
