//! The view of the camera: all four maps, or one of them enlarged.

use bevy::prelude::*;
use tilepath_examples::camera::PanZoom;

use crate::level::{AREA, Shape};

/// Lets Tab enlarge one map after another. Needs a window.
pub(crate) struct ViewPlugin {
    /// The map that is enlarged at the start.
    pub(crate) enlarged: Option<Shape>,
}

impl Plugin for ViewPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Enlarged(self.enlarged))
            .add_systems(Startup, |mut commands: Commands| {
                commands.spawn((Camera2d, PanZoom::new(AREA, 2)));
            })
            .add_systems(Update, (press_keys, frame).chain());
    }
}

/// The map that is shown alone.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Enlarged(pub(crate) Option<Shape>);

impl Enlarged {
    /// Shows the next map, or all maps after the last one.
    fn next(self) -> Self {
        Self(match self.0 {
            None => Some(Shape::ALL[0]),
            Some(shape) => Shape::ALL.get(shape as usize + 1).copied(),
        })
    }

    /// Returns the visible part of the world. Below an enlarged map there is room for the legend.
    fn area(self) -> Rect {
        const LEGEND: f32 = 8.0;

        self.0.map_or(AREA, |shape| {
            let quarter = shape.quarter();
            Rect::from_corners(quarter.min - Vec2::Y * LEGEND, quarter.max)
        })
    }
}

fn press_keys(keys: Res<ButtonInput<KeyCode>>, mut enlarged: ResMut<Enlarged>) {
    if keys.just_pressed(KeyCode::Tab) {
        *enlarged = enlarged.next();
    }
}

/// Fits the camera to the visible part after it or the window has changed.
fn frame(enlarged: Res<Enlarged>, mut room: Local<Rect>, mut camera: Single<&mut PanZoom>) {
    if enlarged.is_changed() || *room != camera.room {
        *room = camera.room;
        camera.bounds = enlarged.area();
        camera.fit(enlarged.area());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_goes_through_all_maps_and_back() {
        let mut enlarged = Enlarged(None);
        let mut seen = Vec::new();
        for _ in 0..5 {
            enlarged = enlarged.next();
            seen.push(enlarged.0);
        }
        assert_eq!(seen[..4], Shape::ALL.map(Some));
        assert_eq!(seen[4], None);
    }
}
