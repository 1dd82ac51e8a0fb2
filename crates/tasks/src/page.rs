//! The page: the examples as one program in a browser.

mod toolchain;

use std::{
    env, fs, io,
    path::Path,
    process::{Command, Stdio},
};

use toolchain::{TARGET, Toolchain};

const MANIFEST: &str = "page/Cargo.toml";
/// The builds of the page's workspace.
const BUILT: &str = "page/target";
/// The finished page: a folder for any web server.
const PAGE: &str = "page/target/page";
const PROGRAM: &str = "tilepath_page_bg.wasm";
/// The most bytes of the program, and of the program as a server sends it.
const MOST_BYTES: u64 = 25_000_000;
const MOST_COMPRESSED: usize = 8_000_000;
/// The folders of `assets` that the examples or the menu load.
const ASSETS: [&str; 7] = ["interface", "shapes", "sprites", "stills", "tiles", "town", "waypoints"];
/// The environment variable with the address of the published page. Previews of links need whole addresses.
const ADDRESS: &str = "PAGE_ADDRESS";

/// Builds the page.
///
/// # Errors
///
/// If a tool is missing or fails, or if the program is too large.
pub(crate) fn build() -> Result<(), String> {
    let toolchain = Toolchain::find()?;
    let mut cargo = toolchain.cargo();
    cargo.args(["--manifest-path", MANIFEST, "--target-dir", BUILT, "--package", "tilepath_page"]);
    run(cargo.args(["--profile", "web", "--target", TARGET]))?;
    let page = Path::new(PAGE);
    if page.exists() {
        fs::remove_dir_all(page).map_err(|error| format!("{PAGE}: {error}"))?;
    }
    copy_folder(Path::new("page/site"), page)?;
    for folder in ASSETS {
        copy_folder(&Path::new("assets").join(folder), &page.join("assets").join(folder))?;
    }
    let program = format!("{BUILT}/{TARGET}/web/tilepath_page.wasm");
    let bind =
        ["run", "--quiet", "--manifest-path", MANIFEST, "--target-dir", BUILT, "--package", "bind", "--"];
    run(Command::new("cargo").args(bind).args([&program, PAGE]))?;
    install_node_packages()?;
    let program = page.join(PROGRAM);
    run(Command::new("page/node_modules/.bin/wasm-opt")
        .args(["-Oz", "--output"])
        .args([&program, &program]))?;
    let bytes = fs::metadata(&program).map_err(|error| format!("{PROGRAM}: {error}"))?.len();
    let compressed = compressed_bytes(&program)?;
    write_head(&page.join("index.html"), bytes, compressed)?;
    say(&format!("the page is in {PAGE}: its program has {bytes} bytes, {compressed} compressed"));
    say("open it with: node page/test/server.mjs");
    if bytes > MOST_BYTES || compressed > MOST_COMPRESSED {
        return Err(format!("the program may have {MOST_BYTES} bytes, and {MOST_COMPRESSED} compressed"));
    }
    Ok(())
}

/// Writes the sizes of the program and the address of the preview picture into the page.
fn write_head(index: &Path, bytes: u64, compressed: usize) -> Result<(), String> {
    let mut text = read(index)?
        .replace(r#"name="program-bytes" content="0""#, &format!(r#"name="program-bytes" content="{bytes}""#))
        .replace(
            r#"name="program-sent-bytes" content="0""#,
            &format!(r#"name="program-sent-bytes" content="{compressed}""#),
        );
    if let Ok(address) = env::var(ADDRESS) {
        let picture = format!(r#"content="{}/assets/"#, address.trim_end_matches('/'));
        text = text.replace(r#"content="assets/"#, &picture);
    }
    fs::write(index, text).map_err(|error| format!("{}: {error}", index.display()))
}

/// Opens the page in a browser without a window and tries each example.
///
/// # Errors
///
/// If there is no page or no browser, or if an example fails.
pub(crate) fn test() -> Result<(), String> {
    if !Path::new(PAGE).join(PROGRAM).exists() {
        return Err("there is no page: run `cargo run -p tasks -- page` first".into());
    }
    install_node_packages()?;
    let here =
        ["run", "--quiet", "--manifest-path", MANIFEST, "--target-dir", BUILT, "--package", "determinism"];
    let hashes = Command::new("cargo").args(here).stderr(Stdio::inherit()).output();
    let hashes = hashes.map_err(|error| format!("cargo: {error}"))?;
    let hashes = String::from_utf8_lossy(&hashes.stdout).trim().to_owned();
    if hashes.is_empty() {
        return Err("the hashes of this machine were not computed".into());
    }
    say(&format!("hashes of this machine: {hashes}"));
    run(Command::new("node").arg("page/test/page.test.mjs").env("HASHES", hashes))
}

/// Installs `wasm-opt` and what drives a browser, of the versions in `page/package.json`.
fn install_node_packages() -> Result<(), String> {
    run(Command::new("npm").current_dir("page").args([
        "install",
        "--no-audit",
        "--no-fund",
        "--no-package-lock",
        "--silent",
    ]))
}

/// Returns the bytes of a file as gzip makes it, which every server of pages can send.
fn compressed_bytes(file: &Path) -> Result<usize, String> {
    let packed = Command::new("gzip").args(["-9", "--stdout"]).arg(file).output();
    packed.map(|packed| packed.stdout.len()).map_err(|error| format!("gzip: {error}"))
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}")) }
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    let fault = |error: io::Error| format!("{}: {error}", from.display());
    fs::create_dir_all(to).map_err(fault)?;
    for entry in fs::read_dir(from).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &copy)?;
        } else {
            fs::copy(&path, &copy).map_err(fault)?;
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a command line says on this stream what it has done")]
fn say(message: &str) {
    println!("{message}");
}
