//! Reachable places: a flood of all maps through all doors, by the rules in words.

use std::collections::BTreeSet;

use bevy_ecs::{
    entity::{Entity, EntityHashMap},
    world::World,
};
use bevy_tilepath::{
    Cell, Diagonals, NavGraph,
    doors::{Door, DoorEnd},
    tilepath::Topology,
};
use rustc_hash::FxHashSet;

use super::line;
use crate::{
    crew::Spot,
    level::Level,
    places::{self, Ground},
};

/// All places that a unit can reach from a cell.
pub(crate) struct Reach<'w> {
    world: &'w World,
    unit: Entity,
    /// The maps that the flood reached, with the unit's rules on them.
    grounds: EntityHashMap<Option<Ground<'w>>>,
    /// The start. A large unit can walk off closed cells that are under it there.
    start: (Entity, Cell),
    /// The closed cells over which a unit deep in closed ground leaves it. Each of them has one exit.
    chain: Vec<Cell>,
    cells: EntityHashMap<FxHashSet<Cell>>,
    waypoints: BTreeSet<(Entity, String)>,
    to_visit: Vec<Node>,
}

#[derive(Clone)]
enum Node {
    Cell(Entity, Cell),
    Waypoint(Entity, String),
}

impl<'w> Reach<'w> {
    pub(crate) fn from(world: &'w World, level: &Level, unit: Entity, map: Entity, start: Cell) -> Self {
        let all_ways = level.doors.iter().flat_map(|&door| ways(world, door));
        let ways: Vec<(Node, Node)> = all_ways.filter(|(_, to)| to.is_open(world, unit)).collect();
        let mut reach = Self {
            world,
            unit,
            grounds: EntityHashMap::default(),
            start: (map, start),
            chain: Vec::new(),
            cells: EntityHashMap::default(),
            waypoints: BTreeSet::new(),
            to_visit: Vec::new(),
        };
        let left = reach.ground(map).map(|ground| ground.way_out(start)).unwrap_or_default();
        if left.len() > 1 {
            reach.chain = left;
        }
        for cell in [start].into_iter().chain(reach.chain.clone()) {
            reach.visit(Node::Cell(map, cell));
        }
        while let Some(node) = reach.to_visit.pop() {
            match &node {
                Node::Cell(map, cell) => reach.step(*map, *cell),
                Node::Waypoint(graph, id) => reach.walk(*graph, id),
            }
            for (from, to) in &ways {
                if from.is(&node) {
                    reach.visit(to.clone());
                }
            }
        }
        reach
    }

    /// Returns whether any cell or waypoint of the place can be reached.
    pub(crate) fn contains(&self, spot: &Spot) -> bool {
        match spot {
            Spot::Cells(map, cells) => {
                !cells.is_empty()
                    && self
                        .cells
                        .get(map)
                        .is_some_and(|reached| cells.iter().all(|cell| reached.contains(cell)))
            }
            Spot::Waypoint(graph, id) => self.waypoints.contains(&(*graph, id.clone())),
            // A position at a waypoint, rounded, means that waypoint. Only the plugin has the exact
            // rounding.
            Spot::Beside(graph) => self.world.get::<NavGraph>(*graph).is_some_and(|waypoints| {
                let mut waypoints = waypoints.graph().waypoints().peekable();
                waypoints.peek().is_some()
                    && waypoints.all(|waypoint| self.waypoints.contains(&(*graph, waypoint.id.to_owned())))
            }),
        }
    }

    fn ground(&mut self, map: Entity) -> Option<Ground<'w>> {
        let (world, unit) = (self.world, self.unit);
        *self.grounds.entry(map).or_insert_with(|| Ground::of(world, map, Some(unit)))
    }

    fn visit(&mut self, node: Node) {
        let is_new = match &node {
            Node::Cell(map, cell) => {
                // A unit may leave a void cell.
                let is_start = (*map, *cell) == self.start;
                let is_there = self.ground(*map).is_some_and(|ground| {
                    ground.contains(*cell) || is_start && ground.grid.bounds().contains(*cell)
                });
                is_there && self.cells.entry(*map).or_default().insert(*cell)
            }
            Node::Waypoint(graph, id) => {
                let is_there =
                    self.world.get::<NavGraph>(*graph).is_some_and(|graph| graph.graph().contains(id));
                is_there && self.waypoints.insert((*graph, id.clone()))
            }
        };
        if is_new {
            self.to_visit.push(node);
        }
    }

    /// Returns whether a unit at an anchor still covers cells that were under it at the start, and
    /// all its other cells are open.
    fn is_leaving(&self, ground: &Ground, map: Entity, anchor: Cell) -> bool {
        let under: Vec<Cell> = places::footprint(self.start.1, ground.side()).collect();
        let mut cells = places::footprint(anchor, ground.side());
        ground.side() > 1
            && map == self.start.0
            && ground.is_within(anchor)
            && cells.all(|cell| ground.is_open(cell) || under.contains(&cell))
    }

    /// Returns whether the exits let the unit step to the next anchor. A large unit may walk off the
    /// closed ground under its start. From the chain out of closed ground only its own step leads on.
    fn has_exits(&self, ground: &Ground, map: Entity, [from, to]: [Cell; 2]) -> bool {
        let is_on_chain = map == self.start.0 && self.chain.contains(&from);
        if ground.side() == 1 && !is_on_chain {
            return ground.lets_pass([from, to]);
        }
        let start = if map == self.start.0 { self.start.1 } else { from };
        ground.lets_pass_since(start, [from, to])
    }

    /// Steps from a cell to its neighbours. Walls and cells off the map are not entered, and
    /// corners are passed by the rule. A cell is the lowest, leftmost cell of the unit, and counts
    /// as a wall if one of the unit's cells is a wall.
    fn step(&mut self, map: Entity, cell: Cell) {
        let Some(ground) = self.ground(map) else { return };
        let is_wall = |x: i32, y: i32| !ground.has_room_at(Cell::new(x, y));
        let leaves = (map, cell) == self.start || !ground.has_room_at(cell);
        if ground.shape() == Topology::Hexagonal {
            for (dx, dy) in [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)] {
                let next = cell + (dx, dy);
                if ground.is_open(next) && self.has_exits(&ground, map, [cell, next]) {
                    self.visit(Node::Cell(map, next));
                }
            }
            return;
        }
        let rule = ground.diagonals().unwrap_or(Diagonals::Never);
        for y in cell.y - 1..=cell.y + 1 {
            for x in cell.x - 1..=cell.x + 1 {
                let is_straight = x == cell.x || y == cell.y;
                let beside = usize::from(is_wall(cell.x, y)) + usize::from(is_wall(x, cell.y));
                let next = Cell::new(x, y);
                let is_open = ground.has_room_at(next) || leaves && self.is_leaving(&ground, map, next);
                let is_allowed = is_open && (is_straight || line::allows(rule, beside));
                if next != cell && is_allowed && self.has_exits(&ground, map, [cell, next]) {
                    self.visit(Node::Cell(map, next));
                }
            }
        }
    }

    fn walk(&mut self, graph: Entity, id: &str) {
        let Some(waypoints) = self.world.get::<NavGraph>(graph) else { return };
        let Ok(edges) = waypoints.graph().edges_from(id) else { return };
        for edge in edges {
            self.visit(Node::Waypoint(graph, edge.to.id.to_owned()));
        }
    }
}

impl Node {
    /// Returns whether a door can lead to a place: never into a wall.
    fn is_open(&self, world: &World, unit: Entity) -> bool {
        match self {
            Self::Cell(map, cell) => {
                Ground::of(world, *map, Some(unit)).is_some_and(|ground| ground.has_room_at(*cell))
            }
            Self::Waypoint(..) => true,
        }
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Cell(map, cell), Self::Cell(other_map, other)) => map == other_map && cell == other,
            (Self::Waypoint(graph, id), Self::Waypoint(other_graph, other)) => {
                graph == other_graph && id == other
            }
            _ => false,
        }
    }
}

impl From<&DoorEnd> for Node {
    fn from(end: &DoorEnd) -> Self {
        match end {
            DoorEnd::Cell { map, cell } => Self::Cell(*map, *cell),
            DoorEnd::Waypoint { graph, id } => Self::Waypoint(*graph, id.to_string()),
            _ => panic!("an end of a kind that is not checked: {end:?}"),
        }
    }
}

/// Returns the connections through a door, if it is open.
fn ways(world: &World, door: Entity) -> Vec<(Node, Node)> {
    let Some(door) = world.get::<Door>(door) else { return Vec::new() };
    let (from, to) = (Node::from(&door.from), Node::from(&door.to));
    if !door.open || !door.cost.is_finite() || door.cost < 0.0 {
        Vec::new()
    } else if door.one_way {
        vec![(from, to)]
    } else {
        vec![(from.clone(), to.clone()), (to, from)]
    }
}
