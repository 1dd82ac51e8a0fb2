use super::{
    LetterClasses, LetterClassesError, MapTextError, MapTextFault, ScenarioRow, cell_from_top, from_top,
    parse_ascii, parse_ascii_with, parse_costs, parse_moving_ai, parse_scenario, to_ascii, to_costs,
    to_moving_ai, to_scenario,
};
use crate::{Bounds, Cell, Grid, Movement, PathFinder};
use proptest::{collection::vec, prelude::*};

fn place(error: &MapTextError) -> (usize, usize) {
    (error.line, error.column)
}

fn default_moving_ai(text: &str) -> Result<Grid, MapTextError> {
    parse_moving_ai(text, &LetterClasses::default())
}

/// 12 rows × 15 columns: 2 everywhere, a road of 1 in column 10, walls in row 6 from column 2 to 8.
fn golden_costs() -> String {
    let cost = |row, column| match (row, column) {
        (_, 10) => "1",
        (6, 2..=8) => "0",
        _ => "2",
    };
    let row = |row| (0..15).map(|column| cost(row, column)).collect::<Vec<_>>().join(" ");
    (0..12).map(|index| row(index) + "\n").collect()
}

#[test]
fn golden_table_becomes_the_golden_picture() {
    let grid = parse_costs(&golden_costs()).unwrap();
    let plain = "2222222222.2222";
    let walls = "22#######2.2222";
    let rows: Vec<&str> = (0..12).map(|row| if row == 6 { walls } else { plain }).collect();
    assert_eq!(to_ascii(&grid, None), rows.join("\n"));
    assert_eq!(to_costs(&grid), golden_costs());
    assert_eq!(grid.terrain(Cell::new(2, 5)), Some(0), "row 6 from the top is row 5 from the bottom");
}

#[test]
fn picture_may_be_indented_and_end_in_spaces_and_carriage_returns() {
    let grid = parse_ascii("\r\n\r\n    .#.  \r\n    29.\r\n  \r\n").unwrap();
    assert_eq!(to_ascii(&grid, None), ".#.\n29.");
}

#[test]
fn faults_of_a_picture_name_their_place() {
    let error = parse_ascii("\n   ...\n   .?.\n").unwrap_err();
    assert_eq!(place(&error), (3, 5));
    assert!(matches!(error.fault, MapTextFault::UnknownLetter { found: '?', .. }));

    let error = parse_ascii("...\n..\n...").unwrap_err();
    assert_eq!(error, MapTextError::new(2, 3, MapTextFault::RowLength { expected: 3, found: 2 }));
    let error = parse_ascii("...\n.....\n...").unwrap_err();
    assert_eq!(error, MapTextError::new(2, 4, MapTextFault::RowLength { expected: 3, found: 5 }));
    let error = parse_ascii("...\n\n...").unwrap_err();
    assert_eq!(error, MapTextError::new(2, 1, MapTextFault::RowLength { expected: 3, found: 0 }));
    assert_eq!(parse_ascii(" \n\n").unwrap_err(), MapTextError::new(1, 1, MapTextFault::Empty));
    // Without this check, a row that is indented less than the others would lose letters.
    assert_eq!(place(&parse_ascii("  ..\n ..\n").unwrap_err()), (1, 2));
}

#[test]
fn picture_shows_a_path_and_high_classes() {
    let finder = PathFinder::new(parse_costs("1 1 1\n1 0 77\n1 0 1").unwrap(), Movement::default());
    let outcome = finder.find(Cell::new(0, 0), Cell::new(2, 2)).unwrap();
    assert_eq!(to_ascii(finder.grid(), outcome.path()), "**G\n*#+\nS#.");
    let standing = finder.find(Cell::new(0, 0), Cell::new(0, 0)).unwrap();
    assert_eq!(to_ascii(finder.grid(), standing.path()), "...\n.#+\nS#.");
}

#[test]
fn path_of_a_larger_map_is_drawn_as_far_as_it_goes() {
    let finder = PathFinder::new(Grid::new(5, 1, 1).unwrap(), Movement::default());
    let outcome = finder.find(Cell::new(0, 0), Cell::new(4, 0)).unwrap();
    assert_eq!(to_ascii(&Grid::new(3, 1, 1).unwrap(), outcome.path()), "S**");
}

#[test]
fn faults_of_a_table_name_their_place() {
    for (text, expected) in [
        ("1 1\n1 256\n", (2, 3)),
        ("1 1\n-1 1\n", (2, 1)),
        ("1 +1\n", (1, 3)),
        ("1 1.5\n", (1, 3)),
        ("  1\t\té\n", (1, 6)),
    ] {
        let error = parse_costs(text).unwrap_err();
        assert!(matches!(error.fault, MapTextFault::NotACost { .. }), "{text:?}: {error}");
        assert_eq!(place(&error), expected, "{text:?}");
    }
    let error = parse_costs("1 1 1\n1 1 1 1 1\n").unwrap_err();
    assert_eq!(error, MapTextError::new(2, 7, MapTextFault::RowLength { expected: 3, found: 5 }));
    let error = parse_costs("1 1 1\n\n1 1 1\n").unwrap_err();
    assert_eq!(error, MapTextError::new(2, 1, MapTextFault::RowLength { expected: 3, found: 0 }));
    assert_eq!(parse_costs("").unwrap_err().fault, MapTextFault::Empty);
}

#[test]
fn long_words_are_cut_in_messages() {
    let error = parse_costs(&"9".repeat(10_000)).unwrap_err();
    assert_eq!(error.fault, MapTextFault::NotACost { found: "9".repeat(40) + "…" });
}

#[test]
fn too_long_a_side_is_refused_in_every_format() {
    let side = 65_536;
    for error in [
        parse_ascii(&".".repeat(side)).unwrap_err(),
        parse_ascii(&".\n".repeat(side)).unwrap_err(),
        parse_costs(&"1 ".repeat(side)).unwrap_err(),
        default_moving_ai("height 65536\nwidth 1\nmap\n").unwrap_err(),
        default_moving_ai("height 4000000000\nwidth 4000000000\nmap\n").unwrap_err(),
        default_moving_ai("height 9\nwidth 18446744073709551615\nmap\n").unwrap_err(),
        default_moving_ai("height 60000\nwidth 60000\nmap\n").unwrap_err(),
    ] {
        assert!(matches!(error.fault, MapTextFault::TooLarge { .. }), "{error}");
    }
}

#[test]
fn header_that_promises_rows_that_are_not_there_allocates_nothing_like_it() {
    let error = default_moving_ai("type octile\nheight 4096\nwidth 65535\nmap\n..\n").unwrap_err();
    assert_eq!(error, MapTextError::new(5, 3, MapTextFault::RowLength { expected: 65_535, found: 2 }));
}

#[test]
fn moving_ai_map_may_have_carriage_returns_and_stray_text() {
    let text = "\u{feff}type octile\r\ncomment of the author\r\nheight 2\r\nwidth of no importance\r\n\
                width 7\r\nmap\r\n.GS@OTW\r\nWTO@SG.\r\n\r\n";
    let grid = default_moving_ai(text).unwrap();
    assert_eq!(to_ascii(&grid, None), "...####\n####...");
}

#[test]
fn letters_are_overridden_one_by_one() {
    let letters = ".=1, S=3 ,W=2,x=200".parse().unwrap();
    let grid = parse_moving_ai("height 1\nwidth 6\nmap\n.SWTGx\n", &letters).unwrap();
    assert_eq!(grid.classes(), [1, 3, 2, 0, 1, 200]);
    assert_eq!(letters.to_string(), ".=1,@=0,G=1,O=0,S=3,T=0,W=2,x=200");
    assert_eq!(letters.to_string().parse::<LetterClasses>().unwrap(), letters);
    assert_eq!(LetterClasses::default().with('é', 1).with('\t', 1), LetterClasses::default());
}

#[test]
fn blank_before_an_equals_sign_is_a_letter() {
    for text in [" =0", "  =0", ".=1, =0", ".=1,  =0,S=3", " =0,==4"] {
        let letters: LetterClasses = text.parse().unwrap();
        assert_eq!(letters.class(' '), Some(0), "{text:?}");
        assert_eq!(letters.to_string().parse(), Ok(letters), "{text:?}");
    }
    assert_eq!(" ==4".parse::<LetterClasses>().unwrap(), LetterClasses::default().with('=', 4));
    let listed = default_moving_ai("height 1\nwidth 1\nmap\n?").unwrap_err().to_string();
    assert!(!listed.contains("' '"), "{listed}");
    let letters: LetterClasses = " =0".parse().unwrap();
    let listed = parse_moving_ai("height 1\nwidth 1\nmap\n?", &letters).unwrap_err().to_string();
    assert!(listed.ends_with("the letters are ' ' . @ G O S T W"), "{listed}");
}

#[test]
fn rows_end_in_blanks_if_blanks_are_letters() {
    let letters = LetterClasses::ascii().with(' ', 7);
    let map = |rows: &str| format!("height 3\nwidth 4\nmap\n{rows}");
    for text in ["  . \n\n.. .\n", "  .\n    \n.. .", "  .      \n \n.. .   \n"] {
        let grid = parse_moving_ai(&map(text), &letters).unwrap();
        assert_eq!(to_ascii(&grid, None), "77.7\n7777\n..7.", "{text:?}");
        assert!(parse_moving_ai(&map(text), &LetterClasses::ascii()).is_err(), "{text:?}");
        assert_eq!(parse_ascii_with(text, &letters).unwrap().classes(), grid.classes(), "{text:?}");
    }
    assert!(parse_moving_ai(&map("  .  .\n\n\n"), &letters).is_err(), "longer than the width");
    let grid = parse_ascii("72.7\n7777").unwrap();
    let letters: LetterClasses = " =7,2=2,@=0".parse().unwrap();
    let text = to_moving_ai(&grid, &letters).unwrap();
    assert_eq!(text, "type octile\nheight 2\nwidth 4\nmap\n 2. \n    \n");
    assert_eq!(parse_moving_ai(&text, &letters).unwrap().classes(), grid.classes());
}

#[test]
fn wrong_letter_pairs_are_typed_errors() {
    for text in ["", "S", "S3", "=3", "SS=3", "S=3,", ",", "é=3", "\t=1"] {
        let error = text.parse::<LetterClasses>().unwrap_err();
        assert!(matches!(error, LetterClassesError::NotAPair { .. }), "{text:?}: {error}");
    }
    for text in ["S=", "S=256", "S=-1", "S=+1", "S=x", "S=1=2", "S= 1"] {
        let error = text.parse::<LetterClasses>().unwrap_err();
        assert!(matches!(error, LetterClassesError::NotAClass { letter: 'S', .. }), "{text:?}: {error}");
    }
    assert_eq!("S=1,S=1".parse::<LetterClasses>(), Err(LetterClassesError::GivenTwice { letter: 'S' }));
    assert_eq!("==4".parse::<LetterClasses>().unwrap().class('='), Some(4));
}

#[test]
fn comma_is_a_letter_like_any_other() {
    for text in [",=5,.=2", ".=2 , ,=5", ".=2,,=5"] {
        let letters: LetterClasses = text.parse().unwrap();
        assert_eq!((letters.class(','), letters.class('.')), (Some(5), Some(2)), "{text}");
        assert_eq!(letters.to_string().parse(), Ok(letters), "{text}");
    }
}

#[test]
fn numbers_are_digits_alone() {
    for sign in ["+", "-", " +", "0x", "1_", "1."] {
        let number = format!("{sign}1");
        let map = format!("type octile\nheight {number}\nwidth 1\nmap\n.\n");
        assert!(default_moving_ai(&map).is_err(), "height {number}");
        let map = format!("type octile\nheight 1\nwidth {number}\nmap\n.\n");
        assert!(default_moving_ai(&map).is_err(), "width {number}");
        assert!(parse_costs(&number).is_err(), "cost {number}");
        for field in [0, 2, 3, 4, 5, 6, 7] {
            let mut row = ["0", "a.map", "2", "2", "1", "1", "1", "1", "0"];
            assert!(parse_scenario(&format!("version 1\n{}\n", row.join("\t"))).is_ok());
            row[field] = &number;
            assert!(parse_scenario(&format!("version 1\n{}\n", row.join("\t"))).is_err(), "{row:?}");
        }
        assert!(format!("weighted-astar:{number}").parse::<crate::Algorithm>().is_err(), "{number} percent");
    }
}

#[test]
fn faults_of_a_moving_ai_map_name_their_place() {
    let header = "type octile\nheight 2\nwidth 3\nmap\n";
    let fault = |rows: &str| default_moving_ai(&format!("{header}{rows}")).unwrap_err();
    assert_eq!(place(&fault("...\n.x.\n")), (6, 2));
    assert!(
        fault("...\n.x.\n").to_string().contains("`x` stands for no terrain; the letters are . @ G O S T W")
    );
    let long = MapTextFault::RowLength { expected: 3, found: 4 };
    assert_eq!(fault("....\n...\n"), MapTextError::new(5, 4, long));
    let short = MapTextFault::RowLength { expected: 3, found: 1 };
    assert_eq!(fault("...\n.\n"), MapTextError::new(6, 2, short));
    let few = MapTextFault::RowCount { expected: 2, found: 1 };
    assert_eq!(fault("...\n"), MapTextError::new(6, 1, few));
    let many = MapTextFault::RowCount { expected: 2, found: 4 };
    assert_eq!(fault("...\n...\n...\n\n...\n"), MapTextError::new(7, 1, many));

    let missing = |line, keyword| MapTextError::new(line, 1, MapTextFault::MissingHeader { keyword });
    assert_eq!(default_moving_ai("type octile\nheight 1\n").unwrap_err(), missing(3, "map"));
    assert_eq!(default_moving_ai("").unwrap_err(), missing(1, "map"));
    assert_eq!(default_moving_ai("height 1\nmap\n.\n").unwrap_err(), missing(2, "width"));
    assert_eq!(default_moving_ai("width 1\nmap\n.\n").unwrap_err(), missing(2, "height"));
    for text in ["height -1\n", "height 1.5\n", "height many\n", "height 99999999999999999999\n"] {
        let error = default_moving_ai(text).unwrap_err();
        assert!(matches!(error.fault, MapTextFault::NotASize { keyword: "height", .. }), "{text:?}: {error}");
        assert_eq!(place(&error), (1, 8));
    }
}

#[test]
fn moving_ai_map_without_cells_is_a_map() {
    for (width, height) in [(0, 0), (0, 3), (3, 0)] {
        let grid = Grid::new(width, height, 1).unwrap();
        let text = to_moving_ai(&grid, &LetterClasses::default()).unwrap();
        let read = default_moving_ai(&text).unwrap();
        assert_eq!((read.width(), read.height()), (width, height));
    }
}

#[test]
fn class_without_a_letter_cannot_be_written() {
    let grid = parse_ascii("...\n..7\n").unwrap();
    let error = to_moving_ai(&grid, &LetterClasses::default()).unwrap_err();
    assert_eq!((error.cell, error.class), (Cell::new(2, 0), 7));
    assert!(to_moving_ai(&grid, &LetterClasses::default().with('x', 7)).unwrap().ends_with("...\n..x\n"));
}

#[test]
fn scenario_keeps_the_decimals_as_printed() {
    let text = "version 1.0\r\n\r\n0 a.map 9 9 0 0 4 0 4\r\n1\tb c/a b.map\t9\t9\t0\t0\t4\t4\t5.60\r\n";
    let rows = parse_scenario(text).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0].line, rows[0].decimals, rows[0].map_file_name()), (3, 0, "a.map"));
    assert_eq!((rows[1].line, rows[1].decimals, rows[1].map_file_name()), (4, 2, "a b.map"));
    assert_eq!(rows[1].to_string(), "1\tb c/a b.map\t9\t9\t0\t0\t4\t4\t5.60");
}

#[test]
fn length_of_minus_one_is_kept() {
    for length in ["-1", "-1.0", "-1.00000"] {
        let text = format!("version 1\n0\ta.map\t9\t9\t0\t0\t4\t0\t{length}\n");
        let rows = parse_scenario(&text).unwrap();
        assert!(rows[0].optimal.total_cmp(&-1.0).is_eq());
        assert_eq!(to_scenario(&rows), text);
    }
}

#[test]
fn scenario_without_queries_is_empty() {
    assert_eq!(parse_scenario("version 1\n\n").unwrap(), []);
}

#[test]
fn faults_of_a_scenario_name_their_place() {
    for text in ["", "version 2\n", "0 a.map 9 9 0 0 4 0 4\n", "version\n", "version 1 2\n"] {
        let error = parse_scenario(text).unwrap_err();
        assert!(matches!(error.fault, MapTextFault::NotAScenario { .. }), "{text:?}: {error}");
        assert_eq!(place(&error), (1, 1));
    }
    let fault =
        |row: &str| parse_scenario(&format!("version 1\n0 a.map 9 9 0 0 4 0 4\n{row}\n")).unwrap_err();
    assert_eq!(fault("0 a.map 9 9 0 0 4 4"), MapTextError::new(3, 1, MapTextFault::FieldCount { found: 8 }));
    assert_eq!(
        fault("0 a b.map 9 9 0 0 4 0 4"),
        MapTextError::new(3, 1, MapTextFault::FieldCount { found: 10 })
    );
    for (row, column, name) in [
        ("x a.map 9 9 0 0 4 0 4", 1, "bucket"),
        ("0 a.map -9 9 0 0 4 0 4", 9, "map width"),
        ("0 a.map 9 9 0 0.5 4 0 4", 15, "start y"),
        ("0 a.map 9 9 0 0 4 0 four", 21, "optimal length"),
        ("0 a.map 9 9 0 0 4 0 -4", 21, "optimal length"),
        ("0 a.map 9 9 0 0 4 0 -0", 21, "optimal length"),
        ("0 a.map 9 9 0 0 4 0 --1", 21, "optimal length"),
        ("0 a.map 9 9 0 0 4 0 -1.5", 21, "optimal length"),
        ("0 a.map 9 9 0 0 4 0 inf", 21, "optimal length"),
        ("0 a.map 9 9 0 0 4 0 1e9", 21, "optimal length"),
        ("0 a.map 9 9 0 0 4 0 1.2.3", 21, "optimal length"),
    ] {
        let error = fault(row);
        assert!(
            matches!(error.fault, MapTextFault::BadField { field, .. } if field == name),
            "{row}: {error}"
        );
        assert_eq!(place(&error), (3, column), "{row}");
    }
    let error = fault("0 a.map 9 7 0 0 4 7 4");
    assert_eq!(place(&error), (3, 17));
    assert!(error.to_string().contains("the goal 4,7 is outside the 9 × 7 cells"), "{error}");
}

#[test]
fn length_with_thousands_of_decimals_is_printed_with_as_many_as_numbers_have() {
    let text = format!("version 1\n0 a.map 9 9 0 0 4 0 4.{}\n", "0".repeat(100_000));
    let rows = parse_scenario(&text).unwrap();
    assert_eq!(rows[0].decimals, u8::MAX);
    assert_eq!(parse_scenario(&to_scenario(&rows)).unwrap(), rows);
}

fn grids(classes: impl Strategy<Value = u8> + Clone) -> impl Strategy<Value = Grid> {
    (1..12_u32, 1..12_u32).prop_flat_map(move |(width, height)| {
        vec(classes.clone(), (width * height) as usize)
            .prop_map(move |classes| Grid::from_classes(width, height, classes).unwrap())
    })
}

fn scenario_rows() -> impl Strategy<Value = ScenarioRow> {
    let numbers = (0..9_000_u32, 1..65_536_u32, 1..65_536_u32, 0..10_000_000_u32, 0..6_u8);
    let shares = (0.0..1.0_f64, 0.0..1.0_f64, 0.0..1.0_f64, 0.0..1.0_f64);
    (numbers, shares, "[a-z]{1,8}(/[a-z0-9 ._-]{0,8}[a-z])?").prop_map(
        |((bucket, width, height, thousandths, decimals), (sx, sy, gx, gy), map)| {
            let part = |side: u32, share: f64| (f64::from(side) * share) as u32;
            let start = (part(width, sx), part(height, sy));
            let goal = (part(width, gx), part(height, gy));
            let length = f64::from(thousandths) / 1000.0;
            let optimal = format!("{length:.places$}", places = usize::from(decimals)).parse().unwrap();
            ScenarioRow { line: 0, bucket, map, width, height, start, goal, optimal, decimals }
        },
    )
}

proptest! {
    #[test]
    fn printed_picture_is_read_back(grid in grids(0..10_u8)) {
        let read = parse_ascii(&to_ascii(&grid, None)).unwrap();
        prop_assert_eq!(read.bounds(), grid.bounds());
        prop_assert_eq!(read.classes(), grid.classes());
    }

    #[test]
    fn printed_table_is_read_back(grid in grids(any::<u8>())) {
        let read = parse_costs(&to_costs(&grid)).unwrap();
        prop_assert_eq!(read.bounds(), grid.bounds());
        prop_assert_eq!(read.classes(), grid.classes());
    }

    #[test]
    fn printed_moving_ai_map_is_read_back(grid in grids(0..5_u8)) {
        let letters: LetterClasses = "S=2,W=3,G=4".parse().unwrap();
        let read = parse_moving_ai(&to_moving_ai(&grid, &letters).unwrap(), &letters).unwrap();
        prop_assert_eq!(read.bounds(), grid.bounds());
        prop_assert_eq!(read.classes(), grid.classes());
    }

    #[test]
    fn printed_scenario_is_read_back(mut rows in vec(scenario_rows(), 0..8)) {
        for (row, line) in rows.iter_mut().zip(2..) {
            row.line = line;
        }
        prop_assert_eq!(parse_scenario(&to_scenario(&rows)).unwrap(), rows);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[ .#0-9\n\r\t@TSWxé-]{0,80}", header in "(height|width|map|version)? ?[0-9-]{0,6}\n") {
        let _ = parse_ascii(&text);
        let _ = parse_costs(&text);
        let _ = default_moving_ai(&format!("{header}height 2\nwidth 2\nmap\n{text}"));
        let _ = parse_scenario(&format!("{header}version 1\n{text}"));
    }

    #[test]
    fn column_and_row_from_the_top_convert_back(
        x in -1_000_000..1_000_000_i32, y in -1_000_000..1_000_000_i32,
        width in 0..60_u32, height in 0..60_u32, column in 0..70_u32, row in 0..70_u32,
    ) {
        let bounds = Bounds::new(Cell::new(x, y), width, height).unwrap();
        match cell_from_top(&bounds, column, row) {
            Some(cell) => prop_assert_eq!(from_top(&bounds, cell), Some((column, row))),
            None => prop_assert!(column >= width || row >= height),
        }
    }
}
