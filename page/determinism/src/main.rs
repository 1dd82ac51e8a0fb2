//! Prints the numbers of this machine.

fn main() {
    println!("{}", determinism::Hashes::compute());
}
