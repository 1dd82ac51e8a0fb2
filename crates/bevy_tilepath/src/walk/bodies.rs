//! Agents that are bodies, which crowds move.
//!
//! Each crowd decides which bodies step where. Its decisions are then written to the components.
//!
//! Decision: `docs/decisions/53-bodies.md`.

mod door_claims;
mod drive;
mod enter;
mod guide;
mod held;
pub(crate) mod map_crowd;
mod parts;
mod put;
mod verdict;

use bevy_app::App;
#[cfg(feature = "recording")]
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::{
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Res, ResMut},
};
use bevy_time::Time;

use self::{
    drive::Driver,
    map_crowd::{Crowds, Views},
    parts::{Bodies, Surroundings},
    verdict::Verdict,
};
#[cfg(feature = "recording")]
use crate::recorder::PathRecorder;
use crate::{
    diagnostics::TilepathDiagnostics,
    journey::body::{Body, BodyPatience},
    order::queue::RequestQueue,
    schedule::FollowSteps,
    search::shared_fields::SharedFields,
    walk::{changed_movements::stop_changed_agents, follow::follow_paths},
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Crowds>().register_type::<Body>().register_type::<BodyPatience>().add_systems(
        schedule,
        move_bodies.in_set(FollowSteps::Walk).after(stop_changed_agents).before(follow_paths),
    );
}

fn move_bodies(
    time: Res<Time>,
    around: Surroundings,
    mut crowds: ResMut<Crowds>,
    mut fields: ResMut<SharedFields>,
    mut queue: ResMut<RequestQueue>,
    mut diagnostics: ResMut<TilepathDiagnostics>,
    mut bodies: Bodies,
    #[cfg(feature = "recording")] mut recorder: ResMut<PathRecorder>,
) {
    let seconds = time.delta_secs_f64();
    (diagnostics.bodies, diagnostics.bodies_waiting) = (0, 0);
    crowds.begin_tick(&around.maps);
    fields.begin_count();
    let views = Views::new(&around);
    let targets = std::mem::take(&mut crowds.targets);
    let mut driver = Driver { fields: &mut fields, views: &views, tick: crowds.tick, seconds, targets };
    let others = enter::enter(&mut crowds, &around, &mut driver, &mut bodies);
    if crowds.maps.is_empty() {
        return;
    }
    driver.drive_others(&others, &mut crowds, &around, &mut bodies);
    driver.set_targets(&mut crowds, &bodies);
    crowds.targets = driver.targets;
    #[cfg(feature = "recording")]
    let recorder = recorder.bypass_change_detection();
    #[cfg(feature = "recording")]
    let mut recorder = recorder.take_wish_for_crowds().then_some(recorder);
    let tick = crowds.tick;
    let leading = fields.leading(&around.maps);
    for (&map, map_crowd) in &mut crowds.maps {
        let Some(view) = views.of(map).map(|sight| sight.view) else { continue };
        map_crowd.goals.refresh(&view);
        let verdicts = held::decide(
            map_crowd,
            &view,
            &leading,
            tick,
            &bodies,
            #[cfg(feature = "recording")]
            recorder.as_deref_mut(),
        );
        diagnostics.bodies += map_crowd.crowd.bodies().count();
        diagnostics.bodies_waiting +=
            verdicts.iter().filter(|verdict| !matches!(verdict, Verdict::GoesOn)).count();
        map_crowd.verdicts = verdicts;
    }
    diagnostics.work += put::put(&mut crowds, &mut fields, &around, &views, seconds, &mut queue, &mut bodies);
}
