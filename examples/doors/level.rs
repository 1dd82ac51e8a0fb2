//! The two tile maps, as pictures made of letters.

use bevy::prelude::*;
use bevy_tilepath::Cell;
use tilepath_examples::{ground::Ground, town::Kind};

/// `=` road, `~` water, `S` the soldier; `P` fir, `T` oak, `b` bush; `D` the door of the cottage,
/// which blocks `R` too; all other letters are grass.
const MEADOW: &str = "
PTPTPPTPTPTPP
PT..........P
T.........b..
.............
......RRR....
......RDR....
..b....=.....
.......=.....
.......=...T.
..T....=.....
.......==....
...~....=....
..~~~...=....
..~~~~..=====
...~~...=....
........=..b.
.T...====....
.....=.......
P.S===....T..
PPT.......PPT
";

/// The cottage from inside: `.` floor, `,` rug, `m` the mat at the front door, `d` the back door;
/// all other letters are blocked.
const ROOM: &str = "
#########
#w-hw-wd#
#.......#
#b.,,...#
#B.,,.t.#
#.....t.#
#c.....o#
####m####
";

/// A picture made of letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Letters {
    rows: Vec<&'static str>,
}

impl Letters {
    /// Returns the meadow.
    pub(crate) fn meadow() -> Self {
        Self { rows: MEADOW.split_whitespace().collect() }
    }

    /// Returns the room.
    pub(crate) fn room() -> Self {
        Self { rows: ROOM.split_whitespace().collect() }
    }

    /// Returns the number of columns and rows.
    pub(crate) fn size(&self) -> UVec2 {
        UVec2::new(self.rows[0].len() as u32, self.rows.len() as u32)
    }

    /// Returns the letter of a cell, or `None` off the picture. The first row is the top.
    pub(crate) fn at(&self, cell: Cell) -> Option<char> {
        let row = (self.rows.len() as i32 - 1).checked_sub(cell.y)?;
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.chars().nth(usize::try_from(cell.x).ok()?)
    }

    /// Returns all cells with their letters.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (Cell, char)> {
        let height = self.rows.len() as i32;
        self.rows.iter().zip(0..).flat_map(move |(row, from_top)| {
            row.chars().zip(0..).map(move |(letter, x)| (Cell::new(x, height - 1 - from_top), letter))
        })
    }

    /// Returns the only cell with a letter.
    pub(crate) fn find(&self, letter: char) -> Cell {
        let found = self.cells().find(|&(_, other)| other == letter);
        found.expect("the picture is part of the program and a test looks for its letters").0
    }
}

/// Returns the ground under a letter of the meadow.
pub(crate) const fn ground(letter: char) -> Ground {
    match letter {
        '=' | 'S' => Ground::Road,
        '~' => Ground::Water,
        _ => Ground::Grass,
    }
}

/// Returns the thing at a letter of the meadow.
pub(crate) const fn thing(letter: char) -> Option<Kind> {
    match letter {
        'P' => Some(Kind::Fir),
        'T' => Some(Kind::Oak),
        'b' => Some(Kind::Bush),
        'D' => Some(Kind::RedCottage),
        _ => None,
    }
}

/// Returns whether a letter of the room is passable.
pub(crate) const fn is_floor(letter: char) -> bool {
    matches!(letter, '.' | ',' | 'm' | 'd')
}

/// Returns the tile of a letter of the room in `tiles/room.png`. Floors differ from cell to cell.
pub(crate) fn room_tile(letter: char, cell: Cell) -> u32 {
    match letter {
        '#' => 4,
        'w' => 5,
        '-' => 6,
        'd' => 7,
        'm' => 8,
        't' => 9,
        'o' => 10,
        'b' => 11,
        'B' => 12,
        'c' => 13,
        'h' => 14,
        ',' => 15,
        _ => (cell.x * 3 + cell.y).rem_euclid(4).unsigned_abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_have_their_doors_and_straight_edges() {
        for (letters, needed) in [(Letters::meadow(), "DS"), (Letters::room(), "md")] {
            let size = letters.size();
            assert_eq!(letters.cells().count() as u32, size.x * size.y);
            for letter in needed.chars() {
                assert_eq!(letters.cells().filter(|&(_, other)| other == letter).count(), 1, "{letter}");
                assert_eq!(letters.at(letters.find(letter)), Some(letter));
            }
        }
        assert_eq!(Letters::room().find('m'), Cell::new(4, 0), "the first row is the top");
        assert_eq!(Letters::room().at(Cell::new(4, -1)), None);
    }
}
