//! The crowd of each map, with fields around goals.

use std::collections::BTreeMap;

use bevy_ecs::{
    entity::{Entity, MapEntities},
    resource::Resource,
};
use tilepath::{
    Bounds, Cell, Cost, MovementId,
    crowd::{BodyId, Crowd, CrowdState, CrowdStateError, LocalField, Steps},
};

use super::{parts::Surroundings, verdict::Verdict};
use crate::{
    journey::body::Entered,
    map::{
        map_view::MapView,
        maps::{AnyMap, Maps},
        version::{Version, next_number},
    },
};

/// The crowds of all maps on which there are bodies.
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct Crowds {
    /// The crowds in the order of the maps' entities.
    pub(super) maps: BTreeMap<Entity, MapCrowd>,
    pub(super) tick: u32,
    /// A buffer for the bodies that walk to an entity, reused in each tick.
    pub(super) targets: Vec<(Entity, BodyId, Entity)>,
    /// True if a body is in a door, or on a path to one.
    pub(super) are_doors_near: bool,
}

/// The tile maps on which agents may walk, in their present state.
pub(super) struct Views<'a>(Vec<Sight<'a>>);

/// A map, with the version of its placement.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    pub(super) view: MapView<'a>,
    pub(super) placement: Version,
}

impl<'a> Views<'a> {
    pub(super) fn new(around: &'a Surroundings) -> Self {
        let ready = around.maps.tile_maps().filter(|view| view.grid.is_ready());
        let sight = |view: MapView<'a>| {
            let watch = around.watched.get(view.map);
            Sight { view, placement: watch.map_or_else(Version::default, |watch| watch.placement) }
        };
        let mut all: Vec<Sight> = ready.map(sight).collect();
        all.sort_unstable_by_key(|sight| sight.view.map);
        Self(all)
    }

    pub(super) fn of(&self, map: Entity) -> Option<&Sight<'a>> {
        if let [only] = &*self.0 {
            return Some(only).filter(|only| only.view.map == map);
        }
        self.0.binary_search_by_key(&map, |sight| sight.view.map).ok().map(|place| &self.0[place])
    }
}

/// The crowd of one map.
#[derive(Clone, Debug)]
pub(super) struct MapCrowd {
    /// The number of the crowd. No other crowd has it.
    pub(super) number: u64,
    /// The generation and bounds of its grid.
    grid: (u64, Bounds),
    pub(super) crowd: Crowd,
    /// The owners, by the indices of bodies.
    pub(super) owners: Vec<Owner>,
    pub(super) goals: Goals,
    /// The verdicts of the tick, by the indices of bodies.
    pub(super) verdicts: Vec<Verdict>,
}

/// The owner of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner {
    /// The entity, or `None` if there is no body with this index.
    pub(super) entity: Option<Entity>,
    /// The last tick in which it was present.
    pub(super) seen: u32,
}

/// The cells to which bodies walk, or where they rest, by movement and slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals(BTreeMap<(MovementId, u32), Goal>);

/// A cell to which bodies walk, or where they rest.
#[derive(Clone, Debug, Default)]
struct Goal {
    count: u32,
    /// The field around it, if several bodies have it.
    known: Option<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    field: LocalField,
    reach: u32,
    version: Version,
}

/// The distance in cells around a goal up to which costs are known, beyond the cells on which its
/// bodies can rest.
const BEYOND: u32 = 6;

impl Crowds {
    /// Begins a tick. Drops the crowds of maps that are gone, or have changed between squares and
    /// hexagons.
    pub(super) fn begin_tick(&mut self, maps: &Maps) {
        self.tick = self.tick.wrapping_add(1);
        self.are_doors_near = false;
        self.maps.retain(|&map, crowd| tiles(maps, map).is_some_and(|view| crowd.go_on(&view)));
        for goal in self.maps.values_mut().flat_map(|crowd| crowd.goals.0.values_mut()) {
            goal.count = 0;
        }
    }

    pub(crate) fn entry_count(&self) -> usize {
        self.maps.values().map(|crowd| 1 + crowd.crowd.bodies().count() + crowd.goals.0.len()).sum()
    }

    /// Returns the bodies of a map's crowd, with their entities.
    pub(crate) fn owners(&self, map: Entity) -> impl Iterator<Item = (BodyId, Entity)> + '_ {
        let crowd = self.maps.get(&map);
        crowd.into_iter().flat_map(|crowd| crowd.crowd.bodies().filter_map(|id| Some((id, crowd.owner(id)?))))
    }

    /// Returns the crowd of a map.
    pub(crate) fn of(&self, map: Entity) -> Option<&Crowd> {
        self.maps.get(&map).map(|crowd| &crowd.crowd)
    }

    /// Returns the crowd that a body has entered, or `None` if that map has a new crowd.
    pub(crate) fn entered(&self, entered: &Entered) -> Option<&Crowd> {
        self.maps.get(&entered.map).filter(|crowd| crowd.number == entered.crowd).map(|crowd| &crowd.crowd)
    }
}

/// The crowds in a [`TilepathState`](crate::TilepathState).
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CrowdsState {
    tick: u32,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    maps: Vec<MapCrowdState>,
}

#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct MapCrowdState {
    #[entities]
    map: Entity,
    /// False if the crowd has not followed the last change of its map.
    is_on_grid: bool,
    crowd: CrowdState,
    /// The owner of each body, in the order of the bodies.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    owners: Vec<Option<Entity>>,
}

impl Crowds {
    /// Returns the crowds for a state.
    pub(crate) fn state(&self, maps: &Maps) -> CrowdsState {
        let state = |(&map, crowd): (&Entity, &MapCrowd)| MapCrowdState {
            map,
            is_on_grid: tiles(maps, map).is_some_and(|view| crowd.grid == grid_of(&view)),
            crowd: crowd.crowd.state(),
            owners: crowd.crowd.bodies().map(|id| crowd.owner(id)).collect(),
        };
        CrowdsState { tick: self.tick, maps: self.maps.iter().map(state).collect() }
    }

    /// Returns the number of the crowd of each map, and the ids of its bodies in the order of a state.
    pub(crate) fn ids(&self) -> BTreeMap<Entity, (u64, Vec<BodyId>)> {
        let ids = |crowd: &MapCrowd| (crowd.number, crowd.crowd.bodies().collect());
        self.maps.iter().map(|(&map, crowd)| (map, ids(crowd))).collect()
    }

    /// Returns whether a crowd has this body as `entered`.
    pub(crate) fn has(&self, body: Entity, entered: &Entered) -> bool {
        let crowd = self.maps.get(&entered.map).filter(|crowd| crowd.number == entered.crowd);
        crowd.is_some_and(|crowd| crowd.owner(entered.id) == Some(body))
    }

    /// Puts crowds of a state back.
    pub(crate) fn put(&mut self, state: RestoredCrowds, maps: &Maps) {
        let RestoredCrowds { tick, maps: states } = state;
        let crowd = |RestoredCrowd { map, is_on_grid, bounds, crowd, owners }| {
            let view = tiles(maps, map).filter(|_| is_on_grid);
            let grid = (view.map_or(0, |view| view.grid.generation()), bounds);
            let owners = owners.into_iter().map(|entity| Owner { entity, seen: tick }).collect();
            let (goals, verdicts) = (Goals::default(), Vec::new());
            (map, MapCrowd { number: next_number(), grid, crowd, owners, goals, verdicts })
        };
        *self = Self { maps: states.into_iter().map(crowd).collect(), tick, ..Self::default() };
    }
}

/// The crowds of a state, made again.
#[derive(Debug, MapEntities)]
pub(crate) struct RestoredCrowds {
    tick: u32,
    #[entities]
    maps: Vec<RestoredCrowd>,
}

#[derive(Debug, MapEntities)]
struct RestoredCrowd {
    #[entities]
    map: Entity,
    is_on_grid: bool,
    bounds: Bounds,
    crowd: Crowd,
    #[entities]
    owners: Vec<Option<Entity>>,
}

impl CrowdsState {
    /// Makes the crowds again.
    ///
    /// # Errors
    /// The map of a crowd whose state is not one that a crowd can have, and the fault.
    pub(crate) fn restore(&self) -> Result<RestoredCrowds, (Entity, CrowdStateError)> {
        let crowd = |state: &MapCrowdState| {
            Ok(RestoredCrowd {
                map: state.map,
                is_on_grid: state.is_on_grid,
                bounds: state.crowd.bounds(),
                crowd: state.crowd.restore().map_err(|error| (state.map, error))?,
                owners: state.owners.clone(),
            })
        };
        let maps: Result<_, _> = self.maps.iter().map(crowd).collect();
        Ok(RestoredCrowds { tick: self.tick, maps: maps? })
    }
}

/// Returns what identifies the grid of a map for its crowd.
fn grid_of(view: &MapView) -> (u64, Bounds) {
    (view.grid.generation(), view.grid.bounds())
}

impl MapCrowd {
    pub(super) fn new(view: &MapView) -> Self {
        let grid = view.grid.grid();
        Self {
            number: next_number(),
            grid: grid_of(view),
            crowd: Crowd::new(grid),
            owners: Vec::new(),
            goals: Goals::default(),
            verdicts: Vec::new(),
        }
    }

    /// Moves the crowd to the present grid. If the grid has grown or was replaced, bodies stay
    /// where they are. Returns false if the map has changed to hexagons, or from hexagons.
    fn go_on(&mut self, view: &MapView) -> bool {
        let grid = view.grid.grid();
        let key = grid_of(view);
        if self.grid != key {
            if !self.crowd.can_move_to(grid) {
                return false;
            }
            for removed in self.crowd.move_to(grid) {
                self.owners[removed.index()].entity = None;
            }
            (self.grid, self.goals) = (key, Goals::default());
        }
        true
    }

    /// Returns the entity of a body.
    pub(super) fn owner(&self, id: BodyId) -> Option<Entity> {
        self.owners.get(id.index()).and_then(|owner| owner.entity)
    }
}

impl Goals {
    /// Counts a body that walks to this slot, or rests there.
    pub(super) fn count(&mut self, movement: MovementId, slot: u32) {
        self.0.entry((movement, slot)).or_default().count += 1;
    }

    /// Updates the fields around goals that several bodies have, on the present map. Drops goals
    /// that no body has.
    pub(super) fn refresh(&mut self, view: &MapView) {
        let version = view.grid.version();
        self.0.retain(|&(movement, slot), goal| {
            if goal.count < 2 {
                goal.known = None;
                return goal.count > 0;
            }
            let reach = goal.count.isqrt().div_ceil(2) + BEYOND;
            let is_known = |known: &Known| known.reach >= reach && known.holds(view, version, slot);
            if !goal.known.as_ref().is_some_and(is_known)
                && let Ok(steps) = Steps::new(view.grid.finder(), movement)
            {
                let mut field = goal.known.take().map(|known| known.field).unwrap_or_default();
                field.spread(&steps, slot as usize, reach, [(slot as usize, Cost::ZERO)]);
                goal.known = Some(Known { field, reach, version });
            }
            if let Some(known) = &mut goal.known {
                known.version = version;
            }
            true
        });
    }

    /// Returns the field around a goal.
    pub(super) fn field(&self, movement: MovementId, slot: u32) -> Option<&LocalField> {
        self.0.get(&(movement, slot))?.known.as_ref().map(|known| &known.field)
    }
}

impl Known {
    /// Returns whether nothing was edited near the goal since then.
    fn holds(&self, view: &MapView, version: Version, slot: u32) -> bool {
        if self.version == version {
            return true;
        }
        let grid = view.grid.grid();
        let changes = self.version.revision_before(version).and_then(|since| grid.changes_since(since));
        let (Some(changes), Some(goal)) = (changes, grid.bounds().cell(slot as usize)) else { return false };
        // Units of several cells cover more than their own cell.
        let near = self.reach + u32::from(tilepath::Size::MAX) + 1;
        let is_near = |cell: Cell| cell.x.abs_diff(goal.x).max(cell.y.abs_diff(goal.y)) <= near;
        !changes.into_iter().any(is_near)
    }
}

/// Returns a tile map on which agents may walk.
pub(super) fn tiles<'a>(maps: &'a Maps, map: Entity) -> Option<MapView<'a>> {
    match maps.ready(map)? {
        AnyMap::Tiles(view) => Some(view),
        AnyMap::Graph(_) => None,
    }
}
