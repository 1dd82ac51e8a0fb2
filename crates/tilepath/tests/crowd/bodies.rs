//! Encounters of bodies of each kind.

use tilepath::{
    Cell, Cost, Direction, Grid, Movement, MovementId, PathFinder, Size,
    crowd::{
        Activity, Body, Crowd, CrowdError, EFFORT_PER_STRAIGHT_STEP, FieldGuide, Lead, LocalField, Patience,
        Policy, RecordedTick, Steps, TickDifference, Way, WayGuide,
    },
    field::FlowField,
    format,
    recording::{RecordedEntry, Recorder, Recording, RecordingFault, RecordingFileError},
};

const UNDER_WAY: Activity = Activity::UnderWay { since: 0 };

/// Makes a finder, and a field to each of the goals.
pub(crate) fn fields_to(grid: Grid, movement: Movement, goals: &[Cell]) -> (PathFinder, Vec<FlowField>) {
    let finder = PathFinder::new(grid, movement);
    let fields = goals.iter().map(|&goal| finder.field(&[goal]).unwrap()).collect();
    (finder, fields)
}

pub(crate) fn guide<'map>(
    finder: &'map PathFinder,
    fields: &'map [FlowField],
    field_of: &'map [u32],
) -> FieldGuide<'map> {
    FieldGuide { steps: Steps::new(finder, MovementId::FIRST).unwrap(), fields, field_of }
}

/// Returns the file of a recording with this tick alone.
pub(crate) fn file_of(finder: &PathFinder, tick: RecordedTick) -> String {
    let mut recorder = Recorder::new(finder);
    recorder.note_crowd(finder, tick);
    recorder.into_recording().to_ron()
}

/// Reads the tick from the file of a recording.
pub(crate) fn tick_of(file: &str) -> Result<RecordedTick, RecordingFileError> {
    let recording = Recording::from_text(file)?;
    let [RecordedEntry::Crowd(tick)] = recording.entries() else { panic!("{file}") };
    Ok((**tick).clone())
}

#[test]
fn a_column_walks_as_one() {
    let goals: Vec<Cell> = (4..8).map(|x| Cell::new(x, 0)).collect();
    let (finder, fields) = fields_to(Grid::new(8, 1, 1).unwrap(), Movement::new(), &goals);
    let mut guide = guide(&finder, &fields, &[3, 2, 1, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let bodies: Vec<_> = (0..4_u32)
        .map(|place| {
            let cell = Cell::new(3 - place as i32, 0);
            crowd.insert(&Body { activity: UNDER_WAY, ..Body::new(place, cell) }).unwrap()
        })
        .collect();
    for _ in 0..4 {
        crowd.tick(&mut guide);
    }
    let cells: Vec<Cell> = bodies.iter().map(|&body| crowd.cell(body)).collect();
    assert_eq!(cells, [7, 6, 5, 4].map(|x| Cell::new(x, 0)), "the body took a step in each tick");
}

#[test]
fn tick_recorded_with_other_decisions_is_reported() {
    let (finder, fields) = fields_to(Grid::new(8, 1, 1).unwrap(), Movement::new(), &[Cell::new(7, 0)]);
    let mut guide = guide(&finder, &fields, &[0]);
    let mut crowd = Crowd::new(finder.grid());
    crowd.insert(&Body { activity: UNDER_WAY, ..Body::new(4, Cell::new(3, 0)) }).unwrap();
    let file = file_of(&finder, crowd.tick_recorded(&mut guide));
    let (before, after) = file.rsplit_once("from: (4, 0)").unwrap();
    let other = tick_of(&format!("{before}from: (3, 0){after}")).unwrap();
    let difference = other.replay().unwrap_err();
    assert_eq!(
        difference.to_string(),
        "body 4 goes from (4, 0) to (4, 0) here, but went from (3, 0) to (4, 0) in the recording"
    );
    let unasked = file.replace("Around(0, 3)", "Around(0, 5)");
    assert!(matches!(
        tick_of(&unasked).unwrap().replay(),
        Err(TickDifference::NewQuestion { body: 0, slot: 3 })
    ));
    for (old, new, message) in [
        ("from: (3, 0)", "from: (9, 0)", "body 0 of the crowd is invalid: it would stand off the map"),
        ("id: 0", "id: 3000000000", "body 3000000000 of the crowd is invalid: its id is too large"),
        ("Holds", "Leaves", "the entries of cell (3, 0) do not match the bodies of the crowd"),
    ] {
        let error = tick_of(&file.replacen(old, new, 1)).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn recorded_tick_with_a_map_too_large_is_refused() {
    let (finder, fields) = fields_to(Grid::new(8, 1, 1).unwrap(), Movement::new(), &[Cell::new(7, 0)]);
    let mut guide = guide(&finder, &fields, &[0]);
    let mut crowd = Crowd::new(finder.grid());
    crowd.insert(&Body { activity: UNDER_WAY, ..Body::new(4, Cell::new(3, 0)) }).unwrap();
    let file = file_of(&finder, crowd.tick_recorded(&mut guide));
    let (map, tick) = file.split_once("Crowd(").unwrap();
    let wider = |width: u32, height: u32| {
        let size = format!("width: {width}, height: {height}");
        tick_of(&format!("{map}Crowd({}", tick.replace("width: 8, height: 1", &size)))
    };
    assert!(wider(1000, 1000).is_ok());
    let error = wider(8000, 9000).unwrap_err();
    assert_eq!(error.fault, RecordingFault::TooManyCells { cells: 8 + 72_000_000 });
}

#[test]
fn recorded_tick_replays_bodies_with_gaps_between_ids() {
    let goals = [Cell::new(7, 0), Cell::new(6, 0), Cell::new(5, 0)];
    let (finder, fields) = fields_to(Grid::new(8, 1, 1).unwrap(), Movement::new(), &goals);
    let mut guide = guide(&finder, &fields, &[2, 2, 1, 2, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let ids: Vec<_> = (0..5)
        .map(|x| crowd.insert(&Body { activity: UNDER_WAY, ..Body::new(x, Cell::new(x as i32, 0)) }).unwrap())
        .collect();
    for gone in [0, 1, 3] {
        crowd.remove(ids[gone]);
    }
    let file = file_of(&finder, crowd.tick_recorded(&mut guide));
    let read = tick_of(&file).unwrap();
    assert_eq!((read.before().len(), read.before()[0].id, read.after()[1].id), (2, 2, 4));
    assert_eq!(read.after()[1].to, Cell::new(5, 0));
    assert_eq!(read.replay(), Ok(()));
    let unasked = file.replace("Around(4, 4)", "Around(4, 5)");
    assert!(matches!(
        tick_of(&unasked).unwrap().replay(),
        Err(TickDifference::NewQuestion { body: 4, slot: 4 })
    ));
}

#[test]
fn one_held_within_a_step_and_one_behind_it_do_not_walk() {
    let goals = [Cell::new(7, 0), Cell::new(6, 0)];
    let (finder, fields) = fields_to(Grid::new(8, 1, 1).unwrap(), Movement::new(), &goals);
    let mut guide = guide(&finder, &fields, &[0, 1]);
    let mut crowd = Crowd::new(finder.grid());
    let [first, behind] = [1_u32, 0].map(|x| {
        let body = Body {
            activity: UNDER_WAY,
            stride: EFFORT_PER_STRAIGHT_STEP / 8,
            ..Body::new(x, Cell::new(x as i32, 0))
        };
        crowd.insert(&body).unwrap()
    });
    for _ in 0..3 {
        crowd.tick(&mut guide);
    }
    assert!(crowd.is_walking(first) && crowd.is_walking(behind));
    crowd.set_stride(first, 0);
    crowd.tick(&mut guide);
    assert!(crowd.step(first).is_some() && !crowd.is_walking(first));
    crowd.tick(&mut guide);
    assert!(crowd.step(behind).is_some() && !crowd.is_walking(behind));
    assert_eq!(crowd.waiting(behind).unwrap().by, Some(first));
    crowd.set_stride(first, EFFORT_PER_STRAIGHT_STEP / 8);
    crowd.tick(&mut guide);
    assert!(crowd.is_walking(first) && crowd.is_walking(behind));
}

#[test]
fn a_ring_turns_as_fast_as_its_slowest() {
    let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(Cell::from);
    let (finder, fields) = fields_to(Grid::new(2, 2, 1).unwrap(), Movement::new(), &corners);
    let mut guide = guide(&finder, &fields, &[1, 2, 3, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let bodies: Vec<_> = (0..4_u32)
        .map(|place| {
            let body = Body {
                activity: UNDER_WAY,
                stride: EFFORT_PER_STRAIGHT_STEP / (place + 1),
                ..Body::new(place, corners[place as usize])
            };
            crowd.insert(&body).unwrap()
        })
        .collect();
    for tick in 1..4 {
        crowd.tick(&mut guide);
        let shares: Vec<f32> = bodies.iter().map(|&body| crowd.step(body).unwrap().share).collect();
        assert_eq!(shares, [tick as f32 / 4.0; 4]);
    }
    crowd.tick(&mut guide);
    let cells: Vec<Cell> = bodies.iter().map(|&body| crowd.cell(body)).collect();
    assert_eq!(cells, [1, 2, 3, 0].map(|place: usize| corners[place]));
}

#[test]
fn fixed_bodies_stay_and_fliers_pass() {
    let goals = [Cell::new(4, 0)];
    let (finder, fields) = fields_to(Grid::new(5, 1, 1).unwrap(), Movement::new(), &goals);
    let mut guide = guide(&finder, &fields, &[0, 0, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let crate_on_the_way = Body { activity: Activity::Fixed, ..Body::new(0, Cell::new(2, 0)) };
    let crate_on_the_way = crowd.insert(&crate_on_the_way).unwrap();
    let walker = crowd.insert(&Body { activity: UNDER_WAY, ..Body::new(1, Cell::new(0, 0)) }).unwrap();
    let flier = Body { activity: UNDER_WAY, layer: 2, blocks: 2, ..Body::new(2, Cell::new(0, 0)) };
    let flier = crowd.insert(&flier).unwrap();
    for _ in 0..6 {
        crowd.tick(&mut guide);
    }
    assert_eq!([walker, flier].map(|body| crowd.cell(body)), [Cell::new(1, 0), Cell::new(4, 0)]);
    let waiting = crowd.waiting(walker).unwrap();
    assert_eq!((waiting.cell, waiting.by), (Some(Cell::new(2, 0)), Some(crate_on_the_way)));
    assert_eq!(waiting.ticks, 5);
    crowd.remove(crate_on_the_way);
    crowd.tick(&mut guide);
    assert_eq!(crowd.cell(walker), Cell::new(2, 0));
}

#[test]
fn a_large_body_pushes_small_ones() {
    let size = Size::new(2).unwrap();
    let (finder, fields) =
        fields_to(Grid::new(8, 2, 1).unwrap(), Movement::new().with_size(size), &[Cell::new(4, 0)]);
    let mut wide = guide(&finder, &fields, &[0, 0, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let wagon = Body { size, activity: UNDER_WAY, ..Body::new(0, Cell::new(0, 0)) };
    let wagon = crowd.insert(&wagon).unwrap();
    crowd.tick(&mut wide);
    assert_eq!(crowd.cell(wagon), Cell::new(1, 0));
    // The guide covers only anchors of the wagon, and that is enough: the two bodies ahead of it
    // step east.
    for y in 0..2 {
        crowd.insert(&Body::new(1 + y as u32, Cell::new(4, y))).unwrap();
    }
    for _ in 0..3 {
        crowd.tick(&mut wide);
    }
    assert_eq!(
        crowd.cell(wagon),
        Cell::new(2, 0),
        "the upper body has no cell in the guide and cannot make way, so neither body does"
    );

    let (finder, fields) = fields_to(Grid::new(8, 1, 1).unwrap(), Movement::new(), &[Cell::new(7, 0)]);
    let mut narrow = guide(&finder, &fields, &[0, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let small = crowd.insert(&Body { activity: UNDER_WAY, ..Body::new(0, Cell::new(0, 0)) }).unwrap();
    crowd.insert(&Body::new(1, Cell::new(2, 0))).unwrap();
    for _ in 0..7 {
        crowd.tick(&mut narrow);
    }
    assert_eq!(crowd.cell(small), Cell::new(6, 0), "the resting body is pushed to the end");
}

#[test]
fn bodies_put_onto_each_other_part() {
    let (finder, fields) = fields_to(Grid::new(5, 5, 1).unwrap(), Movement::new(), &[Cell::new(2, 2)]);
    let mut guide = guide(&finder, &fields, &[0; 12]);
    let mut crowd = Crowd::new(finder.grid());
    let bodies: Vec<_> =
        (0..12).map(|number| crowd.insert(&Body::new(number, Cell::new(2, 2))).unwrap()).collect();
    assert!(bodies.iter().all(|&body| crowd.overlaps(body)));
    for _ in 0..40 {
        crowd.tick(&mut guide);
    }
    assert!(bodies.iter().all(|&body| !crowd.overlaps(body)));
}

#[test]
fn bodies_without_room_on_the_map_are_refused() {
    let mut crowd = Crowd::new(&Grid::new(5, 5, 1).unwrap());
    let size = Size::new(3).unwrap();
    let error = |cell| CrowdError::OutOfBounds { cell, size };
    for cell in [(3, 0), (0, 3), (-1, 0), (i32::MAX, i32::MIN)].map(Cell::from) {
        assert_eq!(crowd.insert(&Body { size, ..Body::new(0, cell) }), Err(error(cell)));
    }
    let body = crowd.insert(&Body { size, ..Body::new(0, Cell::new(2, 2)) }).unwrap();
    assert_eq!(crowd.place(body, Cell::new(3, 2)), Err(error(Cell::new(3, 2))));
    assert_eq!(crowd.cell(body), Cell::new(2, 2));
}

#[test]
fn any_speed_is_defined() {
    let (finder, fields) = fields_to(Grid::new(20, 2, 1).unwrap(), Movement::new(), &[Cell::new(19, 0)]);
    let mut guide = guide(&finder, &fields, &[0, 0]);
    let mut crowd = Crowd::new(finder.grid());
    let fast = Body { stride: u32::MAX, activity: UNDER_WAY, ..Body::new(0, Cell::new(0, 0)) };
    let still = Body { stride: 0, activity: UNDER_WAY, ..Body::new(1, Cell::new(0, 1)) };
    let [fast, still] = [fast, still].map(|body| crowd.insert(&body).unwrap());
    crowd.tick(&mut guide);
    assert_eq!([fast, still].map(|body| crowd.cell(body)), [Cell::new(4, 0), Cell::new(0, 1)]);
}

#[test]
fn thirty_sent_to_one_cell_stand_around_it() {
    let goal = Cell::new(15, 15);
    let (finder, fields) = fields_to(Grid::new(30, 30, 1).unwrap(), Movement::new(), &[goal]);
    let field_of = [0; 30];
    let mut guide = guide(&finder, &fields, &field_of);
    let mut crowd = Crowd::new(finder.grid());
    let bodies: Vec<_> = (0..30_u32)
        .map(|number| {
            let cell = Cell::new(number as i32 % 6, number as i32 / 6);
            let body = Body {
                activity: UNDER_WAY,
                goal: Some(7),
                stride: EFFORT_PER_STRAIGHT_STEP / 4,
                ..Body::new(number, cell)
            };
            crowd.insert(&body).unwrap()
        })
        .collect();
    for _ in 0..200 {
        crowd.tick(&mut guide);
        for &body in &bodies {
            let is_there = crowd.step(body).is_none() && crowd.cell(body) == goal;
            // A body that waits for long goes round if a place beyond the others is free. In this
            // test it rests then.
            let waited = crowd.waiting(body).map_or(0, |waiting| waiting.ticks);
            let is_content = Patience::default().at(waited) == Policy::GoRound;
            if is_there || is_content || crowd.is_as_near_as_it_gets(body, goal, &mut guide) {
                crowd.set_activity(body, Activity::Resting, Some(7));
            }
        }
    }
    assert!(
        bodies.iter().all(|&body| crowd.activity(body) == Activity::Resting && crowd.step(body).is_none())
    );
    let farthest = bodies.iter().map(|&body| {
        let cell = crowd.cell(body);
        (cell.x - goal.x).abs().max((cell.y - goal.y).abs())
    });
    assert!(
        farthest.max().unwrap() <= 4,
        "the bodies rest side by side: a square of 6 × 6 has room for them"
    );
}

#[test]
fn body_at_rest_on_its_goal_makes_way_for_others_only() {
    let (finder, fields) =
        fields_to(format::parse_ascii("....").unwrap(), Movement::new(), &[Cell::new(3, 0), Cell::new(1, 0)]);
    for (goal, expected) in [(Some(5), 0), (Some(6), 2), (None, 2)] {
        let field_of = [1, 0];
        let mut guide = guide(&finder, &fields, &field_of);
        let mut crowd = Crowd::new(finder.grid());
        crowd.insert(&Body { goal: Some(5), ..Body::new(0, Cell::new(1, 0)) }).unwrap();
        let comes = Body { goal, activity: UNDER_WAY, ..Body::new(1, Cell::new(0, 0)) };
        let comes = crowd.insert(&comes).unwrap();
        for _ in 0..2 {
            crowd.tick(&mut guide);
        }
        assert_eq!(crowd.cell(comes), Cell::new(expected, 0), "{goal:?}");
    }
}

/// The body comes to the border without a new decision, and nothing lies beyond.
#[test]
fn wanted_cell_is_forgotten_at_the_end_of_the_step() {
    let (finder, fields) = fields_to(Grid::new(3, 3, 1).unwrap(), Movement::new(), &[Cell::new(2, 2)]);
    let mut guide = guide(&finder, &fields, &[0]);
    let mut crowd = Crowd::new(finder.grid());
    let body = crowd.insert(&Body { activity: UNDER_WAY, ..Body::new(0, Cell::new(2, 0)) }).unwrap();
    for y in 1..3 {
        crowd.tick(&mut guide);
        assert_eq!((crowd.cell(body), crowd.step(body)), (Cell::new(2, y), None));
        assert_eq!(crowd.waiting(body).map(|waiting| waiting.cell), Some(None));
    }
}

#[test]
fn body_sent_away_leaves_its_cell_and_a_fixed_body_stays() {
    let finder = PathFinder::new(Grid::new(4, 1, 1).unwrap(), Movement::new());
    let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
    let mut crowd = Crowd::new(finder.grid());
    let idle = crowd.insert(&Body::new(0, Cell::new(3, 0))).unwrap();
    let crate_ = crowd.insert(&Body { activity: Activity::Fixed, ..Body::new(1, Cell::new(0, 0)) }).unwrap();
    crowd.send_away(idle);
    crowd.send_away(crate_);
    for _ in 0..3 {
        let leads = [idle, crate_].map(|body| Lead {
            steps,
            way: Way::default(),
            field: None,
            shared: None,
            at: finder.grid().bounds().slot(crowd.cell(body)).unwrap(),
        });
        crowd.tick(&mut WayGuide::new(&leads));
    }
    assert_eq!([idle, crate_].map(|body| crowd.cell(body)), [Cell::new(2, 0), Cell::new(0, 0)], "one step");
}

#[test]
fn detours_lead_past_the_first_that_stays_or_as_near_as_possible() {
    let finder = PathFinder::new(Grid::new(9, 5, 1).unwrap(), Movement::new());
    let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
    let slot = |cell: Cell| finder.grid().bounds().slot(cell).unwrap();
    let cells: Vec<Cell> = (0..9).map(|x| Cell::new(x, 0)).collect();
    let rests: Vec<Cost> = (0..9).rev().map(|left| Cost::new(10 * left)).collect();
    let goal = LocalField::around(&steps, slot(Cell::new(8, 0)), 8, [(slot(Cell::new(8, 0)), Cost::ZERO)]);
    let mut crowd = Crowd::new(finder.grid());
    let start = Cell::new(2, 0);
    let body = crowd.insert(&Body { activity: UNDER_WAY, ..Body::new(0, start) }).unwrap();
    let lead =
        Lead { steps, way: Way::new(&cells, &rests, 2), field: Some(&goal), shared: None, at: slot(start) };
    let leads = [lead];
    for (number, cell) in (1..).zip((0..4).map(|y| Cell::new(4, y))) {
        crowd.insert(&Body { activity: Activity::Fixed, ..Body::new(number, cell) }).unwrap();
    }
    let round = crowd.detour(body, &lead, &mut WayGuide::new(&leads), 1_000).unwrap();
    assert_eq!((round.first(), round.last().map(|cell| cell.y)), (Some(&start), Some(0)));
    assert!(round.contains(&Cell::new(4, 4)) && round.last().is_some_and(|cell| cell.x > 4), "{round:?}");
    let near = [start, Cell::new(3, 0)];
    let found = crowd.detour(body, &lead, &mut WayGuide::new(&leads), 3);
    assert_eq!(found.as_deref(), Some(&near[..]), "the cells beyond are too far away");

    crowd.insert(&Body { activity: Activity::Fixed, ..Body::new(9, Cell::new(4, 4)) }).unwrap();
    let found = crowd.detour(body, &lead, &mut WayGuide::new(&leads), 1_000);
    assert_eq!(found.as_deref(), Some(&near[..]), "the nearest cell that can be reached");
}

#[test]
fn large_unit_takes_closed_ground_that_it_stands_on_under_its_other_cells_and_enters_no_other() {
    let wagon = Movement::new().with_size(Size::new(2).unwrap());
    let exits = |drawn: &str, slot: usize| {
        let finder = PathFinder::new(format::parse_ascii(drawn).unwrap(), wagon.clone());
        let exits = Steps::new(&finder, MovementId::FIRST).unwrap().exits(slot);
        Direction::ALL.into_iter().filter(|&direction| exits.contains(direction)).collect::<Vec<_>>()
    };
    // The rows begin at the top. The slots are in the lowest row.
    let walled = "......\n.#....\n";
    assert_eq!(exits(walled, 1), [Direction::East, Direction::West], "the wall is under the unit");
    assert_eq!(exits(walled, 0), [Direction::East], "the wall is under the unit here, too");
    assert_eq!(exits(walled, 2), [Direction::East], "the unit does not step back over the wall");
    let walled = "......\n#.#...\n";
    assert_eq!(exits(walled, 1), [Direction::East], "another wall is in the west");
}

#[test]
fn step_that_takes_closed_ground_along_costs_as_much_as_the_cheapest_ground() {
    let wagon = Movement::new().with_size(Size::new(2).unwrap());
    let finder = PathFinder::new(format::parse_ascii(".......\n...#...\n.#.....\n").unwrap(), wagon);
    let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
    let slot = |x, y| finder.grid().bounds().slot(Cell::new(x, y)).unwrap();
    assert_eq!(
        steps.cost(slot(0, 0), Direction::West),
        Cost::new(10),
        "the wall at (1, 0) is still under the unit"
    );
    assert_eq!(steps.cost(slot(2, 0), Direction::East), Cost::ZERO, "no unit enters the wall at (3, 1)");
    assert_eq!(steps.cost(slot(4, 0), Direction::East), Cost::new(10), "open ground");
}
