//! The web page around the window.

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_tilepath::events::Arrived;
use race_link::{RaceLink, RaceLinkError};

use crate::{
    scale::{SMALLEST_TEXT, scale_nodes, scale_of, small_window_scale},
    screenshot::{IsComplete, watch_frames},
};

/// Marks the page at the first complete frame, and writes each arrival into the page's log.
pub(crate) struct PagePlugin;

impl Plugin for PagePlugin {
    fn build(&self, app: &mut App) {
        watch_frames(app);
        app.add_systems(First, enlarge_small_window.before(scale_nodes))
            .add_systems(Last, mark_first_frame)
            .add_observer(log_arrival);
    }
}

/// Draws a window of a phone as a larger one, with all pixels of its screen.
fn enlarge_small_window(mut window: Single<&mut Window, With<PrimaryWindow>>) {
    let resolution = &window.resolution;
    let wanted = small_window_scale(resolution.physical_size(), resolution.base_scale_factor());
    if resolution.scale_factor_override() != wanted {
        window.resolution.set_scale_factor_override(wanted);
        // For the test of the page: the smallest text, in pixels of the page.
        let shrunk = window.scale_factor() / window.resolution.base_scale_factor();
        mark("data-smallest-text", &format!("{:.2}", SMALLEST_TEXT * scale_of(window.size()) * shrunk));
    }
}

/// The first complete frames of a large tilemap still lack some of its tiles.
const FRAMES_BEFORE_SHOWN: u32 = 3;

fn mark_first_frame(is_complete: Res<IsComplete>, mut complete: Local<u32>) {
    if *complete < FRAMES_BEFORE_SHOWN && is_complete.get() {
        *complete += 1;
        if *complete == FRAMES_BEFORE_SHOWN {
            mark("data-first-frame", "complete");
        }
    }
}

fn log_arrival(arrived: On<Arrived>) {
    info!("{} arrived", arrived.entity);
}

/// Sets an attribute of the page's body, for the page's own program and for its test.
pub fn mark(name: &str, value: &str) {
    let body = web_sys::window().and_then(|window| window.document()?.body());
    if let Some(body) = body {
        let set = body.set_attribute(name, value);
        debug_assert!(set.is_ok(), "the attribute has a valid name");
    }
}

/// Returns the end of the page's address, from the question mark on.
#[must_use]
pub fn parameters() -> String {
    let Some(location) = web_sys::window().map(|window| window.location()) else { return String::new() };
    location.search().unwrap_or_default() + &location.hash().unwrap_or_default()
}

/// Returns the race in the page's address, or `None` without one.
///
/// # Errors
/// If the race has a fault.
pub fn race_link() -> Result<Option<RaceLink>, RaceLinkError> {
    let text = parameters();
    RaceLink::is_in(&text).then(|| text.parse()).transpose()
}

/// Sets the end of the page's address, without loading the page again. Returns the address.
#[must_use]
pub fn moved_to(parameters: &str) -> String {
    let Some(window) = web_sys::window() else { return parameters.into() };
    // A page in a frame may forbid this. The link is good all the same.
    if let Ok(history) = window.history() {
        history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(parameters)).ok();
    }
    let location = window.location();
    let path = location.origin().and_then(|origin| Ok(origin + &location.pathname()?)).unwrap_or_default();
    path + parameters
}
