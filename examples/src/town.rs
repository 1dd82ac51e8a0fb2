//! The town: its place, and the things in it.

use std::fmt;

use bevy::prelude::*;
use bevy_tilepath::{Cell, graphs::WaypointGraph};

use crate::tiles::{TILE, centre_of};

/// The rectangle of the town in the world, whose units are pixels of the pictures.
pub const AREA: Rect = Rect { min: Vec2::ZERO, max: Vec2::new(640.0, 360.0) };

/// The file of the town's graph, below the folder of assets.
pub const GRAPH: &str = "waypoints/town.waypoints.xml";

const GRAPH_TEXT: &str = include_str!("../../assets/waypoints/town.waypoints.xml");

/// Returns the graph of the town, which fits its picture.
///
/// # Panics
/// Never: the graph is part of the program, and tests read it.
#[must_use]
pub fn graph() -> WaypointGraph {
    WaypointGraph::from_xml(GRAPH_TEXT).expect("the graph is part of the program and tests read it")
}

const SCENERY: &str = include_str!("../../assets/town/scenery.txt");

/// A thing that stands in the town.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An oak.
    Oak,
    /// An autumn oak.
    AutumnOak,
    /// A fir.
    Fir,
    /// A bush.
    Bush,
    /// A well.
    Well,
    /// A cottage with a roof of red tiles.
    RedCottage,
    /// A cottage with a roof of blue tiles.
    BlueCottage,
    /// A cottage with a roof of straw.
    StrawCottage,
    /// A cottage with a roof of slate.
    SlateCottage,
    /// A church.
    Church,
    /// A windmill.
    Windmill,
    /// A watchtower.
    Watchtower,
    /// A gate.
    Gate,
    /// A stall of the market, red.
    RedStall,
    /// A stall of the market, blue.
    BlueStall,
    /// A stall of the market, yellow.
    YellowStall,
    /// A fountain.
    Fountain,
    /// Some graves.
    Graves,
    /// A heap of hay.
    Hay,
    /// A boat.
    Boat,
}

impl Kind {
    const NAMES: [(&'static str, Self); 20] = [
        ("oak", Self::Oak),
        ("autumn-oak", Self::AutumnOak),
        ("fir", Self::Fir),
        ("bush", Self::Bush),
        ("well", Self::Well),
        ("red-cottage", Self::RedCottage),
        ("blue-cottage", Self::BlueCottage),
        ("straw-cottage", Self::StrawCottage),
        ("slate-cottage", Self::SlateCottage),
        ("church", Self::Church),
        ("windmill", Self::Windmill),
        ("watchtower", Self::Watchtower),
        ("gate", Self::Gate),
        ("red-stall", Self::RedStall),
        ("blue-stall", Self::BlueStall),
        ("yellow-stall", Self::YellowStall),
        ("fountain", Self::Fountain),
        ("graves", Self::Graves),
        ("hay", Self::Hay),
        ("boat", Self::Boat),
    ];

    /// Returns the thing of a letter in levels: `T` `A` `P` `b` `w` oak, autumn oak, fir, bush,
    /// well; `H` `h` the door of a cottage with a red or a blue roof.
    #[must_use]
    pub const fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'T' => Self::Oak,
            'A' => Self::AutumnOak,
            'P' => Self::Fir,
            'b' => Self::Bush,
            'w' => Self::Well,
            'H' => Self::RedCottage,
            'h' => Self::BlueCottage,
            _ => return None,
        })
    }

    /// Returns the cells that it covers if its letter is on a cell, as a rectangle of the world. A
    /// cottage covers 3 x 2 cells, its door at the bottom middle.
    #[must_use]
    pub fn covered(self, cell: Cell) -> Rect {
        let middle = centre_of(cell);
        if matches!(self, Self::RedCottage | Self::BlueCottage) {
            Rect::from_center_size(middle + Vec2::Y * TILE / 2.0, Vec2::new(3.0, 2.0) * TILE)
        } else {
            Rect::from_center_size(middle, Vec2::splat(TILE))
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|&(known, _)| known == name).map(|(_, kind)| kind)
    }
}

/// Returns the things of the town, each with its foot.
///
/// # Panics
/// Never panics: the list is part of the program, and a test reads it.
#[must_use]
pub fn scenery() -> Vec<(Kind, Vec2)> {
    parse(SCENERY).expect("the list is part of the program and a test reads it")
}

/// Parses a list of things: a kind and two numbers in each line. `#` begins a remark.
fn parse(text: &str) -> Result<Vec<(Kind, Vec2)>, SceneryError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let thing = |line: &str| {
                let mut words = line.split_whitespace();
                let kind = Kind::from_name(words.next()?)?;
                let place = Vec2::new(words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                words.next().is_none().then_some((kind, place))
            };
            thing(line).ok_or(SceneryError { line: number })
        })
        .collect()
}

/// An invalid line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SceneryError {
    line: usize,
}

impl fmt::Display for SceneryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: write a kind that exists and two numbers, as in `oak 12 30`", self.line)
    }
}

impl std::error::Error for SceneryError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stands_in_the_town() {
        let things = scenery();
        assert!(things.len() > 100);
        let margin = AREA.inflate(10.0);
        assert!(things.iter().all(|&(_, foot)| margin.contains(foot)));
        for (name, kind) in Kind::NAMES {
            assert!(things.iter().any(|&(thing, _)| thing == kind), "there is no {name}");
        }
    }

    #[test]
    fn a_faulty_line_is_named() {
        let fault = |text| parse(text).unwrap_err().line;
        assert_eq!(fault("# trees\noak 1 2\npalm 3 4"), 3);
        assert_eq!(fault("oak 1"), 1);
        assert_eq!(fault("oak 1 2 3"), 1);
        assert_eq!(parse("fir 1 -2.5"), Ok(vec![(Kind::Fir, Vec2::new(1.0, -2.5))]));
    }
}
