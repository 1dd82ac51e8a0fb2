//! The selection: by a frame, by a click, or all at once.

use bevy::prelude::*;
use tilepath_examples::{
    canvas::{Canvas, DrawSet, Pen},
    pointer::{Stroke, Strokes},
};

use crate::{scene::height, units::Unit};

/// Selects with the left button. Needs a window.
pub(crate) struct SelectPlugin;

impl Plugin for SelectPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Frame>()
            .add_systems(PostStartup, select_soldiers)
            .add_systems(Update, drag_frame)
            .add_systems(PostUpdate, draw_frame.in_set(DrawSet));
    }
}

/// Marks a selected unit, which gets the next order.
#[derive(Component, Debug, Default, Clone, Copy)]
pub(crate) struct Selected;

/// The frame that the player drags, from one corner to the other.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Frame(pub(crate) Option<(Vec2, Vec2)>);

/// The least side of a frame. A smaller one is a click.
const CLICK: f32 = 6.0;

fn select_soldiers(mut commands: Commands, units: Query<(Entity, &Unit)>) {
    for (unit, _) in units.iter().filter(|(_, unit)| **unit == Unit::Soldier) {
        commands.entity(unit).insert(Selected);
    }
}

fn drag_frame(
    mut strokes: Strokes,
    keys: Res<ButtonInput<KeyCode>>,
    mut frame: ResMut<Frame>,
    units: Query<(Entity, &Unit, &Transform)>,
    selected: Query<Entity, With<Selected>>,
    mut commands: Commands,
) {
    for stroke in strokes.read() {
        match stroke {
            Stroke::Press(at) => frame.0 = Some((at, at)),
            Stroke::Move(at) => {
                if let Some((_, end)) = &mut frame.0 {
                    *end = at;
                }
            }
            Stroke::Release => {
                let Some((from, to)) = frame.0.take() else { continue };
                if !keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
                    for unit in &selected {
                        commands.entity(unit).remove::<Selected>();
                    }
                }
                for unit in within(from, to, units.iter()) {
                    commands.entity(unit).insert(Selected);
                }
            }
        }
    }
}

/// Returns the units that a frame touches. For a click, this is the foremost one only.
fn within<'a>(
    from: Vec2,
    to: Vec2,
    units: impl Iterator<Item = (Entity, &'a Unit, &'a Transform)>,
) -> Vec<Entity> {
    let frame = Rect::from_corners(from, to);
    let is_click = frame.size().max_element() < CLICK;
    let mut met: Vec<(f32, Entity)> = units
        .filter(|(_, unit, place)| {
            let middle = place.translation.truncate();
            if is_click { unit.picture(middle).contains(to) } else { frame.contains(middle) }
        })
        .map(|(entity, _, place)| (place.translation.y, entity))
        .collect();
    met.sort_by(|a, b| a.0.total_cmp(&b.0));
    met.truncate(if is_click { 1 } else { usize::MAX });
    met.into_iter().map(|(_, entity)| entity).collect()
}

fn draw_frame(frame: Res<Frame>, mut canvas: ResMut<Canvas>) {
    let Some((from, to)) = frame.0.filter(|(from, to)| from.distance(*to) >= CLICK) else { return };
    let rect = Rect::from_corners(from, to);
    let fill =
        Pen { width: rect.height(), colour: Color::srgba(0.75, 0.95, 0.6, 0.14), height: height::FRAME };
    let middle = rect.center().y;
    canvas.line(Vec2::new(rect.min.x, middle), Vec2::new(rect.max.x, middle), fill);
    let corners =
        [rect.min, Vec2::new(rect.max.x, rect.min.y), rect.max, Vec2::new(rect.min.x, rect.max.y), rect.min];
    for ends in corners.windows(2) {
        let pen = Pen { width: 1.0, colour: Color::srgb(0.85, 1.0, 0.7), height: height::FRAME + 0.1 };
        canvas.line(ends[0], ends[1], pen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_takes_all_in_it_and_a_click_the_foremost() {
        let mut world = World::new();
        let [front, behind, away] = [(50.0, 20.0), (50.0, 30.0), (150.0, 20.0)]
            .map(|(x, y)| world.spawn((Unit::Soldier, Transform::from_xyz(x, y, 0.0))).id());
        let met = |world: &mut World, from: (f32, f32), to: (f32, f32)| {
            let mut query = world.query::<(Entity, &Unit, &Transform)>();
            within(from.into(), to.into(), query.iter(world))
        };
        assert_eq!(met(&mut world, (60.0, 40.0), (40.0, 10.0)), [front, behind]);
        assert_eq!(met(&mut world, (50.0, 33.0), (51.0, 33.0)), [front]);
        assert_eq!(met(&mut world, (0.0, 0.0), (200.0, 99.0)).len(), 3);
        assert!(!met(&mut world, (0.0, 0.0), (100.0, 99.0)).contains(&away));
    }
}
