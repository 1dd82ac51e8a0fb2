//! Zones of control.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    dial::turn_limits::StepEffects,
    movement_map::step_order::ORDER,
    space::grid::GridNode,
    topology::Topology,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A zone of control: cells near enemies that end a unit's turn, or forbid steps.
///
/// | constructor | effect | games |
/// |---|---|---|
/// | [`new`](Self::new) | a step onto one of the cells ends the turn | Wesnoth, Civilization 6, Panzer General |
/// | [`beside`](Self::beside) | a step between two cells that touch the same enemy ends the turn | Civilization 5, Unciv |
/// | [`no_step_within`](Self::no_step_within) | no step from one of the cells to another one | freeciv, Alpha Centauri |
/// | [`no_step_out`](Self::no_step_out) | no step from one of the cells: paths end there | Heroes of Might and Magic |
///
/// A step that ends the turn uses up all points that are left, and the unit must be allowed to stop
/// on the cell that it enters. A cell touches its eight neighbours on squares, under each rule for
/// diagonal steps, and its six neighbours on hexagons. For units of several cells, all cells are
/// anchors. Cells that are not on the map are ignored.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::{TurnQuery, Zone}};
/// let finder = PathFinder::new(Grid::new(9, 3, 1)?, Movement::new());
/// let knight = TurnQuery::new(Cell::new(0, 1), Cost::new(50));
/// let watched: Vec<Cell> = (0..3).map(|y| Cell::new(3, y)).collect();
///
/// let free = finder.solve_turn_path(&knight, Cell::new(5, 1))?.unwrap();
/// assert_eq!(free.turns(), 1);
/// let stopped = knight.clone().with_zone(Zone::new(watched.clone()));
/// let path = finder.solve_turn_path(&stopped, Cell::new(5, 1))?.unwrap();
/// assert_eq!(path.stops(), [3, 5], "the first turn ends in the zone");
/// // A spy passes between the guards.
/// let spy = knight.with_zone(Zone::new(watched).except([Cell::new(3, 0)]));
/// assert_eq!(finder.solve_turn_path(&spy, Cell::new(4, 0))?.unwrap().turns(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias = "zone of control")]
pub struct Zone {
    kind: ZoneKind,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::list"))]
    cells: Vec<Cell>,
    #[cfg_attr(feature = "serde", serde(default))]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::list"))]
    except: Vec<Cell>,
}

/// The steps that a zone concerns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
enum ZoneKind {
    EndsTurn,
    EndsTurnBeside,
    NoStepWithin,
    NoStepOut,
}

impl Zone {
    fn of(kind: ZoneKind, cells: impl IntoIterator<Item = Cell>) -> Self {
        Self { kind, cells: cells.into_iter().collect(), except: Vec::new() }
    }

    /// Creates a zone that ends the turn of a unit that enters one of the cells, or moves from one
    /// of them to another one.
    #[must_use]
    pub fn new(cells: impl IntoIterator<Item = Cell>) -> Self {
        Self::of(ZoneKind::EndsTurn, cells)
    }

    /// Creates a zone around enemies. A step between two cells that touch the same enemy ends the
    /// turn. A step towards an enemy, or from one enemy to another one, does not.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::{TurnQuery, Zone}};
    /// let (mut grid, enemy) = (Grid::new(9, 2, 1)?, Cell::new(3, 1));
    /// grid.set_terrain(enemy, 0)?; // a wall for this query
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let rider = TurnQuery::new(Cell::new(0, 0), Cost::new(80)).with_zone(Zone::beside([enemy]));
    /// let path = finder.solve_turn_path(&rider, Cell::new(7, 0))?.unwrap();
    /// // From (2, 0) to (3, 0), and from (3, 0) to (4, 0).
    /// assert_eq!(path.stops(), [3, 4, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn beside(enemies: impl IntoIterator<Item = Cell>) -> Self {
        Self::of(ZoneKind::EndsTurnBeside, enemies)
    }

    /// Creates a zone in which a unit may not step from one of the cells to another one. It may
    /// enter the zone and leave it.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::{TurnQuery, Zone}};
    /// let finder = PathFinder::new(Grid::new(5, 1, 1)?, Movement::new());
    /// let zone = Zone::no_step_within([Cell::new(2, 0), Cell::new(3, 0)]);
    /// let unit = TurnQuery::new(Cell::new(0, 0), Cost::new(50)).with_zone(zone);
    /// let range = finder.solve_turns(&unit)?;
    /// assert!(range.contains(Cell::new(2, 0)) && !range.contains(Cell::new(3, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn no_step_within(cells: impl IntoIterator<Item = Cell>) -> Self {
        Self::of(ZoneKind::NoStepWithin, cells)
    }

    /// Creates a zone that ends paths: a unit may enter one of the cells, and goes no further. A unit
    /// that starts on one of the cells may leave it.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::{TurnQuery, Zone}};
    /// let finder = PathFinder::new(Grid::new(5, 1, 1)?, Movement::new());
    /// let unit = TurnQuery::new(Cell::new(0, 0), Cost::new(50)).with_zone(Zone::no_step_out([Cell::new(2, 0)]));
    /// let range = finder.solve_turns(&unit)?;
    /// assert!(range.contains(Cell::new(2, 0)) && !range.contains(Cell::new(3, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn no_step_out(cells: impl IntoIterator<Item = Cell>) -> Self {
        Self::of(ZoneKind::NoStepOut, cells)
    }

    /// Adds cells that a unit enters as if there were no zone, for example cities and cells of
    /// friends. For the steps that leave them, they are part of the zone.
    #[must_use]
    pub fn except(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.except.extend(cells);
        self
    }

    /// Returns the cells of the zone. For [`beside`](Self::beside) they are the cells of the enemies.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the cells that a unit enters as if there were no zone.
    #[must_use]
    pub fn exceptions(&self) -> &[Cell] {
        &self.except
    }

    /// Adds the effects of the zone to the steps from each cell.
    pub(super) fn mark(
        &self,
        bounds: &Bounds,
        topology: Topology,
        start: GridNode,
        effects: &mut FxHashMap<u32, StepEffects>,
    ) {
        let nodes = |cells: &[Cell]| -> FxHashSet<u32> {
            cells.iter().filter_map(|&cell| GridNode::of(bounds, cell)).map(GridNode::packed).collect()
        };
        let (cells, except) = (nodes(&self.cells), nodes(&self.except));
        let around = |node: GridNode| {
            let beside = move |place: usize| Some((place, node.neighbour(ORDER[place], bounds)?));
            places(topology).filter_map(beside)
        };
        let is_in = |node: GridNode| cells.contains(&node.packed());
        let mut mark = |from: GridNode, place: usize, to: GridNode| {
            if !except.contains(&to.packed()) {
                let of_cell = effects.entry(from.packed()).or_default();
                let set = match self.kind {
                    ZoneKind::EndsTurn | ZoneKind::EndsTurnBeside => &mut of_cell.ending,
                    ZoneKind::NoStepWithin | ZoneKind::NoStepOut => &mut of_cell.forbidden,
                };
                *set |= 1 << place;
            }
        };
        for cell in cells.iter().map(|&cell| GridNode::from_packed(cell)) {
            match self.kind {
                ZoneKind::EndsTurn => {
                    around(cell).for_each(|(place, from)| mark(from, opposite(place), cell));
                }
                ZoneKind::EndsTurnBeside => {
                    let reach: Vec<GridNode> = around(cell).map(|(_, node)| node).collect();
                    for &from in &reach {
                        let within = around(from).filter(|(_, to)| reach.contains(to));
                        within.for_each(|(place, to)| mark(from, place, to));
                    }
                }
                ZoneKind::NoStepWithin => {
                    around(cell).filter(|&(_, to)| is_in(to)).for_each(|(place, to)| mark(cell, place, to));
                }
                ZoneKind::NoStepOut if cell == start => {}
                ZoneKind::NoStepOut => around(cell).for_each(|(place, to)| mark(cell, place, to)),
            }
        }
    }
}

/// Returns the places in [`ORDER`] of the directions in which cells touch.
fn places(topology: Topology) -> impl Iterator<Item = usize> {
    (0..ORDER.len()).filter(move |&place| topology.has(ORDER[place]))
}

/// Returns the place in [`ORDER`] of the opposite direction.
fn opposite(place: usize) -> usize {
    let direction: Direction = ORDER[place].opposite();
    usize::from(crate::movement_map::step_order::PLACE[direction as usize])
}
