//! Links of documents: in an archive they lead to the repository.

const PAGES: &str = "https://github.com/tilepath/tilepath/blob/main/";
const PICTURES: &str = "https://raw.githubusercontent.com/tilepath/tilepath/main/";

/// Returns the document with absolute links. `folder` is its folder, from the root of the repository.
///
/// crates.io resolves relative links by the commit of an archive, which a staged copy does not have. Links within the
/// page, to the web and to items of the documentation stay.
pub(super) fn absolute(text: &str, folder: &str) -> String {
    lines(text, |line| absolute_line(line, folder))
}

/// Returns the relative links of a document.
pub(super) fn relative(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    lines(text, |line| {
        let targets = line.split("](").skip(1).filter_map(|part| part.split_once(')'));
        found.extend(
            targets.map(|(target, _)| target).filter(|target| is_relative(target)).map(str::to_owned),
        );
        String::new()
    });
    found
}

/// Replaces the lines outside of code blocks.
fn lines(text: &str, mut replaced: impl FnMut(&str) -> String) -> String {
    let mut is_code = false;
    let mut document = String::new();
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence {
            document.push_str(line);
        } else {
            document.push_str(&replaced(line));
        }
    }
    document
}

fn is_relative(target: &str) -> bool {
    !target.contains("://") && !target.contains("::") && !target.starts_with('#')
}

fn absolute_line(line: &str, folder: &str) -> String {
    let mut parts = line.split("](");
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_picture = written.rsplit_once('[').is_some_and(|(before, _)| before.ends_with('!'));
        written.push_str("](");
        if let Some((target, _)) = part.split_once(')')
            && is_relative(target)
        {
            written.push_str(if is_picture { PICTURES } else { PAGES });
            written.push_str(&resolved(folder, target));
            written.push_str(&part[target.len()..]);
        } else {
            written.push_str(part);
        }
    }
    written
}

/// Returns the path from the root of the repository.
fn resolved(folder: &str, target: &str) -> String {
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            ".." => drop(path.pop()),
            "." | "" => {}
            name => path.push(name),
        }
    }
    path.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_pictures_lead_to_the_repository() {
        for (line, expected) in [
            ("[a](../../README.md#b)", "[a](https://github.com/tilepath/tilepath/blob/main/README.md#b)"),
            (
                "[a](docs/b.rs), c",
                "[a](https://github.com/tilepath/tilepath/blob/main/crates/x/docs/b.rs), c",
            ),
            (
                "| ![a (b)](../../assets/a.png) | [c](d) |",
                "| ![a (b)](https://raw.githubusercontent.com/tilepath/tilepath/main/assets/a.png) \
                 | [c](https://github.com/tilepath/tilepath/blob/main/crates/x/d) |",
            ),
        ] {
            assert_eq!(absolute(line, "crates/x"), expected);
        }
    }

    #[test]
    fn links_to_the_web_to_items_and_within_the_page_stay() {
        let text = "[a](https://b.c) [d](#e) [f](crate::G)\n[![h](https://i.j/k.svg)](https://l.m)\n";
        assert_eq!(absolute(text, "crates/x"), text);
        assert!(relative(text).is_empty());
    }

    #[test]
    fn code_stays_and_has_no_links() {
        let text = "```rust\nlet a = b[0](c);\n```\n[a](b)\n";
        assert_eq!(relative(text), ["b"]);
        assert!(absolute(text, "").starts_with("```rust\nlet a = b[0](c);\n```\n[a](https://"));
    }
}
