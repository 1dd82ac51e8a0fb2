//! Checks after every tick.

mod answers;
pub(crate) mod bodies;
mod line;
pub(crate) mod reach;
mod reasons;

use bevy_ecs::{entity::Entity, system::In, world::World};
use bevy_math::Vec2;
use bevy_tilepath::{
    AgentPath, Body, Cell, Motion, NavGrid, NavQuery, OnMap, PathAgent, PathRequest, PathStatus,
    TilepathDiagnostics, TilepathSettings, queries::WhyNot, tilepath::Grid,
};
use bevy_time::Time;
use bevy_transform::components::Transform;

use crate::{
    crew::{Agent, Before, Gap},
    events::{Log, Told},
    places::{self, Ground},
    run::{Complaint, Soak},
};

/// The most ticks for which an agent may stand with an order while budget is left.
pub const PATIENCE: u32 = 8;

/// The longest line that must be straight, in cells. A longer line can bend: the agent can walk to
/// the centre of its cell, and back past its first position.
const LONG: f32 = 0.45;

impl Soak {
    /// Stores the position of every agent after all deeds.
    pub(crate) fn note_before(&mut self) {
        let world = self.app.world();
        for agent in &mut self.crew {
            agent.before = Before {
                world: places::position(world, agent.entity),
                local: local(world, agent.entity),
                map: world.get::<OnMap>(agent.entity).map(|on_map| on_map.0),
                door: entrance(world, agent.entity),
            };
        }
        self.squads.note_before(world, &self.crew);
    }

    /// Stops the agents whose group got another order that is not for them. They stop without an
    /// event.
    fn release(&mut self) {
        let world = self.app.world();
        for agent in self.crew.iter_mut().filter(|agent| agent.may_be_released) {
            if world.get::<PathRequest>(agent.entity).is_none() {
                agent.is_cancelled();
            }
        }
    }

    /// Checks every event, and every agent.
    pub(crate) fn check_tick(&mut self) -> Result<(), Complaint> {
        let told = std::mem::take(&mut self.app.world_mut().resource_mut::<Log>().told);
        if let Some(what) = self.fault.take() {
            return Err((None, what));
        }
        self.check_answers(&told)?;
        self.release();
        self.squads.end_replaced(self.app.world());
        self.squads.check_lives(self.app.world()).map_err(|what| (None, what))?;
        self.squads.check_places(self.app.world(), &self.crew).map_err(|what| (None, what))?;
        for index in 0..self.crew.len() {
            let news: Vec<&Told> = (told.iter())
                .filter(|(entity, _)| *entity == self.crew[index].entity)
                .map(|(_, told)| told)
                .collect();
            self.check_agent(index, &news).map_err(|what| (Some(self.crew[index].number), what))?;
        }
        self.check_reasons()?;
        self.check_bodies()?;
        let world = self.app.world();
        let diagnostics = world.resource::<TilepathDiagnostics>();
        self.report.led += diagnostics.led_searches as u64;
        for &map in &self.level.maps {
            if let Some(grid) = world.get::<NavGrid>(map) {
                let state = (grid.generation(), grid.grid().revision());
                let known = self.grids_before.get(&map).map(|(known, _)| *known);
                if known != Some(state) {
                    self.grids_before.insert(map, (state, grid.grid().clone()));
                }
            }
        }
        self.grids_before.retain(|map, _| world.get_entity(*map).is_ok());
        Ok(())
    }

    fn check_agent(&mut self, index: usize, news: &[&Told]) -> Result<(), String> {
        let world = self.app.world();
        let agent = &mut self.crew[index];
        let has_order = world.get::<PathRequest>(agent.entity).is_some();
        agent.life.seen(world.get::<PathStatus>(agent.entity).copied(), has_order)?;
        let map = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0);
        // If the agent still walks the path of a replaced order, no event names the door.
        let entrance = entrance(world, agent.entity);
        let has_passed_a_door = map != agent.before.map
            || entrance.is_some() && entrance != agent.before.door
            || news.iter().any(|told| matches!(told, Told::Passed { .. }));
        let gap = agent.gap;
        agent.gap = gap_after(world, agent, has_passed_a_door);
        if self.settings.trace == Some(agent.number) {
            tell(self.tick, world, agent, news);
        }

        let ground = map.and_then(|map| Ground::of(world, map, Some(agent.entity)));
        let is_between = gap.is_some() || agent.gap.is_some() || has_passed_a_door;
        if let (Some(map), Some(ground)) = (map, ground)
            && agent.before.map == Some(map)
            && !is_between
            && world.get::<Body>(agent.entity).is_none()
        {
            let ends = [agent.before.world, places::position(world, agent.entity)]
                .map(|at| places::units(world, map, at).unwrap_or_default());
            let before = self.grids_before.get(&map).map(|(_, grid)| grid);
            let is_straight = ends[0].distance(ends[1]).max(stride(world, agent.entity, map)) <= LONG;
            let is_line = ends[0] != ends[1] && is_straight;
            self.report.lines += u64::from(is_line);
            self.report.wide_lines += u64::from(is_line && ground.side() > 1);
            let start = start(world, agent.entity, map).filter(|_| ground.side() > 1);
            check_line(agent, map, &ground, ends, is_straight, before, start)?;
            if is_straight {
                self.report.crossed += check_steps(&ground, ends, start)?;
            }
            agent.is_put = false;
        } else {
            // At the end of a door the agent can stand in a wall.
            agent.is_put = true;
            agent.excused.clear();
        }
        let stands = stands_idly(world, agent);
        agent.stands = if stands { agent.stands + 1 } else { 0 };
        if agent.stands <= PATIENCE {
            return Ok(());
        }
        let entity = agent.entity;
        // An agent that other code moves may wait anywhere in the region near its target.
        if why_not(self.app.world_mut(), entity) == Some(WhyNot::AtGoal) {
            self.crew[index].stands = 0;
            return Ok(());
        }
        let status = self.app.world().get::<PathStatus>(entity);
        Err(format!(
            "stands with an order for {} ticks while budget is left: {status:?}",
            self.crew[index].stands
        ))
    }
}

/// Returns why an agent does not move.
fn why_not(world: &mut World, agent: Entity) -> Option<WhyNot> {
    let ask = |unit: In<Entity>, nav: NavQuery| nav.why_not(*unit);
    world.run_system_cached_with(ask, agent).ok().flatten()
}

/// Returns the longest distance that an agent can walk in this tick, in cells.
fn stride(world: &World, entity: Entity, map: Entity) -> f32 {
    let speed = world.get::<PathAgent>(entity).map_or(0.0, |walker| walker.speed.rate());
    let [cell, beside, above] =
        [(0, 0), (1, 0), (0, 1)].map(|cell| places::centre(world, map, Cell::from(cell)).unwrap_or_default());
    // On skewed or stretched cells the direction matters: this is the direction with the most cells
    // on a length.
    let (east, north) = (beside - cell, above - cell);
    let (sum, product) = (east.length_squared() + north.length_squared(), east.perp_dot(north));
    let shortest = ((sum - (sum * sum - 4.0 * product * product).max(0.0).sqrt()) / 2.0).sqrt();
    speed * world.resource::<Time>().delta_secs() / shortest
}

/// Returns the first cell of the path of an agent, if the agent is on this map.
fn start(world: &World, entity: Entity, map: Entity) -> Option<Cell> {
    let path = world.get::<AgentPath>(entity).filter(|path| path.map() == map)?;
    Some(path.path()?.start())
}

/// Returns the door through which an agent came onto the current leg of its journey.
fn entrance(world: &World, entity: Entity) -> Option<Entity> {
    world.get::<AgentPath>(entity)?.leg().door()
}

/// Returns the position relative to the parent.
fn local(world: &World, entity: Entity) -> Vec2 {
    world.get::<Transform>(entity).map_or(Vec2::ZERO, |at| at.translation.truncate())
}

/// Returns the gap if the agent is between the ends of a door after the tick. A door leads over any
/// ground.
fn gap_after(world: &World, agent: &Agent, has_passed_a_door: bool) -> Option<Gap> {
    let path = world.get::<AgentPath>(agent.entity);
    if let Some(path) = path.filter(|path| path.is_in_door()) {
        let left = path.path().and_then(|cells| Some((path.map(), *cells.cells().last()?)));
        return Some(Gap { left, is_doubted: agent.gap.is_some_and(|gap| gap.is_doubted) });
    }
    let gap = agent.gap.filter(|_| !has_passed_a_door)?;
    let is_back = gap.left.is_some_and(|(map, cell)| {
        places::place(world, map, cell, places::side_of(world, map, agent.entity))
            .is_some_and(|centre| centre.distance(places::position(world, agent.entity)) < 1e-2)
    });
    // The agent passed the end that it had left, along another path.
    let is_under_way = world.get::<PathRequest>(agent.entity).is_some()
        && path.is_some_and(|path| path.next_point() > 0)
        && local(world, agent.entity) != agent.before.local
        && world.get::<PathStatus>(agent.entity) == Some(&PathStatus::Following);
    (!is_back && !is_under_way).then_some(gap)
}

/// Checks that no wall is entered, and no corner is passed against the rule. If the line can bend,
/// only its end is checked.
fn check_line(
    agent: &mut Agent,
    map: Entity,
    ground: &Ground,
    [from, to]: [Vec2; 2],
    is_straight: bool,
    before: Option<&Grid>,
    start: Option<Cell>,
) -> Result<(), String> {
    let was_open = |cell| {
        let known = before.filter(|before| before.bounds().contains(cell));
        ground.grid.bounds().contains(cell) && known.is_none_or(|before| ground.is_open_in(before, cell))
    };
    let (shape, side) = (ground.shape(), ground.side());
    let is_wall = |cell: &Cell| !ground.is_open(*cell);
    // A large unit is checked with all cells that it covers. Beside walls it touches them.
    let around = |at: Vec2| match side {
        1 => places::cells_around(shape, at, line::HAIR).collect(),
        _ => line::cells_met(shape, side, at, at),
    };
    let mut excused: Vec<Cell> = (around(from).into_iter())
        .filter(is_wall)
        .filter(|&cell| agent.is_put || was_open(cell) || agent.excused.contains(&(map, cell)))
        .collect();
    // After it is put across the border, a large unit walks straight to the nearest place where all
    // of it is on the map.
    if side > 1 && around(from).iter().any(|&cell| !ground.grid.bounds().contains(cell)) {
        excused.extend(around(to).into_iter().filter(is_wall));
    }
    // A large unit may enter places that are closed only by cells which it covered at the start of its
    // path. That it enters them from such places alone, the steps show.
    excused.extend(start.into_iter().flat_map(|start| places::footprint(start, side)).filter(is_wall));
    // A unit deep in closed ground leaves it.
    let anchors = ground.anchors_around(from, line::HAIR).into_iter().chain(start);
    let left = anchors.filter(|anchor| ground.is_within(*anchor)).flat_map(|anchor| ground.way_out(anchor));
    excused.extend(left.flat_map(|anchor| places::footprint(anchor, side)).filter(is_wall));
    let parts = if is_straight { line::parts(side, from, to) } else { vec![[to, to]] };
    let met: Vec<Cell> =
        parts.iter().flat_map(|&[from, to]| line::cells_met(shape, side, from, to)).collect();
    if let Some(cell) = met.iter().find(|cell| is_wall(cell) && !excused.contains(cell)) {
        let kind = if ground.contains(*cell) { "the wall" } else { "the void" };
        return Err(format!(
            "walks into {kind} at ({}, {}): from {from} to {to} in cells, {side} a side",
            cell.x, cell.y
        ));
    }
    // A larger unit sweeps the cells beside a corner, so they are checked above.
    if is_straight
        && side == 1
        && let Some([first, last]) = line::corner(shape, from, to)
    {
        let walls = ground.obstacles_beside([first, last]);
        let diagonals = ground.diagonals();
        if diagonals.is_none_or(|rule| !line::allows(rule, walls)) {
            return Err(format!(
                "passes the corner between ({}, {}) and ({}, {}) with {walls} obstacles beside it under {diagonals:?}",
                first.x, first.y, last.x, last.y
            ));
        }
    }
    agent.excused =
        (excused.into_iter()).filter(|cell| around(to).contains(cell)).map(|cell| (map, cell)).collect();
    Ok(())
}

/// Checks that no closed exit is passed. Returns the number of edges and corners that the line
/// crosses. The line of a large unit is the line of the middle of its lowest, leftmost cell.
fn check_steps(ground: &Ground, ends: [Vec2; 2], start: Option<Cell>) -> Result<u64, String> {
    let side = ground.side();
    let middle = Vec2::splat((side - 1) as f32 / 2.0);
    let [from, to] = ends;
    let mut crossed = 0;
    for [from, to] in line::parts(side, from, to) {
        for [cell, next] in line::steps(ground.shape(), from - middle, to - middle) {
            crossed += 1;
            // After it is put across the border, a large unit walks straight onto the map.
            if side > 1 && !ground.is_within(cell) {
                continue;
            }
            let leaves_start = start.is_some_and(|start| ground.lets_pass_since(start, [cell, next]));
            if !ground.lets_pass([cell, next]) && !leaves_start {
                return Err(format!(
                    "steps from ({}, {}) to ({}, {}), which the map forbids: from {from} to {to} in cells, {side} a \
                     side, exits {:?} and {:?}",
                    cell.x,
                    cell.y,
                    next.x,
                    next.y,
                    ground.grid.grid().exits(cell),
                    ground.grid.grid().exits(next)
                ));
            }
        }
    }
    Ok(crossed)
}

/// Returns whether an agent stands though it could walk and budget is left.
fn stands_idly(world: &World, agent: &Agent) -> bool {
    let is_free = world
        .get::<PathAgent>(agent.entity)
        .is_some_and(|walker| !walker.paused && walker.speed.rate() > 0.0);
    let has_budget =
        world.resource::<TilepathDiagnostics>().work < world.resource::<TilepathSettings>().work_per_tick;
    // It waits for a path, at its last stop, or beside the entity that it follows.
    let waits = matches!(world.get::<PathStatus>(agent.entity), Some(PathStatus::WaitingForWay(_)))
        || agent.asked.as_ref().is_some_and(|asked| asked.lives)
            && (world.get::<AgentPath>(agent.entity))
                .is_some_and(|path| path.next_point() >= path.points().len());
    let stands = world.get::<PathRequest>(agent.entity).is_some()
        && local(world, agent.entity) == agent.before.local
        && !waits
        // Other bodies can be in the way.
        && world.get::<Body>(agent.entity).is_none();
    stands && is_free && has_budget
}

#[expect(clippy::print_stderr, reason = "asked for on the command line")]
fn tell(tick: u32, world: &World, agent: &Agent, news: &[&Told]) {
    let map = world.get::<OnMap>(agent.entity).map(|on_map| on_map.0);
    let position = places::position(world, agent.entity);
    let units = map.and_then(|map| places::units(world, map, position));
    let status = world.get::<PathStatus>(agent.entity);
    let path = world.get::<AgentPath>(agent.entity);
    let next = path.map(AgentPath::next_point);
    let velocity = world.get::<Motion>(agent.entity).map(|motion| motion.velocity);
    let cells = path.map_or(&[][..], |path| &path.remaining_cells()[..path.remaining_cells().len().min(3)]);
    eprintln!(
        "{tick}: at {position}, in cells {units:?} of {map:?}, {status:?}, next point {next:?} of {cells:?}, velocity {velocity:?}, {:?}, {:?}, put {}: {news:?}",
        agent.life, agent.gap, agent.is_put
    );
}
