//! The template of a group order, for Bevy's scenes in code.

use bevy_ecs::{
    error::Result,
    template::{EntityTemplate, FromTemplate, Template, TemplateContext},
};
use bevy_math::Vec2;
use tilepath::formation::Formation;

use crate::{
    group::order::GroupOrder,
    map::{place::Place, template_error::TemplateError},
};

/// The template of a [`GroupOrder`], for Bevy's `bsn!`.
///
/// In `bsn!` write `GroupOrder::to`, and then a second `GroupOrder` for the other fields.
///
/// ```
/// use bevy_ecs::{prelude::*, template::Template};
/// use bevy_tilepath::{groups::Formation, templates::GroupOrderTemplate, Cell};
///
/// let mut world = World::new();
/// let squad = [world.spawn_empty().id(), world.spawn_empty().id()];
/// // In a scene: GroupOrder::to(squad, Cell::new(40, 20)) GroupOrder { formation: Formation::Line }
/// let mut order = GroupOrderTemplate::to(squad, Cell::new(40, 20));
/// order.formation = Formation::Line;
/// let built = world.spawn_empty().build_template(&order)?;
/// assert_eq!((built.members(), built.formation()), (&squad[..], Formation::Line));
/// # Ok::<(), BevyError>(())
/// ```
#[derive(Default)]
pub struct GroupOrderTemplate {
    /// The members: entities, or names of entities in the scene.
    pub members: Vec<EntityTemplate>,
    /// The goal, then further stops. If the list is empty, building the template fails with
    /// [`TemplateError::GroupOrderWithoutGoal`].
    pub goals: Vec<Place>,
    /// The [map of the goal](GroupOrder::on_map). By default it is the map of a member.
    pub goal_map: EntityTemplate,
    /// The [formation](GroupOrder::in_formation). The default is a disc.
    pub formation: Formation,
    /// The [direction](GroupOrder::facing) that the formation faces, if any.
    pub facing: Option<Vec2>,
    /// True if the group [keeps a common pace](GroupOrder::at_common_pace).
    pub keeps_pace: bool,
}

impl GroupOrderTemplate {
    /// Creates the template of an order that sends these members to a place.
    #[must_use]
    pub fn to(members: impl IntoIterator<Item: Into<EntityTemplate>>, goal: impl Into<Place>) -> Self {
        let members = members.into_iter().map(Into::into).collect();
        Self { members, goals: vec![goal.into()], ..Self::default() }
    }
}

impl Template for GroupOrderTemplate {
    type Output = GroupOrder;

    fn build_template(&self, context: &mut TemplateContext) -> Result<GroupOrder> {
        if self.goals.is_empty() {
            return Err(TemplateError::GroupOrderWithoutGoal.into());
        }
        let members =
            self.members.iter().map(|member| member.build_template(context)).collect::<Result<_>>()?;
        let goal_map = match &self.goal_map {
            EntityTemplate::None => None,
            map => Some(map.build_template(context)?),
        };
        Ok(GroupOrder {
            members,
            goals: self.goals.clone(),
            goal_map,
            formation: self.formation,
            facing: self.facing,
            keeps_pace: self.keeps_pace,
        })
    }

    fn clone_template(&self) -> Self {
        Self { members: self.members.clone(), goals: self.goals.clone(), ..*self }
    }
}

impl FromTemplate for GroupOrder {
    type Template = GroupOrderTemplate;
}
