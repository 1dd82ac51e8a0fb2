//! Timing of a scene, tick by tick.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

use bevy_tilepath::TilepathDiagnostics;

use crate::{cpu_time, memory, scenes::Scene};

/// The number of runs. The median of each figure counts.
pub(crate) const RUNS: usize = 5;

/// The time after which a run ends early, so that very slow scenes end too.
const LONGEST_RUN: Duration = Duration::from_secs(30);

/// The number of figures of a run.
const FIGURES: usize = 12;

/// The number of figures that programs built from earlier commits print. They do not know the rest.
const FIGURES_AT_FIRST: usize = 11;

/// The figures of a scene, from one run or as the median of several runs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Figures {
    /// Milliseconds a tick.
    pub(crate) median: f64,
    pub(crate) p99: f64,
    pub(crate) longest: f64,
    /// Processor time a tick, in milliseconds.
    pub(crate) cpu: f64,
    /// Counted work a tick, see `TilepathDiagnostics`.
    pub(crate) work: f64,
    pub(crate) most_work: f64,
    /// Agents under way in a tick.
    pub(crate) walking: f64,
    /// Orders answered and paths replanned in the whole run.
    pub(crate) answers: f64,
    /// Searches begun, and work counted, in the whole run.
    pub(crate) searches: f64,
    pub(crate) all_work: f64,
    pub(crate) ticks: f64,
    /// The most memory of the process until then, in megabytes.
    pub(crate) megabytes: f64,
}

/// Builds the scene and times its ticks. The changes before a tick are not timed.
pub(crate) fn run(scene: &Scene) -> Figures {
    let mut stage = (scene.build)();
    for tick in 0..scene.warm_up {
        (stage.before_tick)(stage.app.world_mut(), tick);
        stage.app.update();
    }
    let (mut times, mut busy, mut work, mut walking) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut answers, mut searches) = (0, 0);
    let began = Instant::now();
    for tick in scene.warm_up..scene.warm_up + scene.ticks {
        (stage.before_tick)(stage.app.world_mut(), tick);
        let (cpu_before, before) = (cpu_time::milliseconds(), Instant::now());
        stage.app.update();
        times.push(before.elapsed().as_secs_f64() * 1e3);
        busy.push(cpu_time::milliseconds() - cpu_before);
        let diagnostics = stage.app.world().resource::<TilepathDiagnostics>();
        work.push(diagnostics.work as f64);
        walking.push(diagnostics.following as f64);
        answers += diagnostics.answers + diagnostics.replans;
        searches += diagnostics.searches;
        let is_done = scene.ends_with_the_queue && diagnostics.queued + diagnostics.searching == 0;
        if is_done || began.elapsed() > LONGEST_RUN {
            break;
        }
    }
    let ticks = times.len() as f64;
    for values in [&mut times, &mut busy, &mut work, &mut walking] {
        values.sort_unstable_by(f64::total_cmp);
    }
    Figures {
        median: at(&times, 0.5),
        p99: at(&times, 0.99),
        longest: at(&times, 1.0),
        cpu: at(&busy, 0.5),
        work: at(&work, 0.5),
        most_work: at(&work, 1.0),
        walking: at(&walking, 0.5),
        answers: answers as f64,
        searches: searches as f64,
        all_work: work.iter().sum(),
        ticks,
        megabytes: memory::peak_megabytes(),
    }
}

/// Returns the value at this part (0 to 1) of sorted values.
fn at(values: &[f64], part: f64) -> f64 {
    let index = (values.len() as f64 * part).ceil() as usize;
    values.get(index.max(1) - 1).copied().unwrap_or(f64::NAN)
}

impl Figures {
    fn to_array(self) -> [f64; FIGURES] {
        let Self { median, p99, longest, cpu, work, most_work, walking, answers, searches, all_work, .. } =
            self;
        let Self { ticks, megabytes, .. } = self;
        [median, p99, longest, cpu, work, most_work, walking, answers, searches, all_work, ticks, megabytes]
    }

    fn from_array(figures: [f64; FIGURES]) -> Self {
        let [
            median,
            p99,
            longest,
            cpu,
            work,
            most_work,
            walking,
            answers,
            searches,
            all_work,
            ticks,
            megabytes,
        ] = figures;
        Self {
            median,
            p99,
            longest,
            cpu,
            work,
            most_work,
            walking,
            answers,
            searches,
            all_work,
            ticks,
            megabytes,
        }
    }

    /// Returns the median of each figure.
    pub(crate) fn median_of(runs: &[Self]) -> Self {
        Self::from_array(std::array::from_fn(|figure| {
            let mut values: Vec<f64> = runs.iter().map(|run| run.to_array()[figure]).collect();
            values.sort_unstable_by(f64::total_cmp);
            at(&values, 0.5)
        }))
    }
}

/// The format that `--against` parses.
impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_array().map(|figure| figure.to_string()).join("\t"))
    }
}

impl FromStr for Figures {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut figures: Vec<f64> =
            line.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
        if figures.len() >= FIGURES_AT_FIRST {
            figures.resize(FIGURES, f64::NAN);
        }
        let figures =
            <[f64; FIGURES]>::try_from(figures).map_err(|_| format!("invalid line of figures: `{line}`"))?;
        Ok(Self::from_array(figures))
    }
}
