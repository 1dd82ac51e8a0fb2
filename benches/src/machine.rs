//! The machine, the commit and the day of a report.

use std::{fs, process::Command};

/// Prints the head of a report: processor, commit and day.
pub(crate) fn print_head() {
    println!("# Benchmarks\n");
    println!(
        "Made by `cargo run --release --features peers` in `benches`; what is measured and how: `benches/README.md`.\n"
    );
    println!("| | |");
    println!("|---|---|");
    println!("| processor | {} |", processor());
    println!("| system | {} {} |", std::env::consts::OS, std::env::consts::ARCH);
    println!("| compiler | {} |", output_of("rustc", &["--version"]));
    println!("| commit | {} |", output_of("git", &["rev-parse", "--short", "HEAD"]));
    println!("| day | {} |", output_of("date", &["-u", "+%F"]));
    println!(
        "| peers | {} |",
        if cfg!(feature = "peers") {
            "`pathfinding` 4.16.0, its `astar`; `grid_pathfinding` 0.3.0; `condor-pathfinding-grid` 0.4.0, its `AStar` and `JumpPointSearch`"
        } else {
            "none"
        }
    );
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    format!("{}, one core used", name.map_or("unknown", |(_, name)| name))
}

fn output_of(program: &str, arguments: &[&str]) -> String {
    Command::new(program)
        .args(arguments)
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| "unknown".to_owned())
}
