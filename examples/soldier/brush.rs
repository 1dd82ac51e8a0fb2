//! Painting the map while the soldier walks.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, Terrain};
use tilepath_examples::{ground::Ground, tiles::centre_of};

use crate::{
    level::{Level, Scenery},
    scene::{BridgeMap, GroundMap, bridge_tile, tile_of},
};

/// The thing that the brush paints.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Brush {
    /// Ground of one kind. It also removes bridges and trees.
    Ground(Ground),
    /// A bridge over water.
    Bridge,
}

impl Brush {
    pub(crate) const ALL: [Self; 6] = [
        Self::Ground(Ground::Grass),
        Self::Ground(Ground::Road),
        Self::Ground(Ground::Mud),
        Self::Ground(Ground::Water),
        Self::Ground(Ground::Rock),
        Self::Bridge,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ground(ground) => ground.name(),
            Self::Bridge => "bridge",
        }
    }
}

/// Orders one cell to be painted.
#[derive(Message, Debug, Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) cell: Cell,
    pub(crate) brush: Brush,
}

/// Carries out [`Paint`] messages.
pub(crate) struct BrushPlugin;

/// The system that paints. Systems that draw the map run after it.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PaintSet;

impl Plugin for BrushPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Brush::Ground(Ground::Rock))
            .add_message::<Paint>()
            .add_systems(Update, paint_cells.in_set(PaintSet));
    }
}

fn paint_cells(
    mut paints: MessageReader<Paint>,
    mut commands: Commands,
    level: Res<Level>,
    ground: Single<&TileStorage, (With<GroundMap>, Without<BridgeMap>)>,
    bridges: Single<(Entity, &mut TileStorage), With<BridgeMap>>,
    mut terrain: Query<&mut Terrain>,
    scenery: Query<(Entity, &Scenery, &Transform)>,
) {
    let (bridge_map, mut bridges) = bridges.into_inner();
    for &Paint { cell, brush } in paints.read() {
        if level.plan.ground(cell).is_none() {
            continue;
        }
        let position = tile_of(cell);
        let centre = centre_of(cell);
        let covering = scenery
            .iter()
            .find(|(_, thing, place)| thing.area(place.translation.truncate()).contains(centre));
        if covering.is_some_and(|(_, thing, _)| thing.is_cottage()) {
            continue; // houses stay
        }
        let Some(tile) = ground.checked_get(&position) else { continue };
        let Ok(mut class) = terrain.get_mut(tile) else { continue };
        let bridge = bridges.checked_get(&position);
        match brush {
            Brush::Ground(wanted) => {
                class.set_if_neq(Terrain(wanted.class()));
                if let Some(bridge) = bridge {
                    bridges.checked_remove(&position);
                    commands.entity(bridge).despawn();
                }
                if let Some((thing, ..)) = covering {
                    commands.entity(thing).despawn();
                }
            }
            Brush::Bridge if bridge.is_none() && class.0 == Ground::Water.class() => {
                let tile = commands.spawn(bridge_tile(bridge_map, position)).id();
                bridges.checked_set(&position, tile);
            }
            Brush::Bridge => {}
        }
    }
}
