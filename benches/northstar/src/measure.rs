//! Timing of a scene, tick by tick, as in the plugin's benchmark.

use std::{
    fmt,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use bevy_northstar::prelude::*;

use crate::{
    cpu_time, paths,
    scenes::{Answered, Scene},
};

/// The number of runs. The median of each figure counts.
const RUNS: usize = 5;

/// The time after which a run ends early.
const LONGEST_RUN: Duration = Duration::from_secs(30);

/// The figures of a scene, from one run or as the median of several runs.
///
/// In this order: milliseconds a tick (median, 99th percentile, longest, processor time), agents
/// with a path, paths found and paths failed in the whole run, ticks, and milliseconds of set-up.
pub(crate) struct Figures([f64; 9]);

impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, p99, longest, cpu, walking, paths, failed, ticks, set_up] = self.0;
        write!(
            formatter,
            "{median:.3} | {p99:.3} | {longest:.3} | {cpu:.3} | {walking:.0} | {paths:.0} | {failed:.0} | {ticks:.0} | {set_up:.0}"
        )
    }
}

/// Returns the median of all runs, and the report on the paths of the last run.
pub(crate) fn median(scene: &Scene) -> (Figures, Option<String>) {
    let (mut runs, mut report) = (Vec::new(), None);
    for _ in 0..RUNS {
        let (figures, of_paths) = run(scene);
        runs.push(figures.0);
        report = of_paths;
    }
    let median = std::array::from_fn(|figure| {
        let mut values: Vec<f64> = runs.iter().map(|run| run[figure]).collect();
        values.sort_unstable_by(f64::total_cmp);
        at(&values, 0.5)
    });
    (Figures(median), report)
}

fn run(scene: &Scene) -> (Figures, Option<String>) {
    let before = Instant::now();
    let mut stage = (scene.build)(&scene.settings);
    let set_up = before.elapsed().as_secs_f64() * 1e3;
    for tick in 0..scene.warm_up {
        (stage.before_tick)(stage.app.world_mut(), tick);
        stage.app.update();
    }
    stage.app.insert_resource(Answered::default());
    let (mut times, mut busy, mut walking) = (Vec::new(), Vec::new(), Vec::new());
    let began = Instant::now();
    for tick in scene.warm_up..scene.warm_up + scene.ticks {
        (stage.before_tick)(stage.app.world_mut(), tick);
        let (cpu_before, before) = (cpu_time::milliseconds(), Instant::now());
        stage.app.update();
        times.push(before.elapsed().as_secs_f64() * 1e3);
        busy.push(cpu_time::milliseconds() - cpu_before);
        let world = stage.app.world_mut();
        walking.push(world.query_filtered::<(), With<Path>>().iter(world).count() as f64);
        let is_done = scene.orders.is_some_and(|orders| {
            let Answered { found, failed } = *world.resource();
            found + failed == orders
        });
        if is_done || began.elapsed() > LONGEST_RUN {
            break;
        }
    }
    let Answered { found, failed } = *stage.app.world().resource();
    for values in [&mut times, &mut busy, &mut walking] {
        values.sort_unstable_by(f64::total_cmp);
    }
    let report = stage.map.filter(|_| scene.orders.is_some());
    let report = report.map(|map| paths::report(&map, stage.app.world_mut()));
    let [median, p99, longest] = [0.5, 0.99, 1.0].map(|part| at(&times, part));
    let (cpu, walking, ticks) = (at(&busy, 0.5), at(&walking, 0.5), times.len() as f64);
    let (found, failed) = (found as f64, failed as f64);
    (Figures([median, p99, longest, cpu, walking, found, failed, ticks, set_up]), report)
}

/// Returns the value at this part (0 to 1) of sorted values.
fn at(values: &[f64], part: f64) -> f64 {
    let index = (values.len() as f64 * part).ceil() as usize;
    values.get(index.max(1) - 1).copied().unwrap_or(f64::NAN)
}
