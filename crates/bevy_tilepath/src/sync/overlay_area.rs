//! Areas around entities that cost more for some movements.

#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bevy_app::App;
use bevy_ecs::{
    change_detection::DetectChangesMut,
    component::Component,
    entity::{Entity, EntityHashMap},
    intern::Interned,
    query::Has,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Local, Query, Res, ResMut},
    world::World,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;
use tilepath::{Bounds, Cell, Movement, Topology};
use tracing::warn;

use crate::{
    map::{
        memory::NavMemory, movement::OwnMovements, nav_grid::NavGrid, nav_map::NavMap, on_map::OnMap,
        projection::NavProjection, unknown_names::UnknownNames, world_places::WorldPlaces,
    },
    schedule::SyncSteps,
};

/// Makes the cells around an entity more expensive, for units whose movement names the
/// [`overlay`](Self::overlay). Examples: danger within five cells of a guard, a smell, an area to
/// avoid.
///
/// - If the entity's `Transform` changes, the area moves with the entity.
/// - A step onto a cell costs (cost of the terrain class + value) × step cost. If several areas
///   with one overlay name cover a cell, the largest value counts.
/// - Closed cells stay closed. Units whose movement does not name the overlay
///   ([`Movement::with_overlay`](tilepath::Movement::with_overlay)) are not affected.
/// - If there are several maps, the area covers cells of every map that it reaches, except of a
///   [`NavMemory`]. If the entity has [`OnMap`], the area covers only cells of this map.
///
/// The plugin writes the whole overlay of this name on the map of the area. With
/// [`NavGrid::set_overlay`](crate::NavGrid::set_overlay), write only overlays of other names.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{maps::OverlayArea, Movement, NavMap};
/// use bevy_transform::components::Transform;
///
/// let mut world = World::new();
/// let careful = Movement::new().with_overlay("danger");
/// world.spawn(NavMap::default().with_movement("careful", careful));
/// world.spawn((OverlayArea::new("danger", 3, 5.0), Transform::from_xyz(40.0, 8.0, 0.0)));
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
#[require(Transform)]
#[doc(alias = "influence")]
pub struct OverlayArea {
    /// The name of the overlay.
    pub overlay: Arc<str>,
    /// The value that is added to the cost of the terrain class of each cell. 0 adds nothing.
    pub value: u16,
    /// The radius of the area.
    ///
    /// # Units
    /// Cells, measured from the centre of the cell under the entity to the centres of other cells.
    /// A radius of 0 covers only the cell under the entity. A negative radius or NaN covers no
    /// cell.
    pub radius: f32,
}

impl OverlayArea {
    /// Creates an area for this overlay, with a value and a radius in cells.
    #[must_use]
    pub fn new(overlay: impl Into<Arc<str>>, value: u16, radius: f32) -> Self {
        Self { overlay: overlay.into(), value, radius }
    }
}

/// The overlay values of all areas in the last tick.
#[derive(Clone, Resource, Default, Debug)]
pub(crate) struct OverlayAreas {
    /// The placements of each entity, on each map.
    placed: EntityHashMap<Vec<Placement>>,
    /// By map and name: the values of all areas on a cell.
    values: BTreeMap<(Entity, Arc<str>), BTreeMap<Cell, Vec<u16>>>,
}

impl OverlayAreas {
    fn enter(&mut self, placement: &Placement, touched: &mut Touched) {
        let key = (placement.map, placement.area.overlay.clone());
        let values = self.values.entry(key.clone()).or_default();
        let touched = touched.entry(key).or_default();
        for cell in placement.cells() {
            values.entry(cell).or_default().push(placement.area.value);
            touched.insert(cell);
        }
    }

    fn leave(&mut self, placement: &Placement, touched: &mut Touched) {
        let key = (placement.map, placement.area.overlay.clone());
        let Some(values) = self.values.get_mut(&key) else { return };
        let touched = touched.entry(key.clone()).or_default();
        for cell in placement.cells() {
            if let Some(on_cell) = values.get_mut(&cell) {
                if let Some(place) = on_cell.iter().position(|&value| value == placement.area.value) {
                    on_cell.swap_remove(place);
                }
                if on_cell.is_empty() {
                    values.remove(&cell);
                }
            }
            touched.insert(cell);
        }
        if values.is_empty() {
            self.values.remove(&key);
        }
    }
}

impl OverlayAreas {
    /// Warns, once for each overlay, if no map on which it lies has a movement that names it.
    fn warn_of_unnamed(&self, maps: &AreaMaps, own: &OwnMovements, unnamed: &mut UnknownNames) {
        let mut lies_on: BTreeMap<&Arc<str>, Vec<Entity>> = BTreeMap::new();
        for (map, overlay) in self.values.keys() {
            lies_on.entry(overlay).or_default().push(*map);
        }
        for (overlay, on) in lies_on {
            // The sides that have a memory of the map may name the overlay there.
            let memories = maps.iter().filter(|&(.., is_memory)| is_memory);
            let mut named: BTreeSet<_> = memories.flat_map(|(.., rules, _)| names_of(rules)).collect();
            let are_ready = on.iter().all(|&map| {
                maps.get(map).is_ok_and(|(_, grid, _, rules, _)| {
                    named.extend(names_of(rules));
                    grid.is_ready()
                })
            });
            let is_named = own.name_overlay(overlay) || named.iter().any(|name| name.as_str() == &**overlay);
            if are_ready && !is_named && unnamed.is_new(on[0], overlay) {
                warn!(
                    "an OverlayArea lays the overlay \"{overlay}\" on the map {}, where no movement names it; they name {named:?}: \
                     name it with Movement::with_overlay, or correct the name",
                    on[0]
                );
            }
        }
    }
}

/// Returns the overlays that the movements of a map name.
fn names_of(rules: &NavMap) -> impl Iterator<Item = &String> {
    rules.movements.values().flat_map(Movement::overlays)
}

type Touched = BTreeMap<(Entity, Arc<str>), BTreeSet<Cell>>;

/// An area as it lies on one grid.
#[derive(Debug, Clone, PartialEq)]
struct Placement {
    map: Entity,
    generation: u64,
    /// Values are lost with the cells on which they were.
    resizes: u64,
    bounds: Bounds,
    topology: Topology,
    centre: Cell,
    area: OverlayArea,
}

impl Placement {
    /// Returns the cells of the map that it covers.
    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let Self { bounds, topology, centre, .. } = *self;
        let radius = f64::from(self.area.radius);
        // On hexagons, a circle reaches farther along an axis, because the axes are not at right
        // angles.
        let reach = if topology == Topology::Square { radius } else { radius * 2.0 / 3.0_f64.sqrt() };
        let range = |centre: i32, begin: i32, length: u32| {
            let (begin, end) = (f64::from(begin), f64::from(begin) + f64::from(length) - 1.0);
            let first = (f64::from(centre) - reach).ceil().max(begin) as i64;
            first..=(f64::from(centre) + reach).floor().min(end) as i64
        };
        let (columns, rows) = (
            range(centre.x, bounds.origin().x, bounds.width()),
            range(centre.y, bounds.origin().y, bounds.height()),
        );
        let is_near = move |x: i64, y: i64| {
            let (dx, dy) = ((x - i64::from(centre.x)) as f64, (y - i64::from(centre.y)) as f64);
            let between = if topology == Topology::Square { 0.0 } else { dx * dy };
            dx * dx + between + dy * dy <= radius * radius * (1.0 + f64::EPSILON)
        };
        rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
            .filter(move |&(x, y)| is_near(x, y))
            .map(|(x, y)| Cell::new(x as i32, y as i32))
    }
}

/// Returns the number of known areas and values.
pub(crate) fn entry_count(world: &World) -> usize {
    world.get_resource::<OverlayAreas>().map_or(0, |areas| areas.placed.len() + areas.values.len())
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<OverlayArea>()
        .init_resource::<OverlayAreas>()
        .add_systems(schedule, follow_areas.in_set(SyncSteps::Obstacles));
}

type AreaMaps<'w, 's> =
    Query<'w, 's, (Entity, &'static mut NavGrid, &'static NavProjection, &'static NavMap, Has<NavMemory>)>;

fn follow_areas(
    mut known: ResMut<OverlayAreas>,
    areas: Query<(Entity, &OverlayArea, Option<&OnMap>)>,
    mut maps: AreaMaps,
    places: WorldPlaces,
    own: Res<OwnMovements>,
    // Overlays for which a warning was given.
    mut unnamed: Local<UnknownNames>,
) {
    if areas.is_empty() && known.placed.is_empty() {
        return;
    }
    let mut touched = Touched::new();
    let known = &mut *known;
    let gone: Vec<Entity> = known.placed.keys().copied().filter(|&entity| !areas.contains(entity)).collect();
    for entity in gone {
        for placement in known.placed.remove(&entity).into_iter().flatten() {
            known.leave(&placement, &mut touched);
        }
    }
    for (entity, area, on_map) in &areas {
        let here = places.of(entity).translation;
        let covers = area.value > 0 && area.radius >= 0.0;
        let now: Vec<Placement> = maps
            .iter()
            .filter(|&(map, .., is_memory)| covers && on_map.map_or(!is_memory, |on_map| on_map.0 == map))
            .filter_map(|(map, grid, projection, ..)| {
                Some(Placement {
                    map,
                    generation: grid.generation(),
                    resizes: grid.resizes(),
                    bounds: grid.bounds(),
                    topology: grid.grid().topology(),
                    centre: projection.cell_at_world(here)?,
                    area: area.clone(),
                })
            })
            .collect();
        if known.placed.get(&entity) == Some(&now) {
            continue;
        }
        for placement in &now {
            known.enter(placement, &mut touched);
        }
        for placement in known.placed.insert(entity, now).into_iter().flatten() {
            known.leave(&placement, &mut touched);
        }
    }
    for ((map, overlay), cells) in touched {
        let Ok((_, mut grid, ..)) = maps.get_mut(map) else { continue };
        let values = known.values.get(&(map, overlay.clone()));
        let bounds = grid.bounds();
        let largest = |cell: Cell| values?.get(&cell)?.iter().max().copied();
        let cells = cells.into_iter().filter(|&cell| bounds.contains(cell));
        let edits: Vec<(Cell, u16)> = cells.map(|cell| (cell, largest(cell).unwrap_or(0))).collect();
        if grid.bypass_change_detection().write_area_overlay(&overlay, edits).is_ok_and(|changed| changed > 0)
        {
            grid.set_changed();
        }
    }
    // If the own movements are outdated, they are collected later, and the warning waits.
    if !own.is_outdated {
        known.warn_of_unnamed(&maps, &own, &mut unnamed);
    }
}
