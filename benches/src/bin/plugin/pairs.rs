//! Two programs, run in turns: whatever else the machine does, it does to both.

use std::{path::Path, process::Command};

use crate::{
    measure::{Figures, RUNS},
    report,
    scenes::Scene,
};

pub(crate) fn compare(scenes: &[&Scene], other: &Path) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    report::print_pair_head();
    for scene in scenes {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for run in 0..RUNS {
            // Who begins changes from run to run.
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

fn once(program: &Path, scene: &Scene) -> Result<Figures, String> {
    let output = Command::new(program)
        .args(["--once", &scene.name])
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: `{}`: {}", program.display(), scene.name, said.trim()));
    }
    String::from_utf8_lossy(&output.stdout).parse()
}
