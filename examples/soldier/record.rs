//! A recording of all queries and answers, for bug reports and `tilepath replay`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bevy::{app::MainScheduleOrder, ecs::schedule::ScheduleLabel, prelude::*};
use bevy_tilepath::recording::PathRecorder;

use crate::scene::GroundMap;

/// Saves a recording of all orders, edits and answers. F9 saves at once; `--record` saves at the
/// end of the program.
pub(crate) struct RecordPlugin {
    /// The file of `--record`.
    pub(crate) file: Option<PathBuf>,
}

/// The file for F9 without `--record`.
const USUAL_FILE: &str = "soldier.ron";

/// The file to save to, and the last result.
#[derive(Resource, Debug, Default)]
pub(crate) struct RecordFile {
    path: PathBuf,
    /// The text for the panel.
    pub(crate) news: String,
}

/// The end of a frame, after `Last`. By then any `AppExit` of the frame is sent: by a closed
/// window, a screenshot or a signal.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct EndOfFrame;

impl Plugin for RecordPlugin {
    fn build(&self, app: &mut App) {
        let path = self.file.clone().unwrap_or_else(|| USUAL_FILE.into());
        app.insert_resource(PathRecorder::default().started())
            .insert_resource(RecordFile { path, news: String::new() })
            .add_systems(Update, save_on_request);
        if self.file.is_some() {
            app.init_schedule(EndOfFrame)
                .add_systems(EndOfFrame, save_at_the_end.run_if(on_message::<AppExit>))
                .world_mut()
                .resource_mut::<MainScheduleOrder>()
                .insert_after(Last, EndOfFrame);
        }
    }
}

fn save_on_request(
    keys: Res<ButtonInput<KeyCode>>,
    mut file: ResMut<RecordFile>,
    recorder: Res<PathRecorder>,
    map: Single<Entity, With<GroundMap>>,
) {
    if keys.just_pressed(KeyCode::F9) {
        save(&mut file, &recorder, *map);
    }
}

fn save_at_the_end(
    mut file: ResMut<RecordFile>,
    recorder: Res<PathRecorder>,
    map: Single<Entity, With<GroundMap>>,
) {
    save(&mut file, &recorder, *map);
}

fn save(file: &mut RecordFile, recorder: &PathRecorder, map: Entity) {
    let name = file.path.file_name().unwrap_or(file.path.as_os_str()).display();
    file.news = match write(&file.path, recorder, map) {
        Ok(1) => format!("1 search in {name}"),
        Ok(queries) => format!("{queries} searches in {name}"),
        Err(error) => {
            error!("cannot write {}: {error}", file.path.display());
            format!("{name} cannot be written")
        }
    };
}

/// Writes the recording of a map, and returns the number of its searches.
///
/// # Errors
/// If the file cannot be written, or nothing was recorded yet.
pub(crate) fn write(path: &Path, recorder: &PathRecorder, map: Entity) -> io::Result<usize> {
    let recording =
        recorder.recording(map).ok_or_else(|| io::Error::other("nothing was recorded yet; wait a moment"))?;
    fs::write(path, recording.to_ron())?;
    Ok(recording.query_count())
}

#[cfg(test)]
mod tests {
    use bevy::{
        time::TimeUpdateStrategy,
        window::{PrimaryWindow, WindowCloseRequested, WindowPlugin},
    };
    use bevy_tilepath::{TilepathPlugin, tilepath::recording::Recording};

    use super::*;
    use tilepath_examples::tiles::centre_of;

    use crate::{orders::order, rules::Rules, scene::ScenePlugin, units::Unit};

    /// Sends the soldier somewhere, ends the program in some way, and reads the recording of
    /// `--record`.
    fn recorded(name: &str, end: impl FnOnce(&mut App)) -> Recording {
        let file = std::env::temp_dir().join(format!("soldier-{}-{name}.ron", std::process::id()));
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, WindowPlugin::default()))
            .add_plugins((TilepathPlugin::default(), ScenePlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_millis(50)))
            .init_resource::<ButtonInput<KeyCode>>()
            .add_plugins(RecordPlugin { file: Some(file.clone()) });
        app.update();
        let world = app.world_mut();
        let mut units = world.query::<(Entity, &Unit)>();
        let (soldier, _) = units.iter(world).find(|(_, unit)| **unit == Unit::Soldier).unwrap();
        let goal = centre_of(bevy_tilepath::Cell::new(34, 6));
        world.entity_mut(soldier).insert(order(goal, Rules::default()));
        for _ in 0..5 {
            app.update();
        }
        assert!(!file.exists(), "nothing is saved before the end");
        end(&mut app);
        let frames = (0..5).take_while(|_| {
            app.update();
            app.should_exit().is_none()
        });
        assert!(frames.count() < 5, "the program goes on");
        let text = fs::read_to_string(&file);
        fs::remove_file(&file).ok();
        Recording::from_text(&text.expect("the recording is written")).unwrap()
    }

    #[test]
    fn a_recording_is_saved_when_the_window_is_closed() {
        let recording = recorded("closed", |app| {
            let world = app.world_mut();
            let window = world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).unwrap();
            world.write_message(WindowCloseRequested { window });
        });
        assert_eq!(recording.query_count(), 1);
    }

    #[test]
    fn a_recording_is_saved_whatever_system_ends_the_program() {
        let recording = recorded("ended", |app| {
            // The latest moment of a frame in which a system can run.
            app.add_systems(
                Last,
                (|mut exit: MessageWriter<AppExit>| {
                    exit.write(AppExit::Success);
                })
                .after(save_on_request)
                .after(bevy::window::ExitSystems),
            );
        });
        assert_eq!(recording.query_count(), 1);
    }
}
