//! A yard with guards: a cell in front of a guard costs much.
//!
//! A cell behind the guard costs little.
//!
//! `cargo run -p tilepath --example stealth`, or `… -- --png FILE` for a picture.
//!
//! Three kinds of cost give three paths over one yard. Nodes are plain coordinates in hashed
//! records, and costs are pairs: (time, danger) for the hasty intruder, (danger, time) for the
//! careful one.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

mod picture;

use tilepath::search::{
    AStar, BinaryHeapQueue, CostValue, GoalNode, Heuristic, Problem, Search, SearchSpace, SparseRecords,
};

type Place = (i32, i32);

/// Rows from the top: `#` wall, `S` start, `G` goal, and guards, which look where the arrow points.
const YARD: &str = "
    #################################
    #...............................#
    #...............................#
    #...####............####........#
    #...#..............>...#........#
    #.......####...........#........#
    #S...........<.....###.........G#
    #.......####....................#
    #...#...................^.......#
    #...####........................#
    #..............##......#........#
    #......^.......##......#........#
    #......................#........#
    #################################
";

struct Guard {
    place: Place,
    facing: Place,
}

struct Yard {
    rows: Vec<Vec<char>>,
    guards: Vec<Guard>,
    start: Place,
    goal: Place,
}

/// The range of a guard's sight, in places.
const SIGHT: i32 = 8;

impl Yard {
    fn parse(picture: &str) -> Self {
        let rows: Vec<Vec<char>> = picture.split_whitespace().map(|row| row.chars().collect()).collect();
        let mut yard = Self { rows, guards: Vec::new(), start: (0, 0), goal: (0, 0) };
        for (y, row) in (0..).zip(&yard.rows) {
            for (x, letter) in (0..).zip(row) {
                let place = (x, y);
                let facing = match letter {
                    '<' => (-1, 0),
                    '>' => (1, 0),
                    '^' => (0, -1),
                    'v' => (0, 1),
                    'S' => {
                        yard.start = place;
                        continue;
                    }
                    'G' => {
                        yard.goal = place;
                        continue;
                    }
                    _ => continue,
                };
                yard.guards.push(Guard { place, facing });
            }
        }
        yard
    }

    fn letter(&self, (x, y): Place) -> char {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        row.and_then(|row| row.get(usize::try_from(x).ok()?)).copied().unwrap_or('#')
    }

    /// Returns whether a place is neither a wall nor a guard.
    fn is_free(&self, place: Place) -> bool {
        matches!(self.letter(place), '.' | 'S' | 'G')
    }

    /// Returns whether no wall is on the line between two places.
    fn is_in_view(&self, from: Place, to: Place) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let steps = dx.abs().max(dy.abs());
        (1..steps).all(|step| {
            // Rounded to the nearest place, halves away from the guard's own row and column.
            let along = |delta: i32| (2 * delta * step + delta.signum() * steps) / (2 * steps);
            self.letter((from.0 + along(dx), from.1 + along(dy))) != '#'
        })
    }

    /// Returns the danger of a place: high in front of a guard, more the nearer it is; low beside a
    /// guard, which may turn its head; 0 behind it.
    fn danger(&self, place: Place) -> u32 {
        let seen_by = |guard: &Guard| {
            let (dx, dy) = (place.0 - guard.place.0, place.1 - guard.place.1);
            let distance = dx.abs().max(dy.abs());
            if distance > SIGHT || !self.is_in_view(guard.place, place) {
                return 0;
            }
            let ahead = dx * guard.facing.0 + dy * guard.facing.1;
            let aside = (dx * guard.facing.1).abs() + (dy * guard.facing.0).abs();
            if ahead > 0 && aside <= ahead {
                3 * (SIGHT + 1 - distance)
            } else if ahead >= 0 && distance <= 2 {
                2
            } else {
                0
            }
        };
        self.guards.iter().map(seen_by).sum::<i32>() as u32
    }

    fn distance_to_goal(&self, (x, y): Place) -> u32 {
        x.abs_diff(self.goal.0) + y.abs_diff(self.goal.1)
    }
}

/// A kind of cost: the weights of time and danger, and the least cost of a number of steps.
trait Notion {
    type Cost: CostValue;

    fn step(&self, danger: u32) -> Self::Cost;
    fn least(&self, steps: u32) -> Self::Cost;
}

/// The fastest path, and among the fastest the least dangerous.
struct Hasty;

impl Notion for Hasty {
    type Cost = (u32, u32);

    fn step(&self, danger: u32) -> (u32, u32) {
        (1, danger)
    }

    fn least(&self, steps: u32) -> (u32, u32) {
        (steps, 0)
    }
}

/// The least dangerous path, and among the least dangerous the fastest.
struct Careful;

impl Notion for Careful {
    type Cost = (u32, u32);

    fn step(&self, danger: u32) -> (u32, u32) {
        (danger, 1)
    }

    fn least(&self, steps: u32) -> (u32, u32) {
        (0, steps)
    }
}

/// Accepts a little danger for a shorter path.
struct Balanced {
    steps_worth_a_danger: f64,
}

impl Notion for Balanced {
    type Cost = f64;

    fn step(&self, danger: u32) -> f64 {
        1.0 + f64::from(danger) * self.steps_worth_a_danger
    }

    fn least(&self, steps: u32) -> f64 {
        f64::from(steps)
    }
}

/// The yard for one kind of intruder.
struct Sneaking<'a, T> {
    yard: &'a Yard,
    notion: T,
}

impl<T: Notion> SearchSpace for Sneaking<'_, T> {
    type Node = Place;
    type Cost = T::Cost;
    type Link = Place;
    type Records = SparseRecords<Place, T::Cost>;

    fn key(&self, place: Place) -> Place {
        place
    }

    fn key_count(&self) -> usize {
        0
    }

    fn expand(&self, (x, y): Place, _: Option<Place>, mut emit: impl FnMut(Place, T::Cost, Place)) {
        for next in [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)] {
            if self.yard.is_free(next) {
                emit(next, self.notion.step(self.yard.danger(next)), (x, y));
            }
        }
    }

    fn predecessor(&self, _: Place, link: Place) -> Place {
        link
    }
}

impl<T: Notion> Heuristic<Place, T::Cost> for Sneaking<'_, T> {
    fn estimate(&self, place: Place) -> T::Cost {
        self.notion.least(self.yard.distance_to_goal(place))
    }
}

/// Returns the places from start to goal and their cost, or `None` if there is no path.
fn sneak<T: Notion>(yard: &Yard, notion: T) -> Option<(Vec<Place>, T::Cost)> {
    let space = Sneaking { yard, notion };
    let goal = GoalNode(yard.goal);
    let problem = Problem { space: &space, strategy: &AStar(&space), goal: &goal };
    let mut search =
        Search::<Place, SparseRecords<Place, T::Cost>, BinaryHeapQueue<Place, T::Cost>>::default();
    search.begin(&problem, &[yard.start]);
    search.run(&problem, &mut ());
    let (place, cost) = search.reached()?;
    Some((search.path_to(&space, place)?, cost))
}

/// Draws the yard with a path. Shades show the danger of a place.
fn draw(yard: &Yard, path: &[Place]) -> String {
    let mut picture = String::new();
    for (y, row) in (0..).zip(&yard.rows) {
        picture.push_str("  ");
        for (x, &letter) in (0..).zip(row) {
            let is_on_path = path.contains(&(x, y)) && letter == '.';
            picture.push(match (letter, yard.danger((x, y))) {
                _ if is_on_path => '*',
                ('.', 0) => ' ',
                ('.', 1..=8) => '.',
                ('.', 9..=16) => ':',
                ('.', _) => '%',
                (letter, _) => letter,
            });
        }
        picture.push('\n');
    }
    picture
}

/// Returns the steps of a path, and the danger along it.
fn measure(yard: &Yard, path: &[Place]) -> (usize, u32) {
    let entered = path.get(1..).unwrap_or_default();
    (entered.len(), entered.iter().map(|&place| yard.danger(place)).sum())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let yard = Yard::parse(YARD);
    let ways = [
        (
            "In haste: the fewest steps, and of those ways the least dangerous",
            sneak(&yard, Hasty).map(|way| way.0),
        ),
        (
            "Balanced: a danger of 4 is worth a step",
            sneak(&yard, Balanced { steps_worth_a_danger: 0.25 }).map(|way| way.0),
        ),
        (
            "With care: the least danger, and of those ways the shortest",
            sneak(&yard, Careful).map(|way| way.0),
        ),
    ];
    let mut paths = Vec::new();
    for (title, path) in ways {
        let path = path.unwrap_or_default();
        let (steps, danger) = measure(&yard, &path);
        println!("{title}.\n{steps} steps, danger {danger}.\n\n{}", draw(&yard, &path));
        paths.push(path);
    }
    let measures: Vec<(usize, u32)> = paths.iter().map(|path| measure(&yard, path)).collect();
    assert_eq!(measures, [(32, 240), (42, 25), (44, 18)]);

    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--png") {
        let file = arguments.get(at + 1).ok_or("--png needs the name of a file")?;
        picture::write(file.as_ref(), &yard, &paths)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Careful, Hasty, Place, YARD, Yard, measure, sneak};
    use testkit::EdgeList;

    /// Returns the cost of the cheapest path, from an oracle without pairs.
    fn oracle(yard: &Yard, weigh: impl Fn(u32) -> f64) -> Option<f64> {
        let width = yard.rows[0].len() as i32;
        let slot = |(x, y): Place| (y * width + x) as usize;
        let places = (0..yard.rows.len() as i32).flat_map(|y| (0..width).map(move |x| (x, y)));
        let mut edges = Vec::new();
        for (x, y) in places.filter(|&place| yard.is_free(place)) {
            for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if yard.is_free(next) {
                    edges.push((slot((x, y)), slot(next), weigh(yard.danger(next))));
                }
            }
        }
        let list = EdgeList { node_count: yard.rows.len() * yard.rows[0].len(), edges };
        list.costs_from(slot(yard.start))[slot(yard.goal)]
    }

    #[test]
    fn pairs_are_the_least_in_their_order() {
        let yard = Yard::parse(YARD);
        let (_, (steps, danger)) = sneak(&yard, Hasty).unwrap();
        let expected = oracle(&yard, |danger| 10_000.0 + f64::from(danger));
        assert_eq!(Some(f64::from(steps) * 10_000.0 + f64::from(danger)), expected);
        let (path, (danger, steps)) = sneak(&yard, Careful).unwrap();
        let expected = oracle(&yard, |danger| f64::from(danger) * 10_000.0 + 1.0);
        assert_eq!(Some(f64::from(danger) * 10_000.0 + f64::from(steps)), expected);
        assert_eq!(measure(&yard, &path), (steps as usize, danger));
    }

    #[test]
    fn a_guard_is_dangerous_in_front_and_harmless_behind() {
        let yard = Yard::parse(
            "
            .......
            ...>...
            .....#.
            .......
            ",
        );
        assert!(yard.danger((4, 1)) > yard.danger((6, 1)), "the nearer the worse");
        assert!(yard.danger((6, 1)) > 0);
        assert_eq!(yard.danger((2, 1)), 0, "behind the guard");
        assert_eq!(yard.danger((3, 0)), 2, "beside the guard");
        assert_eq!(yard.danger((6, 3)), 0, "behind the wall");
    }

    #[test]
    fn the_example_runs_and_its_answers_hold() {
        super::main().unwrap();
    }
}
