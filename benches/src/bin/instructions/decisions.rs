//! Decisions of the bodies of a crowd.

use testkit::Seed;
use tilepath::{
    Cell, Cost, Grid, Movement, MovementId, PathFinder, PathQuery, Size,
    crowd::{Activity, Body, BodyId, Crowd, Lead, Steps, Way, WayGuide},
    field::{FieldQuery, FlowField},
};

/// The ticks of a round.
const TICKS: u32 = 64;
const SIDE: u32 = 128;
const GOALS: usize = 16;
/// The cost from which a body that is led by a field gets the next one.
const NEAR: Cost = Cost::new(40);

/// Runs the ticks of a scene. Returns the number of decisions.
pub(crate) fn run(scene: &str, rounds: u32) -> u64 {
    let ticks = TICKS * rounds;
    match scene {
        "field-led" => run_by_fields(ticks, 400, &[(Size::ONE, 1)]),
        "mixed" => {
            let two = Size::new(2).expect("a valid size");
            run_by_fields(ticks, 240, &[(Size::ONE, 1), (two, 1), (Size::ONE, 2)])
        }
        "on-path" => run_by_paths(ticks, &round_trips(64)),
        "off-path" => run_by_paths(ticks, &diagonals()),
        _ => panic!("unknown scene `{scene}`"),
    }
}

/// Runs bodies that go from goal to goal by full fields. They have these sizes and layers in turns.
fn run_by_fields(ticks: u32, count: usize, kinds: &[(Size, u32)]) -> u64 {
    let mut finder = PathFinder::new(cluttered(), Movement::new());
    let movements: Vec<MovementId> =
        kinds.iter().map(|&(size, _)| finder.add_movement(Movement::new().with_size(size))).collect();
    let open = connected_cells(&finder, movements.iter().copied());
    let (goals, starts) = open.split_at(GOALS);
    let fields: Vec<Vec<FlowField>> = (movements.iter())
        .map(|&movement| {
            let query = |&goal| FieldQuery::new([goal]).with_movement(movement);
            goals.iter().map(|goal| finder.solve_field(&query(goal)).expect("on the map")).collect()
        })
        .collect();
    let steps: Vec<Steps> =
        movements.iter().map(|&movement| Steps::new(&finder, movement).expect("it was added")).collect();
    let mut crowd = Crowd::new(finder.grid());
    let mut bodies: Vec<(BodyId, usize, usize)> = (0..count)
        .map(|index| {
            let (kind, goal) = (index % kinds.len(), index % GOALS);
            let (size, layer) = kinds[kind];
            let body = Body { size, layer, blocks: layer, ..Body::new(index as u32, starts[index * 2]) };
            (insert(&mut crowd, body), kind, goal)
        })
        .collect();
    for tick in 0..ticks {
        for (id, kind, goal) in &mut bodies {
            let rest = fields[*kind][*goal].cost(crowd.cell(*id));
            if crowd.step(*id).is_none() && rest.is_some_and(|rest| rest <= NEAR) {
                *goal = (*goal * 7 + id.index() + 1) % GOALS;
                crowd.set_activity(*id, Activity::UnderWay { since: tick }, None);
            }
        }
        let lead = |&(id, kind, goal): &(BodyId, usize, usize)| {
            let at = finder.grid().bounds().slot(crowd.cell(id)).expect("on the map");
            let shared = Some(&fields[kind][goal]);
            Lead { steps: steps[kind], way: Way::default(), field: None, shared, at }
        };
        let leads: Vec<Lead> = bodies.iter().map(lead).collect();
        crowd.tick(&mut WayGuide::new(&leads));
    }
    crowd.decisions()
}

/// The place of a body, and the paths that it gets in turns.
struct Course {
    start: Cell,
    paths: [Vec<Cell>; 2],
    rests: [Vec<Cost>; 2],
}

/// Runs bodies that are led by their paths, one after the other.
fn run_by_paths(ticks: u32, (finder, courses): &(PathFinder, Vec<Course>)) -> u64 {
    let steps = Steps::new(finder, MovementId::FIRST).expect("the first movement");
    let mut crowd = Crowd::new(finder.grid());
    // The body, the path that it has, the place on the path, and the cell where it has left the path.
    let mut bodies: Vec<(BodyId, usize, usize, Option<Cell>)> = (0..)
        .zip(courses)
        .map(|(number, course)| (insert(&mut crowd, Body::new(number, course.start)), 0, 0, None))
        .collect();
    for tick in 0..ticks {
        for ((id, turn, place, left_at), course) in bodies.iter_mut().zip(courses) {
            let cell = crowd.cell(*id);
            let way = Way::new(&course.paths[*turn], &course.rests[*turn], *place);
            match way.place_of(cell) {
                Some(passed) => (*place, *left_at) = (*place + passed, None),
                None => *left_at = way.with_left_at(*left_at).left_at(cell),
            }
            if course.paths[*turn].last() == Some(&cell) {
                (*turn, *place, *left_at) = (1 - *turn, 0, None);
                crowd.set_activity(*id, Activity::UnderWay { since: tick }, None);
            }
        }
        let leads: Vec<Lead> = bodies
            .iter()
            .zip(courses)
            .map(|(&(id, turn, place, left_at), course)| {
                let at = finder.grid().bounds().slot(crowd.cell(id)).expect("on the map");
                let way = Way::new(&course.paths[turn], &course.rests[turn], place).with_left_at(left_at);
                Lead { steps, way, field: None, shared: None, at }
            })
            .collect();
        crowd.tick(&mut WayGuide::new(&leads));
    }
    crowd.decisions()
}

/// Returns bodies that walk to a cell and back, far from each other.
fn round_trips(count: usize) -> (PathFinder, Vec<Course>) {
    let finder = PathFinder::new(cluttered(), Movement::new());
    let open = connected_cells(&finder, [MovementId::FIRST]);
    let ends = open.chunks_exact(2).take(count);
    let path =
        |from, to| finder.find(from, to).expect("on the map").into_path().expect("connected").into_cells();
    let courses =
        ends.map(|ends| course(ends[0], [path(ends[0], ends[1]), path(ends[1], ends[0])])).collect();
    (finder, courses)
}

/// Returns bodies off their paths on even ground. Each path lies four rows from the body, and its
/// last cell is reached first. The next path lies where the body came from.
fn diagonals() -> (PathFinder, Vec<Course>) {
    let finder = PathFinder::new(Grid::new(SIDE, SIDE, 1).expect("within limits"), Movement::new());
    let corners = (8..SIDE as i32 - 16).step_by(12);
    let courses = corners.clone().flat_map(|y| corners.clone().map(move |x| (x, y))).map(|(x, y)| {
        let east = (0..5).map(|step| Cell::new(x + step, y + 4)).collect();
        let west = (0..5).rev().map(|step| Cell::new(x + step, y)).collect();
        course(Cell::new(x, y), [east, west])
    });
    let courses = courses.collect();
    (finder, courses)
}

/// Returns a course over paths on ground of one cost.
fn course(start: Cell, paths: [Vec<Cell>; 2]) -> Course {
    let rests = [0, 1].map(|turn| {
        let cells = &paths[turn];
        let mut rests = vec![Cost::ZERO; cells.len()];
        for place in (1..cells.len()).rev() {
            let (from, to) = (cells[place - 1], cells[place]);
            let step = if from.x != to.x && from.y != to.y { 14 } else { 10 };
            rests[place - 1] = Cost::new(rests[place].get() + step);
        }
        rests
    });
    Course { start, paths, rests }
}

fn insert(crowd: &mut Crowd, body: Body) -> BodyId {
    let body = Body { activity: Activity::UnderWay { since: 0 }, ..body };
    crowd.insert(&body).expect("the start is on the map")
}

fn cluttered() -> Grid {
    let tiles = testkit::cluttered(SIDE, SIDE, 10, &Seed::named("decisions"));
    Grid::from_classes(tiles.width, tiles.height, tiles.classes).expect("within limits")
}

/// Returns the cells from which all these movements reach the same region, shuffled.
fn connected_cells(finder: &PathFinder, movements: impl IntoIterator<Item = MovementId>) -> Vec<Cell> {
    let bounds = finder.grid().bounds();
    let mut cells: Vec<Cell> = bounds.cells().collect();
    for movement in movements {
        let is_reached = |from: Cell, to: Cell| {
            let query = PathQuery::new(from, to).with_movement(movement);
            // A large body stands on no cell of the last row and column.
            finder.is_reachable(&query).unwrap_or(false)
        };
        let hub = cells
            .iter()
            .copied()
            .find(|&hub| cells.iter().filter(|&&cell| is_reached(hub, cell)).count() > 64);
        let hub = hub.expect("a region");
        cells.retain(|&cell| is_reached(hub, cell));
    }
    Seed::named("connected").shuffled(&cells)
}
