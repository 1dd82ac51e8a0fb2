//! Names in orders that their map does not have.

use bevy_ecs::entity::Entity;
use tracing::warn;

use crate::map::{
    maps::{AnyMap, Maps},
    movement::{AgentMovement, closed_to},
    unknown_names::UnknownNames,
};

/// The names for which a warning was logged.
#[derive(Default)]
pub(crate) struct Misnamed {
    movements: UnknownNames,
    overlays: UnknownNames,
    edges: UnknownNames,
}

impl Misnamed {
    /// Logs a warning with the name of a movement that a map does not define, and the names that it
    /// does. Each name is logged once for each map.
    pub(super) fn warn_of_movement(&mut self, map: Entity, movement: Option<&AgentMovement>, maps: &Maps) {
        if let (Some(AgentMovement::Named(name)), Some(AnyMap::Tiles(view))) = (movement, maps.get(map))
            && self.movements.is_new(map, name)
        {
            let names: Vec<&str> = view.grid.movement_names().collect();
            warn!(
                "an order needs the movement \"{name}\", which the map {map} does not define; it has {names:?}: add it with \
                 NavMap::with_movement, or correct the name"
            );
        }
    }

    /// Logs a warning if the movement of an order names edges that a map does not have, and the names
    /// that it does. Each name is logged once for each map. A map without edges gets none: the first
    /// one may come later.
    pub(super) fn warn_of_edges(&mut self, map: Entity, movement: Option<&AgentMovement>, maps: &Maps) {
        let Some(AnyMap::Tiles(view)) = maps.of(movement).get(map) else { return };
        let grid = view.finder.grid();
        for (name, _) in view.rules.edges() {
            let names: Vec<&str> = grid.edge_names().collect();
            if !names.is_empty()
                && !names.contains(&name.as_str())
                && self.edges.is_new(map, &name.as_str().into())
            {
                warn!(
                    "an order has a movement that names the edges \"{name}\", which the map {map} does not have; it has \
                     {names:?}: correct the name in Movement::with_edges, unless the edges come later"
                );
            }
        }
    }

    /// Logs a warning if the movement of an order names an overlay that a map does not have, and the
    /// names that it does. Each name is logged once for each map. A map without overlays gets none:
    /// the first one may come later.
    pub(super) fn warn_of_overlays(&mut self, map: Entity, movement: Option<&AgentMovement>, maps: &Maps) {
        let Some(AnyMap::Tiles(view)) = maps.of(movement).get(map) else { return };
        let grid = view.finder.grid();
        let is_ours = |name: &&str| closed_to(name).is_none();
        for name in view.rules.overlays().iter().map(String::as_str).filter(is_ours) {
            if grid.overlay_names().any(|known| known == name) {
                continue;
            }
            let names: Vec<&str> = grid.overlay_names().filter(is_ours).collect();
            if !names.is_empty() && self.overlays.is_new(map, &name.into()) {
                warn!(
                    "an order has a movement that names the overlay \"{name}\", which the map {map} does not have; it has \
                     {names:?}: correct the name in Movement::with_overlay, unless the overlay comes later"
                );
            }
        }
    }
}
