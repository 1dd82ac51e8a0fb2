//! soldier
fn main() {}
