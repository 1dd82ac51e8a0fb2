//! The cost of a step onto each tile, as numbers on the map.

use bevy::{prelude::*, sprite::Text2dShadow};
use bevy_tilepath::{Cell, NavQuery, tilepath::Revision};
use tilepath_examples::{
    camera::PanZoom,
    tiles::{TILE, centre_of},
};

use crate::{
    chosen::Chosen,
    rules::Rules,
    scene::{GroundMap, height},
    units::Unit,
};

/// The cost of a straight step onto ground of cost 1, in the units of the panel's costs.
const STEP_COST: u32 = 10;
/// The size of the letters, in world units.
const SIZE: f32 = 6.5;
/// The least size of letters, in screen pixels.
const SMALLEST_SIZE: f32 = 10.0;

/// Writes the numbers while costs are shown. Needs a window.
pub(crate) struct CostsPlugin;

impl Plugin for CostsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (write_costs, size_letters).chain());
    }
}

/// The number on a cell.
#[derive(Component)]
struct Number(Cell);

/// Writes the cost of a straight step of the chosen unit onto each tile. Tiles that it cannot enter
/// get no number.
fn write_costs(
    rules: Res<Rules>,
    chosen: Single<&Unit, With<Chosen>>,
    nav: NavQuery,
    map: Single<Entity, With<GroundMap>>,
    mut numbers: Query<(&Number, &mut Text2d)>,
    mut written: Local<Option<(Unit, bool, Revision)>>,
    mut commands: Commands,
) {
    let Ok(map) = nav.map(*map) else { return };
    let wanted = rules.show_costs.then(|| (**chosen, rules.terrain_costs, map.grid().grid().revision()));
    if *written == wanted {
        return;
    }
    *written = wanted;
    let costs = chosen.costs(rules.terrain_costs);
    let text = |cell| match map.grid().terrain(cell).map_or(0, |class| costs.multiplier(class)) {
        0 => String::new(),
        _ if !rules.show_costs => String::new(),
        cost => (u32::from(cost) * STEP_COST).to_string(),
    };
    for (number, mut shown) in &mut numbers {
        let new = text(number.0);
        if shown.0 != new {
            shown.0 = new;
        }
    }
    if numbers.is_empty() {
        for cell in map.grid().grid().bounds().cells() {
            commands.spawn((
                Number(cell),
                Text2d(text(cell)),
                Text2dShadow { offset: Vec2::new(1.0, -1.0), color: Color::BLACK },
                // The number is in the lower part of the tile, above the foot of things on it.
                Transform::from_translation((centre_of(cell) - Vec2::Y * TILE * 0.3).extend(height::NUMBERS)),
            ));
        }
    }
}

/// Makes letters sharp: each of their pixels is one pixel of the screen, at any zoom.
fn size_letters(
    camera: Single<&PanZoom>,
    mut numbers: Query<(&mut TextFont, &mut Transform), With<Number>>,
    mut sized: Local<(f32, usize)>,
) {
    let wanted = (camera.zoom, numbers.iter().len());
    if *sized == wanted {
        return;
    }
    *sized = wanted;
    let zoom = camera.zoom;
    for (mut font, mut place) in &mut numbers {
        font.font_size = FontSize::Px((SIZE * zoom).round().max(SMALLEST_SIZE));
        place.scale = Vec3::splat(1.0 / zoom);
    }
}

#[cfg(test)]
mod tests {
    use bevy::{ecs::system::RunSystemOnce, time::TimeUpdateStrategy};
    use bevy_tilepath::TilepathPlugin;

    use super::*;
    use crate::{chosen::choose, scene::ScenePlugin};

    /// Returns the text on a cell.
    fn number(app: &mut App, cell: Cell) -> String {
        let world = app.world_mut();
        let mut numbers = world.query::<(&Number, &Text2d)>();
        numbers
            .iter(world)
            .find(|(number, _)| number.0 == cell)
            .map_or_else(String::new, |(_, text)| text.0.clone())
    }

    fn frames(app: &mut App) {
        for _ in 0..4 {
            app.update();
        }
    }

    #[test]
    fn the_number_on_a_tile_is_the_cost_of_a_step_of_the_chosen_unit() {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            TransformPlugin,
            TilepathPlugin::default(),
            ScenePlugin,
            CostsPlugin,
        ))
        .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_millis(50)));
        let (road, grass, river) = (Cell::new(5, 17), Cell::new(5, 22), Cell::new(21, 22));
        frames(&mut app);
        assert_eq!(number(&mut app, road), "", "costs are not shown");
        app.world_mut().resource_mut::<Rules>().show_costs = true;
        frames(&mut app);
        let walked =
            app.world_mut().run_system_once(move |nav: NavQuery, map: Single<Entity, With<GroundMap>>| {
                let to_grass = nav
                    .map(*map)
                    .ok()?
                    .find(grass + bevy_tilepath::tilepath::Direction::East.offset(), grass)
                    .ok()?;
                Some(to_grass.outcome.into_path()?.cost().to_string())
            });
        assert_eq!(walked.unwrap(), Some(number(&mut app, grass)));
        assert_eq!((number(&mut app, road).as_str(), number(&mut app, river).as_str()), ("10", ""));

        let world = app.world_mut();
        let mut units = world.query::<(Entity, &Unit)>();
        let mut find = |wanted| units.iter(world).find(|(_, unit)| **unit == wanted).map(|(unit, _)| unit);
        let (soldier, boat) = (find(Unit::Soldier).unwrap(), find(Unit::Boat).unwrap());
        choose(&mut world.commands(), soldier, boat);
        world.flush();
        frames(&mut app);
        assert_eq!((number(&mut app, road).as_str(), number(&mut app, river).as_str()), ("", "10"));
        app.world_mut().resource_mut::<Rules>().show_costs = false;
        frames(&mut app);
        assert_eq!(number(&mut app, river), "");
    }
}
