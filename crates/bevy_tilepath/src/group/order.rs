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
/// Put it on an entity of its own, which stands for the group, or on that of a squad that your game has anyway. The members get
/// [`PathRequest`](crate::PathRequest)s to their places, with all that belongs to these.
///
/// - **Places** are cells that are open to the member, and that it can reach; no two members have the same, and none has that of a
///   body at rest or of another group. Where a line or a box meets walls it goes on at its ends, and what is left stands around the
///   goal. Members of other movements and sizes get cells for those: a boat the water beside the beach. If the goal cannot be
///   reached the group gathers as near to it as it can. See [`tilepath::formation`].
/// - **Who takes which**: of up to 200 members of a movement the last arrives as early as possible; of more, neighbours stay neighbours.
/// - **The end**: when the last member has come to rest, and those who had to make way for it are back at their places, one
///   [`GroupArrived`](crate::groups::GroupArrived) tells how many stand at their places, or one [`GroupFailed`](crate::groups::GroupFailed) that
///   none does. The component is removed before it. The entity stays: despawn it in an observer if it was there for this order
///   alone.
/// - **Leaving**: a member that is given an order of its own, or whose order is cancelled, leaves the group, also from its place. One
///   that is despawned or loses its way is lost. In both cases those still under way close the gap: they move up to the inner
///   places.
/// - A member that has to make way for others who come later is sent to its place again when all rest: it tells
///   [`Arrived`](crate::events::Arrived) more than once. So is one whose way was lost because a body did not move
///   ([`PathFailure::Blocked`](crate::PathFailure::Blocked)), up to three times: its [`PathLost`](crate::events::PathLost) is not its end.
/// - Inserting another order replaces it: members of both turn to their new places, the others stop. Removing it, or despawning the
///   entity, cancels it: all members stop, without an event.
/// - Agents without [`Body`](crate::Body) have places, too, and go through each other on their way. In a group of these alone places
///   of others do not count.
/// - All is planned in one tick, beside the budget of work: see [the complexity](tilepath::PathFinder::solve_formation).
///
/// For tile maps: on a waypoint graph it fails with [`GroupFailure::OnGraph`](crate::groups::GroupFailure::OnGraph). Members on other maps
/// come through [`Door`](crate::doors::Door)s.
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
    /// Sends these to a place. One that is named twice counts once.
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

    /// From there on to another place: each goes on as soon as it has come to its own. To append a stop on the way, see
    /// [`Group::push`](crate::groups::Group::push).
    #[must_use]
    pub fn then(mut self, goal: impl Into<Place>) -> Self {
        self.goals.push(goal.into());
        self
    }

    /// In this shape; a disc if none is named.
    #[must_use]
    pub fn in_formation(self, formation: Formation) -> Self {
        Self { formation, ..self }
    }

    /// Where the formation looks to, in the world: a vector of any length. Left out, not finite or zero, it looks the way
    /// on which the group comes.
    #[must_use]
    pub fn facing(self, direction: Vec2) -> Self {
        Self { facing: Some(direction), ..self }
    }

    /// No member walks faster than the slowest that is under way, so that the group stays together.
    ///
    /// The plugin lowers [`PathAgent::speed`](crate::PathAgent::speed) of the faster ones, and gives it back when they arrive or leave.
    /// What your own code writes there meanwhile is their speed from then on.
    #[must_use]
    pub fn at_common_pace(self) -> Self {
        Self { keeps_pace: true, ..self }
    }

    /// To a place on that map. Left out, it lies on the map of the first member, by [`AgentNumber`](crate::agents::AgentNumber).
    #[must_use]
    pub fn on_map(self, map: Entity) -> Self {
        Self { goal_map: Some(map), ..self }
    }

    /// Whom it is for, as it was given. [`Group`] has those of now.
    #[must_use]
    pub fn members(&self) -> &[Entity] {
        &self.members
    }

    /// Its stops, as it was given.
    #[must_use]
    pub fn goals(&self) -> &[Place] {
        &self.goals
    }

    /// The shape.
    #[must_use]
    pub fn formation(&self) -> Formation {
        self.formation
    }

    /// Whether all walk as fast as the slowest.
    #[must_use]
    pub fn keeps_pace(&self) -> bool {
        self.keeps_pace
    }

    /// Where it looks to, if that is a direction.
    pub(super) fn heading(&self) -> Option<Vec2> {
        self.facing.filter(|facing| facing.is_finite() && *facing != Vec2::ZERO)
    }

    /// The map that it names.
    #[must_use]
    pub fn goal_map(&self) -> Option<Entity> {
        self.goal_map
    }
}

fn order_inserted(world: DeferredWorld, context: HookContext) {
    queue::enter(world, context.entity);
}

/// A cancel, unless the plugin has ended the order itself: then it has no members any more.
fn order_removed(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let Some(mut group) = world.get_mut::<Group>(entity) else { return };
    let cancelled = std::mem::take(&mut *group);
    if !cancelled.members.is_empty() {
        world.commands().queue(move |world: &mut World| cancelled.cancel(world, entity, |_| true));
    }
}
