//! Screenshots and films of the window, for the README and for checks.
//!
//! The program ends after the picture.
//!
//! A frame counts only if it is complete: all its images are on the graphics card, and all its
//! pipelines are compiled. On a slow machine this takes longer than any fixed time.

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
        render_resource::{CachedPipelineState, PipelineCache, PipelineDescriptor},
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

/// Saves a picture of the primary window after a while. The program exits with code 0, or with code
/// 1 and the reason if there is no picture.
#[derive(Debug, Clone)]
pub struct ScreenshotPlugin {
    /// The file of the picture. An older file is replaced.
    pub file: PathBuf,
    /// The real time from the first complete frame to the picture.
    pub after: Duration,
}

impl Plugin for ScreenshotPlugin {
    fn build(&self, app: &mut App) {
        watch_frames(app);
        app.insert_resource(Shot { file: self.file.clone(), shutter: Shutter::new(self.after) })
            .add_systems(Last, take_screenshot);
    }
}

/// Adds [`IsComplete`] and keeps it up to date.
pub(crate) fn watch_frames(app: &mut App) {
    let is_complete = IsComplete::default();
    app.insert_resource(is_complete.clone());
    // Without the render app there is no window yet.
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .insert_resource(is_complete)
            .init_resource::<ShownImages>()
            .add_systems(ExtractSchedule, gather_images)
            .add_systems(Render, judge_frame.in_set(RenderSystems::Cleanup));
    }
}

/// Whether the last drawn frame is complete. Another thread draws the frames.
#[derive(Resource, Debug, Default, Clone)]
pub(crate) struct IsComplete(Arc<AtomicBool>);

impl IsComplete {
    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The images that are visible in this frame.
#[derive(Resource, Debug, Default)]
struct ShownImages(Vec<AssetId<Image>>);

/// The picture to take.
#[derive(Resource, Debug)]
pub struct Shot {
    file: PathBuf,
    shutter: Shutter,
}

/// Returns whether the first complete frame was drawn. The seconds count from it, so that a picture
/// shows the same moment on every machine.
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
        && !pipelines.waiting_pipelines().any(|id| can_be_ready(&pipelines, id));
    is_complete.0.store(are_drawn && can_draw, Ordering::Relaxed);
}

/// Returns true for a pipeline that the graphics interface can compile. WebGL 2 has no compute
/// shaders, and one of Bevy's pipelines waits for such a shader for ever.
fn can_be_ready(pipelines: &PipelineCache, id: usize) -> bool {
    let is_compute = || {
        let pipeline = pipelines.pipelines().nth(id);
        pipeline.is_some_and(|pipeline| {
            matches!(pipeline.descriptor, PipelineDescriptor::ComputePipelineDescriptor(_))
        })
    };
    !(cfg!(target_arch = "wasm32") && is_compute())
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

/// Writes a picture. Returns `None` if it is empty.
fn save(image: &Image, file: &Path) -> Option<Result<(), String>> {
    match image.clone().try_into_dynamic() {
        Err(error) => Some(Err(error.to_string())),
        // The alpha channel is not the opacity here.
        Ok(picture) => {
            let picture = picture.to_rgb8();
            let is_empty = picture.pixels().all(|pixel| pixel == picture.get_pixel(0, 0));
            (!is_empty).then(|| picture.save(file).map_err(|error| error.to_string()))
        }
    }
}
