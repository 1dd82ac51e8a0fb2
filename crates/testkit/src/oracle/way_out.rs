//! The steps by which a unit leaves closed ground, by brute force.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::Oracle;
use crate::{DIRECTIONS, steps::Steps};

type Position = (i32, i32);

/// The most closed anchors that a unit may take.
const MOST_CLOSED: usize = 16;

impl Oracle {
    /// Returns the closed anchors and the open anchor by which a unit leaves closed ground. Returns
    /// nothing if it starts on open ground, if it leaves the ground at once over the cells under it, or
    /// if it is locked in.
    ///
    /// The fewest closed anchors decide, then the cost, then the directions in compass order: all
    /// chains are tried in this order.
    ///
    /// ```
    /// use testkit::{DiagonalRule, Oracle, Rules, TileMap};
    /// let map = TileMap::new("row", 4, 1, vec![0, 0, 0, 1]);
    /// let oracle = Oracle::new(&map, &Rules::classic(DiagonalRule::Always));
    /// assert_eq!(oracle.way_out((0, 0)), [(0, 0), (1, 0), (2, 0), (3, 0)]);
    /// assert!(oracle.way_out((2, 0)).is_empty(), "it is beside the open cell");
    /// ```
    #[must_use]
    pub fn way_out(&self, start: Position) -> Vec<Position> {
        if self.is_open(start) || self.leaves_at_once(start) {
            return Vec::new();
        }
        let mut waiting = BinaryHeap::from([Reverse((0, 0, Vec::new(), start))]);
        let mut done = BTreeSet::new();
        while let Some(Reverse((closed, cost, turns, anchor))) = waiting.pop() {
            if self.is_open(anchor) {
                return walked(start, &turns);
            }
            if closed == MOST_CLOSED || !done.insert(anchor) {
                continue;
            }
            let steps = Steps { start: Some(anchor), digs: true, ..self.steps(None, &[]) };
            for (number, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
                let entered = (anchor.0 + dx, anchor.1 + dy);
                if let Some(step) = steps.cost(anchor, entered) {
                    let turns = [&turns[..], &[number]].concat();
                    waiting.push(Reverse((closed + 1, cost + step, turns, entered)));
                }
            }
        }
        Vec::new()
    }

    /// Returns whether a unit reaches open ground over the closed cells under it alone.
    fn leaves_at_once(&self, start: Position) -> bool {
        let steps = self.steps(Some(start), &[]);
        let (mut seen, mut waiting) = (BTreeSet::from([start]), vec![start]);
        while let Some(anchor) = waiting.pop() {
            for (dx, dy) in DIRECTIONS {
                let entered = (anchor.0 + dx, anchor.1 + dy);
                if steps.cost(anchor, entered).is_none() {
                    continue;
                }
                if self.is_open(entered) {
                    return true;
                }
                if seen.insert(entered) {
                    waiting.push(entered);
                }
            }
        }
        false
    }
}

/// Returns the anchors of a walk with these directions.
fn walked(start: Position, turns: &[usize]) -> Vec<Position> {
    let mut anchors = vec![start];
    for &number in turns {
        let (dx, dy) = DIRECTIONS[number];
        let last = anchors[anchors.len() - 1];
        anchors.push((last.0 + dx, last.1 + dy));
    }
    anchors
}
