//! The four maps as pictures made of letters, and the tile of each letter.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    NavProjection,
    maps::{Lattice, lattice_of},
};
use clap::ValueEnum;

use crate::land::Land;

/// `.` grass, `=` road, `T` wood, `~` water, `^` rock, `_` nothing; `S` the start of the walker,
/// `G` the goal of the tour.
const SQUARES: &str = "
_..TT...~~...^^...
..TTTT..~~~..^^^.G
.TTT.....~~...^..=
..T...============
....===~~..=...T..
S====.~~~..=..TTT.
..^...~~..==.TTT..
.^^^..~~~.=...T.._
";

const DIAMONDS: &str = "
...==...G
.^^.=.T.=
^^^.===.=
.^..~.===
..~~~..=.
.~~~.T.=.
...=====.
T..=.TT..
TTS=.TTT.
";

/// Every second row is half a tile further right, and shorter by one tile.
const STAGGERED: &str = "
..TT...^
..TT..^^G
.TTT..^=
...T...=.
.~.....=
~~~..===.
~~~..=..
~~~~.=.T.
.~~..=TT
.~~=====.
...=~~..
..==~~~..
.==..~~.
.=.^^.~~.
S=^^^.~~
==.^^....
";

/// Odd rows, counted from below, are half a tile further right.
const HEXAGONS: &str = "
___..TT.~~..__
__.TTTT~~.^^G_
_..TT..~~.^^=.
...T..~~...==.
.^......====..
.^^..===~~.T..
..====.~~.TTT.
.S=...~~..TT..
_==..T.~~..T._
__.TTT..~~..__
___.TT...~.___
";

/// The part of the world that the camera shows if no map is enlarged.
pub(crate) const AREA: Rect = Rect { min: Vec2::ZERO, max: Vec2::new(640.0, 360.0) };
/// A quarter of it, without the room for the legend.
const QUARTER: Vec2 = Vec2::new(320.0, 172.0);
/// The room in the pictures above a tile for things on it, and below a tile for its sides.
pub(crate) const MARGIN: f32 = 12.0;

/// A map by the shape of its tiles. It is also a component of the tilemaps.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    Squares,
    Diamonds,
    Staggered,
    Hexagons,
}

impl Shape {
    pub(crate) const ALL: [Self; 4] = [Self::Squares, Self::Diamonds, Self::Staggered, Self::Hexagons];

    /// Returns the name for a player.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Squares => "squares",
            Self::Diamonds => "diamonds",
            Self::Staggered => "staggered diamonds",
            Self::Hexagons => "hexagons",
        }
    }

    pub(crate) const fn tilemap_type(self) -> TilemapType {
        match self {
            Self::Squares => TilemapType::Square,
            Self::Diamonds => TilemapType::Isometric(IsoCoordSystem::Diamond),
            Self::Staggered => TilemapType::Isometric(IsoCoordSystem::Staggered),
            Self::Hexagons => TilemapType::Hexagon(HexCoordSystem::RowOdd),
        }
    }

    pub(crate) fn lattice(self) -> Lattice {
        lattice_of(self.tilemap_type())
    }

    /// Returns width and height of the top of a tile.
    pub(crate) const fn grid_size(self) -> Vec2 {
        match self {
            Self::Squares => Vec2::new(16.0, 16.0),
            Self::Diamonds | Self::Staggered => Vec2::new(32.0, 16.0),
            Self::Hexagons => Vec2::new(20.0, 16.0),
        }
    }

    /// Returns the pictures of its tiles.
    pub(crate) const fn sheet(self) -> &'static str {
        match self {
            Self::Squares => "shapes/square.png",
            Self::Diamonds | Self::Staggered => "shapes/diamond.png",
            Self::Hexagons => "shapes/hexagon.png",
        }
    }

    /// Returns its part of the world.
    pub(crate) fn quarter(self) -> Rect {
        let (column, row) = (self as u32 % 2, self as u32 / 2);
        let upper_left =
            Vec2::new(AREA.min.x, AREA.max.y) + QUARTER * Vec2::new(column as f32, -(row as f32));
        Rect::from_corners(upper_left, upper_left + QUARTER * Vec2::new(1.0, -1.0))
    }

    fn rows(self) -> Vec<&'static str> {
        let picture = match self {
            Self::Squares => SQUARES,
            Self::Diamonds => DIAMONDS,
            Self::Staggered => STAGGERED,
            Self::Hexagons => HEXAGONS,
        };
        picture.split_whitespace().rev().collect()
    }

    /// Returns by how many columns its lowest row is shifted to the right.
    ///
    /// Each row of a staggered tilemap begins half a tile to the right of the row below, so a
    /// rectangle is a cut-out of a slanted tilemap.
    fn lean(self) -> u32 {
        if self == Self::Staggered { (self.rows().len() as u32 - 1) / 2 } else { 0 }
    }

    /// Returns its tiles, each with its letter.
    pub(crate) fn tiles(self) -> Vec<(TilePos, char)> {
        let lean = self.lean();
        let in_row = |(y, row): (u32, &'static str)| {
            let shift = if self == Self::Staggered { lean - y / 2 } else { 0 };
            row.chars().zip(shift..).map(move |(letter, x)| (TilePos::new(x, y), letter))
        };
        let all = (0..).zip(self.rows()).flat_map(in_row);
        all.filter(|&(_, letter)| Land::of_letter(letter).is_some()).collect()
    }

    /// Returns the size of its tilemap.
    pub(crate) fn size(self) -> TilemapSize {
        let rows = self.rows();
        let columns = rows.iter().map(|row| row.len() as u32).max().unwrap_or(0);
        TilemapSize::new(columns + self.lean(), rows.len() as u32)
    }

    /// Returns the only tile of a letter.
    pub(crate) fn find(self, letter: char) -> TilePos {
        let found = self.tiles().into_iter().find(|&(_, other)| other == letter);
        found.expect("the picture is part of the program and a test looks for its letters").0
    }

    /// Returns the centre of tile (0, 0) in the world, for which the map is in the middle of its
    /// quarter.
    pub(crate) fn origin(self) -> Vec2 {
        let centres = self.tiles().into_iter().map(|(tile, _)| self.offset_of(tile));
        let around = centres.map(|centre| Rect::from_center_size(centre, self.grid_size()));
        let around = around.reduce(|one, other| one.union(other)).unwrap_or_default();
        (self.quarter().center() - around.center() - Vec2::Y * self.below_name()).round()
    }

    /// Returns how far the map is moved down in its quarter, to leave room for its name.
    const fn below_name(self) -> f32 {
        match self {
            Self::Squares | Self::Hexagons => 7.0,
            Self::Diamonds => 1.0,
            Self::Staggered => 5.0,
        }
    }

    /// Returns the centre of a tile in the world.
    pub(crate) fn centre_of(self, tile: TilePos) -> Vec2 {
        self.origin() + self.offset_of(tile)
    }

    /// Returns the offset from the centre of tile (0, 0) to the centre of another tile.
    fn offset_of(self, tile: TilePos) -> Vec2 {
        let lattice = self.lattice();
        let cell = lattice.cell_of((tile.x as i32, tile.y as i32));
        NavProjection::new(lattice, self.grid_size(), Vec2::ZERO).position_of(cell)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_letter_has_a_tile_of_its_own_within_the_quarter() {
        for shape in Shape::ALL {
            let tiles = shape.tiles();
            let places: HashSet<TilePos> = tiles.iter().map(|&(tile, _)| tile).collect();
            assert_eq!(places.len(), tiles.len(), "{shape:?}");
            let size = shape.size();
            for &(tile, letter) in &tiles {
                assert!(tile.x < size.x && tile.y < size.y, "{shape:?} {tile:?}");
                let centre = shape.centre_of(tile);
                let drawn = Rect::from_center_size(centre, shape.grid_size());
                assert_eq!(shape.quarter().union(drawn), shape.quarter(), "{shape:?} {tile:?} {letter}");
            }
            for letter in ['S', 'G'] {
                assert_eq!(tiles.iter().filter(|&&(_, other)| other == letter).count(), 1, "{shape:?}");
            }
        }
    }

    #[test]
    fn rows_of_staggered_diamonds_lie_above_each_other() {
        let left = |y: u32| {
            let tiles = Shape::Staggered.tiles().into_iter().filter(move |(tile, _)| tile.y == y);
            tiles.map(|(tile, _)| Shape::Staggered.centre_of(tile).x as i32).min()
        };
        assert_eq!(left(1).unwrap() - left(0).unwrap(), 16);
        assert!((0..14).all(|y| left(y) == left(y + 2)));
    }
}
