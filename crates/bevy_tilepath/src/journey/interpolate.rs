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
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, Res},
};
use bevy_math::{Affine2, Vec2};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use crate::{
    journey::agent::{Drive, PathAgent},
    map::world_places::WorldPlaces,
    schedule::TilepathSystems,
};

/// The last two simulated positions and the drawn position; `None` before the first step.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct DrawnPosition(Option<Drawn>);

#[derive(Debug, Clone, Copy)]
struct Drawn {
    before: Vec2,
    after: Vec2,
    shown: Vec2,
    /// The parent in whose space all three positions are.
    parent: Option<Entity>,
}

impl Drawn {
    fn at(here: Vec2, parent: Option<&ChildOf>) -> Self {
        Self { before: here, after: here, shown: here, parent: parent.map(ChildOf::parent) }
    }
}

impl DrawnPosition {
    /// Returns the simulated place of an agent that is drawn `here`, or `None` if other code has put
    /// it there.
    pub(crate) fn simulated(&self, here: Vec2) -> Option<Vec2> {
        self.0.filter(|drawn| drawn.shown == here).map(|drawn| drawn.after)
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

/// Sets the simulated position again. A position that was not drawn is a teleport by other code,
/// and stays.
fn restore_simulated(mut agents: Query<(&mut Transform, &mut DrawnPosition, Option<&ChildOf>, &PathAgent)>) {
    for (mut transform, mut memory, parent, agent) in &mut agents {
        if agent.drive == Drive::Velocity {
            memory.bypass_change_detection().leap();
            continue;
        }
        let here = transform.translation.truncate();
        match &mut memory.bypass_change_detection().0 {
            Some(memory) if memory.shown == here => {
                // This marks the transform as changed. If the agent rests now, its global transform
                // must become this position.
                if here != memory.after {
                    set_position(&mut transform, memory.after);
                }
                *memory = Drawn::at(memory.after, parent);
            }
            memory => *memory = Some(Drawn::at(here, parent)),
        }
    }
}

fn remember_simulated(
    mut agents: Query<(&Transform, &mut DrawnPosition, Option<&ChildOf>, &PathAgent)>,
    places: WorldPlaces,
) {
    for (transform, mut memory, parent, agent) in &mut agents {
        if agent.drive == Drive::Velocity {
            continue;
        }
        let here = transform.translation.truncate();
        match &mut memory.bypass_change_detection().0 {
            Some(memory) => {
                let parent = parent.map(ChildOf::parent);
                if parent != memory.parent {
                    // If the parent has changed in this step, the step is drawn in the space of the
                    // new parent.
                    let place =
                        |parent: Option<Entity>| parent.map_or(Affine2::IDENTITY, |parent| places.of(parent));
                    let before = place(memory.parent).transform_point2(memory.before);
                    let before = place(parent).inverse().transform_point2(before);
                    memory.before = if before.is_finite() { before } else { here };
                }
                *memory = Drawn { after: here, shown: here, parent, ..*memory };
            }
            memory => *memory = Some(Drawn::at(here, parent)),
        }
    }
}

fn draw_between_steps(
    time: Option<Res<Time<Fixed>>>,
    mut agents: Query<(&mut Transform, &mut DrawnPosition)>,
) {
    let Some(time) = time else { return };
    let part = time.overstep_fraction();
    for (mut transform, mut memory) in &mut agents {
        let Some(memory) = &mut memory.bypass_change_detection().0 else { continue };
        // The agent was teleported after the last step, or rests.
        if transform.translation.truncate() != memory.shown || memory.before == memory.after {
            continue;
        }
        memory.shown = memory.before.lerp(memory.after, part);
        if transform.translation.truncate() != memory.shown {
            set_position(&mut transform, memory.shown);
        }
    }
}
