//! The grid: terrain, start and goal.

use rand::Rng;
use testkit::{Seed, TileMap};
use tilepath::{Cell, Grid, Movement, PathFinder, format};
use tilepath_examples::map_file::{self, MarkedMap};

use crate::settings::{Brush, Ground, Settings, Size};

/// What the laboratory opens with: the top row first, `S` its start and `G` its goal.
const USUAL: &str = "
    ................
    ..##########....
    ...........#....
    ...22222...#.G..
    ...24442...#....
    ...24842...#....
    ...24442...#....
    ...22222...#..#.
    ...........#..#.
    .S....######..#.
    .........44...#.
    .........44.....
";
/// The map of the command line's examples, and the ends of their path: column and row, counted from the top left.
const FORD: &str = include_str!("../../assets/maps/ford.txt");
const FORD_ENDS: [(u32, u32); 2] = [(2, 4), (19, 3)];
/// The soldier's tutorial: its map, where the soldier stands and where it is sent, counted from the top left.
const SOLDIER: &str = include_str!("../../assets/maps/tutorial.txt");
const SOLDIER_ENDS: [(u32, u32); 2] = [(2, 2), (9, 9)];
/// A new random pair is at least so far apart: columns plus rows.
const APART: u32 = 10;
/// Of scattered walls this many in a hundred cells.
const SCATTERED: u32 = 24;

/// The grid with the two ends of the query, and the route that is proposed.
pub(crate) struct Field {
    pub(crate) finder: PathFinder,
    pub(crate) start: Cell,
    pub(crate) goal: Cell,
    /// Empty where nothing is proposed.
    pub(crate) proposal: Vec<Cell>,
    /// The map of --map.
    pub(crate) given: Option<MarkedMap>,
    /// Counts what was drawn by lot, so that the same keys give the same maps.
    draws: u32,
}

impl Field {
    pub(crate) fn new(settings: Settings) -> Self {
        let nothing = Cell::new(0, 0);
        let mut field = Self {
            finder: PathFinder::new(known(USUAL).grid, movement(settings)),
            start: nothing,
            goal: nothing,
            proposal: Vec::new(),
            given: None,
            draws: 0,
        };
        field.fill(settings);
        field
    }

    /// Another grid as the settings say, and another pair on it.
    pub(crate) fn fill(&mut self, settings: Settings) {
        match (settings.ground, &self.given) {
            (Ground::Usual, _) if settings.size == Size::Small => self.show(known(USUAL), settings),
            (Ground::Ford, _) => self.show(between(known(FORD), FORD_ENDS), settings),
            (Ground::Soldier, _) => self.show(between(known(SOLDIER), SOLDIER_ENDS), settings),
            (Ground::Given, Some(given)) => self.show(given.clone(), settings),
            _ => {
                let grid = self.generated(settings);
                self.show(MarkedMap { grid, start: None, goal: None }, settings);
            }
        }
    }

    /// Takes a map, and its marks; where it has none a pair is drawn by lot.
    fn show(&mut self, map: MarkedMap, settings: Settings) {
        self.proposal.clear();
        self.finder = PathFinder::new(map.grid, movement(settings));
        if map.start.is_none() || map.goal.is_none() {
            self.draw_pair();
        }
        self.start = map.start.unwrap_or(self.start);
        self.goal = map.goal.unwrap_or(self.goal);
    }

    fn generated(&mut self, settings: Settings) -> Grid {
        let (width, height) = settings.size.cells();
        let seed = self.seed();
        let mut map = match settings.ground {
            Ground::Usual => testkit::cluttered(width, height, SCATTERED, &seed),
            Ground::Rooms => testkit::rooms(width, height, 5, &seed),
            Ground::Maze => testkit::maze(width, height, 1, &seed),
            Ground::Caves => testkit::caves(width, height, &seed),
            Ground::Terrain => testkit::terrain(width, height, 4, 14, &seed),
            Ground::Open | Ground::Ford | Ground::Soldier | Ground::Given => testkit::open(width, height),
        };
        if settings.ground == Ground::Terrain {
            dress(&mut map);
        }
        Grid::from_classes(width, height, map.classes).expect("the sizes are small")
    }

    /// Puts the ends where the command line wants them.
    ///
    /// # Errors
    /// Names the cell that is not on the map.
    pub(crate) fn place_ends(&mut self, start: Option<Cell>, goal: Option<Cell>) -> Result<(), String> {
        let grid = self.finder.grid();
        for cell in start.into_iter().chain(goal) {
            if !grid.contains(cell) {
                let (width, height) = (grid.width(), grid.height());
                return Err(format!("{cell} is not on the map of {width} x {height} cells, counted from 0"));
            }
        }
        self.start = start.unwrap_or(self.start);
        self.goal = goal.unwrap_or(self.goal);
        Ok(())
    }

    fn seed(&mut self) -> Seed {
        self.draws += 1;
        Seed::named(&format!("laboratory {}", self.draws))
    }

    /// A new random pair of open cells, at least ten steps apart where there is such a pair.
    pub(crate) fn draw_pair(&mut self) {
        self.proposal.clear();
        let grid = self.finder.grid();
        let open: Vec<Cell> = grid
            .bounds()
            .cells()
            .filter(|&cell| grid.terrain(cell).is_some_and(|class| class != 0))
            .collect();
        let mut generator = self.seed().generator();
        // From the middle of a small map some cells have no partner: a few tries find one that has.
        for _ in 0..200 {
            let Some(&start) = open.get(generator.random_range(0..open.len().max(1))) else { break };
            let far: Vec<Cell> = open.iter().copied().filter(|&goal| apart(start, goal) >= APART).collect();
            if !far.is_empty() {
                (self.start, self.goal) = (start, far[generator.random_range(0..far.len())]);
                return;
            }
        }
        // A map too small, or too full of walls: the open cells that lie furthest apart in its own order.
        let corner = Cell::new(0, 0);
        self.start = open.first().copied().unwrap_or(corner);
        self.goal = open.last().copied().unwrap_or(corner);
    }

    /// Takes every wall and all terrain away.
    pub(crate) fn clear(&mut self) {
        let cells: Vec<Cell> = self.finder.grid().bounds().cells().collect();
        for cell in cells {
            self.set(cell, 1);
        }
    }

    /// Changes the ground; says whether that made a difference. Start and goal are never walled in.
    pub(crate) fn set(&mut self, cell: Cell, class: u8) -> bool {
        if class == 0 && (cell == self.start || cell == self.goal) {
            return false;
        }
        self.finder.set_terrain(cell, class).unwrap_or(false)
    }

    /// What a stroke of the brush that begins at a cell leaves: the brush's ground, or plain ground where that is already
    /// there. So a click on a wall takes it away.
    pub(crate) fn stroke_class(&self, brush: Brush, cell: Cell) -> Option<u8> {
        let class = brush.class()?;
        Some(if self.finder.grid().terrain(cell) == Some(class) { 1 } else { class })
    }

    /// Puts the start somewhere else; not onto a wall, and not onto the goal.
    pub(crate) fn move_start(&mut self, cell: Cell) -> bool {
        let may = cell != self.goal && cell != self.start && self.is_open(cell);
        if may {
            self.start = cell;
            self.proposal.clear();
        }
        may
    }

    /// Puts the goal somewhere else; not onto a wall, and not onto the start.
    pub(crate) fn move_goal(&mut self, cell: Cell) -> bool {
        let may = cell != self.start && cell != self.goal && self.is_open(cell);
        if may {
            self.goal = cell;
            self.proposal.clear();
        }
        may
    }

    fn is_open(&self, cell: Cell) -> bool {
        self.finder.grid().terrain(cell).is_some_and(|class| class != 0)
    }

    /// Lets the rules follow the settings.
    pub(crate) fn follow_rules(&mut self, settings: Settings) {
        let known = self.finder.set_movement(tilepath::MovementId::FIRST, movement(settings));
        debug_assert!(known.is_ok(), "every finder has a first movement");
    }
}

fn movement(settings: Settings) -> Movement {
    Movement::new().with_diagonals(settings.diagonals)
}

/// A map that is part of the program.
fn known(text: &str) -> MarkedMap {
    map_file::parse(text).expect("the maps of the program are sound, as a test says")
}

/// A map with its two ends.
fn between(map: MarkedMap, ends: [(u32, u32); 2]) -> MarkedMap {
    let [start, goal] = ends.map(|(column, row)| format::cell_from_top(&map.grid.bounds(), column, row));
    MarkedMap { start, goal, ..map }
}

/// Columns plus rows between two cells.
fn apart(a: Cell, b: Cell) -> u32 {
    a.x.abs_diff(b.x) + a.y.abs_diff(b.y)
}

/// Levels become the brushes' ground, so that each can be painted again.
fn dress(map: &mut TileMap) {
    for class in &mut map.classes {
        *class = match *class {
            0 => 0,
            1 => 8,
            2 => 1,
            3 => 2,
            _ => 4,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Setting;

    #[test]
    fn every_size_and_ground_has_a_pair_that_is_far_enough_apart() {
        for size in Size::ALL {
            for ground in Ground::ALL.into_iter().filter(|ground| !ground.is_file()) {
                let settings = Settings { size, ground, ..Settings::default() };
                let mut field = Field::new(settings);
                assert_eq!((field.finder.grid().width(), field.finder.grid().height()), size.cells());
                for _ in 0..20 {
                    assert!(apart(field.start, field.goal) >= APART, "{size:?} {ground:?}");
                    assert!(field.is_open(field.start) && field.is_open(field.goal));
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
}
