//! Positions of entities, by their transforms alone.

use bevy_ecs::{entity::Entity, hierarchy::ChildOf, world::World};
use bevy_math::{Affine2, EulerRot, Mat2, Vec2, Vec3Swizzles};
use bevy_tilepath::{
    AgentMovement, Cell, Diagonals, Movement, NavGrid, NavProjection,
    tilepath::{CostTable, Direction, Grid, Size, Topology},
};
use bevy_transform::components::Transform;

/// The side of a wagon, in cells.
const WAGON: u8 = 2;
/// The highest terrain class of a map.
pub(crate) const MAX_CLASS: u8 = 12;
/// The most closed cells over which a unit leaves closed ground.
const MOST_CLOSED_CELLS: usize = 16;
/// The overlay that areas write.
pub(crate) const DANGER: &str = "danger";
/// The overlay that deeds write cell by cell.
pub(crate) const SMOKE: &str = "smoke";

/// Returns the transform from the entity's space to the world.
pub(crate) fn world_from(world: &World, entity: Entity) -> Affine2 {
    let own = |entity| {
        let at = world.get::<Transform>(entity).copied().unwrap_or_default();
        let (_, _, angle) = at.rotation.to_euler(EulerRot::XYZ);
        Affine2::from_scale_angle_translation(at.scale.xy(), angle, at.translation.xy())
    };
    let (mut at, mut place) = (entity, own(entity));
    while let Some(parent) = world.get::<ChildOf>(at) {
        at = parent.parent();
        place = own(at) * place;
    }
    place
}

/// Returns the position of an entity in the world.
pub(crate) fn position(world: &World, entity: Entity) -> Vec2 {
    world_from(world, entity).translation
}

/// Puts an entity at a world position, below any parent.
pub(crate) fn put(world: &mut World, entity: Entity, position: Vec2) {
    let parent = world.get::<ChildOf>(entity).map(ChildOf::parent);
    let local = match parent {
        Some(parent) => world_from(world, parent).inverse().transform_point2(position),
        None => position,
    };
    if let Some(mut transform) = world.get_mut::<Transform>(entity) {
        transform.translation = local.extend(transform.translation.z);
    }
}

/// Returns a position on a tile map, in cells. The centre of cell (x, y) lies half a cell beyond
/// (x, y). A cell that is not a hexagon reaches from (x, y) to (x + 1, y + 1).
pub(crate) fn units(world: &World, map: Entity, position: Vec2) -> Option<Vec2> {
    let projection = world.get::<NavProjection>(map)?;
    let local = world_from(world, map).inverse().transform_point2(position);
    let [first, east, north] = [(0, 0), (1, 0), (0, 1)].map(|cell| projection.position_of(Cell::from(cell)));
    let axes = Mat2::from_cols(east - first, north - first);
    Some(axes.inverse() * (local - first) + 0.5)
}

/// Returns the centre of a cell in the world, by the current transforms.
pub(crate) fn centre(world: &World, map: Entity, cell: Cell) -> Option<Vec2> {
    let projection = world.get::<NavProjection>(map)?;
    Some(world_from(world, map).transform_point2(projection.position_of(cell)))
}

/// Returns the world position of a unit by its lowest, leftmost cell: the middle of its `side` ×
/// `side` cells.
pub(crate) fn place(world: &World, map: Entity, cell: Cell, side: i32) -> Option<Vec2> {
    let opposite = cell + (side - 1, side - 1);
    Some(centre(world, map, cell)?.midpoint(centre(world, map, opposite)?))
}

/// Returns the sides of a cell: each direction, with the distance of the side from the centre, in
/// cells.
pub(crate) fn sides(shape: Topology) -> &'static [(Vec2, f32)] {
    const SQUARE: [(Vec2, f32); 2] = [(Vec2::X, 0.5), (Vec2::Y, 0.5)];
    // The six neighbours of a hexagon are a step away along one axis, or along both axes in
    // opposite directions. A side lies half the way to each.
    const HEXAGON: [(Vec2, f32); 3] =
        [(Vec2::new(2.0, 1.0), 1.0), (Vec2::new(1.0, 2.0), 1.0), (Vec2::new(1.0, -1.0), 1.0)];
    match shape {
        Topology::Square => &SQUARE,
        Topology::Hexagonal => &HEXAGON,
    }
}

/// Returns all cells to which a point can belong: its own cell, and the cells with an edge within a
/// hair.
pub(crate) fn cells_around(shape: Topology, units: Vec2, hair: f32) -> impl Iterator<Item = Cell> {
    let (low, high) = ((units - hair).floor(), (units + hair).floor());
    // The corners of hexagons reach into the squares beside them.
    let more = i32::from(shape == Topology::Hexagonal);
    (low.y as i32 - more..=high.y as i32 + more)
        .flat_map(move |y| (low.x as i32 - more..=high.x as i32 + more).map(move |x| Cell::new(x, y)))
        .filter(move |&cell| {
            let off = units - 0.5 - Vec2::new(cell.x as f32, cell.y as f32);
            let reaches =
                |&(normal, width): &(Vec2, f32)| normal.dot(off).abs() <= width + hair * normal.length();
            shape == Topology::Square || sides(shape).iter().all(reaches)
        })
}

/// A map with the rules of a unit, or with the map's own rules.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'w> {
    pub(crate) grid: &'w NavGrid,
    rules: Option<&'w Movement>,
}

impl<'w> Ground<'w> {
    pub(crate) fn of(world: &'w World, map: Entity, unit: Option<Entity>) -> Option<Self> {
        let grid = world.get::<NavGrid>(map)?;
        let own = unit.and_then(|unit| world.get::<AgentMovement>(unit));
        let movement = own.map_or(Some(grid.movement()), |own| grid.movement_of(own));
        Some(Self { grid, rules: movement.and_then(|movement| grid.finder().movement(movement)) })
    }

    pub(crate) fn shape(&self) -> Topology {
        self.grid.grid().topology()
    }

    /// Returns whether the cell is on the map, and not void.
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.grid.grid().contains(cell)
    }

    /// Returns whether the cell is on the map and open.
    pub(crate) fn is_open(&self, cell: Cell) -> bool {
        self.is_open_in(self.grid.grid(), cell)
    }

    /// Returns whether the cell of an earlier grid was open: its class is passable, and no overlay
    /// closes it.
    pub(crate) fn is_open_in(&self, grid: &Grid, cell: Cell) -> bool {
        let closes = |name: &String| grid.overlay(name, cell) == Grid::CLOSING;
        self.rules.is_some_and(|rules| {
            grid.terrain(cell).is_some_and(|class| rules.costs().is_passable(class))
                && !rules.overlays().iter().any(closes)
        })
    }

    /// Returns whether the edge or corner to a cell beside this cell may be crossed, by the exits.
    pub(crate) fn has_exit(&self, from: Cell, to: Cell) -> bool {
        let exits = self.grid.grid().exits(from);
        Direction::between(from, to)
            .is_some_and(|direction| exits.is_none_or(|exits| exits.contains(direction)))
    }

    /// Returns the number of cells beside a diagonal step that are not free: they are closed, or
    /// an exit over them is closed.
    pub(crate) fn obstacles_beside(&self, [from, to]: [Cell; 2]) -> usize {
        let sides = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
        let is_free =
            |side: &&Cell| self.is_open(**side) && self.has_exit(from, **side) && self.has_exit(**side, to);
        sides.len() - sides.iter().filter(is_free).count()
    }

    /// Returns whether a diagonal step crosses the end of an edge that is closed in both
    /// directions.
    fn crosses_fence(&self, [from, to]: [Cell; 2]) -> bool {
        let [left, right] = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
        [(from, left), (from, right), (left, to), (right, to)]
            .iter()
            .any(|&(one, other)| !self.has_exit(one, other) && !self.has_exit(other, one))
    }

    /// Returns whether the core lets a unit that started on an anchor step to the next.
    pub(crate) fn lets_pass_since(&self, start: Cell, [from, to]: [Cell; 2]) -> bool {
        let direction = Direction::between(from, to);
        direction.zip(self.rules).is_some_and(|(direction, rules)| {
            rules.step_cost_since(self.grid.grid(), start, from, direction).is_some()
        })
    }

    /// Returns the closed anchors over which a unit leaves closed ground from an anchor. For a unit that
    /// began there, the core leaves one step at each of them, until it has room.
    pub(crate) fn way_out(&self, anchor: Cell) -> Vec<Cell> {
        let mut closed: Vec<Cell> = Vec::new();
        let mut here = anchor;
        while !self.has_room_at(here) && closed.len() < MOST_CLOSED_CELLS {
            closed.push(here);
            let next = |direction: Direction| {
                here.neighbour(direction).filter(|&next| self.lets_pass_since(anchor, [here, next]))
            };
            let mut steps = Direction::ALL.into_iter().filter_map(next);
            match (steps.next(), steps.next()) {
                (Some(only), None) if !closed.contains(&only) => here = only,
                _ => break,
            }
        }
        closed
    }

    /// Returns whether a unit may step from an anchor to the next, if it has room there. For a unit
    /// of one cell these are the rules in words. For a larger unit the core applies them.
    pub(crate) fn lets_pass(&self, [from, to]: [Cell; 2]) -> bool {
        let Some(rules) = self.rules else { return false };
        if rules.size().side() > 1 {
            return self.lets_pass_since(from, [from, to]);
        }
        let is_diagonal = self.shape() == Topology::Square && from.x != to.x && from.y != to.y;
        self.has_exit(from, to)
            && (!is_diagonal
                || match rules.diagonals() {
                    Diagonals::Never => false,
                    Diagonals::OnlyWhenNoObstacles => self.obstacles_beside([from, to]) == 0,
                    Diagonals::IfAtMostOneObstacle => self.obstacles_beside([from, to]) <= 1,
                    Diagonals::Always => !self.crosses_fence([from, to]),
                })
    }

    /// Returns the side of the unit, in cells.
    pub(crate) fn side(&self) -> i32 {
        self.rules.map_or(1, |rules| rules.size().side().into())
    }

    /// Returns whether the whole unit can stand at an anchor, its lowest, leftmost cell.
    pub(crate) fn has_room_at(&self, anchor: Cell) -> bool {
        let side = self.side();
        let is_open = footprint(anchor, side).all(|cell| self.is_open(cell));
        // No edge between two cells of a large unit may be closed in both directions.
        is_open && (side == 1 || self.rules.is_some_and(|rules| rules.is_open(self.grid.grid(), anchor)))
    }

    /// Returns whether all cells of the unit lie within the border of the map.
    pub(crate) fn is_within(&self, anchor: Cell) -> bool {
        let bounds = self.grid.bounds();
        footprint(anchor, self.side()).all(|cell| bounds.contains(cell))
    }

    /// Returns the anchors on which a unit at a point can count as standing, within a hair. The
    /// middle of their cells is the nearest to the point, on a map with room for the unit. Off the
    /// map it is the cell at the point.
    pub(crate) fn anchors_around(&self, units: Vec2, hair: f32) -> Vec<Cell> {
        let side = self.side();
        let bounds = self.grid.bounds();
        let under = cells_around(self.shape(), units, hair);
        if side == 1 {
            return under.collect();
        }
        let last = bounds.origin() + (bounds.width() as i32 - side, bounds.height() as i32 - side);
        let (off, on): (Vec<Cell>, Vec<Cell>) = under.partition(|&cell| !bounds.contains(cell));
        let mut anchors = off;
        if !on.is_empty() {
            let middle = units - (side - 1) as f32 / 2.0;
            let within = |cell: Cell| {
                Cell::new(
                    cell.x.min(last.x).max(bounds.origin().x),
                    cell.y.min(last.y).max(bounds.origin().y),
                )
            };
            anchors.extend(cells_around(Topology::Square, middle, hair).map(within));
        }
        anchors.sort_unstable();
        anchors.dedup();
        anchors
    }

    /// Returns the rule for diagonals, if the unit has rules.
    pub(crate) fn diagonals(&self) -> Option<Diagonals> {
        self.rules.map(Movement::diagonals)
    }
}

/// Returns the side of a unit on a map, in cells; 1 on a map without its movement.
pub(crate) fn side_of(world: &World, map: Entity, unit: Entity) -> i32 {
    Ground::of(world, map, Some(unit)).map_or(1, |ground| ground.side())
}

/// Returns the cells of a unit, by its lowest, leftmost cell and its side.
pub(crate) fn footprint(anchor: Cell, side: i32) -> impl Iterator<Item = Cell> {
    (0..side).flat_map(move |up| (0..side).map(move |right| anchor + (right, up)))
}

/// Returns the movements that maps define. The scout and the convoy pay overlays. Without `all`,
/// there is the scout alone. Classes are 0 to [`MAX_CLASS`]. On hexagons units have one cell, so
/// the large movements are carts that avoid expensive ground.
pub(crate) fn movements(shape: Topology, all: bool) -> Vec<(&'static str, Movement)> {
    let pays_overlays = |movement: Movement| movement.with_overlay(DANGER).with_overlay(SMOKE);
    let scout = ("scout", pays_overlays(Movement::new()));
    if !all {
        return vec![scout];
    }
    let boat = CostTable::impassable().with(3, 1).with(4, 2);
    let cart = Movement::new().with_diagonals(Diagonals::Never).with_costs(CostTable::identity().with(2, 7));
    let flier = (0..=MAX_CLASS).fold(CostTable::impassable(), |costs, class| costs.with(class, 1));
    // The checks look at all cells that a square sweeps past a corner. This would be too strict for
    // rules that let it touch walls there.
    let (name, large) = match shape {
        Topology::Square => ("wagon", Movement::new().with_size(Size::new(WAGON).expect("a small size"))),
        Topology::Hexagonal => ("cart", cart),
    };
    vec![
        scout,
        ("convoy", pays_overlays(large.clone())),
        (name, large),
        ("infantry", Movement::new()),
        ("boat", Movement::new().with_costs(boat)),
        ("flier", Movement::new().with_diagonals(Diagonals::Always).with_costs(flier)),
        (
            "ghost",
            Movement::new()
                .with_diagonals(Diagonals::IfAtMostOneObstacle)
                .with_costs(CostTable::identity().with(0, 3)),
        ),
    ]
}
