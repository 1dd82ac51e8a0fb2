//! The looks of walkers: a shadow, and a figure with moving legs.

use bevy::{ecs::system::SystemParam, platform::collections::HashMap, prelude::*, sprite::Anchor};
use bevy_tilepath::{Motion, PathAgent};

const COLUMNS: usize = 8;
const STANDING_FRAMES: usize = 2;
const WALKING_FRAMES: usize = 6;
/// The distance between two walking frames, in world units.
const STRIDE: f32 = 5.5;
/// The time between the two standing frames, in seconds.
const BREATH: f32 = 0.7;

/// Returns the height of things that stand on the ground. A thing further down stands in front.
#[must_use]
pub fn standing_height(y: f32) -> f32 {
    20.0 - y * 0.01
}

/// The pictures of a walker: rows down, left, right, up; two standing and six walking.
///
/// Add it to a walker with another look than the default of [`FigurePlugin`].
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct Looks {
    /// The file of the pictures.
    pub sheet: &'static str,
    /// The size of one picture in pixels.
    pub frame: UVec2,
    /// The pixels of a picture below the walker's place.
    pub below: f32,
    /// The distance from its place down to the ground, in world units. It decides whether it is
    /// before or behind other things.
    pub foot: f32,
    /// True if it has the shadow of a person. Other pictures contain their shadow.
    pub has_shadow: bool,
    /// The opaque part of the picture around the walker's place, in world units.
    pub filled: Rect,
}

impl Looks {
    /// Returns a person, 24 x 28 pixels. The feet are 4 pixels above the picture's lower edge and 3
    /// below the place.
    #[must_use]
    pub const fn person(sheet: &'static str) -> Self {
        let filled = Rect { min: Vec2::new(-7.0, -4.0), max: Vec2::new(7.0, 20.0) };
        Self { sheet, frame: UVec2::new(24, 28), below: 7.0, foot: 0.0, has_shadow: true, filled }
    }

    /// Returns a wagon of two by two cells.
    pub const WAGON: Self = Self {
        sheet: "sprites/wagon.png",
        frame: UVec2::new(56, 52),
        below: 20.0,
        foot: 6.0,
        has_shadow: false,
        filled: Rect { min: Vec2::new(-22.0, -12.0), max: Vec2::new(22.0, 22.0) },
    };

    /// Returns a boat.
    pub const BOAT: Self = Self {
        sheet: "sprites/boat.png",
        frame: UVec2::new(40, 44),
        below: 11.0,
        foot: 4.0,
        has_shadow: false,
        filled: Rect { min: Vec2::new(-14.0, -6.0), max: Vec2::new(14.0, 27.0) },
    };

    /// Returns the part of the world that its picture fills if the walker is there.
    #[must_use]
    pub fn picture(&self, place: Vec2) -> Rect {
        Rect { min: self.filled.min + place, max: self.filled.max + place }
    }
}

/// Draws each [`PathAgent`] from its first frame on. Needs a window.
#[derive(Debug, Clone, Copy)]
pub struct FigurePlugin {
    /// The pictures of a [person](Looks::person), for all walkers without their own [`Looks`].
    pub sheet: &'static str,
    /// The height of the shadow.
    pub shadow_height: f32,
    /// The extra height of the figure above things on the ground: 0, or enough that nothing ever
    /// hides it.
    pub lift: f32,
}

impl Plugin for FigurePlugin {
    fn build(&self, app: &mut App) {
        let looks = *self;
        let dress = move |commands: Commands, sheets: Sheets, walkers: Query<NewWalker, NewWalkers>| {
            dress(looks, commands, sheets, walkers);
        };
        app.add_systems(Update, (dress, animate).chain());
    }
}

#[derive(Component, Default)]
struct Figure {
    /// The distance since it last stood, in world units.
    walked: f32,
    /// The seconds since it stands.
    stood: f32,
    lift: f32,
    foot: f32,
}

/// Marks a walker that has its pictures.
#[derive(Component)]
struct Dressed;

type NewWalker = (Entity, Option<&'static Looks>);
type NewWalkers = (With<PathAgent>, Without<Dressed>);

/// The files of pictures, and their divisions into frames.
#[derive(SystemParam)]
struct Sheets<'w, 's> {
    assets: Res<'w, AssetServer>,
    layouts: ResMut<'w, Assets<TextureAtlasLayout>>,
    divided: Local<'s, HashMap<UVec2, Handle<TextureAtlasLayout>>>,
}

fn dress(
    plugin: FigurePlugin,
    mut commands: Commands,
    mut sheets: Sheets,
    walkers: Query<NewWalker, NewWalkers>,
) {
    for (walker, looks) in &walkers {
        let looks = looks.copied().unwrap_or(Looks::person(plugin.sheet));
        let Sheets { assets, layouts, divided } = &mut sheets;
        let divide =
            || layouts.add(TextureAtlasLayout::from_grid(looks.frame, COLUMNS as u32, 4, None, None));
        let layout = divided.entry(looks.frame).or_insert_with(divide).clone();
        commands.entity(walker).insert(Dressed).with_children(|parent| {
            if looks.has_shadow {
                parent.spawn((
                    Sprite::from_image(assets.load("sprites/shadow.png")),
                    Transform::from_xyz(0.0, -3.0, plugin.shadow_height),
                ));
            }
            parent.spawn((
                Figure { lift: plugin.lift, foot: looks.foot, ..default() },
                Sprite::from_atlas_image(assets.load(looks.sheet), TextureAtlas { layout, index: 0 }),
                Anchor(Vec2::new(0.0, -0.5 + looks.below / looks.frame.y as f32)),
            ));
        });
    }
}

fn animate(
    time: Res<Time>,
    walkers: Query<(&Motion, &Transform), With<PathAgent>>,
    mut figures: Query<(&mut Figure, &ChildOf, &mut Sprite, &mut Transform), Without<PathAgent>>,
) {
    for (mut figure, parent, mut sprite, mut transform) in &mut figures {
        let Ok((motion, place)) = walkers.get(parent.parent()) else { continue };
        transform.translation.z = standing_height(place.translation.y - figure.foot) + figure.lift;

        let speed = motion.velocity.length();
        let frame = if speed > 0.0 {
            figure.stood = 0.0;
            figure.walked += speed * time.delta_secs();
            STANDING_FRAMES + (figure.walked / STRIDE) as usize % WALKING_FRAMES
        } else {
            figure.walked = 0.0;
            figure.stood += time.delta_secs();
            (figure.stood / BREATH) as usize % STANDING_FRAMES
        };
        if let Some(atlas) = &mut sprite.texture_atlas {
            atlas.index = row_of(motion.facing) * COLUMNS + frame;
        }
    }
}

/// Returns the row of the sheet for a direction: down, left, right, up. Diagonal directions use
/// left or right.
fn row_of(facing: Vec2) -> usize {
    if facing.x.abs() >= facing.y.abs() * 0.9 {
        if facing.x < 0.0 { 1 } else { 2 }
    } else if facing.y < 0.0 {
        0
    } else {
        3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_direction_has_its_row() {
        assert_eq!(row_of(Vec2::NEG_Y), 0);
        assert_eq!(row_of(Vec2::NEG_X), 1);
        assert_eq!(row_of(Vec2::X), 2);
        assert_eq!(row_of(Vec2::Y), 3);
        assert_eq!(row_of(Vec2::new(-1.0, 1.0).normalize()), 1);
    }
}
