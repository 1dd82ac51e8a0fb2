//! The line that an agent walks along the cells of its path.
//!
//! Decision: `docs/decisions/61-straight-lines.md`.

use std::f64::consts::SQRT_2;

use bevy_math::{DVec2, Vec2};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Cell, Direction, Topology, graph::Position};

use crate::{
    map::{changes::Changes, map_view::MapView},
    route::course::CellCourse,
};

/// The line that an agent walks along the cells of its path.
///
/// The path itself is the same in both cases: its cells, its cost, and the edits of the map that it
/// depends on.
///
/// ```
/// use bevy_tilepath::{PathAgent, agents::PathLine};
///
/// let soldier = PathAgent { line: PathLine::Straight, ..PathAgent::default() };
/// assert_eq!(PathAgent::default().line, PathLine::Cells);
/// # let _ = soldier;
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathLine {
    /// From the centre of each cell to the centre of the next one.
    #[default]
    Cells,
    /// Straight across several cells, wherever the straight line costs no more than the cells, and
    /// a square of the agent's size that moves along the line touches only open cells. See
    /// [`Path::straight_lines`](tilepath::Path::straight_lines).
    ///
    /// Each cell of the path then has its point on the line, and
    /// [`PathPointReached`](crate::events::PathPointReached) is triggered at these points. If a
    /// wall is built on a cell under the line, the path is blocked in that tick, also if the cell
    /// is not a cell of the path.
    ///
    /// A line does not pass a door or a stop. [Bodies](crate::Body) and agents that walk
    /// [step by step](crate::agents::StepAgent) walk from cell to cell all the same.
    Straight,
}

/// The line that an agent wants, and its offset from the centres of cells.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LineStyle {
    pub(crate) line: PathLine,
    /// The offset in cells.
    pub(crate) offset: Vec2,
}

/// The mode in which an agent walks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WalkMode {
    pub(crate) style: LineStyle,
    /// True if other code moves the agent.
    pub(crate) is_driven: bool,
}

impl LineStyle {
    /// Returns whether the line leads from centre to centre.
    pub(crate) fn is_plain(self) -> bool {
        self == Self::default()
    }
}

/// A line that differs from the one over the centres of cells.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WalkedLine {
    style: LineStyle,
    /// The points on the line, as offsets from the centres of the cells, in cells.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    offsets: Vec<Vec2>,
    /// The indices of the cells at which the line turns; the first is 0.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    turns: Vec<usize>,
}

impl WalkedLine {
    pub(crate) fn offset(&self, index: usize) -> Vec2 {
        self.offsets[index]
    }

    /// Returns the first turn at this cell or after it.
    fn turn_from(&self, index: usize) -> usize {
        self.turns[self.turns.partition_point(|&turn| turn < index).min(self.turns.len() - 1)]
    }

    /// Returns the lines to the cell with this index and to those after it.
    pub(super) fn lines_to(&self, next: usize) -> impl Iterator<Item = [usize; 2]> {
        self.turns.windows(2).map(|ends| [ends[0], ends[1]]).filter(move |ends| ends[1] >= next)
    }
}

impl CellCourse {
    /// Lays the line anew from the turn at this cell, or the next turn after it. The line before it
    /// stays.
    pub(crate) fn lay(&mut self, style: LineStyle, from: usize, view: &MapView) {
        self.lay_until(usize::MAX, style, from, view);
    }

    /// Lays the line anew as [`lay`](Self::lay) does, up to a turn that it had before at this cell or
    /// after it. A line depends on no line before it, so the lines after that turn stay.
    fn lay_until(&mut self, joint: usize, style: LineStyle, from: usize, view: &MapView) {
        if style.is_plain() {
            self.line = None;
            return;
        }
        let count = self.path.cells().len();
        let kept = self.line.take().filter(|line| line.style == style && from > 0);
        let mut line = kept.unwrap_or_else(|| WalkedLine { style, offsets: Vec::new(), turns: vec![0] });
        let from = line.turn_from(from);
        let ends: Vec<usize> = match style.line {
            PathLine::Cells => (from..count).collect(),
            PathLine::Straight => {
                let mut is_joined = false;
                let lines = self.path.straight_lines(from, view.finder.grid(), view.rules);
                let is_before = |&end: &usize| {
                    !std::mem::replace(&mut is_joined, end >= joint && line.turns.binary_search(&end).is_ok())
                };
                lines.take_while(is_before).collect()
            }
        };
        let last = ends[ends.len() - 1];
        let after = line.turns.split_off(line.turns.partition_point(|&turn| turn <= last));
        line.turns.retain(|&turn| turn <= from);
        line.offsets.resize(count, Vec2::ZERO);
        line.offsets[from + 1..=last].fill(Vec2::ZERO);
        line.turns.extend(ends[1..].iter().chain(after.iter().filter(|&&turn| turn < count)));
        for (number, &end) in ends.iter().enumerate().skip(1) {
            let begin = ends[number - 1];
            let after = ends.get(number + 1).copied();
            line.offsets[end] = self.offset_at(end, (begin, line.offsets[begin]), after, style.offset, view);
            let is_clear = |line: &WalkedLine| {
                let [from, to] = [begin, end].map(|index| self.place(index, line.offsets[index]));
                view.rules.line_fault(view.finder.grid(), from, to).is_none()
            };
            // The first turn was kept, and there may be no room any more on the line from it.
            if number == 1 && line.offsets[begin] != Vec2::ZERO && !is_clear(&line) {
                line.offsets[begin] = Vec2::ZERO;
                if let Some(&before) = line.turns.iter().rev().find(|&&turn| turn < begin) {
                    self.lay_between(before, begin, &mut line.offsets, view);
                }
                line.offsets[end] = self.offset_at(end, (begin, Vec2::ZERO), after, style.offset, view);
            }
            self.lay_between(begin, end, &mut line.offsets, view);
        }
        self.line = Some(line);
    }

    /// Lays the line anew from the centre of this cell, at which it turns now. The line before it
    /// stays.
    pub(crate) fn lay_from_centre(&mut self, from: usize, view: &MapView) {
        let Some(line) = &mut self.line else { return };
        line.turns.retain(|&turn| turn < from);
        line.turns.push(from);
        line.offsets[from] = Vec2::ZERO;
        let style = line.style;
        self.lay(style, from, view);
    }

    /// Takes over the line of a path of which this is the rest, up to the turn after the cell `next`
    /// of that path. Lays the line from there on. Returns false if the turn is not on this path, or has
    /// an offset and is the end of this path: then the whole line is laid anew.
    pub(crate) fn go_on_from(&mut self, old: &Self, passed: usize, next: usize, view: &MapView) -> bool {
        let Some(line) = &old.line else { return true };
        let turn = line.turn_from(next);
        let cells = self.path.cells();
        let is_kept = turn > passed
            && turn - passed < cells.len()
            && (turn - passed + 1 < cells.len() || line.offset(turn) == Vec2::ZERO)
            && old.path.cells().get(passed..=turn) == cells.get(..=turn - passed);
        if !is_kept {
            self.lay(line.style, 0, view);
            return false;
        }
        let offsets = line.offsets[passed..=turn].to_vec();
        self.line = Some(WalkedLine { style: line.style, offsets, turns: vec![0, turn - passed] });
        self.lay(line.style, turn - passed, view);
        true
    }

    /// Lays the line again after edits of the map. Returns whether it may have changed.
    ///
    /// # Errors
    /// The first cell under a line to the cell `next`, or to one after it, that is closed now.
    pub(crate) fn lay_again(
        &mut self,
        next: usize,
        view: &MapView,
        changes: Option<&Changes>,
    ) -> Result<bool, Cell> {
        let Some(line) = &self.line else { return Ok(false) };
        // Lines lie within the rectangle around the cells.
        if let Some(Changes::Few(changes)) = changes
            && !self.is_near_any(changes)
        {
            return Ok(false);
        }
        let mut touched: Option<[usize; 2]> = None;
        for ends in line.lines_to(next) {
            if !self.is_beside(ends, changes) {
                continue;
            }
            touched = Some([touched.map_or(ends[0], |[first, _]| first), ends[1]]);
            if ends[1] > ends[0] + 1 {
                // The line behind the agent does not matter any more.
                let from = ends[0].max(next.saturating_sub(1));
                if let Some(cell) = self.fault_between(from, ends[1], view) {
                    return Err(cell);
                }
            }
        }
        if let Some([first, last]) = touched {
            let style = line.style;
            // The line under way keeps its end, unless it is only one step long.
            let passed = next.saturating_sub(1);
            let is_step = line.turns.binary_search(&passed).is_ok() && line.turn_from(next) == next;
            let from = first.max(if is_step { passed } else { next });
            // With an offset, a turn depends on the turns before it.
            let joint = if style.offset == Vec2::ZERO { last } else { usize::MAX };
            self.lay_until(joint, style, from, view);
            let under_way = self.line.as_ref().and_then(|line| line.lines_to(next).next());
            if let Some([begin, end]) = under_way.filter(|ends| ends[1] > ends[0] + 1)
                && let Some(cell) = self.fault_between(begin.max(next.saturating_sub(1)), end, view)
            {
                return Err(cell);
            }
        }
        Ok(touched.is_some())
    }

    /// Returns the first closed cell under the lines, if one of the changes is beside them.
    pub(crate) fn closed_under(&self, view: &MapView, changes: Option<&Changes>) -> Option<Cell> {
        let lines = self.line.iter().flat_map(|line| line.lines_to(1));
        let lines = lines.filter(|ends| ends[1] > ends[0] + 1 && self.is_beside(*ends, changes));
        lines.into_iter().find_map(|[from, to]| self.fault_between(from, to, view))
    }

    /// Returns the point with this index, in cells: see [`MapView::units`].
    pub(crate) fn point(&self, index: usize) -> Vec2 {
        let cell = self.path.cells()[index];
        let offset = self.line.as_ref().map_or(Vec2::ZERO, |line| line.offset(index));
        Vec2::new(cell.x as f32, cell.y as f32) + 0.5 + offset
    }

    pub(super) fn fault_between(&self, from: usize, to: usize, view: &MapView) -> Option<Cell> {
        let line = self.line.as_ref()?;
        let place = |index: usize| self.place(index, line.offset(index));
        view.rules.line_fault(view.finder.grid(), place(from), place(to))
    }

    fn place(&self, index: usize, offset: Vec2) -> Position {
        let (cell, offset) = (self.path.cells()[index], offset.as_dvec2());
        Position::new(f64::from(cell.x) + 0.5 + offset.x, f64::from(cell.y) + 0.5 + offset.y)
    }

    /// Returns the offset of the turn at a cell. The last cell has no offset. Another cell has none if
    /// there is no room at the turn, or on the lines from the turn before it and to the one after it.
    fn offset_at(
        &self,
        index: usize,
        (before, its_offset): (usize, Vec2),
        after: Option<usize>,
        offset: Vec2,
        view: &MapView,
    ) -> Vec2 {
        let Some(after) = after.filter(|_| offset != Vec2::ZERO) else { return Vec2::ZERO };
        let (cell, grid) = (self.path.cells()[index], view.finder.grid());
        let is_step =
            |from: Cell, direction: Direction| view.rules.step_cost(grid, from, direction).is_some();
        let is_clear = |from, to| view.rules.line_fault(grid, from, to).is_none();
        let here = self.place(index, offset);
        let has_room = grid.topology().directions().iter().all(|&direction| {
            is_step(cell, direction)
                && cell.neighbour(direction).is_some_and(|other| is_step(other, direction.opposite()))
        }) && is_clear(self.place(before, its_offset), here)
            && is_clear(here, self.place(after, Vec2::ZERO));
        if has_room { offset } else { Vec2::ZERO }
    }

    /// Sets the points of the cells between two turns. They divide the line as the cells divide
    /// their own length.
    fn lay_between(&self, begin: usize, end: usize, offsets: &mut [Vec2], view: &MapView) {
        if end <= begin + 1 {
            return;
        }
        let cells = self.path.cells();
        let is_square = view.finder.grid().topology() == Topology::Square;
        let length = |index: usize| {
            let [from, to] = [cells[index - 1], cells[index]];
            if is_square && from.x != to.x && from.y != to.y { SQRT_2 } else { 1.0 }
        };
        let whole: f64 = (begin + 1..=end).map(length).sum();
        let place = |index: usize, offset: Vec2| {
            DVec2::new(cells[index].x.into(), cells[index].y.into()) + offset.as_dvec2()
        };
        let [from, to] = [begin, end].map(|index| place(index, offsets[index]));
        let mut walked = 0.0;
        for (index, offset) in offsets.iter_mut().enumerate().take(end).skip(begin + 1) {
            walked += length(index);
            *offset = (from.lerp(to, walked / whole) - place(index, Vec2::ZERO)).as_vec2();
        }
    }

    /// Returns whether one of the changes may concern the line between two turns.
    pub(super) fn is_beside(&self, [begin, end]: [usize; 2], changes: Option<&Changes>) -> bool {
        let Some(line) = &self.line else { return false };
        let point = |index: usize| {
            let Position { x, y } = self.place(index, line.offset(index));
            DVec2::new(x, y)
        };
        match changes {
            Some(Changes::Few(changes)) => {
                let (from, along) = (point(begin), point(end) - point(begin));
                let reach = f64::from(self.side) + 1.0;
                changes.iter().any(|change| {
                    let change = DVec2::new(change.x.into(), change.y.into()) + 0.5;
                    let share = (change - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
                    let off = change - (from + along * share.clamp(0.0, 1.0));
                    off.x.abs().max(off.y.abs()) <= reach
                })
            }
            // The points are at most a diagonal step apart, and a cell more on each side is looked at.
            Some(Changes::Many(squares)) => (begin..=end).any(|index| {
                let under = (point(index) - 1.0).floor().as_ivec2();
                squares.may_touch(Cell::new(under.x, under.y), self.side + 2)
            }),
            None => true,
        }
    }
}
