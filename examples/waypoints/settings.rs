//! The settings that a player can switch while the messenger walks.

use bevy::prelude::*;
use bevy_tilepath::{NavGraph, graphs::WaypointSlowdown};

/// The display for the waypoint under the pointer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The waypoints within a few steps of it.
    #[default]
    Steps,
    /// The nearest supplies.
    Supplies,
}

impl Shown {
    /// Returns the other display.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Steps => Self::Supplies,
            Self::Supplies => Self::Steps,
        }
    }

    /// Returns its name, short enough for a button.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps around it",
            Self::Supplies => "nearest supplies",
        }
    }
}

/// The settings of the display and of the messenger.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Settings {
    /// The display for the waypoint under the pointer.
    pub(crate) shown: Shown,
    /// The number of steps shown around the hovered waypoint.
    pub(crate) steps: u32,
    /// The cost of a unit of length off the graph.
    pub(crate) access_factor: f64,
    /// True if the messenger slows down at waypoints.
    pub(crate) easing: bool,
    /// True if the names of all waypoints are shown.
    pub(crate) names: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { shown: Shown::Steps, steps: 3, access_factor: 4.0, easing: false, names: true }
    }
}

impl Settings {
    /// The greatest number of steps that has a colour.
    pub(crate) const MOST_STEPS: u32 = 4;

    pub(crate) fn next_steps(&mut self) {
        self.steps = self.steps % Self::MOST_STEPS + 1;
    }

    pub(crate) fn next_access_factor(&mut self) {
        self.access_factor = match self.access_factor {
            factor if factor < 4.0 => 4.0,
            factor if factor < 16.0 => 16.0,
            _ => 1.0,
        };
    }
}

/// Applies the settings to the graph.
pub(crate) struct SettingsPlugin;

impl Plugin for SettingsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Settings>()
            .add_systems(Update, apply_settings.run_if(resource_changed::<Settings>));
    }
}

fn apply_settings(settings: Res<Settings>, mut graph: Single<&mut NavGraph>) {
    let easing = settings.easing.then(WaypointSlowdown::default);
    if graph.access_factor().to_bits() != settings.access_factor.to_bits() || graph.easing != easing {
        graph.set_access_factor(settings.access_factor);
        graph.easing = easing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_go_round() {
        let mut settings = Settings::default();
        let steps: Vec<u32> = (0..4)
            .map(|_| {
                settings.next_steps();
                settings.steps
            })
            .collect();
        assert_eq!(steps, [4, 1, 2, 3]);
        let factors: Vec<u32> = (0..3)
            .map(|_| {
                settings.next_access_factor();
                settings.access_factor as u32
            })
            .collect();
        assert_eq!(factors, [16, 1, 4]);
        assert_eq!(settings, Settings::default());
    }
}
