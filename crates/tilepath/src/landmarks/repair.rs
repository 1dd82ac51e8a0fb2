//! The repair of tables after the floor sank.

use super::{
    floor::{FloorGround, START},
    tiles::{HIGHEST, LandmarkTables},
};
use crate::space::grid::GridNode;
use std::{cmp::Reverse, collections::BinaryHeap};

/// A repair of all tables after cells of the floor became cheaper or opened.
///
/// Costs only fall. A sunk cell changes the steps onto it, the steps from it, and the diagonal
/// steps past it, so the best offer to each cell around it is found again. Cells that became cheaper
/// offer their costs to their neighbours, in the order of the costs.
///
/// # Source
/// After Ramalingam and Reps, "An incremental algorithm for a generalization of the shortest-path
/// problem", Journal of Algorithms 21, 1996, without costs that rise.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    /// The cells whose costs may fall, in the order of their slots.
    around: Vec<GridNode>,
    table: usize,
    /// The cells of the present table that are already compared with their neighbours.
    compared: usize,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Repair {
    pub(super) const fn begin(around: Vec<GridNode>) -> Self {
        Self { around, table: 0, compared: 0, queue: BinaryHeap::new() }
    }

    /// Works for about `budget` units: one for each cell that is compared or settled. Returns the
    /// work, and whether the tables are repaired; an error if a path costs more than a table holds.
    pub(super) fn advance(
        &mut self,
        tables: &mut LandmarkTables,
        ground: &FloorGround<'_>,
        budget: u64,
    ) -> (u64, Result<bool, TooExpensive>) {
        let mut spent = 0;
        while self.table < tables.table_count() {
            if spent >= budget {
                return (spent, Ok(false));
            }
            spent += 1;
            let done = if self.compared < self.around.len() {
                self.compare(tables, ground)
            } else {
                self.settle(tables, ground)
            };
            if let Err(error) = done {
                return (spent, Err(error));
            }
        }
        (spent, Ok(true))
    }

    /// Compares the next cell with its neighbours.
    fn compare(&mut self, tables: &mut LandmarkTables, ground: &FloorGround<'_>) -> Result<(), TooExpensive> {
        let (node, table) = (self.around[self.compared], self.table);
        self.compared += 1;
        if ground.is_open(node)
            && let Some(cost) =
                ground.best_offer(node, tables.is_to_landmark(table), |node| tables.cost(table, node))
        {
            self.improve(tables, node, cost)?;
        }
        Ok(())
    }

    /// Lets the cheapest waiting cell offer its cost to its neighbours.
    fn settle(&mut self, tables: &mut LandmarkTables, ground: &FloorGround<'_>) -> Result<(), TooExpensive> {
        let Some(Reverse((cost, packed))) = self.queue.pop() else {
            (self.table, self.compared) = (self.table + 1, 0);
            return Ok(());
        };
        let node = GridNode::from_packed(packed);
        if tables.cost(self.table, node) != Some(cost) {
            return Ok(());
        }
        let mut done = Ok(());
        ground.offer((node, START), cost, tables.is_to_landmark(self.table), |neighbour, _, _, cost| {
            done = done.and(self.improve(tables, neighbour, cost()));
        });
        done
    }

    /// Sets a cost if it is lower than the known one.
    fn improve(
        &mut self,
        tables: &mut LandmarkTables,
        node: GridNode,
        cost: u32,
    ) -> Result<(), TooExpensive> {
        if tables.cost(self.table, node).is_some_and(|known| known <= cost) {
            return Ok(());
        }
        if cost > HIGHEST {
            return Err(TooExpensive);
        }
        tables.set(self.table, node, cost);
        self.queue.push(Reverse((cost, node.packed())));
        Ok(())
    }
}

/// A path costs more than a table holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooExpensive;
