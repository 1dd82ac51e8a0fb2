//! The work of groups within a tick.

/// The work that groups may do in this tick.
pub(super) struct Allowance {
    pub(super) left: u64,
    /// The work beyond the allowance.
    pub(super) debt: u64,
    pub(super) spent: u64,
}

impl Allowance {
    /// Returns the allowance of a tick with this share of the budget. An earlier debt is paid from
    /// it first.
    pub(super) fn new(share: u64, debt: u64) -> Self {
        Self { left: share.saturating_sub(debt), debt: debt.saturating_sub(share), spent: 0 }
    }

    pub(super) fn is_left(&self) -> bool {
        self.left > 0
    }

    pub(super) fn spend(&mut self, work: u64) {
        self.spent = self.spent.saturating_add(work);
        self.debt = self.debt.saturating_add(work.saturating_sub(self.left));
        self.left = self.left.saturating_sub(work);
    }
}
