//! Placeholder.

use bevy_app::App;
use bevy_ecs::{intern::Interned, schedule::ScheduleLabel};

pub(crate) fn plugin(_app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {}
