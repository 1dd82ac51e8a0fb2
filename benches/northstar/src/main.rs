//! The plugin's scenes, as far as `bevy_northstar` has them.
//!
//! See `benches/README.md`. Run: `cargo run --release [WORD...]`. If words are given, only the rows
//! whose name has all of them.

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
