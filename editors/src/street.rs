//! A street in which a physics engine moves the units.
//!
//! The plugin writes the velocity that each unit wants. Avian moves the units, and the boxes between
//! them.

use avian2d::prelude::*;
use bevy::{prelude::*, time::TimeUpdateStrategy, transform::TransformPlugin};
use bevy_tilepath::{
    agents::{Drive, PathLine, Speed},
    events::{Replanned, Stuck},
    prelude::*,
    tilepath::{Grid, format::parse_ascii},
};

/// The width of a cell.
pub const CELL: f32 = 16.0;

/// The radius of a unit.
pub const RADIUS: f32 = 0.3 * CELL;

/// The map: houses on both sides of the street, and a well in the middle.
const PICTURE: &str = "
    ##################################################
    #......########..########..#####.................#
    #......########..########..#####.................#
    #......########..########..#####.................#
    #......########..########..#####.................#
    #......########..########..#####.................#
    #......########............#####.................#
    #................................................#
    #................................................#
    #...............##...............................#
    #...............##...............................#
    #................................................#
    #................................................#
    #......#####..##########..######.................#
    #......#####..##########..######.................#
    #......#####..##########..######.................#
    #......#####..##########..######.................#
    #......#####..##########..######.................#
    #......#####..##########..######.................#
    ##################################################
";

/// The lowest and the highest centre of a cart between the houses, in cells.
const LANE: (f32, f32) = (7.7, 12.3);

/// The lanes of the carts, in cells, and their speed in cells per second.
const CARTS: [(f32, f32); 4] = [(10.5, 2.0), (14.5, -3.0), (20.5, 2.5), (29.5, -2.0)];

/// The ticks for which a cart pushes what holds it, before it turns.
const PATIENCE: u32 = 16;

/// The places of the boxes, in cells.
const BOXES: [(f32, f32); 8] = [
    (8.5, 9.5),
    (9.0, 11.5),
    (12.5, 8.5),
    (13.0, 10.5),
    (18.5, 11.0),
    (23.5, 9.0),
    (25.5, 12.0),
    (27.5, 10.0),
];

/// A box that goes to and fro across the street.
#[derive(Component, Debug, Clone, Copy)]
pub struct Cart {
    /// The velocity along y.
    pub velocity: f32,
    /// The number of ticks for which something has held it.
    pub held: u32,
}

/// A box that units push aside.
#[derive(Component, Debug, Clone, Copy)]
pub struct Crate;

/// The number of events so far.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Units that have arrived.
    pub arrived: usize,
    /// New paths of units that were pushed off their paths.
    pub replanned: usize,
    /// Units that made no progress for a second.
    pub stuck: usize,
    /// Orders that have failed.
    pub failed: usize,
}

/// The change of its velocity that a unit can make in a second. With infinity it always has the
/// velocity that it wants, so that nothing can throw it.
#[derive(Resource, Debug, Clone, Copy)]
pub struct Grip(pub f32);

impl Default for Grip {
    fn default() -> Self {
        Self(40.0 * CELL)
    }
}

/// A blow that throws everything away from its centre.
#[derive(Debug, Clone, Copy)]
pub struct Explosion {
    /// Its centre.
    pub centre: Vec2,
    /// The distance up to which it is felt.
    pub reach: f32,
    /// The velocity that it gives to a unit at its centre. Farther off it gives less.
    pub speed: f32,
}

/// Makes an app with the street, its carts and its boxes. Each update is one fixed step.
///
/// # Errors
/// If the picture is not a map.
pub fn street() -> Result<App> {
    let mut app = walled(PICTURE)?;
    for (x, velocity) in CARTS {
        // It stays in its lane, however many units lean on it.
        let lane = LockedAxes::ROTATION_LOCKED.lock_translation_x();
        let cart = (Cart { velocity: velocity * CELL, held: 0 }, lane, ColliderDensity(4.0));
        app.world_mut().spawn((cart, square(1.2), at(x, 10.0)));
    }
    for (x, y) in BOXES {
        app.world_mut().spawn((Crate, square(0.8), at(x, y), LinearDamping(3.0), AngularDamping(3.0)));
    }
    Ok(app)
}

/// Makes an app with the map in the picture, and walls on its closed cells. Each update is one fixed
/// step.
///
/// # Errors
/// If the picture is not a map.
pub fn walled(picture: &str) -> Result<App> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()))
        .add_plugins(PhysicsPlugins::default().with_length_unit(CELL))
        .insert_resource(Gravity(Vec2::ZERO))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Tally>()
        .init_resource::<Grip>()
        // Avian takes its step in `FixedPostUpdate`, after all systems here.
        .add_systems(FixedUpdate, (walk.after(TilepathSystems::Follow), drive_carts))
        .add_observer(|_: On<Arrived>, mut tally: ResMut<Tally>| tally.arrived += 1)
        .add_observer(|_: On<Replanned>, mut tally: ResMut<Tally>| tally.replanned += 1)
        .add_observer(|_: On<Stuck>, mut tally: ResMut<Tally>| tally.stuck += 1)
        .add_observer(|_: On<PathFailed>, mut tally: ResMut<Tally>| tally.failed += 1)
        .add_observer(|_: On<PathLost>, mut tally: ResMut<Tally>| tally.failed += 1);
    let grid = parse_ascii(picture)?;
    for house in houses(&grid) {
        let place = Transform::from_translation(house.center().extend(0.0));
        app.world_mut().spawn((RigidBody::Static, Collider::rectangle(house.width(), house.height()), place));
    }
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    app.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection));
    // Avian inserts some of its resources when the app is complete.
    app.finish();
    app.cleanup();
    app.update(); // the first update has no step
    Ok(app)
}

/// Returns the components of a box with sides of this many cells.
fn square(side: f32) -> impl Bundle {
    (RigidBody::Dynamic, Collider::rectangle(side * CELL, side * CELL))
}

/// Returns the place at these coordinates, in cells.
fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x * CELL, y * CELL, 0.0)
}

/// Returns rectangles that cover the closed cells of the map, in the world. They do not overlap.
fn houses(grid: &Grid) -> Vec<Rect> {
    let mut houses: Vec<IRect> = vec![];
    let bounds = grid.bounds();
    let is_wall = |x, y| grid.terrain(Cell::new(x, y)) == Some(0);
    let right = bounds.origin().x + bounds.width() as i32;
    for y in (bounds.origin().y..).take(bounds.height() as usize) {
        let mut x = bounds.origin().x;
        while x < right {
            let end = (x..right).find(|&x| !is_wall(x, y)).unwrap_or(right);
            // If the row below has a wall of this width here, both belong to one house.
            match houses.iter_mut().find(|house| (house.min.x, house.max) == (x, IVec2::new(end, y))) {
                Some(house) => house.max.y += 1,
                None if end > x => houses.push(IRect::new(x, y, end, y + 1)),
                None => {}
            }
            x = end.max(x + 1);
        }
    }
    houses
        .iter()
        .map(|house| Rect::from_corners(house.min.as_vec2() * CELL, house.max.as_vec2() * CELL))
        .collect()
}

/// Spawns a unit, and sends it to a cell. The place is in cells.
pub fn spawn_unit(world: &mut World, place: Vec2, to: Cell, cells_per_second: f32) -> Entity {
    let agent = PathAgent {
        speed: Speed::Cells(cells_per_second),
        line: PathLine::Straight,
        drive: Drive::Velocity,
        ..default()
    };
    // Without friction: two units that meet head on would hold each other for ever.
    let smooth = Friction::new(0.0).with_combine_rule(CoefficientCombine::Min);
    let body = (RigidBody::Dynamic, Collider::circle(RADIUS), LockedAxes::ROTATION_LOCKED, smooth);
    world.spawn((agent, body, at(place.x, place.y), PathRequest::to_cell(to))).id()
}

/// Lets each unit gain the velocity that it wants. It cannot do so at once: a unit that was shoved
/// slides for a while.
fn walk(mut units: Query<(&Motion, &mut LinearVelocity)>, grip: Res<Grip>, time: Res<Time>) {
    for (motion, mut velocity) in &mut units {
        let change = (motion.velocity - velocity.0).clamp_length_max(grip.0 * time.delta_secs());
        if change != Vec2::ZERO {
            velocity.0 += change;
        }
    }
}

/// Keeps the speed of each cart. Turns it at the houses, and where it is held: otherwise it would
/// press units against a house for ever.
fn drive_carts(mut carts: Query<(&Transform, &mut Cart, &mut LinearVelocity)>) {
    for (place, mut cart, mut velocity) in &mut carts {
        let y = place.translation.y / CELL;
        let is_held = velocity.y * cart.velocity.signum() < 0.5 * cart.velocity.abs();
        cart.held = if is_held { cart.held + 1 } else { 0 };
        if cart.held > PATIENCE {
            (cart.velocity, cart.held) = (-cart.velocity, 0);
        } else if y <= LANE.0 {
            cart.velocity = cart.velocity.abs();
        } else if y >= LANE.1 {
            cart.velocity = -cart.velocity.abs();
        }
        velocity.0 = Vec2::new(0.0, cart.velocity);
    }
}

/// Throws all units and boxes near a place away from it. Returns the units.
#[must_use]
pub fn explode(
    In(explosion): In<Explosion>,
    mut things: Query<(Entity, &RigidBody, &Transform, &mut LinearVelocity, Has<PathAgent>)>,
) -> Vec<Entity> {
    let mut shoved = vec![];
    for (entity, body, place, mut velocity, is_unit) in &mut things {
        let away = place.translation.truncate() - explosion.centre;
        if body.is_dynamic() && away.length() < explosion.reach {
            velocity.0 +=
                away.normalize_or_zero() * explosion.speed * (1.0 - away.length() / explosion.reach);
            if is_unit {
                shoved.push(entity);
            }
        }
    }
    shoved
}

/// Returns the units whose centre is in a wall, or off the map.
#[must_use]
pub fn units_in_walls(
    map: Single<(&NavGrid, &NavProjection)>,
    units: Query<(Entity, &Transform), With<PathAgent>>,
) -> Vec<Entity> {
    let (grid, projection) = *map;
    let is_open = |place: &Transform| {
        let cell = projection.cell_at_world(place.translation.truncate());
        cell.and_then(|cell| grid.terrain(cell)).is_some_and(|class| class > 0)
    };
    units.iter().filter(|(_, place)| !is_open(place)).map(|(unit, _)| unit).collect()
}
