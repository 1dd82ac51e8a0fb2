//! Agents that are bodies: each crowd decides who steps where, and what it says is written back.

mod door_claims;
mod drive;
mod enter;
mod guide;
mod held;
pub(crate) mod map_crowd;
mod put;

use bevy_app::App;
use bevy_ecs::{
    entity::Entity,
    hierarchy::ChildOf,
    intern::Interned,
    query::QueryData,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, Res, ResMut, SystemParam},
};
use bevy_time::Time;
use bevy_transform::components::Transform;

use self::{
    drive::Driver,
    held::Verdict,
    map_crowd::{Crowds, Views},
};
#[cfg(feature = "recording")]
use bevy_ecs::change_detection::DetectChangesMut;

#[cfg(feature = "recording")]
use crate::recorder::PathRecorder;
use crate::{
    diagnostics::TilepathDiagnostics,
    journey::{
        agent::{Motion, PathAgent},
        body::{Body, BodyPatience, BodyPlace},
        number::AgentNumber,
        parents::ParentPlaces,
        path::{AgentPath, Progress},
        standing_on::StandingOn,
        stepwise::Stepwise,
    },
    map::{maps::Maps, movement::AgentMovement, on_map::OnMap, watch::WatchedMaps},
    order::{
        common_goals::CommonGoals, queue::RequestQueue, request::PathRequest, state::RequestState,
        stops::PathStops,
    },
    schedule::FollowSteps,
    search::shared_fields::SharedFields,
    walk::follow::follow_paths,
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Crowds>()
        .register_type::<Body>()
        .register_type::<BodyPatience>()
        .add_systems(schedule, move_bodies.in_set(FollowSteps::Walk).before(follow_paths));
}

/// A body, which may be an agent.
#[derive(QueryData)]
#[query_data(mutable)]
struct BodyParts {
    entity: Entity,
    body: &'static Body,
    place: &'static mut BodyPlace,
    number: &'static AgentNumber,
    transform: &'static mut Transform,
    on_map: Option<&'static OnMap>,
    parent: Option<&'static ChildOf>,
    movement: Option<&'static AgentMovement>,
    agent: Option<AgentParts>,
}

#[derive(QueryData)]
#[query_data(mutable)]
struct AgentParts {
    agent: &'static PathAgent,
    state: &'static RequestState,
    request: Option<&'static PathRequest>,
    path: Option<&'static mut AgentPath>,
    motion: &'static mut Motion,
    standing_on: &'static mut StandingOn,
    stops: Option<&'static PathStops>,
    stepwise: Option<&'static mut Stepwise>,
    patience: Option<&'static BodyPatience>,
}

type Bodies<'w, 's> = Query<'w, 's, BodyParts>;

/// What bodies depend on.
#[derive(SystemParam)]
struct Surroundings<'w, 's> {
    parents: Res<'w, ParentPlaces>,
    watched: Res<'w, WatchedMaps>,
    maps: Maps<'w, 's>,
}

impl AgentPartsItem<'_, '_> {
    /// Its path, if it goes by that: by that of an older order until the one that replaced it is answered.
    fn walked_path(&self) -> Option<&AgentPath> {
        self.path.as_deref().filter(|path| is_walked(path, self.state))
    }

    fn walked_path_mut(&mut self) -> Option<&mut AgentPath> {
        let state = self.state;
        // Not visible outside the plugin, as for others.
        self.path.as_deref_mut().filter(|path| is_walked(path, state))
    }
}

impl BodyPartsItem<'_, '_> {
    /// What it has reached, if others may rest there, too.
    fn reached_goals(&self) -> Option<&CommonGoals> {
        let path = self.agent.as_ref()?.path.as_deref()?;
        path.route.common.as_ref().filter(|_| path.progress == Progress::Arrived)
    }

    /// What it goes to, if others may go there, too.
    fn common_goals(&self) -> Option<&CommonGoals> {
        self.agent.as_ref()?.walked_path()?.common_goals()
    }
}

fn is_walked(path: &AgentPath, state: &RequestState) -> bool {
    (state.holds(path.order) || state.awaits_answer() && path.is_gone_by())
        && path.progress == Progress::Walking
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
    let mut ticks = recorder.bypass_change_detection().begin_crowds();
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
            &mut ticks,
        );
        diagnostics.bodies += map_crowd.crowd.bodies().count();
        diagnostics.bodies_waiting +=
            verdicts.iter().filter(|verdict| !matches!(verdict, Verdict::GoesOn)).count();
        map_crowd.verdicts = verdicts;
    }
    diagnostics.work +=
        put::put(&mut crowds, &mut fields, (&around, &views), seconds, &mut queue, &mut bodies);
}
