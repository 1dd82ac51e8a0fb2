//! The texts of the panel.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{AgentPath, PathAgent, PathStatus, Terrain};
use tilepath_examples::{ground::Ground, panel::colour, tiles::centre_of, words};

use crate::{
    level::Scenery,
    preview::{Hover, Pointed, Room, Way},
    report::{Figures, News, Report},
    scene::{BridgeMap, GroundMap, tile_of},
    units::Unit,
};

/// A text and its colour.
type Coloured = (String, Color);

pub(crate) fn status(status: PathStatus, paused: bool, news: &News) -> Coloured {
    let (text, colour) = match status {
        PathStatus::WaitingForMap => ("waits for a map".into(), colour::TEXT),
        PathStatus::Queued | PathStatus::Searching => ("searches a path".into(), colour::TEXT),
        PathStatus::Following if paused => ("paused".into(), colour::TEXT),
        PathStatus::Following => match news {
            News::Walking { partial: true } | News::Replanned { partial: true } => {
                ("goes to the closest tile".into(), colour::GOLD)
            }
            News::Replanned { partial: false } => ("found another path".into(), colour::GOLD),
            _ => ("on the way".into(), colour::GOOD),
        },
        PathStatus::Paused => ("paused".into(), colour::TEXT),
        PathStatus::Arrived => match news {
            News::Arrived { partial: true } => ("arrived at the closest tile".into(), colour::GOLD),
            _ => ("arrived".into(), colour::GOOD),
        },
        PathStatus::Failed(_) => match news {
            News::Lost(_) => ("lost its path".into(), colour::BAD),
            _ => ("cannot go there".into(), colour::BAD),
        },
        _ => ("waits for an order".into(), colour::TEXT),
    };
    (text, colour)
}

/// Returns the reason of a failure, or how often the path was planned again.
pub(crate) fn detail(report: &Report) -> String {
    match &report.news {
        News::Failed(reason) | News::Lost(reason) => reason.clone(),
        News::Walking { partial: true } | News::Arrived { partial: true } => {
            "no path leads to that tile".into()
        }
        _ => words::replans(report.replans),
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

/// Returns how long the rest of the path takes.
pub(crate) fn time_left(status: PathStatus, agent: &PathAgent, path: Option<&AgentPath>) -> String {
    path.filter(|_| matches!(status, PathStatus::Following | PathStatus::Paused))
        .map_or_else(|| "-".into(), |path| format!("{:.1} s", path.seconds_left(agent)))
}

/// Returns whether the ground slows units down.
pub(crate) fn terrain_speed(by_cost: bool) -> Coloured {
    if by_cost { ("by cost".into(), colour::GOLD) } else { ("constant".into(), colour::FAINT) }
}

/// Returns what a click on another unit does.
pub(crate) fn choose(unit: Unit) -> String {
    format!("choose the {}", unit.name())
}

/// Reads the map to name the thing under the pointer.
#[derive(SystemParam)]
pub(crate) struct MapText<'w, 's> {
    ground: Single<'w, 's, &'static TileStorage, (With<GroundMap>, Without<BridgeMap>)>,
    bridges: Single<'w, 's, &'static TileStorage, With<BridgeMap>>,
    classes: Query<'w, 's, &'static Terrain>,
    scenery: Query<'w, 's, (&'static Scenery, &'static Transform)>,
}

/// The thing on a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    /// Its name.
    name: &'static str,
    /// The thing in front of it, which hides it from the player.
    behind: Option<&'static str>,
}

impl MapText<'_, '_> {
    fn found(&self, hover: &Hover) -> Option<Found> {
        let at = centre_of(hover.cell);
        let things = || self.scenery.iter().map(|(thing, place)| (*thing, place.translation.truncate()));
        if let Some((thing, _)) = things().find(|(thing, place)| thing.area(*place).contains(at)) {
            return Some(Found { name: thing.name(), behind: None });
        }
        let tile = tile_of(hover.cell);
        let name = if self.bridges.checked_get(&tile).is_some() {
            "bridge"
        } else {
            let tile = self.ground.checked_get(&tile)?;
            Ground::of_class(self.classes.get(tile).ok()?.0)?.name()
        };
        let behind = things().find(|(thing, place)| thing.hidden(*place).contains(at));
        Some(Found { name, behind: behind.map(|(thing, _)| thing.name()) })
    }

    /// Returns the name of the thing under the pointer, for the panel.
    pub(crate) fn here(&self, pointed: &Pointed) -> String {
        match pointed {
            Pointed::Nothing => "-".into(),
            Pointed::Outside(_) => words::OUTSIDE.into(),
            Pointed::Unit(unit, _) => unit.name().into(),
            Pointed::Tile(hover) => match self.found(hover) {
                None => "-".into(),
                Some(Found { name, behind: None }) => format!("{name} {}", words::place(hover.cell)),
                Some(Found { name, behind: Some(thing) }) => format!("{name} behind a {thing}"),
            },
        }
    }

    /// Returns the cost of a path to the pointer, for the label.
    pub(crate) fn label(&self, hover: &Hover) -> Coloured {
        label(self.found(hover), hover.room, hover.way)
    }
}

fn label(found: Option<Found>, room: Room, way: Way) -> Coloured {
    let what = match (found, room) {
        (Some(Found { name, .. }), Room::Closed) => name.to_owned(),
        (Some(Found { name, .. }), Room::TooNarrow) => format!("{name}, too narrow"),
        (Some(Found { name, .. }), Room::Open) => format!("{name}, cut off"),
        (None, _) => "blocked".into(),
    };
    match way {
        Way::There(cost) => (format!("cost {cost}"), colour::TEXT),
        Way::Closest(0) => (format!("{what}: no tile is closer"), colour::GOLD),
        Way::Closest(cost) => (format!("{what}: to the closest tile, cost {cost}"), colour::GOLD),
        Way::Nowhere => (format!("{what}: {}", words::NO_WAY), colour::BAD),
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use bevy_tilepath::{Cell, TilepathPlugin};

    use super::*;
    use tilepath_examples::tiles::TILE;

    use crate::scene::ScenePlugin;

    #[test]
    fn a_failure_says_why() {
        let report = Report { news: News::Failed(words::NO_WAY.into()), ..Report::default() };
        let failed = PathStatus::Failed(bevy_tilepath::PathFailure::Unreachable);
        assert_eq!(status(failed, false, &report.news).0, "cannot go there");
        assert_eq!(detail(&report), words::NO_WAY);
        assert_eq!(cost(&report), "-");
    }

    #[test]
    fn closest_tile_is_labelled() {
        let news = News::Walking { partial: true };
        assert_eq!(status(PathStatus::Following, false, &news).0, "goes to the closest tile");
        let news = News::Arrived { partial: true };
        assert_eq!(status(PathStatus::Arrived, false, &news).0, "arrived at the closest tile");
        assert_eq!(status(PathStatus::Following, true, &news).0, "paused");
    }

    #[test]
    fn label_distinguishes_blocked_and_cut_off() {
        let road = Some(Found { name: "road", behind: None });
        let cottage = Some(Found { name: "cottage", behind: None });
        for (found, room, way, said) in [
            (road, Room::Open, Way::There(30), "cost 30"),
            (road, Room::Open, Way::Closest(40), "road, cut off: to the closest tile, cost 40"),
            (road, Room::Open, Way::Nowhere, "road, cut off: no path leads there"),
            (road, Room::TooNarrow, Way::Closest(40), "road, too narrow: to the closest tile, cost 40"),
            (cottage, Room::Closed, Way::Closest(40), "cottage: to the closest tile, cost 40"),
            (cottage, Room::Closed, Way::Closest(0), "cottage: no tile is closer"),
        ] {
            assert_eq!(label(found, room, way).0, said);
        }
    }

    /// Returns the text for a cell under the pointer, in the level of the game.
    fn here(app: &mut App, cell: Cell) -> String {
        let footprint = Rect::from_center_size(centre_of(cell), Vec2::splat(TILE));
        let hover = Hover { cell, footprint, room: Room::Open, way: Way::Nowhere, points: Vec::new() };
        let pointed = Pointed::Tile(hover);
        app.world_mut().run_system_once(move |map: MapText| map.here(&pointed)).unwrap()
    }

    #[test]
    fn ground_under_the_pointer_has_its_true_name() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin));
        app.update();
        // The door of the red cottage is at (5, 19), and the cottage blocks three cells by two.
        for (x, y, name) in [
            (5, 19, "cottage"),
            (4, 20, "cottage"),
            (5, 21, "grass behind a cottage"),
            (5, 22, "grass"),
            (8, 17, "well"),
            (8, 18, "grass behind a well"),
            (5, 17, "road"),
            (20, 11, "bridge"),
            (21, 22, "water"),
            (28, 18, "rock"),
            (0, 23, "fir"),
        ] {
            let here = here(&mut app, Cell::new(x, y));
            assert_eq!(here.split(" (").next(), Some(name), "at {x}, {y}");
        }
    }
}
