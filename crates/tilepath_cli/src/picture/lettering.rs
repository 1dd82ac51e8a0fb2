//! Letters of five by eight dots, for names in pictures.

use super::canvas::{Canvas, Colour, Point};

/// The size of a letter in dots, and its width with the gap behind it.
const WIDTH: u32 = 5;
const HEIGHT: u32 = 8;
const ADVANCE: u32 = 6;
/// The most letters of a name. Longer names are cut.
const MAX_LETTERS: usize = 24;
/// Visible ASCII, 16 letters in a block, row by row. The last sign is drawn for all other letters.
#[rustfmt::skip]
const DOTS: [[&str; HEIGHT as usize]; 6] = [
    // From ' ' on.
    [
        "..... ..#.. .#.#. .#.#. ..#.. ##..# .##.. ..#.. ...#. .#... ..... ..... ..... ..... ..... ....#",
        "..... ..#.. .#.#. .#.#. .#### ##..# #..#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..... ..... ....#",
        "..... ..#.. .#.#. ##### #.#.. ...#. #.#.. ..#.. .#... ...#. #.#.# ..#.. ..... ..... ..... ...#.",
        "..... ..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. .###. ##### ..... ##### ..... ..#..",
        "..... ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. #.#.# ..#.. ..... ..... ..... .#...",
        "..... ..... ..... .#.#. ####. #..## #..#. ..... ..#.. ..#.. ..#.. ..#.. ..##. ..... .##.. #....",
        "..... ..#.. ..... .#.#. ..#.. #..## .##.# ..... ...#. .#... ..... ..... ..#.. ..... .##.. #....",
        "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... .....",
    ],
    // From '0' on.
    [
        ".###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###. ..... ..... ...#. ..... .#... .###.",
        "#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...# .##.. .##.. ..#.. ..... ..#.. #...#",
        "#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...# .##.. .##.. .#... ##### ...#. ....#",
        "#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .#### ..... ..... #.... ..... ....# ...#.",
        "##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....# .##.. .##.. .#... ##### ...#. ..#..",
        "#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#. .##.. ..#.. ..#.. ..... ..#.. .....",
        ".###. .###. ##### .###. ...#. .###. .###. .#... .###. .##.. ..... .#... ...#. ..... .#... ..#..",
        "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    ],
    // From '@' on.
    [
        ".###. .###. ####. .###. ###.. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# .###.",
        "#...# #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## ##..# #...#",
        "#.### #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# #.#.# #...#",
        "#.#.# ##### ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #..## #...#",
        "#.### #...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #...# #...#",
        "#.... #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #...# #...#",
        ".#### #...# ####. .###. ###.. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# .###.",
        "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    ],
    // From 'P' on.
    [
        "####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. #.... .###. ..#.. .....",
        "#...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#... #.... ...#. .#.#. .....",
        "#...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. .#... .#... ...#. #...# .....",
        "####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#.. .#... ..#.. ...#. ..... .....",
        "#.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#... .#... ...#. ...#. ..... .....",
        "#.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #.... .#... ....# ...#. ..... .....",
        "#.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. ##### .###. ....# .###. ..... .....",
        "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... #####",
    ],
    // From '`' on.
    [
        ".#... ..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. ..... ..... .....",
        "..#.. ..... #.... ..... ....# ..... .#... ..... #.... ..... ..... #.... ..#.. ..... ..... .....",
        "...#. .###. ####. .#### .#### .###. ####. .#### ####. .##.. ..##. #..#. ..#.. ##.#. ####. .###.",
        "..... ....# #...# #.... #...# #...# .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...#",
        "..... .#### #...# #.... #...# ##### .#... #...# #...# ..#.. ...#. ##... ..#.. #.#.# #...# #...#",
        "..... #...# #...# #.... #...# #.... .#... .#### #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...#",
        "..... .#### ####. .#### .#### .#### .#... ....# #...# .###. #..#. #..#. .###. #.#.# #...# .###.",
        "..... ..... ..... ..... ..... ..... ..... .###. ..... ..... .##.. ..... ..... ..... ..... .....",
    ],
    // From 'p' on.
    [
        "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ...#. ..#.. .#... ..... #####",
        "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..#.. ..... #...#",
        "####. .#### #.##. .#### ####. #...# #...# #...# #...# #...# ##### ..#.. ..#.. ..#.. .#..# #...#",
        "#...# #...# ##..# #.... .#... #...# #...# #...# .#.#. #...# ...#. .#... ..#.. ...#. #.#.# #...#",
        "#...# #...# #.... .###. .#... #...# #...# #.#.# ..#.. #...# ..#.. ..#.. ..#.. ..#.. #..#. #...#",
        "####. .#### #.... ....# .#..# #..## .#.#. #.#.# .#.#. .#### .#... ..#.. ..#.. ..#.. ..... #...#",
        "#.... ....# #.... ####. ..##. .##.# ..#.. .#.#. #...# ....# ##### ...#. ..#.. .#... ..... #####",
        "#.... ....# ..... ..... ..... ..... ..... ..... ..... .###. ..... ..... ..... ..... ..... .....",
    ],
];
const FIRST: u32 = ' ' as u32;
const OTHER: u32 = 0x7f;

/// A text at a place on a canvas.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    letters: Vec<char>,
    /// Pixels per dot.
    scale: u32,
    left: u32,
    top: u32,
}

impl Label {
    /// Makes a label with the middle of its upper edge at a point, moved onto the canvas as far as
    /// there is room.
    pub(crate) fn below(canvas: &Canvas, text: &str, point: Point, scale: u32) -> Self {
        let mut letters: Vec<char> = text.chars().take(MAX_LETTERS + 1).collect();
        if letters.len() > MAX_LETTERS {
            letters.truncate(MAX_LETTERS - 2);
            letters.extend(['.', '.']);
        }
        let mut label = Self { letters, scale, left: 0, top: 0 };
        let (width, height) = label.size();
        let within = |at: f32, size: u32, most: u32| (at.max(0.0) as u32).min(most.saturating_sub(size));
        label.left = within(point.x - width as f32 / 2.0, width, canvas.width());
        label.top = within(point.y, height, canvas.height());
        label
    }

    /// Makes a label with its upper left corner at a pixel.
    pub(crate) fn at(text: &str, left: u32, top: u32, scale: u32) -> Self {
        Self { letters: text.chars().collect(), scale, left, top }
    }

    fn size(&self) -> (u32, u32) {
        (width_of(self.letters.len()) * self.scale, HEIGHT * self.scale)
    }

    /// Returns whether two labels share pixels.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let meets =
            |one: u32, size: u32, other: u32, other_size: u32| one < other + other_size && other < one + size;
        let ((width, height), (other_width, other_height)) = (self.size(), other.size());
        meets(self.left, width, other.left, other_width) && meets(self.top, height, other.top, other_height)
    }

    /// Draws the text in a colour, with a rim in another colour.
    pub(crate) fn draw(&self, canvas: &mut Canvas, colour: Colour, rim: Colour) {
        self.draw_dots(canvas, 1, rim);
        self.draw_dots(canvas, 0, colour);
    }

    /// Draws each dot as a square, `margin` pixels larger on every side.
    fn draw_dots(&self, canvas: &mut Canvas, margin: u32, colour: Colour) {
        for (number, &letter) in (0..).zip(&self.letters) {
            for (x, y) in dots(letter) {
                let left = self.left + (number * ADVANCE + x) * self.scale;
                let top = self.top + y * self.scale;
                for y in top.saturating_sub(margin)..(top + self.scale + margin).min(canvas.height()) {
                    for x in left.saturating_sub(margin)..(left + self.scale + margin).min(canvas.width()) {
                        canvas.set(x, y, colour);
                    }
                }
            }
        }
    }
}

/// Returns the width of a text in dots.
pub(crate) fn width(text: &str) -> u32 {
    width_of(text.chars().count())
}

fn width_of(letters: usize) -> u32 {
    (letters as u32 * ADVANCE).saturating_sub(ADVANCE - WIDTH)
}

/// Returns the dots of a letter: columns from the left, rows from the top.
fn dots(letter: char) -> impl Iterator<Item = (u32, u32)> {
    let number = if matches!(letter, ' '..='~') { letter as u32 } else { OTHER } - FIRST;
    let (rows, first) = (&DOTS[number as usize / 16], number % 16 * ADVANCE);
    (0..).zip(rows).flat_map(move |(y, row)| {
        (0..WIDTH).filter(move |&x| row.as_bytes()[(first + x) as usize] == b'#').map(move |x| (x, y))
    })
}

#[cfg(test)]
mod tests {
    use super::{ADVANCE, DOTS, Label, MAX_LETTERS, dots};
    use crate::picture::canvas::{Canvas, Point};

    #[test]
    fn every_visible_letter_has_dots_of_its_own() {
        assert!(DOTS.iter().flatten().all(|row| row.len() == 16 * ADVANCE as usize - 1));
        let mut shapes: Vec<Vec<(u32, u32)>> =
            ('!'..='~').chain(['\u{e9}']).map(|letter| dots(letter).collect()).collect();
        assert!(shapes.iter().all(|dots| !dots.is_empty()));
        shapes.sort_unstable();
        let count = shapes.len();
        shapes.dedup();
        assert_eq!(shapes.len(), count);
        assert_eq!(dots(' ').count(), 0);
        assert!(dots('\u{e9}').eq(dots('\n')), "one sign stands for all others");
    }

    #[test]
    fn label_is_moved_onto_the_canvas_and_cut_where_it_is_too_long() {
        let draw = |text: &str, x: f32, y: f32| {
            let mut canvas = Canvas::new(60, 20);
            Label::below(&canvas, text, Point { x, y }, 2).draw(&mut canvas, [255; 3], [9; 3]);
            canvas
        };
        let at = |canvas: &Canvas, x: u32, y: u32| canvas.bytes()[((y * 60 + x) * 3) as usize];
        assert_eq!(at(&draw("abc", 99.0, 99.0), 59, 16), 255, "the end of the c");
        assert_eq!(at(&draw("abc", -9.0, -9.0), 0, 10), 255, "the side of the a");
        let (long, longer) = ("n".repeat(MAX_LETTERS + 1), "n".repeat(500));
        assert_eq!(draw(&long, 30.0, 5.0).bytes(), draw(&longer, 30.0, 5.0).bytes());
        assert!(draw("", 3.0, 3.0).bytes().iter().all(|&byte| byte == 0));
    }

    #[test]
    fn labels_overlap_where_they_share_pixels() {
        let canvas = Canvas::new(100, 100);
        let at = |x: f32, y: f32| Label::below(&canvas, "ab", Point { x, y }, 1);
        assert!(at(50.0, 50.0).overlaps(&at(60.0, 57.0)));
        assert!(!at(50.0, 50.0).overlaps(&at(61.0, 50.0)) && !at(50.0, 50.0).overlaps(&at(50.0, 58.0)));
    }
}
