//! The flow field of a goal as arrows, and the paths to it.

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, Cell, NavQuery, tilepath::field::FlowField};
use tilepath_examples::{
    camera::PanZoom,
    canvas::{Canvas, DrawSet, Pen},
};

use crate::{
    city::{City, GOALS},
    looks::goal_colour,
    scene::{TILE, cell_at, centre_of, height},
    units::Unit,
};

/// The least distance of two arrows, and the size of an arrow, in screen pixels.
const APART: f32 = 40.0;
const ARROW: f32 = 12.0;

/// Draws [`Shown`]. Needs a window.
pub(crate) struct ArrowsPlugin;

impl Plugin for ArrowsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Field>()
            .add_systems(Update, keep_field)
            .add_systems(PostUpdate, (draw_field, draw_ways).in_set(DrawSet));
    }
}

/// The goal whose field and paths are drawn.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// An index of [`City::goals`].
    pub(crate) goal: usize,
    pub(crate) field: bool,
    pub(crate) ways: bool,
}

impl Shown {
    /// Returns field and paths of the goal of this number, counted from 1, or nothing.
    pub(crate) fn begin(goal: Option<usize>) -> Self {
        Self { goal: goal.unwrap_or(1) - 1, field: goal.is_some(), ways: goal.is_some() }
    }

    pub(crate) fn next_goal(&mut self) {
        self.goal = (self.goal + 1) % GOALS;
    }
}

/// The field that is drawn, and the index of its goal.
#[derive(Resource, Default)]
struct Field(Option<(usize, FlowField)>);

/// Makes the field while it is shown, and updates it after changes of the map.
fn keep_field(shown: Res<Shown>, city: Res<City>, nav: NavQuery, mut field: ResMut<Field>) {
    if !shown.field {
        field.0 = None;
        return;
    }
    let Ok(view) = nav.only_map() else { return };
    let is_kept = match &mut field.0 {
        Some((goal, field)) => *goal == shown.goal && field.update(view.finder()).is_ok(),
        None => false,
    };
    if !is_kept {
        field.0 = view.field([city.goals[shown.goal]]).ok().map(|field| (shown.goal, field));
    }
}

fn draw_field(field: Res<Field>, camera: Single<&PanZoom>, mut canvas: ResMut<Canvas>) {
    let Some((goal, field)) = &field.0 else { return };
    let step = (APART / TILE / camera.zoom).ceil().max(1.0) as i32;
    let seen = camera.seen();
    let (low, high) = (cell_at(seen.min), cell_at(seen.max));
    let size = (ARROW / camera.zoom).max(TILE * 0.6);
    let colour = goal_colour(*goal).with_alpha(0.7);
    for y in (low.y.div_euclid(step)..=high.y.div_euclid(step)).map(|row| row * step) {
        for x in (low.x.div_euclid(step)..=high.x.div_euclid(step)).map(|column| column * step) {
            let cell = Cell::new(x, y);
            let Some(direction) = field.direction(cell) else { continue };
            let (dx, dy) = direction.offset();
            let angle = Vec2::new(dx as f32, dy as f32).to_angle();
            canvas.arrow(centre_of(cell), angle, size, colour, height::ARROWS);
        }
    }
}

fn draw_ways(shown: Res<Shown>, units: Query<(&Unit, &Transform, &AgentPath)>, mut canvas: ResMut<Canvas>) {
    if !shown.ways {
        return;
    }
    let pen = Pen { width: 0.8, colour: goal_colour(shown.goal).with_alpha(0.5), height: height::WAYS };
    for (_, place, path) in units.iter().filter(|(unit, ..)| unit.goal == shown.goal) {
        let ahead = path.points().iter().skip(path.next_point()).copied();
        let points: Vec<Vec2> = std::iter::once(place.translation.truncate()).chain(ahead).collect();
        for ends in corners(&points).windows(2) {
            canvas.line(ends[0], ends[1], pen);
        }
    }
}

/// Returns the first and last point of a line, and the points where it turns.
fn corners(points: &[Vec2]) -> Vec<Vec2> {
    let mut corners: Vec<Vec2> = Vec::new();
    for (index, &point) in points.iter().enumerate() {
        let goes_on = index > 0
            && points.get(index + 1).is_some_and(|next| {
                let (before, after) = (point - points[index - 1], next - point);
                before.perp_dot(after).abs() < 0.01 && before.dot(after) > 0.0
            });
        if !goes_on {
            corners.push(point);
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_drawn_from_corner_to_corner() {
        let points =
            [(0.0, 0.0), (4.0, 0.0), (8.0, 0.0), (12.0, 4.0), (16.0, 8.0), (12.0, 4.0)].map(Vec2::from);
        assert_eq!(corners(&points), [points[0], points[2], points[4], points[5]]);
        assert_eq!(corners(&points[..1]), points[..1]);
    }

    #[test]
    fn the_goals_are_gone_through_by_turns() {
        let mut shown = Shown::begin(Some(GOALS));
        assert!(shown.field && shown.goal == GOALS - 1);
        shown.next_goal();
        assert_eq!(shown.goal, 0);
        assert_eq!(Shown::begin(None), Shown { goal: 0, field: false, ways: false });
    }
}
