//! The unit's turns: cells in reach, and paths cut into turns.

use std::fmt::Write;

use tilepath::{
    Cell, Cost, Path,
    turns::{LongStep, TurnCell, TurnPath, TurnQuery, TurnRange},
};
use tilepath_examples::words;

use crate::{field::Field, settings::Settings};

/// The points of a turn that can be chosen: three, six or twelve straight steps on plain ground.
pub(crate) const POINTS: [u32; 3] = [30, 60, 120];

/// The turns of the unit: its range, and the path with the fewest turns.
pub(crate) struct Turns {
    query: TurnQuery,
    range: TurnRange,
    /// The path to the goal with the fewest turns, if there is one.
    fewest: Option<TurnPath>,
}

impl Turns {
    /// Returns the turns of the unit, or `None` for a unit without turns.
    pub(crate) fn of(field: &Field, settings: Settings) -> Option<Self> {
        let query = TurnQuery::new(field.start, Cost::new(settings.points?))
            .with_no_stop(no_stop(field))
            .with_long_step(settings.long_step);
        let range = field.finder.solve_turns(&query).ok()?;
        let fewest = field.finder.solve_turn_path(&query, field.goal).ok().flatten();
        Some(Self { query, range, fewest })
    }

    /// Returns the cells on which the unit can stop, by turn.
    pub(crate) fn cells(&self) -> &[TurnCell] {
        self.range.cells()
    }

    /// Returns the path to the goal with the fewest turns, or `None` if no path can be walked in
    /// turns.
    pub(crate) const fn fewest(&self) -> Option<&TurnPath> {
        self.fewest.as_ref()
    }

    /// Cuts a path into turns. Returns `None` if it cannot be walked in turns.
    pub(crate) fn cut(&self, field: &Field, path: &Path) -> Option<TurnPath> {
        field.finder.cut_into_turns(path, &self.query).ok().flatten()
    }

    /// Describes in a few words how a path is cut.
    pub(crate) fn in_short(&self, field: &Field, path: &Path) -> String {
        let cut = self.cut(field, path).map(|cut| cut.turns());
        match (cut, self.fewest().map(TurnPath::turns)) {
            (Some(cut), Some(fewest)) if fewest < cut => {
                format!("{}, another path takes {fewest}", counted(cut))
            }
            (Some(cut), _) => counted(cut),
            (None, Some(fewest)) => {
                format!("cannot be walked in turns; another path takes {}", counted(fewest))
            }
            (None, None) => "cannot be walked in turns".into(),
        }
    }

    /// Describes how a path is cut, and the path with the fewest turns.
    pub(crate) fn in_full(&self, field: &Field, path: &Path) -> String {
        let mut text = format!("In turns of {} points: ", self.query.points());
        // Writing to a `String` cannot fail.
        let _ = match self.cut(field, path) {
            Some(cut) => writeln!(text, "{}", ends(&cut)),
            None => writeln!(text, "this path cannot be walked, {}", self.obstacle()),
        };
        let _ = match self.fewest() {
            Some(fewest) if fewest.path().cells() == path.cells() => {
                writeln!(text, "No path takes fewer turns.")
            }
            Some(fewest) => {
                writeln!(text, "In the fewest turns (cost {}): {}", fewest.path().cost(), ends(fewest))
            }
            None => writeln!(text, "No path can be walked in turns, {}.", self.obstacle()),
        };
        text
    }

    /// Describes when the unit can stop on a cell.
    pub(crate) fn of_cell(&self, cell: Cell) -> String {
        match self.range.get(cell) {
            Some(&TurnCell { turn, used, .. }) => {
                format!(
                    "the unit can stop there in turn {turn}, with {used} of {} points used",
                    self.query.points()
                )
            }
            None if self.query.no_stop().contains(&cell) => {
                "a friend stands there: the unit may pass, not stop".into()
            }
            None => "the unit cannot get there in turns".into(),
        }
    }

    /// Returns why a path cannot be walked in turns.
    const fn obstacle(&self) -> &'static str {
        match self.query.long_step() {
            LongStep::Never => "because a step costs more than a turn, or friends stand in the way",
            LongStep::OwnTurn => "because friends stand in the way",
            _ => "by the rule for steps that cost more than a turn, or because friends stand in the way",
        }
    }
}

fn counted(turns: u32) -> String {
    if turns == 1 { "1 turn".into() } else { format!("{turns} turns") }
}

/// Describes how many turns a path takes, and where they end.
fn ends(way: &TurnPath) -> String {
    let cells = way.path().cells();
    let stops: Vec<String> = way.stops().iter().map(|&index| words::place(cells[index])).collect();
    format!("{}, {} points of the last; they end at {}", counted(way.turns()), way.used(), stops.join(", "))
}

/// Returns the cells at which the unit would cover a friend.
fn no_stop(field: &Field) -> Vec<Cell> {
    let side = i32::from(field.unit().side());
    let covering = |&friend: &Cell| {
        (0..side).flat_map(move |dx| (0..side).map(move |dy| Cell::new(friend.x - dx, friend.y - dy)))
    };
    field.friends.iter().flat_map(covering).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Ground;

    /// Returns a corridor from (0, 0) to (15, 0), and settings with these points.
    fn corridor(points: u32, unit: u8) -> (Field, Settings) {
        let settings = Settings { ground: Ground::Open, points: Some(points), unit, ..Settings::default() };
        let mut field = Field::new(settings);
        for x in 0..16 {
            field.set(Cell::new(x, i32::from(unit)), 0);
        }
        field.place_ends(Some(Cell::new(0, 0)), Some(Cell::new(16 - i32::from(unit), 0))).unwrap();
        (field, settings)
    }

    fn cheapest(field: &Field) -> Path {
        field.finder.find(field.start, field.goal).unwrap().into_path().unwrap()
    }

    #[test]
    fn a_path_is_cut_and_a_friend_is_passed_and_not_stopped_on() {
        let (mut field, settings) = corridor(60, 1);
        let stops = |field: &Field| {
            Turns::of(field, settings).unwrap().cut(field, &cheapest(field)).unwrap().stops().to_vec()
        };
        assert_eq!(stops(&field), [6, 12, 15]);
        assert!(field.befriend(Cell::new(12, 0), true));
        assert_eq!(stops(&field), [6, 11, 15]);
        let turns = Turns::of(&field, settings).unwrap();
        assert!(turns.of_cell(Cell::new(12, 0)).starts_with("a friend stands there"));
        assert!(turns.of_cell(Cell::new(13, 0)).contains("in turn 3, with 20 of 60"), "after a stop at 11");
        assert_eq!(turns.in_short(&field, &cheapest(&field)), "3 turns");
        assert!(turns.in_full(&field, &cheapest(&field)).contains("they end at (6, 0), (11, 0), (15, 0)"));
    }

    #[test]
    fn a_large_unit_stops_where_it_covers_no_friend() {
        let (mut field, settings) = corridor(60, 2);
        field.befriend(Cell::new(7, 1), true);
        let turns = Turns::of(&field, settings).unwrap();
        let cut = turns.cut(&field, &cheapest(&field)).unwrap();
        assert_eq!(cut.path().cells()[cut.stops()[0]], Cell::new(5, 0));
    }

    #[test]
    fn a_step_that_costs_more_than_a_turn_is_never_taken_or_takes_one_of_its_own() {
        let (mut field, mut settings) = corridor(60, 1);
        field.set(Cell::new(8, 0), 8);
        let path = cheapest(&field);
        let turns = Turns::of(&field, settings).unwrap();
        assert_eq!(turns.in_short(&field, &path), "cannot be walked in turns");
        assert!(turns.in_full(&field, &path).contains("a step costs more than a turn"));
        assert!(turns.of_cell(Cell::new(8, 0)).contains("cannot get there"));
        settings.long_step = LongStep::OwnTurn;
        let turns = Turns::of(&field, settings).unwrap();
        assert_eq!(turns.cut(&field, &path).unwrap().stops(), [6, 7, 8, 14, 15]);
        assert_eq!(turns.in_short(&field, &path), "5 turns");
    }

    #[test]
    fn another_path_may_take_fewer_turns() {
        // Five steps through mud cost 40 each. They waste 20 of 60 points in every turn, and the
        // path round costs more.
        let walls = ".#####.\n".repeat(7);
        let map = tilepath_examples::map_file::parse(&format!(".......\n{walls}S44444G")).unwrap();
        let settings = Settings { points: Some(60), ground: Ground::Given, ..Settings::default() };
        let mut field = Field::new(Settings::default());
        field.given = Some(map);
        field.fill(settings);
        let turns = Turns::of(&field, settings).unwrap();
        let path = cheapest(&field);
        assert_eq!(
            (path.cost(), turns.in_short(&field, &path)),
            (Cost::new(210), "5 turns, another path takes 4".into())
        );
        let fewest = turns.fewest().unwrap();
        assert_eq!((fewest.path().cost(), fewest.stops()), (Cost::new(220), &[6, 12, 18, 22][..]));
        assert!(
            turns
                .in_full(&field, &path)
                .contains("In the fewest turns (cost 220): 4 turns, 40 points of the last")
        );
    }
}
