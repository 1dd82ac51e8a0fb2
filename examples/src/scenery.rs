//! Pictures of things in towns and on meadows.

use bevy::{ecs::system::SystemParam, prelude::*, sprite::Anchor};
use bevy_tilepath::Cell;

use crate::{figure::standing_height, tiles::TILE, town::Kind};

/// The colour around the map.
pub const SURROUNDINGS: Color = Color::srgb(0.075, 0.155, 0.155);

/// Animates pictures with [`Frames`]. Needs a window.
#[derive(Debug)]
pub struct FramesPlugin;

impl Plugin for FramesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, animate);
    }
}

/// An animation.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct Frames {
    /// The index of the first frame on its sheet.
    pub first: usize,
    /// The number of frames.
    pub count: usize,
    /// Frames a second; 0 means no animation.
    pub rate: f32,
}

/// Makes the pictures of things.
#[derive(SystemParam)]
pub struct Things<'w> {
    /// The loader of pictures.
    pub assets: Res<'w, AssetServer>,
    /// The divisions of sheets into pictures.
    pub layouts: ResMut<'w, Assets<TextureAtlasLayout>>,
}

impl Things<'_> {
    /// Returns the picture of a thing that stands with its foot at a place of the world.
    pub fn picture(&mut self, kind: Kind, foot: Vec2) -> impl Bundle + use<> {
        let look = Look::of(kind);
        let layout = TextureAtlasLayout::from_grid(look.size, look.columns, 1, None, None);
        let atlas = TextureAtlas { layout: self.layouts.add(layout), index: look.first + look.variant(foot) };
        (
            Sprite::from_atlas_image(self.assets.load(look.file), atlas),
            // The ground line is 4 pixels above the picture's lower edge.
            Anchor(Vec2::new(0.0, -0.5 + 4.0 / look.size.y as f32)),
            Transform::from_translation(foot.extend(standing_height(foot.y))),
            Frames { first: look.first, count: look.count, rate: look.rate },
        )
    }

    /// Returns the picture of a thing whose letter is on a cell.
    pub fn on_cell(&mut self, kind: Kind, cell: Cell) -> impl Bundle + use<> {
        let area = kind.covered(cell);
        let is_cottage = area.width() > TILE;
        let foot = Vec2::new(area.center().x, if is_cottage { area.min.y } else { area.min.y + 3.0 });
        self.picture(kind, foot)
    }
}

/// The pictures of a thing: some of a row of equal pictures.
struct Look {
    file: &'static str,
    size: UVec2,
    columns: u32,
    first: usize,
    count: usize,
    /// Frames a second, or 0 if its pictures are variants.
    rate: f32,
}

impl Look {
    fn of(kind: Kind) -> Self {
        let tree = |first, count| Self {
            file: "sprites/trees.png",
            size: UVec2::new(32, 40),
            columns: 7,
            first,
            count,
            rate: 0.0,
        };
        let cottage = |first| Self {
            file: "sprites/cottages.png",
            size: UVec2::splat(64),
            columns: 4,
            first,
            count: 1,
            rate: 0.0,
        };
        let small = |first| Self {
            file: "town/small.png",
            size: UVec2::new(40, 36),
            columns: 8,
            first,
            count: 1,
            rate: 0.0,
        };
        let single = |file, width, height| Self {
            file,
            size: UVec2::new(width, height),
            columns: 1,
            first: 0,
            count: 1,
            rate: 0.0,
        };
        match kind {
            Kind::Oak => tree(0, 2),
            Kind::AutumnOak => tree(2, 1),
            Kind::Fir => tree(3, 2),
            Kind::Bush => tree(5, 1),
            Kind::Well => tree(6, 1),
            Kind::RedCottage => cottage(0),
            Kind::BlueCottage => cottage(1),
            Kind::StrawCottage => cottage(2),
            Kind::SlateCottage => cottage(3),
            Kind::Church => single("town/church.png", 64, 96),
            Kind::Windmill => Self { columns: 2, count: 2, rate: 1.6, ..single("town/windmill.png", 72, 96) },
            Kind::Watchtower => single("town/watchtower.png", 48, 80),
            Kind::Gate => single("town/gate.png", 24, 48),
            Kind::RedStall => small(0),
            Kind::BlueStall => small(1),
            Kind::YellowStall => small(2),
            Kind::Fountain => Self { count: 2, rate: 4.0, ..small(3) },
            Kind::Graves => small(5),
            Kind::Hay => small(6),
            Kind::Boat => small(7),
        }
    }

    /// Returns which picture a thing has: the same at its place in every run.
    fn variant(&self, foot: Vec2) -> usize {
        (foot.x as i32 + foot.y as i32 * 3).rem_euclid(self.count as i32) as usize
    }
}

fn animate(time: Res<Time<Real>>, mut things: Query<(&Frames, &mut Sprite)>) {
    for (frames, mut sprite) in things.iter_mut().filter(|(frames, _)| frames.rate > 0.0) {
        let now = frames.first + (time.elapsed_secs() * frames.rate) as usize % frames.count;
        if sprite.texture_atlas.as_ref().is_some_and(|atlas| atlas.index != now)
            && let Some(atlas) = &mut sprite.texture_atlas
        {
            atlas.index = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thing_has_its_pictures_in_its_row() {
        for (kind, foot) in crate::town::scenery() {
            let look = Look::of(kind);
            let index = look.first + look.variant(foot);
            assert!(index < look.columns as usize, "{kind:?} at {foot}");
            assert!(look.first + look.count <= look.columns as usize, "{kind:?}");
        }
    }
}
