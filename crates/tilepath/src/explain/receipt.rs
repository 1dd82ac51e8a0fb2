//! The bill of a route.

use crate::{
    cell::Cell,
    cost::Cost,
    explain::{step::ReceiptStep, table::table},
    movement::{Diagonals, StepCosts},
    topology::Topology,
};
use std::fmt;

/// The bill of a route: the cost of each step, with the reasons for the cost. Returned by
/// [`PathFinder::explain`](crate::PathFinder::explain).
///
/// The `Display` text is a table for players. If the movement has
/// [landmarks](crate::PathFinder::make_landmarks), it ends with the lower bound that they prove.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Movement, MovementId, PathFinder, format};
/// let finder = PathFinder::new(format::parse_ascii("..\n.3")?, Movement::new());
/// let receipt = finder.explain(&[Cell::new(0, 0), Cell::new(1, 0), Cell::new(0, 1)], MovementId::default())?;
/// assert_eq!(
///     receipt.to_string(),
///     "\
/// step  to      ground           kind      beside                    cost  total
///       (0, 0)  start                                                          0
///    1  (1, 0)  class 3 costs 3  straight                              30     30
///    2  (0, 1)  class 1 costs 1  diagonal  (0, 0) open, (1, 1) open    14     44
/// 2 steps cost 44: a straight one 10, a diagonal one 14 times the ground entered (only-when-no-obstacles)
/// "
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    pub(super) start: Cell,
    pub(super) closed_cells: usize,
    pub(super) steps: Vec<ReceiptStep>,
    /// For each step the names of the edges that it crosses; empty if the movement obeys no edges.
    pub(super) edges: Vec<Vec<String>>,
    pub(super) topology: Topology,
    pub(super) diagonals: Diagonals,
    pub(super) step_costs: StepCosts,
    pub(super) lower_bound: Option<Cost>,
    /// The number of landmarks, and the lower bound that they prove.
    pub(super) landmarks: Option<(usize, Cost)>,
}

impl Receipt {
    /// Returns the first cell of the route, which costs nothing.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// Returns the last cell of the route.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.steps.last().map_or(self.start, |step| step.to)
    }

    /// Returns the steps in the order of the route.
    #[must_use]
    pub fn steps(&self) -> &[ReceiptStep] {
        &self.steps
    }

    /// Returns the number of closed cells at the beginning of the route, the start included: 0 if the
    /// start is open. A unit deep in closed ground leaves it by the fewest closed cells, at most 16.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Movement, MovementId, PathFinder, format};
    /// let finder = PathFinder::new(format::parse_ascii("##.")?, Movement::new());
    /// let path = finder.find(Cell::new(0, 0), Cell::new(2, 0))?.into_path().unwrap();
    /// let receipt = finder.explain(path.cells(), MovementId::FIRST)?;
    /// assert_eq!(receipt.closed_cells(), 2);
    /// assert!(receipt.to_string().ends_with("leaves closed ground by 2 cells first\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn closed_cells(&self) -> usize {
        self.closed_cells
    }

    /// Returns the names of the edges that a step crosses, by the index of the step, sorted. Only names
    /// that the [movement obeys](crate::Movement::with_edges) are in the list.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Crossing, Direction, Edit, Grid, Movement, MovementId, PathFinder};
    /// let mut grid = Grid::new(2, 1, 1)?;
    /// grid.edit(&[Edit::edges("river", Cell::new(0, 0), [Direction::East])])?;
    /// let finder = PathFinder::new(grid, Movement::new().with_edges("river", Crossing::Costs(6)));
    /// let receipt = finder.explain(&[Cell::new(0, 0), Cell::new(1, 0)], MovementId::FIRST)?;
    /// assert_eq!(receipt.edges(0), ["river"]);
    /// assert_eq!((receipt.steps()[0].multiplier, receipt.steps()[0].surcharge), (1, 6));
    /// assert!(receipt.to_string().contains("+6 river"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn edges(&self, step: usize) -> &[String] {
        self.edges.get(step).map_or(&[], Vec::as_slice)
    }

    /// Adds the proven lower bound of a path ([`Path::lower_bound`](crate::Path::lower_bound)). The
    /// table then also shows a maximum of the extra cost over a cheapest path. Use it for nearly
    /// cheapest paths.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, MovementId, PathFinder, format};
    /// let finder = PathFinder::new(format::parse_ascii("..\n.3")?, Movement::new());
    /// let receipt = finder.explain(&[Cell::new(0, 0), Cell::new(1, 0), Cell::new(0, 1)], MovementId::default())?;
    /// let table = receipt.with_lower_bound(Cost::new(10)).to_string();
    /// assert!(table.ends_with("no path costs less than 10: this one costs 34 more at most, 340 percent\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_lower_bound(mut self, bound: Cost) -> Self {
        self.lower_bound = Some(bound);
        self
    }

    /// Returns the cost of all steps together.
    #[must_use]
    pub fn total(&self) -> Cost {
        self.steps.last().map_or(Cost::ZERO, |step| step.total)
    }

    /// Returns the rule for diagonal steps.
    #[must_use]
    pub const fn diagonals(&self) -> Diagonals {
        self.diagonals
    }

    /// Returns the costs of a straight and a diagonal step on terrain of cost 1.
    #[must_use]
    pub const fn step_costs(&self) -> StepCosts {
        self.step_costs
    }

    /// Returns every cell of the route, from start to goal.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        std::iter::once(self.start).chain(self.steps.iter().map(|step| step.to))
    }

    /// Returns the bill as a table. The closure `name` returns the text for a cell. Use it if a
    /// game counts rows from the top, or if places in the game have names.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
    /// let finder = PathFinder::new(Grid::new(2, 1, 1)?, Movement::new());
    /// let receipt = finder.explain(&[Cell::new(0, 0), Cell::new(1, 0)], MovementId::default())?;
    /// let table = receipt.to_table(|cell| ["well", "gate"][cell.x as usize].to_owned());
    /// assert!(table.contains("1  gate  class 1 costs 1  straight"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_table(&self, name: impl Fn(Cell) -> String) -> String {
        let mut head = vec![
            ("step", true),
            ("to", false),
            ("ground", false),
            ("kind", false),
            ("beside", false),
            ("cost", true),
            ("total", true),
        ];
        let nothing = String::new;
        let start =
            vec![nothing(), name(self.start), "start".into(), nothing(), nothing(), nothing(), "0".into()];
        let mut rows = vec![start];
        for (number, step) in (1..).zip(&self.steps) {
            let number: usize = number;
            rows.push(vec![
                number.to_string(),
                name(step.to),
                ground(step, &name),
                if step.is_diagonal() { "diagonal" } else { "straight" }.to_owned(),
                step.corner.map_or_else(nothing, |corner| corner.named(&name)),
                step.cost.to_string(),
                step.total.to_string(),
            ]);
        }
        let has_overlays = self.steps.iter().any(|step| step.overlays > 0);
        if has_overlays {
            const BEHIND_GROUND: usize = 3;
            head.insert(BEHIND_GROUND, ("overlays", true));
            let values = self.steps.iter().map(|step| match step.overlays {
                0 => nothing(),
                value => format!("+{value}"),
            });
            for (row, value) in rows.iter_mut().zip(std::iter::once(nothing()).chain(values)) {
                row.insert(BEHIND_GROUND, value);
            }
        }
        let has_edges = self.edges.iter().any(|names| !names.is_empty());
        if has_edges {
            let place = if has_overlays { 4 } else { 3 };
            head.insert(place, ("edges", false));
            let names = self.steps.iter().enumerate().map(|(index, step)| match self.edges(index) {
                [] => nothing(),
                names => format!("+{} {}", step.surcharge, names.join(", ")),
            });
            for (row, value) in rows.iter_mut().zip(std::iter::once(nothing()).chain(names)) {
                row.insert(place, value);
            }
        }
        let steps = match self.steps.len() {
            1 => "1 step costs".to_owned(),
            count => format!("{count} steps cost"),
        };
        let (straight, diagonal) = (self.step_costs.straight(), self.step_costs.diagonal());
        let ground = match (has_overlays, has_edges) {
            (false, false) => "the ground entered",
            (true, false) => "the ground entered and its overlays",
            (false, true) => "the ground entered and the edges crossed",
            (true, true) => "the ground entered, its overlays and the edges crossed",
        };
        let prices = match self.diagonals {
            _ if self.topology == Topology::Hexagonal => format!("each {straight} times {ground}"),
            Diagonals::Never => format!("each {straight} times {ground} (diagonals: never)"),
            rule => {
                format!("a straight one {straight}, a diagonal one {diagonal} times {ground} ({rule})")
            }
        };
        let (table, total) = (table(&head, rows), self.total());
        format!("{table}{steps} {total}: {prices}\n{}{}", self.worth(), self.leaving())
    }

    /// Returns the closed cells at the beginning in words.
    fn leaving(&self) -> String {
        match self.closed_cells {
            0 => String::new(),
            1 => "leaves closed ground by 1 cell first\n".to_owned(),
            count => format!("leaves closed ground by {count} cells first\n"),
        }
    }

    /// Returns the proven lower bound in words.
    fn worth(&self) -> String {
        let shown = self.landmarks.filter(|&(_, bound)| self.lower_bound.is_none_or(|known| known < bound));
        let Some(bound) = shown.map(|(_, bound)| bound).or(self.lower_bound) else { return String::new() };
        let (total, least) = (self.total().get(), bound.get());
        let from = shown.map_or_else(String::new, |(count, _)| format!(", as {count} landmarks show"));
        let more = total.saturating_sub(least);
        if more == 0 {
            return format!("no path costs less than {least}{from}: this is a cheapest one\n");
        }
        let percent = (u64::from(more) * 100).div_ceil(u64::from(least.max(1)));
        let told = if least == 0 { String::new() } else { format!(", {percent} percent") };
        format!("no path costs less than {least}{from}: this one costs {more} more at most{told}\n")
    }
}

/// Returns the ground under the unit after a step, in words. For units of several cells it names
/// the cell, unless it is the cell entered.
fn ground(step: &ReceiptStep, name: &impl Fn(Cell) -> String) -> String {
    let class = step.terrain.map_or_else(|| "void".to_owned(), |class| format!("class {class}"));
    let at = if step.ground == step.to { String::new() } else { format!(" at {}", name(step.ground)) };
    format!("{class}{at} costs {}", step.multiplier)
}

impl fmt::Display for Receipt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_table(|cell| cell.to_string()))
    }
}
