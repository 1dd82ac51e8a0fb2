//! Round trips of rules through files.

use proptest::prelude::*;
use std::fmt::Write;
use tilepath::{CostTable, Diagonals, Movement, Size, StepCosts, rules::Rules};

const FORD: &str = include_str!("../../../../assets/rules/ford.ron");

#[test]
fn file_of_the_ford_says_what_its_comments_say() {
    let rules = Rules::from_ron(FORD).unwrap();
    let classes: Vec<_> = rules.classes().collect();
    assert_eq!(classes, [(0, "river"), (1, "road"), (2, "meadow"), (3, "wood"), (4, "ford"), (5, "bog")]);
    assert_eq!((rules.class("bog"), rules.class("Bog"), rules.class_name(9)), (Some(5), None, None));
    let textures = [0, 7, 8, 18, 19, 28, 29, u32::MAX].map(|index| rules.class_of_texture(index));
    assert_eq!(textures, [Some(2), Some(2), Some(1), Some(3), Some(5), Some(4), None, None]);
    assert_eq!(rules.textures().count(), 29);

    let infantry = Movement::new();
    let costs = infantry.costs().clone();
    let wagon = costs.clone().with(2, 4).with(4, 8).with(3, 0).with(5, 0);
    let elephant = costs.with(3, 1).with(5, 9);
    let scout = (1..=5).fold(CostTable::impassable(), |table, class| table.with(class, 1));
    let expected = [
        ("infantry", infantry.clone()),
        ("wagon", infantry.with_costs(wagon).with_diagonals(Diagonals::Never)),
        ("elephant", Movement::new().with_costs(elephant).with_size(Size::new(2).unwrap())),
        ("scout", Movement::new().with_costs(scout).with_overlay("danger")),
    ];
    assert!(rules.movements().eq(expected.iter().map(|(name, movement)| (*name, movement))));
    assert_eq!(rules.movement("scout"), Some(&expected[3].1));
    assert_eq!(rules.movement("boat"), None);
}

#[test]
fn base_movement_may_be_defined_later() {
    let rules = Rules::from_ron(
        r#"(
            movements: {
                "c": (base: "b", costs: {"mud": 0}, overlays: []),
                "b": (base: "a", diagonals: "always", costs: {"mud": 7}),
                "a": (costs: {"grass": 2}, size: 3, steps: (70, 99), overlays: ["smell", "danger"]),
                "closed": (),
                "d": (base: "closed", costs: {"grass": 1}),
            },
            classes: {1: "grass", 2: "mud"},
        )"#,
    )
    .unwrap();
    let names: Vec<&str> = rules.movements().map(|(name, _)| name).collect();
    assert_eq!(names, ["c", "b", "a", "closed", "d"]);
    let a = Movement::new()
        .with_costs(CostTable::impassable().with(1, 2))
        .with_size(Size::new(3).unwrap())
        .with_steps(StepCosts::PRECISE)
        .with_overlay("danger")
        .with_overlay("smell");
    let b = a.clone().with_diagonals(Diagonals::Always).with_costs(a.costs().clone().with(2, 7));
    assert_eq!(rules.movement("a"), Some(&a));
    assert_eq!(rules.movement("b"), Some(&b));
    let c = rules.movement("c").unwrap();
    assert_eq!(c.clone().with_overlay("smell").with_overlay("danger"), b.with_costs(a.costs().clone()));
    assert_eq!(c.overlays(), [""; 0]);
    assert_eq!(rules.movement("closed"), Some(&Movement::new().with_costs(CostTable::impassable())));
    assert_eq!(rules.movement("d").unwrap().costs(), &CostTable::impassable().with(1, 1));
}

#[test]
fn turn_ends_are_read_replaced_and_written() {
    let text = r#"(
        classes: {0: "wall", 1: "land", 2: "water", 3: "hills"},
        movements: {
            "settlers": (costs: {"land": 1, "water": 1}, turn_ends: [("land", "water"), ("hills", "water")]),
            "galley": (base: "settlers", turn_ends: [("water", "land")]),
            "army": (base: "settlers"),
            "flier": (base: "settlers", turn_ends: []),
        },
    )"#;
    let rules = Rules::from_ron(text).unwrap();
    let ends = |name| rules.movement(name).unwrap().turn_ends().to_vec();
    assert_eq!(ends("settlers"), [(1, 2), (3, 2)]);
    assert_eq!(ends("galley"), [(2, 1)]);
    assert_eq!(ends("army"), ends("settlers"));
    assert_eq!(ends("flier"), []);
    assert_eq!(Rules::from_ron(&rules.to_ron()).unwrap(), rules);
}

#[test]
fn chains_of_bases_may_be_long() {
    let mut text = String::from("(classes: {1: \"grass\"}, movements: {");
    for place in 0..5_000 {
        let _ = write!(text, "\"{place}\": (base: \"{}\"),", place + 1);
    }
    text += "\"5000\": (costs: {\"grass\": 3})})";
    let rules = Rules::from_ron(&text).unwrap();
    assert_eq!(rules.movement("0").unwrap().costs().multiplier(1), 3);
}

#[test]
fn everything_that_ron_allows_around_the_rules_is_allowed() {
    let text = "\u{feff}#![enable(implicit_some)]\r\n/* rules */ Rules(\r\n// classes\r\nclasses /* all */: { 0x01 : /* a */ \"g\\u{72}ass\" /* b */, },\r\n\
        textures: { /* one */ 3 /* only */ : \"grass\", 5..=6 : r#\"grass\"#, 4: \"grass\" },\r\n\
        movements: {\"sheep\": Movement(base: /* all */ default, size: 1, ), \"cow\": () } )\r\n// end";
    let rules = Rules::from_ron(text).unwrap();
    assert_eq!(rules.classes().collect::<Vec<_>>(), [(1, "grass")]);
    assert_eq!(rules.textures().collect::<Vec<_>>(), [(3, 1), (4, 1), (5, 1), (6, 1)]);
    assert_eq!(rules.movement("sheep"), Some(&Movement::new()));
    assert_eq!(Rules::from_ron(&text.replace("\r\n", "\n")).unwrap(), rules);
    let rules = Rules::from_ron("(classes: {})").unwrap();
    assert_eq!((rules.classes().count(), rules.textures().count(), rules.movements().len()), (0, 0, 0));
}

#[test]
fn textures_of_one_class_may_overlap_and_lie_anywhere() {
    let last = Rules::MAX_TEXTURE;
    let text = format!(
        "(classes: {{1: \"a\", 2: \"b\"}}, textures: {{{last}: \"a\", 5..=9: \"a\", 0: \"b\", 3..=20: \"a\", 21..=22: \"b\", 7: \"a\"}})"
    );
    let rules = Rules::from_ron(&text).unwrap();
    let of = |index| rules.class_of_texture(index);
    assert_eq!(
        [0, 1, 2, 3, 9, 20, 21, 22, 23].map(of),
        [2, 0, 0, 1, 1, 1, 2, 2, 0].map(|class| (class > 0).then_some(class))
    );
    assert_eq!((of(last), of(last - 1), of(last + 1)), (Some(1), None, None));
    assert!(rules.textures().map(|(index, _)| index).is_sorted());
    assert!(rules.textures().all(|(index, class)| of(index) == Some(class)));
}

/// The stated fields of a movement: the place of its base (its own place for closed, one past the
/// last for default), costs, size, diagonal rule, whether its steps are precise, overlays.
type StatedMovement = (usize, Vec<(usize, u16)>, Option<u8>, Option<usize>, bool, Option<Vec<usize>>);

const NAMES: [&str; 8] = ["", " ", "grass", "Möwe \"x\"", "a\nb", "\\", "tab\t", "\u{1b}"];

fn name(place: usize) -> String {
    format!("{}{place}", NAMES[place % NAMES.len()])
}

fn stated_movement(count: usize) -> impl Strategy<Value = StatedMovement> {
    (
        0..=count,
        prop::collection::btree_map(0..6_usize, prop_oneof![Just(0), any::<u16>()], 0..6),
        prop::option::of(1..=8_u8),
        prop::option::of(0..4_usize),
        any::<bool>(),
        prop::option::of(prop::collection::vec(0..9_usize, 0..3)),
    )
        .prop_map(|(base, costs, size, diagonals, steps, overlays)| {
            (base, costs.into_iter().collect(), size, diagonals, steps, overlays)
        })
}

/// Returns the file, and the movements as code would make them. If a movement has a base, the base
/// has a lower number.
fn written(classes: &[u8], stated: &[StatedMovement]) -> (String, Vec<Movement>) {
    let quoted = |place| format!("{:?}", name(place));
    let mut text = String::from("(classes: {");
    for (place, class) in classes.iter().enumerate() {
        let _ = write!(text, "{class}: {}, ", quoted(place));
    }
    text += "}, movements: {";
    let mut movements: Vec<Movement> = Vec::new();
    for (place, (base, costs, size, diagonals, precise, overlays)) in stated.iter().enumerate() {
        let _ = write!(text, "{}: (", quoted(place));
        let mut movement = match base {
            base if *base < place => {
                let _ = write!(text, "base: {}, ", quoted(*base));
                movements[*base].clone()
            }
            base if *base == stated.len() => {
                text += "base: default, ";
                Movement::new()
            }
            _ => Movement::new().with_costs(CostTable::impassable()),
        };
        let costs: Vec<_> = costs.iter().filter(|(class, _)| *class < classes.len()).collect();
        let listed: Vec<_> =
            costs.iter().map(|(class, cost)| format!("{}: {cost}", quoted(*class))).collect();
        let _ = write!(text, "costs: {{{}}}, ", listed.join(", "));
        let table = costs
            .iter()
            .fold(movement.costs().clone(), |table, (class, cost)| table.with(classes[*class], *cost));
        movement = movement.with_costs(table);
        if let Some(side) = size {
            let _ = write!(text, "size: {side}, ");
            movement = movement.with_size(Size::new(*side).unwrap());
        }
        if let Some(rule) = diagonals {
            let rule = Diagonals::ALL[*rule];
            let _ = write!(text, "diagonals: \"{rule}\", ");
            movement = movement.with_diagonals(rule);
        }
        if *precise {
            text += "steps: (70, 99), ";
            movement = movement.with_steps(StepCosts::PRECISE);
        }
        if let Some(overlays) = overlays {
            let listed: Vec<_> = overlays.iter().map(|place| quoted(*place)).collect();
            let _ = write!(text, "overlays: [{}]", listed.join(", "));
            let plain = Movement::new()
                .with_costs(movement.costs().clone())
                .with_diagonals(movement.diagonals())
                .with_steps(movement.steps())
                .with_size(movement.size());
            movement = overlays.iter().fold(plain, |movement, place| movement.with_overlay(name(*place)));
        }
        text += "), ";
        movements.push(movement);
    }
    (text + "})", movements)
}

proptest! {
    #[test]
    fn movements_are_read_as_they_are_stated_and_again_as_they_are_written(
        classes in prop::collection::btree_set(any::<u8>(), 0..6),
        stated in (0..6_usize).prop_flat_map(|count| prop::collection::vec(stated_movement(count), count)),
    ) {
        let classes: Vec<u8> = classes.into_iter().collect();
        let (text, expected) = written(&classes, &stated);
        let rules = Rules::from_ron(&text).unwrap();
        prop_assert_eq!(rules.movements().map(|(_, movement)| movement.clone()).collect::<Vec<_>>(), expected);
        for (place, class) in classes.iter().enumerate() {
            prop_assert_eq!(rules.class(&name(place)), Some(*class));
        }
        let again = Rules::from_ron(&rules.to_ron()).unwrap();
        prop_assert_eq!(again.lint(), rules.lint());
        prop_assert_eq!(again, rules);
    }

    #[test]
    fn textures_are_of_the_class_of_every_range_over_them_or_refused(
        ranges in prop::collection::vec((0..30_u32, 0..6_u32, 1..4_u8), 0..8),
    ) {
        let mut text = String::from("(classes: {1: \"1\", 2: \"2\", 3: \"3\"}, textures: {");
        for (first, more, class) in &ranges {
            let _ = write!(text, "{first}..={}: \"{class}\", ", first + more);
        }
        let classes_of = |index: u32| {
            let over = ranges.iter().filter(move |(first, more, _)| (*first..=first + more).contains(&index));
            let mut classes: Vec<u8> = over.map(|(_, _, class)| *class).collect();
            classes.sort_unstable();
            classes.dedup();
            classes
        };
        let is_clear = (0..40).all(|index| classes_of(index).len() <= 1);
        match Rules::from_ron(&(text + "})")) {
            Ok(rules) => {
                prop_assert!(is_clear);
                for index in 0..40 {
                    prop_assert_eq!(rules.class_of_texture(index), classes_of(index).first().copied());
                }
                prop_assert_eq!(Rules::from_ron(&rules.to_ron()).unwrap(), rules);
            }
            Err(error) => prop_assert!(!is_clear, "{}", error),
        }
    }

    #[test]
    fn no_text_is_too_much(text in r#"[(){}\[\]:,."=a-c0-3 \n/*]{0,60}"#, cut in 0..1500_usize) {
        let _ = Rules::from_ron(&text);
        let half = &FORD[..FORD.floor_char_boundary(cut)];
        let _ = Rules::from_ron(half);
        let _ = Rules::from_ron(&format!("{half}{text}{}", &FORD[half.len()..]));
        let _ = Rules::from_ron(&format!("(classes: {{{text}}}, textures: {{{text}}}, movements: {{\"a\": ({text})}})"));
    }
}
