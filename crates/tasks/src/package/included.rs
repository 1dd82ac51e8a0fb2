//! Files that a source includes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Returns the paths in `include_str!` and `include_bytes!`, without those that are only in tests.
///
/// # Errors
///
/// If the text is not Rust.
pub(super) fn included(source: &str) -> Result<Vec<String>, String> {
    let tokens: TokenStream = source.parse().map_err(|error| format!("{error}"))?;
    let mut paths = Vec::new();
    add_paths(tokens, &mut paths);
    Ok(paths)
}

fn add_paths(tokens: TokenStream, paths: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut index = 0;
    while index < tokens.len() {
        let attributes = attributes_at(&tokens[index..]);
        if !attributes.is_empty() {
            index += 2 * attributes.len();
            if attributes.iter().any(is_for_tests) {
                let rest = tokens[index..].iter();
                index += 1 + rest.take_while(|token| !is_end_of_item(token)).count();
            } else {
                for attribute in attributes {
                    add_paths(attribute, paths);
                }
            }
            continue;
        }
        match &tokens[index] {
            TokenTree::Ident(name) if *name == "include_str" || *name == "include_bytes" => {
                if let Some(TokenTree::Group(arguments)) = tokens.get(index + 2) {
                    paths.push(arguments.stream().to_string().trim_matches('"').to_owned());
                }
            }
            TokenTree::Group(group) => add_paths(group.stream(), paths),
            _ => {}
        }
        index += 1;
    }
}

/// Returns the attributes with which the tokens begin. Attributes of the file (`#!`) are read as other tokens.
fn attributes_at(tokens: &[TokenTree]) -> Vec<TokenStream> {
    let pairs = tokens.chunks_exact(2).map_while(|pair| match pair {
        [TokenTree::Punct(hash), TokenTree::Group(group)]
            if hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
        {
            Some(group.stream())
        }
        _ => None,
    });
    pairs.collect()
}

fn is_for_tests(attribute: &TokenStream) -> bool {
    let text = attribute.to_string();
    let mut words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    text.starts_with("cfg")
        && !text.starts_with("cfg_attr")
        && words.clone().all(|word| word != "not")
        && words.any(|word| word == "test" || word == "doctest")
}

fn is_end_of_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punctuation) => punctuation.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_crate_and_its_documentation_are_found() {
        let source = "#![doc = include_str!(\"a.md\")]\n//! More.\n\
            #[cfg(all(doc, feature = \"x\"))]\n#[doc = include_str!(\"b.md\")]\n\
            #[cfg_attr(not(y), doc = include_str!(\"c.rs\"))]\npub mod page {}\n\
            fn f() -> &'static [u8] { include_bytes!(\"d.bin\") }";
        assert_eq!(included(source).unwrap(), ["a.md", "b.md", "c.rs", "d.bin"]);
    }

    #[test]
    fn files_of_tests_are_left_out() {
        let source = "#[cfg(all(doctest, feature = \"x\"))]\n#[doc = include_str!(\"a.md\")]\nstruct Readme;\n\
            #[cfg(test)]\nmod tests { const A: &str = include_str!(\"b.md\"); }\n\
            #[cfg(not(test))]\nconst C: &str = include_str!(\"c.md\");";
        assert_eq!(included(source).unwrap(), ["c.md"]);
    }
}
