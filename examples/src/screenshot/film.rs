//! Films: pictures of the window at equal steps of the game's time.

use std::{path::PathBuf, time::Duration};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
    time::TimeUpdateStrategy,
};

use super::{IsComplete, save, shutter::STEADY, watch_frames};

/// Saves `0000.png`, `0001.png` and so on. The program exits with code 0, or with code 1 and the
/// reason if a picture cannot be written.
///
/// The game's time advances by one step for each picture, however long the picture takes. So the
/// film is the same on a slow machine.
#[derive(Debug, Clone)]
pub struct FilmPlugin {
    /// The folder of the pictures, which must exist.
    pub folder: PathBuf,
    /// The number of pictures.
    pub pictures: usize,
    /// The game's time between two pictures.
    pub step: Duration,
}

/// The film in progress.
#[derive(Resource, Debug)]
pub struct Film {
    folder: PathBuf,
    pictures: usize,
    complete_in_a_row: u32,
    asked: usize,
    saved: usize,
    fault: Option<String>,
}

impl Plugin for FilmPlugin {
    fn build(&self, app: &mut App) {
        watch_frames(app);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(self.step))
            .insert_resource(Film {
                folder: self.folder.clone(),
                pictures: self.pictures,
                complete_in_a_row: 0,
                asked: 0,
                saved: 0,
                fault: None,
            })
            .add_systems(Last, take_pictures);
    }
}

impl Film {
    /// Returns whether the first complete frame was drawn.
    pub(super) fn has_begun(&self) -> bool {
        self.complete_in_a_row >= STEADY
    }
}

fn take_pictures(
    is_complete: Res<IsComplete>,
    mut film: ResMut<Film>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    if let Some(fault) = &film.fault {
        error!("no film in {}: {fault}", film.folder.display());
        exit.write(AppExit::error());
    } else if film.saved == film.pictures {
        exit.write(AppExit::Success);
    } else if !film.has_begun() {
        film.complete_in_a_row = if is_complete.get() { film.complete_in_a_row + 1 } else { 0 };
    } else if film.asked < film.pictures {
        let number = film.asked;
        film.asked += 1;
        commands.spawn(Screenshot::primary_window()).observe(
            move |picture: On<ScreenshotCaptured>, mut film: ResMut<Film>| {
                let file = film.folder.join(format!("{number:04}.png"));
                match save(&picture.image, &file) {
                    Some(Ok(())) => film.saved += 1,
                    Some(Err(fault)) => film.fault = Some(fault),
                    None => film.fault = Some(format!("picture {number} is empty")),
                }
            },
        );
    }
}
