//! Pictures of the town, or a meadow for other graphs.

use bevy::{prelude::*, sprite::Anchor};
use tilepath_examples::figure::standing_height;

use crate::{
    scene::{Source, height},
    town::{self, Kind},
};

/// Colour around the town.
const SURROUNDINGS: Color = Color::srgb(0.075, 0.155, 0.155);
/// Where the river's picture begins, from the left.
const RIVER_LEFT: f32 = 320.0;
const RIVER_SIZE: UVec2 = UVec2::new(104, 360);
/// How far the meadow goes beyond the window's first view.
const MEADOW: f32 = 2048.0;

/// Draws what lies below the graph. Needs a window.
pub(crate) struct SceneryPlugin;

impl Plugin for SceneryPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS))
            .add_systems(PostStartup, spawn_scenery)
            .add_systems(Update, animate);
    }
}

/// Pictures that follow one another.
#[derive(Component)]
struct Frames {
    first: usize,
    count: usize,
    /// Frames a second.
    rate: f32,
}

fn spawn_scenery(
    mut commands: Commands,
    source: Res<Source>,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
) {
    if matches!(*source, Source::OverMeadow(_)) {
        spawn_meadow(&mut commands, &assets);
        return;
    }
    let middle = town::AREA.center();
    commands.spawn((
        Sprite::from_image(assets.load("town/ground.png")),
        Transform::from_translation(middle.extend(0.0)),
    ));
    let layout = layouts.add(TextureAtlasLayout::from_grid(RIVER_SIZE, 4, 1, None, None));
    let river = Sprite::from_atlas_image(assets.load("town/river.png"), TextureAtlas { layout, index: 0 });
    let place = Vec3::new(RIVER_LEFT + RIVER_SIZE.x as f32 / 2.0, middle.y, height::RIVER);
    commands.spawn((river, Transform::from_translation(place), Frames { first: 0, count: 4, rate: 3.0 }));
    for (kind, foot) in town::scenery() {
        let look = Look::of(kind);
        let layout = layouts.add(TextureAtlasLayout::from_grid(look.size, look.columns, 1, None, None));
        let index = look.first + look.variant(foot);
        let sprite = Sprite::from_atlas_image(assets.load(look.file), TextureAtlas { layout, index });
        let mut thing = commands.spawn((
            kind,
            sprite,
            // The ground line is 4 pixels above the picture's lower edge.
            Anchor(Vec2::new(0.0, -0.5 + 4.0 / look.size.y as f32)),
            Transform::from_translation(foot.extend(standing_height(foot.y))),
        ));
        if look.rate > 0.0 {
            thing.insert(Frames { first: look.first, count: look.count, rate: look.rate });
        }
    }
    spawn_rim(&mut commands);
}

/// Trees stand out of the town: four bars around it hide that.
fn spawn_rim(commands: &mut Commands) {
    let (middle, size, wide) = (town::AREA.center(), town::AREA.size(), 64.0);
    let bars = [
        (Vec2::new(middle.x, -wide / 2.0), Vec2::new(size.x + 2.0 * wide, wide)),
        (Vec2::new(middle.x, size.y + wide / 2.0), Vec2::new(size.x + 2.0 * wide, wide)),
        (Vec2::new(-wide / 2.0, middle.y), Vec2::new(wide, size.y)),
        (Vec2::new(size.x + wide / 2.0, middle.y), Vec2::new(wide, size.y)),
    ];
    for (place, size) in bars {
        commands.spawn((
            Sprite::from_color(SURROUNDINGS, size),
            Transform::from_translation(place.extend(height::RIM)),
        ));
    }
}

fn spawn_meadow(commands: &mut Commands, assets: &AssetServer) {
    let sprite = Sprite {
        image: assets.load("tiles/grass.png"),
        custom_size: Some(Vec2::splat(MEADOW)),
        image_mode: SpriteImageMode::Tiled { tile_x: true, tile_y: true, stretch_value: 1.0 },
        ..default()
    };
    commands.spawn((sprite, Transform::from_translation(town::AREA.center().extend(0.0))));
}

/// Where the picture of a thing is: a row of equal pictures, some of them for it.
struct Look {
    file: &'static str,
    size: UVec2,
    columns: u32,
    first: usize,
    count: usize,
    /// Frames a second; 0 if its pictures are variants.
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

    /// Which of its pictures a thing has: the same at its place on every run.
    fn variant(&self, foot: Vec2) -> usize {
        (foot.x as i32 + foot.y as i32 * 3).rem_euclid(self.count as i32) as usize
    }
}

fn animate(time: Res<Time<Real>>, mut things: Query<(&Frames, &mut Sprite)>) {
    for (frames, mut sprite) in &mut things {
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
        for (kind, foot) in town::scenery() {
            let look = Look::of(kind);
            let index = look.first + look.variant(foot);
            assert!(index < look.columns as usize, "{kind:?} at {foot}");
            assert!(look.first + look.count <= look.columns as usize, "{kind:?}");
        }
    }
}
