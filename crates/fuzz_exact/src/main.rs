//! Random queries, each compared with an oracle that shares no code with the library.
//!
//! `cargo run --release -p fuzz_exact -- --queries 1000000 --seed 1`, with
//! `--four-ways`, and with `--landmarks`.
//!
//! It covers:
//! - every algorithm, diagonal rule, kind of map and cost table; starts in walls; closest cells,
//!   limits and slices;
//! - landmarks: made, half made, with patches and made anew;
//! - edits between queries, of cells, lists and rectangles; maps that grow and shrink;
//! - on half of the maps: hexagons, void cells, units of many sizes, overlays and closed exits;
//! - reachability, ranges, nearest goals, fields, ranges and paths in turns,
//!   forbidden cells and what-ifs.
//!
//! Equal arguments run equal queries. The last line on standard error gives the queries, the seed
//! and the mismatches. If an answer is wrong, the exit code is 1, and the mismatch on the smallest
//! map is drawn.

mod batch;
mod draw;
mod flat;
mod forbidden;
mod growth;
mod land;
mod led;
mod many;
mod paths;
mod round;
mod truth;
mod turns;
mod view;
mod world;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    time::Instant,
};

use clap::Parser;

use crate::{
    round::{Round, Tally},
    world::Scene,
};

/// Runs random queries in tilepath and compares every answer with an oracle.
#[derive(Parser)]
struct Arguments {
    /// Run at least this many path queries. Queries of other kinds do not count.
    #[arg(long, default_value_t = 100_000)]
    queries: u64,
    /// The seed. Equal seeds run equal queries.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The first round. To repeat a mismatch, give the round that it names.
    #[arg(long, default_value_t = 0)]
    first_round: u64,
    /// Let all units move in four directions over ground of one cost.
    #[arg(long)]
    four_ways: bool,
    /// Draw maps that are large enough for landmarks, and make landmarks on all of them.
    #[arg(long)]
    landmarks: bool,
}

/// A wrong answer, or a panic.
struct Mismatch {
    number: u64,
    complaint: String,
    round: Round,
}

/// The result of a run.
#[derive(Default)]
struct Report {
    tally: Tally,
    rounds: u64,
    mismatches: u64,
    /// The mismatch on the smallest map.
    smallest: Option<Mismatch>,
}

impl Arguments {
    const fn scene(&self) -> Scene {
        Scene { has_four_ways: self.four_ways, has_landmarks: self.landmarks }
    }
}

impl Report {
    /// Runs whole rounds until this many queries have run.
    fn run(arguments: &Arguments, mut progress: impl FnMut(&Self)) -> Self {
        let mut report = Self::default();
        while report.tally.queries < arguments.queries {
            report.add_round(arguments, arguments.first_round + report.rounds);
            progress(&report);
        }
        report
    }

    fn add_round(&mut self, arguments: &Arguments, number: u64) {
        let mut generator = round::generator(arguments.seed, number);
        let mut round = Round::draw(&mut generator, arguments.scene());
        let verdict =
            catch_unwind(AssertUnwindSafe(|| round.run(&mut generator))).unwrap_or_else(|payload| {
                let text = payload.downcast_ref::<String>().map(String::as_str);
                Err(format!(
                    "panic: {}",
                    text.or(payload.downcast_ref().copied()).unwrap_or("without a text")
                ))
            });
        self.rounds += 1;
        self.tally += round.tally;
        if let Err(complaint) = verdict {
            self.mismatches += 1;
            // The query with the wrong answer counts too, so that a run ends even if every round
            // fails.
            self.tally.queries += 1;
            let cells = |mismatch: &Mismatch| mismatch.round.world.land.map.classes.len();
            let mismatch = Mismatch { number, complaint, round };
            if self.smallest.as_ref().is_none_or(|smallest| cells(&mismatch) < cells(smallest)) {
                self.smallest = Some(mismatch);
            }
        }
    }

    /// Returns the smallest mismatch with its map, and the arguments that repeat it.
    fn describe_smallest(&self, &Arguments { seed, four_ways, landmarks, .. }: &Arguments) -> Option<String> {
        self.smallest.as_ref().map(|Mismatch { number, complaint, round: Round { world, question, .. } }| {
            let four_ways = if four_ways { " --four-ways" } else { "" };
            let landmarks = if landmarks { " --landmarks" } else { "" };
            let again = format!("--queries 1 --seed {seed} --first-round {number}{four_ways}{landmarks}");
            format!("{complaint}\n{question:?}\n{world}again: {again}")
        })
    }
}

#[expect(clippy::print_stderr, reason = "a program reports there")]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let began = Instant::now();
    let mut told = 0;
    let report = Report::run(&arguments, |report| {
        let (asked, failed) = (report.tally.queries, report.mismatches);
        if asked / 50_000 > told {
            told = asked / 50_000;
            eprintln!("{asked} queries on {} maps, {failed} mismatches", report.rounds);
        }
    });
    if let Some(description) = report.describe_smallest(&arguments) {
        eprintln!("{description}");
    }
    let Tally { queries, refused, reachable, ranges, turns, nearest, fields, .. } = report.tally;
    let Tally { edits, batches, resizes, what_ifs, forbidden, led, .. } = report.tally;
    eprintln!(
        "{} maps, {edits} edits, {batches} batches, {resizes} resizes, {ranges} ranges, {turns} in turns, {nearest} nearest, {fields} fields, {what_ifs} what-ifs, {led} led by landmarks, {forbidden} times forbidden cells, {reachable} reachability, {refused} refused, {:.1} s",
        report.rounds,
        began.elapsed().as_secs_f64()
    );
    eprintln!("queries {queries}, seed {}, mismatches {}", arguments.seed, report.mismatches);
    if report.mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Report};

    fn arguments(queries: u64, seed: u64) -> Arguments {
        Arguments { queries, seed, first_round: 0, four_ways: false, landmarks: false }
    }

    /// Runs queries, and checks that all answers are right.
    fn run(arguments: &Arguments) -> Report {
        let report = Report::run(arguments, |_| {});
        assert_eq!(report.mismatches, 0, "{}", report.describe_smallest(arguments).unwrap_or_default());
        report
    }

    #[test]
    fn a_slice_of_the_fuzzing_in_four_directions_finds_no_mismatch() {
        let report = run(&Arguments { four_ways: true, ..arguments(10_000, 7) });
        assert!(report.tally.refused < report.tally.queries / 4, "{:?}", report.tally);
    }

    #[test]
    fn a_slice_of_the_fuzzing_with_landmarks_finds_no_mismatch() {
        for four_ways in [false, true] {
            let report = run(&Arguments { landmarks: true, four_ways, ..arguments(6_000, 7) });
            assert!(report.tally.led > 100, "{:?}", report.tally);
        }
    }

    #[test]
    fn a_slice_of_the_fuzzing_finds_no_mismatch() {
        let report = run(&arguments(20_000, 7));
        let tally = report.tally;
        let asked_at_all =
            [tally.queries, tally.reachable, tally.ranges, tally.nearest, tally.fields, tally.edits];
        let later = [tally.turns, tally.resizes, tally.what_ifs, tally.batches, tally.forbidden];
        assert!(asked_at_all.iter().chain(&later).all(|&count| count > 20), "{tally:?}");
        assert!(tally.refused < tally.queries, "{tally:?}");
    }

    /// A round with turns of a unit whose last closed cell touches other open cells than its exit.
    #[test]
    fn turns_of_a_unit_in_closed_ground_follow_its_chain() {
        let report = run(&Arguments { first_round: 3_060, ..arguments(1, 61) });
        assert!(report.tally.turns > 0, "{:?}", report.tally);
    }

    #[test]
    fn equal_seeds_run_equal_queries_and_different_seeds_different_ones() {
        let tally = |seed| Report::run(&arguments(300, seed), |_| {}).tally;
        assert_eq!(tally(3), tally(3));
        assert_ne!(tally(3), tally(4));
    }
}
