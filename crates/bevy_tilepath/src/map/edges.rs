//! Edges of tiles that can be crossed in one direction only, or not at all.

use bevy_ecs::component::Component;
use bevy_reflect::Reflect;
use tilepath::Direction;

/// From this tile one may go on in a direction, and not come back: a turnstile, a slope, a jump down.
///
/// Put it on a tile entity. It is about the edge to the next tile alone: where diagonal steps are allowed, two of them may
/// lead back around its end, which a [`Ledge`] closes, too. Insert it again to change it, remove it to open the edge.
///
/// # Units
/// The eight directions are those of the map's cells: on a square map north is up. On diamonds, staggered ones too, east leads to
/// the lower right and north to the upper right. On hexagons in rows east leads to the right, north to the upper right and
/// north-west to the upper left; on hexagons in columns north leads up, east to the upper right and south-east to the lower
/// right. Hexagons have no north-east and no south-west: a warning names the tile.
///
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

/// From this tile one may step down in a straight direction, and not come back up, also not past its end by a diagonal step:
/// the edge of a cliff.
///
/// Put it on each tile of the upper side. Directions are those of [`OneWay`].
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[doc(alias = "cliff")]
pub struct Ledge(pub Direction);

/// Sides of this tile that cannot be crossed in either direction: a fence, a thin wall between two tiles that are both open.
///
/// Directions are those of [`OneWay`].
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
