//! Components of bodies, and the resources that they depend on.

use bevy_ecs::{
    entity::Entity,
    hierarchy::ChildOf,
    query::QueryData,
    system::{Query, Res, SystemParam},
};
use bevy_transform::components::Transform;

use crate::{
    journey::{
        agent::{Motion, PathAgent},
        body::{Body, BodyPatience, BodyPlace},
        number::AgentNumber,
        parents::ParentPlaces,
        path::{AgentPath, Progress, path_mut::PathMut},
        standing_on::StandingOn,
        stepwise::Stepwise,
    },
    map::{maps::Maps, movement::AgentMovement, on_map::OnMap, watch::WatchedMaps},
    order::{common_goals::CommonGoals, request::PathRequest, state::RequestState, stops::PathStops},
};

/// A body, which may be an agent.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct BodyParts {
    pub(super) entity: Entity,
    pub(super) body: &'static Body,
    pub(super) place: &'static mut BodyPlace,
    pub(super) number: &'static AgentNumber,
    pub(super) transform: &'static mut Transform,
    pub(super) on_map: Option<&'static OnMap>,
    pub(super) parent: Option<&'static ChildOf>,
    pub(super) movement: Option<&'static AgentMovement>,
    pub(super) agent: Option<AgentParts>,
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct AgentParts {
    pub(super) agent: &'static PathAgent,
    pub(super) state: &'static RequestState,
    pub(super) request: Option<&'static PathRequest>,
    pub(super) path: Option<&'static mut AgentPath>,
    pub(super) motion: &'static mut Motion,
    pub(super) standing_on: &'static mut StandingOn,
    pub(super) stops: Option<&'static PathStops>,
    pub(super) stepwise: Option<&'static mut Stepwise>,
    pub(super) patience: Option<&'static BodyPatience>,
}

pub(super) type Bodies<'w, 's> = Query<'w, 's, BodyParts>;

/// Everything that bodies depend on.
#[derive(SystemParam)]
pub(super) struct Surroundings<'w, 's> {
    pub(super) parents: Res<'w, ParentPlaces>,
    pub(super) watched: Res<'w, WatchedMaps>,
    pub(super) maps: Maps<'w, 's>,
}

impl AgentPartsItem<'_, '_> {
    /// Returns its path, if it walks along it. It walks along the path of an older order until the
    /// new order is answered.
    pub(super) fn walked_path(&self) -> Option<&AgentPath> {
        self.path.as_deref().filter(|path| path.is_walked(self.state))
    }

    pub(super) fn walked_path_mut(&mut self) -> Option<PathMut<'_>> {
        let path = self.path.as_mut().map(|path| PathMut::new(path.reborrow()));
        path.filter(|path| path.is_walked(self.state))
    }
}

impl BodyPartsItem<'_, '_> {
    /// Returns the goals that it has reached, if others may rest there, too.
    pub(super) fn reached_goals(&self) -> Option<&CommonGoals> {
        let path = self.agent.as_ref()?.path.as_deref()?;
        path.route().common.as_ref().filter(|_| path.progress == Progress::Arrived)
    }

    /// Returns the goals to which it walks, if others may walk there, too.
    pub(super) fn common_goals(&self) -> Option<&CommonGoals> {
        self.agent.as_ref()?.walked_path()?.common_goals()
    }
}
