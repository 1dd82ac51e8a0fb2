//! Two programs, run in turns.
//!
//! Other load of the machine then affects both.

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

pub(crate) fn compare(scenes: &[&Scene], threads: usize, other: &Contestant) -> Result<(), String> {
    let program =
        std::env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))?;
    let own = Contestant { program, threads };
    report::print_pair_head();
    for scene in scenes {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for run in 0..RUNS {
            // The two programs take turns as the first one.
            if run % 2 == 0 {
                ours.push(once(&own, scene)?);
                theirs.push(once(other, scene)?);
            } else {
                theirs.push(once(other, scene)?);
                ours.push(once(&own, scene)?);
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
