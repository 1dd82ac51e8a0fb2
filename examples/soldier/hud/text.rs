//! What the panel says.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{PathStatus, Terrain};
use tilepath_examples::panel::colour;

use crate::{
    ground::Ground,
    preview::{Hover, Preview, Way},
    report::{Figures, News, Report},
    scene::{BridgeMap, GroundMap, tile_of},
};

/// A text and its colour.
type Coloured = (String, Color);

pub(crate) fn status(status: PathStatus, paused: bool, news: &News) -> Coloured {
    let (text, colour) = match status {
        PathStatus::Idle => ("waits for an order".into(), colour::TEXT),
        PathStatus::WaitingForMap => ("waits for a map".into(), colour::TEXT),
        PathStatus::Queued | PathStatus::Searching => ("searches the way".into(), colour::TEXT),
        PathStatus::Following if paused => ("paused".into(), colour::TEXT),
        PathStatus::Following => match news {
            News::Walking { partial: true } | News::Replanned { partial: true } => {
                ("goes to the closest tile".into(), colour::GOLD)
            }
            News::Replanned { partial: false } => ("found another way".into(), colour::GOLD),
            _ => ("on the way".into(), colour::GOOD),
        },
        PathStatus::Paused => ("paused".into(), colour::TEXT),
        PathStatus::Arrived => match news {
            News::Arrived { partial: true } => ("arrived at the closest tile".into(), colour::GOLD),
            _ => ("arrived".into(), colour::GOOD),
        },
        PathStatus::Failed(_) => match news {
            News::Lost(_) => ("lost the way".into(), colour::BAD),
            _ => ("cannot go there".into(), colour::BAD),
        },
    };
    (text, colour)
}

/// The reason of a failure, or how often the way was planned anew.
pub(crate) fn detail(report: &Report) -> String {
    match &report.news {
        News::Failed(reason) | News::Lost(reason) => reason.clone(),
        News::Walking { partial: true } | News::Arrived { partial: true } => {
            "no way leads to that tile".into()
        }
        _ => match report.replans {
            0 => String::new(),
            1 => "replanned once".into(),
            times => format!("replanned {times} times"),
        },
    }
}

fn figure(report: &Report, show: impl Fn(&Figures) -> String) -> String {
    report.figures.as_ref().map_or_else(|| "-".into(), show)
}

pub(crate) fn cost(report: &Report) -> String {
    figure(report, |figures| figures.cost.to_string())
}

pub(crate) fn length(report: &Report) -> String {
    figure(report, |figures| format!("{:.1} tiles", figures.length))
}

pub(crate) fn expanded(report: &Report) -> String {
    figure(report, |figures| format!("{} tiles", figures.expanded))
}

pub(crate) fn search_time(report: &Report) -> String {
    figure(report, |figures| format!("{:.3} ms", figures.search_time.as_secs_f64() * 1e3))
}

pub(crate) fn on_off(on: bool) -> Coloured {
    if on { ("on".into(), colour::GOLD) } else { ("off".into(), colour::FAINT) }
}

/// Reads the tiles to say what lies under the pointer.
#[derive(SystemParam)]
pub(crate) struct MapText<'w, 's> {
    ground: Single<'w, 's, &'static TileStorage, (With<GroundMap>, Without<BridgeMap>)>,
    bridges: Single<'w, 's, &'static TileStorage, With<BridgeMap>>,
    classes: Query<'w, 's, &'static Terrain>,
}

impl MapText<'_, '_> {
    /// The ground of a cell; `None` if a bridge leads over it.
    fn ground(&self, hover: &Hover) -> Option<Ground> {
        let tile = tile_of(hover.cell);
        if self.bridges.checked_get(&tile).is_some() {
            return None;
        }
        let tile = self.ground.checked_get(&tile)?;
        Ground::of_class(self.classes.get(tile).ok()?.0)
    }

    /// The tile under the pointer, for the panel.
    pub(crate) fn here(&self, preview: &Preview) -> String {
        preview.hover.as_ref().map_or_else(
            || "-".into(),
            |hover| {
                let name = self.ground(hover).map_or("bridge", Ground::name);
                format!("{name} {}", hover.cell)
            },
        )
    }

    /// What it would cost to go there, for the label.
    pub(crate) fn label(&self, hover: &Hover) -> Coloured {
        let obstacle = match self.ground(hover) {
            Some(ground) if ground.cost() == 0 => ground.name(),
            _ => "blocked",
        };
        match hover.way {
            Way::There(cost) => (format!("cost {cost}"), colour::TEXT),
            Way::Closest(0) => (format!("{obstacle}, nearest is here"), colour::GOLD),
            Way::Closest(cost) => (format!("{obstacle}, nearest {cost}"), colour::GOLD),
            Way::Nowhere => ("no way".into(), colour::BAD),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilepath_examples::words;

    #[test]
    fn a_failure_says_why() {
        let report = Report { news: News::Failed(words::NO_WAY.into()), ..Report::default() };
        let failed = PathStatus::Failed(bevy_tilepath::PathFailure::Unreachable);
        assert_eq!(status(failed, false, &report.news).0, "cannot go there");
        assert_eq!(detail(&report), words::NO_WAY);
        assert_eq!(cost(&report), "-");
    }

    #[test]
    fn the_closest_tile_is_said_to_be_one() {
        let news = News::Walking { partial: true };
        assert_eq!(status(PathStatus::Following, false, &news).0, "goes to the closest tile");
        let news = News::Arrived { partial: true };
        assert_eq!(status(PathStatus::Arrived, false, &news).0, "arrived at the closest tile");
        assert_eq!(status(PathStatus::Following, true, &news).0, "paused");
    }
}
