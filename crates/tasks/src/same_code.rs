//! Comparison of code with another commit, without comments and strings, and apart from renamed functions.

use std::{fs, path::Path};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::{
    git::git,
    rename::{self, Renamed},
};

/// The folders that are compared.
const FOLDERS: [&str; 4] = ["crates", "examples", "editors", "net"];

/// Compares the sources with their state in a commit.
///
/// # Errors
///
/// If a file was added or removed, or if its code differs, or if git or a file cannot be read. The message lists
/// the files, each with its first tokens that differ.
pub(crate) fn run(commit: &str, names: Option<&Path>) -> Result<(), String> {
    let renamed = names.map_or_else(|| Ok(Vec::new()), rename::read)?;
    let before = git(&[&["ls-tree", "-r", "--name-only", commit, "--"][..], &FOLDERS].concat())?;
    let now =
        git(&[&["ls-files", "--cached", "--others", "--exclude-standard", "--"][..], &FOLDERS].concat())?;
    let is_source = |path: &&str| Path::new(path).extension().is_some_and(|extension| extension == "rs");
    let mut differences = Vec::new();
    for path in now.lines().filter(is_source).filter(|path| !before.lines().any(|other| other == *path)) {
        differences.push(format!("{path}: is new"));
    }
    for path in before.lines().filter(is_source) {
        let Ok(content) = fs::read_to_string(path) else {
            differences.push(format!("{path}: is gone"));
            continue;
        };
        let mut old = code(&git(&["show", &format!("{commit}:{path}")])?)
            .map_err(|error| format!("{path}: {error}"))?;
        rename_in(&mut old, path, &renamed);
        let new = code(&content).map_err(|error| format!("{path}: {error}"))?;
        differences.extend(difference(&old, &new).map(|difference| format!("{path}: {difference}")));
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

fn rename_in(code: &mut [String], path: &str, renamed: &[Renamed]) {
    for Renamed { old, new, .. } in renamed.iter().filter(|renamed| renamed.path == path) {
        code.iter_mut().filter(|token| *token == old).for_each(|token| token.clone_from(new));
    }
}

/// Returns the tokens of a source without comments and documentation. Strings are empty, and there
/// is no comma before a closing bracket.
fn code(source: &str) -> Result<Vec<String>, String> {
    let tokens: TokenStream = source.parse().map_err(|error| format!("{error}"))?;
    let mut code = Vec::new();
    add_code(tokens, &mut code);
    Ok(code)
}

fn add_code(tokens: TokenStream, code: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        index += 1;
        match token {
            TokenTree::Punct(punctuation) if punctuation.as_char() == '#' => {
                let is_inner =
                    matches!(tokens.get(index), Some(TokenTree::Punct(next)) if next.as_char() == '!');
                let attribute = tokens.get(index + usize::from(is_inner));
                if attribute.is_some_and(is_documentation) {
                    index += 1 + usize::from(is_inner);
                } else {
                    code.push("#".to_owned());
                }
            }
            TokenTree::Punct(punctuation) if punctuation.as_char() == ',' && index == tokens.len() => {}
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                code.push(if text.ends_with(['"', '#']) { "\"\"".to_owned() } else { text });
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                code.push(open.to_owned());
                add_code(group.stream(), code);
                code.push(close.to_owned());
            }
            other => code.push(other.to_string()),
        }
    }
}

/// Returns whether this is the bracket of `#[doc = "…"]`. A docstring is read in this form.
fn is_documentation(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let mut tokens = group.stream().into_iter();
    let is_doc = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "doc");
    is_doc && matches!(tokens.next(), Some(TokenTree::Punct(equals)) if equals.as_char() == '=')
}

fn difference(old: &[String], new: &[String]) -> Option<String> {
    if old == new {
        return None;
    }
    let at = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let around = |tokens: &[String]| {
        tokens[at.saturating_sub(6).min(tokens.len())..(at + 6).min(tokens.len())].join(" ")
    };
    Some(format!("`{}` is now `{}`", around(old), around(new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_the_breaks_of_lines_are_no_code() {
        let one = "//! A module.\n/// Adds.\nfn add(a: u8) -> &'static str { say(\"a\", a) } // one";
        let other =
            "/// Adds two.\n/// More.\nfn add(\n    a: u8,\n) -> &'static str {\n    say(r#\"b c\"#, a)\n}";
        assert_eq!(code(one), code(other));
    }

    #[test]
    fn renamed_function_is_no_difference_in_its_file() {
        let [path, old, new] = ["a.rs", "add", "sum"].map(str::to_owned);
        let renamed = [Renamed { path, old, new }];
        let now = code("fn sum() -> u8 { 1 }").unwrap();
        for (path, is_equal) in [("a.rs", true), ("b.rs", false)] {
            let mut before = code("fn add() -> u8 { 1 }").unwrap();
            rename_in(&mut before, path, &renamed);
            assert_eq!(before == now, is_equal);
        }
    }

    #[test]
    fn names_numbers_and_attributes_are_code() {
        let one = "#[inline] fn add() -> u8 { 1 }";
        for other in [
            "#[cold] fn add() -> u8 { 1 }",
            "#[inline] fn sum() -> u8 { 1 }",
            "#[inline] fn add() -> u8 { 2 }",
        ] {
            let (old, new) = (code(one).unwrap(), code(other).unwrap());
            assert!(difference(&old, &new).is_some_and(|text| text.contains(" is now ")), "{other}");
        }
    }
}
