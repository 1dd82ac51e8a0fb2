//! The grid: terrain, start and goal.

use rand::Rng;
use testkit::{Seed, TileMap};
use tilepath::{Cell, Grid, Movement, PathFinder, format};

use crate::settings::{Brush, Ground, Settings, Size};

/// What the laboratory opens with: the top row first.
const USUAL: &str = "
    ................
    ..##########....
    ...........#....
    ...22222...#....
    ...24442...#....
    ...24842...#....
    ...24442...#....
    ...22222...#..#.
    ...........#..#.
    ......######..#.
    .........44...#.
    .........44.....
";
const USUAL_START: Cell = Cell::new(1, 2);
const USUAL_GOAL: Cell = Cell::new(13, 8);
/// A new random pair is at least so far apart: columns plus rows.
const APART: u32 = 10;
/// Of scattered walls so many in a hundred cells.
const SCATTERED: u32 = 24;

/// The grid with the two ends of the query, and the route that somebody proposes.
pub(crate) struct Field {
    pub(crate) finder: PathFinder,
    pub(crate) start: Cell,
    pub(crate) goal: Cell,
    /// Empty where nothing is proposed.
    pub(crate) proposal: Vec<Cell>,
    /// Counts what was drawn by lot, so that the same keys give the same maps.
    draws: u32,
}

impl Field {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut field = Self {
            finder: PathFinder::new(usual_grid(), movement(settings)),
            start: USUAL_START,
            goal: USUAL_GOAL,
            proposal: Vec::new(),
            draws: 0,
        };
        if (settings.size, settings.ground) != (Size::Small, Ground::Usual) {
            field.fill(settings);
        }
        field
    }

    /// Another grid as the settings say, and another pair on it.
    pub(crate) fn fill(&mut self, settings: Settings) {
        self.proposal.clear();
        if (settings.size, settings.ground) == (Size::Small, Ground::Usual) {
            self.finder = PathFinder::new(usual_grid(), movement(settings));
            (self.start, self.goal) = (USUAL_START, USUAL_GOAL);
            return;
        }
        let (width, height) = settings.size.cells();
        let seed = self.seed();
        let mut map = match settings.ground {
            Ground::Usual => testkit::cluttered(width, height, SCATTERED, &seed),
            Ground::Open => testkit::open(width, height),
            Ground::Rooms => testkit::rooms(width, height, 5, &seed),
            Ground::Maze => testkit::maze(width, height, 1, &seed),
            Ground::Caves => testkit::caves(width, height, &seed),
            Ground::Terrain => testkit::terrain(width, height, 4, 14, &seed),
        };
        if settings.ground == Ground::Terrain {
            dress(&mut map);
        }
        let grid = Grid::from_classes(width, height, map.classes).expect("the sizes are small");
        self.finder = PathFinder::new(grid, movement(settings));
        self.draw_pair();
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
            let Some(&start) = open.get(generator.random_range(0..open.len().max(1))) else { return };
            let far: Vec<Cell> = open.iter().copied().filter(|&goal| apart(start, goal) >= APART).collect();
            if !far.is_empty() {
                (self.start, self.goal) = (start, far[generator.random_range(0..far.len())]);
                return;
            }
        }
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

fn usual_grid() -> Grid {
    format::parse_ascii(USUAL).expect("the picture above is sound, as a test says")
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
            for ground in Ground::ALL {
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
