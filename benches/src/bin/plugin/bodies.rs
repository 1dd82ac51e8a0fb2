//! Bodies, which do not share cells.

use bevy_ecs::{entity::Entity, query::With, resource::Resource};
use bevy_tilepath::{Body, Cell, NavGrid, PathAgent, PathGoal, PathRequest};
use testkit::{Seed, TileMap};

use crate::{
    apps::{Stage, app, send_on_by, spawn_agent, spawn_map},
    scenes::{GOALS, Scene, answer_all, connected_pairs, walkers, watched},
};

/// The distance from one of the [`GOALS`] at which an order ends, in cells.
const NEAR: f32 = 4.0;

pub(crate) fn scenes() -> Vec<Scene> {
    let mut scenes = Vec::new();
    for count in [1000, 5000, 10_000] {
        for (kind, is_body) in [("bodies", true), ("walkers", false)] {
            let name = format!("{count} {kind} between 16 goals on 256 x 256");
            scenes.push(watched(&name, move || between_goals(count, is_body)));
        }
    }
    scenes.push(watched("1000 bodies with goals of their own, 50 edits a second", || {
        let mut stage = walkers(1000, 50, &[]);
        let world = stage.app.world_mut();
        let agents: Vec<Entity> = world.query_filtered::<Entity, With<PathAgent>>().iter(world).collect();
        for agent in agents {
            world.entity_mut(agent).insert(Body::default());
        }
        stage
    }));
    scenes
}

/// The goals, and the number of orders until now.
#[derive(Resource)]
struct Squares {
    cells: Vec<Cell>,
    orders: usize,
}

impl Squares {
    fn next(&mut self) -> PathRequest {
        // Not in turns: all units would go the same round.
        let turn = self.orders.wrapping_mul(0x9e37_79b9) >> 7;
        self.orders += 1;
        PathRequest::to(PathGoal::within(self.cells[turn % self.cells.len()], NEAR))
    }
}

/// Builds a scene of agents that go from goal to goal without end. A tenth of the cells are walls.
fn between_goals(count: usize, is_body: bool) -> Stage {
    let mut app = app();
    let tiles: TileMap = testkit::cluttered(256, 256, 10, &Seed::named("crowd"));
    let map = spawn_map(&mut app, &tiles);
    let hub = connected_pairs(&mut app, map, &tiles, GOALS);
    let grid = app.world().get::<NavGrid>(map).expect("the map stays");
    let field = grid.finder().field(&[hub[0].0]).expect("the cell is on the map");
    let open: Vec<Cell> =
        grid.finder().grid().bounds().cells().filter(|&cell| field.cost(cell).is_some()).collect();
    let starts = Seed::named("starts").shuffled(&open);
    app.insert_resource(Squares { cells: hub.iter().map(|&(_, to)| to).collect(), orders: 0 });
    send_on_by(&mut app, |world| world.resource_mut::<Squares>().next());
    for &cell in starts.iter().take(count) {
        let agent = spawn_agent(&mut app, cell);
        let order = app.world_mut().resource_mut::<Squares>().next();
        app.world_mut().entity_mut(agent).insert(order);
        if is_body {
            app.world_mut().entity_mut(agent).insert(Body::default());
        }
    }
    answer_all(&mut app);
    Stage::left_alone(app)
}
