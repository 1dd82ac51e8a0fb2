//! Edges of tiles that units cannot cross in both directions.

use bevy_ecs::component::Component;
use bevy_reflect::Reflect;
use tilepath::Direction;

/// An edge that units cross in one direction only: from this tile to the next, not back. Examples:
/// a turnstile, a slope, a jump down.
///
/// Put it on a tile entity. It concerns only the edge to the next tile. If diagonal steps are
/// allowed, two of them may lead back around the end of the edge; a [`Ledge`] closes these steps,
/// too. Insert it again to change it, remove it to open the edge.
///
/// # Units
/// The eight directions are the directions of the map's cells:
///
/// - On a square map north is up.
/// - On diamonds, also staggered ones, east leads to the lower right and north to the upper right.
/// - On hexagons in rows east leads to the right, north to the upper right and north-west to the
///   upper left.
/// - On hexagons in columns north leads up, east to the upper right and south-east to the lower
///   right.
///
/// Hexagons have no north-east and no south-west: for such a direction, a warning names the tile.
/// ```
/// use bevy_tilepath::{maps::OneWay, tilepath::Direction};
///
/// let turnstile = OneWay(Direction::East);
/// assert_eq!(turnstile.0.opposite(), Direction::West);
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct OneWay(pub Direction);

/// The edge of a cliff: units step down in a straight direction, and cannot come back up. A
/// diagonal step past its end cannot lead up either.
///
/// Put it on each tile of the upper side. The directions are as for [`OneWay`].
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[doc(alias = "cliff")]
pub struct Ledge(pub Direction);

/// Sides of this tile that units cannot cross in either direction: a fence, a thin wall between two
/// open tiles.
///
/// The directions are as for [`OneWay`].
///
/// ```
/// use bevy_tilepath::{maps::Fence, tilepath::Direction};
///
/// let corner = Fence(vec![Direction::North, Direction::East]);
/// assert_eq!(corner.0.len(), 2);
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[doc(alias = "thin wall")]
pub struct Fence(pub Vec<Direction>);
