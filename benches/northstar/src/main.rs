//! The scenes of the plugin's benchmark that `bevy_northstar` can express, run by it. See `benches/README.md`.
//!
//! `cargo run --release [WORD...]`: only rows whose name has all of these words.

#[path = "../../src/bin/plugin/cpu_time.rs"]
mod cpu_time;
mod ground;
mod measure;
mod paths;
mod scenes;
mod settings;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "| scene | settings | ms a tick: median | p99 | longest | CPU median | walking | paths | failed | ticks | set up ms |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut reports = Vec::new();
    for scene in scenes::all() {
        let name = format!("{} | {}", scene.name, scene.settings.name);
        if words.iter().all(|word| name.contains(word.as_str())) {
            let (figures, report) = measure::median(&scene);
            println!("| {name} | {figures} |");
            reports.extend(report.map(|report| format!("| {name} | {report} |")));
        }
    }
    if !reports.is_empty() {
        println!("\n{}", paths::HEAD);
        println!("{}", reports.join("\n"));
    }
}
