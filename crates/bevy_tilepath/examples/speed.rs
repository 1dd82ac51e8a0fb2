//! Two carts on a road with mud: one slows down on mud, one does not.
//!
//! Both know their travel time in advance.
//!
//! `cargo run --example speed`
//!
//! Guide: `docs/guide/src/02-terrain-and-movements.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    agents::{Speed, TerrainSpeed},
    prelude::*,
    tilepath::format::{LetterClasses, parse_ascii_with},
};

const ROAD: u8 = 1;
const MUD: u8 = 2;

/// `=` is road, `~` mud.
const LEVEL: &str = "
    ===~~===
    ########
";

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let letters = LetterClasses::ascii().with('=', ROAD).with('~', MUD);
    // Mud costs four times as much as road, so the first cart needs four times as long for it.
    let costs = CostTable::impassable().with(ROAD, 1).with(MUD, 4);
    app.world_mut().spawn((
        NavMap { costs, ..default() },
        NavGrid::new(parse_ascii_with(LEVEL, &letters)?),
        NavProjection::square(Vec2::splat(16.0), Vec2::ZERO),
    ));
    let mut cart = |terrain_speed| {
        // Cells per second. A plain number would be world units per second.
        let agent = PathAgent { speed: Speed::Cells(4.0), terrain_speed, ..default() };
        app.world_mut().spawn((agent, Transform::from_xyz(0.0, 16.0, 0.0), PathRequest::to_cell((7, 1)))).id()
    };
    let carts = [cart(TerrainSpeed::Constant), cart(TerrainSpeed::ByCost)];
    app.update();

    let mut arrivals = [0.0; 2];
    let mut foreseen = [0.0; 2];
    for tick in 0_u32.. {
        app.update();
        let mut is_over = true;
        for (n, &cart) in carts.iter().enumerate() {
            let cart = app.world().entity(cart);
            let (agent, path) = cart.get_components::<(&PathAgent, &AgentPath)>()?;
            if tick == 0 {
                foreseen[n] = path.seconds_left(agent) + 1.0 / 64.0;
            }
            if cart.contains::<PathRequest>() {
                arrivals[n] = f64::from(tick + 2) / 64.0;
                is_over = false;
            }
        }
        if is_over {
            break;
        }
    }
    println!("Seconds: forecast {foreseen:.2?}, taken {arrivals:.2?}.");
    // Seven steps at four a second. Two of them are into mud.
    assert!((foreseen[0] - 7.0 / 4.0).abs() < 1e-3);
    assert!((foreseen[1] - (5.0 + 2.0 * 4.0) / 4.0).abs() < 1e-3);
    for n in 0..2 {
        assert!((arrivals[n] - foreseen[n]).abs() < 0.05, "the forecast is right");
    }
    Ok(())
}
