//! The report of each unit's last order, for panel and `--headless`.

use std::time::Duration;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_tilepath::{
    AgentPath, NavQuery, PathGoal, PathRequest, Place,
    events::{Arrived, PathFailed, PathFound, PathLost, Replanned},
};
use serde::{Deserialize, Serialize};
use tilepath_examples::{ground::Ground, timing::timed, words};

use crate::units::Unit;

/// Writes each [`Report`] from the plugin's events.
pub(crate) struct ReportPlugin;

impl Plugin for ReportPlugin {
    fn build(&self, app: &mut App) {
        app.add_observer(begin_report)
            .add_observer(report_found)
            .add_observer(report_replanned)
            .add_observer(report_failed)
            .add_observer(report_lost)
            .add_observer(report_arrived);
    }
}

/// The result of the last order of a unit.
#[derive(Component, Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The place to which the unit was sent.
    pub(crate) goal: Vec2,
    pub(crate) news: News,
    /// If there is no path: what blocks it, in words for the player.
    pub(crate) why: String,
    pub(crate) figures: Option<Figures>,
    pub(crate) replans: u32,
}

/// The last event.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum News {
    #[default]
    None,
    Walking {
        partial: bool,
    },
    Replanned {
        partial: bool,
    },
    Arrived {
        partial: bool,
    },
    /// The reason why there is no path.
    Failed(String),
    /// The reason why the path was lost.
    Lost(String),
}

impl News {
    /// Returns true if the unit cannot arrive at its goal.
    const fn is_short_of_goal(&self) -> bool {
        match self {
            Self::None => false,
            Self::Walking { partial } | Self::Replanned { partial } | Self::Arrived { partial } => *partial,
            Self::Failed(_) | Self::Lost(_) => true,
        }
    }
}

/// The figures of a path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) cost: u32,
    pub(crate) length: f64,
    pub(crate) expanded: u64,
    pub(crate) search_time: Duration,
}

fn begin_report(ordered: On<Insert, PathRequest>, mut reports: Query<(&mut Report, &PathRequest)>) {
    if let Ok((mut report, request)) = reports.get_mut(ordered.entity)
        && let PathGoal::One(Place::Position(goal)) = *request.goal()
    {
        *report = Report { goal, ..default() };
    }
}

/// The units, and queries of the map for their reports.
#[derive(SystemParam)]
struct Reports<'w, 's> {
    nav: NavQuery<'w, 's>,
    units:
        Query<'w, 's, (&'static Unit, &'static Transform, &'static mut Report, Option<&'static AgentPath>)>,
}

impl Reports<'_, '_> {
    fn tell(&mut self, unit: Entity, news: News) {
        let figures = self.figures(unit);
        let why = if news.is_short_of_goal() { self.why(unit) } else { None };
        let Ok((.., mut report, _)) = self.units.get_mut(unit) else { return };
        report.replans += u32::from(matches!(news, News::Replanned { .. }));
        if !matches!(news, News::Arrived { .. }) {
            report.figures = figures.filter(|_| !matches!(news, News::Failed(_) | News::Lost(_)));
            report.why = why.unwrap_or_default();
        }
        report.news = news;
    }

    /// Returns the figures of a unit's path.
    ///
    /// The plugin spreads a search over ticks and reads no clock, so the same query runs once more
    /// here to measure its time.
    fn figures(&self, unit: Entity) -> Option<Figures> {
        let path = self.units.get(unit).ok()?.3?;
        let map = self.nav.map_of(unit).ok()?;
        let from = *path.points().first()?;
        let to = map.world_of(path.goal().cell()?)?;
        let (answer, search_time) =
            timed(|| if path.is_partial() { map.find_closest(from, to) } else { map.find(from, to) });
        answer.is_ok().then_some(Figures {
            cost: path.path()?.cost().get(),
            length: path.path()?.length(),
            expanded: path.statistics().expanded,
            search_time,
        })
    }

    /// Returns why a unit cannot arrive at its goal: its limits, and the walls to open.
    fn why(&self, unit: Entity) -> Option<String> {
        let (kind, place, report, _) = self.units.get(unit).ok()?;
        let map = self.nav.map_of(unit).ok()?;
        let goal = map.cell_at(report.goal)?;
        let is_open = map.finder().movement(map.movement())?.is_open(map.grid().grid(), goal);
        let nature = if is_open { kind.cut_off() } else { kind.limit() };
        let opening = map.why(place.translation.truncate(), report.goal, class_name).ok()?;
        Some(format!("{nature} {opening}"))
    }
}

/// Returns the name of a terrain class for a player.
fn class_name(class: u8) -> String {
    match Ground::of_class(class) {
        Some(Ground::Road) => "a road or bridge".into(),
        Some(Ground::Rock) | None => "a rock, tree or house".into(),
        Some(ground) => ground.name().into(),
    }
}

fn report_found(found: On<PathFound>, mut reports: Reports) {
    reports.tell(found.entity, News::Walking { partial: found.partial });
}

fn report_replanned(replanned: On<Replanned>, mut reports: Reports) {
    reports.tell(replanned.entity, News::Replanned { partial: replanned.partial });
}

fn report_failed(failed: On<PathFailed>, mut reports: Reports) {
    reports.tell(failed.entity, News::Failed(words::failure(failed.reason)));
}

fn report_lost(lost: On<PathLost>, mut reports: Reports) {
    reports.tell(lost.entity, News::Lost(words::failure(lost.reason)));
}

fn report_arrived(arrived: On<Arrived>, mut reports: Reports) {
    reports.tell(arrived.entity, News::Arrived { partial: arrived.partial });
}
