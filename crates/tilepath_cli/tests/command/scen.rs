use crate::{Workshop, moving_ai};

const HEADER: &str = "bucket,sx,sy,gx,gy,optimal,length,cost,expanded,nanoseconds,status";

/// A map with a corner that paths must not cut, and rows with correct lengths.
fn corner() -> Workshop {
    let workshop = Workshop::new();
    workshop.file("corner.map", moving_ai(&["...", ".@.", "..."]));
    workshop.file(
        "corner.scen",
        "version 1\n\
         0\tmaps/corner.map\t3\t3\t0\t0\t2\t2\t4\n\
         0\tmaps/corner.map\t3\t3\t0\t0\t0\t0\t0\n\
         1\tmaps/corner.map\t3\t3\t1\t0\t2\t1\t2.00000\n\
         1\tmaps/corner.map\t3\t3\t0\t0\t1\t1\t1.41421\n\
         1\tmaps/corner.map\t3\t3\t1\t1\t0\t0\t1.41421\n",
    );
    workshop
}

#[test]
fn csv_has_one_row_a_query_and_empty_fields_where_nothing_is_known() {
    let run = corner().run(&["scen", "corner.scen", "--csv"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.errors, "rows 5, closed 2, mismatches 0\n");
    let lines: Vec<&str> = run.output.lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[0], HEADER);
    let fields: Vec<&str> = lines[1].split(',').collect();
    assert_eq!(fields[..8], ["0", "0", "0", "2", "2", "4", "4.0", "280"]);
    assert!(fields[8].parse::<u64>().unwrap() > 0, "expanded cells");
    assert!(fields[9].parse::<u64>().unwrap() > 0, "nanoseconds");
    assert_eq!(fields[10], "found");
    assert!(lines[2].starts_with("0,0,0,0,0,0,0.0,0,"), "{}", lines[2]);
    assert!(lines[3].starts_with("1,1,0,2,1,2.00000,2.0,140,"), "{}", lines[3]);
    assert_eq!(lines[4], "1,0,0,1,1,1.41421,,,,,goal-blocked");
    assert_eq!(lines[5], "1,1,1,0,0,1.41421,,,,,start-blocked");
}

#[test]
fn summary_names_the_map_and_what_was_compared() {
    let run = corner().run(&["scen", "corner.scen"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.output.starts_with("corner.scen: 5 queries\n"), "{}", run.output);
    assert!(run.output.contains("corner.map, 3 × 3 cells, compared with the lengths of the file"));
    assert_eq!(run.counts(), "rows 5, closed 2, mismatches 0");
}

#[test]
fn wrong_length_is_a_mismatch_and_named() {
    let workshop = corner();
    for (length, mismatches) in
        [("4.0003", 0), ("4.0015", 1), ("3.9985", 1), ("4.1", 0), ("4.2", 1), ("5", 1)]
    {
        workshop.file(
            "wrong.scen",
            format!("version 1\n0 corner.map 3 3 0 0 2 2 {length}\n0 corner.map 3 3 0 0 2 0 2\n"),
        );
        let run = workshop.run(&["scen", "wrong.scen"]);
        assert_eq!(run.code, mismatches, "{length}: {run:?}");
        assert_eq!(run.counts(), format!("rows 2, closed 0, mismatches {mismatches}"), "{length}");
        assert_eq!(
            run.errors.contains("wrong.scen: line 2: 0,0 to 2,2: length 4.000000"),
            mismatches == 1,
            "{run:?}"
        );
    }
}

#[test]
fn dijkstra_check_ignores_lengths_of_the_file() {
    let workshop = corner();
    workshop.file("wrong.scen", "version 1\n0 corner.map 3 3 0 0 2 2 99\n");
    assert_eq!(workshop.run(&["scen", "wrong.scen"]).code, 1);
    let run = workshop.run(&["scen", "wrong.scen", "--check", "dijkstra"]);
    assert_eq!((run.code, run.counts()), (0, "rows 1, closed 0, mismatches 0"));
    assert!(run.output.contains("compared with Dijkstra's search"), "{}", run.output);
}

#[test]
fn lengths_that_cannot_hold_are_checked_by_dijkstra() {
    let workshop = Workshop::new();
    workshop.file("swamp.map", moving_ai(&[".S.", ".TS", "..."]));
    workshop.file("swamp.scen", "version 1\n0 swamp.map 3 3 0 0 2 2 4\n0 swamp.map 3 3 0 2 2 1 2.41421\n");
    for arguments in [
        &["--diagonals", "never"][..],
        &["--diagonals", "always"],
        &["--diagonals", "if-at-most-one-obstacle"],
        &["--steps", "10,14"],
        &["--terrain", "S=4"],
        &["--terrain", "T=1"],
        &["--terrain", "T=1,.=2,S=2"],
    ] {
        let run = workshop.run(&[&["scen", "swamp.scen"], arguments].concat());
        assert_eq!((run.code, run.counts()), (0, "rows 2, closed 0, mismatches 0"), "{arguments:?}: {run:?}");
        assert!(run.output.contains("compared with Dijkstra's search"), "{arguments:?}: {}", run.output);
    }
    // If all open cells have one cost, the lengths still hold. Letters that are not on the map
    // change nothing.
    for arguments in [&[][..], &["--terrain", ".=3,S=3"], &["--terrain", "G=7,W=2"], &["--steps", "99,140"]] {
        let run = workshop.run(&[&["scen", "swamp.scen"], arguments].concat());
        assert!(
            run.output.contains("compared with the lengths of the file"),
            "{arguments:?}: {}",
            run.output
        );
        assert_eq!(run.counts(), "rows 2, closed 0, mismatches 1", "{arguments:?}");
    }
}

#[test]
fn search_without_a_guarantee_is_found_out() {
    let workshop = Workshop::new();
    workshop.file("costs.map", moving_ai(&["SSSSS", ".@@@.", "....."]));
    workshop.file("costs.scen", "version 1\n0 costs.map 5 3 0 2 4 2 4\n0 costs.map 5 3 0 0 4 0 4\n");
    let exact = workshop.run(&["scen", "costs.scen", "--terrain", "S=9"]);
    assert_eq!((exact.code, exact.counts()), (0, "rows 2, closed 0, mismatches 0"), "{exact:?}");
    let hasty = workshop.run(&["scen", "costs.scen", "--terrain", "S=9", "--algorithm", "breadth-first"]);
    assert_eq!((hasty.code, hasty.counts()), (1, "rows 2, closed 0, mismatches 1"), "{hasty:?}");
    assert!(
        hasty.errors.contains("line 3") && hasty.errors.contains("by Dijkstra's search"),
        "{}",
        hasty.errors
    );
}

#[test]
fn limit_takes_rows_from_the_whole_file() {
    let workshop = corner();
    let rows: String =
        (0..40).map(|bucket| format!("{bucket} corner.map 3 3 0 0 2 0 2\n")).collect::<Vec<_>>().concat();
    workshop.file("many.scen", format!("version 1.0\n{rows}"));
    let run = workshop.run(&["scen", "many.scen", "--csv", "--limit", "4"]);
    let buckets: Vec<&str> = run.output.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(buckets, ["0", "10", "20", "30"]);
    assert_eq!(run.counts(), "rows 4, closed 0, mismatches 0");
}

#[test]
fn maps_are_read_from_the_given_folder() {
    let workshop = Workshop::new();
    for folder in ["scenarios", "maps"] {
        std::fs::create_dir(workshop.path(folder)).unwrap();
    }
    workshop.file("maps/a.map", moving_ai(&["..."]));
    workshop.file("maps/b.map", moving_ai(&[".."]));
    let rows = "version 1\r\n0\tfar\\away\\a.map\t3\t1\t0\t0\t2\t0\t2\r\n\r\n0 b.map 2 1 0 0 1 0 1\r\n";
    workshop.file("scenarios/two.scen", rows);
    assert_eq!(workshop.run(&["scen", "scenarios/two.scen"]).code, 2);
    let run = workshop.run(&["scen", "scenarios/two.scen", "--maps", "maps"]);
    assert_eq!((run.code, run.counts()), (0, "rows 2, closed 0, mismatches 0"), "{run:?}");
}

#[test]
fn scenario_without_rows_is_no_mistake() {
    let workshop = Workshop::new();
    workshop.file("empty.scen", "version 1\n");
    let run = workshop.run(&["scen", "empty.scen", "--csv"]);
    assert_eq!((run.code, run.output.as_str()), (0, format!("{HEADER}\n").as_str()));
    assert_eq!(run.counts(), "rows 0, closed 0, mismatches 0");
}

#[test]
fn long_run_shows_no_progress_without_a_terminal() {
    let workshop = corner();
    let rows: String = vec!["0 corner.map 3 3 0 0 2 0 2\n"; 800].concat();
    workshop.file("long.scen", format!("version 1\n{rows}"));
    let run = workshop.run(&["scen", "long.scen"]);
    assert_eq!(run.errors, "rows 800, closed 0, mismatches 0\n");
}

#[test]
fn row_without_a_path_matches_an_unreachable_goal() {
    let workshop = Workshop::new();
    workshop.file("island.map", moving_ai(&["..@.", "..@."]));
    for length in ["0", "0.0", "-1", "-1.00000"] {
        workshop.file(
            "island.scen",
            format!("version 1\n0 island.map 4 2 0 0 3 1 {length}\n0 island.map 4 2 1 1 1 1 0\n"),
        );
        let run = workshop.run(&["scen", "island.scen", "--csv"]);
        assert_eq!((run.code, run.counts()), (0, "rows 2, closed 0, mismatches 0"), "{length}: {run:?}");
        let row = run.output.lines().nth(1).unwrap();
        assert!(row.starts_with(&format!("0,0,0,3,1,{length},,,")) && row.ends_with(",unreachable"), "{row}");

        workshop.file("path.scen", format!("version 1\n0 island.map 4 2 0 0 1 1 {length}\n"));
        let run = workshop.run(&["scen", "path.scen"]);
        assert_eq!((run.code, run.counts()), (1, "rows 1, closed 0, mismatches 1"), "{length}: {run:?}");
        let expected = "path.scen: line 2: 0,0 to 1,1: length 1.414214, but no path in the file";
        assert_eq!(run.errors.lines().next(), Some(expected));
    }
    workshop.file("island.scen", "version 1\n0 island.map 4 2 0 0 3 1 4.2\n");
    assert!(workshop.run(&["scen", "island.scen"]).errors.contains("no path, but there is one"));
}

#[test]
fn scenario_of_another_version_is_refused_with_words() {
    let workshop = corner();
    workshop.file("later.scen", "version 2\n0 corner.map 3 3 0 0 2 0 2\n");
    let run = workshop.run(&["scen", "later.scen"]);
    assert_eq!((run.code, run.output.as_str()), (2, ""));
    let expected = "error: later.scen: line 1, column 1: a scenario begins with `version 1`, not with `version 2`; only rows of version 1 can be read\n";
    assert_eq!(run.errors, expected);
}
