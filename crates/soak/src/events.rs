//! The plugin's events, in order.

use bevy_app::App;
use bevy_ecs::{
    entity::Entity,
    hierarchy::ChildOf,
    lifecycle::{Discard, Insert},
    observer::On,
    query::{Has, Without},
    resource::Resource,
    system::{Commands, Query, ResMut},
    world::World,
};
use bevy_tilepath::{
    Cost, Obstacle, OnMap, PathAgent, PathFailure, PathRequest, Place,
    events::{
        Arrived, DoorPassed, PathBlocked, PathFailed, PathFound, PathLost, PathPointReached, Replanned,
        StopReached, WaitOver, WaitingFor,
    },
    groups::{GroupArrived, GroupFailed, GroupMember},
};

use crate::places;

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Told {
    /// A path was found. The order ends at once if the entity is not an agent.
    Found {
        walks: bool,
    },
    Failed(PathFailure),
    Arrived(End),
    Lost(PathFailure),
    Blocked,
    Replanned,
    Reached(Entity, Place),
    StopReached,
    Passed {
        from: Entity,
        to: Entity,
    },
    WaitingFor,
    WaitOver,
    /// The plugin has ordered a member of a group to its place. The member can already have an
    /// equal order.
    Ordered {
        group: Entity,
        is_same: bool,
    },
    GroupArrived(GroupArrived),
    GroupFailed(GroupFailed),
}

/// The end of a journey.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    pub(crate) map: Entity,
    pub(crate) place: Place,
    /// True at the goal itself, false only near the goal.
    pub(crate) is_there: bool,
}

/// All events of this tick.
#[derive(Resource, Default)]
pub(crate) struct Log {
    pub(crate) told: Vec<(Entity, Told)>,
    /// True while the plugin runs, so that changes come from the plugin.
    pub(crate) is_ticking: bool,
    /// The order that is being replaced.
    replaced: Option<(Entity, PathRequest)>,
}

pub(crate) fn listen(app: &mut App) {
    fn note(log: &mut Log, entity: Entity, told: Told) {
        log.told.push((entity, told));
    }
    app.init_resource::<Log>()
        .add_observer(|on: On<PathFound>, mut log: ResMut<Log>, agents: Query<Has<PathAgent>>| {
            let walks = agents.get(on.entity).unwrap_or(false);
            note(&mut log, on.entity, Told::Found { walks });
        })
        .add_observer(|on: On<PathFailed>, mut log: ResMut<Log>| {
            note(&mut log, on.entity, Told::Failed(on.reason));
        })
        .add_observer(|on: On<Arrived>, mut log: ResMut<Log>| {
            let Arrived { entity, map, ref place, partial, shortfall, .. } = *on.event();
            let is_there = !partial && shortfall == Cost::ZERO;
            note(&mut log, entity, Told::Arrived(End { map, place: place.clone(), is_there }));
        })
        .add_observer(|on: On<PathLost>, mut log: ResMut<Log>| {
            note(&mut log, on.entity, Told::Lost(on.reason));
        })
        .add_observer(|on: On<PathBlocked>, mut log: ResMut<Log>| note(&mut log, on.entity, Told::Blocked))
        .add_observer(|on: On<Replanned>, mut log: ResMut<Log>| note(&mut log, on.entity, Told::Replanned))
        .add_observer(|on: On<PathPointReached>, mut log: ResMut<Log>| {
            note(&mut log, on.entity, Told::Reached(on.map, on.place.clone()));
        })
        .add_observer(|on: On<DoorPassed>, mut log: ResMut<Log>| {
            let DoorPassed { entity, from, to, .. } = *on.event();
            note(&mut log, entity, Told::Passed { from, to });
        })
        .add_observer(|on: On<StopReached>, mut log: ResMut<Log>| {
            note(&mut log, on.entity, Told::StopReached);
        })
        .add_observer(|on: On<WaitingFor>, mut log: ResMut<Log>| note(&mut log, on.entity, Told::WaitingFor))
        .add_observer(|on: On<WaitOver>, mut log: ResMut<Log>| note(&mut log, on.entity, Told::WaitOver))
        .add_observer(|on: On<GroupArrived>, mut log: ResMut<Log>| {
            note(&mut log, on.entity, Told::GroupArrived(*on.event()));
        })
        .add_observer(|on: On<GroupFailed>, mut log: ResMut<Log>| {
            note(&mut log, on.entity, Told::GroupFailed(*on.event()));
        })
        .add_observer(|on: On<Discard, PathRequest>, mut log: ResMut<Log>, orders: Query<&PathRequest>| {
            log.replaced = orders.get(on.entity).ok().map(|request| (on.entity, request.clone()));
        })
        .add_observer(
            |on: On<Insert, PathRequest>,
             mut log: ResMut<Log>,
             orders: Query<(&PathRequest, Option<&GroupMember>)>| {
                let replaced = log.replaced.take();
                if let Ok((request, Some(member))) = orders.get(on.entity)
                    && log.is_ticking
                {
                    let is_same = replaced.is_some_and(|(who, old)| who == on.entity && old == *request);
                    note(&mut log, on.entity, Told::Ordered { group: member.group(), is_same });
                }
            },
        )
        // Not by events: a door on the path of a replaced order triggers no event.
        .add_observer(
            |on: On<Insert, OnMap>, mut commands: Commands, agents: Query<&OnMap, Without<Obstacle>>| {
                let entity = on.entity;
                if let Ok(&OnMap(map)) = agents.get(entity) {
                    commands.queue(move |world: &mut World| board(world, entity, map));
                }
            },
        );
}

/// Makes an agent that enters a map a child of the map's parent.
fn board(world: &mut World, entity: Entity, map: Entity) {
    if world.get_entity(entity).is_err() {
        return;
    }
    let wanted = world.get::<ChildOf>(map).map(ChildOf::parent);
    if world.get::<ChildOf>(entity).map(ChildOf::parent) == wanted {
        return;
    }
    let position = places::position(world, entity);
    match wanted {
        Some(parent) => world.entity_mut(entity).insert(ChildOf(parent)),
        None => world.entity_mut(entity).remove::<ChildOf>(),
    };
    places::put(world, entity, position);
}
