//! Operations of a row of `INSTRUCTIONS.md`, some rounds of them, with nothing timed.
//!
//! `cargo run -p tasks -- instructions` runs it under callgrind, which counts instructions: the same
//! number on every machine. Run with more rounds, the difference is what the operations take.
//!
//! Arguments: the folder of the maps, the two words of the row, and the number of rounds. Prints the
//! number of operations.

mod decisions;
mod queries;

use std::path::Path;

fn main() {
    let mut words = std::env::args().skip(1);
    let mut next = || words.next().expect("four words: folder, two words of a row, rounds");
    let (folder, first, second) = (next(), next(), next());
    let rounds: u32 = next().parse().expect("a number of rounds");
    let operations = match first.as_str() {
        "crowd" => decisions::run(&second, rounds),
        map => queries::run(Path::new(&folder), map, &second, rounds),
    };
    println!("{operations}");
}
