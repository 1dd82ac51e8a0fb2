//! The looks of city and units.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::Cell;

use crate::{
    city::{City, GOAL_RADIUS, GOALS, Ground},
    pictures::{disc, ring, tile, tiles},
    scene::{CityMap, TILE, centre_of, height},
    units::Unit,
};

/// Beyond the city.
const SURROUNDINGS: Color = Color::srgb(0.20, 0.24, 0.29);
/// The length of shadows, in cells.
pub(crate) const SHADOW: i32 = 4;
/// The diameter of a unit's disc, in cells.
const DISC: f32 = 0.9;

/// Draws city and units. Needs a window.
pub(crate) struct LooksPlugin;

impl Plugin for LooksPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS))
            .add_systems(PostStartup, (dress_map, spawn_goals, keep_disc))
            .add_systems(Update, (dress_units.run_if(resource_exists::<Disc>), colour_units));
    }
}

/// The colour of a goal, and of the units that go there.
pub(crate) fn goal_colour(goal: usize) -> Color {
    // Neighbours in the list lie far apart on the circle.
    let turn = (goal * 7 % GOALS) as f32 / GOALS as f32;
    let lightness = if goal.is_multiple_of(2) { 0.62 } else { 0.50 };
    Color::oklch(lightness, 0.19, turn * 360.0)
}

/// Returns the picture and the colour of a tile.
pub(crate) fn look(city: &City, cell: Cell) -> (TileTextureIndex, TileColor) {
    let ground = city.ground(cell);
    let scatter = (cell.x * 7 + cell.y * 13 + cell.x * cell.y % 5).unsigned_abs();
    let any_of = |first: u32, count: u32| first + scatter % count;
    let (picture, colour) = match ground {
        Ground::Street => (any_of(tile::GROUND, 4), [0.74, 0.75, 0.77]),
        Ground::Lane => (any_of(tile::GROUND, 4), [0.80, 0.80, 0.80]),
        Ground::Quay => (any_of(tile::GROUND, 4), [0.83, 0.80, 0.75]),
        Ground::Square => {
            let is_dark = (cell.x / 2 + cell.y / 2) % 2 == 0;
            (any_of(tile::GROUND, 4), if is_dark { [0.86, 0.81, 0.74] } else { [0.91, 0.86, 0.79] })
        }
        Ground::Bridge => (tile::BRIDGE, [0.72, 0.59, 0.44]),
        Ground::Grass => (any_of(tile::GROUND, 4), [0.60, 0.76, 0.52]),
        Ground::Tree => (any_of(tile::TREE, 2), [0.42, 0.66, 0.40]),
        Ground::Water => (any_of(tile::WATER, 4), [0.47, 0.70, 0.86]),
        Ground::Wall => (tile::WALL, [0.86, 0.40, 0.27]),
        Ground::House(house) => (tile::ROOF + ends(city, cell), roof(house)),
    };
    let light = if is_in_shadow(city, cell) { 0.82 } else { 1.0 };
    let [red, green, blue] = colour.map(|part| part * light);
    (TileTextureIndex(picture), TileColor(Color::srgb(red, green, blue)))
}

/// The colour of a roof: slate, tiles or copper, each house a little different.
fn roof(house: u16) -> [f32; 3] {
    const ROOFS: [[f32; 3]; 7] = [
        [0.61, 0.65, 0.74],
        [0.73, 0.59, 0.53],
        [0.68, 0.66, 0.65],
        [0.57, 0.61, 0.73],
        [0.78, 0.65, 0.55],
        [0.55, 0.68, 0.68],
        [0.69, 0.61, 0.69],
    ];
    let light = 0.88 + f32::from(house * 5 % 7) * 0.03;
    ROOFS[usize::from(house) % ROOFS.len()].map(|part| part * light)
}

/// The sides on which a house ends, or its upper storey, as bits.
fn ends(city: &City, cell: Cell) -> u32 {
    let ends = |(dx, dy)| {
        let beside = Cell::new(cell.x + dx, cell.y + dy);
        city.ground(beside) != city.ground(cell) || city.height(beside) < city.height(cell)
    };
    let sides = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    sides.into_iter().zip([1, 2, 4, 8]).filter(|(side, _)| ends(*side)).map(|(_, bit)| bit).sum()
}

/// Whether something higher in the north-west takes the sun.
fn is_in_shadow(city: &City, cell: Cell) -> bool {
    (1..=SHADOW).any(|far| {
        let other = city.height(Cell::new(cell.x - far, cell.y + far));
        i32::from(other) >= far + i32::from(city.height(cell))
    })
}

fn dress_map(
    mut commands: Commands,
    city: Res<City>,
    mut images: ResMut<Assets<Image>>,
    map: Single<Entity, With<CityMap>>,
    mut shown: Query<(&TilePos, &mut TileTextureIndex, &mut TileColor)>,
) {
    commands.entity(*map).insert(TilemapTexture::Single(images.add(tiles())));
    for (place, mut picture, mut colour) in &mut shown {
        (*picture, *colour) = look(&city, Cell::new(place.x as i32, place.y as i32));
    }
}

fn spawn_goals(mut commands: Commands, city: Res<City>, mut images: ResMut<Assets<Image>>) {
    let ring = images.add(ring());
    for (goal, &cell) in city.goals.iter().enumerate() {
        commands.spawn((
            Sprite {
                image: ring.clone(),
                color: goal_colour(goal),
                custom_size: Some(Vec2::splat((2.0 * GOAL_RADIUS + 2.5) * TILE)),
                ..default()
            },
            Transform::from_translation(centre_of(cell).extend(height::GOALS)),
        ));
    }
}

#[derive(Resource)]
struct Disc(Handle<Image>);

fn keep_disc(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    commands.insert_resource(Disc(images.add(disc())));
}

fn dress_units(mut commands: Commands, disc: Res<Disc>, units: Query<(Entity, &Unit), Without<Sprite>>) {
    for (entity, unit) in &units {
        commands.entity(entity).insert(Sprite {
            image: disc.0.clone(),
            color: goal_colour(unit.goal),
            custom_size: Some(Vec2::splat(DISC * TILE)),
            ..default()
        });
    }
}

fn colour_units(mut units: Query<(&Unit, &mut Sprite), Changed<Unit>>) {
    for (unit, mut sprite) in &mut units {
        sprite.color = goal_colour(unit.goal);
    }
}
