//! The words of a file: comments, documents and messages, in blocks.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

/// A kind of text. Each kind has its own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A docstring, a module head or a message of a published crate.
    Public,
    /// Any other comment.
    Comment,
    /// A paragraph of a document.
    Document,
}

/// A paragraph.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) place: Place,
    /// The number of its first line, from 1.
    pub(super) line: usize,
    /// Its lines joined by spaces. Code in backticks is a single word.
    pub(super) text: String,
}

/// Returns the blocks of a Rust file or a Markdown document.
///
/// # Errors
///
/// If a Rust file has no valid tokens.
pub(super) fn blocks(path: &Path, content: &str, is_published: bool) -> Result<Vec<Block>, String> {
    let mut paragraphs = Paragraphs::default();
    let is_document = path.extension().is_some_and(|extension| extension == "md");
    for (index, line) in content.lines().enumerate() {
        let (place, text) = if is_document {
            (Some(Place::Document), line)
        } else {
            comment(line, is_published).map_or((None, ""), |(place, text)| (Some(place), text))
        };
        paragraphs.add(index + 1, place, text.trim());
    }
    paragraphs.end();
    let mut blocks = paragraphs.blocks;
    if is_published && !is_document {
        let tokens: TokenStream = content.parse().map_err(|error| format!("{}: {error}", path.display()))?;
        add_messages(tokens, &mut blocks);
    }
    Ok(blocks)
}

/// Returns the kind and the text of a comment, on its own line or behind code.
fn comment(line: &str, is_published: bool) -> Option<(Place, &str)> {
    let trimmed = line.trim_start();
    let public = if is_published { Place::Public } else { Place::Comment };
    if let Some(text) = trimmed.strip_prefix("///").or_else(|| trimmed.strip_prefix("//!")) {
        return Some((public, text));
    }
    let text = trimmed.strip_prefix("//").or_else(|| line.split_once("; // ").map(|(_, text)| text))?;
    Some((Place::Comment, text))
}

/// Collects lines into paragraphs.
#[derive(Default)]
struct Paragraphs {
    blocks: Vec<Block>,
    open: Option<Block>,
    is_code: bool,
}

impl Paragraphs {
    fn add(&mut self, number: usize, place: Option<Place>, text: &str) {
        let Some(place) = place else {
            self.is_code = false;
            return self.end();
        };
        if text.starts_with("```") {
            self.is_code = !self.is_code;
            return self.end();
        }
        if self.is_code {
            return;
        }
        let begins = text.is_empty() || text.starts_with(['#', '-', '*', '|', '>', '<', '!']);
        if begins || self.open.as_ref().is_some_and(|open| open.place != place) {
            self.end();
        }
        if text.is_empty() || text.starts_with("<!--") {
            return;
        }
        let text = plain(text);
        match &mut self.open {
            Some(open) => {
                open.text.push(' ');
                open.text.push_str(&text);
            }
            open => *open = Some(Block { place, line: number, text }),
        }
    }

    fn end(&mut self) {
        self.blocks.extend(self.open.take());
    }
}

/// Returns the words of a line. Code in backticks is a single word, and the targets of links are
/// left out.
fn plain(text: &str) -> String {
    let text = text.trim_start_matches(['#', '-', '*', '>', '|', ' ']);
    let mut plain = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 0 {
            let mut rest = part;
            while let Some((before, target)) = rest.split_once("](") {
                plain.push_str(before);
                rest = target.split_once(')').map_or("", |(_, after)| after);
            }
            plain.push_str(rest);
        } else {
            plain.push_str("`code`");
        }
    }
    plain
}

/// A message without the names of the values that it shows.
fn without_placeholders(text: &str) -> String {
    let mut parts = text.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "{" + part.split_once('}').map_or(part, |(_, rest)| rest))
}

/// Adds the string literals of more than one word, without documentation and tests.
fn add_messages(tokens: TokenStream, blocks: &mut Vec<Block>) {
    let mut is_attribute = false;
    let mut is_test = false;
    for token in tokens {
        match token {
            TokenTree::Punct(punctuation) => {
                is_attribute = punctuation.as_char() == '#' || (is_attribute && punctuation.as_char() == '!');
                is_test &= punctuation.as_char() != ';';
                continue;
            }
            TokenTree::Group(group) => {
                let content = group.stream().to_string();
                if is_attribute {
                    is_test |= content.starts_with("cfg (test)") || content.starts_with("cfg(test)");
                    let is_words = content.starts_with("error");
                    if is_words {
                        add_messages(group.stream(), blocks);
                    }
                } else {
                    if !is_test {
                        add_messages(group.stream(), blocks);
                    }
                    if group.delimiter() == proc_macro2::Delimiter::Brace {
                        is_test = false;
                    }
                }
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with(['"', 'r']) && text.trim_matches('"').trim().contains(' ') {
                    let text = without_placeholders(text.trim_matches('"'));
                    blocks.push(Block { place: Place::Public, line: literal.span().start().line, text });
                }
            }
            TokenTree::Ident(_) => {}
        }
        is_attribute = false;
    }
}
