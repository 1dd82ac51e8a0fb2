//! The memory of this process.

use std::fs;

/// Returns the most memory that the process has had, in megabytes. `NaN` on any system but Linux.
pub(crate) fn peak_megabytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes.map_or(f64::NAN, |kibibytes| kibibytes * 1024.0 / 1e6)
}
