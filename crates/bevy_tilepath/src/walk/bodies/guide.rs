//! Guidance of bodies, and the effort of their steps.
//!
//! Paths, detours, and fields around their goals guide bodies.

use bevy_math::DVec2;
use tilepath::{
    Cell, Cost, Direction, Exits, Grid, Movement,
    crowd::{BodyId, EFFORT_PER_STRAIGHT_STEP, Guide, Lead, Steps, Surroundings, Way, WayGuide},
};

use crate::{map::map_view::MapView, route::speed::GaitKind};

/// The guide of the bodies of one map.
pub(super) struct BodyGuide<'map> {
    pub(super) ways: WayGuide<'map>,
    pub(super) efforts: &'map Efforts<'map>,
    /// The gait of each body, by its index: the number of its unit, and the kind of gait. The kind
    /// is `None` for bodies that leap.
    pub(super) gaits: &'map [(u16, Option<GaitKind>)],
}

/// The efforts of steps, as parts of a stride.
pub(super) struct Efforts<'map> {
    grid: &'map Grid,
    /// The effort in each direction for speeds in world units: by the length of the step in the
    /// world.
    world: [u32; 8],
    /// The efforts of each unit for speeds in cells: by the cost of the step on even ground.
    units: Vec<UnitEfforts>,
}

struct UnitEfforts {
    even: [u32; 8],
    /// The rules without overlays, and the least cost of a straight step.
    rules: Movement,
    straight: f64,
}

impl<'map> Efforts<'map> {
    pub(super) fn new(view: &MapView<'map>) -> Self {
        let grid = view.grid.grid();
        let at = grid.origin();
        let straight = view.projection.straight_step();
        let centre = |cell: Cell| view.projection.world_position_of(cell).as_dvec2();
        let world = Direction::ALL.map(|direction| {
            let to = at.neighbour(direction).map_or(DVec2::ZERO, centre);
            effort(to.distance(centre(at)) / straight)
        });
        Self { grid, world, units: Vec::new() }
    }

    /// Adds a unit and returns its number.
    pub(super) fn add(&mut self, rules: &Movement) -> u16 {
        let origin = Cell::new(0, 0);
        let topology = self.grid.topology();
        let straight = f64::from(rules.distance(topology, origin, Cell::new(1, 0)).get());
        let even = Direction::ALL.map(|direction| {
            let to = origin.neighbour(direction).unwrap_or(origin);
            effort(f64::from(rules.distance(topology, origin, to).get()) / straight)
        });
        let least = straight * f64::from(rules.costs().least());
        self.units.push(UnitEfforts { even, rules: rules.clone().without_overlays(), straight: least });
        (self.units.len() - 1) as u16
    }
}

/// Returns the effort of a step that is worth this many straight steps.
fn effort(steps: f64) -> u32 {
    let effort = (steps * f64::from(EFFORT_PER_STRAIGHT_STEP)).round();
    if effort.is_finite() {
        effort.clamp(1.0, f64::from(u32::MAX >> 1)) as u32
    } else {
        EFFORT_PER_STRAIGHT_STEP
    }
}

impl Guide for BodyGuide<'_> {
    fn exits(&mut self, body: BodyId, slot: usize) -> Exits {
        self.ways.exits(body, slot)
    }

    fn rest(&mut self, body: BodyId, slot: usize) -> Option<Cost> {
        self.ways.rest(body, slot)
    }

    fn step_cost(&mut self, body: BodyId, entered: usize, direction: Direction) -> Cost {
        self.ways.step_cost(body, entered, direction)
    }

    fn look_around(&mut self, body: BodyId, slot: usize, offsets: &[isize; 8]) -> Surroundings {
        self.ways.look_around(body, slot, offsets)
    }

    fn effort(&mut self, body: BodyId, entered: usize, direction: Direction) -> u32 {
        let Efforts { grid, world, units } = self.efforts;
        let known = self
            .gaits
            .get(body.index())
            .and_then(|&(unit, kind)| Some((units.get(usize::from(unit))?, kind?)));
        let Some((unit, kind)) = known else { return EFFORT_PER_STRAIGHT_STEP };
        if !kind.counts_cells {
            return world[direction as usize];
        }
        let cost = || {
            let from = grid.bounds().cell(entered)?.neighbour(direction.opposite())?;
            unit.rules.step_cost(grid, from, direction)
        };
        match kind.is_slowed.then(cost).flatten() {
            Some(cost) => effort(f64::from(cost.get()) / unit.straight),
            None => unit.even[direction as usize],
        }
    }
}

/// Returns the lead of a body that has no goal and may not step.
pub(super) fn no_lead(steps: Steps<'_>) -> Lead<'_> {
    Lead { steps, way: Way::default(), field: None, shared: None, at: 0 }
}
