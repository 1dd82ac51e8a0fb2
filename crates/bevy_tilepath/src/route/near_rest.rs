//! The unknown part of a path that is found in parts.
//!
//! Decision: `docs/decisions/20-near-ways.md`.

use tilepath::{Cell, NearWay};

/// The part of a path of which only portals are known.
#[derive(Debug, Clone)]
pub(crate) struct NearRest {
    pub(crate) way: NearWay,
    /// The world units of one cost unit.
    unit: f64,
    /// The cell at which an edit has blocked it.
    pub(crate) blocked: Option<Cell>,
}

impl NearRest {
    pub(crate) fn new(way: NearWay, unit: f64) -> Self {
        Self { way, unit, blocked: None }
    }

    /// Returns its cost in world units, roughly.
    pub(crate) fn route_cost(&self) -> f64 {
        f64::from(self.way.rest().get()) * self.unit
    }
}
