//! Whether there may be a better way than the one that an agent walks: the one test for every way that is kept.

use bevy_ecs::entity::Entity;
use tilepath::{Bounds, Cell, MovementId, PathQuery};

use crate::{
    journey::path::AgentPath,
    map::{nav_view::NavView, version::Version, watch::Watch},
    order::goal::Goals,
    route::course::Ahead,
};

/// With more opened cells than this in a tick, those that lie together are looked at as one rectangle.
const FEW: usize = 16;

/// The side of the squares by which they are put together.
const SQUARE: i32 = 16;

/// The largest number of rectangles.
const MOST: usize = 64;

/// A cell so near to one where the way was lost belongs to the same gate.
const GATE: i32 = 4;

/// Where ways may have become cheaper, for each movement on each map: the same for all agents.
#[derive(Debug, Default)]
pub(crate) struct Openings(Vec<((Entity, MovementId, Version), Option<Vec<Bounds>>)>);

impl Openings {
    /// Since that version of the map; `None`: anywhere.
    fn since(&mut self, version: Version, view: &NavView) -> Option<&[Bounds]> {
        let key = (view.map, view.movement, version);
        let index = self.0.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            self.0.push((key, openings(version, view)));
            self.0.len() - 1
        });
        self.0[index].1.as_deref()
    }
}

fn openings(version: Version, view: &NavView) -> Option<Vec<Bounds>> {
    let revision = version.revision_before(view.grid.version())?;
    let cells = view.rules.openings_since(view.grid.grid(), revision)?;
    if cells.len() <= FEW {
        return Some(cells.into_iter().filter_map(|cell| around(&[cell])).collect());
    }
    let mut cells: Vec<_> =
        cells.into_iter().map(|cell| (cell.x.div_euclid(SQUARE), cell.y.div_euclid(SQUARE), cell)).collect();
    cells.sort_unstable();
    let squares = cells.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1));
    let bounds = |square: &[(i32, i32, Cell)]| around_all(square.iter().map(|&(.., cell)| cell));
    let boxes: Vec<Bounds> = squares.filter_map(bounds).collect();
    if boxes.len() <= MOST { Some(boxes) } else { bounds(&cells).map(|all| vec![all]) }
}

/// The rectangle of these cells; `None` without any.
pub(crate) fn around(cells: &[Cell]) -> Option<Bounds> {
    around_all(cells.iter().copied())
}

fn around_all(cells: impl Iterator<Item = Cell>) -> Option<Bounds> {
    let corners = cells.fold(None, |corners: Option<(Cell, Cell)>, cell| {
        let (low, high) = corners.unwrap_or((cell, cell));
        Some((
            Cell::new(low.x.min(cell.x), low.y.min(cell.y)),
            Cell::new(high.x.max(cell.x), high.y.max(cell.y)),
        ))
    });
    let (low, high) = corners?;
    Bounds::new(low, high.x.abs_diff(low.x) + 1, high.y.abs_diff(low.y) + 1).ok()
}

/// The goals of a way, which all lie on its map.
fn goal_bounds(goals: &Goals) -> Option<Bounds> {
    around(&goals.cells()?)
}

impl AgentPath {
    /// Whether it leads over one tile map, so that it can be compared with the cheapest one.
    pub(crate) fn is_comparable(&self) -> bool {
        self.route.legs.len() == 1 && self.path().is_some()
    }

    /// Takes edits into account; says which cell ahead cannot be entered any more. `now` is the number of the tick.
    pub(crate) fn follow_edits(
        &mut self,
        view: &NavView,
        watch: &Watch,
        openings: &mut Openings,
        now: u64,
    ) -> Option<Cell> {
        self.walk_bound_on();
        let (version, next) = (self.leg().version, self.next_point());
        let ahead = self
            .leg()
            .cells()
            .map(|course| course.ahead(self.leg().index_of(next), view, watch.changes_since(version)));
        match ahead {
            Some(Ahead::Blocked(cell)) => return Some(cell),
            Some(Ahead::Repriced(remaining)) => self.legs_left_mut()[0].set_remaining(remaining),
            Some(Ahead::AsPlanned) | None => {}
        }
        for lost in self.kept.lost.iter_mut().filter(|lost| !view.is_passable(lost.cell)) {
            lost.opened = None;
        }
        let goals = goal_bounds(&self.route.goals)?;
        let from = self.path().and_then(|path| path.cells().get(self.kept.at));
        if from.is_none_or(|&from| !view.is_passable(from)) {
            // Over closed ground it may leave by ways that it did not have before.
            self.kept.lower(0);
        }
        match openings.since(version, view) {
            Some(boxes) => {
                for &opened in boxes {
                    if !self.waits_for(opened, now) {
                        self.lower_by(opened, goals, view);
                    }
                }
            }
            None => self.kept.lower(0),
        }
        None
    }

    /// Whether the cells belong to a gate where the way was lost, which has to be open for a while to be trusted.
    fn waits_for(&mut self, opened: Bounds, now: u64) -> bool {
        let mut waits = false;
        for lost in &mut self.kept.lost {
            let (low, cell) = (opened.origin(), lost.cell);
            let is_near = |cell: i32, first: i32, count: u32| {
                cell >= first.saturating_sub(GATE)
                    && i64::from(cell) < i64::from(first) + i64::from(count) + i64::from(GATE)
            };
            if is_near(cell.x, low.x, opened.width()) && is_near(cell.y, low.y, opened.height()) {
                lost.opened = lost.opened.or(Some(now));
                waits = true;
            }
        }
        waits
    }

    fn lower_by(&mut self, opened: Bounds, goals: Bounds, view: &NavView) {
        let from = self.path().and_then(|path| path.cells().get(self.kept.at).copied());
        let least = from.and_then(|from| view.finder.least_cost_by(view.movement, from, opened, goals).ok());
        self.kept.lower(least.map_or(0, |least| least.get().into()));
    }

    /// Whether a search may find a way that is better by more than the order tolerates.
    pub(crate) fn wants_better(&mut self, view: &NavView, tolerance: f32, now: u64) -> bool {
        self.walk_bound_on();
        let Some(goals) = goal_bounds(&self.route.goals) else { return false };
        for index in 0..self.kept.lost.len() {
            let lost = self.kept.lost[index];
            if lost.is_trusted(now) {
                self.kept.lost[index].opened = None;
                let gate = Bounds::new(
                    Cell::new(lost.cell.x.saturating_sub(GATE), lost.cell.y.saturating_sub(GATE)),
                    2 * GATE as u32 + 1,
                    2 * GATE as u32 + 1,
                );
                self.lower_by(gate.unwrap_or(goals), goals, view);
            }
        }
        if !self.is_loose() {
            return false;
        }
        let from = self.path().and_then(|path| path.cells().get(self.kept.at).copied());
        if let Some(from) = from
            && let Ok(least) = view.finder.least_cost(view.movement, from, goals)
        {
            self.kept.raise(u64::from(least.get()).min(self.rest_from(self.kept.at)));
        }
        self.may_be_worse(tolerance)
    }

    /// Whether the goal that a way to the closest cell could not reach can be reached by now.
    pub(crate) fn leads_on(&self, view: &NavView) -> bool {
        let here = self.path().and_then(|path| path.cells().get(self.passed()).copied());
        let (Some(here), Some(goals)) = (here, self.route.goals.cells()) else { return false };
        goals.into_iter().any(|goal| {
            let query = PathQuery::new(here, goal).with_movement(view.movement);
            view.finder.is_reachable(&query).unwrap_or(false)
        })
    }
}
