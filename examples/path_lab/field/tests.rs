//! Maps, ends and what the brushes do to them.

use super::*;
use crate::settings::{Ground, Setting, Size};
use tilepath_examples::map_file;

#[test]
fn every_size_and_ground_has_a_pair_that_is_far_enough_apart() {
    for size in Size::ALL {
        for ground in Ground::ALL.into_iter().filter(|ground| !ground.is_file()) {
            let settings = Settings { size, ground, ..Settings::default() };
            let mut field = Field::new(settings);
            assert_eq!((field.finder.grid().width(), field.finder.grid().height()), size.cells());
            for _ in 0..20 {
                assert!(apart(field.start, field.goal) >= APART, "{size:?} {ground:?}");
                assert!(field.fits(field.start) && field.fits(field.goal));
                field.draw_pair();
            }
        }
    }
}

#[test]
fn a_file_keeps_its_marks_and_its_size() {
    let mut settings = Settings { ground: Ground::Ford, size: Size::Large, ..Settings::default() };
    let mut field = Field::new(settings);
    assert_eq!((field.finder.grid().width(), field.finder.grid().height()), (24, 10));
    assert_eq!((field.start, field.goal), (Cell::new(2, 5), Cell::new(19, 6)));
    field.given = Some(map_file::parse("G..\n.#S").unwrap());
    settings.ground = Ground::Given;
    field.fill(settings);
    assert_eq!((field.start, field.goal), (Cell::new(2, 0), Cell::new(0, 1)));
    assert!(field.place_ends(None, Some(Cell::new(3, 0))).unwrap_err().contains("3 x 2"));
    field.place_ends(None, Some(Cell::new(0, 0))).unwrap();
    assert_eq!(field.goal, Cell::new(0, 0));
    for tiny in ["#", ".", "#.\n.#"] {
        field.given = Some(map_file::parse(tiny).unwrap());
        field.fill(settings);
        assert!(field.finder.grid().contains(field.start) && field.finder.grid().contains(field.goal));
    }
}

#[test]
fn on_the_soldiers_map_each_rule_has_the_cost_that_the_tutorial_states() {
    use tilepath::Diagonals::{Always, IfAtMostOneObstacle, Never, OnlyWhenNoObstacles};
    for (diagonals, cost) in
        [(Never, 240), (OnlyWhenNoObstacles, 226), (IfAtMostOneObstacle, 224), (Always, 224)]
    {
        let field = Field::new(Settings { ground: Ground::Soldier, diagonals, ..Settings::default() });
        let path = field.finder.find(field.start, field.goal).unwrap().into_path().unwrap();
        assert_eq!(path.cost().get(), cost, "{diagonals}");
    }
}

#[test]
fn a_click_on_a_wall_takes_it_away_and_the_ends_are_never_walled_in() {
    let mut field = Field::new(Settings::default());
    let cell = Cell::new(0, 0);
    assert_eq!(field.stroke_class(Brush::Wall, cell), Some(0));
    assert!(field.set(cell, 0));
    assert_eq!(field.stroke_class(Brush::Wall, cell), Some(1));
    assert!(!field.set(field.start, 0));
    assert!(!field.move_goal(cell) && !field.move_goal(field.start));
    assert!(field.move_goal(Cell::new(0, 11)));
    assert!(!field.set(Cell::new(99, 0), 0), "off the map nothing changes");
}

#[test]
fn the_rules_follow_the_settings() {
    let mut settings = Settings::default();
    let mut field = Field::new(settings);
    settings.set(Setting::Diagonals(tilepath::Diagonals::Never));
    field.follow_rules(settings);
    let path = field.finder.find(field.start, field.goal).unwrap().into_path().unwrap();
    assert_eq!(path.diagonal_steps(), 0);
}
