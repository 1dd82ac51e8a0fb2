//! Bodies that have left their paths: each is led back, and does not go to and fro.

use proptest::prelude::*;
use tilepath::{
    Cell, Cost, Diagonals, Direction, Grid, Movement, MovementId, PathFinder, Size, Topology,
    crowd::{Activity, Body, Crowd, Guide as _, Lead, Steps, Way, WayGuide},
    format,
};

/// The distance from its path at which a body is put, at most.
const BESIDE: i32 = 5;

/// A body beside a path on a small map.
#[derive(Clone, Debug)]
struct Scene {
    width: u32,
    classes: Vec<u8>,
    is_hexagonal: bool,
    diagonals: Diagonals,
    size: u8,
    /// True if the path is the cheapest one on this ground, and not on even ground.
    is_cheapest: bool,
    /// See [`Alone`].
    free_steps: u32,
    /// Indices of open cells: the start of the path, its end, and the cell of the body.
    places: [usize; 3],
}

fn scene() -> impl Strategy<Value = Scene> {
    let class = prop_oneof![1 => Just(0_u8), 3 => Just(1_u8), 4 => 2..10_u8];
    let maps = (3..14_u32, 3..14_u32).prop_flat_map(move |(width, height)| {
        (Just(width), proptest::collection::vec(class.clone(), (width * height) as usize))
    });
    let kinds = (
        prop::bool::weighted(0.25),
        proptest::sample::select(&Diagonals::ALL[..]),
        prop_oneof![6 => Just(1_u8), 2 => Just(2), 1 => Just(3)],
        prop::bool::weighted(0.6),
        proptest::sample::select(&[0, 16][..]),
    );
    (maps, kinds, [0..1_000_usize, 0..1_000, 0..1_000]).prop_map(
        |((width, classes), (is_hexagonal, diagonals, size, is_cheapest, free_steps), places)| Scene {
            width,
            classes,
            is_hexagonal,
            diagonals,
            size,
            is_cheapest,
            free_steps,
            places,
        },
    )
}

impl Scene {
    fn grid(&self, classes: Vec<u8>) -> Grid {
        let topology = if self.is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        let height = classes.len() as u32 / self.width;
        Grid::from_classes(self.width, height, classes).unwrap().with_topology(topology)
    }

    fn movement(&self) -> Movement {
        let diagonals = if self.is_hexagonal { Diagonals::Never } else { self.diagonals };
        let size = if self.is_hexagonal { Size::ONE } else { Size::new(self.size).unwrap() };
        Movement::new().with_diagonals(diagonals).with_size(size)
    }

    /// Returns the cells of the path and the cell of the body, if there are such.
    fn path(&self, finder: &PathFinder) -> Option<(Vec<Cell>, Cell)> {
        let movement = self.movement();
        let open: Vec<Cell> =
            finder.grid().bounds().cells().filter(|&cell| movement.is_open(finder.grid(), cell)).collect();
        let [start, goal, _] = self.places.map(|place| open.get(place % open.len().max(1)).copied());
        let even = |&class: &u8| u8::from(class > 0);
        let found = if self.is_cheapest {
            finder.find(start?, goal?)
        } else {
            let even = self.grid(self.classes.iter().map(even).collect());
            PathFinder::new(even, movement.clone()).find(start?, goal?)
        };
        let cells = found.unwrap().into_path()?.into_cells();
        let is_beside = |cell: &Cell| {
            let is_near = |on: &Cell| (on.x - cell.x).abs() <= BESIDE && (on.y - cell.y).abs() <= BESIDE;
            !cells.contains(cell) && cells.iter().any(is_near)
        };
        let beside: Vec<Cell> = open.iter().copied().filter(is_beside).collect();
        let cell = *beside.get(self.places[2] % beside.len().max(1))?;
        Some((cells, cell))
    }
}

/// Returns the remaining cost at each cell of a path.
fn rests(cells: &[Cell], grid: &Grid, movement: &Movement) -> Vec<Cost> {
    let mut rests = vec![Cost::ZERO; cells.len()];
    for (place, pair) in cells.windows(2).enumerate().rev() {
        let direction = Direction::between(pair[0], pair[1]).unwrap();
        let step = movement.step_cost(grid, pair[0], direction).unwrap();
        rests[place] = rests[place + 1].checked_add(step).unwrap();
    }
    rests
}

/// A body alone on a map, and the path that leads it.
struct Alone<'map> {
    finder: &'map PathFinder,
    movement: &'map Movement,
    path: &'map [Cell],
    start: Cell,
    /// The steps without progress after which the body keeps the cell where it has left its path.
    free_steps: u32,
}

impl Alone<'_> {
    /// Returns the cells on which the body stands, one after the other, up to the end of the path. Returns
    /// `None` if the body comes to a cell from which nothing leads it: then it needs another path.
    fn stands(&self, most_ticks: u32) -> Option<Vec<Cell>> {
        let Self { finder, movement, path, start, free_steps } = *self;
        let rests = rests(path, finder.grid(), movement);
        let steps = Steps::new(finder, MovementId::FIRST).unwrap();
        let mut crowd = Crowd::new(finder.grid());
        let activity = Activity::UnderWay { since: 0 };
        let body = crowd.insert(&Body { activity, size: movement.size(), ..Body::new(1, start) }).unwrap();
        let (mut at, mut left_at, mut stood) = (0, None, vec![start]);
        let mut steps_in_vain = 0;
        for _ in 0..most_ticks {
            let cell = crowd.cell(body);
            if path.last() == Some(&cell) {
                break;
            }
            let way = Way::new(path, &rests, at).with_left_at(left_at);
            left_at = way.left_at(cell).filter(|_| steps_in_vain >= free_steps);
            let passed = way.place_of(cell).unwrap_or(0);
            if passed > 0 {
                (at, steps_in_vain) = (at + passed, 0);
            }
            let way = Way::new(path, &rests, at).with_left_at(left_at);
            let slot = finder.grid().bounds().slot(cell).unwrap();
            let leads = [Lead { steps, way, field: None, shared: None, at: slot }];
            let mut guide = WayGuide::new(&leads);
            crowd.tick(&mut guide);
            if stood.last() != Some(&crowd.cell(body)) {
                stood.push(crowd.cell(body));
                steps_in_vain += 1;
            } else if crowd.step(body).is_none() && guide.rest(body, slot).is_none() {
                return None;
            }
        }
        Some(stood)
    }
}

#[test]
fn body_that_keeps_its_square_is_not_led_to_and_fro() {
    let map = "
        9911919
        9.11199
        1.31339
        113.1..
        9999191
        9191399
        1111193
    ";
    let grid = format::parse_ascii(&map.replace('.', "#")).unwrap();
    let movement = Movement::new().with_diagonals(Diagonals::OnlyWhenNoObstacles);
    let finder = PathFinder::new(grid, movement.clone());
    let path = [(2, 3), (1, 3), (0, 3), (0, 4), (0, 5), (0, 6)].map(Cell::from);
    let [kept, kept_late, anew] = [0, 16, u32::MAX].map(|free_steps| {
        let start = Cell::new(4, 0);
        Alone { finder: &finder, movement: &movement, path: &path, start, free_steps }.stands(1_000).unwrap()
    });
    assert_eq!(kept.last(), path.last(), "{kept:?}");
    assert_eq!(kept_late.last(), path.last(), "{kept_late:?}");
    assert!(anew.len() > 100 && !anew.contains(&path[5]), "{} cells", anew.len());
}

/// Returns the number of cases, times the environment variable `TILEPATH_FUZZ` if it is set.
fn cases() -> ProptestConfig {
    let factor = std::env::var("TILEPATH_FUZZ").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    ProptestConfig::with_cases(2_000_u32.saturating_mul(factor))
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn body_beside_its_path_reaches_the_end(scene in scene()) {
        let (grid, movement) = (scene.grid(scene.classes.clone()), scene.movement());
        let finder = PathFinder::new(grid, movement.clone());
        if let Some((path, start)) = scene.path(&finder)
            && let free_steps = scene.free_steps
            && let alone = (Alone { finder: &finder, movement: &movement, path: &path, start, free_steps })
            && let Some(stood) = alone.stands(2_000)
        {
            prop_assert_eq!(stood.last(), path.last(), "{:?}", &stood[stood.len().saturating_sub(8)..]);
        }
    }
}
