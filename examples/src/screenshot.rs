//! Takes one picture of the window and ends the program: for the README and for checks without an eye.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
};

/// How long to wait for the picture to come back from the graphics card.
const PATIENCE: Duration = Duration::from_secs(30);

/// Saves a picture of the primary window after a while, then exits with code 0, or 1 if it could not be written.
#[derive(Debug, Clone)]
pub struct ScreenshotPlugin {
    /// Where the picture goes; an older file of that name is replaced.
    pub file: PathBuf,
    /// Real time from the first frame to the picture.
    pub after: Duration,
}

impl Plugin for ScreenshotPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Shot {
            file: self.file.clone(),
            after: self.after,
            started: None,
            stage: Stage::Waiting,
        })
        .add_systems(Last, take_screenshot);
    }
}

#[derive(Resource)]
struct Shot {
    file: PathBuf,
    after: Duration,
    started: Option<Instant>,
    stage: Stage,
}

enum Stage {
    Waiting,
    Asked,
    Captured,
}

fn take_screenshot(mut shot: ResMut<Shot>, mut commands: Commands, mut exit: MessageWriter<AppExit>) {
    let elapsed = shot.started.get_or_insert_with(Instant::now).elapsed();
    match shot.stage {
        Stage::Waiting if elapsed >= shot.after => {
            shot.stage = Stage::Asked;
            // An older picture would pass for the new one if that could not be written.
            std::fs::remove_file(&shot.file).ok();
            commands
                .spawn(Screenshot::primary_window())
                .observe(save_to_disk(shot.file.clone()))
                .observe(|_: On<ScreenshotCaptured>, mut shot: ResMut<Shot>| shot.stage = Stage::Captured);
        }
        Stage::Captured => {
            let written = shot.file.metadata().is_ok_and(|file| file.len() > 0);
            exit.write(if written { AppExit::Success } else { AppExit::error() });
        }
        Stage::Asked if elapsed >= shot.after + PATIENCE => {
            error!("no picture came back within {} seconds", PATIENCE.as_secs());
            exit.write(AppExit::error());
        }
        Stage::Waiting | Stage::Asked => {}
    }
}
