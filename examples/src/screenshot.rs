//! Takes one picture of the window, or a film, and ends the program: for the README and for checks without an eye.
//!
//! A picture counts only if the frame is complete: every image that something shows lies on the graphics card, and every
//! pipeline that draws is compiled. On a slow machine that takes longer than any fixed time.

mod film;
mod narration;
mod shutter;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bevy::{
    prelude::*,
    render::{
        Extract, ExtractSchedule, Render, RenderApp, RenderSystems,
        render_asset::RenderAssets,
        render_resource::{CachedPipelineState, PipelineCache},
        texture::GpuImage,
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
};
use bevy_ecs_tilemap::prelude::TilemapTexture;

use self::shutter::{Act, Shutter};
pub use self::{
    film::{Film, FilmPlugin},
    narration::{Narration, NarrationPlugin},
};

/// Saves a picture of the primary window after a while, then exits with code 0, or 1 with the reason if there is none.
#[derive(Debug, Clone)]
pub struct ScreenshotPlugin {
    /// Where the picture goes; an older file of that name is replaced.
    pub file: PathBuf,
    /// Real time from the first complete frame to the picture.
    pub after: Duration,
}

impl Plugin for ScreenshotPlugin {
    fn build(&self, app: &mut App) {
        watch_frames(app);
        app.insert_resource(Shot { file: self.file.clone(), shutter: Shutter::new(self.after) })
            .add_systems(Last, take_screenshot);
    }
}

/// From now on [`IsComplete`] is kept.
fn watch_frames(app: &mut App) {
    let is_complete = IsComplete::default();
    app.insert_resource(is_complete.clone());
    // Before it is there the window is not open either.
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .insert_resource(is_complete)
            .init_resource::<ShownImages>()
            .add_systems(ExtractSchedule, gather_images)
            .add_systems(Render, judge_frame.in_set(RenderSystems::Cleanup));
    }
}

/// Whether the last frame that was drawn is complete. The frames are drawn by another thread.
#[derive(Resource, Debug, Default, Clone)]
struct IsComplete(Arc<AtomicBool>);

impl IsComplete {
    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The images that something shows in this frame.
#[derive(Resource, Debug, Default)]
struct ShownImages(Vec<AssetId<Image>>);

/// The picture that is to be taken.
#[derive(Resource, Debug)]
pub struct Shot {
    file: PathBuf,
    shutter: Shutter,
}

/// Whether the first complete frame was seen, from which the seconds count: what is to be seen begins then, so that it
/// is as far on every machine.
#[must_use]
pub fn has_begun(shot: Option<Res<Shot>>, film: Option<Res<Film>>) -> bool {
    shot.is_some_and(|shot| shot.shutter.has_begun()) || film.is_some_and(|film| film.has_begun())
}

fn gather_images(
    mut shown: ResMut<ShownImages>,
    sprites: Extract<Query<&Sprite>>,
    nodes: Extract<Query<&ImageNode>>,
    tilemaps: Extract<Query<&TilemapTexture>>,
) {
    shown.0.clear();
    shown.0.extend(sprites.iter().map(|sprite| sprite.image.id()));
    shown.0.extend(nodes.iter().map(|node| node.image.id()));
    shown.0.extend(tilemaps.iter().flat_map(TilemapTexture::image_handles).map(Handle::id));
}

fn judge_frame(
    shown: Res<ShownImages>,
    images: Res<RenderAssets<GpuImage>>,
    pipelines: Res<PipelineCache>,
    is_complete: Res<IsComplete>,
) {
    let are_drawn = shown.0.iter().all(|&image| images.get(image).is_some());
    let can_draw = pipelines.pipelines().any(|pipeline| matches!(pipeline.state, CachedPipelineState::Ok(_)))
        && pipelines.waiting_pipelines().next().is_none();
    is_complete.0.store(are_drawn && can_draw, Ordering::Relaxed);
}

fn take_screenshot(
    time: Res<Time<Real>>,
    is_complete: Res<IsComplete>,
    mut shot: ResMut<Shot>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    match shot.shutter.look(time.elapsed(), is_complete.get()) {
        Act::Wait => {}
        Act::Take => {
            commands.spawn(Screenshot::primary_window()).observe(keep);
        }
        Act::End(Ok(())) => {
            exit.write(AppExit::Success);
        }
        Act::End(Err(reason)) => {
            error!("no picture {}: {reason}", shot.file.display());
            exit.write(AppExit::error());
        }
    }
}

fn keep(picture: On<ScreenshotCaptured>, mut shot: ResMut<Shot>) {
    let written = save(&picture.image, &shot.file);
    shot.shutter.came_back(written);
}

/// Writes a picture; `None` if nothing is on it.
fn save(image: &Image, file: &Path) -> Option<Result<(), String>> {
    match image.clone().try_into_dynamic() {
        Err(error) => Some(Err(error.to_string())),
        // The alpha channel holds no opacity here.
        Ok(picture) => {
            let picture = picture.to_rgb8();
            let is_empty = picture.pixels().all(|pixel| pixel == picture.get_pixel(0, 0));
            (!is_empty).then(|| picture.save(file).map_err(|error| error.to_string()))
        }
    }
}
