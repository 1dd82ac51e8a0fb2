//! Draws agents smoothly between fixed steps.
//!
//! In a fixed schedule `Transform` is the simulated position from `FixedFirst` to `FixedLast`, the same at
//! every frame rate. Between the steps it is the position to be drawn: on the line between the last
//! two simulated ones, by the part of a step that has gone by. Only x and y, in the parent's space.

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

use crate::{map::world_places::WorldPlaces, schedule::TilepathSystems};

/// The last two simulated positions, and the one that was drawn; `None` until the first step.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct DrawnPosition(Option<Drawn>);

#[derive(Debug, Clone, Copy)]
struct Drawn {
    before: Vec2,
    after: Vec2,
    shown: Vec2,
    /// All three are in the space of this parent.
    parent: Option<Entity>,
}

impl Drawn {
    fn at(here: Vec2, parent: Option<&ChildOf>) -> Self {
        Self { before: here, after: here, shown: here, parent: parent.map(ChildOf::parent) }
    }
}

impl DrawnPosition {
    /// The agent was put elsewhere: there is nothing to draw in between. What comes next is a teleport.
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

/// Whether a schedule runs in steps of the same length.
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

/// Takes the drawn position back. A position that was not drawn is a teleport by other code and stays.
fn restore_simulated(mut agents: Query<(&mut Transform, &mut DrawnPosition, Option<&ChildOf>)>) {
    for (mut transform, mut memory, parent) in &mut agents {
        let here = transform.translation.truncate();
        match &mut memory.bypass_change_detection().0 {
            Some(memory) if memory.shown == here => {
                // Marked as changed: if the agent rests now, this is what its global transform must become.
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
    mut agents: Query<(&Transform, &mut DrawnPosition, Option<&ChildOf>)>,
    places: WorldPlaces,
) {
    for (transform, mut memory, parent) in &mut agents {
        let here = transform.translation.truncate();
        match &mut memory.bypass_change_detection().0 {
            Some(memory) => {
                let parent = parent.map(ChildOf::parent);
                if parent != memory.parent {
                    // A step between two spaces is drawn in the new one.
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
        // Teleported since the last step, or at rest.
        if transform.translation.truncate() != memory.shown || memory.before == memory.after {
            continue;
        }
        memory.shown = memory.before.lerp(memory.after, part);
        if transform.translation.truncate() != memory.shown {
            set_position(&mut transform, memory.shown);
        }
    }
}
