//! What the chosen unit says when it does not come to where it was sent: a strip above the map.

use bevy::prelude::*;
use tilepath_examples::panel::{colour, line};

use crate::{chosen::Chosen, report::Report};

/// Shows [`Report::why`]. Needs a window.
pub(crate) struct MessagePlugin;

impl Plugin for MessagePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, spawn_message).add_systems(Update, write_message);
    }
}

#[derive(Component)]
struct Message;

#[derive(Component)]
struct MessageText;

const SIZE: f32 = 13.0;
/// Lines of it are no longer than can be read at a glance.
const WIDTH: f32 = 600.0;

fn spawn_message(mut commands: Commands) {
    let strip = Node {
        position_type: PositionType::Absolute,
        left: px(8),
        top: px(8),
        max_width: px(WIDTH),
        padding: UiRect::axes(px(10), px(6)),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    let dark = BackgroundColor(Color::srgba(0.09, 0.08, 0.12, 0.86));
    commands
        .spawn((Message, strip, dark, Visibility::Hidden, Pickable::IGNORE))
        .with_child((MessageText, line("", SIZE, colour::TEXT)));
}

fn write_message(
    report: Single<&Report, With<Chosen>>,
    mut strip: Single<&mut Visibility, With<Message>>,
    mut text: Single<&mut Text, With<MessageText>>,
) {
    let shown = if report.why.is_empty() { Visibility::Hidden } else { Visibility::Inherited };
    strip.set_if_neq(shown);
    if text.0 != report.why {
        text.0.clone_from(&report.why);
    }
}
