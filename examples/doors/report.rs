//! The report of the last order, for the panel and for `--headless`.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Place,
    events::{Arrived, DoorPassed, PathFailed, PathFound, PathLost, PathPointReached, Replanned},
};
use tilepath_examples::words;

use crate::scene::{Maps, Numbered};

/// Writes [`Report`] from the plugin's events.
pub(crate) struct ReportPlugin;

impl Plugin for ReportPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Report>()
            .add_observer(|_: On<PathFound>, mut story: Story| story.plan(false))
            .add_observer(|_: On<Replanned>, mut story: Story| story.plan(true))
            .add_observer(|passed: On<DoorPassed>, mut story: Story| story.pass(*passed))
            .add_observer(|reached: On<PathPointReached>, mut report: ResMut<Report>| {
                if let Place::Waypoint(id) = &reached.place {
                    report.diary.push(format!("past the {id}"));
                }
            })
            .add_observer(|arrived: On<Arrived>, mut report: ResMut<Report>| {
                let nearly = if arrived.partial { "as near as possible" } else { "there" };
                report.end(News::Arrived, nearly.into());
            })
            .add_observer(|failed: On<PathFailed>, mut report: ResMut<Report>| {
                report.end(News::Failed, words::failure(failed.reason));
            })
            .add_observer(|lost: On<PathLost>, mut report: ResMut<Report>| {
                report.end(News::Failed, words::failure(lost.reason));
            });
    }
}

/// The state of the last order.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    #[default]
    None,
    Walking,
    Arrived,
    Failed,
}

/// A stretch of the path: its map, its cost, and the door before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) map: &'static str,
    pub(crate) cost: f64,
    pub(crate) door: Option<&'static str>,
}

/// The result of the last order.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Report {
    /// The place to which the soldier was sent.
    pub(crate) goal: String,
    pub(crate) news: News,
    /// The reason of a failure, or how near the goal is.
    pub(crate) detail: String,
    /// The stretches of the last path.
    pub(crate) stretches: Vec<Stretch>,
    /// The cost of the path, doors included.
    pub(crate) cost: f64,
    /// The index of the stretch that the soldier walks.
    pub(crate) at: usize,
    /// The events, in order.
    pub(crate) diary: Vec<String>,
}

impl Report {
    fn end(&mut self, news: News, detail: String) {
        self.diary.push(detail.clone());
        (self.news, self.detail) = (news, detail);
    }
}

/// The report, and the data to write it.
#[derive(bevy::ecs::system::SystemParam)]
struct Story<'w, 's> {
    report: ResMut<'w, Report>,
    maps: Res<'w, Maps>,
    paths: Query<'w, 's, &'static AgentPath>,
    doors: Query<'w, 's, &'static Numbered>,
}

impl Story<'_, '_> {
    fn name(&self, door: Entity) -> Option<&'static str> {
        self.doors.get(door).ok().map(|numbered| numbered.name)
    }

    fn plan(&mut self, is_new: bool) {
        let Ok(path) = self.paths.single() else { return };
        let stretches: Vec<Stretch> = path
            .legs()
            .map(|leg| Stretch {
                map: self.maps.name(leg.map()),
                cost: leg.route_cost(),
                door: leg.door().and_then(|door| self.name(door)),
            })
            .collect();
        let cost = path.route_cost();
        let report = &mut *self.report;
        if is_new {
            report.diary.push("planned again".into());
        }
        let way: Vec<String> =
            stretches.iter().map(|stretch| format!("{} {:.0}", stretch.map, stretch.cost)).collect();
        report.diary.push(format!("the path costs {cost:.0}: {}", way.join(", ")));
        (report.stretches, report.cost, report.at) = (stretches, cost, 0);
        (report.news, report.detail) = (News::Walking, String::new());
    }

    fn pass(&mut self, passed: DoorPassed) {
        let door = self.name(passed.door).unwrap_or("door");
        let to = self.maps.name(passed.to);
        self.report.at += 1;
        self.report.diary.push(format!("through the {door} into the {to}"));
    }
}
