//! Maps drawn with letters.

use crate::{
    colours::{Colours, Ink},
    failure::Failure,
    layout::Layout,
    place::Place,
};
use std::io::Write;
use tilepath::{Cell, Grid, Size};

/// The most columns and rows of a map that is drawn with letters.
const DRAWN: (u32, u32) = (100, 60);

/// A map of letters, one for each place of the file.
#[derive(Debug)]
pub(crate) struct TextPicture {
    layout: Layout,
    letters: Vec<(char, Ink)>,
}

impl TextPicture {
    /// Draws the terrain of a map. Returns `None` if the map is too large.
    pub(crate) fn of(grid: &Grid, layout: Layout) -> Option<Self> {
        let letter = |place: Place| {
            let class = layout.cell(place).and_then(|cell| grid.terrain(cell));
            (class.map_or(' ', letter_of), Ink::Ground)
        };
        let is_small = layout.columns() <= DRAWN.0 && layout.rows() <= DRAWN.1;
        is_small.then(|| Self { layout, letters: layout.places().map(letter).collect() })
    }

    /// Puts a letter on a place of the file.
    pub(crate) fn put(&mut self, place: Place, letter: char, ink: Ink) {
        let slot = self.slot(place);
        if let Some(known) = self.letters.get_mut(slot) {
            *known = (letter, ink);
        }
    }

    fn slot(&self, place: Place) -> usize {
        place.row as usize * self.layout.columns() as usize + place.column as usize
    }

    /// Replaces all costs by open ground, so that only walls are left.
    pub(crate) fn level(&mut self) {
        for (letter, _) in self.letters.iter_mut().filter(|(letter, _)| !matches!(letter, '#' | ' ')) {
            *letter = '.';
        }
    }

    /// Puts a letter on a place of the file, unless it is a wall.
    pub(crate) fn put_open(&mut self, place: Place, letter: char, ink: Ink) {
        if self.letters.get(self.slot(place)).is_none_or(|&(known, _)| known != '#') {
            self.put(place, letter, ink);
        }
    }

    /// Puts a letter on a cell, if it is in the file.
    pub(crate) fn put_cell(&mut self, cell: Cell, letter: char, ink: Ink) {
        if let Some(place) = self.layout.place(cell) {
            self.put(place, letter, ink);
        }
    }

    /// Draws a path: `S` at the start, `G` at the end, `s` and `g` on the other cells that the unit
    /// covers there.
    pub(crate) fn draw_way(&mut self, size: Size, cells: &[Cell]) {
        let (Some(&first), Some(&last)) = (cells.first(), cells.last()) else { return };
        for &cell in cells {
            self.put_cell(cell, '*', Ink::Path);
        }
        for (anchor, letter, ink) in [(last, 'G', Ink::Goal), (first, 'S', Ink::Start)] {
            if let Some(place) = self.layout.place(anchor) {
                self.draw_unit(size, place, letter, ink);
            }
        }
    }

    /// Draws a unit: the letter on its anchor, the small letter on the other cells that it covers.
    pub(crate) fn draw_unit(&mut self, size: Size, place: Place, letter: char, ink: Ink) {
        for cell in self.layout.cell(place).into_iter().flat_map(|anchor| size.footprint(anchor)) {
            self.put_cell(cell, letter.to_ascii_lowercase(), ink);
        }
        self.put(place, letter, ink);
    }

    /// Returns the column and line of each place in the text, counted from the lower left tile.
    /// Rows that lie half a cell further right are indented. Columns that lie half a cell further
    /// down take lines of their own.
    fn in_text(&self) -> Vec<(i32, i32)> {
        let [east, north] = self.layout.axes();
        let cells = self.layout.places().filter_map(|place| self.layout.cell(place));
        let offsets = cells.map(|cell| cell - self.layout.first());
        offsets.map(|Cell { x, y }| (x * east.0 + y * north.0, x * east.1 + y * north.1)).collect()
    }

    /// Prints the map after an empty line.
    pub(crate) fn print(&self, colours: Colours, output: &mut impl Write) -> Result<(), Failure> {
        let places = self.in_text();
        let least = |axis: fn(&(i32, i32)) -> i32| places.iter().map(axis).min().unwrap_or(0);
        let (left, top) = (least(|place| place.0), least(|place| place.1));
        let mut lines: Vec<Vec<(char, Ink)>> = Vec::new();
        for (&(across, line), &letter) in places.iter().zip(&self.letters) {
            let (across, line) = ((across - left) as usize, (line - top) as usize);
            if lines.len() <= line {
                lines.resize(line + 1, Vec::new());
            }
            let line = &mut lines[line];
            if line.len() <= across {
                line.resize(across + 1, (' ', Ink::Ground));
            }
            line[across] = letter;
        }
        writeln!(output)?;
        for line in lines {
            let end = line.iter().rposition(|&(letter, _)| letter != ' ').map_or(0, |last| last + 1);
            let style = |&(letter, ink): &(char, Ink)| colours.style(ink, letter);
            for run in line[..end].chunk_by(|one, next| style(one) == style(next)) {
                let (style, letters) =
                    (style(&run[0]), run.iter().map(|(letter, _)| letter).collect::<String>());
                write!(output, "{style}{letters}{style:#}")?;
            }
            writeln!(output)?;
        }
        Ok(())
    }
}

/// Returns the letter of a class, as in the library's text maps.
fn letter_of(class: u8) -> char {
    match class {
        0 => '#',
        1 => '.',
        2..=9 => char::from(b'0' + class),
        _ => '+',
    }
}
