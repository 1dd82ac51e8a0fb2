//! `tilepath lint`: errors and probable mistakes in a file of rules.

use crate::{
    Verdict,
    board::{Board, GroundArguments, NamedOverlay},
    failure::Failure,
    layout::lattices,
    map_file::MapFile,
    printed::{json, printed},
    rules,
};
use clap::Args;
use serde::Serialize;
use std::{io::Write, path::PathBuf};
use tilepath::{
    Lattice, Size,
    format::LetterClasses,
    rules::{Lint, Rules},
};

/// Arguments of `tilepath lint`.
#[derive(Args, Debug)]
pub(crate) struct LintArguments {
    /// A file of rules: classes, textures and movements, as RON. `-` is standard input.
    pub(crate) rules: PathBuf,

    /// A map for these rules: a MovingAI map, a table or a picture. Its numbers are classes. `-` is
    /// standard input.
    pub(crate) map: Option<PathBuf>,

    /// Terrain classes for letters of a MovingAI map or a picture, such as '.=1,S=3, =0'. A blank
    /// is a letter, too, and class 0 is a wall.
    #[arg(long, value_name = "LETTERS", requires = "map")]
    pub(crate) terrain: Option<LetterClasses>,

    /// The arrangement of the cells, as for `solve`.
    #[arg(long, value_name = "NAME", value_parser = lattices(), default_value_t = Lattice::Square, requires = "map")]
    pub(crate) topology: Lattice,

    /// An overlay of the map, as a table of numbers. May be given several times.
    #[arg(long, value_name = "NAME=FILE", requires = "map")]
    pub(crate) overlay: Vec<NamedOverlay>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reads the rules, and the map if there is one, and prints the lints.
pub(crate) fn run(arguments: &LintArguments, output: &mut impl Write) -> Result<Verdict, Failure> {
    let rules = rules::read(&arguments.rules)?;
    let mut lints = rules.lint();
    if let Some(map) = &arguments.map {
        let map = MapFile::open(map, arguments.terrain.as_ref())?;
        let ground = GroundArguments { topology: arguments.topology, overlay: arguments.overlay.clone() };
        lints.extend(rules.lint_on(&Board::new(&map, &ground, Size::ONE)?.grid));
    }
    let report = Report::new(&rules, &lints);
    if arguments.json {
        writeln!(output, "{}", json(&report))?;
    } else {
        report.print(output)?;
    }
    output.flush()?;
    Ok(if lints.is_empty() { Verdict::Good } else { Verdict::Bad })
}

/// The object that `--json` prints.
#[derive(Serialize, Debug)]
struct Report {
    status: &'static str,
    classes: usize,
    textures: usize,
    movements: usize,
    lints: Vec<String>,
}

impl Report {
    fn new(rules: &Rules, lints: &[Lint]) -> Self {
        Self {
            status: if lints.is_empty() { "clean" } else { "lints" },
            classes: rules.classes().count(),
            textures: rules.textures().count(),
            movements: rules.movements().len(),
            lints: lints.iter().map(Lint::to_string).collect(),
        }
    }

    fn print(&self, output: &mut impl Write) -> Result<(), Failure> {
        match self.lints.len() {
            0 => write!(output, "clean: ")?,
            1 => write!(output, "1 lint: ")?,
            count => write!(output, "{count} lints: ")?,
        }
        let counted =
            |count, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        writeln!(
            output,
            "{}, {}, {}",
            counted(self.classes, "class", "classes"),
            counted(self.textures, "texture", "textures"),
            counted(self.movements, "movement", "movements")
        )?;
        for lint in &self.lints {
            writeln!(output, "{}", printed(lint))?;
        }
        Ok(())
    }
}
