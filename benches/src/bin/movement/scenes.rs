//! The scenes: maps, and two sides with their starts and goals.

use std::ops::Range;

use testkit::{Seed, TileMap};
use tilepath::Cell;

/// A map on which two sides walk.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) tiles: TileMap,
    sides: [Side; 2],
    /// The number of bodies of each side.
    bodies: usize,
    /// True if the scene also runs in four ways and on hexagons.
    pub(crate) has_other_ways: bool,
}

/// The rectangles of a side.
struct Side {
    starts: Rectangle,
    goals: Rectangle,
}

#[derive(Clone)]
struct Rectangle {
    columns: Range<i32>,
    rows: Range<i32>,
}

/// The order in which the bodies get their orders.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Turns {
    /// One body of each side in turns, all in one tick.
    InTurns,
    /// One side, and half a second later the other.
    OneSideFirst,
    /// One side, and half a second later the other; all bodies of a side have one goal.
    SingleGoals,
}

/// A body of a draw.
pub(crate) struct Walker {
    pub(crate) start: Cell,
    pub(crate) goal: Cell,
    /// The number of its side, 0 or 1.
    pub(crate) side: usize,
}

impl Turns {
    pub(crate) const ALL: [Self; 3] = [Self::InTurns, Self::OneSideFirst, Self::SingleGoals];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::InTurns => "in turns",
            Self::OneSideFirst => "one side first",
            Self::SingleGoals => "two single goals",
        }
    }
}

/// Returns the scenes.
pub(crate) fn all() -> Vec<Scene> {
    let mut scenes = Vec::new();
    for (name, width) in
        [("corridor of 1", 1), ("corridor of 2", 2), ("corridor of 4", 4), ("corridor of 8", 8)]
    {
        let tiles = tiles(44, 12, |x, y| !(12..32).contains(&x) || (2..2 + width).contains(&y));
        let sides = facing(rectangle(0..10, 0..12), rectangle(34..44, 0..12));
        scenes.push(Scene { name, tiles, sides, bodies: 20, has_other_ways: width == 2 });
    }
    scenes.push(Scene {
        name: "four corridors of 1",
        tiles: tiles(60, 20, |x, y| !(15..45).contains(&x) || y % 5 == 2),
        sides: facing(rectangle(0..13, 0..20), rectangle(47..60, 0..20)),
        bodies: 40,
        has_other_ways: false,
    });
    let arm = 18..23;
    scenes.push(Scene {
        name: "crossing of 5",
        tiles: tiles(41, 41, |x, y| arm.contains(&x) || arm.contains(&y)),
        sides: [
            Side { starts: rectangle(0..14, arm.clone()), goals: rectangle(27..41, arm.clone()) },
            Side { starts: rectangle(arm.clone(), 0..14), goals: rectangle(arm.clone(), 27..41) },
        ],
        bodies: 40,
        has_other_ways: true,
    });
    scenes.push(Scene {
        name: "two gates of 1",
        tiles: tiles(60, 40, |x, y| x != 30 || y == 15 || y == 28),
        sides: facing(rectangle(0..16, 4..30), rectangle(45..60, 4..30)),
        bodies: 40,
        has_other_ways: false,
    });
    scenes.push(Scene {
        name: "one way, corridor of 2",
        tiles: tiles(44, 12, |x, y| !(12..32).contains(&x) || (2..4).contains(&y)),
        sides: [0..6, 6..12].map(|rows: Range<i32>| Side {
            starts: rectangle(0..10, rows.clone()),
            goals: rectangle(34..44, rows),
        }),
        bodies: 30,
        has_other_ways: false,
    });
    scenes
}

impl Scene {
    /// Draws the bodies, in the sequence of their orders.
    pub(crate) fn draw(&self, turns: Turns, draw: u32) -> Vec<Walker> {
        let [first, second] = [0, 1].map(|side| {
            let Side { starts, goals } = &self.sides[side];
            let [starts, goals] = [("starts", starts), ("goals", goals)].map(|(what, area)| {
                Seed::named(&format!("{} {side} {what} {draw}", self.name)).shuffled(&area.cells())
            });
            let middle = self.sides[side].goals.middle();
            (starts.into_iter().zip(goals).take(self.bodies))
                .map(|(start, goal)| {
                    let goal = if turns == Turns::SingleGoals { middle } else { goal };
                    Walker { start, goal, side }
                })
                .collect::<Vec<Walker>>()
        });
        match turns {
            Turns::InTurns => first.into_iter().zip(second).flat_map(|(one, other)| [one, other]).collect(),
            Turns::OneSideFirst | Turns::SingleGoals => first.into_iter().chain(second).collect(),
        }
    }
}

impl Rectangle {
    fn cells(&self) -> Vec<Cell> {
        self.rows.clone().flat_map(|y| self.columns.clone().map(move |x| Cell::new(x, y))).collect()
    }

    fn middle(&self) -> Cell {
        Cell::new(
            i32::midpoint(self.columns.start, self.columns.end),
            i32::midpoint(self.rows.start, self.rows.end),
        )
    }
}

const fn rectangle(columns: Range<i32>, rows: Range<i32>) -> Rectangle {
    Rectangle { columns, rows }
}

/// Returns two sides that change places.
fn facing(west: Rectangle, east: Rectangle) -> [Side; 2] {
    [Side { starts: west.clone(), goals: east.clone() }, Side { starts: east, goals: west }]
}

fn tiles(width: i32, height: i32, is_open: impl Fn(i32, i32) -> bool) -> TileMap {
    let classes = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let classes = classes.map(|(x, y)| u8::from(is_open(x, y))).collect();
    TileMap::new("scene", width as u32, height as u32, classes)
}
