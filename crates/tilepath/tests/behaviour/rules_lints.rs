//! Warnings about legal rules that are probably mistakes.
//!
//! Some of them also need a map.

use proptest::prelude::*;
use tilepath::{
    Cell, Edit, Grid, Topology, format,
    rules::{Lint, Rules},
};

fn rules(textures: &str, movements: &str) -> Rules {
    let text = format!(
        "(classes: {{0: \"wall\", 1: \"grass\", 2: \"mud\", 4: \"water\"}}, textures: {{{textures}}}, movements: {{{movements}}})"
    );
    Rules::from_ron(&text).unwrap()
}

fn texts(lints: &[Lint]) -> Vec<String> {
    lints.iter().map(ToString::to_string).collect()
}

#[test]
fn rules_of_the_ford_are_clean_on_its_map() {
    let rules = Rules::from_ron(include_str!("../../../../assets/rules/ford.ron")).unwrap();
    let map = format::parse_costs(include_str!("../../../../assets/maps/ford.txt")).unwrap();
    assert_eq!((rules.lint(), rules.lint_on(&map)), (vec![], vec![]));
}

#[test]
fn rules_without_movements_have_that_lint_alone() {
    let expected =
        ["there are no movements; describe one, as in movements: {\"walker\": (costs: {\"grass\": 1})}"];
    assert_eq!(texts(&rules("3: \"mud\"", "").lint()), expected);
    assert_eq!(rules("", "").lint_on(&Grid::new(3, 3, 1).unwrap()), []);
}

#[test]
fn classes_without_a_movement_have_a_lint() {
    let lints = rules(
        "7: \"water\", 9: \"water\", 10: \"wall\", 3..=5: \"water\"",
        "\"sheep\": (costs: {\"grass\": 1})",
    )
    .lint();
    assert_eq!(
        texts(&lints),
        [
            "the class `mud` (2) is named by no texture and by no movement; name it, or take it out",
            "textures 3 to 5 are `water`, which is closed to every movement; give it a cost in one, or the cost 0 if that is meant",
            "texture 7 is `water`, which is closed to every movement; give it a cost in one, or the cost 0 if that is meant",
            "texture 9 is `water`, which is closed to every movement; give it a cost in one, or the cost 0 if that is meant",
        ]
    );
    let sheep = "\"sheep\": (costs: {\"grass\": 1, \"mud\": 0, \"water\": 0})";
    assert_eq!(rules("7: \"water\"", sheep).lint(), [], "closed on purpose");
    assert_eq!(rules("7: \"water\"", "\"all\": (base: default)").lint(), []);
    assert_eq!(rules("", "\"none\": (base: default, costs: {\"mud\": 0})").lint(), []);
}

#[test]
fn closed_equal_and_wall_entering_movements_have_lints() {
    let lints = rules(
        "",
        "\"all\": (base: default), \"stone\": (), \"ghost\": (base: \"all\", costs: {\"wall\": 1}), \"other\": (base: default, size: 1), \"cow\": (base: \"all\", size: 2), \"third\": (base: \"other\")",
    )
    .lint();
    assert_eq!(
        texts(&lints),
        [
            "the movement `stone` may enter no class; give one a cost, or begin it from default or from another movement",
            "the movement `ghost` may enter class 0, and so also cells without a tile; close it, or give what it may enter another class",
            "the movements `all` and `other` are equal; change one of them, or keep only one",
            "the movements `all` and `third` are equal; change one of them, or keep only one",
        ]
    );
}

#[test]
fn rules_that_do_not_fit_a_map_have_lints() {
    let rules = rules(
        "",
        "\"boat\": (costs: {\"water\": 1}), \"cow\": (costs: {\"grass\": 1}, size: 2), \"dragon\": (base: \"cow\", size: 4), \"stone\": (), \"sheep\": (costs: {\"grass\": 1}, overlays: [\"danger\"])",
    );
    let mut grid = format::parse_ascii(
        "
        1191#
        #1#1#
        1151#
        ",
    )
    .unwrap();
    for overlay in ["danger", "dangr", "wet"] {
        grid.set_overlay(overlay, [(Cell::new(0, 0), 1)]).unwrap();
    }
    grid.set_terrain(Cell::new(2, 1), 9).unwrap();
    let expected = [
        "1 cell of the map is of class 5, which has no name; list it under classes",
        "2 cells of the map are of class 9, which has no name; list it under classes",
        "no cell of the map is open to the movement `boat`; give a class of the map a cost there",
        "nowhere on the map are 2 × 2 cells open to the movement `cow`; make it smaller, or open more classes to it",
        "a unit of the movement `dragon` covers 4 × 4 cells, and the map has 5 × 3; make it smaller",
        "the overlay `dangr` of the map counts for no movement; name it in one, or did you mean `danger`?",
        "the overlay `wet` of the map counts for no movement; name it in one",
    ];
    assert_eq!(texts(&rules.lint_on(&grid)), expected);
    let hexagons = grid.with_topology(Topology::Hexagonal);
    let lints = texts(&rules.lint_on(&hexagons));
    assert_eq!(
        lints[3],
        "the movement `cow` has size 2, and the map hexagons, where units cover one cell; make it size 1"
    );
    let empty = texts(&rules.lint_on(&Grid::new(0, 7, 1).unwrap()));
    assert_eq!(
        empty[0],
        "a unit of the movement `boat` covers 1 × 1 cells, and the map has 0 × 7; make it smaller"
    );
}

proptest! {
    #[test]
    fn a_movement_has_a_place_where_all_cells_under_a_unit_are_open(
        width in 1..7_u32,
        cells in prop::collection::vec(prop_oneof![4 => Just(1_u8), 1 => Just(0), 1 => Just(2)], 1..36),
        voids in prop::collection::vec((0..7_i32, 0..6_i32), 0..3),
        side in 1..4_u8,
    ) {
        let height = (cells.len() as u32).div_ceil(width);
        let mut classes = cells;
        classes.resize((width * height) as usize, 0);
        let mut grid = Grid::from_classes(width, height, classes).unwrap();
        for (x, y) in voids {
            let _ = grid.edit(&[Edit::void(Cell::new(x, y))]);
        }
        let rules = rules("", &format!("\"unit\": (costs: {{\"grass\": 1}}, size: {side})"));
        let size = rules.movement("unit").unwrap().size();
        let is_place = |anchor| size.footprint(anchor).all(|cell| grid.terrain(cell) == Some(1));
        let has_place = grid.bounds().cells().any(is_place);
        let lints = rules.lint_on(&grid);
        let is_told = lints.iter().any(|lint| matches!(lint, Lint::NoPlace { .. } | Lint::LargerThanMap { .. }));
        prop_assert_eq!(is_told, !has_place);
    }
}
