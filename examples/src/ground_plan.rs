//! The ground of a level: read from a picture made of letters, and as a tilemap.

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
    /// Row by row from the bottom.
    ground: Vec<Ground>,
}

impl GroundPlan {
    /// Reads a picture, whose first row is the top. `take` is asked about each letter, may note what stands there, and says what
    /// the ground below it is; `None` where nothing is drawn as that letter.
    ///
    /// # Errors
    /// [`PictureError`] names the first place where the picture is none.
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

    /// The ground of a cell, `None` off the level.
    #[must_use]
    pub fn ground(&self, cell: Cell) -> Option<Ground> {
        let inside = (0..self.width as i32).contains(&cell.x) && (0..self.height as i32).contains(&cell.y);
        inside.then(|| self.ground[cell.y as usize * self.width as usize + cell.x as usize])
    }

    /// The ground of a cell; beyond the edge it goes on as at the edge.
    #[must_use]
    pub fn ground_beyond(&self, cell: Cell) -> Ground {
        let inside = |place: i32, side: u32| place.clamp(0, (side as i32 - 1).max(0));
        self.ground(Cell::new(inside(cell.x, self.width), inside(cell.y, self.height)))
            .unwrap_or(Ground::Grass)
    }

    /// The rectangle of the level in the world.
    #[must_use]
    pub fn area(&self) -> Rect {
        Rect::from_corners(Vec2::ZERO, UVec2::new(self.width, self.height).as_vec2() * TILE)
    }

    /// All cells, row by row from the bottom.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let width = self.width as i32;
        (0..self.height as i32).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// The size of its tilemap.
    #[must_use]
    pub const fn size(&self) -> TilemapSize {
        TilemapSize { x: self.width, y: self.height }
    }

    /// Spawns the tilemap of the ground, each tile with its [`Terrain`]; the entity of the map wants its `NavMap` and, in a window,
    /// its texture.
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

/// Why a picture of letters could not be read. Rows and columns count from 0 at the top left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PictureError {
    /// A row is longer or shorter than the first one.
    Ragged {
        /// That row.
        row: usize,
    },
    /// Nothing is drawn as that letter.
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
