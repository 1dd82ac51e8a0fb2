//! Steps between terrain classes that end a turn.

use super::Movement;

impl Movement {
    /// Adds steps that end the turn of a unit: each step from a cell of one of the classes `from`
    /// to a cell of one of the classes `to`. Such a step uses up all points of the turn, and the
    /// unit must be allowed to stop on the cell that the step enters. Use it for shores, where units
    /// embark, and for rough ground.
    ///
    /// Only queries in [turns](crate::turns) obey these rules. Plain searches, ranges and fields do
    /// not. For units of several cells, the classes are those under the anchors.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, format, turns::TurnQuery};
    /// const LAND: u8 = 1;
    /// const WATER: u8 = 2;
    /// let grid = format::parse_ascii("11222")?;
    /// let settlers = Movement::new().with_costs(tilepath::CostTable::uniform()).with_turn_end([LAND], [WATER]);
    /// let finder = PathFinder::new(grid, settlers);
    /// let unit = TurnQuery::new(Cell::new(0, 0), Cost::new(30));
    /// let path = finder.solve_turn_path(&unit, Cell::new(4, 0))?.unwrap();
    /// assert_eq!(path.stops(), [2, 4], "the first turn ends when the unit embarks");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_turn_end(
        mut self,
        from: impl IntoIterator<Item = u8>,
        to: impl IntoIterator<Item = u8>,
    ) -> Self {
        let to: Vec<u8> = to.into_iter().collect();
        self.turn_ends.extend(from.into_iter().flat_map(|from| to.iter().map(move |&to| (from, to))));
        self.turn_ends.sort_unstable();
        self.turn_ends.dedup();
        self
    }

    /// Returns the steps that end a turn, sorted: the class that the step leaves, and the class that
    /// it enters.
    ///
    /// # Examples
    /// ```
    /// use tilepath::Movement;
    /// let boat = Movement::new().with_turn_end([2], [1]).with_turn_end([0, 2], [1]);
    /// assert_eq!(boat.turn_ends(), [(0, 1), (2, 1)]);
    /// ```
    #[must_use]
    pub fn turn_ends(&self) -> &[(u8, u8)] {
        &self.turn_ends
    }
}

/// Reads pairs of classes in any order, and returns them sorted, without duplicates.
#[cfg(feature = "serde")]
pub(super) fn sorted<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<(u8, u8)>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(transparent)]
    struct Pairs(#[serde(deserialize_with = "crate::stored::list")] Vec<(u8, u8)>);

    let Pairs(mut pairs) = serde::Deserialize::deserialize(deserializer)?;
    pairs.sort_unstable();
    pairs.dedup();
    Ok(pairs)
}
