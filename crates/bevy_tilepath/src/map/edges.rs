//! Edges of tiles: closed in one direction or in both, or named.

use bevy_ecs::component::Component;
#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use tilepath::Direction;

use crate::core_types;

/// A one-way edge: units cross it from this tile to the neighbouring tile in this direction, and
/// not back. Examples: a turnstile, a slope, a jump down.
///
/// Put the component on a tile entity. Insert it again to change the direction, or remove it to
/// open the edge in both directions.
///
/// Only the step over this edge is closed. If diagonal steps are allowed, a unit may come back by
/// diagonal steps past the ends of the edge. A [`Ledge`] closes these diagonal steps, too.
///
/// Two lanes of one-way edges side by side are one road, because a unit may change lanes. A
/// [`Fence`] between the lanes keeps them apart. On a map without tiles, set all exits of the cells
/// with [`Edit::exits`](crate::Edit::exits).
///
/// # Units
/// The direction is one of the eight directions of the map's cells. How the directions lie on the
/// screen depends on the map:
///
/// - On a square map north is up.
/// - On diamonds, in straight or staggered rows, east leads to the lower right and north to the
///   upper right.
/// - On hexagons in rows east leads to the right, north to the upper right and north-west to the
///   upper left.
/// - On hexagons in columns north leads up, east to the upper right and south-east to the lower
///   right.
///
/// Hexagons have no north-east and no south-west. If the direction is one of these two, a warning
/// names the tile.
///
/// ```
/// use bevy_tilepath::{maps::OneWay, tilepath::Direction};
///
/// let turnstile = OneWay(Direction::East);
/// assert_eq!(turnstile.0.opposite(), Direction::West);
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
pub struct OneWay(#[reflect(remote = core_types::Direction)] pub Direction);

impl Default for OneWay {
    /// Creates a one-way edge to the north.
    fn default() -> Self {
        Self(Direction::North)
    }
}

/// The edge of a cliff on one side of this tile. The direction leads down: units step off the tile
/// in this direction, and cannot step back up. Diagonal steps that lead up past an end of the edge
/// are closed, too.
///
/// Put the component on each tile along the top of the cliff. [`OneWay`] describes the directions.
/// On squares and diamonds, a ledge needs north, east, south or west: for a diagonal direction, a
/// warning names the tile.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
#[doc(alias = "cliff")]
pub struct Ledge(#[reflect(remote = core_types::Direction)] pub Direction);

impl Default for Ledge {
    /// Creates a ledge that leads down to the north.
    fn default() -> Self {
        Self(Direction::North)
    }
}

/// The sides of this tile that units cannot cross, neither from this tile nor onto this tile.
/// Examples: a fence, a thin wall between two open tiles.
///
/// [`OneWay`] describes the directions.
///
/// ```
/// use bevy_tilepath::{maps::Fence, tilepath::Direction};
///
/// let corner = Fence(vec![Direction::North, Direction::East]);
/// assert_eq!(corner.0.len(), 2);
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
#[doc(alias = "thin wall")]
pub struct Fence(
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))] pub Vec<Direction>,
);

/// Sides of this tile that are edges of a name: a river, a cliff, a wall that some units climb. Each
/// movement sets the price of a crossing: [`Movement::with_edges`](crate::Movement::with_edges).
///
/// It is enough if one of the two tiles beside an edge has it. Insert the component again to change
/// the sides, or remove it to remove the edges. [`OneWay`] describes the directions; on squares and
/// diamonds, sides are north, east, south and west. On a map without tiles, use
/// [`Edit::edges`](crate::Edit::edges).
///
/// ```
/// use bevy_tilepath::{maps::Edges, tilepath::Direction};
///
/// let bank = Edges::new("river", [Direction::North]);
/// assert_eq!(bank.name, "river");
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
#[doc(alias = "river")]
pub struct Edges {
    /// The name of the edges.
    pub name: String,
    /// The sides of the tile.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub sides: Vec<Direction>,
}

impl Edges {
    /// Creates the edges of a tile under a name.
    pub fn new(name: impl Into<String>, sides: impl IntoIterator<Item = Direction>) -> Self {
        Self { name: name.into(), sides: sides.into_iter().collect() }
    }
}
