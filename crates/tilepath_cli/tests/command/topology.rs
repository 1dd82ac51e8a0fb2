use crate::{Workshop, bad_input::assert_refused, moving_ai, pictures::Picture};
use serde_json::{Value, json};
use testkit::{LATTICES, tiles_touch};

const OPEN: &str = ".....\n.....\n.....\n.....\n.....\n";

/// Returns the places in a report of `range`, each with the points used, in order.
fn reached(report: &Value) -> Vec<(u64, u64, u64)> {
    let number = |value: &Value| value.as_u64().unwrap();
    let of = |cell: &Value| (number(&cell["cell"][0]), number(&cell["cell"][1]), number(&cell["used"]));
    let mut cells: Vec<_> = report["cells"].as_array().unwrap().iter().map(of).collect();
    cells.sort_unstable();
    cells
}

#[test]
fn neighbours_equal_the_drawn_file() {
    let workshop = Workshop::new();
    workshop.file("open.txt", OPEN);
    let eight = "11 21 31 12 32 13 23 33";
    // A place, and the column and row of each neighbour: above, beside, below.
    for (topology, from, neighbours) in [
        ("square", "2,2", eight),
        ("diamond", "2,2", eight),
        // Row 1 lies half a cell further right than row 2, row 0 a whole cell. Corners touch two
        // rows up and down.
        ("staggered", "2,2", "10 11 21 12 32 23 33 34"),
        ("hex-row", "2,2", "11 21 12 32 23 33"),
        ("hex-row-odd", "2,2", "11 21 12 32 13 23"),
        ("hex-row-odd", "2,1", "20 30 11 31 22 32"),
        ("hex-row-even", "2,2", "21 31 12 32 23 33"),
        ("hex-row-even", "2,1", "10 20 11 31 12 22"),
        ("hex-column", "2,2", "21 11 12 32 33 23"),
        ("hex-column-even", "2,2", "21 11 31 12 32 23"),
        ("hex-column-even", "1,2", "11 02 22 03 23 13"),
        ("hex-column-odd", "2,2", "21 12 32 13 33 23"),
        ("hex-column-odd", "1,2", "11 01 21 02 22 13"),
    ] {
        let arguments = ["range", "open.txt", "--from", from, "--points", "14", "--json"];
        let run = workshop.run(&[&arguments[..], &["--topology", topology]].concat());
        let mut expected: Vec<String> = neighbours.split(' ').map(str::to_owned).collect();
        expected.sort_unstable();
        let found: Vec<String> = (reached(&run.json()).iter())
            .filter(|&&(_, _, used)| used > 0)
            .map(|(column, row, _)| format!("{column}{row}"))
            .collect();
        assert_eq!(found, expected, "{topology} from {from}");
    }
}

/// In a file with `rows` rows, row r of the file is row `rows − 1 − r` of the tiles.
#[test]
fn one_step_leads_to_the_tiles_that_touch() {
    let workshop = Workshop::new();
    for (columns, rows) in [(3, 4), (4, 3), (3, 3), (4, 4)] {
        workshop.file("open.txt", (".".repeat(columns as usize) + "\n").repeat(rows as usize));
        let tile = |column, row| (column as i32, (rows - 1 - row) as i32);
        let places: Vec<(u64, u64)> =
            (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))).collect();
        for (lattice, &(column, row)) in
            LATTICES.into_iter().flat_map(|lattice| places.iter().map(move |place| (lattice, place)))
        {
            let from = format!("{column},{row}");
            let arguments = ["range", "open.txt", "--from", &from, "--points", "14", "--json"];
            let more = ["--diagonals", "always", "--topology", lattice];
            let run = workshop.run(&[&arguments[..], &more].concat());
            let mut found = reached(&run.json());
            found.retain(|&(_, _, used)| used > 0);
            let found: Vec<(u64, u64)> = found.into_iter().map(|(column, row, _)| (column, row)).collect();
            let touch = |place: &&(u64, u64)| tiles_touch(lattice, tile(column, row), tile(place.0, place.1));
            let touching: Vec<(u64, u64)> = places.iter().filter(touch).copied().collect();
            assert_eq!(found, touching, "{lattice}, {columns} by {rows}: from {from}");
        }
    }
}

#[test]
fn odd_rows_and_columns_count_from_the_bottom_in_files_of_any_height() {
    let workshop = Workshop::new();
    workshop.file("even.txt", "...\n.##\n...\n##.\n");
    for (topology, picture) in [
        ("hex-row-odd", " S * G\n. # #\n . . .\n# # .\n"),
        ("hex-row-even", "S * G\n . # #\n. . .\n # # .\n"),
        ("hex-column-odd", " *\nS G\n #\n. #\n .\n. .\n #\n# .\n"),
        ("hex-column-even", "S G\n *\n. #\n #\n. .\n .\n# .\n #\n"),
    ] {
        let run =
            workshop.run(&["solve", "even.txt", "--topology", topology, "--from", "0,0", "--to", "2,0"]);
        assert!(run.output.ends_with(&format!("\n\n{picture}")), "{topology}:\n{}", run.output);
    }
}

#[test]
fn sides_of_staggered_diamonds_are_straight_steps() {
    let workshop = Workshop::new();
    workshop.file("open.txt", OPEN);
    let run = workshop.run(&[
        "range",
        "open.txt",
        "--topology",
        "staggered",
        "--from",
        "2,2",
        "--points",
        "10",
        "--json",
    ]);
    assert_eq!(reached(&run.json()), [(1, 1, 10), (2, 1, 10), (2, 2, 0), (2, 3, 10), (3, 3, 10)]);
}

#[test]
fn paths_around_a_wall_follow_the_picture() {
    let workshop = Workshop::new();
    workshop.file("rows.txt", "...\n##.\n...\n");
    workshop.file("columns.txt", ".#.\n.#.\n...\n");
    for (topology, map, to, path) in [
        ("square", "rows.txt", "0,2", "00 10 20 21 22 12 02"),
        ("diamond", "rows.txt", "0,2", "00 10 20 21 22 12 02"),
        ("hex-row", "rows.txt", "0,2", "00 10 21 22 12 02"),
        ("hex-row-odd", "rows.txt", "0,2", "00 10 20 21 22 12 02"),
        ("hex-row-even", "rows.txt", "0,2", "00 10 21 12 02"),
        ("hex-column", "columns.txt", "2,0", "00 01 12 22 21 20"),
        ("hex-column-even", "columns.txt", "2,0", "00 01 02 12 22 21 20"),
        ("hex-column-odd", "columns.txt", "2,0", "00 01 12 21 20"),
    ] {
        let arguments = ["solve", map, "--topology", topology, "--from", "0,0", "--to", to, "--json"];
        let run = workshop.run(&arguments);
        let report = run.json();
        let path: Vec<Vec<u32>> = path
            .split(' ')
            .map(|cell| cell.chars().filter_map(|digit| digit.to_digit(10)).collect())
            .collect();
        assert_eq!(report["path"], json!(path), "{topology}");
        assert_eq!(report["cost"], json!(10 * (path.len() - 1)), "{topology}");
        assert_eq!(report["length"].as_f64(), Some((path.len() - 1) as f64), "{topology}");
    }
    // The upper left diamond touches the other diamonds of its row only at corners, between a wall
    // and the border.
    let staggered = ["solve", "rows.txt", "--topology", "staggered", "--from", "0,0", "--to", "0,2"];
    assert_eq!(workshop.run(&staggered).code, 1);
    let run = workshop.run(&[&staggered[..], &["--diagonals", "always", "--json"]].concat());
    assert_eq!(
        run.json()["path"],
        json!([[0, 0], [1, 2], [0, 2]]),
        "down between the walls, and to the left"
    );
    assert_eq!(run.json()["cost"], 28, "two corners");
}

#[test]
fn text_is_drawn_as_the_cells_lie() {
    let workshop = Workshop::new();
    workshop.file("rows.txt", "...\n##.\n...\n");
    for (topology, picture) in [
        ("square", "S**\n##*\nG**\n"),
        ("hex-row", "  S * .\n # # *\nG * *\n"),
        ("hex-row-odd", "S * *\n # # *\nG * *\n"),
        ("hex-row-even", " S * .\n# # *\n G * .\n"),
        ("staggered", "  S . .\n ! # .\nG . .\n"),
    ] {
        let run =
            workshop.run(&["solve", "rows.txt", "--topology", topology, "--from", "0,0", "--to", "0,2"]);
        assert!(run.output.ends_with(&format!("\n\n{picture}")), "{topology}:\n{}", run.output);
    }
    workshop.file("columns.txt", ".#.\n.#.\n...\n");
    for (topology, picture) in [
        ("hex-column", "  G\n #\nS *\n #\n* *\n *\n.\n"),
        ("hex-column-even", "S G\n #\n* *\n #\n* *\n *\n"),
        ("hex-column-odd", " #\nS G\n #\n* *\n *\n. .\n"),
    ] {
        let run =
            workshop.run(&["solve", "columns.txt", "--topology", topology, "--from", "0,0", "--to", "2,0"]);
        assert!(run.output.ends_with(&format!("\n\n{picture}")), "{topology}:\n{}", run.output);
    }
}

#[test]
fn every_command_works_on_hexagons() {
    let workshop = Workshop::new();
    workshop.file("rows.txt", "...\n##.\n...\n");
    let ends = ["--from", "0,0", "--to", "0,2"];
    let run = workshop.run(&[&["forbidden", "rows.txt", "--topology", "hex-row-even"], &ends[..]].concat());
    assert_eq!(
        run.output,
        "forbidden: 4 cells, each alone blocks every path: 1,0 2,1 1,2 0,2\n\n S x .\n# # x\n G x .\n"
    );
    let arguments = [&["solve", "rows.txt", "--topology", "hex-row-odd"], &ends[..]].concat();
    let run = workshop.run(&[&arguments[..], &["--what-if", "0,1=1", "--explain"]].concat());
    assert!(run.output.contains("\nwithout the changes: cost 60, 40 more\n"), "{}", run.output);
    assert!(
        run.output.ends_with(
            "
step  to   ground           kind      beside  cost  total
      0,0  start                                        0
   1  0,1  class 1 costs 1  straight            10     10
   2  0,2  class 1 costs 1  straight            10     20
2 steps cost 20: each 10 times the ground entered
"
        ),
        "{}",
        run.output
    );
    let run = workshop.run(&[
        "range",
        "rows.txt",
        "--topology",
        "hex-row-even",
        "--from",
        "0,0",
        "--points",
        "10",
        "--turns",
        "3",
    ]);
    assert!(run.output.ends_with("\n\n S 1 2\n# # 2\n . 3 3\n"), "{}", run.output);
    workshop.file("sealed.txt", "...\n###\n...\n");
    let run = workshop.run(&[
        "solve",
        "sealed.txt",
        "--topology",
        "hex-row-odd",
        "--from",
        "2,0",
        "--to",
        "2,2",
        "--explain",
    ]);
    assert_eq!(run.code, 1);
    assert!(run.output.contains("\n  2,1: a path of cost 20\n"), "{}", run.output);
}

#[test]
fn hexagons_are_drawn_as_hexagons() {
    const BLANK: [u8; 3] = [252, 251, 248];
    const WALL: [u8; 3] = [58, 61, 74];
    let workshop = Workshop::new();
    workshop.file("rows.txt", "...\n##.\n...\n");
    let draw = |topology: &str| {
        let arguments = ["render", "rows.txt", "--png", "rows.png", "--scale", "40", "--topology", topology];
        let run = workshop.run(&[&arguments[..], &["--from", "0,0", "--to", "0,2"]].concat());
        assert!(run.code < 2, "{run:?}");
        Picture::read(&workshop.path("rows.png"))
    };
    let odd = draw("hex-row-odd");
    // Three and a half hexagons across. The tips of three rows reach into each other.
    odd.assert_map(140, 116);
    assert_eq!(odd.at(2, 58), BLANK, "left of the row that lies further right");
    assert_eq!(odd.at(40, 58), WALL);
    assert_eq!(odd.at(20, 23), [34, 139, 74], "the start");
    let even = draw("hex-row-even");
    assert_eq!(even.at(20, 58), WALL);
    assert_eq!(even.at(138, 58), BLANK);
    let columns = draw("hex-column-even");
    columns.assert_map(116, 140);
    assert_eq!(columns.at(58, 2), BLANK, "above the column that lies lower");
    let staggered = draw("staggered");
    staggered.assert_map(160, 80);
    assert_eq!((staggered.at(2, 2), staggered.at(158, 78)), (BLANK, BLANK));
    draw("diamond").assert_map(120, 120);
}

#[test]
fn goal_that_no_open_cells_connect_is_explained() {
    let workshop = Workshop::new();
    workshop.file("row.txt", "...\n");
    let arguments =
        ["solve", "row.txt", "--topology", "staggered", "--from", "0,0", "--to", "2,0", "--explain"];
    let run = workshop.run(&arguments);
    assert_eq!(run.code, 1);
    assert!(run.output.contains("no path, even if cells open"), "{}", run.output);
    let report = workshop.run(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(report["explanation"], json!({"steps": [], "no_opening": true}));
}

#[test]
fn a_topology_that_does_not_fit_is_refused() {
    let workshop = Workshop::new();
    workshop.file("rows.map", moving_ai(&["...", "@@.", "..."]));
    workshop.file("rows.txt", "...\n");
    let refused = |map: &str, topology: &str, parts: &[&str]| {
        let arguments = ["--topology", topology, "--from", "0,0"];
        for command in [&["solve", map, "--to", "0,2"][..], &["range", map, "--points", "9"]] {
            assert_refused(&workshop.run(&[command, &arguments].concat()), parts);
        }
        assert_refused(&workshop.run(&[&["forbidden", map, "--to", "1,0"], &arguments[..]].concat()), parts);
        let render = ["render", map, "--png", "a.png", "--topology", topology];
        assert_refused(&workshop.run(&render), parts);
    };
    refused("rows.map", "hex-row-odd", &["rows.map: line 1", "type octile", "leave --topology out"]);
    refused("rows.txt", "hexagonal", &["--topology", "hex-column-even"]);
    let wide = "1 ".repeat(65_535);
    workshop.file("wide.txt", format!("{wide}\n{wide}\n"));
    refused(
        "wide.txt",
        "staggered",
        &["wide.txt: 65535 columns and 2 rows as --topology staggered", "too large"],
    );
    let solve = ["solve", "rows.map", "--from", "0,0", "--to", "0,2", "--topology"];
    assert_eq!(workshop.run(&[&solve[..], &["diamond"]].concat()).code, 0);
    workshop.file("hex.map", moving_ai(&["...", "@@.", "..."]).replace("octile", "hexagonal"));
    let run = workshop.run(&["solve", "hex.map", "--from", "0,0", "--to", "0,2", "--topology", "hex-row"]);
    assert_eq!(run.code, 0, "{run:?}");
}
