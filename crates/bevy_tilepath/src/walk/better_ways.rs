//! The test for better paths, for every path that is kept.
//!
//! Decision: `docs/decisions/43-kept-paths.md`.

use bevy_ecs::entity::Entity;
use tilepath::{Bounds, Cell, MovementId, OpeningBounds, PathQuery};

use crate::{
    journey::path::AgentPath,
    map::{map_view::MapView, span::Span, version::Version},
    order::goal::Goals,
    walk::{
        opened_cells::OpenedGroup,
        surroundings::{Opening, Surroundings},
    },
};

/// The number of opened cells in a tick above which neighbouring cells are merged into rectangles.
const FEW: usize = 16;

/// The side of the squares in which they are merged.
const SQUARE: i32 = 16;

/// The most rectangles.
const MOST: usize = 64;

/// The cells where paths may have become cheaper, for each movement on each map. They are the same
/// for all agents.
#[derive(Debug, Default)]
pub(crate) struct Openings(Vec<((Entity, MovementId, Version), Option<Opened>)>);

/// Cells that opened on a map.
#[derive(Debug)]
pub(super) struct Opened {
    groups: Vec<OpenedGroup>,
    /// The bounds that landmarks give, if there are any.
    by_landmarks: Option<OpeningBounds>,
}

impl Opened {
    /// Returns rectangles that hold the cells.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Bounds> {
        self.groups.iter().flat_map(|group| &group.parts)
    }
}

impl Openings {
    /// Returns the opened cells since this version of the map, or `None` if they may be anywhere.
    pub(super) fn since(&mut self, version: Version, view: &MapView) -> Option<&Opened> {
        let key = (view.map, view.movement, version);
        let index = self.0.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            self.0.push((key, openings(version, view)));
            self.0.len() - 1
        });
        self.0[index].1.as_ref()
    }
}

fn openings(version: Version, view: &MapView) -> Option<Opened> {
    let revision = version.revision_before(view.grid.version())?;
    let cells = view.rules.openings_since(view.grid.grid(), revision)?;
    let by_landmarks = if cells.is_empty() {
        None
    } else {
        view.finder.opening_bounds(&cells, view.movement).ok().flatten()
    };
    let groups = if cells.len() <= FEW {
        OpenedGroup::of_few(&cells, view)
    } else {
        vec![OpenedGroup::unknown(boxes(cells)?)]
    };
    Some(Opened { groups, by_landmarks })
}

/// Returns rectangles that hold these cells.
fn boxes(cells: Vec<Cell>) -> Option<Vec<Bounds>> {
    let mut cells: Vec<_> =
        cells.into_iter().map(|cell| (cell.x.div_euclid(SQUARE), cell.y.div_euclid(SQUARE), cell)).collect();
    cells.sort_unstable();
    let squares = cells.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1));
    let bounds = |square: &[(i32, i32, Cell)]| around_all(square.iter().map(|&(.., cell)| cell));
    let boxes: Vec<Bounds> = squares.filter_map(bounds).collect();
    if boxes.len() <= MOST { Some(boxes) } else { bounds(&cells).map(|all| vec![all]) }
}

/// Returns the rectangle around these cells, or `None` if there are no cells.
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

/// Returns the rectangle around the goals of a path, which all lie on its map.
pub(super) fn goal_bounds(goals: &Goals) -> Option<Bounds> {
    around(&goals.cells()?)
}

/// Lower bounds of the costs of paths: on one tile map, or with doors or a graph.
pub(super) enum LeastCosts<'a, 'w, 's> {
    OnTiles(&'a MapView<'a>),
    Around(&'a Surroundings<'a, 'w, 's>),
}

impl LeastCosts<'_, '_, '_> {
    /// Returns the lower bound for a path over a part of a map.
    fn by(&self, path: &AgentPath, map: Entity, by: &Span) -> f64 {
        match self {
            Self::OnTiles(view) => by.cells().map_or(0.0, |cells| least_by(path, cells, view)),
            Self::Around(around) => around.least_by(path, &[Opening::Part(map, *by)]),
        }
    }

    /// Returns the lower bound for any path.
    fn any(&self, path: &AgentPath) -> f64 {
        match self {
            Self::OnTiles(view) => {
                let goals = &path.route().goals;
                let Some(from) = cell_at_bound(path) else { return 0.0 };
                // The rectangle around the cells near a target has corners that are not near it.
                let least = match goals.cells().filter(|_| goals.reach.is_some()) {
                    Some(cells) => cells.iter().filter_map(|&goal| view.least_cost(from, goal)).min(),
                    None => goal_bounds(goals)
                        .and_then(|goals| view.finder.least_cost(from, goals, view.movement).ok()),
                };
                least.map_or(0.0, |least| least.get().into())
            }
            Self::Around(around) => around.least(path),
        }
    }
}

/// Returns the cell from which the bound of a path counts.
pub(super) fn cell_at_bound(path: &AgentPath) -> Option<Cell> {
    path.path()?.cells().get(path.proof.at).copied()
}

/// Lowers the bound for what opened on the tile map of the only leg of a path since the leg was last
/// found valid.
pub(super) fn follow_openings(path: &mut AgentPath, view: &MapView, openings: &mut Openings, now: u64) {
    let version = path.leg().version;
    for lost in path.proof.lost.iter_mut().filter(|lost| lost.map == view.map) {
        if lost.gate.middle().is_some_and(|cell| !view.is_passable(cell)) {
            lost.opened = None;
        }
    }
    if goal_bounds(&path.route().goals).is_none() {
        return;
    }
    if cell_at_bound(path).is_none_or(|from| !view.is_passable(from)) {
        // Over closed ground it may leave along paths that it did not have before.
        path.proof.lower(0.0);
    }
    match openings.since(version, view) {
        Some(opened) => {
            let (mut least, mut saving, mut waits) = (f64::INFINITY, 0.0, false);
            let rest = path.rest_from(path.proof.at).max(path.proof.least);
            for group in &opened.groups {
                let mut by_group = f64::INFINITY;
                for &part in &group.parts {
                    if path.proof.waits_for(view.map, &Span::of_bounds(&part), now) {
                        waits = true;
                    } else {
                        by_group = by_group.min(least_by(path, part, view));
                    }
                }
                if by_group < rest {
                    least = least.min(by_group);
                    saving += saving_for(path, group, view);
                }
            }
            // Landmarks bound the paths over all opened cells together.
            let raised =
                if waits || !path.proof.is_above(least) { None } else { least_over(path, opened, view) };
            path.proof.lower_by(raised.map_or(least, |raised| raised.max(least)), saving);
        }
        None => path.proof.lower(0.0),
    }
}

/// Returns the most that a group of opened cells can save a path.
fn saving_for(path: &AgentPath, group: &OpenedGroup, view: &MapView) -> f64 {
    let is_under_ends =
        |from| group.saving.is_finite() && group.is_under_ends(from, &path.route().goals, view);
    if cell_at_bound(path).is_none_or(is_under_ends) { f64::INFINITY } else { group.saving }
}

/// Returns the least cost of a path over opened cells, by landmarks.
fn least_over(path: &AgentPath, opened: &Opened, view: &MapView) -> Option<f64> {
    let (from, goals) = (cell_at_bound(path)?, path.route().goals.cells()?);
    let least = opened.by_landmarks.as_ref()?.least_cost(view.finder, from, &goals)?;
    Some(least.get().into())
}

/// Returns the least cost of a path through these cells.
fn least_by(path: &AgentPath, opened: Bounds, view: &MapView) -> f64 {
    let ends = cell_at_bound(path).zip(goal_bounds(&path.route().goals));
    let least =
        ends.and_then(|(from, goals)| view.finder.least_cost_by(from, opened, goals, view.movement).ok());
    least.map_or(0.0, |least| least.get().into())
}

/// Returns whether a search may find a path that is better by more than the order tolerates.
pub(super) fn wants_better(path: &mut AgentPath, ways: &LeastCosts, tolerance: f32, now: u64) -> bool {
    path.walk_bound_on();
    while let Some((map, gate)) = path.proof.take_trusted(now) {
        let least = ways.by(path, map, &gate);
        path.proof.lower(least);
    }
    if !path.may_be_worse(tolerance) {
        return false;
    }
    let least = ways.any(path).min(path.rest_from(path.proof.at));
    path.proof.raise(least);
    path.may_be_worse(tolerance)
}

/// Returns whether the goal of a path to the closest cell can be reached now.
pub(super) fn leads_on(path: &AgentPath, view: &MapView) -> bool {
    let here = path.path().and_then(|cells| cells.cells().get(path.passed()).copied());
    let (Some(here), Some(goals)) = (here, path.route().goals.cells()) else { return false };
    goals.iter().any(|&goal| {
        let query = PathQuery::new(here, goal).with_movement(view.movement);
        view.finder.is_reachable(&query).unwrap_or(false)
    })
}
