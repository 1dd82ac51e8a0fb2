//! The size of texts and panels, which follows the window.

use bevy::{prelude::*, ui::UiSystems, window::PrimaryWindow};

use crate::window::WINDOW_SIZE;

/// The smallest scale: with a smaller one, the smallest texts are illegible.
const MIN_SCALE: f32 = 0.8;

/// The smallest size of a text, in pixels of nodes.
pub const SMALLEST_TEXT: f32 = 12.0;
/// The smallest window for which the examples are laid out, in logical pixels.
pub const SMALLEST: UVec2 = UVec2::new(832, 468);

/// Sets [`UiScale`] by the size of the window. Part of
/// [`window_plugins`](crate::window::window_plugins).
///
/// Nodes have pixels of a window of [`WINDOW_SIZE`]. Places of the window, such as the pointer's,
/// have pixels of the real window: divide them by the scale to get pixels of nodes.
#[derive(Debug)]
pub struct ScalePlugin;

impl Plugin for ScalePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(First, scale_nodes).add_systems(PostUpdate, scale_nodes.before(UiSystems::Prepare));
    }
}

/// Returns the scale for a window of this size. It is 1 for [`WINDOW_SIZE`].
#[must_use]
pub fn scale_of(window: Vec2) -> f32 {
    ratio_of(window).max(MIN_SCALE)
}

/// Returns the size of a window as a part of [`WINDOW_SIZE`]: by width or height, whichever is less.
#[must_use]
pub fn ratio_of(window: Vec2) -> f32 {
    (window / WINDOW_SIZE.as_vec2()).min_element()
}

/// Returns the physical pixels for each pixel of the window, if a window of this physical size is
/// smaller than [`SMALLEST`]; else `None`.
///
/// A window of a phone is then drawn as one of that size, and no text is smaller than 8 pixels of a
/// page that is 390 pixels high.
#[must_use]
pub fn small_window_scale(physical: UVec2, scale: f32) -> Option<f32> {
    let fitted = (physical.as_vec2() / SMALLEST.as_vec2()).min_element();
    (fitted > 0.0 && fitted < scale).then_some(fitted)
}

pub(crate) fn scale_nodes(window: Option<Single<&Window, With<PrimaryWindow>>>, mut scale: ResMut<UiScale>) {
    let Some(window) = window else { return };
    let new = scale_of(window.size());
    if scale.0.to_bits() != new.to_bits() {
        scale.0 = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_of_a_phone_has_texts_of_8_pixels() {
        // 3 pixels of the screen are one of the page.
        let scale = small_window_scale(UVec2::new(736, 390) * 3, 3.0).unwrap();
        let text = SMALLEST_TEXT * MIN_SCALE * scale / 3.0;
        assert!(text > 7.99, "{text}");
        assert_eq!(small_window_scale(SMALLEST * 2, 2.0), None);
        assert_eq!(small_window_scale(UVec2::ZERO, 1.0), None, "not measured yet");
    }

    #[test]
    fn larger_windows_show_larger_texts_and_small_ones_legible_ones() {
        for (width, height, scale) in [
            (1280.0, 720.0, 1.0),
            (1920.0, 1080.0, 1.5),
            (2560.0, 720.0, 1.0),
            (1280.0, 1440.0, 1.0),
            (1152.0, 648.0, 0.9),
            (640.0, 360.0, MIN_SCALE),
        ] {
            assert!((scale_of(Vec2::new(width, height)) - scale).abs() < 1e-6, "{width} x {height}");
        }
    }
}
