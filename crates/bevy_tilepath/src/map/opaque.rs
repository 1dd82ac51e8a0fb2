//! Terrain classes that hide what is behind them.

use std::collections::BTreeSet;

use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use crate::map::nav_grid::WALL;

/// A set of opaque terrain classes: cells of these classes block the view.
///
/// ```
/// use bevy_tilepath::{maps::OpaqueClasses, NavMap};
///
/// const FOREST: u8 = 7;
/// let map = NavMap { opaque: OpaqueClasses::new([0, FOREST]), ..NavMap::default() };
/// assert!(map.opaque.contains(FOREST) && !map.opaque.contains(1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct OpaqueClasses(BTreeSet<u8>);

impl OpaqueClasses {
    /// Creates a set with exactly these terrain classes.
    #[must_use]
    pub fn new(classes: impl IntoIterator<Item = u8>) -> Self {
        Self(classes.into_iter().collect())
    }

    /// Returns whether the set contains a terrain class.
    #[must_use]
    pub fn contains(&self, class: u8) -> bool {
        self.0.contains(&class)
    }
}

impl Default for OpaqueClasses {
    /// Creates a set with only class 0, the class of walls.
    fn default() -> Self {
        Self::new([WALL])
    }
}
