//! Types of the search core, for Bevy's reflection.
//!
//! The core does not depend on Bevy, so `reflect_remote` reflects its types here. Inspectors show
//! the names, so they equal the names in the core. If the core keeps the parts of a type private,
//! or may add variants, the type is one opaque value.

#![expect(clippy::transmute_ptr_to_ptr, reason = "`reflect_remote` of Bevy writes it")]

use bevy_reflect::{reflect_remote, std_traits::ReflectDefault};

#[reflect_remote(tilepath::Cell)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[reflect(Default, Debug, Clone, PartialEq, Hash)]
pub(crate) struct Cell {
    x: i32,
    y: i32,
}

#[reflect_remote(tilepath::Diagonals)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[reflect(Default, Debug, Clone, PartialEq, Hash)]
pub(crate) enum Diagonals {
    Never,
    OnlyWhenNoObstacles,
    IfAtMostOneObstacle,
    Always,
}

#[cfg(feature = "tilemap")]
#[reflect_remote(tilepath::Direction)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[reflect(Debug, Clone, PartialEq, Hash)]
pub(crate) enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

macro_rules! opaque_values {
    ($($name:ident($($core:tt)+))+) => {$(
        #[reflect_remote($($core)+)]
        #[derive(Debug, Clone, PartialEq)]
        #[reflect(opaque)]
        #[reflect(Debug, Clone, PartialEq)]
        pub(crate) struct $name;
    )+};
}

opaque_values! {
    Algorithm(tilepath::Algorithm)
    Bounds(tilepath::Bounds)
    Cost(tilepath::Cost)
    CostTable(tilepath::CostTable)
    Formation(tilepath::formation::Formation)
    Movement(std::sync::Arc<tilepath::Movement>)
    Movements(std::collections::BTreeMap<std::sync::Arc<str>, tilepath::Movement>)
    Path(std::sync::Arc<tilepath::Path>)
    PathFault(tilepath::PathFault)
    StepCosts(tilepath::StepCosts)
}
