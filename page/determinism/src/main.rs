//! Prints the numbers of this machine.

#[expect(clippy::print_stdout, reason = "this is all that the program does")]
fn main() {
    println!("{}", determinism::Hashes::compute());
}
