//! Some orders on the maps without a window.

use std::{
    io::{self, Write},
    time::Duration,
};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{PathRequest, TilepathPlugin, doors::Door};

use crate::{
    level::Letters,
    report::{News, Report, ReportPlugin},
    scene::{Maps, Numbered, ScenePlugin, Soldier},
};

/// The time from one update to the next.
const STEP: Duration = Duration::from_millis(50);
/// More updates than any order needs.
const PATIENCE: usize = 4000;

/// Prints the events of each order.
///
/// # Errors
/// If `out` cannot be written to, or an order does not end.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    let mut play = Play::new();
    let maps = play.maps();
    play.order("from the meadow to the church", PathRequest::to_waypoint("church").on_map(maps.town));
    play.finish(out)?;

    let chest = Letters::room().find('c');
    let beside = bevy_tilepath::Cell::new(chest.x + 1, chest.y);
    play.order("back into the cottage, to the chest", PathRequest::to_cell(beside).on_map(maps.room));
    play.finish(out)?;

    let start = Letters::meadow().find('S');
    play.order("home, and the front door falls shut", PathRequest::to_cell(start).on_map(maps.meadow));
    play.steps(5);
    play.shut(1);
    play.finish(out)?;

    play.shut(3);
    play.order("back to the chest, the gate is shut too", PathRequest::to_cell(beside).on_map(maps.room));
    play.finish(out)
}

struct Play {
    app: App,
    soldier: Entity,
}

impl Play {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()))
            .add_plugins((ScenePlugin, ReportPlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
        app.update();
        app.update();
        let world = app.world_mut();
        let soldier =
            world.query_filtered::<Entity, With<Soldier>>().single(world).expect("the scene has one soldier");
        Self { app, soldier }
    }

    fn maps(&self) -> Maps {
        *self.app.world().resource::<Maps>()
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.app.update();
        }
    }

    fn shut(&mut self, number: usize) {
        let world = self.app.world_mut();
        let mut doors = world.query::<(&Numbered, &mut Door)>();
        for (_, mut door) in doors.iter_mut(world).filter(|(numbered, _)| numbered.number == number) {
            door.open = false;
        }
    }

    fn order(&mut self, name: &str, request: PathRequest) {
        let world = self.app.world_mut();
        *world.resource_mut::<Report>() = Report { goal: name.into(), ..default() };
        world.entity_mut(self.soldier).insert(request);
    }

    /// Runs until the order has ended, and writes its events.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for _ in 0..PATIENCE {
            self.app.update();
            let report = self.app.world().resource::<Report>();
            if matches!(report.news, News::Arrived | News::Failed) {
                writeln!(out, "{}", report.goal)?;
                return report.diary.iter().try_for_each(|entry| writeln!(out, "  {entry}"));
            }
        }
        Err(io::Error::other("the journey did not end"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journeys() -> Vec<Vec<String>> {
        let mut out = Vec::new();
        run(&mut out).unwrap();
        let mut journeys: Vec<Vec<String>> = Vec::new();
        for line in String::from_utf8(out).unwrap().lines() {
            match (line.strip_prefix("  "), journeys.last_mut()) {
                (Some(entry), Some(journey)) => journey.push(entry.to_owned()),
                _ => journeys.push(Vec::new()),
            }
        }
        journeys
    }

    #[test]
    fn one_order_leads_through_the_cottage_into_the_town() {
        let journey = &journeys()[0];
        let doors: Vec<&String> = journey.iter().filter(|entry| entry.starts_with("through")).collect();
        assert_eq!(doors, ["through the front door into the cottage", "through the back door into the town"]);
        assert!(journey.contains(&"past the smithy".to_owned()), "{journey:?}");
        assert_eq!(journey.last().map(String::as_str), Some("there"));
    }

    #[test]
    fn shut_door_is_avoided_and_all_shut_doors_leave_no_path() {
        let journeys = journeys();
        let home = &journeys[2];
        assert!(home.contains(&"planned again".to_owned()), "{home:?}");
        assert!(home.contains(&"through the gate into the meadow".to_owned()), "{home:?}");
        assert_eq!(journeys[3], ["no path leads there"]);
    }
}
