//! A canvas of pixels, with smooth lines and discs.

use crate::place::Place;

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

/// A place on the canvas in pixels, from the upper left corner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Point {
    /// To the right.
    pub(crate) x: f32,
    /// Downwards.
    pub(crate) y: f32,
}

/// A picture to draw on, without transparency.
#[derive(Debug)]
pub(crate) struct Canvas {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
    /// The number of pixels over which a colour was laid.
    #[cfg(test)]
    blends: usize,
}

impl Canvas {
    /// Makes a black canvas.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            bytes: vec![0; width as usize * height as usize * 3],
            #[cfg(test)]
            blends: 0,
        }
    }

    /// Returns the columns of pixels.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// Returns the rows of pixels.
    pub(crate) fn height(&self) -> u32 {
        self.height
    }

    /// Returns three bytes per pixel, row by row from the top.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Colours the whole canvas.
    pub(crate) fn fill(&mut self, colour: Colour) {
        for pixel in self.bytes.chunks_exact_mut(3) {
            pixel.copy_from_slice(&colour);
        }
    }

    /// Makes the canvas larger, to the right and downwards. The new pixels have a colour.
    pub(crate) fn extend(&mut self, width: u32, height: u32, colour: Colour) {
        if width > self.width {
            let mut wider = Self::new(width, self.height);
            wider.fill(colour);
            let (old, new) = (self.width as usize * 3, width as usize * 3);
            for (to, from) in wider.bytes.chunks_exact_mut(new).zip(self.bytes.chunks_exact(old.max(1))) {
                to[..old].copy_from_slice(from);
            }
            *self = wider;
        }
        let added = (height.saturating_sub(self.height) as usize) * self.width as usize;
        self.bytes.reserve_exact(added * 3);
        self.bytes.extend(std::iter::repeat_n(colour, added).flatten());
        self.height = self.height.max(height);
    }

    /// Returns the picture with one pixel for each square of `factor` × `factor` pixels, in their
    /// mean colour.
    pub(crate) fn shrunk(&self, factor: u32) -> Self {
        let (width, height) = (self.width.div_ceil(factor), self.height.div_ceil(factor));
        let mut small = Self::new(width, height);
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let rows = y * factor..((y + 1) * factor).min(self.height);
            let columns = x * factor..((x + 1) * factor).min(self.width);
            let count = rows.len() as u32 * columns.len() as u32;
            let mut sums = [0_u32; 3];
            for row in rows {
                let pixels = &self.bytes[self.offset(columns.start, row)..self.offset(columns.end, row)];
                for (at, &part) in pixels.iter().enumerate() {
                    sums[at % 3] += u32::from(part);
                }
            }
            small.set(x, y, sums.map(|sum| ((sum + count / 2) / count) as u8));
        }
        small
    }

    /// Sets the colour of a pixel.
    pub(crate) fn set(&mut self, x: u32, y: u32, colour: Colour) {
        let at = self.offset(x, y);
        self.bytes[at..at + 3].copy_from_slice(&colour);
    }

    fn colour(&self, x: u32, y: u32) -> Colour {
        let at = self.offset(x, y);
        [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2]]
    }

    /// Lays a colour over a pixel. An opacity of 1 hides the old colour.
    pub(crate) fn blend(&mut self, x: u32, y: u32, colour: Colour, opacity: f32) {
        #[cfg(test)]
        {
            self.blends += 1;
        }
        let at = self.offset(x, y);
        for (below, above) in self.bytes[at..at + 3].iter_mut().zip(colour) {
            *below = mix(*below, above, opacity);
        }
    }

    /// Lays a colour over the pixels of a cell.
    pub(crate) fn blend_cell(&mut self, place: Place, scale: u32, colour: Colour, opacity: f32) {
        for y in place.row * scale..(place.row + 1) * scale {
            for x in place.column * scale..(place.column + 1) * scale {
                self.blend(x, y, colour, opacity);
            }
        }
    }

    /// Draws a filled disc with a smooth edge.
    pub(crate) fn disc(&mut self, centre: Point, radius: f32, colour: Colour) {
        self.polyline(&[centre], radius, colour);
    }

    /// Draws a line through points, `radius` pixels to each side, with round ends and corners and a
    /// smooth edge. A single point becomes a disc.
    pub(crate) fn polyline(&mut self, points: &[Point], radius: f32, colour: Colour) {
        let segments = segments(points);
        if let [segment] = segments[..] {
            let size = (self.width, self.height);
            each_near(segment, radius, size, |x, y, coverage| {
                // Many long lines cover most pixels many times.
                if self.colour(x, y) != colour && coverage() > 0 {
                    self.blend(x, y, colour, f32::from(coverage()) / 255.0);
                }
            });
            return;
        }
        let Some(mut mask) = Mask::around(points, radius, self.width, self.height) else { return };
        for segment in segments {
            mask.capsule(segment, radius);
        }
        for y in 0..mask.height {
            for x in 0..mask.width {
                let coverage = mask.coverage[(y * mask.width + x) as usize];
                if coverage > 0 {
                    self.blend(mask.left + x, mask.top + y, colour, f32::from(coverage) / 255.0);
                }
            }
        }
    }

    fn offset(&self, x: u32, y: u32) -> usize {
        (y as usize * self.width as usize + x as usize) * 3
    }
}

/// Returns the number at a share from one number to another.
pub(crate) fn mix(from: u8, to: u8, share: f32) -> u8 {
    // Rounds. The cast keeps the number between 0 and 255.
    (f32::from(from) + (f32::from(to) - f32::from(from)) * share + 0.5) as u8
}

/// Returns the straight parts of a line, each as long as possible.
fn segments(points: &[Point]) -> Vec<(Point, Point)> {
    let mut segments: Vec<(Point, Point)> = Vec::new();
    let direction = |from: Point, to: Point| (to.x - from.x, to.y - from.y);
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        match segments.last_mut() {
            Some((start, end)) if is_straight(direction(*start, *end), direction(from, to)) => *end = to,
            _ => segments.push((from, to)),
        }
    }
    if let (Some(&point), true) = (points.first(), segments.is_empty()) {
        segments.push((point, point));
    }
    segments
}

fn is_straight((ax, ay): (f32, f32), (bx, by): (f32, f32)) -> bool {
    let (across, along) = (ax * by - ay * bx, ax * bx + ay * by);
    along > 0.0 && across.abs() < 0.001 * along
}

/// The coverage of each pixel in a part of the canvas. A line that crosses itself is blended only
/// once.
struct Mask {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    coverage: Vec<u8>,
}

impl Mask {
    /// Makes a mask around points and a radius, or returns `None` if no part of it is on the
    /// canvas.
    fn around(points: &[Point], radius: f32, width: u32, height: u32) -> Option<Self> {
        let first = points.first()?;
        let (mut low, mut high) = (*first, *first);
        for point in points {
            low = Point { x: low.x.min(point.x), y: low.y.min(point.y) };
            high = Point { x: high.x.max(point.x), y: high.y.max(point.y) };
        }
        // Negative numbers become 0.
        let (left, top) = ((low.x - radius - 1.0) as u32, (low.y - radius - 1.0) as u32);
        let (right, bottom) = ((high.x + radius + 2.0) as u32, (high.y + radius + 2.0) as u32);
        let (width, height) = (right.min(width).checked_sub(left)?, bottom.min(height).checked_sub(top)?);
        Some(Self { left, top, width, height, coverage: vec![0; width as usize * height as usize] })
    }

    /// Covers all pixels within a radius of a straight line.
    fn capsule(&mut self, segment: (Point, Point), radius: f32) {
        let end = (self.left + self.width, self.top + self.height);
        each_near(segment, radius, end, |x, y, coverage| {
            let at = (y - self.top) as usize * self.width as usize + (x - self.left) as usize;
            self.coverage[at] = coverage().max(self.coverage[at]);
        });
    }
}

/// Visits every pixel within a radius of a straight line, and some more, with a function that returns
/// its coverage from 0 to 255. It looks only at pixels near the line, so that a picture of many long
/// lines takes no time for the others.
fn each_near(
    (from, to): (Point, Point),
    radius: f32,
    (width, height): (u32, u32),
    mut visit: impl FnMut(u32, u32, &dyn Fn() -> u8),
) {
    let reach = radius + 1.0;
    for y in pixels(from.y.min(to.y) - reach, from.y.max(to.y) + reach, height) {
        let (low, high) = part_near_row(from, to, y as f32 + 0.5, reach);
        for x in pixels(low, high, width) {
            visit(x, y, &|| {
                let pixel = Point { x: x as f32 + 0.5, y: y as f32 + 0.5 };
                let inside = radius + 0.5 - distance(pixel, from, to);
                (inside.clamp(0.0, 1.0) * 255.0) as u8
            });
        }
    }
}

/// Returns two coordinates in x. Between them are all places of a row within reach of a line.
fn part_near_row(from: Point, to: Point, row: f32, reach: f32) -> (f32, f32) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    if dy == 0.0 {
        return (from.x.min(to.x) - reach, from.x.max(to.x) + reach);
    }
    let at = |share: f32| from.x + share * dx;
    let share = |y: f32| (y - from.y) / dy;
    let near = [row - reach, row + reach].map(|y| at(share(y).clamp(0.0, 1.0)));
    // Also all these places are near the line without ends.
    let (middle, half) = (at(share(row)), reach * dx.hypot(dy) / dy.abs());
    let (low, high) = (near[0].min(near[1]) - reach, near[0].max(near[1]) + reach);
    (low.max(middle - half), high.min(middle + half))
}

/// Returns the pixels between two coordinates.
fn pixels(low: f32, high: f32, end: u32) -> std::ops::Range<u32> {
    // Negative numbers become 0.
    low as u32..((high + 1.0) as u32).min(end)
}

/// Returns the distance from a point to the straight line between two points.
fn distance(point: Point, from: Point, to: Point) -> f32 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (px, py) = (point.x - from.x, point.y - from.y);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (px - along * dx).hypot(py - along * dy)
}

#[cfg(test)]
mod tests {
    use super::{Canvas, Point, segments};

    fn at(canvas: &Canvas, x: u32, y: u32) -> u8 {
        canvas.bytes()[((y * canvas.width() + x) * 3) as usize]
    }

    #[test]
    fn line_covers_what_is_near_and_nothing_else() {
        let mut canvas = Canvas::new(20, 10);
        canvas.polyline(&[Point { x: 5.0, y: 5.0 }, Point { x: 15.0, y: 5.0 }], 2.0, [200; 3]);
        assert_eq!(at(&canvas, 10, 5), 200);
        assert_eq!(at(&canvas, 10, 3), 200);
        assert_eq!(at(&canvas, 10, 1), 0);
        assert_eq!(at(&canvas, 1, 5), 0);
        assert_eq!(at(&canvas, 18, 5), 0);
    }

    #[test]
    fn drawing_beyond_the_canvas_is_cut() {
        let mut canvas = Canvas::new(4, 4);
        canvas.disc(Point { x: 0.0, y: 0.0 }, 100.0, [9; 3]);
        assert!(canvas.bytes().iter().all(|&byte| byte == 9));
        canvas.disc(Point { x: 900.0, y: 900.0 }, 5.0, [1; 3]);
        canvas.polyline(&[], 5.0, [1; 3]);
        assert!(canvas.bytes().iter().all(|&byte| byte == 9));
    }

    #[test]
    fn line_is_equal_as_one_segment_and_as_a_part_of_a_polyline() {
        for (x, y) in [(15.0, 5.0), (15.0, 9.5), (6.0, 18.0), (5.0, 0.0), (-7.0, 11.0), (40.0, -3.0)] {
            let (from, to) = (Point { x: 5.0, y: 5.0 }, Point { x, y });
            let draw = |points: &[Point]| {
                let mut canvas = Canvas::new(20, 20);
                canvas.polyline(points, 1.3, [200; 3]);
                canvas
            };
            let (alone, forth_and_back) = (draw(&[from, to]), draw(&[from, to, from]));
            assert_eq!(alone.bytes(), forth_and_back.bytes(), "{x}, {y}");
            assert!(alone.bytes().contains(&200), "{x}, {y}");
        }
    }

    #[test]
    fn many_lines_cost_no_more_than_the_pixels_that_they_cover() {
        let mut canvas = Canvas::new(100, 100);
        for line in 0..2_000_u16 {
            let x = f32::from(line % 100);
            canvas.polyline(&[Point { x, y: 0.0 }, Point { x: 100.0 - x, y: 100.0 }], 2.0, [200; 3]);
        }
        assert!((0..100).all(|y| at(&canvas, 50, y) == 200));
        // Without regard to what is drawn already, it would be a million.
        assert!(canvas.blends < 4 * 100 * 100, "{}", canvas.blends);
    }

    #[test]
    fn shrunk_canvas_has_the_mean_of_its_pixels() {
        let mut canvas = Canvas::new(5, 3);
        for (x, y, grey) in [(0, 0, 40), (1, 1, 20), (4, 0, 9), (4, 1, 11), (4, 2, 77)] {
            canvas.set(x, y, [grey; 3]);
        }
        let small = canvas.shrunk(2);
        assert_eq!((small.width(), small.height()), (3, 2));
        let means = [at(&small, 0, 0), at(&small, 1, 0), at(&small, 2, 0), at(&small, 2, 1)];
        assert_eq!(means, [15, 0, 10, 77]);
    }

    #[test]
    fn extended_canvas_keeps_its_pixels() {
        for (width, height) in [(2, 2), (2, 5), (4, 2), (4, 5)] {
            let mut canvas = Canvas::new(2, 2);
            for (x, y, grey) in [(0, 0, 1), (1, 0, 2), (0, 1, 3), (1, 1, 4)] {
                canvas.set(x, y, [grey; 3]);
            }
            canvas.extend(width, height, [9; 3]);
            assert_eq!((canvas.width(), canvas.height()), (width, height));
            assert_eq!(canvas.bytes().len() as u32, width * height * 3);
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let expected = if x < 2 && y < 2 { 1 + x as u8 + 2 * y as u8 } else { 9 };
                assert_eq!(at(&canvas, x, y), expected, "{x}, {y}");
            }
        }
    }

    #[test]
    fn steps_in_one_direction_are_one_segment() {
        let point = |x: u8, y: u8| Point { x: x.into(), y: y.into() };
        let line = [point(0, 0), point(1, 1), point(2, 2), point(3, 2), point(4, 2), point(3, 2)];
        let expected = [(point(0, 0), point(2, 2)), (point(2, 2), point(4, 2)), (point(4, 2), point(3, 2))];
        assert_eq!(segments(&line), expected);
        assert_eq!(segments(&[point(7, 7)]), [(point(7, 7), point(7, 7))]);
    }
}
