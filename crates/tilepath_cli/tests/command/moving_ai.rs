use crate::Run;
use std::{path::PathBuf, process::Command};

/// Returns the folder of the MovingAI maps, if the environment names it.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("MOVINGAI_DIR").map(PathBuf::from);
    if folder.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that does nothing has to say so")]
        {
            eprintln!("skipped: MOVINGAI_DIR does not name the folder of the MovingAI maps");
        }
    }
    folder
}

fn scen(scenario: &PathBuf, arguments: &[&str]) -> Run {
    Run::of(Command::new(env!("CARGO_BIN_EXE_tilepath")).arg("scen").arg(scenario).args(arguments))
}

#[test]
fn smallest_scenarios_have_no_mismatch() {
    let Some(folder) = folder() else { return };
    for (name, rows) in [("arena", 160), ("den312d", 320), ("arena2", 929), ("lak303d", 1060)] {
        let run = scen(&folder.join(format!("{name}.map.scen")), &[]);
        let counts = format!("rows {rows}, closed 0, mismatches 0");
        assert_eq!((run.code, run.counts()), (0, counts.as_str()), "{name}: {run:?}");
    }
}

#[test]
fn smallest_scenarios_agree_with_dijkstra_under_every_rule() {
    let Some(folder) = folder() else { return };
    for name in ["arena", "den312d", "lak303d"] {
        for rule in ["never", "only-when-no-obstacles", "if-at-most-one-obstacle", "always"] {
            let arguments = ["--check", "dijkstra", "--limit", "60", "--diagonals", rule];
            let run = scen(&folder.join(format!("{name}.map.scen")), &arguments);
            assert_eq!(
                (run.code, run.counts()),
                (0, "rows 60, closed 0, mismatches 0"),
                "{name}, {rule}: {run:?}"
            );
        }
    }
}

#[test]
fn warcraft_rows_on_closed_cells_are_counted_and_left_out() {
    let Some(folder) = folder() else { return };
    for (name, closed) in [("bootybay", 214), ("duskwood", 10), ("icecrown", 3)] {
        let scenario = folder.join(format!("{name}.map.scen"));
        let run = scen(&scenario, &["--csv"]);
        let blocked = run.output.lines().filter(|line| line.ends_with("-blocked")).count();
        assert_eq!(blocked, closed, "{name}");
        let run = scen(&scenario, &["--check", "dijkstra", "--limit", "40", "--terrain", "S=3"]);
        assert_eq!(run.code, 0, "{name}: {run:?}");
    }
}

#[test]
fn fixed_queries_are_found_beside_their_maps() {
    let Some(folder) = folder() else { return };
    let maps = folder.to_str().unwrap();
    let run = scen(&folder.join("queries/den312d.scen"), &["--maps", maps]);
    assert_eq!((run.code, run.counts()), (0, "rows 60, closed 0, mismatches 0"), "{run:?}");
}
