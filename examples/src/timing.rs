//! The time that a function takes.

use std::time::Duration;

use bevy::platform::time::Instant;

/// The clock of a browser goes in steps of up to 0.1 ms. Over this time, a step is a small part.
const BROWSER_TIME: Duration = Duration::from_millis(2);

/// Runs a function once and returns its result with the time it took. In a browser it runs as often
/// as its clock needs to measure one run.
pub fn timed<T>(run: impl Fn() -> T) -> (T, Duration) {
    let least = if cfg!(target_arch = "wasm32") { BROWSER_TIME } else { Duration::ZERO };
    timed_for(least, run)
}

/// Runs a function for at least this time, and at least once. Returns its last result and the mean
/// time of a run.
fn timed_for<T>(least: Duration, run: impl Fn() -> T) -> (T, Duration) {
    let (begun, mut runs) = (Instant::now(), 1);
    loop {
        let result = run();
        let elapsed = begun.elapsed();
        if elapsed >= least {
            return (result, elapsed / runs);
        }
        runs += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_function_runs_once_or_as_often_as_the_time_allows() {
        let runs = Cell::new(0);
        let run = || {
            runs.set(runs.get() + 1);
            runs.get()
        };
        assert_eq!(timed(run).0, 1);
        let (last, _) = timed_for(Duration::from_millis(1), run);
        assert_eq!(last, runs.get(), "the last run gives the result");
    }
}
