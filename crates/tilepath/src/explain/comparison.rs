//! Comparison of a proposed route with the cheapest one.

use crate::{
    cell::Cell,
    cost::Cost,
    explain::{receipt::Receipt, step::ReceiptStep},
};
use rustc_hash::FxHashSet;
use std::{cmp::Reverse, fmt};

/// A proposed route and the cheapest one between the same cells. Returned by
/// [`PathFinder::compare`](crate::PathFinder::compare).
///
/// The `Display` text states the difference in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RouteComparison {
    proposal: Receipt,
    cheapest: Receipt,
    /// The number of steps with which both begin.
    shared: usize,
    /// The indices of the proposal's steps that make the difference, the most expensive first.
    costliest: Vec<usize>,
}

impl RouteComparison {
    pub(super) fn new(proposal: Receipt, cheapest: Receipt) -> Self {
        let pairs = proposal.steps().iter().zip(cheapest.steps());
        let shared = pairs.take_while(|(one, other)| one.to == other.to).count();
        let mut comparison = Self { proposal, cheapest, shared, costliest: Vec::new() };
        comparison.costliest = comparison.find_costliest();
        comparison
    }

    /// Returns the most expensive steps that only the proposal takes, as many as add up to the
    /// difference.
    fn find_costliest(&self) -> Vec<usize> {
        // For lookup only; never iterated. If the proposal repeats a step, the repetition is not
        // shared.
        let mut taken: FxHashSet<(Cell, Cell)> =
            self.cheapest.steps().iter().map(|step| (step.from, step.to)).collect();
        let steps = self.proposal.steps();
        let mut own: Vec<usize> =
            (0..steps.len()).filter(|&index| !taken.remove(&(steps[index].from, steps[index].to))).collect();
        own.sort_by_key(|&index| (Reverse(steps[index].cost), index));
        let mut left = u64::from(self.excess().get());
        let mut count = 0;
        for &index in &own {
            if left == 0 {
                break;
            }
            left = left.saturating_sub(u64::from(steps[index].cost.get()));
            count += 1;
        }
        own.truncate(count);
        own
    }

    /// Returns the bill of the proposed route.
    #[must_use]
    pub const fn proposal(&self) -> &Receipt {
        &self.proposal
    }

    /// Returns the bill of a cheapest route.
    #[must_use]
    pub const fn cheapest(&self) -> &Receipt {
        &self.cheapest
    }

    /// Returns how much more the proposal costs than the cheapest route.
    #[must_use]
    pub fn excess(&self) -> Cost {
        Cost::new(self.proposal.total().get().saturating_sub(self.cheapest.total().get()))
    }

    /// Returns whether the proposal costs no more than the cheapest route. The cells of the two
    /// routes may still differ.
    #[must_use]
    pub fn is_cheapest(&self) -> bool {
        self.excess() == Cost::ZERO
    }

    /// Returns the last cell that both routes share at their beginning. Returns `None` if the
    /// routes are equal.
    #[must_use]
    pub fn parts_at(&self) -> Option<Cell> {
        let have_parted =
            [&self.proposal, &self.cheapest].iter().any(|receipt| receipt.steps().len() > self.shared);
        have_parted.then(|| match self.shared.checked_sub(1) {
            Some(last) => self.proposal.steps()[last].to,
            None => self.proposal.start(),
        })
    }

    /// Returns the most expensive steps that only the proposal takes, the most expensive first. The
    /// list ends as soon as the costs of its steps add up to [`excess`](Self::excess) or more. It
    /// is empty if there is no excess.
    pub fn costliest_steps(&self) -> impl Iterator<Item = &ReceiptStep> + '_ {
        self.costliest.iter().map(|&index| &self.proposal.steps()[index])
    }

    /// Returns the difference in words. The closure `name` returns the text for a cell.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Movement, PathFinder, PathQuery, format};
    /// let finder = PathFinder::new(format::parse_ascii("...\n.9.")?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 0));
    /// let comparison = finder.compare(&[Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)], &query)?;
    /// assert_eq!(
    ///     comparison.to_text(|cell| format!("{}|{}", cell.x, cell.y)),
    ///     "the route costs 100, 72 more than the cheapest (28); they part at 0|0, where it goes to 1|0 and the cheapest \
    ///      to 1|1; costliest steps: 0|0 to 1|0 for 90"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_text(&self, name: impl Fn(Cell) -> String) -> String {
        let (proposed, cheapest) = (self.proposal.total(), self.cheapest.total());
        if self.is_cheapest() {
            return format!("the route costs {proposed}, and no other costs less");
        }
        let mut text =
            format!("the route costs {proposed}, {} more than the cheapest ({cheapest})", self.excess());
        if let Some(at) = self.parts_at() {
            text = format!("{text}; they part at {}", name(at));
            if let Some(step) = self.proposal.steps().get(self.shared) {
                text = format!("{text}, where it goes to {}", name(step.to));
            }
            if let Some(step) = self.cheapest.steps().get(self.shared) {
                text = format!("{text} and the cheapest to {}", name(step.to));
            }
        }
        let steps = self.costliest_steps();
        let steps: Vec<String> =
            steps.map(|step| format!("{} to {} for {}", name(step.from), name(step.to), step.cost)).collect();
        format!("{text}; costliest steps: {}", steps.join(", "))
    }
}

impl fmt::Display for RouteComparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_text(|cell| cell.to_string()))
    }
}
