//! Reasons as sentences for the player.
//!
//! Decision: `docs/decisions/38-sentences-for-players.md`.

use bevy_math::Vec2;
use tilepath::{
    Cell, Outcome,
    explain::{Barrier, FailureExplanation, Receipt},
};

use crate::{
    failure::PathFailure,
    map::{movement::closed_to, place::Place},
    query::view::NavView,
};

/// The directions on the screen, in eighths of a turn: the first is to the right, the third is up.
const DIRECTIONS: [&str; 8] = [
    "to the right",
    "to the upper right",
    "upwards",
    "to the upper left",
    "to the left",
    "to the lower left",
    "downwards",
    "to the lower right",
];

impl NavView<'_> {
    /// Explains a path, or why there is no path, in a sentence or two for the player. The text has
    /// the cost of the cheapest path, and the reasons for a high cost. If there is no path, the
    /// text has the cells that would have to open. Where an overlay closes a cell, the text names the
    /// overlay and not the ground, which the player may not have seen.
    ///
    /// Directions are directions on the screen: on a map of diamonds the north of the cells is the
    /// upper right.
    ///
    /// `ground` returns the names of terrain classes, as in "2 of them lead onto mud" and "best a
    /// wall 1 step to the right". If the rules of a game are in a file, `ground` can take the names
    /// from this file (`Rules::class_name`).
    ///
    /// For other languages, and for more than a sentence, use [`explain`](Self::explain) and
    /// [`explain_failure`](Self::explain_failure). They return all facts of this text.
    ///
    /// # Errors
    /// The errors of [`find`](Self::find).
    ///
    /// # Complexity
    /// The complexity of [`find`](Self::find), or of [`explain_failure`](Self::explain_failure).
    /// Call it once for the player, not for every unit in every tick.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{
    ///     maps::Lattice, tilepath::format::parse_ascii, Cell, NavGrid, NavMap, NavProjection, NavQuery,
    /// };
    ///
    /// let mut world = World::new();
    /// let grid = parse_ascii("
    ///     .#.
    ///     .#.
    ///     .#3
    /// ")?;
    /// let diamonds = NavProjection::new(Lattice::Diamond, Vec2::new(32.0, 16.0), Vec2::ZERO);
    /// world.spawn((NavMap::default(), NavGrid::new(grid), diamonds));
    ///
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let ground = |class| ["a wall", "grass", "gravel", "mud"][usize::from(class)].to_owned();
    ///     assert_eq!(
    ///         map.why(Cell::new(2, 2), Cell::new(2, 0), ground).unwrap(),
    ///         "The cheapest path takes 2 steps and costs 40. It sets out to the lower left. 1 of them leads onto mud, at 3 times \
    ///          the cost."
    ///     );
    ///     assert_eq!(
    ///         map.why(Cell::new(0, 2), Cell::new(2, 2), ground).unwrap(),
    ///         "No path leads there. There would be one if any one of 3 cells opened: best a wall 1 step to the lower right."
    ///     );
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn why(
        &self,
        start: impl Into<Place>,
        goal: impl Into<Place>,
        ground: impl Fn(u8) -> String,
    ) -> Result<String, PathFailure> {
        let query = self.query(start, goal)?;
        if let Outcome::Found(path) = self.solve(&query)?.outcome {
            // A path of this very map can be explained, so there is no error.
            let receipt = self.explain(path.cells()).map_err(|_| PathFailure::QueryRefused)?;
            return Ok(self.way_in_words(&receipt, ground));
        }
        if let Some(name) = self.view.closing_overlay(query.goal()) {
            return Ok(format!("No path leads there: the overlay \"{name}\" closes the goal."));
        }
        Ok(match self.explain_query_failure(&query)? {
            FailureExplanation::Sealed(barrier) => {
                self.barrier_in_words(&barrier, [query.start(), query.goal()], ground)
            }
            _ => "No path leads there, whatever opens: edges that cannot be crossed, or the end of the map, lie between."
                .to_owned(),
        })
    }

    fn way_in_words(&self, receipt: &Receipt, ground: impl Fn(u8) -> String) -> String {
        let steps = receipt.steps();
        let Some(first) = steps.first() else { return "It is there already.".to_owned() };
        let toward = self.screen_direction(first.from, first.to);
        let text = format!(
            "The cheapest path takes {} and costs {}. It sets out {toward}.",
            counted(steps.len() as u64, "step"),
            receipt.total()
        );
        let least = steps.iter().map(|step| step.multiplier).min().unwrap_or(0);
        let Some(most) =
            steps.iter().max_by_key(|step| step.multiplier).filter(|most| most.multiplier > least)
        else {
            return with_overlays(text, receipt);
        };
        let count = steps.iter().filter(|step| step.terrain == most.terrain).count();
        let lead = if count == 1 { "leads" } else { "lead" };
        let onto = most.terrain.map_or_else(|| "the void".to_owned(), ground);
        let text =
            format!("{text} {count} of them {lead} onto {onto}, at {} times the cost.", most.multiplier);
        with_overlays(text, receipt)
    }

    fn barrier_in_words(
        &self,
        barrier: &Barrier,
        [start, goal]: [Cell; 2],
        ground: impl Fn(u8) -> String,
    ) -> String {
        let name = |cell: Cell| {
            let grid = self.view.finder.grid();
            // The ground of a cell that an overlay closes may be open, or not seen yet.
            let closing =
                self.view.rules.closing_overlays(grid, cell).max_by_key(|name| closed_to(name).is_none());
            let what = match closing {
                Some(name) if closed_to(name).is_some() => "an obstacle".to_owned(),
                Some(name) => format!("the overlay \"{name}\""),
                None => grid.terrain(cell).map_or_else(|| "the void".to_owned(), &ground),
            };
            let steps = counted(grid.topology().steps(start, cell), "step");
            let place = format!("{what} {steps} {}", self.screen_direction(start, cell));
            if cell == goal { format!("{place}, the goal itself") } else { place }
        };
        let opening = match (&barrier.smallest, &barrier.single[..]) {
            (Some(set), _) => match &set.cells[..] {
                [cell] => format!("if this opened: {}", name(*cell)),
                [first, ..] => format!("if {} cells opened: first {}", set.cells.len(), name(*first)),
                [] => return "No path leads there.".to_owned(),
            },
            (None, [only]) => format!("if this opened: {}", name(only.cell)),
            (None, [best, ..]) => {
                format!("if any one of {} cells opened: best {}", barrier.single.len(), name(best.cell))
            }
            (None, []) => return "No path leads there.".to_owned(),
        };
        format!("No path leads there. There would be one {opening}.")
    }

    /// Returns the direction of a cell from another on the screen, as if cells were as wide as
    /// high.
    fn screen_direction(&self, from: Cell, to: Cell) -> &'static str {
        let local = self.view.projection.position_of(to) - self.view.projection.position_of(from);
        let even = local / self.view.projection.cell_size();
        let world = self.view.projection.world_of(even) - self.view.projection.world_of(Vec2::ZERO);
        let eighths = (world.to_angle() / std::f32::consts::FRAC_PI_4).round();
        // A map without a place in the world has no directions: the first is as good as any.
        DIRECTIONS[(eighths as i32).rem_euclid(8) as usize]
    }
}

fn with_overlays(text: String, receipt: &Receipt) -> String {
    match receipt.steps().iter().filter(|step| step.overlays > 0).count() {
        0 => text,
        count => format!("{text} Overlays make {} costlier.", counted(count as u64, "step")),
    }
}

fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
