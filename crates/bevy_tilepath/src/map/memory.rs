//! The memory of a side: its knowledge of a map.

use bevy_app::App;
use bevy_ecs::{component::Component, reflect::ReflectComponent};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// Marks a map entity as the memory of a side: its knowledge of another map, the truth. Use it
/// for fog of war in which a side remembers what it has seen.
///
/// A memory is a map with a [`NavMap`](crate::NavMap), a [`NavProjection`](crate::NavProjection) and a
/// [`NavGrid`](crate::NavGrid) of the size of the truth. At first all its cells are
/// [void](crate::tilepath::Edit::void), or of a class that stands for unknown ground. Give this class
/// a price in the cost table of the memory, or the default price of its number counts.
/// [`NavGrid::reveal`](crate::NavGrid::reveal) copies the cells that a unit sees:
/// [`NavView::cells_in_view`](crate::NavView::cells_in_view) on the truth returns them.
///
/// The units of the side are [`OnMap`](crate::OnMap) its memory. Then their orders, previews, ranges,
/// turns and reasons follow the memory. The plugin never reads the truth for them:
///
/// - An [`Obstacle`](crate::Obstacle) or [`OverlayArea`](crate::maps::OverlayArea) without
///   [`OnMap`](crate::OnMap) does not lie on a memory. `reveal` copies its walls and its values from the
///   truth.
/// - The plugin makes no landmarks [by use](crate::maps::MapLandmarks::ByUse) for a memory.
///
/// Call `reveal` before each step. Otherwise a unit walks into a wall that its side has not seen. An order
/// to an entity follows the entity also where the side does not see it: give an order to the cell where
/// the side last saw it. [`Body`](crate::Body)s of different sides are on different maps and do not
/// avoid each other.
///
/// # Memory
/// A memory takes as many bytes as any other map of its size, for each movement that its units use.
///
/// # Examples
/// ```
/// use bevy_ecs::{prelude::*, system::RunSystemOnce};
/// use bevy_tilepath::{
///     Cell, NavGrid, NavMap, NavQuery,
///     maps::NavMemory,
///     tilepath::{Bounds, Grid, format::parse_ascii},
/// };
///
/// let level = parse_ascii("#######\n...#...\n#######")?;
/// let unknown = Grid::from_tiles(level.bounds(), [])?;
/// let mut world = World::new();
/// let truth = world.spawn((NavMap::default(), NavGrid::new(level))).id();
/// world.spawn((NavMemory, NavMap::default(), NavGrid::new(unknown)));
///
/// let look = move |nav: NavQuery| nav.map(truth).unwrap().cells_in_view(Cell::new(0, 1), 8.0).unwrap();
/// let seen = world.run_system_once(look).unwrap();
/// let reveal = move |truth: Single<&NavGrid, Without<NavMemory>>, mut memory: Single<&mut NavGrid, With<NavMemory>>| {
///     memory.reveal(&truth, seen.iter().copied()).unwrap();
///     [2, 3, 4].map(|x| memory.terrain(Cell::new(x, 1)))
/// };
/// assert_eq!(world.run_system_once(reveal).unwrap(), [Some(1), Some(0), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
#[doc(alias = "fog of war")]
pub struct NavMemory;

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<NavMemory>();
}
