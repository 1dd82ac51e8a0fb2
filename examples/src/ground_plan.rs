//! The ground of a level: from a picture of letters, and as a tilemap.

use std::{error::Error, fmt};

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, Terrain};

use crate::{
    autotile,
    ground::Ground,
    tiles::{TILE, first_cell, tilemap},
};

/// The ground of a level, cell by cell. Cell (0, 0) is the lower left one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundPlan {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The cells, row by row from the bottom.
    ground: Vec<Ground>,
}

impl GroundPlan {
    /// Reads a picture, whose first row is the top.
    ///
    /// `take` is called for each letter. It may note the thing there, and returns the ground below
    /// it, or `None` for an unknown letter.
    ///
    /// # Errors
    /// Returns [`PictureError`] for the first invalid place of the picture.
    pub fn read(
        text: &str,
        mut take: impl FnMut(char, Cell) -> Option<Ground>,
    ) -> Result<Self, PictureError> {
        let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut ground = vec![Ground::Grass; width * rows.len()];
        for (row, line) in rows.iter().enumerate() {
            if line.chars().count() != width {
                return Err(PictureError::Ragged { row });
            }
            let y = rows.len() - 1 - row;
            for (column, letter) in line.chars().enumerate() {
                let cell = Cell::new(column as i32, y as i32);
                ground[y * width + column] =
                    take(letter, cell).ok_or(PictureError::UnknownLetter { letter, row, column })?;
            }
        }
        Ok(Self { width: width as u32, height: rows.len() as u32, ground })
    }

    /// Returns the ground of a cell, or `None` off the level.
    #[must_use]
    pub fn ground(&self, cell: Cell) -> Option<Ground> {
        let inside = (0..self.width as i32).contains(&cell.x) && (0..self.height as i32).contains(&cell.y);
        inside.then(|| self.ground[cell.y as usize * self.width as usize + cell.x as usize])
    }

    /// Returns the ground of a cell. Beyond the edge it is the ground at the edge.
    #[must_use]
    pub fn ground_beyond(&self, cell: Cell) -> Ground {
        let inside = |place: i32, side: u32| place.clamp(0, (side as i32 - 1).max(0));
        self.ground(Cell::new(inside(cell.x, self.width), inside(cell.y, self.height)))
            .unwrap_or(Ground::Grass)
    }

    /// Returns the rectangle of the level in the world.
    #[must_use]
    pub fn area(&self) -> Rect {
        Rect::from_corners(Vec2::ZERO, UVec2::new(self.width, self.height).as_vec2() * TILE)
    }

    /// Returns all cells, row by row from the bottom.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let width = self.width as i32;
        (0..self.height as i32).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// Returns the size of its tilemap.
    #[must_use]
    pub const fn size(&self) -> TilemapSize {
        TilemapSize { x: self.width, y: self.height }
    }

    /// Spawns the tilemap of the ground, each tile with its [`Terrain`]. Add a `NavMap` to the
    /// returned map entity, and a texture if there is a window.
    pub fn spawn(&self, commands: &mut Commands) -> Entity {
        let map = commands.spawn_empty().id();
        let mut storage = TileStorage::empty(self.size());
        for cell in self.cells() {
            let position = TilePos::new(cell.x as u32, cell.y as u32);
            let row = self.height - 1 - position.y;
            let tile = commands.spawn((
                TileBundle {
                    position,
                    tilemap_id: TilemapId(map),
                    texture_index: TileTextureIndex(autotile::meadow(position.x, row)),
                    ..default()
                },
                Terrain(self.ground_beyond(cell).class()),
            ));
            storage.set(&position, tile.id());
        }
        commands.entity(map).insert(tilemap(self.size(), storage, first_cell(0.0)));
        map
    }
}

/// The reason why a picture of letters could not be read. Rows and columns count from 0 at the top
/// left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PictureError {
    /// A row is longer or shorter than the first one.
    Ragged {
        /// The row.
        row: usize,
    },
    /// A letter has no meaning.
    UnknownLetter {
        /// The letter.
        letter: char,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ragged { row } => write!(f, "row {row} is not as long as the first one"),
            Self::UnknownLetter { letter, row, column } => {
                write!(f, "row {row}, column {column}: nothing is drawn as {letter:?}")
            }
        }
    }
}

impl Error for PictureError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_is_the_top() {
        let mut last = None;
        let plan = GroundPlan::read("~.\n\n  =#  ", |letter, cell| {
            last = Some((letter, cell));
            Ground::of_letter(letter)
        });
        let plan = plan.unwrap();
        assert_eq!(last, Some(('#', Cell::new(1, 0))));
        assert_eq!(plan.ground(Cell::new(0, 1)), Some(Ground::Water));
        assert_eq!(plan.ground(Cell::new(0, 0)), Some(Ground::Road));
        assert_eq!((plan.ground(Cell::new(0, 2)), plan.ground(Cell::new(-1, 0))), (None, None));
        assert_eq!(plan.ground_beyond(Cell::new(-5, 7)), Ground::Water);
        assert_eq!(plan.area().size(), Vec2::splat(2.0 * TILE));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let read = |text| GroundPlan::read(text, |letter, _| Ground::of_letter(letter)).unwrap_err();
        assert_eq!(read("...\n.."), PictureError::Ragged { row: 1 });
        assert_eq!(read("..?").to_string(), "row 0, column 2: nothing is drawn as '?'");
    }
}
