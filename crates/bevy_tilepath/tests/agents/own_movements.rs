//! Movements of single units and orders. Equal ones are shared, and unused ones are removed.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Diagonals, Movement, NavGrid, PathAgent, PathRequest, PathStatus,
    entries_kept,
};

use super::movements::{FIVE, RIVER, cells, map_for_all, unit};
use crate::harness::*;

#[test]
fn own_movements_are_shared_and_given_back() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, RIVER);
    game.tick();
    let known = |game: &Game| game.world().get::<NavGrid>(map).unwrap().finder().movements().count();
    let named = known(&game);
    assert_eq!(named, 1 + FIVE.len());
    let own = || Movement::new().with_costs(CostTable::uniform()).with_diagonals(Diagonals::Never);
    let units: Vec<Entity> = (0..4).map(|x| unit(&mut game, x, 0, own())).collect();
    let guest = game.agent(0, 0, 160.0);
    let wish = Movement::new().with_costs(CostTable::uniform().with(0, 9));
    let request = PathRequest::to_cell((5, 2)).with_movement(wish);
    game.world_mut().entity_mut(guest).insert(request);
    for &who in &units {
        game.order_to(who, 3, 5);
    }
    game.tick();
    assert_eq!(known(&game), named + 2);
    assert_eq!(cells(&game, units[0]).len(), 9, "no diagonals, and water costs no more");
    assert_eq!(game.cell_path(guest).goal(), Cell::new(5, 2), "the guest's own movement leads into a wall");
    game.run_until_quiet(300);
    game.tick();
    assert_eq!(known(&game), named + 1, "the guest's order is over");
    for who in units {
        game.world_mut().despawn(who);
    }
    game.world_mut().despawn(guest);
    game.tick();
    assert_eq!(known(&game), named);
    game.world_mut().despawn(map);
    game.tick();
    assert_eq!(entries_kept(game.world()), 0);
}

#[test]
fn thousand_own_movements_come_and_go() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, "....\n....");
    for round in 0..5_u16 {
        let units: Vec<Entity> = (0..200)
            .map(|n| {
                let own = Movement::new().with_costs(CostTable::uniform().with(9, 1 + n + 200 * round));
                unit(&mut game, 0, 0, own)
            })
            .collect();
        for &who in &units {
            game.order_to(who, 3, 1);
        }
        game.run_until_quiet(100);
        assert!(units.iter().all(|&who| game.status(who) == PathStatus::Arrived));
        for who in units {
            game.world_mut().despawn(who);
        }
    }
    game.tick();
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().finder().movements().count(), 1 + FIVE.len());
}

#[test]
fn movement_given_between_the_steps_of_a_tick_is_known_at_once() {
    use bevy_tilepath::TilepathSystems::{AcceptRequests, Follow, Publish, Search, SyncMaps};
    #[derive(Resource)]
    struct Gift(Entity, u16);
    fn give(mut gift: ResMut<Gift>, mut commands: Commands) {
        gift.1 += 1;
        let own = Movement::new().with_costs(CostTable::uniform().with(7, gift.1));
        commands.entity(gift.0).insert(AgentMovement::from(own));
    }
    for moment in 0..5 {
        let mut game = Game::new();
        map_for_all(&mut game, "..........");
        let soldier = game.agent(0, 0, 160.0);
        game.insert_resource(Gift(soldier, 0));
        match moment {
            0 => game.add_systems(FixedUpdate, give.before(SyncMaps)),
            1 => game.add_systems(FixedUpdate, give.after(SyncMaps).before(AcceptRequests)),
            2 => game.add_systems(FixedUpdate, give.after(AcceptRequests).before(Search)),
            3 => game.add_systems(FixedUpdate, give.after(Search).before(Publish)),
            _ => game.add_systems(FixedUpdate, give.after(Publish).before(Follow)),
        };
        game.order_to(soldier, 9, 0);
        game.run_until_quiet(400);
        assert_eq!(game.status(soldier), PathStatus::Arrived, "{moment}");
    }
}

#[test]
fn disabled_and_cloned_units_keep_theirs() {
    use bevy::ecs::entity_disabling::Disabled;
    let mut game = Game::new();
    map_for_all(&mut game, "..........\n.########.\n..........");
    let own = Movement::new().with_costs(CostTable::uniform().with(0, 1));
    let soldier = unit(&mut game, 4, 0, own);
    game.world_mut().entity_mut(soldier).insert(Disabled);
    game.ticks(3);
    game.world_mut().entity_mut(soldier).remove::<Disabled>();
    let twin = game.world_mut().entity_mut(soldier).clone_and_spawn();
    for who in [soldier, twin] {
        game.order_to(who, 4, 2);
    }
    game.tick();
    for who in [soldier, twin] {
        assert_eq!(cells(&game, who).len(), 3);
    }
    game.world_mut().entity_mut(twin).remove::<PathAgent>();
    game.world_mut().despawn(soldier);
    game.tick();
}
