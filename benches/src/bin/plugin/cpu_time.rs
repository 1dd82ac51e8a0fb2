//! The processor time of this process.

use std::fs;

/// Returns the milliseconds of all threads together, without the work of other processes. `NaN` on
/// any system but Linux.
pub(crate) fn milliseconds() -> f64 {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return f64::NAN };
    let nanoseconds = threads.flatten().map(|thread| {
        let line = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        line.split_whitespace().next().and_then(|time| time.parse::<f64>().ok()).unwrap_or(f64::NAN)
    });
    nanoseconds.sum::<f64>() / 1e6
}
