//! Where the entities are that agents go to.

use std::{collections::BTreeSet, sync::Arc};

use bevy_ecs::{
    entity::Entity,
    query::With,
    system::{Query, Res, SystemParam},
};
use bevy_transform::components::Transform;
use tilepath::{Cell, Size};

use crate::{
    failure::PathFailure,
    journey::standing_on::{Standing, StandingOn},
    map::{
        maps::{AnyMap, UnitMaps},
        movement::AgentMovement,
        nav_view::NavView,
        on_map::OnMap,
        place::{MapPlace, Place},
        world_places::WorldPlaces,
    },
    order::{
        goal::{Accepted, Goals, PathGoal},
        queue::NotYet,
        reach::{Covered, Reach},
        request::PathRequest,
        target::PathTarget,
    },
    search::goal_lists::{GoalLists, SHORT_LIST, SharedList},
    settings::TilepathSettings,
    sync::obstacle::BlockedCells,
};

type TargetParts = (
    Option<&'static OnMap>,
    Option<&'static StandingOn>,
    &'static Transform,
    Option<&'static AgentMovement>,
    Option<&'static BlockedCells>,
);

/// All that agents may be sent to.
#[derive(SystemParam)]
pub(crate) struct Targets<'w, 's> {
    entities: Query<'w, 's, TargetParts, With<Transform>>,
    places: WorldPlaces<'w, 's>,
    lists: Res<'w, GoalLists>,
    settings: Res<'w, TilepathSettings>,
}

/// The goals near to a target, or away from it. Without any, the target itself stands for them.
pub(crate) fn near(reach: Reach, view: &NavView) -> Goals {
    let mut cells = reach.cells(view);
    if cells.is_empty() {
        cells.push(reach.target.cells[0]);
    }
    let at = cells.into_iter().map(|cell| (view.map, MapPlace::Cell(cell))).collect();
    Goals::new(at, false, Some(reach))
}

fn cell_of_place(place: &Place, view: &NavView) -> Result<Cell, PathFailure> {
    let cell = view.cell_of(place, PathFailure::goal_off)?;
    let bounds = view.grid.bounds();
    if bounds.contains(cell) { Ok(cell) } else { Err(PathFailure::goal_off(cell, bounds)) }
}

impl Targets<'_, '_> {
    /// The goals of an order that leads to one stop, of an agent on that map. `accepted`: what the same stop meant on it before.
    pub(crate) fn goals(
        &self,
        request: &PathRequest,
        unit: &UnitMaps,
        map: &AnyMap,
        accepted: Option<&Accepted>,
    ) -> Result<Goals, NotYet> {
        let (targets, approach) = match request.goal() {
            PathGoal::Entity(target) => return Ok(Goals::one(map.entity(), self.cell_of(*target, map)?)),
            PathGoal::Around(targets, approach) => (targets, *approach),
            PathGoal::Nearest(places) => return self.listed(places, request, unit, map, accepted),
            PathGoal::One(_) | PathGoal::Along(_) => return unit.goals(request, map, accepted),
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
        let target = self.covered(targets, view, before)?;
        Ok(near(Reach { target, approach }, view))
    }

    /// The goals of a list. Orders that share the list share them.
    fn listed(
        &self,
        places: &Arc<[Place]>,
        request: &PathRequest,
        unit: &UnitMaps,
        map: &AnyMap,
        accepted: Option<&Accepted>,
    ) -> Result<Goals, NotYet> {
        let list = SharedList {
            places: places.clone(),
            accepted: accepted.map(|accepted| accepted.goals.at.clone()),
            map: map.entity(),
            named: request.goal_map(),
        };
        let movements = [unit.movement, accepted.and_then(|accepted| accepted.movement)];
        if let Some(goals) = self.lists.find(&list, movements) {
            return Ok(goals);
        }
        // Half of a tick's work belongs to searches.
        if places.len() > SHORT_LIST && self.lists.work() > self.settings.work_per_tick / 2 {
            return Err(NotYet::NextTick);
        }
        let goals = unit.goals(request, map, accepted)?;
        self.lists.add(list, movements, goals.clone());
        Ok(goals)
    }

    /// Counts the places of lists that were looked up, as work, and ends what orders share in this tick.
    pub(crate) fn take_work(&self) -> u64 {
        self.lists.take_work()
    }

    /// The cells of a map that targets cover, at least one. `before` gives the cell of a place that is to stay where it was, from its
    /// number among the places.
    ///
    /// Of several targets those entities are left out that are gone, or elsewhere.
    pub(crate) fn covered(
        &self,
        targets: &[PathTarget],
        view: &NavView,
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
    fn cover(&self, target: Entity, view: &NavView, cells: &mut Vec<Cell>) -> Result<(), PathFailure> {
        let map = AnyMap::Tiles(*view);
        let (movement, blocked) =
            (self.entities.get(target)).map_or((None, None), |(.., movement, blocked)| (movement, blocked));
        if let Some(own) = blocked.map(|blocked| blocked.on(view.map)).filter(|own| !own.is_empty()) {
            // It may lie on several maps, but only on one of them if it says so.
            return self.cell_of(target, &map).map(|_| cells.extend_from_slice(own));
        }
        let of_target = movement
            .and_then(|movement| NavView::new(view.map, view.grid, view.projection).by(Some(movement)).ok());
        let size = of_target.map_or(Size::default(), |view| view.rules.size());
        let cell = self.cell_of(target, &of_target.map_or(map, AnyMap::Tiles))?;
        // Each once.
        cells.extend(size.footprint(cell).collect::<BTreeSet<_>>());
        Ok(())
    }

    /// The cell of a map on which an entity is, for a unit that comes there.
    pub(crate) fn cell_of(&self, target: Entity, map: &AnyMap) -> Result<Cell, PathFailure> {
        let Ok((on_map, standing_on, transform, ..)) = self.entities.get(target) else {
            return Err(PathFailure::TargetGone);
        };
        let AnyMap::Tiles(view) = map else { return Err(PathFailure::TargetElsewhere) };
        if on_map.is_some_and(|on_map| on_map.0 != view.map) {
            return Err(PathFailure::TargetElsewhere);
        }
        let here = self.places.of(target).translation;
        let standing = Standing { here, local: transform.translation.truncate(), last_seen: standing_on };
        view.standing_cell(&standing).map_err(|reason| match reason {
            PathFailure::StartOutOfBounds { cell, bounds } => PathFailure::goal_off(cell, bounds),
            other => other,
        })
    }
}
