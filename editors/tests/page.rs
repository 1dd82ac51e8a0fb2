//! The code in the documentation equals the code of the examples.

const PAGE: &str = include_str!("../../crates/bevy_tilepath/docs/editors.md");
const EXAMPLES: [&str; 2] = [include_str!("../examples/tiled.rs"), include_str!("../examples/ldtk.rs")];

/// Returns the functions in the blocks of code.
fn shown() -> Vec<String> {
    let blocks = PAGE.split("\n```ignore\n").skip(1).filter_map(|rest| Some(rest.split_once("\n```")?.0));
    let paragraphs = blocks.flat_map(|block| block.split("\n\n"));
    paragraphs.filter(|paragraph| paragraph.starts_with("fn ")).map(str::to_owned).collect()
}

#[test]
fn functions_on_the_page_equal_the_examples() {
    let shown = shown();
    assert_eq!(shown.len(), EXAMPLES.len());
    for function in shown {
        let count = EXAMPLES.iter().filter(|example| example.contains(&function)).count();
        assert_eq!(count, 1, "this function of the page is not in exactly one example:\n{function}");
    }
}
