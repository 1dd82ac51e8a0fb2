//! Jump points to each of several cells that are as close to the goal.

use crate::{
    cost::Cost,
    finder::{grid_engine::GridEngine, snapshot::MapSnapshot},
    regions::ClosestCells,
    search::heuristic::Heuristic,
    space::grid::GridNode,
    space::octile_distance::OctileDistance,
};

/// The cells that are closest to a goal out of reach, few enough to search a way to each: one after the other, as long as the
/// rest may cost less than the best. Of equals the one of the smallest slot counts.
///
/// One search for all of them would have to expand every cell on its way, because jump points pass cells by.
#[derive(Debug)]
pub(crate) struct Rivals {
    /// Those that wait, the one that looks nearest to the start last.
    waiting: [GridNode; ClosestCells::LISTED],
    count: usize,
    from_start: OctileDistance,
    best: Option<Best>,
    /// The work of all searches that are over.
    expanded: u64,
    generated: u64,
    is_settled: bool,
}

#[derive(Debug)]
struct Best {
    /// Compares as the rule says: packed nodes compare as their slots do.
    rank: (Cost, u32),
    search: GridEngine,
}

impl Rivals {
    /// The first cell to search a way to, and the others.
    pub(crate) fn new(map: &MapSnapshot, start: GridNode, cells: &[GridNode]) -> Option<(GridNode, Self)> {
        let from_start = OctileDistance::new(&map.movement_map, start);
        let mut waiting = [GridNode::new(0, 0); ClosestCells::LISTED];
        waiting.get_mut(..cells.len())?.copy_from_slice(cells);
        let rank = |cell: &GridNode| std::cmp::Reverse((from_start.estimate(*cell), cell.packed()));
        waiting[..cells.len()].sort_unstable_by_key(rank);
        let count = cells.len().checked_sub(1)?;
        let others =
            Self { waiting, count, from_start, best: None, expanded: 0, generated: 0, is_settled: false };
        Some((waiting[count], others))
    }

    /// A search is over. Puts in its place the search for the next cell that may be better, and says so, or the best search of
    /// all.
    pub(crate) fn settle(&mut self, map: &MapSnapshot, start: GridNode, current: &mut GridEngine) -> bool {
        self.expanded += current.expanded();
        self.generated += current.generated();
        let reached = current.reached().map(|(node, cost)| (cost, node.packed()));
        let is_better =
            |rank: (Cost, u32), best: &Option<Best>| best.as_ref().is_none_or(|best| rank < best.rank);
        let leads = reached.filter(|&rank| is_better(rank, &self.best));
        let best_rank = leads.or(self.best.as_ref().map(|best| best.rank));
        while let Some(count) = self.count.checked_sub(1) {
            self.count = count;
            let next = self.waiting[count];
            let least = (self.from_start.estimate(next), next.packed());
            if best_rank.is_none_or(|best| least < best) {
                let search = std::mem::replace(current, current.reopen(map, start, next));
                if let Some(rank) = leads {
                    self.best = Some(Best { rank, search });
                }
                return true;
            }
        }
        if leads.is_none()
            && let Some(best) = self.best.take()
        {
            *current = best.search;
        }
        self.is_settled = true;
        false
    }

    /// Whether the best one is known.
    pub(crate) const fn are_settled(&self) -> bool {
        self.is_settled
    }

    /// Expansions and entries of the searches that are over.
    pub(crate) const fn work(&self) -> (u64, u64) {
        (self.expanded, self.generated)
    }
}
