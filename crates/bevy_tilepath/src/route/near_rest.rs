//! What is still to come of a way that is found in parts.

use tilepath::{Cell, NearWay};

/// The part of a way of which only portals are known.
#[derive(Debug, Clone)]
pub(crate) struct NearRest {
    pub(crate) way: NearWay,
    /// World units for one of cost.
    unit: f64,
    /// Where an edit has blocked it.
    pub(crate) blocked: Option<Cell>,
}

impl NearRest {
    pub(crate) fn new(way: NearWay, unit: f64) -> Self {
        Self { way, unit, blocked: None }
    }

    /// What it costs, roughly, in world units.
    pub(crate) fn route_cost(&self) -> f64 {
        f64::from(self.way.rest().get()) * self.unit
    }
}
