//! `solve --link`: the query of a link from the laboratory.

use crate::Workshop;
use serde_json::json;

/// A wall over three cells, danger beside it, and a race.
const LINK: &str = "https://example.org/?example=path_lab#map=8x4*1x20.0x3.1x9&danger=0x8.5x4.0x20&from=0.0&to=7.3\
                    &algorithm=astar&race=landmarks&diagonals=never";

#[test]
fn a_link_has_everything_that_the_answer_depends_on() {
    let workshop = Workshop::new();
    let run = workshop.run(&["solve", "--link", LINK]);
    assert_eq!(run.code, 0, "{run:?}");
    let lines: Vec<&str> = run.output.lines().collect();
    assert_eq!(lines[0], "found: 0,3 to 7,0, cost 100, length 10.00, 10 steps");
    assert_eq!(lines[2], "landmarks beside it: cost 100, 10 cells expanded");
    assert_eq!(lines[5], "....###*");
    let run = workshop.run(&["solve", "--link", LINK, "--json"]);
    assert_eq!(run.json()["race"], json!({ "algorithm": "landmarks", "cost": 100, "expanded": 10 }));
    let with_unit = workshop.run(&["solve", "--link", &format!("{LINK}&unit=2&lattice=square")]);
    assert_eq!(with_unit.code, 2, "the unit does not stand on the map there: {with_unit:?}");
}

#[test]
fn hexagons_closed_edges_and_tiles_without_ground_are_in_it() {
    let workshop = Workshop::new();
    // Tile 256 is void, and the first tile has no exit.
    let closed = "map=3x1*1x3&from=0.0&to=2.0&exits=0.255x2";
    assert_eq!(workshop.run(&["solve", "--link", closed]).code, 1);
    let void = "map=3x1*1.256.1&from=0.0&to=2.0";
    assert_eq!(workshop.run(&["solve", "--link", void]).code, 1);
    let hexagons = "map=5x5*1x25&from=0.0&to=4.4&lattice=hex-row-odd";
    let run = workshop.run(&["solve", "--link", hexagons, "--json"]);
    assert_eq!(run.json()["cost"], 60, "{run:?}");
}

#[test]
fn a_rival_that_cannot_search_there_says_why() {
    let run = Workshop::new().run(&["solve", "--link", &LINK.replace("landmarks", "jps")]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.output.contains("jps beside it: the link: jump point search does not apply"), "{run:?}");
}

#[test]
fn picture_of_a_link_equals_the_picture_of_a_file() {
    let workshop = Workshop::new();
    let run = workshop.run(&["solve", "--link", LINK, "--png", "link.png", "--heat", "--explain"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(workshop.path("link.png").exists());
}

#[test]
fn wrong_links_and_contradicting_arguments_are_refused() {
    let workshop = Workshop::new();
    for (arguments, said) in [
        (&["--link", "map=2x1*1x2"][..], "the link has no `from=`"),
        (&["--link", "https://example.org/"], "the link has no `map=`"),
        (&["--link", "map=2x1*1x2&from=0.0&to=2.0"], "2.0 is outside the map of 2 x 1 tiles"),
        (&["--link", LINK, "--from", "1,1"], "cannot be used with"),
        (&["--link", LINK, "map.txt"], "cannot be used with"),
        (&["--link", LINK, "--algorithm", "jps"], "cannot be used with"),
        (&["--link", LINK, "--size", "2"], "cannot be used with"),
        (&["map.txt", "--from", "1,1"], "--to <X,Y>"),
        (&[], "required arguments were not provided"),
    ] {
        let run = workshop.run(&[&["solve"], arguments].concat());
        assert_eq!((run.code, run.output.as_str()), (2, ""), "{arguments:?}: {run:?}");
        assert!(run.errors.contains(said), "{arguments:?}: {run:?}");
    }
}
