//! The forms in which serde writes and reads values.
//!
//! Values that are read go through the same checks as in their constructors.

pub(crate) mod cost_table;
pub(crate) mod grid;
pub(crate) mod lists;
pub(crate) mod waypoints;

use self::grid::StoredRow;
pub(crate) use self::lists::{list, lists};
use crate::{
    bounds::{Bounds, GridError},
    cell::{Cell, Direction},
    cost::Cost,
    finder::query::Algorithm,
    movement::Diagonals,
    path::Path,
    topology::Topology,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, marker::PhantomData, str::FromStr};
use thiserror::Error;

/// A serde visitor that reads a value from its `Display` text.
struct Name<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> de::Visitor<'_> for Name<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text in quotes")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        name.parse().map_err(E::custom)
    }
}

// The macro calls `deserialize_str` directly, so that readers can report the position of a text
// that is refused.
macro_rules! stored_by_name {
    ($($named:ty),*) => {$(
        impl Serialize for $named {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $named {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Name(PhantomData))
            }
        }
    )*};
}

stored_by_name!(Diagonals, Algorithm, StoredRow);

/// A rectangle of cells, as it is read.
#[derive(Deserialize)]
#[serde(rename = "Bounds", deny_unknown_fields)]
pub(crate) struct StoredBounds {
    #[serde(default)]
    origin: Cell,
    width: u32,
    height: u32,
}

impl TryFrom<StoredBounds> for Bounds {
    type Error = GridError;

    fn try_from(stored: StoredBounds) -> Result<Self, GridError> {
        Self::new(stored.origin, stored.width, stored.height)
    }
}

/// A path, as it is read.
#[derive(Deserialize)]
#[serde(rename = "Path", deny_unknown_fields)]
pub(crate) struct StoredPath {
    cost: Cost,
    lower_bound: Cost,
    #[serde(default)]
    topology: Topology,
    #[serde(deserialize_with = "crate::stored::list")]
    cells: Vec<Cell>,
}

/// A reason why a stored path is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum PathTextFault {
    #[error("a path has at least one cell; list it")]
    NoCells,
    #[error("{from} and {to} do not touch; a path lists all its cells")]
    NotAdjacent { from: Cell, to: Cell },
    #[error("the lower bound {bound} is above the cost {cost}; it is at most the cost")]
    BoundAboveCost { bound: Cost, cost: Cost },
}

impl TryFrom<StoredPath> for Path {
    type Error = PathTextFault;

    fn try_from(stored: StoredPath) -> Result<Self, PathTextFault> {
        let StoredPath { cost, lower_bound: bound, topology, cells } = stored;
        if cells.is_empty() {
            return Err(PathTextFault::NoCells);
        }
        let touch = |one, other| Direction::between(one, other).is_some_and(|step| topology.has(step));
        if let Some(pair) = cells.windows(2).find(|pair| !touch(pair[0], pair[1])) {
            return Err(PathTextFault::NotAdjacent { from: pair[0], to: pair[1] });
        }
        if bound > cost {
            return Err(PathTextFault::BoundAboveCost { bound, cost });
        }
        Ok(Self::new(cells, cost, bound, topology))
    }
}
