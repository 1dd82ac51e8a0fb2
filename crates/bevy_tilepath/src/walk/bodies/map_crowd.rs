//! The crowd of each map, and what is known around the goals of its bodies.

use std::collections::BTreeMap;

use bevy_ecs::{entity::Entity, resource::Resource};
use tilepath::{
    Bounds, Cell, Cost, MovementId,
    crowd::{BodyId, Crowd, LocalField, Steps},
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
#[derive(Resource, Debug, Default)]
pub(crate) struct Crowds {
    /// In the order of the maps' entities.
    pub(super) maps: BTreeMap<Entity, MapCrowd>,
    pub(super) tick: u32,
    /// Room for those that go to an entity, from tick to tick.
    pub(super) targets: Vec<(Entity, BodyId, Entity)>,
    /// Whether a body is in a door, or goes to one.
    pub(super) are_doors_near: bool,
}

/// The maps of tiles on which agents may walk, as they are in this tick.
pub(super) struct Views<'a>(Vec<Sight<'a>>);

/// A map, and by which number it is known where that lies.
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
#[derive(Debug)]
pub(super) struct MapCrowd {
    /// No other crowd has it.
    pub(super) number: u64,
    /// The grid that it is for.
    grid: (u64, Bounds),
    pub(super) crowd: Crowd,
    /// By the indices of bodies.
    pub(super) owners: Vec<Owner>,
    pub(super) goals: Goals,
    /// What came of the tick, by the indices of bodies.
    pub(super) verdicts: Vec<Verdict>,
}

/// Whose a body is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner {
    /// `None`: there is no body of that index.
    pub(super) entity: Option<Entity>,
    /// The tick in which it was there last.
    pub(super) seen: u32,
}

/// The cells to which bodies are under way, or where they rest, by movement and slot.
#[derive(Debug, Default)]
pub(super) struct Goals(BTreeMap<(MovementId, u32), Goal>);

/// A cell to which bodies are under way, or where they rest.
#[derive(Debug, Default)]
struct Goal {
    count: u32,
    /// Where there are several: what lies around it.
    known: Option<Known>,
}

#[derive(Debug)]
struct Known {
    field: LocalField,
    reach: u32,
    version: Version,
}

/// How far around a goal costs are known, beyond the cells on which that many can rest.
const BEYOND: u32 = 6;

impl Crowds {
    /// A tick begins. Crowds of maps that are gone, or are others than before, go.
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

    /// The bodies of a map's crowd, and whose they are.
    pub(crate) fn owners(&self, map: Entity) -> impl Iterator<Item = (BodyId, Entity)> + '_ {
        let crowd = self.maps.get(&map);
        crowd.into_iter().flat_map(|crowd| crowd.crowd.bodies().filter_map(|id| Some((id, crowd.owner(id)?))))
    }

    /// The crowd of a map.
    pub(crate) fn of(&self, map: Entity) -> Option<&Crowd> {
        self.maps.get(&map).map(|crowd| &crowd.crowd)
    }

    /// The crowd that a body has entered; `None` once the crowd of that map was made anew.
    pub(crate) fn entered(&self, entered: &Entered) -> Option<&Crowd> {
        self.maps.get(&entered.map).filter(|crowd| crowd.number == entered.crowd).map(|crowd| &crowd.crowd)
    }
}

impl MapCrowd {
    pub(super) fn new(view: &MapView) -> Self {
        let grid = view.grid.grid();
        Self {
            number: next_number(),
            grid: (view.grid.generation(), grid.bounds()),
            crowd: Crowd::new(grid),
            owners: Vec::new(),
            goals: Goals::default(),
            verdicts: Vec::new(),
        }
    }

    /// Goes on over the map as it is: where that has grown, or is another one, bodies stay where they are. `false`: it has hexagons by
    /// now, or none any more.
    fn go_on(&mut self, view: &MapView) -> bool {
        let grid = view.grid.grid();
        let key = (view.grid.generation(), grid.bounds());
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

    /// The entity of a body.
    pub(super) fn owner(&self, id: BodyId) -> Option<Entity> {
        self.owners.get(id.index()).and_then(|owner| owner.entity)
    }
}

impl Goals {
    /// A body goes to that slot, or rests there.
    pub(super) fn count(&mut self, movement: MovementId, slot: u32) {
        self.0.entry((movement, slot)).or_default().count += 1;
    }

    /// What is known around the goals that several have, on the map as it is. Those that none has go.
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

    /// What is known around a goal.
    pub(super) fn field(&self, movement: MovementId, slot: u32) -> Option<&LocalField> {
        self.0.get(&(movement, slot))?.known.as_ref().map(|known| &known.field)
    }
}

impl Known {
    /// Whether nothing was edited near to the goal since.
    fn holds(&self, view: &MapView, version: Version, slot: u32) -> bool {
        if self.version == version {
            return true;
        }
        let grid = view.grid.grid();
        let changes = self.version.revision_before(version).and_then(|since| grid.changes_since(since));
        let (Some(changes), Some(goal)) = (changes, grid.bounds().cell(slot as usize)) else { return false };
        // Units of several cells reach beyond their own.
        let near = self.reach + u32::from(tilepath::Size::MAX) + 1;
        let is_near = |cell: Cell| cell.x.abs_diff(goal.x).max(cell.y.abs_diff(goal.y)) <= near;
        !changes.into_iter().any(is_near)
    }
}

/// A map of tiles on which agents may walk.
pub(super) fn tiles<'a>(maps: &'a Maps, map: Entity) -> Option<MapView<'a>> {
    match maps.ready(map)? {
        AnyMap::Tiles(view) => Some(view),
        AnyMap::Graph(_) => None,
    }
}
