//! The order to a group.

use bevy_ecs::{
    component::Component,
    entity::Entity,
    lifecycle::HookContext,
    world::{DeferredWorld, World},
};
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use tilepath::formation::Formation;

use crate::{
    group::{members::Group, queue},
    map::place::Place,
};

/// One order for many agents: each goes to a place of its own around the goal, in a [`Formation`].
///
/// Put it on an entity of its own, which stands for the group, or on the entity of a squad in your
/// game. The members get [`PathRequest`](crate::PathRequest)s to their places, and so all events
/// and components of these.
///
/// - **Places** are cells that are open to the member and that it can reach. No two members have
///   the same place. Cells of bodies at rest and of other groups are left out.
/// - If a line or a box meets walls, it goes on at its ends, and the remaining members stand around
///   the goal. Members of other movements and sizes get cells for these: a boat gets the water
///   beside the beach.
/// - If the goal cannot be reached, the group gathers as near to it as it can. See
///   [`tilepath::formation`].
/// - **Assignment**: up to 200 members of a movement get places so that the last arrives as early
///   as possible. With more members, neighbours stay neighbours.
/// - **The end**: the order ends when the last member has come to rest, and displaced members are
///   back at their places. One [`GroupArrived`](crate::groups::GroupArrived) then has the number of
///   members at their places. If there is no member at its place, one
///   [`GroupFailed`](crate::groups::GroupFailed) is triggered instead.
/// - The component is removed before the event. The entity stays: if you spawned it only for this
///   order, despawn it in an observer.
/// - **Leaving**: a member that gets an order of its own, or whose order is cancelled, leaves the
///   group, also from its place. A member that is despawned or loses its path is lost. In both
///   cases the members under way close the gap: they move up to the inner places.
/// - A member that is displaced by others that come later is sent to its place again when all rest.
///   It triggers [`Arrived`](crate::events::Arrived) more than once.
/// - A member whose path was lost because a body did not move
///   ([`PathFailure::Blocked`](crate::PathFailure::Blocked)) is also sent again, up to three times.
///   Its [`PathLost`](crate::events::PathLost) does not end its part in the order.
/// - If you insert another order, it replaces the first: members of both go to their new places,
///   the others stop. If you remove it or despawn the entity, the order is cancelled: all members
///   stop, without an event.
/// - Agents without [`Body`](crate::Body) also have places, and walk through each other. In a group
///   without bodies, the places of others do not count.
/// - All is planned in one tick, outside the budget of work: see
///   [the complexity](tilepath::PathFinder::solve_formation).
///
/// Use it on tile maps: on a waypoint graph it fails with
/// [`GroupFailure::OnGraph`](crate::groups::GroupFailure::OnGraph). Members on other maps come
/// through [`Door`](crate::doors::Door)s.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{groups::{Formation, GroupArrived, GroupOrder}, Cell, PathAgent};
///
/// #[derive(Component)]
/// struct Selected;
///
/// fn order(mut commands: Commands, selected: Query<Entity, With<Selected>>) {
///     commands
///         .spawn(GroupOrder::to(&selected, Cell::new(40, 20)).in_formation(Formation::Wedge))
///         .observe(|arrived: On<GroupArrived>, mut commands: Commands| {
///             println!("{} are there", arrived.arrived);
///             commands.entity(arrived.entity).despawn();
///         });
/// }
///
/// let mut world = World::new();
/// world.spawn_batch([(PathAgent::default(), Selected), (PathAgent::default(), Selected)]);
/// let mut schedule = Schedule::default();
/// schedule.add_systems(order).run(&mut world);
/// assert_eq!(world.query::<&GroupOrder>().single(&world).unwrap().members().len(), 2);
/// ```
#[derive(Component, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[component(immutable, on_insert = order_inserted, on_remove = order_removed)]
#[require(Group)]
#[doc(alias = "squad", alias = "formation", alias = "move order")]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct GroupOrder {
    #[entities]
    members: Vec<Entity>,
    goals: Vec<Place>,
    #[entities]
    goal_map: Option<Entity>,
    formation: Formation,
    facing: Option<Vec2>,
    keeps_pace: bool,
}

impl GroupOrder {
    /// Creates an order that sends these members to a place. An entity that is named twice counts
    /// once.
    #[must_use]
    pub fn to(members: impl IntoIterator<Item = Entity>, goal: impl Into<Place>) -> Self {
        Self {
            members: members.into_iter().collect(),
            goals: vec![goal.into()],
            goal_map: None,
            formation: Formation::default(),
            facing: None,
            keeps_pace: false,
        }
    }

    /// Adds a stop: each member goes on to it as soon as it has come to its own place. To append a
    /// stop while the group walks, see [`Group::push`](crate::groups::Group::push).
    #[must_use]
    pub fn then(mut self, goal: impl Into<Place>) -> Self {
        self.goals.push(goal.into());
        self
    }

    /// Sets the formation. The default is a disc.
    #[must_use]
    pub fn in_formation(self, formation: Formation) -> Self {
        Self { formation, ..self }
    }

    /// Sets the direction of the formation in the world: a vector of any length. If it is missing,
    /// not finite or zero, the formation faces in the direction in which the group comes.
    #[must_use]
    pub fn facing(self, direction: Vec2) -> Self {
        Self { facing: Some(direction), ..self }
    }

    /// Keeps the group together: no member walks faster than the slowest member under way.
    ///
    /// The plugin lowers [`PathAgent::speed`](crate::PathAgent::speed) of the faster members, and
    /// restores it when they arrive or leave. If your code writes a speed in between, this is the
    /// member's own speed from then on.
    #[must_use]
    pub fn at_common_pace(self) -> Self {
        Self { keeps_pace: true, ..self }
    }

    /// Sets the map of the goal. Without it, the goal lies on the map of the first member, by
    /// [`AgentNumber`](crate::agents::AgentNumber).
    #[must_use]
    pub fn on_map(self, map: Entity) -> Self {
        Self { goal_map: Some(map), ..self }
    }

    /// Returns the members, as they were given. [`Group`] has the present members.
    #[must_use]
    pub fn members(&self) -> &[Entity] {
        &self.members
    }

    /// Returns the stops, as they were given.
    #[must_use]
    pub fn goals(&self) -> &[Place] {
        &self.goals
    }

    /// Returns the formation.
    #[must_use]
    pub fn formation(&self) -> Formation {
        self.formation
    }

    /// Returns whether all members walk as fast as the slowest.
    #[must_use]
    pub fn keeps_pace(&self) -> bool {
        self.keeps_pace
    }

    /// Returns the direction of the formation, if it is finite and not zero.
    pub(super) fn heading(&self) -> Option<Vec2> {
        self.facing.filter(|facing| facing.is_finite() && *facing != Vec2::ZERO)
    }

    /// Returns the map that the order names.
    #[must_use]
    pub fn goal_map(&self) -> Option<Entity> {
        self.goal_map
    }
}

fn order_inserted(world: DeferredWorld, context: HookContext) {
    queue::enter(world, context.entity);
}

/// Cancels the order, unless the plugin has ended it itself: then the group has no members.
fn order_removed(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let Some(mut group) = world.get_mut::<Group>(entity) else { return };
    let cancelled = std::mem::take(&mut *group);
    if !cancelled.members.is_empty() {
        world.commands().queue(move |world: &mut World| cancelled.cancel(world, entity, |_| true));
    }
}
