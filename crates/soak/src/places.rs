//! Positions of entities, by their transforms alone.

use bevy_ecs::{entity::Entity, hierarchy::ChildOf, world::World};
use bevy_math::{Affine2, EulerRot, Mat2, Vec2, Vec3Swizzles};
use bevy_tilepath::{
    AgentMovement, Cell, Diagonals, Movement, NavGrid, NavProjection,
    tilepath::{CostTable, Size, Topology},
};
use bevy_transform::components::Transform;

/// The side of a wagon, in cells.
const WAGON: u8 = 2;

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
        self.grid.terrain(cell).is_some_and(|class| self.enters(class))
    }

    /// Returns the side of the unit, in cells.
    pub(crate) fn side(&self) -> i32 {
        self.rules.map_or(1, |rules| rules.size().side().into())
    }

    /// Returns whether the whole unit can stand at an anchor, its lowest, leftmost cell.
    pub(crate) fn has_room_at(&self, anchor: Cell) -> bool {
        footprint(anchor, self.side()).all(|cell| self.is_open(cell))
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

    /// Returns whether cells of a class can be entered.
    pub(crate) fn enters(&self, class: u8) -> bool {
        self.rules.is_some_and(|rules| rules.costs().is_passable(class))
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

/// Returns the movements that maps define. Classes are 0 to 4. On hexagons units have one cell, so
/// the second movement is a cart that avoids expensive ground.
pub(crate) fn movements(shape: Topology) -> [(&'static str, Movement); 5] {
    let boat = CostTable::impassable().with(3, 1).with(4, 2);
    let cart = Movement::new().with_diagonals(Diagonals::Never).with_costs(CostTable::identity().with(2, 7));
    let flier = (0..5).fold(CostTable::impassable(), |costs, class| costs.with(class, 1));
    [
        ("infantry", Movement::new()),
        match shape {
            // The checks look at all cells that a square sweeps past a corner. This would be too
            // strict for rules that let it touch walls there.
            Topology::Square => ("wagon", Movement::new().with_size(Size::new(WAGON).expect("a small size"))),
            Topology::Hexagonal => ("cart", cart),
        },
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
