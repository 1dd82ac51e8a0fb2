//! Writes the JavaScript that starts a program in a browser: `bind PROGRAM.wasm FOLDER`.

use std::env;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let mut next = |name| arguments.next().context(name);
    let (program, folder) = (next("give a program (.wasm)")?, next("give a folder")?);
    Bindgen::new().input_path(program).web(true)?.typescript(false).generate(folder)
}
