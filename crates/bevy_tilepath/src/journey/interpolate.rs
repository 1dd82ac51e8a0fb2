//! Smooth drawing of agents between fixed steps.
//!
//! In a fixed schedule `Transform` is the simulated position from `FixedFirst` to `FixedLast`, the
//! same at every frame rate. Outside it is the position to be drawn: a point on the line between
//! the last two simulated positions, by the part of a step that has passed. Only x and y change, in
//! the parent's space.
//!
//! Decision: `docs/decisions/52-drawing.md`.

use bevy_app::{
    App, FixedFirst, FixedLast, FixedPostUpdate, FixedPreUpdate, FixedUpdate, RunFixedMainLoop,
    RunFixedMainLoopSystems,
};
use bevy_ecs::{
    change_detection::DetectChangesMut,
    component::Component,
    entity::Entity,
    hierarchy::ChildOf,
    intern::Interned,
    query::Has,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, Res},
};
use bevy_math::{Affine2, Vec2};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use crate::{
    journey::{agent::PathAgent, body::Body},
    map::{on_map::OnMap, projection::NavProjection, world_places::WorldPlaces},
    schedule::TilepathSystems,
};

/// The distance from the drawn position, in cells, below which a write of other code is drawing:
/// rounding to pixels, or a bob. A write that is farther away is a teleport.
const DRAWING_CELLS: f32 = 1.0 / 16.0;

/// The last two simulated positions and the drawn position; `None` before the first step.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct DrawnPosition(Option<Drawn>);

#[derive(Debug, Clone, Copy)]
struct Drawn {
    before: Vec2,
    after: Vec2,
    shown: Vec2,
    /// The offset at which other code drew an agent at rest. It is kept during the fixed steps, so
    /// that small pushes add up over the frames.
    aside: Vec2,
    /// The distance from `shown` below which a write is drawing. Zero without a map.
    reach: f32,
    /// The parent in whose space all positions are.
    parent: Option<Entity>,
}

impl Drawn {
    fn at(here: Vec2, reach: f32, parent: Option<&ChildOf>) -> Self {
        let parent = parent.map(ChildOf::parent);
        Self { before: here, after: here, shown: here, aside: Vec2::ZERO, reach, parent }
    }

    /// Returns whether an agent that is found here was at most drawn aside, and not moved.
    fn is_drawn_at(&self, here: Vec2) -> bool {
        here == self.shown || here.distance_squared(self.shown) < self.reach * self.reach
    }

    fn rests(&self) -> bool {
        self.before == self.after
    }
}

impl DrawnPosition {
    /// Returns the simulated place of an agent that is drawn `here`, or `None` if other code has put
    /// it there.
    pub(crate) fn simulated(&self, here: Vec2) -> Option<Vec2> {
        self.0.filter(|drawn| drawn.is_drawn_at(here)).map(|drawn| drawn.after)
    }

    /// Forgets the positions, because the agent was moved elsewhere. Nothing is drawn in between,
    /// and the next change is a teleport.
    pub(crate) fn leap(&mut self) {
        self.0 = None;
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    if is_fixed(schedule) {
        app.add_systems(FixedFirst, restore_simulated.before(TilepathSystems::SyncMaps))
            .add_systems(FixedLast, remember_simulated.after(TilepathSystems::Follow))
            .add_systems(
                RunFixedMainLoop,
                draw_between_steps.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
    }
}

/// Returns whether the steps of a schedule have a fixed length.
pub(crate) fn is_fixed(schedule: Interned<dyn ScheduleLabel>) -> bool {
    [
        FixedFirst.intern(),
        FixedPreUpdate.intern(),
        FixedUpdate.intern(),
        FixedPostUpdate.intern(),
        FixedLast.intern(),
    ]
    .contains(&schedule)
}

fn set_position(transform: &mut Transform, position: Vec2) {
    transform.translation = position.extend(transform.translation.z);
}

/// Sets the simulated position again. A position that is far from the drawn one is a teleport by
/// other code, and stays.
fn restore_simulated(
    mut agents: Query<(&mut Transform, &mut DrawnPosition, Option<&ChildOf>, &PathAgent, Has<Body>)>,
) {
    for (mut transform, mut memory, parent, agent, is_body) in &mut agents {
        let memory = memory.bypass_change_detection();
        if agent.is_driven(is_body) {
            memory.leap();
            continue;
        }
        let here = transform.translation.truncate();
        match &mut memory.0 {
            Some(memory) if memory.is_drawn_at(here) => {
                // This marks the transform as changed. If the agent rests now, its global transform
                // must become this position.
                if here != memory.after {
                    set_position(&mut transform, memory.after);
                }
                let aside = if memory.rests() { here - memory.after } else { Vec2::ZERO };
                *memory = Drawn { aside, ..Drawn::at(memory.after, memory.reach, parent) };
            }
            memory => {
                let reach = memory.as_ref().map_or(0.0, |memory| memory.reach);
                *memory = Some(Drawn::at(here, reach, parent));
            }
        }
    }
}

fn remember_simulated(
    mut agents: Query<(
        &Transform,
        &mut DrawnPosition,
        Option<&ChildOf>,
        Option<&OnMap>,
        &PathAgent,
        Has<Body>,
    )>,
    places: WorldPlaces,
    maps: Query<&NavProjection>,
) {
    let place = |parent: Option<Entity>| parent.map_or(Affine2::IDENTITY, |parent| places.of(parent));
    for (transform, mut memory, parent, on_map, agent, is_body) in &mut agents {
        if agent.is_driven(is_body) {
            continue;
        }
        let here = transform.translation.truncate();
        let projection = || on_map.and_then(|on_map| maps.get(on_map.0).ok());
        let reach = |parent| projection().map_or(0.0, |map| drawing_reach(map, place(parent)));
        match &mut memory.bypass_change_detection().0 {
            Some(memory) => {
                let parent = parent.map(ChildOf::parent);
                let has_moved = memory.after != here;
                if parent != memory.parent {
                    // If the parent has changed in this step, the step is drawn in the space of the
                    // new parent.
                    let before = place(memory.parent).transform_point2(memory.before);
                    let before = place(parent).inverse().transform_point2(before);
                    memory.before = if before.is_finite() { before } else { here };
                }
                if has_moved || parent != memory.parent {
                    memory.aside = Vec2::ZERO;
                }
                // The cells of an agent at rest seldom change their size.
                if has_moved || memory.reach == 0.0 {
                    memory.reach = reach(parent);
                }
                *memory = Drawn { after: here, shown: here, parent, ..*memory };
            }
            memory => *memory = Some(Drawn::at(here, reach(parent.map(ChildOf::parent)), parent)),
        }
    }
}

/// Returns the distance, in the space of a parent, below which a write is drawing.
fn drawing_reach(map: &NavProjection, parent: Affine2) -> f32 {
    let scale = parent.matrix2.determinant().abs().sqrt();
    let reach = DRAWING_CELLS * map.cell_side() as f32 / scale;
    if reach.is_finite() { reach } else { 0.0 }
}

fn draw_between_steps(
    time: Option<Res<Time<Fixed>>>,
    mut agents: Query<(&mut Transform, &mut DrawnPosition)>,
) {
    let Some(time) = time else { return };
    let part = time.overstep_fraction();
    for (mut transform, mut memory) in &mut agents {
        let Some(memory) = &mut memory.bypass_change_detection().0 else { continue };
        let here = transform.translation.truncate();
        let aside = std::mem::take(&mut memory.aside);
        if memory.rests() {
            if aside != Vec2::ZERO && here == memory.shown {
                set_position(&mut transform, here + aside);
            }
            continue;
        }
        // If the agent was teleported after the last step, it stays there.
        if !memory.is_drawn_at(here) {
            continue;
        }
        memory.shown = memory.before.lerp(memory.after, part);
        if here != memory.shown {
            set_position(&mut transform, memory.shown);
        }
    }
}
