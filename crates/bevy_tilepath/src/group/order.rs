//! The order to a group.

pub(crate) mod template;

#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::{
    component::Component,
    entity::Entity,
    lifecycle::HookContext,
    world::{DeferredWorld, World},
};
use bevy_math::Vec2;
use bevy_reflect::Reflect;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use tilepath::formation::Formation;

use crate::{
    core_types,
    group::{members::Group, queue},
    map::place::Place,
};

/// One order for many agents. Each agent goes to its own place around the goal, in a [`Formation`].
///
/// Put the component on a new entity, which stands for the group, or on the entity of a squad in
/// your game. The members get [`PathRequest`](crate::PathRequest)s to their places. So they have
/// all components and events of agents with a single order.
///
/// - **Places** are cells that the member can enter and reach. No two members have the same place.
///   Cells where other bodies rest, and places of other groups, are left out.
/// - If walls take places of a line or a box, the formation continues at its ends. The remaining
///   members stand around the goal. A member with another movement or size gets a cell for this
///   movement and size: a boat gets the water beside the beach.
/// - If the goal cannot be reached, the group gathers as near to the goal as it can. See
///   [`tilepath::formation`].
/// - **Assignment**: if at most 200 members have the same movement, their places are chosen so that
///   the last of them arrives as early as possible. If there are more, neighbours stay neighbours.
/// - **The end**: the order ends when the last member has come to rest, and displaced members are
///   back at their places. Then [`GroupArrived`](crate::groups::GroupArrived) is triggered, with
///   the number of members at their places. If no member came to its place or near it,
///   [`GroupFailed`](crate::groups::GroupFailed) is triggered instead.
/// - The component is removed before this event. The entity stays. If you spawned the entity only
///   for this order, despawn it in an observer of the event. `Remove<GroupOrder>` is triggered at
///   every end, with or without an event.
/// - **Leaving**: if a member gets another order, or its order is cancelled, it leaves the group.
///   This is also true for a member at its place, and for an order that comes after this one in the
///   same tick. If other orders take all members, the order of the group is replaced: the component
///   is removed, and no event is triggered. A member that is despawned or loses its path is
///   lost. In all these cases the members that still walk close the gap: they move up to the inner
///   places.
/// - **Disabled members** are left out, at their places too: the others close the gap and do not wait,
///   and a disabled member counts as lost. If it is enabled before the order ends, it comes back and
///   is sent to the innermost places that are free. If it is enabled later, it goes on alone to the
///   places that it had. An entity that a component of your game disables when places are searched
///   gets none.
/// - If members that arrive later push a member from its place, it is sent to its place again when
///   all members rest, up to three times. [`Arrived`](crate::events::Arrived) is then triggered
///   again for this member.
/// - If the path of a member was lost because a body did not move
///   ([`PathFailure::Blocked`](crate::PathFailure::Blocked)), the member is sent to its place
///   again, but only once. The member stays in the group after its
///   [`PathLost`](crate::events::PathLost).
/// - If you insert another `GroupOrder`, it replaces the first one. Members of both orders go to
///   their new places. The other members of the first order stop.
/// - If you remove the component or despawn its entity, the order is cancelled. All members stop,
///   and no event is triggered for the group. The order is also cancelled if a component of your game
///   disables the entity.
/// - Agents without [`Body`](crate::Body) also get places, but walk through each other. If no
///   member has a body, cells of other bodies and places of other groups can be places too.
/// - **Budget**: the search for places takes up to half of the
///   [budget](crate::TilepathSettings::work_per_tick) of each tick, one group after the other, the
///   oldest order first. Until all places are known, the members keep their old orders. A member
///   that gets another order in a later tick leaves the group.
/// - If the map is edited meanwhile and closes a place, or if its size or rules change, the search
///   begins again. It also begins again if a member gets another movement or map. The third search
///   runs to its end in one tick.
///
/// Use the order on tile maps. On a waypoint graph the order fails with
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(immutable, on_insert = order_inserted, on_remove = order_removed)]
#[require(Group)]
#[doc(alias = "squad", alias = "formation", alias = "move order")]
#[reflect(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
pub struct GroupOrder {
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    members: Vec<Entity>,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    goals: Vec<Place>,
    #[entities]
    goal_map: Option<Entity>,
    #[reflect(remote = core_types::Formation)]
    formation: Formation,
    facing: Option<Vec2>,
    keeps_pace: bool,
}

impl GroupOrder {
    /// Creates an order that sends these members to a place. If an entity is named twice, it counts
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

    /// Adds a stop. When a member reaches its place at the previous stop, it goes on at once to its
    /// place at this stop. To append a stop while the group walks, use
    /// [`Group::push`](crate::groups::Group::push).
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

    /// Sets the direction that the formation faces: a vector in the world, of any length. If there
    /// is no direction, or it is zero or not finite, the formation faces the direction in which the
    /// group arrives.
    #[must_use]
    pub fn facing(self, direction: Vec2) -> Self {
        Self { facing: Some(direction), ..self }
    }

    /// Keeps the group together: no member walks faster than the slowest member under way.
    ///
    /// The plugin lowers [`PathAgent::speed`](crate::PathAgent::speed) of the faster members, and
    /// restores the speed of a member when it arrives or leaves. If your code writes a speed
    /// meanwhile, this is the member's own speed from then on.
    #[must_use]
    pub fn at_common_pace(self) -> Self {
        Self { keeps_pace: true, ..self }
    }

    /// Sets the map of the goal. Without this call, the goal lies on the map of the member with the
    /// lowest [`AgentNumber`](crate::agents::AgentNumber).
    #[must_use]
    pub fn on_map(self, map: Entity) -> Self {
        Self { goal_map: Some(map), ..self }
    }

    /// Returns the members that were passed to [`to`](Self::to). For the present members, see
    /// [`Group::members`](crate::groups::Group::members).
    #[must_use]
    pub fn members(&self) -> &[Entity] {
        &self.members
    }

    /// Returns the goal of [`to`](Self::to), then the stops that [`then`](Self::then) added, in
    /// this order.
    #[must_use]
    pub fn goals(&self) -> &[Place] {
        &self.goals
    }

    /// Returns the formation.
    #[must_use]
    pub fn formation(&self) -> Formation {
        self.formation
    }

    /// Returns whether no member walks faster than the slowest member: see
    /// [`at_common_pace`](Self::at_common_pace).
    #[must_use]
    pub fn keeps_pace(&self) -> bool {
        self.keeps_pace
    }

    /// Returns the direction of the formation, if it is finite and not zero.
    pub(super) fn heading(&self) -> Option<Vec2> {
        self.facing.filter(|facing| facing.is_finite() && *facing != Vec2::ZERO)
    }

    /// Returns the map that was set with [`on_map`](Self::on_map), if one was set.
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
