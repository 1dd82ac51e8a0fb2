//! Timing: the fastest of three runs of each query, everybody's runs side by side.

use std::time::Instant;

use hdrhistogram::Histogram;

use crate::contestant::{Contestant, Problem};

/// The fastest of so many runs counts: what is slower was disturbed by something else.
const RUNS: usize = 3;

/// What one contestant needed for one map's queries.
pub(crate) struct Timing {
    pub(crate) name: &'static str,
    /// Nanoseconds a query.
    pub(crate) nanoseconds: Histogram<u64>,
    /// Nodes expanded in all queries together.
    pub(crate) expanded: u64,
}

impl Timing {
    pub(crate) fn mean_microseconds(&self) -> f64 {
        self.nanoseconds.mean() / 1_000.0
    }

    pub(crate) fn microseconds_at(&self, quantile: f64) -> f64 {
        self.nanoseconds.value_at_quantile(quantile) as f64 / 1_000.0
    }

    pub(crate) fn nanoseconds_per_expansion(&self) -> f64 {
        self.nanoseconds.mean() * self.nanoseconds.len() as f64 / self.expanded as f64
    }

    pub(crate) fn expansions_per_query(&self) -> u64 {
        self.expanded / self.nanoseconds.len().max(1)
    }
}

/// Times all queries of a problem for everybody and checks that all give the same costs.
///
/// # Panics
/// If two contestants disagree: then no time means anything.
pub(crate) fn time(problem: &Problem, contestants: &mut [Box<dyn Contestant>]) -> Vec<Timing> {
    let mut timings: Vec<Timing> = contestants
        .iter()
        .map(|contestant| Timing {
            name: contestant.name(),
            nanoseconds: Histogram::new(3).expect("three digits are within the histogram's range"),
            expanded: 0,
        })
        .collect();
    for &(from, to) in &problem.queries {
        let mut agreed = None;
        for (contestant, timing) in contestants.iter_mut().zip(&mut timings) {
            let mut fastest = u64::MAX;
            for _ in 0..RUNS {
                let before = Instant::now();
                contestant.solve(from, to);
                fastest = fastest.min(before.elapsed().as_nanos() as u64);
            }
            timing.nanoseconds.record(fastest.max(1)).expect("the histogram grows");
            let solution = contestant.solution();
            timing.expanded += solution.expanded;
            let ends = (solution.path.first(), solution.path.last());
            assert!(
                solution.cost.is_none() || ends == (Some(&from), Some(&to)),
                "{}, {}: the path from {from} to {to} does not lead there",
                problem.name,
                timing.name
            );
            let agreed = *agreed.get_or_insert(solution.cost);
            assert_eq!(solution.cost, agreed, "{}, {}: {from} to {to}", problem.name, timing.name);
        }
    }
    timings
}
