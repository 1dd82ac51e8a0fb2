//! The public items of both crates as text: one item a line, with all features.

use std::{
    collections::{BTreeSet, HashSet},
    env,
    ffi::OsStr,
    fs,
    path::Path,
    process::{Command, ExitCode},
};

use public_api::{Builder, PublicApi, PublicItem};

use crate::FEATURES;

/// The environment variable with the path of the real `rustdoc`. It is set if cargo starts this
/// program as `rustdoc`.
pub(crate) const RUSTDOC: &str = "TASKS_RUSTDOC";

const RENEW: &str = "cargo run -p tasks -- api";

/// Writes the files of both crates, or compares them.
///
/// # Errors
///
/// If rustdoc fails, if its output cannot be read, or if a file cannot be read or written. With
/// `is_check` also if a file differs from the public items; the message has the lines.
pub(crate) fn run(is_check: bool) -> Result<(), String> {
    document()?;
    let mut reports = Vec::new();
    for (name, _) in FEATURES {
        let now = lines_of(name)?;
        let path = format!("api/{name}.txt");
        if is_check {
            let written = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
            reports.extend(report(&path, &written, &now));
        } else {
            fs::write(&path, now).map_err(|error| format!("{path}: {error}"))?;
        }
    }
    if reports.is_empty() { Ok(()) } else { Err(reports.join("\n")) }
}

/// Runs rustdoc, which writes `target/doc/*.json`.
///
/// It runs for the whole workspace, as `docs` does, so that Bevy is checked only once.
/// `RUSTC_BOOTSTRAP` lets a stable compiler write JSON. It is set only for rustdoc: if cargo had
/// it, it would build all dependencies again.
fn document() -> Result<(), String> {
    let myself = env::current_exe().map_err(|error| format!("this program has no path: {error}"))?;
    let features = FEATURES.map(|(name, features)| {
        features.iter().map(|feature| format!("{name}/{feature}")).collect::<Vec<_>>().join(",")
    });
    let mut cargo = Command::new("cargo");
    cargo
        .args(["doc", "--workspace", "--no-deps", "--quiet", "--features", &features.join(",")])
        .env(RUSTDOC, env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()))
        .env("RUSTDOC", myself)
        .env("RUSTDOCFLAGS", "-Z unstable-options --output-format json --cap-lints allow");
    let is_done = cargo.status().is_ok_and(|status| status.success());
    if is_done { Ok(()) } else { Err("rustdoc has written no JSON".to_owned()) }
}

/// Runs the real rustdoc with the arguments of this program. Crates that are not published are left
/// out.
pub(crate) fn as_rustdoc(real: &OsStr) -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let name = arguments.iter().skip_while(|&argument| argument != "--crate-name").nth(1);
    if name.is_some_and(|name| FEATURES.iter().all(|&(published, _)| name != published)) {
        return ExitCode::SUCCESS;
    }
    let status = Command::new(real).args(arguments).env("RUSTC_BOOTSTRAP", "1").status();
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn lines_of(name: &str) -> Result<String, String> {
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let path = Path::new(&target).join(format!("doc/{name}.json"));
    let json = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    check_format(&json)?;
    let api = Builder::from_rustdoc_json(path)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .include_function_parameter_names(true)
        .build()
        .map_err(|error| format!("{name}: {error}"))?;
    Ok(text(&api))
}

/// Checks the version of the JSON format, which depends on the version of the compiler.
fn check_format(json: &str) -> Result<(), String> {
    let read = rustdoc_types::FORMAT_VERSION;
    let written = json.rsplit_once("\"format_version\":").map_or("", |(_, rest)| rest);
    let written: String = written.chars().take_while(char::is_ascii_digit).collect();
    if written == read.to_string() {
        return Ok(());
    }
    Err(format!(
        "rustdoc has written format {written}, and crates/tasks reads {read}, of Rust 1.95: take that compiler \
         (`cargo +1.95 run -p tasks -- api`), or the version of `public-api` for the newer one"
    ))
}

/// Returns the items, one a line. An implementation of a trait is one line, without its members.
fn text(api: &PublicApi) -> String {
    let is_of_trait = |line: &str| line.starts_with("impl") && line.contains(" for ");
    let traits: HashSet<_> =
        api.items().filter(|item| is_of_trait(&item.to_string())).map(PublicItem::id).collect();
    let own = api.items().filter(|item| item.parent_id().is_none_or(|parent| !traits.contains(&parent)));
    let mut lines: Vec<String> = own.map(|item| format!("{item}\n")).collect();
    lines.dedup();
    lines.concat()
}

/// Returns the differences and the command that renews the file, or `None` if nothing differs.
fn report(path: &str, written: &str, now: &str) -> Option<String> {
    if written == now {
        return None;
    }
    let (before, after): (BTreeSet<&str>, BTreeSet<&str>) =
        (written.lines().collect(), now.lines().collect());
    let gone = before.difference(&after).map(|line| format!("- {line}\n"));
    let new = after.difference(&before).map(|line| format!("+ {line}\n"));
    let lines: String = gone.chain(new).collect();
    let lines = if lines.is_empty() { "the same lines in another order\n" } else { &lines };
    Some(format!("{path} is not what is public:\n{lines}If that is meant, renew the file: {RENEW}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_has_the_lines_that_differ_and_the_command() {
        let written = "pub fn a::gone()\npub fn a::stays()\npub struct a::Old\n";
        let now = "pub fn a::new()\npub fn a::stays()\npub struct a::Old\n";
        let expected = "api/a.txt is not what is public:\n\
            - pub fn a::gone()\n\
            + pub fn a::new()\n\
            If that is meant, renew the file: cargo run -p tasks -- api";
        assert_eq!(report("api/a.txt", written, now).as_deref(), Some(expected));
        assert_eq!(report("api/a.txt", now, now), None);
    }

    #[test]
    fn other_order_and_other_ends_of_lines_are_differences() {
        for (written, now) in [("a\nb\n", "b\na\n"), ("a\n", "a"), ("a\na\n", "a\n")] {
            let report = report("api/a.txt", written, now).unwrap();
            assert!(report.contains("the same lines in another order"), "{report}");
        }
    }

    #[test]
    fn other_format_of_the_compiler_is_an_error_with_its_number() {
        let format = |version: u32| format!(r#"{{"root":0,"format_version":{version}}}"#);
        assert_eq!(check_format(&format(rustdoc_types::FORMAT_VERSION)), Ok(()));
        let error = check_format(&format(rustdoc_types::FORMAT_VERSION + 1)).unwrap_err();
        assert!(error.contains(&(rustdoc_types::FORMAT_VERSION + 1).to_string()), "{error}");
        assert!(check_format("{}").is_err());
    }
}
