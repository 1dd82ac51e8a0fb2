//! Membership: which bodies are in which crowd, on which cell.

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{
    Cell, Size,
    crowd::{self, Crowd},
};
use tracing::warn;

use super::{
    drive::Driver,
    map_crowd::{Crowds, MapCrowd, Owner, Sight, Views, tiles},
    parts::{AgentPartsItem, Bodies, BodyPartsItem, Surroundings},
};
use crate::{
    journey::{
        body::{Body, Entered},
        path::AgentPath,
    },
    map::{map_view::MapView, movement::AgentMovement, version::Version},
    route::speed::GaitKind,
};

/// A body that is to enter a crowd.
struct Entering {
    /// The number that sets the order in which bodies enter.
    number: u64,
    entity: Entity,
    map: Entity,
    cell: Cell,
    off: Vec2,
    written: Vec2,
    placement: Version,
}

/// Updates the crowds for bodies that have come, gone or been moved by other code. Drives the other
/// bodies, except those with a door on their path. Returns the bodies that are not driven yet.
pub(super) fn enter(
    crowds: &mut Crowds,
    around: &Surroundings,
    driver: &mut Driver,
    bodies: &mut Bodies,
) -> Vec<Entity> {
    let only = only_tile_map(around);
    let (mut entering, mut others) = (Vec::new(), Vec::new());
    for mut item in &mut *bodies {
        let is_near_door = item.is_near_door();
        crowds.are_doors_near |= is_near_door;
        if let Some((view, crowd)) = item.stay(only, crowds, driver.views) {
            if is_near_door {
                others.push(item.entity);
            } else {
                driver.drive(&mut item, crowd, &view);
            }
            continue;
        }
        others.push(item.entity);
        if let Some(new) = look_at(&mut item, only, crowds, around) {
            entering.push(new);
        }
    }
    let tick = crowds.tick;
    for crowd in crowds.maps.values_mut() {
        crowd.remove_unseen(tick);
    }
    entering.sort_unstable_by_key(|new| (new.number, new.entity));
    for new in entering {
        let Ok(mut item) = bodies.get_mut(new.entity) else { continue };
        insert(crowds, around, &mut item, &new);
    }
    crowds.maps.retain(|_, crowd| crowd.owners.iter().any(|owner| owner.entity.is_some()));
    others
}

/// Returns the only tile map.
fn only_tile_map(around: &Surroundings) -> Option<Entity> {
    let mut maps = around.maps.tile_maps();
    let only = maps.next()?.map;
    maps.next().is_none().then_some(only)
}

/// Updates a body that may not be at its place in its crowd. Returns its new place if it has to
/// enter a crowd.
fn look_at(
    item: &mut BodyPartsItem,
    only: Option<Entity>,
    crowds: &mut Crowds,
    around: &Surroundings,
) -> Option<Entering> {
    let tick = crowds.tick;
    if item.is_in_door() {
        item.hold_behind_door(crowds, around);
        item.see(crowds, tick);
        return None;
    }
    let is_at_place = item.is_at_place();
    item.place.behind = None;
    let map = item.on_map.map(|on_map| on_map.0).or(only);
    if map == Some(item.entity) && !item.place.is_refused {
        warn!(
            "{map} cannot be a Body on itself: put Body on the units that walk there, and not on the map",
            map = item.entity
        );
    }
    item.place.is_refused = map == Some(item.entity);
    let found = map
        .filter(|_| !item.place.is_refused)
        .and_then(|map| tiles(&around.maps, map))
        .and_then(|view| item.seen_by(view));
    let local = item.transform.translation.truncate();
    let Some((view, here)) = found.zip(around.parents.world_of(item.parent, local)) else {
        if item.place.entered.take().is_some() {
            item.stand_still();
        }
        return None;
    };
    let placement = around.watched.get(view.map).map_or_else(Version::default, |watch| watch.placement);
    let known = crowds.maps.get(&view.map);
    let (body, side) = (*item.body, view.side());
    let entered = item.place.entered.take().filter(|entered| {
        entered.map == view.map
            && entered.body == body
            && entered.side == side
            && known.is_some_and(|crowd| {
                crowd.number == entered.crowd && crowd.owner(entered.id) == Some(item.entity)
            })
    });
    if let (Some(mut entered), Some(crowd)) = (entered, known) {
        let stays = is_at_place && entered.placement == placement
            || entered.is_where(&crowd.crowd, &view, here, item.agent.is_some());
        if stays {
            (entered.written, entered.placement) = (local, placement);
            if entered.movement.as_ref() != item.movement_of_unit() {
                entered.movement = item.movement_of_unit().cloned();
            }
            entered.movement_id = view.movement;
            item.place.entered = entered.into();
            item.see(crowds, tick);
            return None;
        }
    }
    let Some(cell) = view.unbounded_cell_at(here).filter(|&cell| view.grid.bounds().contains(cell)) else {
        item.stand_still();
        return None;
    };
    Some(Entering {
        number: item.number.get(),
        entity: item.entity,
        map: view.map,
        cell,
        off: here - view.position_of(cell),
        written: local,
        placement,
    })
}

fn insert(crowds: &mut Crowds, around: &Surroundings, item: &mut BodyPartsItem, new: &Entering) {
    let Some(view) = tiles(&around.maps, new.map).and_then(|view| item.seen_by(view)) else { return };
    let tick = crowds.tick;
    let crowd = crowds.maps.entry(new.map).or_insert_with(|| MapCrowd::new(&view));
    let body = described(*item.body, item.number.get(), view.side(), new.cell);
    let Some(entered) = item.enter_crowd(crowd, &view, &body, tick) else { return };
    // It rests at its new place, not at its earlier resting place.
    (item.place.home, item.place.detour) = (None, None);
    item.place.entered =
        Some(Entered { off: new.off, written: new.written, placement: new.placement, ..entered });
}

/// Returns a body in the form for the crowd.
pub(super) fn described(body: Body, number: u64, side: u8, cell: Cell) -> crowd::Body {
    crowd::Body {
        layer: body.layer,
        blocks: body.blocks,
        size: Size::new(side).unwrap_or_default(),
        stride: 0,
        activity: crowd::Activity::Fixed,
        // There are never more agents than that.
        ..crowd::Body::new(number as u32, cell)
    }
}

/// Returns a body that passes a door. It is under way to the cells behind the door, and decides
/// nothing before it is there.
pub(super) fn passing(body: crowd::Body) -> crowd::Body {
    crowd::Body { activity: crowd::Activity::UnderWay { since: 0 }, ..body }
}

impl BodyPartsItem<'_, '_> {
    /// Returns its movement. While it walks along a path, it is the movement of the path.
    pub(super) fn movement_of_unit(&self) -> Option<&AgentMovement> {
        match self.agent.as_ref().and_then(AgentPartsItem::walked_path) {
            Some(path) => path.route().movement.as_ref(),
            None => self.movement,
        }
    }

    /// Returns the map for the unit's movement, if the unit can be on it.
    pub(super) fn seen_by<'a>(&self, view: MapView<'a>) -> Option<MapView<'a>> {
        if let Some(entered) = &self.place.entered
            && entered.map == view.map
            && entered.movement.as_ref() == self.movement_of_unit()
            && let Some(rules) = view.finder.movement(entered.movement_id)
        {
            return Some(MapView { movement: entered.movement_id, rules, ..view });
        }
        view.by(self.movement_of_unit()).ok()
    }

    /// Puts it onto cells of a map. Returns `None` if that is not possible.
    pub(super) fn enter_crowd(
        &self,
        crowd: &mut MapCrowd,
        view: &MapView,
        body: &crowd::Body,
        tick: u32,
    ) -> Option<Entered> {
        let id = crowd.insert(body, self.entity, tick)?;
        Some(Entered {
            map: view.map,
            crowd: crowd.number,
            id,
            body: *self.body,
            side: view.side(),
            movement: self.movement_of_unit().cloned(),
            movement_id: view.movement,
            gait: GaitKind::default(),
            leaps: false,
            off: Vec2::ZERO,
            written: self.transform.translation.truncate(),
            placement: Version::default(),
        })
    }

    /// Keeps the claim on the cells behind the door. If the body has changed, or the crowd behind
    /// is a new one, takes the claim again.
    fn hold_behind_door(&mut self, crowds: &mut Crowds, around: &Surroundings) {
        let Some((map, Some(cell))) = self.place.behind else { return };
        let view = tiles(&around.maps, map).and_then(|view| self.seen_by(view));
        let tick = crowds.tick;
        let held = self.place.entered.take().filter(|entered| {
            let crowd = crowds.maps.get(&entered.map).filter(|crowd| crowd.number == entered.crowd);
            crowd.is_some_and(|crowd| crowd.owner(entered.id) == Some(self.entity))
        });
        let Some(view) = view else {
            self.place.entered = held;
            return;
        };
        if held.as_ref().is_some_and(|held| held.body == *self.body && held.side == view.side()) {
            self.place.entered = held;
            return;
        }
        let crowd = crowds.maps.entry(map).or_insert_with(|| MapCrowd::new(&view));
        if let Some(held) = held {
            crowd.remove(held.id);
        }
        let body = described(*self.body, self.number.get(), view.side(), cell);
        self.place.entered = self.enter_crowd(crowd, &view, &passing(body), tick);
    }

    /// Returns the map for its movement, and its crowd, if its place, map and movement are
    /// unchanged. Also marks it in the crowd as present.
    fn stay<'a, 'c>(
        &self,
        only: Option<Entity>,
        crowds: &'c mut Crowds,
        views: &Views<'a>,
    ) -> Option<(MapView<'a>, &'c mut MapCrowd)> {
        let entered = self.place.in_crowd().filter(|_| self.is_at_place())?;
        let is_as_before = self.on_map.map_or(only, |on_map| Some(on_map.0)) == Some(entered.map)
            && *self.body == entered.body
            && entered.movement.as_ref() == self.movement_of_unit();
        let Sight { view, placement } = *views.of(entered.map).filter(|_| is_as_before)?;
        let rules = view.finder.movement(entered.movement_id)?;
        let tick = crowds.tick;
        let crowd = crowds.maps.get_mut(&entered.map)?;
        let owner = crowd.owners.get_mut(entered.id.index())?;
        if placement != entered.placement
            || rules.size().side() != entered.side
            || crowd.number != entered.crowd
            || owner.entity != Some(self.entity)
        {
            return None;
        }
        owner.seen = tick;
        Some((MapView { movement: entered.movement_id, rules, ..view }, crowd))
    }

    /// Sets its velocity to zero: it has left its crowd, perhaps in the middle of a step.
    fn stand_still(&mut self) {
        if let Some(agent) = &mut self.agent
            && agent.motion.velocity != Vec2::ZERO
        {
            agent.motion.velocity = Vec2::ZERO;
        }
    }

    /// Returns whether it is in a door, or has one on its path.
    fn is_near_door(&self) -> bool {
        let path = self.agent.as_ref().and_then(|agent| agent.path.as_deref());
        self.place.is_passing() || path.is_some_and(|path| path.legs_left().len() > 1)
    }

    /// Returns whether it is in a door that it may pass.
    fn is_in_door(&self) -> bool {
        let is_in_door = |path: &AgentPath| path.is_in_door() && path.walk.position.is_some();
        self.place.is_passing()
            && self.agent.as_ref().is_some_and(|agent| {
                agent.path.as_deref().is_some_and(is_in_door) || agent.standing_on.is_in_door()
            })
    }

    /// Returns whether it is where the plugin put it, as far as this can be found without its map.
    fn is_at_place(&self) -> bool {
        let local = self.transform.translation.truncate();
        self.parent.is_none() && self.place.entered.as_ref().is_some_and(|entered| entered.written == local)
    }

    /// Marks it as present in this tick.
    fn see(&self, crowds: &mut Crowds, tick: u32) {
        if let Some(entered) = &self.place.entered
            && let Some(crowd) = crowds.maps.get_mut(&entered.map)
            && crowd.number == entered.crowd
            && let Some(owner) = crowd.owners.get_mut(entered.id.index())
        {
            owner.seen = tick;
        }
    }
}

impl Entered {
    /// Returns whether it is at its place in the crowd. A standing body may have been pushed within
    /// its cell.
    fn is_where(&mut self, crowd: &Crowd, view: &MapView, here: Vec2, is_agent: bool) -> bool {
        let there = position(crowd, self, view) + self.off;
        let units = view.units(here);
        if is_agent && units.distance(view.units(there)) <= view.reach(here, units) {
            return true;
        }
        let cell = crowd.cell(self.id);
        let is_pushed = crowd.step(self.id).is_none() && view.unbounded_cell_at(here) == Some(cell);
        if is_pushed {
            self.off = here - view.position_of(cell);
        }
        is_pushed
    }
}

/// Returns the position of a body in its crowd, in the world.
pub(super) fn position(crowd: &Crowd, entered: &Entered, view: &MapView) -> Vec2 {
    let centre = |cell: Cell| view.projection.centre_of_unit(cell, entered.side);
    match crowd.step(entered.id) {
        Some(step) => centre(step.from).lerp(centre(step.to), step.share),
        None => centre(crowd.cell(entered.id)),
    }
}

impl MapCrowd {
    /// Puts the body of an entity onto its cells. Returns `None` if that is not possible.
    pub(super) fn insert(&mut self, body: &crowd::Body, entity: Entity, tick: u32) -> Option<crowd::BodyId> {
        let id = self.crowd.insert(body).ok()?;
        if self.owners.len() <= id.index() {
            self.owners.resize(id.index() + 1, Owner { entity: None, seen: 0 });
        }
        self.owners[id.index()] = Owner { entity: Some(entity), seen: tick };
        Some(id)
    }

    /// Removes a body.
    pub(super) fn remove(&mut self, id: crowd::BodyId) {
        self.crowd.remove(id);
        self.owners[id.index()].entity = None;
    }

    /// Removes the bodies that were not present in this tick.
    fn remove_unseen(&mut self, tick: u32) {
        let ids: Vec<crowd::BodyId> = (self.crowd.bodies())
            .filter(|id| self.owners.get(id.index()).is_none_or(|owner| owner.seen != tick))
            .collect();
        for id in ids {
            self.remove(id);
        }
    }
}
