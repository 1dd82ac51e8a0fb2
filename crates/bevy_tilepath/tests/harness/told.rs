//! The events of a game, in order.

use std::fmt;

use bevy::{
    ecs::{entity_disabling::Disabled, query::Allow},
    prelude::*,
};
use bevy_tilepath::{
    AgentPath, Cell, Cost, OnMap, PathFailure, Place,
    events::{
        Arrived, DoorPassed, PathBlocked, PathFailed, PathFound, PathLost, PathPointReached, Replanned,
        WaitOver, WaitingFor,
    },
    groups::{GroupArrived, GroupFailed},
};

/// An event about an agent. Places are `P`, and costs are `C`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Told<P = Cell, C = u32> {
    Found { goal: P, cost: C, partial: bool },
    Failed(PathFailure),
    Arrived(P),
    Lost(PathFailure),
    Blocked(P),
    Replanned { goal: P, cost: C, partial: bool },
    Reached(P),
    Passed { door: Entity, to: Entity },
}

/// An event whose places are text: a name as `n1`, a cell as `(3, 4)`, a position as `@3,4`.
pub(crate) type Named = Told<String, ()>;

/// An event as the plugin triggered it.
pub(super) type Sent = Told<Place, Option<Cost>>;

impl Sent {
    fn map<P, C>(self, place: impl FnOnce(Place) -> P, cost: impl FnOnce(Option<Cost>) -> C) -> Told<P, C> {
        match self {
            Self::Found { goal, cost: c, partial } => {
                Told::Found { goal: place(goal), cost: cost(c), partial }
            }
            Self::Failed(reason) => Told::Failed(reason),
            Self::Arrived(at) => Told::Arrived(place(at)),
            Self::Lost(reason) => Told::Lost(reason),
            Self::Blocked(at) => Told::Blocked(place(at)),
            Self::Replanned { goal, cost: c, partial } => {
                Told::Replanned { goal: place(goal), cost: cost(c), partial }
            }
            Self::Reached(at) => Told::Reached(place(at)),
            Self::Passed { door, to } => Told::Passed { door, to },
        }
    }

    /// Returns the event of a journey on tiles.
    #[track_caller]
    pub(super) fn on_tiles(self) -> Told {
        let cell = |place: Place| place.cell().expect("journeys on tiles lead over cells");
        self.map(cell, |cost| cost.expect("it has a path, and its cost is small").get())
    }

    /// Returns the event with names.
    pub(super) fn named(self) -> Named {
        let name = |place: Place| match place {
            Place::Position(at) => format!("@{},{}", at.x.round(), at.y.round()),
            _ => place.to_string(),
        };
        self.map(name, |_| ())
    }
}

/// The event as text: `found (3, 0) for 30`.
impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let partly = |partial| if partial { " in part" } else { "" };
        match *self {
            Self::Found { goal, cost, partial } => write!(f, "found {goal} for {cost}{}", partly(partial)),
            Self::Failed(reason) => write!(f, "failed: {reason:?}"),
            Self::Arrived(cell) => write!(f, "arrived at {cell}"),
            Self::Lost(reason) => write!(f, "lost: {reason:?}"),
            Self::Blocked(cell) => write!(f, "blocked at {cell}"),
            Self::Replanned { goal, cost, partial } => {
                write!(f, "replanned to {goal} for {cost}{}", partly(partial))
            }
            Self::Reached(cell) => write!(f, "reached {cell}"),
            Self::Passed { door, to } => write!(f, "passed {door} to {to}"),
        }
    }
}

/// The events of agents.
#[derive(Resource, Default)]
pub(super) struct Log(pub(super) Vec<(Entity, Sent)>);

/// The events of bodies, in order.
#[derive(Resource, Default, Debug)]
pub(crate) struct BodyNews {
    pub(crate) arrived: Vec<(Entity, Cost)>,
    pub(crate) waits: Vec<(Entity, Entity, Cell)>,
    pub(crate) over: Vec<Entity>,
    pub(crate) lost: Vec<(Entity, PathFailure)>,
}

/// The events of groups, in order.
#[derive(Resource, Default, Debug)]
pub(crate) struct GroupNews {
    pub(crate) arrived: Vec<GroupArrived>,
    pub(crate) failed: Vec<GroupFailed>,
    /// The members that have arrived, and their cells.
    pub(crate) members: Vec<(Entity, Cell)>,
    /// The number of answers to orders of members.
    pub(crate) found: usize,
}

/// Records all events of the plugin.
pub(super) fn listen(app: &mut App) {
    app.init_resource::<Log>().init_resource::<BodyNews>().init_resource::<GroupNews>();
    listen_to_agents(app);
    app.add_observer(|on: On<Arrived>, mut news: ResMut<BodyNews>| {
        news.arrived.push((on.entity, on.shortfall));
    })
    .add_observer(|on: On<WaitingFor>, mut news: ResMut<BodyNews>| {
        news.waits.push((on.entity, on.by, on.cell));
    })
    .add_observer(|on: On<WaitOver>, mut news: ResMut<BodyNews>| news.over.push(on.entity))
    .add_observer(|on: On<PathLost>, mut news: ResMut<BodyNews>| news.lost.push((on.entity, on.reason)))
    .add_observer(|on: On<GroupArrived>, mut news: ResMut<GroupNews>| news.arrived.push(*on.event()))
    .add_observer(|on: On<GroupFailed>, mut news: ResMut<GroupNews>| news.failed.push(*on.event()))
    .add_observer(|_: On<PathFound>, mut news: ResMut<GroupNews>| news.found += 1)
    .add_observer(|on: On<Arrived>, mut news: ResMut<GroupNews>| {
        news.members.extend(on.place.cell().map(|cell| (on.entity, cell)));
    });
}

fn listen_to_agents(app: &mut App) {
    type Paths<'w, 's> = Query<'w, 's, &'static AgentPath, Allow<Disabled>>;
    fn note(mut log: ResMut<Log>, entity: Entity, told: Sent) {
        log.0.push((entity, told));
    }
    app.add_observer(|on: On<PathFound>, log: ResMut<Log>, paths: Paths| {
        let PathFound { entity, goal, partial, .. } = on.event().clone();
        let cost = paths.get(entity).ok().and_then(AgentPath::cost);
        note(log, entity, Told::Found { goal, cost, partial });
    })
    .add_observer(|on: On<PathFailed>, log: ResMut<Log>| note(log, on.entity, Told::Failed(on.reason)))
    .add_observer(|on: On<Arrived>, log: ResMut<Log>| {
        note(log, on.entity, Told::Arrived(on.place.clone()));
    })
    .add_observer(|on: On<PathLost>, log: ResMut<Log>| note(log, on.entity, Told::Lost(on.reason)))
    .add_observer(|on: On<PathBlocked>, log: ResMut<Log>| {
        note(log, on.entity, Told::Blocked(on.place.clone()));
    })
    .add_observer(|on: On<Replanned>, log: ResMut<Log>, paths: Paths| {
        let Replanned { entity, goal, partial, .. } = on.event().clone();
        let cost = paths.get(entity).ok().and_then(AgentPath::cost);
        note(log, entity, Told::Replanned { goal, cost, partial });
    })
    .add_observer(|on: On<PathPointReached>, log: ResMut<Log>| {
        note(log, on.entity, Told::Reached(on.place.clone()));
    })
    .add_observer(|on: On<DoorPassed>, log: ResMut<Log>, agents: Query<&OnMap, Allow<Disabled>>| {
        assert_eq!(agents.get(on.entity).map(|on_map| on_map.0), Ok(on.to));
        note(log, on.entity, Told::Passed { door: on.door, to: on.to });
    });
}
