//! Near fields that units join in slices.
//!
//! If the units join one after the other, the result is the same as with whole joins. In any other
//! order the answers are correct, also with edits between slices.

use super::*;

/// Runs the slices of a unit's join until it has its answer. Returns their number.
fn join_in_slices(
    field: &mut NearField,
    finder: &PathFinder,
    start: Cell,
    slice: u64,
) -> (Result<Option<Cost>, QueryError>, usize) {
    for slices in 1..1_000_000 {
        let before = field.work();
        let answer = field.join_within(finder, start, slice);
        if let Some(answer) = answer {
            return (answer, slices);
        }
        assert!(field.work() >= before + slice, "the slice was not used up");
    }
    panic!("the unit on {start} gets no answer");
}

/// Joins units one after the other in slices, beside a field with whole joins.
fn one_after_the_other(hills: &Hills, slice: u64) {
    let (movement, _) = hills.rules();
    let grid = Grid::from_classes(WIDE as u32, HIGH as u32, hills.classes.clone()).unwrap();
    let mut finder = PathFinder::new(grid, movement);
    let fields = || finder.near_field(hills.goal.into(), MovementId::FIRST).unwrap();
    let (mut whole, mut sliced) = (fields(), fields());
    for Round { joining, edits } in &hills.rounds {
        for &start in joining {
            let cost = whole.join(&finder, start.into()).unwrap();
            let (answer, _) = join_in_slices(&mut sliced, &finder, start.into(), slice);
            assert_eq!(answer, Ok(cost));
        }
        agree(&whole, &sliced);
        edit(&mut finder, edits);
        // If an edit is too large to follow, a field in slices begins again.
        whole.join(&finder, hills.goal.into()).unwrap();
        sliced.join(&finder, hills.goal.into()).unwrap();
    }
}

/// Checks that two fields of the same chunks agree. One of them may have settled more cells.
fn agree(one: &NearField, other: &NearField) {
    let chunks = [one, other].map(|field| field.corridor().collect::<Vec<_>>());
    assert_eq!(chunks[0], chunks[1]);
    for cell in chunks[0].iter().flat_map(Bounds::cells) {
        if let (Some(one), Some(other)) = (one.cost(cell), other.cost(cell)) {
            assert_eq!(one, other, "{cell}");
        }
    }
}

fn edit(finder: &mut PathFinder, edits: &[((i32, i32), (u32, u32), u8)]) {
    for &((x, y), (width, height), class) in edits {
        let (width, height) = (width.min((WIDE - x) as u32), height.min((HIGH - y) as u32));
        finder.set_terrain_in(Bounds::new(Cell::new(x, y), width, height).unwrap(), class).unwrap();
    }
}

/// Joins all units of a round in turns. Edits change the map in the middle of their joins.
fn in_turns(hills: &Hills, slice: u64, turns_before_edits: usize) {
    let (movement, rule) = hills.rules();
    let grid = Grid::from_classes(WIDE as u32, HIGH as u32, hills.classes.clone()).unwrap();
    let mut finder = PathFinder::new(grid, movement.clone());
    let mut field = finder.near_field(hills.goal.into(), MovementId::FIRST).unwrap();
    for Round { joining, edits } in &hills.rounds {
        for turn in 0..turns_before_edits {
            _ = field.join_within(&finder, joining[turn % joining.len()].into(), slice);
        }
        edit(&mut finder, edits);
        let map = TileMap::new("hills", WIDE as u32, HIGH as u32, finder.grid().classes().to_vec());
        let oracle = Oracle::new(&map, &Rules::classic(rule));
        let view = View { finder: &finder, movement: &movement, oracle: &oracle, goal: hills.goal };
        let mut waiting = joining.clone();
        for turn in 0.. {
            assert!(turn < 1_000_000, "{waiting:?} get no answers");
            let Some(&start) = waiting.get(turn % waiting.len().max(1)) else { break };
            if let Some(answer) = field.join_within(&finder, start.into(), slice) {
                assert_eq!(answer, Ok(view.join(&mut field, start)));
                waiting.retain(|&other| other != start);
            }
        }
        view.check_chunks(&field);
    }
}

proptest! {
    #![proptest_config(cases(4))]

    #[test]
    fn one_after_the_other_it_is_the_same_field_as_at_once(hills in hills(), slice in 200_u64..5_000) {
        one_after_the_other(&hills, slice);
    }

    #[test]
    fn in_turns_all_are_answered_as_the_map_is(hills in hills(), slice in 200_u64..5_000, turns in 0_usize..20) {
        in_turns(&hills, slice, turns);
    }
}

#[test]
fn a_slice_is_about_as_much_work_as_was_allowed_where_the_portals_are_known() {
    for kind in [testkit::terrain, testkit::noise] {
        let finder = large(kind);
        let (_, goal) = ends(&finder, (5, 5), (470, 370));
        let places = [(5, 5), (470, 5), (250, 200), (9, 380)];
        let starts = places.map(|place| ends(&finder, place, (goal.x, goal.y)).0);
        let mut before = finder.near_field(goal, MovementId::FIRST).unwrap();
        for start in starts {
            before.join(&finder, start).unwrap();
        }
        let mut field = finder.near_field(goal, MovementId::FIRST).unwrap();
        for start in starts {
            let mut answer = None;
            while answer.is_none() {
                let before = field.work();
                answer = field.join_within(&finder, start, 1_000);
                assert!(field.work() - before < 3_000, "{}", field.work() - before);
            }
        }
        assert!(field.work() > 20_000, "the join took many slices");
    }
}

#[test]
fn a_map_that_grows_while_a_unit_joins_begins_again() {
    let mut finder = large(testkit::noise);
    let (start, goal) = ends(&finder, (5, 5), (470, 370));
    let mut field = finder.near_field(goal, MovementId::FIRST).unwrap();
    assert_eq!(field.join_within(&finder, start, 100), None);
    let work = field.work();
    assert!(work >= 100 && finder.resize(Bounds::new(Cell::new(-7, 0), 520, 401).unwrap(), 0));
    assert_eq!(field.join_within(&finder, start, 100), None);
    assert!(field.work() >= work + 100, "work is never forgotten");
    let mut fresh = finder.near_field(goal, MovementId::FIRST).unwrap();
    assert_eq!(join_in_slices(&mut field, &finder, start, 1_000).0, fresh.join(&finder, start));
    agree(&field, &fresh);
}
