//! One map, five movements: on foot, by wagon, by boat, in the air, through walls.
//!
//! A wall for one unit is a road for another.
//!
//! `cargo run --example movements`
//!
//! Guide: `docs/guide/src/02-terrain-and-movements.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    events::Replanned,
    prelude::*,
    tilepath::{
        Size,
        format::{LetterClasses, parse_ascii_with, to_ascii},
    },
};

const ROCK: u8 = 0;
const GRASS: u8 = 1;
const WATER: u8 = 2;

/// `,` is grass, `~` water, `#` rock. A narrow ford and a broad one lead over the river.
const LEVEL: &str = "
    ,,,,,,,,,,,,,,
    ,,,,,,,,,,,,,,
    ~~~,~~~##~~,,~
    ~~~,~~~##~~,,~
    ,,,,,,,##,,,,,
    ,,,,,,,,,,,,,,
    ,,,,,,,,,,,,,,
";
const FORD: Cell = Cell::new(3, 3);

/// The movements of the map by name. Units use the names, so a game changes the costs of all units
/// in one place.
fn rules() -> Result<NavMap> {
    let land = CostTable::impassable().with(GRASS, 1);
    let air = CostTable::uniform().with(ROCK, 1);
    Ok(NavMap::default()
        .with_movement("foot", Movement::new().with_costs(land.clone()))
        .with_movement("wagon", Movement::new().with_costs(land).with_size(Size::new(2)?))
        .with_movement("boat", Movement::new().with_costs(CostTable::impassable().with(WATER, 1)))
        .with_movement("bird", Movement::new().with_costs(air.clone()))
        .with_movement("ghost", Movement::new().with_costs(air).with_diagonals(Diagonals::Always)))
}

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_observer(|replanned: On<Replanned>, names: Query<&Name>| {
            println!("{} takes another path.", names.get(replanned.entity).map_or("?", Name::as_str));
        });
    let letters = LetterClasses::ascii().with(',', GRASS).with('~', WATER);
    let grid = NavGrid::new(parse_ascii_with(LEVEL, &letters)?);
    let projection = NavProjection::square(Vec2::splat(16.0), Vec2::ZERO);
    let map = app.world_mut().spawn((rules()?, grid, projection)).id();

    let mut unit = |movement: &'static str, from: Vec2, to: (i32, i32)| {
        app.world_mut()
            .spawn((
                Name::new(movement),
                PathAgent::default(),
                AgentMovement::from(movement),
                Transform::from_translation((from * 16.0).extend(0.0)),
                PathRequest::to_cell(to),
            ))
            .id()
    };
    let foot = unit("foot", Vec2::new(2.0, 1.0), (2, 5));
    // A unit of two by two cells stands at the corner where its four cells meet.
    let wagon = unit("wagon", Vec2::new(2.5, 0.5), (2, 5));
    let boat = unit("boat", Vec2::new(4.0, 3.0), (6, 4));
    let bird = unit("bird", Vec2::new(7.0, 1.0), (7, 5));
    let ghost = unit("ghost", Vec2::new(8.0, 1.0), (8, 5));
    app.update(); // starts the clock
    app.update(); // answers the orders

    let way = |app: &App, unit: Entity| app.world().get::<AgentPath>(unit).and_then(AgentPath::path).cloned();
    for unit in [foot, wagon, boat, bird, ghost] {
        let path = way(&app, unit).ok_or("each has its own path")?;
        let grid = app.world().get::<NavGrid>(map).ok_or("the map is there")?.grid();
        println!(
            "{}, cost {}:\n{}\n",
            app.world().entity(unit).get::<Name>().ok_or("a name")?,
            path.cost(),
            to_ascii(grid, Some(&path))
        );
    }
    let uses_ford = |app: &App, unit| way(app, unit).is_some_and(|path| path.cells().contains(&FORD));
    assert!(uses_ford(&app, foot), "a unit on foot fits through");
    assert!(!uses_ford(&app, wagon), "a wagon does not");
    assert_eq!(way(&app, bird).map(|path| path.steps()), Some(4), "straight over the rock");

    // The ford is flooded. Only the unit on foot is affected, and it is planned again by itself.
    app.world_mut().get_mut::<NavGrid>(map).ok_or("the map is there")?.set_terrain(FORD, WATER)?;
    app.update();
    assert!(!uses_ford(&app, foot));

    // The unit on foot finds wings.
    app.world_mut().entity_mut(foot).insert(AgentMovement::from("bird"));
    app.update();
    assert!(way(&app, foot).is_some_and(|path| path.steps() <= 4));

    let mut orders = app.world_mut().query::<&PathRequest>();
    while orders.iter(app.world()).count() > 0 {
        app.update();
    }
    let mut states = app.world_mut().query::<&PathStatus>();
    assert!(states.iter(app.world()).all(|status| *status == PathStatus::Arrived));
    println!("All have arrived.");
    Ok(())
}
