//! Orders for the selected units: one click, and each finds a place.

use std::fmt::Write;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_tilepath::{
    NavQuery,
    groups::{Formation, Group, GroupArrived, GroupFailed, GroupMember, GroupOrder},
};
use serde::{Deserialize, Serialize};
use tilepath_examples::pointer::world_of_event;

use crate::select::Selected;

/// Gives orders. Clicks need a window.
pub(crate) struct OrdersPlugin;

impl Plugin for OrdersPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Manner>()
            .init_resource::<News>()
            .add_observer(tell_arrival)
            .add_observer(tell_failure)
            .add_observer(order_by_click)
            .add_systems(Update, remove_groups);
    }
}

/// The manner of the next group order.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manner {
    pub(crate) formation: Formation,
    /// True if all walk as fast as the slowest unit.
    pub(crate) keeps_pace: bool,
}

/// The last news for the panel.
#[derive(Resource, Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct News(pub(crate) String);

/// The goals of a group, for their flags.
#[derive(Component, Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Goals(pub(crate) Vec<Vec2>);

/// Gives orders.
#[derive(SystemParam)]
pub(crate) struct Orders<'w, 's> {
    manner: Res<'w, Manner>,
    news: ResMut<'w, News>,
    members: Query<'w, 's, &'static GroupMember>,
    groups: Query<'w, 's, (&'static mut Group, &'static mut Goals), With<GroupOrder>>,
    commands: Commands<'w, 's>,
}

impl Orders<'_, '_> {
    /// Sends units to a place, at once or after their present goal.
    pub(crate) fn send(&mut self, units: &[Entity], goal: Vec2, is_appended: bool) {
        if units.is_empty() {
            return;
        }
        if is_appended && let Some(group) = self.common_group(units) {
            if let Ok((mut group, mut goals)) = self.groups.get_mut(group)
                && group.push(goal)
            {
                goals.0.push(goal);
                self.news.0 = "a stop was added".into();
            }
            return;
        }
        let mut order = GroupOrder::to(units.iter().copied(), goal).in_formation(self.manner.formation);
        if self.manner.keeps_pace {
            order = order.at_common_pace();
        }
        self.news.0 = format!("{} on their way, as a {}", units.len(), self.manner.formation);
        self.commands.spawn((order, Goals(vec![goal])));
    }

    /// Returns the group whose members are exactly these units.
    fn common_group(&self, units: &[Entity]) -> Option<Entity> {
        let group = self.members.get(units[0]).ok()?.group();
        let is_member = |&unit: &Entity| self.members.get(unit).is_ok_and(|member| member.group() == group);
        let (members, _) = self.groups.get(group).ok()?;
        (units.iter().all(is_member) && members.members().count() == units.len()).then_some(group)
    }
}

fn order_by_click(
    click: On<Pointer<Click>>,
    windows: Query<(), With<Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    keys: Res<ButtonInput<KeyCode>>,
    nav: NavQuery,
    selected: Query<Entity, With<Selected>>,
    mut orders: Orders,
) {
    if click.event.button != PointerButton::Secondary {
        return;
    }
    let position = click.pointer_location.position;
    let target = click.original_event_target();
    let Some(world) = world_of_event(target, position, &windows, *camera) else { return };
    if nav.map_at(world).is_some() {
        let units: Vec<Entity> = selected.iter().collect();
        orders.send(&units, world, keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]));
    }
}

fn tell_arrival(arrived: On<GroupArrived>, mut news: ResMut<News>) {
    let GroupArrived { arrived, with_shortfall, lost, left, .. } = *arrived.event();
    news.0 = format!("{arrived} at their places");
    for (count, what) in [(with_shortfall, "near"), (lost, "lost"), (left, "elsewhere")] {
        if count > 0 {
            let _ = write!(news.0, ", {count} {what}");
        }
    }
}

fn tell_failure(failed: On<GroupFailed>, mut news: ResMut<News>) {
    news.0 = failed.reason.to_string();
}

/// Despawns groups whose orders have ended. If all units left for newer orders, there is no event.
fn remove_groups(groups: Query<Entity, (With<Goals>, Without<GroupOrder>)>, mut commands: Commands) {
    for group in &groups {
        commands.entity(group).despawn();
    }
}
