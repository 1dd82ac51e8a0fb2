//! Colours as they are seen without red or green receptors.
//!
//! For one man in twelve red and green look alike. Marks that mean different things must differ in
//! lightness or in form.

use bevy::prelude::*;

/// The least difference in lightness (L* of CIE 1976, from 0 to 100) of two marks of equal form.
pub const MIN_LIGHTNESS_APART: f32 = 10.0;

/// A mark of a picture: its meaning, its colour, and a word for its form.
///
/// Forms are for example a frame, a cross, a disc, dashes. Two lines whose widths differ by half
/// have different forms.
pub type Mark = (&'static str, Color, &'static str);

/// Returns the colour as it is seen with deuteranopia, the most frequent kind.
///
/// The matrix is from G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A physiologically-based
/// model for simulation of color vision deficiency", IEEE TVCG 15 (6), 2009, for severity 1.0.
#[must_use]
pub fn deuteranopia(colour: Color) -> LinearRgba {
    let seen = Mat3::from_cols_array(&[
        0.367_322, 0.280_085, -0.011_820, 0.860_646, 0.672_501, 0.042_940, -0.227_968, 0.047_413, 0.968_881,
    ]) * colour.to_linear().to_vec3();
    let seen = seen.clamp(Vec3::ZERO, Vec3::ONE);
    LinearRgba::rgb(seen.x, seen.y, seen.z)
}

/// Returns the lightness of a colour, from 0 to 100.
#[must_use]
pub fn lightness(colour: impl Into<Laba>) -> f32 {
    colour.into().lightness * 100.0
}

/// Returns the pairs of marks that look alike with deuteranopia: of equal form and of nearly equal
/// lightness. It is empty if all marks differ.
///
/// # Example
///
/// ```
/// use bevy::color::Color;
/// use tilepath_examples::colour_vision::look_alikes;
///
/// let red = ("stop", Color::srgb(0.93, 0.26, 0.20), "disc");
/// let green = ("go", Color::srgb(0.35, 0.62, 0.20), "disc");
/// assert_eq!(look_alikes(&[red, green]), [("stop", "go")]);
/// assert!(look_alikes(&[red, ("go", green.1, "ring")]).is_empty());
/// ```
#[must_use]
pub fn look_alikes(marks: &[Mark]) -> Vec<(&'static str, &'static str)> {
    let mut alike = Vec::new();
    for (index, &(name, colour, form)) in marks.iter().enumerate() {
        for &(other, other_colour, other_form) in &marks[index + 1..] {
            let apart = lightness(deuteranopia(colour)) - lightness(deuteranopia(other_colour));
            if form == other_form && apart.abs() < MIN_LIGHTNESS_APART {
                alike.push((name, other));
            }
        }
    }
    alike
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grey_stays_grey_and_red_and_green_become_alike() {
        let grey = deuteranopia(Color::srgb(0.5, 0.5, 0.5));
        assert!((grey.red - grey.green).abs() < 1e-3 && (grey.green - grey.blue).abs() < 1e-3);
        let [red, green] = [Color::srgb(0.9, 0.3, 0.2), Color::srgb(0.48, 0.48, 0.1)];
        let (hue, other) = (Lcha::from(deuteranopia(red)).hue, Lcha::from(deuteranopia(green)).hue);
        assert!((hue - other).abs() < 15.0, "{hue} and {other}");
        let (hue, other) = (Lcha::from(red).hue, Lcha::from(green).hue);
        assert!((hue - other).abs() > 45.0, "{hue} and {other}");
        assert!((lightness(Color::WHITE) - 100.0).abs() < 0.1);
    }
}
