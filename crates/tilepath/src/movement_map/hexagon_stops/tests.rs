use super::*;
use crate::{bounds::Bounds, cell::Cell};
use proptest::prelude::*;

struct Map {
    rows: BitGrid,
    masks: NeighbourMasks,
    width: u32,
    height: u32,
}

impl Map {
    fn new(width: u32, height: u32, is_open: impl Fn(u32, u32) -> bool) -> Self {
        let mut rows = BitGrid::new(width, height);
        (0..width)
            .flat_map(|x| (0..height).map(move |y| (x, y)))
            .for_each(|(x, y)| rows.set(x, y, is_open(x, y)));
        let bounds = Bounds::new(Cell::new(0, 0), width, height).unwrap();
        Self { masks: NeighbourMasks::new(&rows, &bounds), rows, width, height }
    }

    fn random(width: u32, height: u32, seed: u32, closed_in: u32) -> Self {
        let number = |x: u32, y: u32| (y * width + x + seed).wrapping_mul(2_654_435_761) >> 8;
        Self::new(width, height, |x, y| !number(x, y).is_multiple_of(closed_in))
    }

    fn cells(&self) -> OpenCells<'_> {
        OpenCells { rows: &self.rows, masks: &self.masks, width: self.width, height: self.height }
    }

    fn is_open(&self, (x, y): (i32, i32)) -> bool {
        let is_on_map = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        is_on_map && self.rows.get(x as u32, y as u32)
    }

    /// The rule word for word: a neighbour ahead on one side is open, and the one behind it is
    /// closed.
    fn is_stop(&self, at: (i32, i32), following: Direction) -> bool {
        let open = |sixths| {
            let (dx, dy) = super::super::pruning::turned_sixths(following, sixths).offset();
            self.is_open((at.0 + dx, at.1 + dy))
        };
        open(1) && !open(2) || open(5) && !open(4)
    }

    fn check(&self, stops_of_map: &HexagonStops) {
        for (x, y) in (0..self.width).flat_map(|x| (0..self.height).map(move |y| (x, y))) {
            let flags = stops_of_map.at(stops_of_map.place(x, y));
            let at = (x as i32, y as i32);
            assert_eq!(flags & CLOSED == 0, self.is_open(at), "open, {x}, {y}");
            for following in FOLLOWING {
                let place = format!("{following:?} at {x}, {y} of {} × {}", self.width, self.height);
                assert_eq!(flags & stops(following) != 0, self.is_stop(at, following), "stop, {place}");
                let (dx, dy) = following.offset();
                let mut ahead = (at.0 + dx, at.1 + dy);
                while self.is_open(ahead) && !self.is_stop(ahead, following) {
                    ahead = (ahead.0 + dx, ahead.1 + dy);
                }
                assert_eq!(flags & reaches(following) != 0, self.is_open(ahead), "reaches, {place}");
            }
        }
    }
}

#[test]
fn flags_equal_the_rules_read_cell_by_cell() {
    for (width, height) in [(1, 1), (1, 70), (70, 1), (3, 70), (150, 9), (63, 64), (9, 150)] {
        for closed_in in [2, 5, 40] {
            let map = Map::random(width, height, closed_in, closed_in);
            map.check(&HexagonStops::new(map.cells()));
        }
    }
}

#[test]
fn walks_end_at_the_first_cell_that_is_wanted_or_after_so_many_steps() {
    let map = Map::new(30, 30, |x, y| (x, y) != (20, 10));
    let stops_of_map = HexagonStops::new(map.cells());
    let place = stops_of_map.place(10, 10);
    assert_eq!(stops_of_map.walk(place, Direction::East, CLOSED, u32::MAX).0, 10);
    assert_eq!(stops_of_map.walk(place, Direction::East, CLOSED, 4), (4, 0));
    assert_eq!(stops_of_map.walk(place, Direction::West, CLOSED, u32::MAX).0, 11);
    assert_eq!(stops_of_map.walk(place, Direction::NorthWest, CLOSED, u32::MAX).0, 11);
    assert_eq!(stops_of_map.walk(place, Direction::North, CLOSED, u32::MAX).0, 20);
}

proptest! {
    #[test]
    fn edits_lead_to_the_flags_of_a_fresh_build(
        (width, height) in (1..40_u32, 1..40_u32),
        closed_in in 2..30_u32,
        seed in any::<u32>(),
        batches in prop::collection::vec(
            prop::collection::vec((0..40_u32, 0..40_u32, 1..5_u32, 1..5_u32, any::<bool>()), 1..4), 1..5),
    ) {
        let mut map = Map::random(width, height, seed % 1000, closed_in);
        let mut followed = HexagonStops::new(map.cells());
        for batch in batches {
            let mut areas = Vec::new();
            for (x, y, columns, rows, is_open) in batch {
                let (x, y) = (x % width, y % height);
                let area = Area { columns: x..(x + columns).min(width), rows: y..(y + rows).min(height) };
                let Map { rows, masks, .. } = &mut map;
                masks.follow_edits(rows, &area, |rows| {
                    area.cells().for_each(|(x, y)| rows.set(x, y, is_open));
                });
                areas.push(area);
            }
            followed.follow_edits(map.cells(), &areas);
            prop_assert_eq!(&followed, &HexagonStops::new(map.cells()));
        }
    }
}
