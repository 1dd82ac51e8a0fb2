//! An area that scrolls, with a sign while its end is hidden.

use bevy::{prelude::*, ui_widgets::ScrollArea};

use crate::panel::{colour, line};

/// The area of a sign.
#[derive(Component)]
struct MoreBelow(Entity);

/// Shows the signs of [`spawn_scrolled`]. Part of [`LayoutPlugin`](crate::layout::LayoutPlugin).
pub(crate) struct ScrolledPlugin;

impl Plugin for ScrolledPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, show_signs);
    }
}

/// Spawns a column that the wheel scrolls if it has too little room, and returns it. Add its
/// contents as children. While its end is out of sight, a sign shows `more`.
pub fn spawn_scrolled(commands: &mut Commands, parent: Entity, row_gap: f32, more: &str) -> Entity {
    let column = || Node { flex_direction: FlexDirection::Column, min_height: px(0), ..default() };
    let frame = commands.spawn((column(), ChildOf(parent))).id();
    let scrolled = Node { overflow: Overflow::scroll_y(), row_gap: px(row_gap), ..column() };
    let area = commands.spawn((ScrollArea, scrolled, ChildOf(frame))).id();
    let sign = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(0),
        bottom: px(0),
        justify_content: JustifyContent::Center,
        border: UiRect::top(px(1)),
        padding: UiRect::vertical(px(1)),
        ..default()
    };
    commands.entity(area).observe(scroll_by_drag);
    commands
        .spawn((
            MoreBelow(area),
            sign,
            BackgroundColor(Color::srgb(0.13, 0.13, 0.17)),
            BorderColor::all(colour::GOLD),
            Visibility::Hidden,
            Pickable::IGNORE,
            ChildOf(frame),
        ))
        .with_child(line(format!("v  {more}"), 12.0, colour::GOLD));
    area
}

/// Scrolls as a middle drag moves the view: on the page two fingers do this.
fn scroll_by_drag(
    drag: On<Pointer<Drag>>,
    scale: Res<UiScale>,
    mut areas: Query<(&ComputedNode, &mut ScrollPosition)>,
) {
    if drag.event.button == PointerButton::Middle
        && let Ok((node, mut position)) = areas.get_mut(drag.entity)
    {
        let hidden = (node.content_size().y - node.size().y) * node.inverse_scale_factor();
        position.y = (position.y - drag.event.delta.y / scale.0).clamp(0.0, hidden.max(0.0));
    }
}

fn show_signs(
    areas: Query<(&ComputedNode, &ScrollPosition)>,
    mut signs: Query<(&MoreBelow, &mut Visibility)>,
) {
    for (sign, mut visibility) in &mut signs {
        let is_shown = areas.get(sign.0).is_ok_and(|(node, position)| {
            let hidden = (node.content_size().y - node.size().y) * node.inverse_scale_factor();
            hidden - position.y > 1.0
        });
        visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_is_there_until_the_end_is_in_sight() {
        let mut app = App::new();
        app.add_plugins(ScrolledPlugin);
        let world = app.world_mut();
        let parent = world.spawn_empty().id();
        let area = spawn_scrolled(&mut world.commands(), parent, 3.0, "more below");
        world.flush();
        let is_shown = |app: &mut App, content: f32, scrolled: f32| {
            app.world_mut().entity_mut(area).insert((
                ComputedNode {
                    size: Vec2::new(100.0, 300.0),
                    content_size: Vec2::new(100.0, content),
                    inverse_scale_factor: 0.5,
                    ..default()
                },
                ScrollPosition(Vec2::new(0.0, scrolled)),
            ));
            app.update();
            let world = app.world_mut();
            *world.query_filtered::<&Visibility, With<MoreBelow>>().single(world).unwrap()
                == Visibility::Inherited
        };
        assert!(!is_shown(&mut app, 300.0, 0.0), "all is in sight");
        assert!(is_shown(&mut app, 500.0, 0.0));
        assert!(is_shown(&mut app, 500.0, 90.0));
        assert!(!is_shown(&mut app, 500.0, 100.0), "200 pixels of the window are 100 of nodes");
    }
}
