//! Journeys that need no check.
//!
//! Decision: `docs/decisions/45-quiet-journeys.md`.

use bevy_ecs::entity::Entity;
use tilepath::Bounds;

use crate::{
    journey::{
        path::{
            AgentPath, Progress,
            calm::{Calm, Ellipse},
        },
        standing_on::Standing,
    },
    map::{changes::Changes, map_view::MapView, maps::AnyMap, watch::Watch},
    order::{request::PathRequest, stops::PathStops},
    walk::{
        better_ways::{Opened, Openings, goal_bounds},
        path_checker::PathChecker,
        wide_ways::is_wide,
    },
};

impl PathChecker<'_, '_> {
    /// Returns whether a journey is in the state in which it needed no check, or only edits that do not
    /// matter for it have come since.
    pub(super) fn is_calm(
        &self,
        path: &mut AgentPath,
        on_map: Option<Entity>,
        standing: Option<&Standing>,
        has_movement: bool,
        openings: &mut Openings,
    ) -> bool {
        let Some(calm) = path.calm.filter(|_| self.examines_all.is_none()) else { return false };
        let Some(watch) = self.watched.get(calm.map) else { return false };
        calm.revision == path.revision()
            && path.progress == Progress::Walking
            && path.next_point() <= calm.until
            && on_map.is_none_or(|on_map| on_map == calm.map)
            && has_movement == calm.has_movement
            && standing.is_some_and(|standing| path.walk.position == Some(standing.here))
            && calm.known.doors == self.doors.log.number
            && (!calm.is_wide || calm.known.maps == self.watched.log.number)
            && (watch.state == calm.state || self.outlasts_edits(path, calm, watch, openings))
    }

    /// Returns whether edits of its map do not matter for a calm journey: none is near its path, and no
    /// path over an opened cell costs less. If so, the journey stays calm.
    fn outlasts_edits(
        &self,
        path: &mut AgentPath,
        calm: Calm,
        watch: &Watch,
        openings: &mut Openings,
    ) -> bool {
        let Some(ellipse) = calm.ellipse else { return false };
        let leg = path.leg();
        let version = leg.version;
        let Some(Changes::Few(changes)) = watch.changes_since(version) else { return false };
        if leg.placement != watch.placement || leg.cells().is_none_or(|course| course.is_near_any(changes)) {
            return false;
        }
        let unit = self.maps.of(path.route().movement.as_ref());
        let Some(AnyMap::Tiles(view)) = unit.ready(calm.map) else { return false };
        // Beside its cells an agent may have to join the path again, whatever was edited.
        if !path.walk.position.is_some_and(|here| view.is_line_open(path, here)) {
            return false;
        }
        let is_beyond = |opened: &Opened| !opened.parts().any(|&part| ellipse.touches(part, &view));
        if !openings.since(version, &view).is_some_and(is_beyond) {
            return false;
        }
        path.plan.confirm(0, watch.version);
        path.proof.known = self.known();
        path.calm = Some(Calm { state: watch.state, ..calm });
        true
    }

    /// Returns the state in which a valid journey needs no check, as long as walking on cannot make it
    /// invalid.
    pub(super) fn calm(
        &self,
        path: &AgentPath,
        request: &PathRequest,
        stops: Option<&PathStops>,
        has_movement: bool,
    ) -> Option<Calm> {
        let watch = self.watched.get(path.map())?;
        let leg = path.leg();
        let is_calm = stops.is_none_or(|stops| stops.next().is_none() && stops.are_as_given())
            && path.is_counted_in_cells()
            && path.progress == Progress::Walking
            && !path.plan.is_closed_ahead()
            && path.walk.put_back.is_none()
            && (leg.version, leg.placement) == (watch.version, watch.placement)
            && !request.has_entity()
            && !path.proof.waits();
        let (known, is_wide) = (self.known(), is_wide(path, false, &self.doors));
        if !is_calm || is_wide && path.proof.known != known {
            return None;
        }
        let until = if path.is_watched(request) && path.is_loose() {
            path.tolerated_until(request.tolerance())?
        } else {
            usize::MAX
        };
        let (revision, map, state) = (path.revision(), leg.map(), watch.state);
        let ellipse = self.ellipse(path).filter(|_| !is_wide);
        Some(Calm { revision, map, state, has_movement, known, is_wide, until, ellipse })
    }

    /// Returns the ellipse of a journey over one tile map, or `None` if more than the ellipse and the path
    /// matters for it.
    fn ellipse(&self, path: &AgentPath) -> Option<Ellipse> {
        let goals = &path.route().goals;
        let is_plain = path.proof.lost.is_empty()
            && goals.reach.is_none()
            && !path.is_driven()
            && !path.is_partial()
            && path.leads_to_goal();
        let unit = self.maps.of(path.route().movement.as_ref());
        let Some(AnyMap::Tiles(view)) = unit.ready(path.map()).filter(|_| is_plain) else { return None };
        let from = *path.path()?.cells().get(path.passed())?;
        let (goals, cost) = (goal_bounds(goals)?, path.rest_from(path.passed()));
        view.is_passable(from).then_some(Ellipse { from, goals, cost })
    }
}

impl Ellipse {
    /// Returns whether a path over one of these cells may cost less.
    fn touches(&self, opened: Bounds, view: &MapView) -> bool {
        let least = view.finder.least_cost_by(self.from, opened, self.goals, view.movement);
        least.map_or(true, |least| f64::from(least.get()) < self.cost)
    }
}
