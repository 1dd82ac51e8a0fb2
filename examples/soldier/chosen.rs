//! The chosen unit, and the ring around it.

use bevy::prelude::*;
use bevy_tilepath::debug::ShowSearch;

use crate::{scene::height, units::Unit};

/// Marks the chosen unit, which gets the orders. There is always exactly one.
#[derive(Component, Debug)]
pub(crate) struct Chosen;

/// Chooses a unit instead of the present one.
pub(crate) fn choose(commands: &mut Commands, before: Entity, unit: Entity) {
    if before != unit {
        commands.entity(before).remove::<(Chosen, ShowSearch)>();
        commands.entity(unit).insert(chosen());
    }
}

/// Returns the component of the chosen unit that lets its searches be shown.
pub(crate) fn chosen() -> impl Bundle {
    (Chosen, ShowSearch::default())
}

/// Returns the foremost unit whose picture is at a place of the world. The chosen unit does not
/// count, because it may be sent to the ground behind its picture.
pub(crate) fn other_unit_at<'a>(
    world: Vec2,
    others: impl IntoIterator<Item = (Entity, &'a Unit, &'a Transform)>,
) -> Option<(Entity, Unit, Vec2)> {
    others
        .into_iter()
        .map(|(entity, &unit, place)| (entity, unit, place.translation.truncate()))
        .filter(|&(_, unit, middle)| unit.picture(middle).contains(world))
        .min_by(|(.., one), (.., other)| one.y.total_cmp(&other.y))
}

/// Chooses a unit by key, and draws the ring. Needs a window.
pub(crate) struct ChosenPlugin;

impl Plugin for ChosenPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, spawn_ring)
            .add_systems(Update, choose_by_key)
            .add_systems(PostUpdate, place_ring.before(TransformSystems::Propagate));
    }
}

fn choose_by_key(
    keys: Res<ButtonInput<KeyCode>>,
    chosen: Single<(Entity, &Unit), With<Chosen>>,
    units: Query<(Entity, &Unit)>,
    mut commands: Commands,
) {
    if !keys.just_pressed(KeyCode::Tab) {
        return;
    }
    let (before, unit) = *chosen;
    let at = Unit::ALL.iter().position(|other| other == unit).unwrap_or_default();
    // A level may lack some of them.
    let mut after = Unit::ALL.iter().cycle().skip(at + 1).take(Unit::ALL.len());
    let next = after.find_map(|wanted| units.iter().find(|(_, unit)| *unit == wanted));
    if let Some((next, _)) = next {
        choose(&mut commands, before, next);
    }
}

#[derive(Component)]
struct Ring;

fn spawn_ring(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
) {
    let layout = layouts.add(TextureAtlasLayout::from_grid(UVec2::new(56, 40), 2, 1, None, None));
    let sheet =
        Sprite::from_atlas_image(assets.load("sprites/chosen.png"), TextureAtlas { layout, index: 0 });
    commands.spawn((Ring, sheet));
}

fn place_ring(
    chosen: Single<(&Unit, &Transform), With<Chosen>>,
    ring: Single<(&mut Sprite, &mut Transform), (With<Ring>, Without<Chosen>)>,
) {
    let (unit, place) = *chosen;
    let (mut sprite, mut transform) = ring.into_inner();
    // The ring is around the foot of the picture.
    let foot = place.translation.truncate() - Vec2::Y * 2.0;
    transform.translation = foot.round().extend(height::CHOSEN);
    if let Some(atlas) = &mut sprite.texture_atlas {
        atlas.index = usize::from(unit.side() > 1);
    }
}

#[cfg(test)]
mod tests {
    use bevy_tilepath::TilepathPlugin;

    use super::*;
    use crate::scene::ScenePlugin;

    fn chosen_units(app: &mut App) -> Vec<Unit> {
        let world = app.world_mut();
        world.query_filtered::<&Unit, (With<Chosen>, With<ShowSearch>)>().iter(world).copied().collect()
    }

    #[test]
    fn the_key_goes_round_all_units() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
            .init_resource::<ButtonInput<KeyCode>>()
            .add_systems(Update, choose_by_key);
        app.update();
        for expected in [Unit::Wagon, Unit::Boat, Unit::Soldier] {
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::Tab);
            app.update();
            assert_eq!(chosen_units(&mut app), [expected]);
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
        }
    }

    #[test]
    fn a_click_takes_the_foremost_picture() {
        let mut world = World::new();
        let [front, behind] =
            [20.0, 30.0].map(|y| world.spawn((Unit::Wagon, Transform::from_xyz(50.0, y, 0.0))).id());
        let at = |world: &mut World, place| {
            let units = world.query::<(Entity, &Unit, &Transform)>().iter(world).collect::<Vec<_>>();
            other_unit_at(place, units).map(|(entity, ..)| entity)
        };
        assert_eq!(at(&mut world, Vec2::new(50.0, 25.0)), Some(front));
        assert_eq!(at(&mut world, Vec2::new(50.0, 45.0)), Some(behind));
        assert_eq!(at(&mut world, Vec2::new(90.0, 25.0)), None);
    }
}
