//! Random maps and bodies of all kinds: the rules always hold.

use crate::{
    bodies::{file_of, tick_of},
    simulation::{check_all, walkers},
};
use proptest::prelude::*;
use testkit::crowd_faults;
use tilepath::{
    Cell, Cost, Diagonals, Direction, Exits, Grid, Movement, MovementId, PathFinder, Size, Topology,
    crowd::{Activity, Body, BodyId, Crowd, EFFORT_PER_STRAIGHT_STEP, Guide, Steps},
    field::FlowField,
    recording::Recording,
};

/// A guide for bodies of several sizes. Each body has the steps of its size, and a field of its
/// own.
pub(crate) struct SizedGuide<'map> {
    pub(crate) steps: Vec<Steps<'map>>,
    pub(crate) fields: &'map [FlowField],
    /// For each body: the indices of its steps and its field.
    pub(crate) kinds: Vec<(usize, usize)>,
    /// For each body: true if it may make a decision in this tick.
    pub(crate) may_decide: Vec<bool>,
}

impl SizedGuide<'_> {
    fn kind(&self, body: BodyId) -> (usize, usize) {
        assert!(self.may_decide[body.index()], "{body:?} makes no decision in this tick");
        self.kinds[body.index()]
    }
}

impl Guide for SizedGuide<'_> {
    fn exits(&mut self, body: BodyId, slot: usize) -> Exits {
        self.steps[self.kind(body).0].exits(slot)
    }

    fn rest(&mut self, body: BodyId, slot: usize) -> Option<Cost> {
        self.fields[self.kind(body).1].cost_at(slot)
    }

    fn step_cost(&mut self, body: BodyId, entered: usize, direction: Direction) -> Cost {
        self.steps[self.kind(body).0].cost(entered, direction)
    }

    fn effort(&mut self, body: BodyId, _entered: usize, direction: Direction) -> u32 {
        self.steps[self.kind(body).0].effort(direction)
    }
}

/// A drawn body: indices of open cells, and kinds.
#[derive(Clone, Debug)]
struct Drawn {
    start: usize,
    goal: usize,
    size: u8,
    layers: (u32, u32),
    ticks_a_step: u32,
    activity: u8,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let layers = prop_oneof![4 => Just((1, 1)), 1 => Just((2, 2)), 1 => Just((4, 3)), 1 => Just((1, 0))];
    (
        0..1_000_usize,
        0..1_000_usize,
        prop_oneof![5 => Just(1_u8), 2 => Just(2), 1 => Just(3)],
        layers,
        0..12_u32,
        0..10_u8,
    )
        .prop_map(|(start, goal, size, layers, ticks_a_step, activity)| Drawn {
            start,
            goal,
            size,
            layers,
            ticks_a_step,
            activity,
        })
}

/// An action: its tick, the index of the body, the kind of the action, and a place.
type Deed = (usize, usize, u8, usize);

#[derive(Clone, Debug)]
pub(crate) struct World {
    width: u32,
    classes: Vec<u8>,
    diagonals: Diagonals,
    is_hexagonal: bool,
    bodies: Vec<Drawn>,
    deeds: Vec<Deed>,
    ticks: usize,
}

pub(crate) fn world() -> impl Strategy<Value = World> {
    let class = prop_oneof![1 => Just(0_u8), 5 => Just(1_u8), 1 => Just(3_u8)];
    let maps = (3..12_u32, 3..12_u32).prop_flat_map(move |(width, height)| {
        (Just(width), proptest::collection::vec(class.clone(), (width * height) as usize))
    });
    let bodies = proptest::collection::vec(drawn(), 1..40);
    let deeds = proptest::collection::vec((0..60_usize, 0..40_usize, 0..6_u8, 0..1_000_usize), 0..20);
    (maps, proptest::sample::select(&Diagonals::ALL[..]), prop::bool::weighted(0.25), bodies, deeds).prop_map(
        |((width, classes), diagonals, is_hexagonal, bodies, deeds)| World {
            width,
            classes,
            diagonals,
            is_hexagonal,
            bodies,
            deeds,
            ticks: 60,
        },
    )
}

/// A world in which larger bodies rest between smaller ones that are under way for long.
fn world_of_larger_ones() -> impl Strategy<Value = World> {
    let larger =
        (0..1_000_usize, 2..4_u8, 1..9_u32, 1..4_u8).prop_map(|(start, size, ticks_a_step, activity)| {
            Drawn { start, goal: start, size, layers: (1, 1), ticks_a_step, activity }
        });
    let larger = proptest::collection::vec(larger, 1..8);
    (world(), larger).prop_map(|(world, mut bodies)| {
        bodies.extend(world.bodies.into_iter().map(|body| Drawn { size: body.size.min(2), ..body }));
        World { bodies, is_hexagonal: false, ticks: 150, ..world }
    })
}

impl World {
    fn finder(&self) -> PathFinder {
        let height = self.classes.len() as u32 / self.width;
        let topology = if self.is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        let grid =
            Grid::from_classes(self.width, height, self.classes.clone()).unwrap().with_topology(topology);
        let movement = Movement::new().with_diagonals(self.diagonals);
        let mut finder = PathFinder::new(grid, movement.clone());
        if !self.is_hexagonal {
            for side in [2, 3] {
                finder.add_movement(movement.clone().with_size(Size::new(side).unwrap()));
            }
        }
        finder
    }

    /// Runs the ticks with all checks. Returns everything seen, for comparison.
    pub(crate) fn run(&self) -> Vec<String> {
        self.run_by(|crowd, guide| crowd.tick(guide))
    }

    fn run_by(&self, mut tick_of: impl FnMut(&mut Crowd, &mut SizedGuide)) -> Vec<String> {
        let finder = self.finder();
        let grid = finder.grid();
        let movements: Vec<Movement> = finder.movements().cloned().collect();
        let ids: Vec<MovementId> =
            movements.iter().map(|movement| finder.movement_id(movement).unwrap()).collect();
        let open: Vec<Vec<Cell>> = movements
            .iter()
            .map(|movement| grid.bounds().cells().filter(|&cell| movement.is_open(grid, cell)).collect())
            .collect();
        let mut crowd = Crowd::new(grid);
        let (mut bodies, mut names, mut kinds, mut fields) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, drawn) in (0..).zip(&self.bodies) {
            let kind = if self.is_hexagonal { 0 } else { usize::from(drawn.size) - 1 };
            let Some(count) = Some(open[kind].len()).filter(|&count| count > 0) else { continue };
            let body = Body {
                size: movements[kind].size(),
                layer: drawn.layers.0,
                blocks: drawn.layers.1,
                stride: EFFORT_PER_STRAIGHT_STEP
                    .checked_div(drawn.ticks_a_step)
                    .unwrap_or(10 * EFFORT_PER_STRAIGHT_STEP),
                activity: activity(drawn.activity, 0),
                goal: Some(drawn.goal as u32 % 3),
                ..Body::new(number, open[kind][drawn.start % count])
            };
            let is_taken = |cell: Cell| {
                crowd.on(cell).any(|other| {
                    body.excludes(&bodies[names.iter().position(|&name| name == other).unwrap()])
                })
            };
            if body.size.footprint(body.cell).any(is_taken) {
                continue;
            }
            names.push(crowd.insert(&body).unwrap());
            bodies.push(body);
            let goal = open[kind][drawn.goal % count];
            let query = tilepath::field::FieldQuery::new(vec![goal]).with_movement(ids[kind]);
            fields.push(finder.solve_field(&query).unwrap());
            kinds.push((kind, fields.len() - 1));
        }
        let steps = ids.iter().map(|&id| Steps::new(&finder, id).unwrap()).collect();
        let mut guide = SizedGuide { steps, fields: &fields, kinds, may_decide: Vec::new() };
        let mut seen = Vec::new();
        for tick in 0..self.ticks {
            for &(_, which, what, place) in self.deeds.iter().filter(|deed| deed.0 == tick) {
                if names.is_empty() {
                    continue;
                }
                let which = which % names.len();
                let kind = guide.kinds[which].0;
                match what {
                    0 => crowd.set_stride(names[which], EFFORT_PER_STRAIGHT_STEP / (place as u32 % 9 + 1)),
                    1 => {
                        let cell = open[kind][place % open[kind].len()];
                        let is_taken = |cell: Cell| {
                            crowd.on(cell).any(|other| {
                                let other = names.iter().position(|&name| name == other).unwrap();
                                other != which && bodies[which].excludes(&bodies[other])
                            })
                        };
                        if !bodies[which].size.footprint(cell).any(is_taken) {
                            crowd.place(names[which], cell).unwrap();
                        }
                    }
                    2 => {
                        crowd.remove(names[which]);
                        let mut again = bodies[which].clone();
                        again.cell = open[kind][place % open[kind].len()];
                        let is_taken = |cell: Cell| {
                            crowd.on(cell).any(|other| {
                                let other = names.iter().position(|&name| name == other).unwrap();
                                bodies[which].excludes(&bodies[other])
                            })
                        };
                        if again.size.footprint(again.cell).any(is_taken) {
                            // If its place is taken, the body gets a layer of its own.
                            (again.layer, again.blocks) = (1 << 31, 0);
                        }
                        let id = crowd.insert(&again).unwrap();
                        assert_eq!(id, names[which], "the last removed id of this size is reused");
                        bodies[which] = again;
                    }
                    _ => crowd.set_activity(
                        names[which],
                        activity(place as u8 % 10, tick as u32),
                        Some(place as u32 % 3),
                    ),
                }
            }
            guide.may_decide = names.iter().map(|&name| crowd.may_decide(name)).collect();
            tick_of(&mut crowd, &mut guide);
            let now = walkers(&crowd, &bodies, &names);
            let faults = crowd_faults(&now, self.is_hexagonal);
            assert!(faults.is_empty(), "after tick {tick}: {faults:#?}");
            check_all(&now, grid, |index| &movements[guide.kinds[index].0]);
            assert!(names.iter().all(|&name| !crowd.overlaps(name)), "after tick {tick}");
            seen.push(format!("{now:?}"));
        }
        seen
    }
}

fn activity(drawn: u8, since: u32) -> Activity {
    match drawn {
        0 => Activity::Fixed,
        1 | 2 => Activity::Resting,
        3 => Activity::Returning,
        _ => Activity::UnderWay { since },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_wrong_after_any_tick(world in world()) {
        world.run();
    }

    #[test]
    fn nothing_is_wrong_between_larger_bodies_at_rest(world in world_of_larger_ones()) {
        world.run();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    #[test]
    fn the_same_is_decided_each_time(world in world()) {
        prop_assert_eq!(world.run(), world.run());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_recorded_tick_is_decided_again_as_it_was(world in world()) {
        let (finder, mut ticks) = (world.finder(), 0);
        let recorded = world.run_by(|crowd, guide| {
            let tick = crowd.tick_recorded(guide);
            assert_eq!(tick.replay(), Ok(()));
            if ticks % 16 == 3 {
                assert_eq!(tick_of(&file_of(&finder, tick.clone())), Ok(tick));
            }
            ticks += 1;
        });
        prop_assert_eq!(recorded, world.run(), "a recording does not change the run");
    }

    /// Files in which one character was changed. Each is refused, or its replay runs to an end.
    #[test]
    fn a_recorded_tick_that_was_tampered_with_is_refused_or_replayed(
        world in world(),
        changes in proptest::collection::vec((0..1_000_000_usize, "[0-9a-zA-Z,():\\-]"), 40),
    ) {
        let mut file = String::new();
        let (finder, mut ticks) = (world.finder(), 0);
        world.run_by(|crowd, guide| {
            let tick = crowd.tick_recorded(guide);
            if ticks == 17 {
                file = file_of(&finder, tick);
            }
            ticks += 1;
        });
        for (place, letter) in changes {
            let begin = file.find("Crowd(").unwrap_or(0);
            let place = begin + place % (file.len() - begin);
            let text = format!("{}{letter}{}", &file[..place], &file[place + 1..]);
            if let Ok(recording) = Recording::from_text(&text) {
                let _ = recording.replay(|_| ());
            }
        }
    }
}

/// A drawn world. A body of four cells made way for another body, and kept a cell that this one
/// wanted to enter. Both were parts of a ring, which therefore could not close.
#[test]
fn large_body_that_makes_way_may_keep_some_of_its_cells() {
    World {
        width: 6,
        classes: vec![
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1,
        ],
        diagonals: Diagonals::OnlyWhenNoObstacles,
        is_hexagonal: false,
        bodies: vec![
            Drawn { start: 221, goal: 699, size: 1, layers: (4, 3), ticks_a_step: 4, activity: 7 },
            Drawn { start: 102, goal: 0, size: 2, layers: (4, 3), ticks_a_step: 2, activity: 8 },
            Drawn { start: 134, goal: 38, size: 1, layers: (1, 1), ticks_a_step: 4, activity: 7 },
            Drawn { start: 694, goal: 514, size: 3, layers: (1, 0), ticks_a_step: 5, activity: 4 },
            Drawn { start: 72, goal: 407, size: 2, layers: (1, 1), ticks_a_step: 6, activity: 9 },
            Drawn { start: 571, goal: 411, size: 2, layers: (1, 1), ticks_a_step: 1, activity: 4 },
            Drawn { start: 221, goal: 591, size: 1, layers: (2, 2), ticks_a_step: 5, activity: 0 },
            Drawn { start: 566, goal: 54, size: 2, layers: (1, 1), ticks_a_step: 0, activity: 4 },
            Drawn { start: 447, goal: 532, size: 2, layers: (1, 1), ticks_a_step: 11, activity: 6 },
            Drawn { start: 591, goal: 800, size: 3, layers: (1, 1), ticks_a_step: 5, activity: 3 },
            Drawn { start: 478, goal: 266, size: 1, layers: (1, 0), ticks_a_step: 3, activity: 2 },
            Drawn { start: 674, goal: 425, size: 1, layers: (1, 1), ticks_a_step: 3, activity: 0 },
            Drawn { start: 42, goal: 531, size: 1, layers: (1, 1), ticks_a_step: 8, activity: 1 },
            Drawn { start: 758, goal: 93, size: 2, layers: (1, 1), ticks_a_step: 3, activity: 8 },
            Drawn { start: 848, goal: 884, size: 1, layers: (1, 1), ticks_a_step: 9, activity: 7 },
            Drawn { start: 973, goal: 978, size: 3, layers: (2, 2), ticks_a_step: 10, activity: 3 },
            Drawn { start: 860, goal: 272, size: 1, layers: (1, 1), ticks_a_step: 0, activity: 6 },
            Drawn { start: 917, goal: 262, size: 1, layers: (1, 1), ticks_a_step: 10, activity: 8 },
            Drawn { start: 450, goal: 934, size: 1, layers: (1, 1), ticks_a_step: 1, activity: 0 },
            Drawn { start: 174, goal: 552, size: 2, layers: (1, 1), ticks_a_step: 2, activity: 9 },
            Drawn { start: 59, goal: 136, size: 2, layers: (4, 3), ticks_a_step: 6, activity: 9 },
            Drawn { start: 989, goal: 698, size: 1, layers: (1, 1), ticks_a_step: 9, activity: 5 },
            Drawn { start: 724, goal: 887, size: 1, layers: (4, 3), ticks_a_step: 0, activity: 5 },
            Drawn { start: 735, goal: 739, size: 2, layers: (1, 1), ticks_a_step: 10, activity: 2 },
            Drawn { start: 482, goal: 576, size: 1, layers: (2, 2), ticks_a_step: 11, activity: 8 },
            Drawn { start: 487, goal: 645, size: 1, layers: (4, 3), ticks_a_step: 0, activity: 6 },
            Drawn { start: 462, goal: 188, size: 1, layers: (1, 1), ticks_a_step: 6, activity: 7 },
            Drawn { start: 692, goal: 58, size: 2, layers: (1, 1), ticks_a_step: 6, activity: 2 },
            Drawn { start: 134, goal: 19, size: 2, layers: (1, 1), ticks_a_step: 9, activity: 2 },
            Drawn { start: 808, goal: 31, size: 2, layers: (1, 1), ticks_a_step: 3, activity: 9 },
            Drawn { start: 711, goal: 356, size: 2, layers: (4, 3), ticks_a_step: 7, activity: 7 },
            Drawn { start: 757, goal: 880, size: 2, layers: (1, 1), ticks_a_step: 5, activity: 4 },
            Drawn { start: 257, goal: 740, size: 2, layers: (4, 3), ticks_a_step: 2, activity: 6 },
            Drawn { start: 428, goal: 933, size: 1, layers: (1, 1), ticks_a_step: 2, activity: 7 },
            Drawn { start: 276, goal: 368, size: 1, layers: (1, 1), ticks_a_step: 4, activity: 7 },
        ],
        deeds: vec![
            (2, 21, 3, 859),
            (32, 20, 5, 169),
            (0, 29, 2, 949),
            (11, 1, 4, 142),
            (40, 24, 0, 307),
            (57, 36, 5, 718),
            (41, 24, 4, 70),
            (30, 19, 3, 607),
            (38, 12, 3, 7),
        ],
        ticks: 60,
    }
    .run();
}
