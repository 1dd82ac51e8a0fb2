//! Maps drawn as text.

use crate::TileMap;

/// A map from a picture, with a start and a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The map. Start and goal have class 1.
    pub map: TileMap,
    start: Option<(i32, i32)>,
    goal: Option<(i32, i32)>,
}

impl Scene {
    /// Reads a picture: `.` is class 1, `#` a wall, a digit its class, `S` the start, `G` the goal.
    ///
    /// The first line of text is the top row. Blank lines and indentation are ignored.
    ///
    /// # Panics
    /// If rows differ in length, or if a character is unknown.
    #[must_use]
    pub fn from_picture(picture: &str) -> Self {
        let rows: Vec<&str> = picture.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let (mut start, mut goal) = (None, None);
        let mut classes = Vec::new();
        for (y, row) in rows.iter().rev().enumerate() {
            assert_eq!(row.chars().count(), width, "row {row:?} is not {width} cells long");
            for (x, character) in row.chars().enumerate() {
                let position = Some((x as i32, y as i32));
                classes.push(match character {
                    '.' => 1,
                    '#' => 0,
                    'S' => {
                        start = position;
                        1
                    }
                    'G' => {
                        goal = position;
                        1
                    }
                    digit if digit.is_ascii_digit() => digit as u8 - b'0',
                    other => panic!("{other:?} in row {row:?} is unknown"),
                });
            }
        }
        let map = TileMap::new("picture", width as u32, rows.len() as u32, classes);
        Self { map, start, goal }
    }

    /// Returns the position of `S`.
    ///
    /// # Panics
    /// If the picture has no `S`.
    #[must_use]
    pub fn start(&self) -> (i32, i32) {
        self.start.expect("the picture has an S")
    }

    /// Returns the position of `G`.
    ///
    /// # Panics
    /// If the picture has no `G`.
    #[must_use]
    pub fn goal(&self) -> (i32, i32) {
        self.goal.expect("the picture has a G")
    }
}

#[cfg(test)]
mod tests {
    use super::Scene;

    #[test]
    fn the_first_line_is_the_top_row() {
        let scene = Scene::from_picture(
            "
            .#9
            S.G
        ",
        );
        assert_eq!((scene.map.width, scene.map.height), (3, 2));
        assert_eq!(scene.map.classes, [1, 1, 1, 1, 0, 9]);
        assert_eq!((scene.start(), scene.goal()), ((0, 0), (2, 0)));
    }

    #[test]
    #[should_panic(expected = "not 3 cells long")]
    fn ragged_rows_are_refused() {
        let _ = Scene::from_picture("...\n..");
    }
}
