//! Lines and marks that are drawn anew in every frame, with reused sprites.

use bevy::prelude::*;

/// Draws the contents of [`Canvas`]. Needs a window.
#[derive(Debug)]
pub struct CanvasPlugin;

/// The system set of systems that draw on the [`Canvas`].
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub struct DrawSet;

impl Plugin for CanvasPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Canvas>()
            .add_systems(PostStartup, load_pictures)
            .configure_sets(PostUpdate, DrawSet.before(show).before(TransformSystems::Propagate))
            .add_systems(
                PostUpdate,
                show.run_if(resource_exists::<Pictures>).before(TransformSystems::Propagate),
            );
    }
}

/// The colour of rims.
pub const INK: Color = Color::srgb(0.09, 0.08, 0.12);
/// The colour of a path.
pub const ROUTE: Color = Color::srgb(0.98, 0.80, 0.28);
const BRIGHT: Color = Color::srgb(1.0, 0.97, 0.72);

/// The lines and marks of this frame.
#[derive(Resource, Debug, Default)]
pub struct Canvas {
    strokes: Vec<Stroke>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Stroke {
    picture: Picture,
    centre: Vec2,
    height: f32,
    /// The angle, in radians from east to north.
    angle: f32,
    size: Vec2,
    colour: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Picture {
    Plain,
    Waypoint,
    Arrow,
}

/// The look of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pen {
    /// The width of the line, in world units.
    pub width: f32,
    /// Its colour.
    pub colour: Color,
    /// The height at which it is drawn.
    pub height: f32,
}

impl Canvas {
    /// Draws a straight line with blunt ends.
    pub fn line(&mut self, from: Vec2, to: Vec2, pen: Pen) {
        let along = to - from;
        self.strokes.push(Stroke {
            picture: Picture::Plain,
            centre: from.midpoint(to),
            height: pen.height,
            angle: along.to_angle(),
            size: Vec2::new(along.length(), pen.width),
            colour: pen.colour,
        });
    }

    /// Draws dashes along a line of many points, moved along by `shift`. The dashes begin at the
    /// last point, so that they do not move while a walker goes along the line.
    pub fn dashes(&mut self, points: &[Vec2], dash: f32, gap: f32, shift: f32, pen: Pen) {
        let period = dash + gap;
        // The place of the next dash, counted back from the end of the rest of the line.
        let mut at = -shift.rem_euclid(period);
        for ends in points.windows(2).rev() {
            let (end, begin) = (ends[1], ends[0]);
            let length = end.distance(begin);
            if length > 0.0 {
                let back = (begin - end) / length;
                while at < length {
                    let (from, to) = (at.max(0.0), (at + dash).min(length));
                    if to > from {
                        self.line(end + back * to, end + back * from, pen);
                    }
                    if at + dash > length {
                        break;
                    }
                    at += period;
                }
                at -= length;
            }
        }
    }

    /// Draws a path: gold with a dark rim, and dashes that run along it.
    pub fn route(&mut self, points: &[Vec2], seconds: f32, height: f32) {
        for ends in points.windows(2) {
            // A little longer, so that corners close.
            let more = (ends[1] - ends[0]).normalize_or_zero() * 1.5;
            let (from, to) = (ends[0] - more, ends[1] + more);
            self.line(from, to, Pen { width: 6.0, colour: INK.with_alpha(0.85), height });
            self.line(from, to, Pen { width: 3.5, colour: ROUTE, height: height + 0.1 });
        }
        let pen = Pen { width: 1.5, colour: BRIGHT, height: height + 0.2 };
        self.dashes(points, 4.0, 6.0, seconds * 14.0 % 10.0, pen);
    }

    /// Draws a waypoint.
    pub fn waypoint(&mut self, at: Vec2, size: f32, colour: Color, height: f32) {
        self.mark(Picture::Waypoint, at, size, 0.0, colour, height);
    }

    /// Draws an arrowhead that points along `angle`.
    pub fn arrow(&mut self, at: Vec2, angle: f32, size: f32, colour: Color, height: f32) {
        self.mark(Picture::Arrow, at, size, angle, colour, height);
    }

    fn mark(&mut self, picture: Picture, centre: Vec2, size: f32, angle: f32, colour: Color, height: f32) {
        self.strokes.push(Stroke { picture, centre, height, angle, size: Vec2::splat(size), colour });
    }
}

#[derive(Resource)]
struct Pictures {
    waypoint: Handle<Image>,
    arrow: Handle<Image>,
}

/// A sprite, and its index in the list of strokes.
#[derive(Component)]
struct Slot(usize);

fn load_pictures(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(Pictures {
        waypoint: assets.load("sprites/waypoint.png"),
        arrow: assets.load("sprites/arrow.png"),
    });
}

impl Pictures {
    fn sprite(&self, stroke: &Stroke) -> Sprite {
        let image = match stroke.picture {
            Picture::Plain => Handle::default(),
            Picture::Waypoint => self.waypoint.clone(),
            Picture::Arrow => self.arrow.clone(),
        };
        Sprite { image, color: stroke.colour, custom_size: Some(stroke.size), ..default() }
    }
}

impl Stroke {
    fn transform(&self) -> Transform {
        Transform::from_translation(self.centre.extend(self.height))
            .with_rotation(Quat::from_rotation_z(self.angle))
    }
}

fn show(
    mut commands: Commands,
    mut canvas: ResMut<Canvas>,
    pictures: Res<Pictures>,
    mut slots: Query<(&Slot, &mut Sprite, &mut Transform, &mut Visibility)>,
) {
    let mut existing = 0;
    for (slot, mut sprite, mut transform, mut visibility) in &mut slots {
        existing += 1;
        let Some(stroke) = canvas.strokes.get(slot.0) else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        *sprite = pictures.sprite(stroke);
        transform.set_if_neq(stroke.transform());
    }
    for (index, stroke) in canvas.strokes.iter().enumerate().skip(existing) {
        commands.spawn((Slot(index), pictures.sprite(stroke), stroke.transform()));
    }
    canvas.strokes.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEN: Pen = Pen { width: 1.0, colour: Color::WHITE, height: 0.0 };

    /// Returns where dashes along the x axis begin and end.
    fn spans(points: &[f32], shift: f32) -> Vec<(f32, f32)> {
        let mut canvas = Canvas::default();
        let points: Vec<Vec2> = points.iter().map(|&x| Vec2::new(x, 0.0)).collect();
        canvas.dashes(&points, 2.0, 3.0, shift, PEN);
        let mut spans: Vec<(f32, f32)> = canvas
            .strokes
            .iter()
            .map(|stroke| (stroke.centre.x - stroke.size.x / 2.0, stroke.centre.x + stroke.size.x / 2.0))
            .collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        spans
    }

    #[test]
    fn dashes_are_counted_from_the_end() {
        assert_eq!(spans(&[0.0, 10.0], 0.0), [(3.0, 5.0), (8.0, 10.0)]);
        assert_eq!(spans(&[4.0, 10.0], 0.0), [(4.0, 5.0), (8.0, 10.0)], "as much of it as is left");
    }

    #[test]
    fn dashes_go_on_around_corners() {
        assert_eq!(spans(&[0.0, 4.0, 10.0], 0.0), [(3.0, 4.0), (4.0, 5.0), (8.0, 10.0)]);
    }

    #[test]
    fn dashes_move_towards_the_end() {
        assert_eq!(spans(&[0.0, 10.0], 1.0), [(0.0, 1.0), (4.0, 6.0), (9.0, 10.0)]);
        assert_eq!(spans(&[0.0, 10.0], 5.0), spans(&[0.0, 10.0], 0.0));
        assert!(spans(&[3.0], 0.0).is_empty());
    }
}
