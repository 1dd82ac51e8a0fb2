//! What can be switched while the messenger walks.

use bevy::prelude::*;
use bevy_tilepath::{NavGraph, graphs::WaypointSlowdown};

/// What is shown of the waypoint under the pointer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    /// All within a few steps of it.
    #[default]
    Steps,
    /// The nearest supplies.
    Supplies,
}

impl Shown {
    /// The other one.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Steps => Self::Supplies,
            Self::Supplies => Self::Steps,
        }
    }

    /// In as few words as a button holds.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps around it",
            Self::Supplies => "nearest supplies",
        }
    }
}

/// What is shown, and how the messenger walks.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Settings {
    /// What is shown of the waypoint under the pointer.
    pub(crate) shown: Shown,
    /// How many steps around the hovered waypoint are shown.
    pub(crate) steps: u32,
    /// What a unit of length costs off the graph.
    pub(crate) access_factor: f64,
    /// Does the messenger slow down at waypoints?
    pub(crate) easing: bool,
    /// Are the names of all waypoints shown?
    pub(crate) names: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { shown: Shown::Steps, steps: 3, access_factor: 4.0, easing: false, names: true }
    }
}

impl Settings {
    /// The most steps that have a colour of their own.
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

/// Hands the settings to the graph.
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
