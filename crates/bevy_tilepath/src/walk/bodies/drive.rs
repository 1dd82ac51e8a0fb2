//! The aims of bodies in a tick, and how far they come.

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{
    Bounds, Cell, Cost,
    crowd::{Activity, BodyId, EFFORT_PER_STRAIGHT_STEP, LocalField, MAX_STEPS_PER_TICK, Steps},
};

use super::{
    door_claims::claim_doors,
    map_crowd::{Crowds, MapCrowd, Views},
    parts::{Bodies, BodyPartsItem, Surroundings},
};
use crate::{
    journey::{
        body::{Home, WayBack},
        path::{AgentPath, Progress},
    },
    map::map_view::MapView,
    search::shared_fields::SharedFields,
};

/// The distance along each axis from which a body that has made way finds back to its resting
/// place.
const HOME: u32 = 8;

/// The most steps in a tick of a body without animation.
const MOST_LEAPS: u32 = 1 << 12;

/// The number of ticks after which a body that walks back rests where it is.
const MOST_TICKS_BACK: u32 = 512;

/// The inputs for driving bodies.
pub(super) struct Driver<'a> {
    pub(super) fields: &'a mut SharedFields,
    pub(super) views: &'a Views<'a>,
    pub(super) tick: u32,
    pub(super) seconds: f64,
    /// The bodies that walk to an entity: the map, the body, and the entity.
    pub(super) targets: Vec<(Entity, BodyId, Entity)>,
}

impl Driver<'_> {
    /// Sets activity, goal, stride and steps of a body in its crowd. `view` is the map for the
    /// movement of the body.
    pub(super) fn drive(&mut self, item: &mut BodyPartsItem, crowd: &mut MapCrowd, view: &MapView) {
        let Some(entered) = &item.place.entered else { return };
        let (map, id, movement) = (entered.map, entered.id, entered.movement_id);
        let order = item.aim(crowd, view, self.tick);
        let stride = item.stride(crowd, view, self.seconds);
        let activity = match order.activity {
            Activity::UnderWay { .. } | Activity::Resting | Activity::Returning
                if item.is_held(crowd, stride) =>
            {
                Activity::Fixed
            }
            activity => activity,
        };
        if let Some(goal) = order.goal
            && (goal as usize) < view.grid.bounds().cell_count()
        {
            crowd.goals.count(movement, goal);
        }
        match item.target() {
            Some(target) => self.targets.push((map, id, target)),
            None => crowd.crowd.set_target(id, None),
        }
        if let Some(common) = item.common_goals() {
            self.fields.count(common);
        } else if let Some(common) = item.reached_goals() {
            self.fields.count_resting(common);
        }
        crowd.crowd.set_activity(id, activity, order.goal);
        crowd.crowd.set_stride(id, stride);
        crowd.crowd.set_steps(id, item.steps(crowd));
    }

    /// Drives the bodies that were not driven yet in this tick.
    pub(super) fn drive_others(
        &mut self,
        others: &[Entity],
        crowds: &mut Crowds,
        around: &Surroundings,
        bodies: &mut Bodies,
    ) {
        claim_doors(crowds, around, bodies);
        for &entity in others {
            let Ok(mut item) = bodies.get_mut(entity) else { continue };
            let Some(entered) = item.place.in_crowd() else { continue };
            let Some(crowd) = crowds.maps.get_mut(&entered.map) else { continue };
            let view = self.views.of(entered.map).and_then(|sight| item.seen_by(sight.view));
            if let Some(view) = view {
                self.drive(&mut item, crowd, &view);
            }
        }
    }

    /// Sets in the crowds which bodies walk to which bodies.
    pub(super) fn set_targets(&mut self, crowds: &mut Crowds, bodies: &Bodies) {
        for (map, id, target) in self.targets.drain(..) {
            let Some(crowd) = crowds.maps.get_mut(&map) else { continue };
            let target = bodies.get(target).ok().and_then(|item| item.place.in_crowd());
            let target = target.filter(|entered| (entered.map, entered.crowd) == (map, crowd.number));
            crowd.crowd.set_target(id, target.map(|entered| entered.id).filter(|&target| target != id));
        }
    }
}

/// The aim of a body.
struct Aim {
    activity: Activity,
    goal: Option<u32>,
}

impl Aim {
    const NOTHING: Self = Self { activity: Activity::Fixed, goal: None };
}

impl BodyPartsItem<'_, '_> {
    /// Returns its aim: the activity, and the slot to which it walks or where it rests.
    fn aim(&mut self, crowd: &MapCrowd, view: &MapView, tick: u32) -> Aim {
        let Some(entered) = &self.place.entered else { return Aim::NOTHING };
        let id = entered.id;
        let step = crowd.crowd.step(id).map(|step| (step.from, step.to));
        let cell = crowd.crowd.cell(id);
        let here = super::enter::position(&crowd.crowd, entered, view) + entered.off;
        let is_aside = entered.off != Vec2::ZERO;
        let bounds = view.grid.bounds();
        let Some(agent) = &mut self.agent else { return Aim::NOTHING };
        let has_order = agent.state.order_of(self.entity).is_some();
        let place = &mut *self.place;
        if let Some(mut path) = agent.walked_path_mut()
            && path.map() == view.map
            && path.path().is_some()
        {
            if path.walk.position != Some(here) {
                path.stand_in_crowd(here, step.unwrap_or((cell, cell)), is_aside, |_| ());
            }
            let is_at_end = path.is_at_end();
            place.home = None;
            if is_at_end {
                // It stands beside the entity that it follows, or at a stop. The time for which it
                // has been under way begins again.
                place.since = Some(tick);
            }
            let since = *place.since.get_or_insert(tick);
            let goal = path.crowd_goal();
            // Beside the entity that it follows it rests, until that entity moves or it has been
            // pushed away.
            let stood = step.map_or(cell, |(from, _)| from);
            let has_come = goal == Some(stood) || path.short.is_some_and(|(cell, _)| cell == stood);
            let rests = is_at_end && path.stops.waits_at_end && has_come;
            let activity = if rests { Activity::Resting } else { Activity::UnderWay { since } };
            // A body on closed ground is not there yet: others that rest at its goal make way for it.
            let leaves = step.is_none() && !view.is_passable(cell);
            return Aim { activity, goal: crowd_goal(&path, bounds).filter(|_| !leaves) };
        }
        if !has_order {
            place.since = None;
        }
        let arrived = |path: &&AgentPath| path.progress == Progress::Arrived && path.end_map() == view.map;
        let goal = agent.path.as_deref().filter(arrived).and_then(|path| crowd_goal(path, bounds));
        let is_standing = step.is_none();
        let overlaps = crowd.crowd.overlaps(id);
        let activity =
            if has_order { Activity::Resting } else { self.rest(cell, is_standing, overlaps, view, tick) };
        Aim { activity, goal }
    }

    /// Returns whether it rests, or walks back to its resting place. It walks back once, after it
    /// has made way.
    fn rest(&mut self, cell: Cell, is_standing: bool, overlaps: bool, view: &MapView, tick: u32) -> Activity {
        let Some(entered) = &self.place.entered else { return Activity::Fixed };
        let movement = entered.movement_id;
        let Some(home) = &mut self.place.home else {
            // If it was put onto other bodies, it leaves them.
            if is_standing && !overlaps {
                self.place.home = Some(Home { cell, back: None, is_done: false });
            }
            return Activity::Resting;
        };
        if home.cell == cell {
            if home.back.take().is_some() {
                home.is_done = true;
            }
            return Activity::Resting;
        }
        let version = view.grid.version();
        let slot_of = |cell: Cell| view.grid.bounds().slot(cell);
        let known = home.back.as_deref().map(|back| (back.version, back.since));
        if known.is_none_or(|(known, _)| known != version)
            && !home.is_done
            && let (Ok(steps), Some(at)) = (Steps::new(view.grid.finder(), movement), slot_of(home.cell))
        {
            let field = LocalField::around(&steps, at, HOME, [(at, Cost::ZERO)]);
            home.back =
                Some(Box::new(WayBack { field, version, since: known.map_or(tick, |(_, since)| since) }));
        }
        let finds_back = |back: &WayBack| {
            tick.wrapping_sub(back.since) < MOST_TICKS_BACK
                && slot_of(cell).and_then(|slot| back.field.rest(slot)).is_some()
        };
        if !home.is_done && home.back.as_deref().is_some_and(finds_back) {
            return Activity::Returning;
        }
        if is_standing {
            *home = Home { cell, back: None, is_done: true };
        }
        Activity::Resting
    }

    /// Returns how far it comes in this tick, in units of the crowd, without the distance to the
    /// centre of its cell.
    fn stride(&mut self, crowd: &MapCrowd, view: &MapView, seconds: f64) -> u32 {
        let (Some(entered), Some(agent)) = (&mut self.place.entered, &self.agent) else { return 0 };
        if agent.agent.is_held() {
            return 0;
        }
        let gait = agent.agent.gait();
        entered.gait = gait.kind();
        entered.leaps = agent.stepwise.as_ref().is_some_and(|stepwise| !stepwise.is_animated);
        if entered.leaps {
            entered.off = Vec2::ZERO;
            let steps = agent.stepwise.as_ref().map_or(0, |stepwise| stepwise.steps);
            return steps.min(MOST_LEAPS) * EFFORT_PER_STRAIGHT_STEP;
        }
        let straight = view.projection.straight_step();
        let way = gait.stride(straight, seconds);
        if way.is_nan() || way <= 0.0 || straight <= 0.0 {
            return 0;
        }
        let mut left = way;
        if entered.off != Vec2::ZERO && crowd.crowd.step(entered.id).is_none() {
            let off = f64::from(entered.off.length());
            if off > left {
                entered.off *= ((off - left) / off) as f32;
                return 0;
            }
            entered.off = Vec2::ZERO;
            left -= off;
        }
        let stride = (left / straight * f64::from(EFFORT_PER_STRAIGHT_STEP)).round();
        stride.clamp(1.0, f64::from(u32::MAX >> 1)) as u32
    }

    /// Returns the number of steps that it may begin in this tick.
    fn steps(&self, crowd: &MapCrowd) -> u32 {
        let (Some(entered), Some(agent)) = (&self.place.entered, &self.agent) else {
            return MAX_STEPS_PER_TICK;
        };
        let Some(stepwise) = &agent.stepwise else { return MAX_STEPS_PER_TICK };
        let begun = u32::from(crowd.crowd.step(entered.id).is_some());
        stepwise.steps.saturating_sub(begun).min(if entered.leaps { MOST_LEAPS } else { MAX_STEPS_PER_TICK })
    }

    /// Returns whether it begins no step, whatever its aim is.
    fn is_held(&self, crowd: &MapCrowd, stride: u32) -> bool {
        let (Some(entered), Some(agent)) = (&self.place.entered, &self.agent) else { return true };
        let begun = u32::from(crowd.crowd.step(entered.id).is_some());
        stride == 0 && entered.off != Vec2::ZERO
            || agent.agent.halt(agent.stepwise.as_deref(), begun).is_some()
    }

    /// Returns the entity to which it walks.
    fn target(&self) -> Option<Entity> {
        let path = self.agent.as_ref()?.walked_path()?;
        path.route().asked.target()
    }
}

/// Returns the number of a path's end in the crowd: the slot of its last cell, or the number of the
/// set of cells on which its order may end.
fn crowd_goal(path: &AgentPath, bounds: Bounds) -> Option<u32> {
    let goal = path.crowd_goal()?;
    match path.route().goals.number() {
        Some(number) => Some(number),
        None => slot(bounds, goal),
    }
}

fn slot(bounds: Bounds, cell: Cell) -> Option<u32> {
    bounds.slot(cell).map(|slot| slot as u32)
}
