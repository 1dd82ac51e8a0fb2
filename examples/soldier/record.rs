//! What the soldier was asked and answered, saved as one file: for bug reports, and for `tilepath replay`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use bevy_tilepath::PathRecorder;

use crate::scene::GroundMap;

/// Saves a recording of all orders, edits and answers: when F9 is pressed, and with `--record` when the program ends.
pub(crate) struct RecordPlugin {
    /// The file of `--record`.
    pub(crate) file: Option<PathBuf>,
}

/// Where F9 saves to without `--record`.
const USUAL_FILE: &str = "soldier.ron";

/// Where to save to, and what became of it.
#[derive(Resource, Debug, Default)]
pub(crate) struct RecordFile {
    path: PathBuf,
    /// Said in the panel.
    pub(crate) news: String,
}

impl Plugin for RecordPlugin {
    fn build(&self, app: &mut App) {
        let path = self.file.clone().unwrap_or_else(|| USUAL_FILE.into());
        app.insert_resource(PathRecorder::default().started())
            .insert_resource(RecordFile { path, news: String::new() })
            .add_systems(Update, save_on_request);
        if self.file.is_some() {
            app.add_systems(Last, save_at_the_end.run_if(on_message::<AppExit>));
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

/// Writes what was recorded of a map, and says how many searches that were.
///
/// # Errors
/// If the file cannot be written, or nothing was recorded yet.
pub(crate) fn write(path: &Path, recorder: &PathRecorder, map: Entity) -> io::Result<usize> {
    let recording =
        recorder.recording(map).ok_or_else(|| io::Error::other("nothing was recorded yet; wait a moment"))?;
    fs::write(path, recording.to_ron())?;
    Ok(recording.query_count())
}
