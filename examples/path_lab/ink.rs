//! Flat shapes in one mesh: later shapes cover earlier ones.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// Corners of a whole circle.
const CORNERS: u32 = 20;

/// Shapes that become a mesh.
#[derive(Default)]
pub(crate) struct Ink {
    /// The place of shapes that are drawn at zero.
    pub(crate) origin: Vec2,
    positions: Vec<[f32; 3]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Ink {
    /// Draws a convex shape with these corners.
    pub(crate) fn polygon(&mut self, corners: impl IntoIterator<Item = Vec2>, colour: Color) {
        let first = self.positions.len() as u32;
        let colour = colour.to_linear().to_f32_array();
        for corner in corners {
            let corner = self.origin + corner;
            self.positions.push([corner.x, corner.y, 0.0]);
            self.colours.push(colour);
        }
        let end = self.positions.len() as u32;
        for corner in first + 2..end {
            self.indices.extend([first, corner - 1, corner]);
        }
    }

    /// Draws a rectangle around this middle.
    pub(crate) fn rectangle(&mut self, middle: Vec2, size: Vec2, colour: Color) {
        let half = size / 2.0;
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        self.polygon(corners.map(|(x, y)| middle + half * Vec2::new(x, y)), colour);
    }

    /// Draws a square with round corners.
    pub(crate) fn rounded(&mut self, middle: Vec2, side: f32, radius: f32, colour: Color) {
        let inner = side / 2.0 - radius;
        let corners = (0..4).flat_map(|corner| {
            let turn = |eighth: f32| Vec2::from_angle((corner as f32 + eighth) * std::f32::consts::FRAC_PI_2);
            let sign = turn(0.5).signum();
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| middle + sign * inner + turn(part) * radius)
        });
        self.polygon(corners.collect::<Vec<_>>(), colour);
    }

    /// Draws a disc.
    pub(crate) fn disc(&mut self, middle: Vec2, radius: f32, colour: Color) {
        let turn = std::f32::consts::TAU / CORNERS as f32;
        let corners = (0..CORNERS).map(|corner| middle + radius * Vec2::from_angle(turn * corner as f32));
        self.polygon(corners, colour);
    }

    /// Draws a straight line.
    pub(crate) fn line(&mut self, from: Vec2, to: Vec2, width: f32, colour: Color) {
        let side = (to - from).normalize_or_zero().perp() * width / 2.0;
        self.polygon([from - side, to - side, to + side, from + side], colour);
    }

    /// Draws a line through points, with round joints and ends.
    pub(crate) fn polyline(&mut self, points: &[Vec2], width: f32, colour: Color) {
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], width, colour);
        }
        for &point in points {
            self.disc(point, width / 2.0, colour);
        }
    }

    /// Returns the mesh. Without shapes it has a triangle of size 0, because an empty mesh cannot
    /// be drawn.
    pub(crate) fn into_mesh(mut self) -> Mesh {
        if self.positions.is_empty() {
            self.polygon([Vec2::ZERO; 3], Color::NONE);
        }
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours)
            .with_inserted_indices(Indices::U32(self.indices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_keep_within_their_size() {
        let mut ink = Ink::default();
        ink.rounded(Vec2::new(5.0, 5.0), 4.0, 1.0, Color::WHITE);
        ink.disc(Vec2::new(5.0, 5.0), 2.0, Color::WHITE);
        ink.line(Vec2::new(3.0, 5.0), Vec2::new(7.0, 5.0), 2.0, Color::WHITE);
        for [x, y, _] in &ink.positions {
            assert!((2.999..=7.001).contains(x) && (2.999..=7.001).contains(y), "{x} {y}");
        }
        assert!(ink.indices.iter().all(|&index| (index as usize) < ink.positions.len()));
        assert_eq!(ink.indices.len() % 3, 0);
    }
}
