//! The meaning of named edges for a movement.

use super::Movement;
use crate::grid::Grid;

/// The meaning of the edges of one name for a movement: what a step that crosses one costs or does.
///
/// A step in a straight direction crosses the edge between its two cells. A diagonal step may go
/// round its corner by two pairs of straight steps, and crosses the edges of the better pair. No edge
/// is better than edges with costs, and the lower sum of costs is better. Costs are better than an end
/// of the turn, and a closed edge is the worst. A pair over a wall or a fence does not count. If no
/// pair counts, the step crosses the edges of the worse one.
///
/// # Examples
/// See [`Movement::with_edges`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Crossing {
    /// The step costs more: this number is added to its multiplier.
    Costs(u16),
    /// The step is not allowed. A unit of several cells may not stand across the edge.
    Closed,
    /// The step uses up all points of the turn. Only queries in [turns](crate::turns) obey this rule.
    EndsTurn,
}

impl Movement {
    /// Sets the meaning of the [edges](crate::Edit::edges) of a name for this movement, and replaces
    /// an earlier one. Movements that do not name the edges cross them freely. Use it for rivers,
    /// cliffs, and walls that some units climb.
    ///
    /// If a map has no edges of this name, nothing changes.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Crossing, Direction, Edit, Grid, Movement, MovementId, PathFinder, PathQuery};
    /// let mut grid = Grid::new(2, 1, 1)?;
    /// grid.edit(&[Edit::edges("river", Cell::new(0, 0), [Direction::East])])?;
    /// let mut finder = PathFinder::new(grid, Movement::new().with_edges("river", Crossing::Costs(6)));
    /// let wheels = finder.add_movement(Movement::new().with_edges("river", Crossing::Closed));
    /// let amphibious = finder.add_movement(Movement::new());
    /// let over = PathQuery::new(Cell::new(0, 0), Cell::new(1, 0));
    /// let cost = |id| finder.solve(&over.with_movement(id)).unwrap().outcome.path().map(|path| path.cost());
    /// assert_eq!(cost(MovementId::FIRST), Some(Cost::new(70)), "the ground costs 1 and the river 6");
    /// assert_eq!(cost(wheels), None);
    /// assert_eq!(cost(amphibious), Some(Cost::new(10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "river")]
    #[doc(alias = "cliff")]
    pub fn with_edges(mut self, name: impl Into<String>, crossing: Crossing) -> Self {
        let name = name.into();
        match self.edges.binary_search_by(|(known, _)| known.cmp(&name)) {
            Ok(place) => self.edges[place].1 = crossing,
            Err(place) => self.edges.insert(place, (name, crossing)),
        }
        self
    }

    /// Returns the names of edges that this movement obeys, sorted, each with its meaning.
    #[must_use]
    pub fn edges(&self) -> &[(String, Crossing)] {
        &self.edges
    }

    /// Returns whether this movement obeys the edges of this name.
    pub(crate) fn names_edges(&self, name: &str) -> bool {
        self.edges.iter().any(|(known, _)| known == name)
    }

    /// Returns whether some edge of a map has a meaning for this movement that `is_wanted`.
    pub(crate) fn meets_edges(&self, grid: &Grid, is_wanted: impl Fn(Crossing) -> bool) -> bool {
        self.edges.iter().any(|(name, crossing)| is_wanted(*crossing) && grid.has_edges(name))
    }

    /// Returns the most that a step can cost for its edges: a diagonal step crosses two.
    pub(crate) fn highest_crossing(&self) -> u64 {
        let costs = self.edges.iter().map(|(_, crossing)| match crossing {
            Crossing::Costs(cost) => u64::from(*cost),
            Crossing::Closed | Crossing::EndsTurn => 0,
        });
        2 * costs.sum::<u64>()
    }
}

/// Reads names of edges in any order, and returns them sorted. Of equal names, the last one applies.
#[cfg(feature = "serde")]
pub(super) fn sorted<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, Crossing)>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(transparent)]
    struct Edges(#[serde(deserialize_with = "crate::stored::list")] Vec<(String, Crossing)>);

    let Edges(mut edges) = serde::Deserialize::deserialize(deserializer)?;
    // The sort is stable, so the last of equal names comes first afterwards.
    edges.reverse();
    edges.sort_by(|one, other| one.0.cmp(&other.0));
    edges.dedup_by(|later, first| later.0 == first.0);
    Ok(edges)
}
