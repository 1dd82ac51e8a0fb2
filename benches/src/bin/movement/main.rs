//! A score of crowds that move: counted, and equal on each run.
//!
//! The scenes run in the plugin, with its rounds of searches and its budget of work. The problems of
//! the League of Robot Runners run in the bare core, if `LEAGUE_DIR` names their folder.
//!
//! `cargo run --release --features plugin --bin movement [WORD...]`. If words are given, only the
//! rows whose name has one of these words. See `BENCHMARKS.md`.

#[path = "../plugin/apps.rs"]
#[expect(dead_code, reason = "the timings of the plugin use the rest")]
mod apps;
mod leads;
mod league;
mod pibt;
mod problem;
mod scenes;
mod score;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.to_lowercase().contains(word.as_str()));
    apps::make_pool(1);
    score::print_rows(is_wanted);
    league::print_rows(is_wanted);
}
