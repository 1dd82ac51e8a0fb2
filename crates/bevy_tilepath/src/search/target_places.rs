//! Goals at targets: the cells that they cover.

use std::{collections::BTreeSet, sync::Arc};

use bevy_ecs::entity::Entity;
use tilepath::{Cell, Size};

use crate::{
    failure::PathFailure,
    journey::standing_on::Standing,
    map::{
        map_view::MapView,
        maps::{AnyMap, UnitMaps},
        movement::AgentMovement,
        on_map::OnMap,
        place::{MapPlace, Place},
    },
    order::{
        goal::{Accepted, Goals, PathGoal},
        queue::NotYet,
        reach::{Covered, Reach},
        request::PathRequest,
        target::PathTarget,
    },
    sync::obstacle::BlockedCells,
};

/// The place of an entity to which agents walk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TargetPlace<'a> {
    pub(crate) on_map: Option<&'a OnMap>,
    pub(crate) standing: Standing<'a>,
    pub(crate) movement: Option<&'a AgentMovement>,
    pub(crate) blocked: Option<&'a BlockedCells>,
}

/// Returns the goals near a target, or away from it. If no cell is suitable, returns the first
/// cell of the target.
pub(crate) fn near(reach: Reach, view: &MapView) -> Goals {
    let mut cells = reach.cells(view);
    if cells.is_empty() {
        cells.push(reach.target.cells[0]);
    }
    let at = cells.into_iter().map(|cell| (view.map, MapPlace::Cell(cell))).collect();
    Goals::new(at, false, Some(reach))
}

fn cell_of_place(place: &Place, view: &MapView) -> Result<Cell, PathFailure> {
    let cell = view.cell_of(place, PathFailure::goal_off)?;
    let bounds = view.grid.bounds();
    if bounds.contains(cell) { Ok(cell) } else { Err(PathFailure::goal_off(cell, bounds)) }
}

/// A source of the places of entities.
pub(crate) trait TargetPlaces {
    /// Returns the place of an entity, or `None` if it is gone or has no place.
    fn place_of(&self, target: Entity) -> Option<TargetPlace<'_>>;

    /// Returns the goals of an order to the nearest place of a list.
    fn listed(
        &self,
        _places: &Arc<[Place]>,
        request: &PathRequest,
        unit: &UnitMaps,
        map: &AnyMap,
        accepted: Option<&Accepted>,
    ) -> Result<Goals, NotYet> {
        unit.goals(request, map, accepted)
    }

    /// Returns the goals of an order to one stop, on this map. `agent` is the agent that has the
    /// order, if there is one. `accepted` has the earlier goals of this stop there.
    fn goals(
        &self,
        agent: Option<Entity>,
        request: &PathRequest,
        unit: &UnitMaps,
        map: &AnyMap,
        accepted: Option<&Accepted>,
    ) -> Result<Goals, NotYet> {
        if let Some(target) = request.goal().entity_to_reach(agent) {
            return Ok(Goals::one(map.entity(), self.cell_of(target, map)?));
        }
        let (targets, approach) = match request.goal() {
            PathGoal::Around(targets, approach) => (targets, *approach),
            PathGoal::Nearest(places) => return self.listed(places, request, unit, map, accepted),
            PathGoal::One(_) | PathGoal::Along(_) | PathGoal::Entity(_) => {
                return unit.goals(request, map, accepted);
            }
        };
        let AnyMap::Tiles(view) = map else { return Err(PathFailure::TargetElsewhere.into()) };
        if request.goal_map().is_some_and(|named| named != view.map) {
            return Err(PathFailure::TargetElsewhere.into());
        }
        let before = accepted.and_then(|accepted| accepted.goals.reach.as_ref());
        let before = |number: usize, place: &Place| match place {
            Place::Position(_) => before?.target.of_places.get(number).copied(),
            _ => None,
        };
        let target = self.covered(agent, targets, view, before)?;
        Ok(near(Reach { target, approach }, view))
    }

    /// Returns the cells of a map that targets cover, at least one. `before` returns the earlier
    /// cell of a place that must not move, by the index of the place.
    ///
    /// Among several targets, the agent itself and entities that are gone or on another map are left
    /// out.
    fn covered(
        &self,
        agent: Option<Entity>,
        targets: &[PathTarget],
        view: &MapView,
        before: impl Fn(usize, &Place) -> Option<Cell>,
    ) -> Result<Covered, PathFailure> {
        let (mut cells, mut of_places, mut failure) = (Vec::new(), Vec::new(), None);
        for target in targets {
            match target {
                PathTarget::Place(place) => {
                    let known = before(of_places.len(), place);
                    let cell = known.map_or_else(|| cell_of_place(place, view), Ok)?;
                    of_places.push(cell);
                    cells.push(cell);
                }
                PathTarget::Entity(target) if Some(*target) == agent => {}
                PathTarget::Entity(target) => {
                    failure = self.cover(*target, view, &mut cells).err().or(failure);
                }
            }
        }
        if cells.is_empty() {
            return Err(failure.unwrap_or(PathFailure::NoGoals));
        }
        Ok(Covered { cells: cells.into(), of_places })
    }

    /// Adds the cells of a map that an entity covers, at least one.
    fn cover(&self, target: Entity, view: &MapView, cells: &mut Vec<Cell>) -> Result<(), PathFailure> {
        let map = AnyMap::Tiles(*view);
        let place = self.place_of(target);
        let blocked = place.and_then(|place| place.blocked).map(|blocked| blocked.on(view.map));
        if let Some(own) = blocked.filter(|own| !own.is_empty()) {
            // It may lie on several maps. If it has an `OnMap`, only that map counts.
            return self.cell_of(target, &map).map(|_| cells.extend_from_slice(own));
        }
        let of_target = (place.and_then(|place| place.movement))
            .and_then(|movement| MapView::new(view.map, view.grid, view.projection).by(Some(movement)).ok());
        let size = of_target.map_or(Size::default(), |view| view.rules.size());
        let cell = self.cell_of(target, &of_target.map_or(map, AnyMap::Tiles))?;
        // Each cell is added once.
        cells.extend(size.footprint(cell).collect::<BTreeSet<_>>());
        Ok(())
    }

    /// Returns the cell of a map on which an entity is, for a unit that walks there.
    fn cell_of(&self, target: Entity, map: &AnyMap) -> Result<Cell, PathFailure> {
        let place = self.place_of(target).ok_or(PathFailure::TargetGone)?;
        let AnyMap::Tiles(view) = map else { return Err(PathFailure::TargetElsewhere) };
        if place.on_map.is_some_and(|on_map| on_map.0 != view.map) {
            return Err(PathFailure::TargetElsewhere);
        }
        view.standing_cell(&place.standing).map_err(|reason| match reason {
            PathFailure::StartOutOfBounds { cell, bounds } => PathFailure::goal_off(cell, bounds),
            other => other,
        })
    }
}
