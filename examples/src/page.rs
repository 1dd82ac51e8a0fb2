//! The web page around the window.

use bevy::prelude::*;
use bevy_tilepath::events::Arrived;
use race_link::{RaceLink, RaceLinkError};

use crate::screenshot::{IsComplete, watch_frames};

/// Marks the page at the first complete frame, and writes each arrival into the page's log.
pub(crate) struct PagePlugin;

impl Plugin for PagePlugin {
    fn build(&self, app: &mut App) {
        watch_frames(app);
        app.add_systems(Last, mark_first_frame).add_observer(log_arrival);
    }
}

fn mark_first_frame(is_complete: Res<IsComplete>, mut is_marked: Local<bool>) {
    if !*is_marked && is_complete.get() {
        *is_marked = true;
        mark("data-first-frame", "complete");
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
