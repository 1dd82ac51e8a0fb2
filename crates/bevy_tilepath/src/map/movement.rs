//! The movements of units: by name, or their own.

#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
    sync::Arc,
};

use bevy_ecs::{component::Component, lifecycle::HookContext, resource::Resource, world::DeferredWorld};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Movement, MovementId, PathFinder};

use crate::{core_types, map::version::next_number};

/// The movement of a unit: a movement that the map defines by name, or a movement of the unit's
/// own.
///
/// Put the component on an agent, or give a movement to a single order with
/// [`PathRequest::with_movement`](crate::PathRequest::with_movement). The movement of an order has
/// priority. If neither the order nor the agent has a movement, the unit moves by the rules of the
/// map's own [`NavMap`](crate::NavMap).
///
/// - The movement decides where a path may lead, the cost of the path, which doors it may use, and
///   which edits of the map affect it.
/// - A name stands for the movement that the unit's map defines under this name
///   ([`NavMap::with_movement`](crate::NavMap::with_movement)). If the map does not define this
///   name, an order fails with [`UnknownMovement`](crate::PathFailure::UnknownMovement).
/// - Behind a [`Door`](crate::doors::Door), the name stands for a movement of the map there. If the
///   map there does not define the name, no door leads the unit to this map.
/// - A unit may cover several cells ([`Movement::with_size`]). Its cell is then the lowest and
///   leftmost of these cells, and its position is the centre of all of them. To convert a position
///   to a cell, the plugin takes the cell for which this centre is nearest to the position.
/// - The component is immutable: to change the movement, insert another component. If the agent has
///   a path, the rest of the path is planned again. If the agent stands on cells that are closed to
///   the new movement, it may leave these cells.
///
/// On a [`NavGraph`](crate::NavGraph) the movement has no effect, except at doors.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{AgentMovement, CostTable, Diagonals, Movement, NavMap, PathAgent, tilepath::Size};
///
/// let mut world = World::new();
/// let boat = Movement::new().with_costs(CostTable::impassable().with(4, 1));
/// let wagon = Movement::new().with_size(Size::new(2)?);
/// world.spawn(NavMap::default().with_movement("boat", boat).with_movement("wagon", wagon));
///
/// world.spawn((PathAgent::default(), AgentMovement::from("boat")));
/// world.spawn((PathAgent::default(), AgentMovement::from(Movement::new().with_diagonals(Diagonals::Never))));
/// # Ok::<(), bevy_tilepath::tilepath::SizeError>(())
/// ```
#[derive(Component, Debug, Clone, PartialEq, Eq, Hash, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(immutable, on_insert = note_own, on_discard = note_own)]
#[doc(alias = "agent type", alias = "movement profile", alias = "locomotor")]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
#[non_exhaustive]
pub enum AgentMovement {
    /// The movement that the map defines under this name.
    Named(Arc<str>),
    /// The unit's own movement, valid on all maps. Each map keeps an own movement as long as a unit
    /// or an order has it. Units with equal own movements share one movement.
    Own(#[reflect(remote = core_types::Movement)] Arc<Movement>),
}

impl Default for AgentMovement {
    /// Creates an own movement with the default rules: class n costs n, and class 0 is a wall.
    fn default() -> Self {
        Self::Own(Arc::default())
    }
}

impl AgentMovement {
    /// Returns the name of the movement, or `None` for a unit's own movement.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Own(_) => None,
        }
    }
}

impl fmt::Display for AgentMovement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name().unwrap_or("a movement of its own"))
    }
}

macro_rules! names_are_movements {
    ($($name:ty),*) => {$(
        impl From<$name> for AgentMovement {
            fn from(name: $name) -> Self {
                Self::Named(name.into())
            }
        }
    )*};
}

names_are_movements!(&str, String, Arc<str>);

impl From<Movement> for AgentMovement {
    fn from(movement: Movement) -> Self {
        Self::Own(Arc::new(movement))
    }
}

/// The own movements of units and orders, to be registered with all maps.
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct OwnMovements {
    /// True if one of them may have come or gone.
    pub(crate) is_outdated: bool,
    /// The version of the list: a new one for each change.
    version: u64,
    list: Vec<Arc<Movement>>,
}

impl OwnMovements {
    /// Replaces the list by the movements that exist now.
    pub(crate) fn set<'a>(&mut self, present: impl Iterator<Item = &'a AgentMovement>) {
        self.is_outdated = false;
        let mut seen = HashSet::new();
        let own = present.filter_map(|movement| match movement {
            AgentMovement::Own(own) => seen.insert(own).then_some(own),
            AgentMovement::Named(_) => None,
        });
        let list: Vec<Arc<Movement>> = own.cloned().collect();
        if list != self.list {
            self.version = next_number();
            self.list = list;
        }
    }

    /// Returns whether any of them names this overlay.
    pub(crate) fn name_overlay(&self, overlay: &str) -> bool {
        self.list.iter().any(|movement| movement.overlays().iter().any(|named| named == overlay))
    }

    pub(crate) fn entry_count(&self) -> usize {
        self.list.len()
    }
}

fn note_own(mut world: DeferredWorld, context: HookContext) {
    if matches!(world.get::<AgentMovement>(context.entity), Some(AgentMovement::Own(_))) {
        own_movement_changed(&mut world);
    }
}

/// Notes that a unit's own movement has come or gone.
pub(crate) fn own_movement_changed(world: &mut DeferredWorld) {
    if let Some(mut own) = world.get_resource_mut::<OwnMovements>() {
        own.is_outdated = true;
    }
}

/// Returns the overlay for obstacles that close cells to the movement of this name.
pub(crate) fn obstacle_overlay(name: &str) -> String {
    format!("{OBSTACLES_TO}{name}")
}

/// Returns the name of the movement to whose obstacles an overlay belongs.
pub(crate) fn closed_to(overlay: &str) -> Option<&str> {
    overlay.strip_prefix(OBSTACLES_TO)
}

const OBSTACLES_TO: &str = "obstacles to ";

/// The movements in a map's finder, besides the map's own rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownMovements {
    /// The movements as the map defines them. In the finder they also have the overlay of their
    /// obstacles.
    named: BTreeMap<Arc<str>, (MovementId, Movement)>,
    /// The own movements. They are looked up and compared, but never iterated where the sequence
    /// could matter.
    own: HashMap<Arc<Movement>, MovementId>,
    /// The version of [`OwnMovements`] with which `own` was filled.
    own_version: u64,
}

impl KnownMovements {
    pub(crate) fn id(&self, movement: &AgentMovement) -> Option<MovementId> {
        match movement {
            AgentMovement::Named(name) => self.named.get(name).map(|(id, _)| *id),
            AgentMovement::Own(own) => self.own.get(own).copied(),
        }
    }

    /// Returns the movement of a unit with this id in the finder, or `None` for the map's own
    /// rules.
    pub(crate) fn of(&self, id: MovementId) -> Option<AgentMovement> {
        let named = self.named.iter().find(|(_, (known, _))| *known == id);
        let own = || self.own.iter().find(|(_, known)| **known == id);
        (named.map(|(name, _)| AgentMovement::Named(Arc::clone(name))))
            .or_else(|| own().map(|(movement, _)| AgentMovement::Own(Arc::clone(movement))))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.keys().map(|name| &**name)
    }

    /// Returns whether the named movements are these.
    pub(crate) fn is_named(&self, names: &BTreeMap<Arc<str>, Movement>) -> bool {
        let known = self.named.iter().map(|(name, (_, movement))| (name, movement));
        known.eq(names.iter())
    }

    /// Sets the named movements. Returns whether a name has another movement than before, or is
    /// gone.
    pub(crate) fn set_names(
        &mut self,
        names: &BTreeMap<Arc<str>, Movement>,
        finder: &mut PathFinder,
    ) -> bool {
        let mut has_changed = false;
        self.named.retain(|name, (id, _)| {
            let stays = names.contains_key(name);
            if !stays {
                has_changed |= finder.remove_movement(*id).is_ok();
            }
            stays
        });
        for (name, movement) in names {
            let with_obstacles = || movement.clone().with_overlay(obstacle_overlay(name));
            match self.named.get_mut(name) {
                Some((_, known)) if known == movement => {}
                Some((id, known)) => {
                    has_changed |= finder.set_movement(*id, with_obstacles()).is_ok();
                    *known = movement.clone();
                }
                None => {
                    let id = finder.add_movement(with_obstacles());
                    self.named.insert(name.clone(), (id, movement.clone()));
                }
            }
        }
        has_changed
    }

    /// Returns whether it has exactly the own movements of units.
    pub(crate) fn follows(&self, own: &OwnMovements) -> bool {
        self.own_version == own.version
    }

    pub(crate) fn follow(&mut self, own: &OwnMovements, finder: &mut PathFinder) {
        self.own_version = own.version;
        let present: HashSet<&Arc<Movement>> = own.list.iter().collect();
        self.own.retain(|movement, id| {
            let stays = present.contains(movement);
            if !stays {
                // A new finder does not have this movement, so an error is ignored.
                let _ = finder.remove_movement(*id);
            }
            stays
        });
        for movement in &own.list {
            if !self.own.contains_key(movement) {
                self.own.insert(movement.clone(), finder.add_movement((**movement).clone()));
            }
        }
    }
}
