//! The program of the page: the example that the address names.

use form_urlencoded::parse;
use tilepath_examples::page;

fn main() {
    let parameters = page::parameters();
    let query = parameters.trim_start_matches('?').split('#').next().unwrap_or_default();
    let example = parse(query.as_bytes()).find(|(name, _)| name == "example");
    // In a browser an example returns at once, and goes on.
    let _exit = match example.as_ref().map_or("soldier", |(_, example)| example) {
        "squad" => squad::main(),
        "shapes" => shapes::main(),
        "doors" => doors::main(),
        "crowd" => crowd::main(),
        "towers" => towers::main(),
        "waypoints" => waypoints::main(),
        "path_lab" => path_lab::main(),
        "determinism" => return page::mark("data-hashes", &determinism::Hashes::compute().to_string()),
        _ => soldier::main(),
    };
}
