//! How long this process has had a processor.

use std::fs;

/// Milliseconds of all threads together: what other processes do in the meantime is not in it. `NaN` where the system
/// does not tell: only Linux does.
pub(crate) fn milliseconds() -> f64 {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return f64::NAN };
    let nanoseconds = threads.flatten().map(|thread| {
        let line = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        line.split_whitespace().next().and_then(|time| time.parse::<f64>().ok()).unwrap_or(f64::NAN)
    });
    nanoseconds.sum::<f64>() / 1e6
}
