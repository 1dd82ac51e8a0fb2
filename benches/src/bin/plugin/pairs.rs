//! Runs of programs: each run of a scene is a process of its own.
//!
//! Two programs run in turns, so that other load of the machine affects both.

use std::{path::PathBuf, process::Command};

use crate::{
    measure::{Figures, RUNS},
    report,
    scenes::Scene,
};

/// A program, and the number of threads of its task pool.
pub(crate) struct Contestant {
    pub(crate) program: PathBuf,
    pub(crate) threads: usize,
}

impl Contestant {
    /// This program.
    pub(crate) fn own(threads: usize) -> Result<Self, String> {
        let program = std::env::current_exe();
        let program = program.map_err(|error| format!("the path of this program is unknown: {error}"))?;
        Ok(Self { program, threads })
    }
}

/// Prints the figures of each scene.
pub(crate) fn measure(scenes: &[&Scene], own: &Contestant) -> Result<(), String> {
    report::print_head();
    for scene in scenes {
        let runs: Vec<Figures> = (0..RUNS).map(|_| once(own, scene)).collect::<Result<_, _>>()?;
        report::print(&scene.name, &Figures::median_of(&runs));
    }
    Ok(())
}

/// Prints the ratios of two programs for each scene.
pub(crate) fn compare(scenes: &[&Scene], own: &Contestant, other: &Contestant) -> Result<(), String> {
    report::print_pair_head();
    for scene in scenes {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for run in 0..RUNS {
            // The two programs take turns as the first one.
            if run % 2 == 0 {
                ours.push(once(own, scene)?);
                theirs.push(once(other, scene)?);
            } else {
                theirs.push(once(other, scene)?);
                ours.push(once(own, scene)?);
            }
        }
        report::print_pair(&scene.name, &Figures::median_of(&ours), &Figures::median_of(&theirs));
    }
    Ok(())
}

fn once(contestant: &Contestant, scene: &Scene) -> Result<Figures, String> {
    let Contestant { program, threads } = contestant;
    let mut command = Command::new(program);
    command.args(["--once", &scene.name]);
    // Programs built from earlier commits do not have `--threads`.
    if *threads > 1 {
        command.args(["--threads", &threads.to_string()]);
    }
    let output = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: `{}`: {}", program.display(), scene.name, said.trim()));
    }
    String::from_utf8_lossy(&output.stdout).parse()
}
