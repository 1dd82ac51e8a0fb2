//! Takes picture after picture of the window, at equal steps of the game's time: for the moving picture of the README.

use std::{path::PathBuf, time::Duration};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
    time::TimeUpdateStrategy,
};

use super::{IsComplete, save, shutter::STEADY, watch_frames};

/// Saves `0000.png`, `0001.png` and so on, then exits with code 0, or 1 with the reason if a picture cannot be written.
///
/// The game's time goes on by one step from picture to picture, however long a picture takes: the film is the same on
/// a slow machine.
#[derive(Debug, Clone)]
pub struct FilmPlugin {
    /// Where the pictures go. The folder has to be there.
    pub folder: PathBuf,
    /// How many.
    pub pictures: usize,
    /// The game's time between two pictures.
    pub step: Duration,
}

/// The film that is taken.
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
    /// Whether the first complete frame was seen.
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
