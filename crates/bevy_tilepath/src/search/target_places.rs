//! Goals at targets: the cells that they cover.

use std::{collections::BTreeSet, sync::Arc};

use bevy_ecs::entity::Entity;
use smallvec::SmallVec;
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
        approach::Approach,
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

impl TargetPlace<'_> {
    /// Returns the cell of a map on which it stands, for a unit that walks there. In a door it stands
    /// at the end on this map.
    fn cell_on(&self, view: &MapView, unit: &UnitMaps) -> Result<Cell, PathFailure> {
        let place = unit.standing_place(&AnyMap::Tiles(*view), &self.standing, None);
        place.and_then(|place| place.cell().ok_or(PathFailure::TargetElsewhere)).map_err(
            |reason| match reason {
                PathFailure::StartOutOfBounds { cell, bounds } => PathFailure::goal_off(cell, bounds),
                other => other,
            },
        )
    }

    /// Returns the cells of a map that it covers, at least one.
    fn cells_on(&self, view: &MapView, unit: &UnitMaps) -> Result<Vec<Cell>, PathFailure> {
        let blocked = self.blocked.map(|blocked| blocked.on(view.map));
        if let Some(own) = blocked.filter(|own| !own.is_empty()) {
            // It may lie on several maps. If it has an `OnMap`, only that map counts.
            return self.cell_on(view, unit).map(|_| own.to_vec());
        }
        let of_target = (self.movement)
            .and_then(|movement| MapView::new(view.map, view.grid, view.projection).by(Some(movement)).ok());
        let size = of_target.map_or(Size::default(), |view| view.rules.size());
        let cell = self.cell_on(&of_target.unwrap_or(*view), unit)?;
        // Each cell is listed once.
        Ok(size.footprint(cell).collect::<BTreeSet<_>>().into_iter().collect())
    }
}

/// The maps of an order as its unit sees them, and the map on which the unit is.
#[derive(Clone, Copy)]
pub(crate) struct OrderMaps<'a, 'w, 's> {
    pub(crate) unit: UnitMaps<'a, 'w, 's>,
    pub(crate) own: AnyMap<'a>,
    /// The map that the order names.
    pub(crate) named: Option<Entity>,
}

impl<'a> OrderMaps<'a, '_, '_> {
    /// Returns the map of a target: the one on which it is, or the one that the order names, or the
    /// unit's own.
    fn map_of(&self, on_map: Option<Entity>) -> Result<MapView<'a>, NotYet> {
        let map = match on_map.or(self.named).filter(|&map| map != self.own.entity()) {
            None => self.own,
            Some(map) => {
                let all = self.unit.all;
                let map = all.get(map).ok_or_else(|| all.missing(map))?;
                if !map.is_ready() {
                    return Err(NotYet::Wait);
                }
                self.unit.see(map)?
            }
        };
        match map {
            AnyMap::Tiles(view) => Ok(view),
            AnyMap::Graph(_) => Err(PathFailure::TargetElsewhere.into()),
        }
    }

    /// Returns this map, which may be the unit's own.
    pub(crate) fn tiles(&self, map: Entity) -> Option<MapView<'a>> {
        let map = if self.own.entity() == map { Some(self.own) } else { self.unit.ready(map) };
        if let Some(AnyMap::Tiles(view)) = map { Some(view) } else { None }
    }

    /// Returns the goals near targets, or away from them. If no cell is suitable, returns the first
    /// cell of the first target.
    pub(crate) fn near(&self, reach: Reach) -> Goals {
        let cells = reach.targets.iter().filter_map(|covered| self.tiles(covered.map)).flat_map(|view| {
            let cells = reach.cells(&view);
            cells.into_iter().map(move |cell| (view.map, MapPlace::Cell(cell)))
        });
        let mut at: Vec<_> = cells.collect();
        if at.is_empty() {
            at.push((reach.targets[0].map, MapPlace::Cell(reach.targets[0].cells[0])));
        }
        Goals::new(at.into(), false, Some(reach))
    }
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

    /// Returns the goals of an order to one stop, for an agent on this map. `agent` is the agent that
    /// has the order, if there is one. `accepted` has the earlier goals of this stop there.
    fn goals(
        &self,
        agent: Option<Entity>,
        request: &PathRequest,
        unit: &UnitMaps,
        map: &AnyMap,
        accepted: Option<&Accepted>,
    ) -> Result<Goals, NotYet> {
        let maps = OrderMaps { unit: *unit, own: *map, named: request.goal_map() };
        if let Some(target) = request.goal().entity_to_reach(agent) {
            let (map, cell) = self.cell_of(target, &maps)?;
            return Ok(Goals::one(map, cell));
        }
        let approach = match request.goal() {
            PathGoal::Around(_, approach) => *approach,
            PathGoal::Nearest(places) => return self.listed(places, request, unit, map, accepted),
            PathGoal::One(_) | PathGoal::Along(_) | PathGoal::Entity(_) => {
                return unit.goals(request, map, accepted);
            }
        };
        let before = accepted.and_then(|accepted| accepted.goals.reach.as_ref());
        let before = |number: usize, place: &Place| {
            let (on, cell) = before?.place(number)?;
            (matches!(place, Place::Position(_)) || on != map.entity()).then_some((on, cell))
        };
        let targets = self.covered(agent, request.goal(), &maps, before)?;
        Ok(maps.near(Reach { targets, approach }))
    }

    /// Returns the cells that the targets of a goal cover on each map, at least one. `before` returns
    /// the map and the earlier cell of a place that must not move, by the index of the place.
    ///
    /// Among several targets, the agent itself and entities that are gone, or where the order cannot
    /// lead, are left out.
    fn covered(
        &self,
        agent: Option<Entity>,
        goal: &PathGoal,
        maps: &OrderMaps,
        before: impl Fn(usize, &Place) -> Option<(Entity, Cell)>,
    ) -> Result<SmallVec<[Covered; 1]>, NotYet> {
        let stays = goal.approach().is_some_and(Approach::stays_on_map);
        let is_allowed = |view: &MapView| !stays || view.map == maps.own.entity();
        let (mut places, mut all) = (0, Vec::<(Entity, Vec<Cell>, Vec<Cell>)>::new());
        let mut failure = None;
        for target in goal.targets() {
            let (map, cells, is_place) = match target {
                PathTarget::Place(place) => {
                    let known = before(places, place);
                    places += 1;
                    let (map, cell) = if let Some(known) = known {
                        known
                    } else {
                        let view = maps.map_of(None)?;
                        if !is_allowed(&view) {
                            return Err(PathFailure::TargetElsewhere.into());
                        }
                        (view.map, cell_of_place(place, &view)?)
                    };
                    (map, vec![cell], true)
                }
                PathTarget::Entity(target) if Some(*target) == agent => continue,
                PathTarget::Entity(target) => match self.cover(*target, maps, is_allowed) {
                    Ok((map, cells)) => (map, cells, false),
                    Err(reason) => {
                        failure = Some(reason);
                        continue;
                    }
                },
            };
            let at = all.iter().position(|(known, ..)| *known == map).unwrap_or_else(|| {
                all.push((map, Vec::new(), Vec::new()));
                all.len() - 1
            });
            let (_, covered, of_places) = &mut all[at];
            of_places.extend(is_place.then(|| cells[0]));
            covered.extend(cells);
        }
        if all.is_empty() {
            return Err(failure.unwrap_or(PathFailure::NoGoals.into()));
        }
        let covered =
            |(map, cells, of_places): (_, Vec<_>, _)| Covered { map, cells: cells.into(), of_places };
        Ok(all.into_iter().map(covered).collect())
    }

    /// Returns the map of an entity, and the cells that it covers there, at least one.
    fn cover(
        &self,
        target: Entity,
        maps: &OrderMaps,
        is_allowed: impl Fn(&MapView) -> bool,
    ) -> Result<(Entity, Vec<Cell>), NotYet> {
        let place = self.place_of(target).ok_or(PathFailure::TargetGone)?;
        let view = maps.map_of(place.on_map.map(|on_map| on_map.0))?;
        if !is_allowed(&view) {
            return Err(PathFailure::TargetElsewhere.into());
        }
        Ok((view.map, place.cells_on(&view, &maps.unit)?))
    }

    /// Returns the map and the cell on which an entity is, for a unit that walks there.
    fn cell_of(&self, target: Entity, maps: &OrderMaps) -> Result<(Entity, Cell), NotYet> {
        let place = self.place_of(target).ok_or(PathFailure::TargetGone)?;
        let view = maps.map_of(place.on_map.map(|on_map| on_map.0))?;
        Ok((view.map, place.cell_on(&view, &maps.unit)?))
    }
}
