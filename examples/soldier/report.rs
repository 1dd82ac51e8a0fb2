//! What became of the last order: kept for the panel and for the run without a window.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, Arrived, NavQuery, PathFailed, PathFound, PathLost, Replanned};
use tilepath_examples::words;

/// Keeps [`Report`] by the plugin's events.
pub(crate) struct ReportPlugin;

impl Plugin for ReportPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Report>()
            .add_observer(report_found)
            .add_observer(report_replanned)
            .add_observer(report_failed)
            .add_observer(report_lost)
            .add_observer(report_arrived);
    }
}

/// What became of the last order.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Report {
    pub(crate) news: News,
    pub(crate) figures: Option<Figures>,
    pub(crate) replans: u32,
}

/// The last thing that happened.
#[derive(Debug, Default, Clone, PartialEq)]
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
    /// Why there is no way.
    Failed(String),
    /// Why the way was lost.
    Lost(String),
}

/// The figures of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figures {
    pub(crate) cost: u32,
    pub(crate) length: f64,
    pub(crate) expanded: u64,
    pub(crate) search_time: Duration,
}

fn report_found(found: On<PathFound>, mut report: ResMut<Report>, nav: NavQuery, paths: Query<&AgentPath>) {
    *report = Report {
        news: News::Walking { partial: found.partial },
        figures: figures(found.entity, &nav, &paths),
        replans: 0,
    };
}

fn report_replanned(
    replanned: On<Replanned>,
    mut report: ResMut<Report>,
    nav: NavQuery,
    paths: Query<&AgentPath>,
) {
    report.news = News::Replanned { partial: replanned.partial };
    report.figures = figures(replanned.entity, &nav, &paths);
    report.replans += 1;
}

fn report_failed(failed: On<PathFailed>, mut report: ResMut<Report>) {
    *report = Report { news: News::Failed(words::failure(failed.reason)), ..default() };
}

fn report_lost(lost: On<PathLost>, mut report: ResMut<Report>) {
    report.news = News::Lost(words::failure(lost.reason));
    report.figures = None;
}

fn report_arrived(arrived: On<Arrived>, mut report: ResMut<Report>) {
    report.news = News::Arrived { partial: arrived.partial };
}

/// The figures of an entity's path. The plugin spreads a search over ticks and does not look at clocks, so the
/// same question is asked once more and timed.
fn figures(entity: Entity, nav: &NavQuery, paths: &Query<&AgentPath>) -> Option<Figures> {
    let path = paths.get(entity).ok()?;
    let from = *path.points().first()?;
    let to = nav.world_of(path.map(), path.goal().cell()?)?;
    let map = nav.on(path.map()).ok()?;
    let begun = Instant::now();
    let answer = if path.is_partial() { map.find_closest(from, to) } else { map.find(from, to) };
    let search_time = begun.elapsed();
    answer.is_ok().then_some(Figures {
        cost: path.path()?.cost().get(),
        length: path.path()?.length(),
        expanded: path.statistics().expanded,
        search_time,
    })
}
