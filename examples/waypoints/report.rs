//! The report of the last order and the last edit, for the panel.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, NavProjection, Place,
    events::{Arrived, PathFailed, PathFound, PathLost, Replanned},
};
use tilepath_examples::words;

/// Writes [`Report`] from the plugin's events.
pub(crate) struct ReportPlugin;

impl Plugin for ReportPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Report>()
            .init_resource::<Note>()
            .add_observer(report_found)
            .add_observer(report_replanned)
            .add_observer(report_failed)
            .add_observer(report_lost)
            .add_observer(report_arrived);
    }
}

/// The result of the last order.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Report {
    pub(crate) news: News,
    pub(crate) figures: Option<Figures>,
    pub(crate) replans: u32,
}

/// The last event.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) enum News {
    #[default]
    None,
    /// The messenger walks to the place with this name.
    Walking(String),
    /// The messenger has arrived.
    Arrived(String),
    /// The reason why there is no path.
    Failed(String),
    /// The reason why the path was lost.
    Lost(String),
}

/// The figures of a route, in units of the graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figures {
    pub(crate) cost: f64,
    pub(crate) length: f64,
}

/// The news of the last edit, for the panel.
#[derive(Resource, Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) text: String,
    pub(crate) is_bad: bool,
}

impl Note {
    pub(crate) fn good(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_bad: false }
    }

    pub(crate) fn bad(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_bad: true }
    }
}

/// Returns the name of a place for a sentence, or its coordinates on the graph.
pub(crate) fn name_of(place: &Place, projection: Option<&NavProjection>) -> String {
    match place {
        Place::Position(world) => coordinates(*world, projection),
        _ => place.to_string(),
    }
}

/// Returns a position of the world in coordinates of the graph.
pub(crate) fn coordinates(world: Vec2, projection: Option<&NavProjection>) -> String {
    let local = projection.map_or(world, |projection| projection.local_of(world));
    format!("({:.0}, {:.0})", local.x, local.y)
}

fn report_found(
    found: On<PathFound>,
    mut report: ResMut<Report>,
    paths: Query<&AgentPath>,
    graphs: Query<&NavProjection>,
) {
    *report = Report {
        news: News::Walking(name_of(&found.goal, graphs.get(found.map).ok())),
        figures: figures(found.entity, &paths, &graphs),
        replans: 0,
    };
}

fn report_replanned(
    replanned: On<Replanned>,
    mut report: ResMut<Report>,
    paths: Query<&AgentPath>,
    graphs: Query<&NavProjection>,
) {
    report.news = News::Walking(name_of(&replanned.goal, graphs.get(replanned.map).ok()));
    report.figures = figures(replanned.entity, &paths, &graphs);
    report.replans += 1;
}

fn report_failed(failed: On<PathFailed>, mut report: ResMut<Report>) {
    *report = Report { news: News::Failed(words::failure(failed.reason)), ..default() };
}

fn report_lost(lost: On<PathLost>, mut report: ResMut<Report>) {
    report.news = News::Lost(words::failure(lost.reason));
    report.figures = None;
}

fn report_arrived(arrived: On<Arrived>, mut report: ResMut<Report>, graphs: Query<&NavProjection>) {
    report.news = News::Arrived(name_of(&arrived.place, graphs.get(arrived.map).ok()));
}

/// Converts the figures of the plugin from world units into units of the graph, which may be drawn
/// larger.
fn figures(entity: Entity, paths: &Query<&AgentPath>, graphs: &Query<&NavProjection>) -> Option<Figures> {
    let path = paths.get(entity).ok()?;
    let projection = graphs.get(path.map()).ok()?;
    let unit = f64::from(projection.world_of(Vec2::X).distance(projection.world_of(Vec2::ZERO)));
    let length: f32 = path.points().windows(2).map(|ends| ends[0].distance(ends[1])).sum();
    Some(Figures { cost: path.route_cost() / unit, length: f64::from(length) / unit })
}
