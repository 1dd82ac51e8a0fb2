//! Timing of the queries.
//!
//! The fastest of three runs of each query counts. One more run has cold caches. All contestants run
//! the query side by side, in an order that changes from query to query.

use std::{hint::black_box, time::Instant};

use hdrhistogram::Histogram;

use crate::contestant::{Contestant, Problem};

/// The number of runs. The fastest one counts: the machine did other work in the slower ones.
const RUNS: usize = 3;

/// The bytes that are read before a run with cold caches: more than the caches of a core hold.
const CACHES: usize = 96 << 20;

/// The times of one contestant on the queries of one map.
pub(crate) struct Timing {
    pub(crate) name: &'static str,
    /// Nanoseconds a query.
    pub(crate) nanoseconds: Histogram<u64>,
    /// Nanoseconds a query with cold caches.
    pub(crate) cold: Histogram<u64>,
    /// The number of nodes expanded in all queries.
    pub(crate) expanded: u64,
    /// The number of answers that cost more than the cheapest path.
    pub(crate) costlier: u64,
}

impl Timing {
    pub(crate) fn mean_microseconds(&self) -> f64 {
        microseconds(self.nanoseconds.mean())
    }

    pub(crate) fn nanoseconds_per_expansion(&self) -> f64 {
        self.nanoseconds.mean() * self.nanoseconds.len() as f64 / self.expanded as f64
    }

    pub(crate) fn expansions_per_query(&self) -> u64 {
        self.expanded / self.nanoseconds.len().max(1)
    }
}

/// Returns microseconds from nanoseconds.
pub(crate) fn microseconds(nanoseconds: f64) -> f64 {
    nanoseconds / 1_000.0
}

/// Times all queries of a problem for each contestant, and checks that all exact contestants find
/// the same costs.
///
/// # Panics
/// If two exact contestants disagree, or a contestant that is not exact finds a cheaper path. The
/// times would then mean nothing.
pub(crate) fn time(problem: &Problem, contestants: &mut [Box<dyn Contestant>]) -> Vec<Timing> {
    let mut timings: Vec<Timing> = contestants
        .iter()
        .map(|contestant| Timing {
            name: contestant.name(),
            nanoseconds: histogram(),
            cold: histogram(),
            expanded: 0,
            costlier: 0,
        })
        .collect();
    let other = vec![1_u8; CACHES];
    for (number, &(from, to)) in problem.queries.iter().enumerate() {
        // The contestants take turns as the first one: later ones find the map in the caches.
        for turn in 0..contestants.len() {
            let index = (number + turn) % contestants.len();
            let fastest = (0..RUNS).map(|_| elapsed(contestants[index].as_mut(), from, to)).min();
            let fastest = fastest.expect("there is at least one run");
            timings[index].nanoseconds.record(fastest.max(1)).expect("the histogram grows");
            empty_caches(&other);
            let cold = elapsed(contestants[index].as_mut(), from, to);
            timings[index].cold.record(cold.max(1)).expect("the histogram grows");
        }
        // The first contestant is always exact.
        let cheapest = contestants.first().and_then(|contestant| contestant.solution().cost);
        for (contestant, timing) in contestants.iter().zip(&mut timings) {
            let solution = contestant.solution();
            timing.expanded += solution.expanded;
            let ends = (solution.path.first(), solution.path.last());
            assert!(
                solution.cost.is_none() || ends == (Some(&from), Some(&to)),
                "{}, {}: the path from {from} to {to} has other ends",
                problem.name,
                timing.name
            );
            let is_costlier = !contestant.is_exact() && solution.cost > cheapest;
            timing.costlier += u64::from(is_costlier);
            assert!(
                is_costlier || solution.cost == cheapest,
                "{}, {}: {from} to {to} costs {:?} and not {cheapest:?}",
                problem.name,
                timing.name,
                solution.cost
            );
        }
    }
    timings
}

fn histogram() -> Histogram<u64> {
    Histogram::new(3).expect("three digits are within the histogram's range")
}

/// Reads these bytes, so that nothing of a map is in the caches.
fn empty_caches(other: &[u8]) {
    black_box(other.iter().step_by(64).map(|&byte| u64::from(byte)).sum::<u64>());
}

fn elapsed(contestant: &mut dyn Contestant, from: usize, to: usize) -> u64 {
    let before = Instant::now();
    contestant.solve(from, to);
    before.elapsed().as_nanos() as u64
}
