//! A strip above the map: why a unit cannot arrive, and saved files.

use bevy::prelude::*;
use tilepath_examples::panel::{colour, line};

use crate::{chosen::Chosen, record::RecordFile, report::Report, save::SaveNews};

/// Shows [`Report::why`], and for some seconds [`RecordFile::news`] and [`SaveNews`]. Needs a
/// window.
pub(crate) struct MessagePlugin;

impl Plugin for MessagePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<SaveNews>()
            .add_systems(PostStartup, spawn_message)
            .add_systems(Update, write_message);
    }
}

#[derive(Component)]
struct Message;

#[derive(Component)]
struct MessageText;

const SIZE: f32 = 13.0;
/// The time for the news of a saved file, in seconds.
const SAVED_SECONDS: f32 = 5.0;
/// The greatest width of a line, in pixels: short enough to read at a glance.
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
    recording: Res<RecordFile>,
    saves: Res<SaveNews>,
    time: Res<Time<Real>>,
    mut seconds_left: Local<[f32; 2]>,
    mut strip: Single<&mut Visibility, With<Message>>,
    mut text: Single<&mut Text, With<MessageText>>,
) {
    let news = [(recording.is_changed(), &recording.news), (saves.is_changed(), &saves.0)];
    let mut parts = vec![report.why.as_str()];
    for ((is_new, text), left) in news.into_iter().zip(&mut *seconds_left) {
        *left = if is_new { SAVED_SECONDS } else { *left - time.delta_secs() };
        if *left > 0.0 {
            parts.push(text);
        }
    }
    let message = message(&parts);
    let shown = if message.is_empty() { Visibility::Hidden } else { Visibility::Inherited };
    strip.set_if_neq(shown);
    if text.0 != message {
        text.0 = message;
    }
}

/// Returns the parts that are not empty, each on a line of its own.
fn message(parts: &[&str]) -> String {
    let parts = parts.iter().copied().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bevy::time::TimeUpdateStrategy;

    use super::*;
    use crate::{chosen::chosen, record::RecordPlugin};

    #[test]
    fn saved_recording_is_named_above_the_map_for_some_seconds() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, RecordPlugin { file: None }, MessagePlugin))
            .init_resource::<ButtonInput<KeyCode>>()
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
        app.world_mut().spawn((Report::default(), chosen()));
        let shown = |app: &mut App| {
            let world = app.world_mut();
            let mut strips = world.query_filtered::<&Visibility, With<Message>>();
            let is_shown = *strips.single(world).unwrap() == Visibility::Inherited;
            let text = world.query_filtered::<&Text, With<MessageText>>().single(world).unwrap();
            is_shown.then(|| text.0.clone())
        };
        app.update();
        assert_eq!(shown(&mut app), None);
        app.world_mut().resource_mut::<RecordFile>().news = "3 searches in soldier.ron".into();
        app.update();
        assert_eq!(shown(&mut app).as_deref(), Some("3 searches in soldier.ron"));
        for _ in 0..60 {
            app.update();
        }
        assert_eq!(shown(&mut app), None, "six seconds later");
    }

    #[test]
    fn saved_file_is_named_below_the_reason_for_no_path() {
        assert_eq!(message(&["", ""]), "");
        assert_eq!(message(&["It cannot swim.", "1 search in a.ron"]), "It cannot swim.\n1 search in a.ron");
    }
}
