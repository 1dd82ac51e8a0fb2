//! The yard as a picture: danger, guards, and a colour for each path.

use crate::{Place, Yard};
use std::{fs::File, io::BufWriter, path::Path};

type Colour = [f64; 3];

/// The side of a place, in pixels.
const SIDE: usize = 24;
/// The samples a side of a pixel, whose mean is its colour.
const SAMPLES: usize = 3;

const FLOOR: Colour = [0.93, 0.90, 0.84];
const DANGER: Colour = [0.85, 0.28, 0.16];
const WALL: Colour = [0.25, 0.27, 0.33];
const GUARD: Colour = [0.16, 0.17, 0.35];
const START: Colour = [0.20, 0.20, 0.20];
/// The colours, in the order of the paths.
const WAYS: [Colour; 3] = [[0.78, 0.10, 0.14], [0.90, 0.62, 0.05], [0.10, 0.50, 0.30]];

/// Writes the yard with its paths to a PNG file.
pub(crate) fn write(file: &Path, yard: &Yard, ways: &[Vec<Place>]) -> Result<(), png::EncodingError> {
    let (width, height) = (yard.rows[0].len() * SIDE, yard.rows.len() * SIDE);
    let mut pixels = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0.0; 3];
            for sample in 0..SAMPLES * SAMPLES {
                let inside = |pixel: usize, part: usize| {
                    (pixel as f64 + (part as f64 + 0.5) / SAMPLES as f64) / SIDE as f64
                };
                let colour = colour(yard, ways, inside(x, sample % SAMPLES), inside(y, sample / SAMPLES));
                for (sum, part) in sum.iter_mut().zip(colour) {
                    *sum += part;
                }
            }
            pixels.extend(sum.map(|sum| (sum / (SAMPLES * SAMPLES) as f64 * 255.0).round() as u8));
        }
    }
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(file)?), width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)
}

/// Returns the colour of a point, in places from the upper left corner.
fn colour(yard: &Yard, ways: &[Vec<Place>], x: f64, y: f64) -> Colour {
    let place = (x as i32, y as i32);
    if yard.letter(place) == '#' {
        return WALL;
    }
    for guard in &yard.guards {
        let (dx, dy) = (x - f64::from(guard.place.0) - 0.5, y - f64::from(guard.place.1) - 0.5);
        let ahead = dx * f64::from(guard.facing.0) + dy * f64::from(guard.facing.1);
        let aside = (dx * f64::from(guard.facing.1)).abs() + (dy * f64::from(guard.facing.0)).abs();
        let is_nose = ahead > 0.0 && ahead < 0.48 && aside < 0.30 * (1.0 - ahead / 0.48);
        if dx.hypot(dy) < 0.30 || is_nose {
            return GUARD;
        }
    }
    for end in [yard.start, yard.goal] {
        let away = (x - f64::from(end.0) - 0.5).hypot(y - f64::from(end.1) - 0.5);
        if away < 0.32 {
            return if away < 0.20 && end == yard.goal { FLOOR } else { START };
        }
    }
    for (number, (way, colour)) in ways.iter().zip(WAYS).enumerate() {
        // Paths are side by side if they share places.
        let shift = 0.5 + (number as f64 - 1.0) * 0.2;
        let point = |(x, y): Place| (f64::from(x) + shift, f64::from(y) + shift);
        if way.windows(2).any(|step| distance((x, y), point(step[0]), point(step[1])) < 0.075) {
            return colour;
        }
    }
    let glow = (f64::from(yard.danger(place)) / 24.0).min(1.0).powf(0.7) * 0.8;
    // A thin line between places.
    let is_edge = x.fract() < 0.05 || y.fract() < 0.05;
    let shade = if is_edge { 0.96 } else { 1.0 };
    std::array::from_fn(|part| (FLOOR[part] + (DANGER[part] - FLOOR[part]) * glow) * shade)
}

/// Returns the distance from a point to the line between two others.
fn distance((x, y): (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let share = ((x - from.0) * dx + (y - from.1) * dy) / (dx * dx + dy * dy);
    let share = share.clamp(0.0, 1.0);
    (x - from.0 - share * dx).hypot(y - from.1 - share * dy)
}
