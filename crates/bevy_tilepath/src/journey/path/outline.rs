//! The corners of a path, for another program.

use bevy_ecs::component::Component;
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use super::AgentPath;

/// The sine of the smallest angle that counts as a turn. Points far from the origin are rounded more
/// than this only beyond 4,000 cells.
const STRAIGHT: f64 = 0.001;

/// The corners of a path, as plain data: all that another program needs to draw the path of a unit, or
/// to move the unit along it. [`AgentPath::outline`] returns it.
///
/// Put it on the units of a server, and send it to the clients instead of the [`AgentPath`]. The plugin
/// neither writes nor reads it. A client needs no plugin.
///
/// If your transport may deliver messages out of order, ignore an outline whose revision is smaller
/// than the revision of the outline that the unit has. Revisions begin at 0 again after the unit has
/// lost its `AgentPath`: then send an empty outline.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{AgentPath, agents::PathOutline};
///
/// /// On the server, after `TilepathSystems::Follow`. Units are spawned with `PathOutline::default()`.
/// fn write_outlines(mut units: Query<(&mut PathOutline, Option<Ref<AgentPath>>)>) {
///     for (mut outline, path) in &mut units {
///         match path {
///             Some(path) if path.is_added() || path.revision() != outline.revision => {
///                 *outline = path.outline();
///             }
///             None if !outline.corners.is_empty() => *outline = PathOutline::default(),
///             _ => {}
///         }
///     }
/// }
/// # let _ = IntoSystem::into_system(write_outlines);
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct PathOutline {
    /// The [revision](AgentPath::revision) of the path.
    pub revision: u64,
    /// The first point of the path, the points at which it turns, and the last point, in world space.
    /// Across a [door](crate::doors::Door) that leaps, the line leads straight from end to end.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub corners: Vec<Vec2>,
}

impl AgentPath {
    /// Returns the corners of the whole path, and its [revision](Self::revision), for another program
    /// that draws the path or moves the unit along it. Until the revision changes, each call returns the
    /// same outline.
    ///
    /// # Complexity
    /// O(points).
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{AgentPath, NavGrid, NavMap, PathAgent, PathRequest, TilepathPlugin, tilepath::Grid};
    /// use bevy_time::TimePlugin;
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, TilepathPlugin::in_schedule(Update)));
    /// app.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(9, 1, 1)?)));
    /// let unit = app.world_mut().spawn((PathAgent::default(), PathRequest::to_cell((8, 0)))).id();
    /// app.update();
    /// let path = app.world().get::<AgentPath>(unit).unwrap();
    /// assert_eq!(path.points().len(), 9);
    /// assert_eq!(path.outline().corners, [Vec2::new(0.0, 0.0), Vec2::new(8.0, 0.0)]);
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
    /// ```
    #[must_use]
    pub fn outline(&self) -> PathOutline {
        PathOutline { revision: self.revision(), corners: corners_of(self.points()) }
    }
}

/// Returns the ends of a line of points, and the points at which it turns.
fn corners_of(points: &[Vec2]) -> Vec<Vec2> {
    let mut corners: Vec<Vec2> = Vec::new();
    for &point in points {
        if let [.., from, last] = corners[..]
            && is_straight(from, last, point)
        {
            corners.pop();
        }
        corners.push(point);
    }
    corners
}

fn is_straight(from: Vec2, over: Vec2, to: Vec2) -> bool {
    let (before, after) = ((over - from).as_dvec2(), (to - over).as_dvec2());
    let sides = before.length_squared() * after.length_squared();
    before.dot(after) >= 0.0 && before.perp_dot(after).powi(2) <= STRAIGHT * STRAIGHT * sides
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the distance of a point from the nearest of the lines between corners.
    fn distance(point: Vec2, corners: &[Vec2]) -> f32 {
        let to_line = |ends: &[Vec2]| {
            let line = ends[1] - ends[0];
            let part = (point - ends[0]).dot(line) / line.length_squared();
            let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
            point.distance(ends[0] + part * line)
        };
        corners.windows(2).map(to_line).fold(f32::INFINITY, f32::min)
    }

    proptest! {
        #[test]
        fn outline_passes_all_points_and_turns_at_each_corner(
            steps in prop::collection::vec((0..8_usize, 1..20_usize), 1..12),
            side in 0.1_f32..100.0,
            begin in (-1000_i32..1000, -1000_i32..1000),
        ) {
            const WAYS: [(i32, i32); 8] =
                [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
            let mut cells = vec![begin];
            let mut turns = 0;
            for (index, &(way, count)) in steps.iter().enumerate() {
                turns += usize::from(index > 0 && steps[index - 1].0 != way);
                for _ in 0..count {
                    let (x, y) = cells[cells.len() - 1];
                    cells.push((x + WAYS[way].0, y + WAYS[way].1));
                }
            }
            let points: Vec<Vec2> =
                cells.iter().map(|&(x, y)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * side).collect();
            let corners = corners_of(&points);
            prop_assert_eq!(corners.len(), turns + 2);
            prop_assert_eq!((corners[0], corners[corners.len() - 1]), (points[0], points[points.len() - 1]));
            for point in points {
                prop_assert!(distance(point, &corners) < 0.01 * side);
            }
        }
    }

    #[test]
    fn outline_of_a_path_that_ends_where_it_begins_is_one_point() {
        assert_eq!(corners_of(&[]), []);
        assert_eq!(corners_of(&[Vec2::ONE]), [Vec2::ONE]);
        assert_eq!(corners_of(&[Vec2::ONE, Vec2::ONE, Vec2::X]), [Vec2::ONE, Vec2::X]);
    }
}
