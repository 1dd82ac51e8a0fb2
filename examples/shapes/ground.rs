//! The tiles: their ground, and rocks that come and go.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, NavProjection, Terrain};

use crate::{land::Land, level::Shape};

/// Updates class and picture of each tile after changes of its [`Ground`].
pub(crate) struct GroundPlugin;

impl Plugin for GroundPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, lay);
    }
}

/// The ground of a tile.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ground {
    now: Land,
    /// The ground below a rock.
    below: Land,
}

impl Ground {
    pub(crate) fn new(land: Land) -> Self {
        Self { now: land, below: if land == Land::Rock { Land::Grass } else { land } }
    }

    pub(crate) fn land(self) -> Land {
        self.now
    }

    /// Puts a rock up, or takes it down.
    pub(crate) fn turn(&mut self) {
        self.now = if self.now == Land::Rock { self.below } else { Land::Rock };
    }
}

fn lay(
    mut commands: Commands,
    mut tiles: Query<(Entity, &Ground, &TilePos, &mut Terrain, &mut TileTextureIndex), Changed<Ground>>,
) {
    for (entity, ground, &tile, mut terrain, mut picture) in &mut tiles {
        terrain.set_if_neq(ground.now.terrain());
        picture.set_if_neq(ground.now.picture(tile));
        match ground.now.animation() {
            Some(animation) => commands.entity(entity).insert(animation),
            None => commands.entity(entity).remove::<AnimatedTile>(),
        };
    }
}

/// A tile of one of the maps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    pub(crate) map: Entity,
    pub(crate) cell: Cell,
    /// The entity of the tile.
    pub(crate) tile: Entity,
}

/// Finds tiles.
#[derive(SystemParam)]
pub(crate) struct Maps<'w, 's> {
    maps: Query<'w, 's, (Entity, &'static Shape, &'static TileStorage, &'static NavProjection)>,
}

impl Maps<'_, '_> {
    /// Returns the tile under a place of the world.
    ///
    /// The rectangles of staggered and hexagonal maps reach into other quarters, so a place is on a
    /// map only if there is a tile.
    pub(crate) fn spot_at(&self, world: Vec2) -> Option<Spot> {
        self.maps.iter().find_map(|(map, shape, storage, projection)| {
            let cell = projection.cell_at_world(world)?;
            let (x, y) = shape.lattice().tile_of(cell);
            let tile = TilePos::new(x.try_into().ok()?, y.try_into().ok()?);
            Some(Spot { map, cell, tile: storage.checked_get(&tile)? })
        })
    }

    /// Returns the corners of a tile in the world, in order around it.
    pub(crate) fn corners(&self, spot: Spot) -> Vec<Vec2> {
        let Ok((.., projection)) = self.maps.get(spot.map) else { return Vec::new() };
        projection.corners_of(spot.cell).map(|corner| projection.world_of(corner)).collect()
    }
}

#[cfg(test)]
mod tests {
    use bevy::{ecs::system::RunSystemOnce, time::TimeUpdateStrategy};
    use bevy_tilepath::TilepathPlugin;

    use super::*;
    use crate::scene::ScenePlugin;

    #[test]
    fn ground_below_a_removed_rock_comes_back() {
        for land in Land::ALL {
            let mut ground = Ground::new(land);
            ground.turn();
            assert_eq!(ground.land() == Land::Rock, land != Land::Rock);
            ground.turn();
            assert_eq!(ground, Ground::new(land));
        }
    }

    #[test]
    fn each_tile_is_found_in_its_own_quarter_and_none_beside_the_tiles() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.update();
        app.update();
        let find = |app: &mut App, world: Vec2| {
            let spot = app.world_mut().run_system_once(move |maps: Maps| maps.spot_at(world)).unwrap();
            spot.map(|spot| {
                let shape = *app.world().get::<Shape>(spot.map).unwrap();
                (shape, *app.world().get::<TilePos>(spot.tile).unwrap())
            })
        };
        for shape in Shape::ALL {
            for (tile, letter) in shape.tiles() {
                let centre = shape.centre_of(tile);
                assert_eq!(find(&mut app, centre), Some((shape, tile)), "{letter} at {centre}");
            }
            let quarter = shape.quarter().inflate(-3.0);
            for corner in [quarter.min, quarter.max] {
                assert_eq!(find(&mut app, corner), None, "{shape:?} {corner}");
            }
        }
    }
}
