//! The legend: a strip below a picture with a sign and a word for each of its colours.

use super::{
    canvas::{Canvas, Colour, Point},
    lettering::{self, Label},
    palette,
};

/// Dots between the sign and its word.
const GAP: u32 = 4;
/// Dots between two entries of a line.
const SPACING: u32 = 10;
/// Dots between two lines.
const LEADING: u32 = 4;
/// Dots around all entries.
const MARGIN: u32 = 6;
/// Dots of a sign of one colour, in both directions.
const SIGN: u32 = 9;
/// Dots of a sign of several colours, across.
const WIDE_SIGN: u32 = 24;

/// Pixels of the picture's longer side for each pixel of a dot.
const PIXELS_A_DOT: u32 = 512;
/// Pixels of the longer side from which a dot has at least two pixels, even if this makes the
/// picture wider.
const LEGIBLE_SIDE: u32 = 100;
/// The most pixels per dot.
const MAX_SCALE: u32 = 32;

/// The sign before a word: the colour in the form in which the picture draws it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    /// A cell of one colour, or of several colours from the left to the right.
    Area(Vec<Colour>),
    /// A line: its colour and the colour of its rim.
    Line(Colour, Colour),
    /// A line without a rim.
    PlainLine(Colour),
    /// A disc in a light ring.
    Mark(Colour),
    /// The head of an arrow: its colour and the colour of its rim.
    Arrow(Colour, Colour),
}

/// A sign with its word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    sign: Sign,
    word: String,
}

impl Entry {
    /// Makes an entry from a sign and a word.
    pub(crate) fn new(sign: Sign, word: impl Into<String>) -> Self {
        Self { sign, word: word.into() }
    }

    /// Makes an entry for cells of one colour.
    pub(crate) fn area(colour: Colour, word: impl Into<String>) -> Self {
        Self::new(Sign::Area(vec![colour]), word)
    }

    /// Returns the word.
    #[cfg(test)]
    pub(crate) fn word(&self) -> &str {
        &self.word
    }

    /// Returns the colours of the sign, without rims.
    #[cfg(test)]
    pub(crate) fn colours(&self) -> Vec<Colour> {
        match &self.sign {
            Sign::Area(colours) => colours.clone(),
            Sign::Line(colour, _) | Sign::PlainLine(colour) | Sign::Mark(colour) | Sign::Arrow(colour, _) => {
                vec![*colour]
            }
        }
    }

    fn sign_width(&self) -> u32 {
        if matches!(&self.sign, Sign::Area(colours) if colours.len() > 1) { WIDE_SIGN } else { SIGN }
    }

    /// Returns the width of the entry in dots.
    fn width(&self) -> u32 {
        self.sign_width() + GAP + lettering::width(&self.word)
    }
}

/// The entries of a picture, broken into lines.
#[derive(Debug)]
pub(crate) struct Legend<'a> {
    lines: Vec<Vec<&'a Entry>>,
    /// Pixels per dot.
    scale: u32,
    /// The size of the picture, in pixels.
    picture: (u32, u32),
    paper: Colour,
}

impl<'a> Legend<'a> {
    /// Makes the legend for a picture of this size in pixels, on a background of this colour. Its
    /// lines are as wide as the picture, or as the widest entry.
    pub(crate) fn new(entries: &'a [Entry], picture: (u32, u32), paper: Colour) -> Self {
        let widest = entries.iter().map(Entry::width).max().unwrap_or(0) + 2 * MARGIN;
        let longer = picture.0.max(picture.1);
        let least = if longer < LEGIBLE_SIDE { 1 } else { 2 };
        let fitting = (picture.0 / widest).min(longer / PIXELS_A_DOT);
        let scale = fitting.clamp(least, MAX_SCALE);
        let room = (picture.0 / scale).max(widest) - 2 * MARGIN;
        let mut lines: Vec<Vec<&Entry>> = Vec::new();
        let mut taken: u32 = 0;
        for entry in entries {
            let end = taken.saturating_add(SPACING + entry.width());
            match lines.last_mut() {
                Some(line) if end <= room => {
                    line.push(entry);
                    taken = end;
                }
                _ => {
                    lines.push(vec![entry]);
                    taken = entry.width();
                }
            }
        }
        Self { lines, scale, picture, paper }
    }

    /// Returns the columns and rows of pixels of the picture with its legend.
    pub(crate) fn size(&self) -> (u32, u32) {
        let (width, height) = self.picture;
        let line = |line: &Vec<&Entry>| {
            let gaps = SPACING * (line.len() as u32 - 1);
            line.iter().map(|entry| entry.width()).sum::<u32>() + gaps
        };
        let Some(widest) = self.lines.iter().map(line).max() else { return self.picture };
        let count = self.lines.len() as u32;
        let dots = 2 * MARGIN + count * SIGN + (count - 1) * LEADING;
        (width.max((widest + 2 * MARGIN) * self.scale), height + dots * self.scale)
    }

    /// Adds the strip below the picture.
    pub(crate) fn add_to(&self, canvas: &mut Canvas) {
        let (width, height) = self.size();
        canvas.extend(width, height, self.paper);
        let dot = self.scale;
        for (number, line) in (0..).zip(&self.lines) {
            let top = self.picture.1 + (MARGIN + number * (SIGN + LEADING)) * dot;
            let mut left = MARGIN * dot;
            for entry in line {
                self.draw_sign(canvas, entry, left, top);
                let after_sign = left + (entry.sign_width() + GAP) * dot;
                Label::at(&entry.word, after_sign, top + dot, dot).draw(canvas, palette::RIM, self.paper);
                left += (entry.width() + SPACING) * dot;
            }
        }
    }

    fn draw_sign(&self, canvas: &mut Canvas, entry: &Entry, left: u32, top: u32) {
        let (width, height) = (entry.sign_width() * self.scale, SIGN * self.scale);
        let dot = self.scale as f32;
        let at = |x: f32, y: f32| Point { x: left as f32 + x * dot, y: top as f32 + y * dot };
        let middle = SIGN as f32 / 2.0;
        let line = [at(1.2, middle), at(SIGN as f32 - 1.2, middle)];
        match &entry.sign {
            Sign::Area(colours) => {
                let rim = (self.scale / 2).max(1);
                for y in 0..height {
                    for x in 0..width {
                        let is_rim = x.min(y) < rim || width - 1 - x < rim || height - 1 - y < rim;
                        let index = (x * colours.len() as u32 / width) as usize;
                        let colour = if is_rim { palette::RIM } else { colours[index] };
                        canvas.set(left + x, top + y, colour);
                    }
                }
            }
            Sign::Line(colour, rim) => {
                canvas.polyline(&line, dot * 2.2, *rim);
                canvas.polyline(&line, dot * 1.4, *colour);
            }
            Sign::PlainLine(colour) => canvas.polyline(&line, dot * 1.2, *colour),
            Sign::Mark(colour) => super::mark(canvas, at(middle, middle), dot * 3.7, dot * 0.8, *colour),
            Sign::Arrow(colour, rim) => {
                let arrow = [at(2.5, 1.5), at(6.5, middle), at(2.5, SIGN as f32 - 1.5)];
                canvas.polyline(&arrow, dot * 0.9 + 1.0, *rim);
                canvas.polyline(&arrow, dot * 0.9, *colour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Legend, MARGIN};
    use crate::picture::canvas::Canvas;

    const PAPER: [u8; 3] = [250; 3];

    fn entries() -> Vec<Entry> {
        [("wall", 10), ("open ground", 20), ("start", 30)]
            .map(|(word, grey)| Entry::area([grey; 3], word))
            .to_vec()
    }

    #[test]
    fn wide_picture_takes_one_line_and_narrow_picture_wraps() {
        let entries = entries();
        let lines = |width| Legend::new(&entries, (width, 200), PAPER).lines.len();
        assert_eq!([lines(1000), lines(300), lines(120)], [1, 2, 3]);
    }

    #[test]
    fn letters_grow_with_the_picture_and_shrink_with_a_tiny_one() {
        let entries = entries();
        let scale = |width, height| Legend::new(&entries, (width, height), PAPER).scale;
        assert_eq!([scale(40, 40), scale(120, 120), scale(1024, 400), scale(4096, 4096)], [1, 2, 2, 8]);
        assert_eq!(scale(1, 4096), 2, "wide letters in a narrow picture would make it much wider");
    }

    #[test]
    fn map_stays_as_it_is_and_every_colour_stands_below_it() {
        let entries = entries();
        for picture in [(8, 3), (120, 40), (700, 30)] {
            let legend = Legend::new(&entries, picture, PAPER);
            let mut canvas = Canvas::new(picture.0, picture.1);
            canvas.fill([99; 3]);
            legend.add_to(&mut canvas);
            assert_eq!((canvas.width(), canvas.height()), legend.size());
            assert!(canvas.width() >= picture.0 && canvas.height() > picture.1 + 2 * MARGIN);
            let pixels: Vec<&[u8]> = canvas.bytes().chunks_exact(3).collect();
            let is_map = |index: usize| {
                let (x, y) = (index as u32 % canvas.width(), index as u32 / canvas.width());
                x < picture.0 && y < picture.1
            };
            for (index, pixel) in pixels.iter().enumerate() {
                assert_eq!(*pixel == [99; 3], is_map(index));
            }
            for grey in [10, 20, 30] {
                assert!(pixels.contains(&&[grey; 3][..]), "{grey}");
            }
        }
    }

    #[test]
    fn picture_without_entries_has_no_strip() {
        let legend = Legend::new(&[], (30, 20), PAPER);
        assert_eq!(legend.size(), (30, 20));
    }
}
