//! Movements that units and orders have of their own: shared, given back, known wherever they are given.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Diagonals, Movement, NavGrid, PathAgent, PathRequest, PathStatus,
    entries_kept,
};

use super::{
    fixtures::*,
    movements::{FIVE, RIVER, cells, map_for_all, unit},
};
use crate::harness::tick;

#[test]
fn own_movements_are_shared_and_given_back() {
    let mut app = app();
    let map = map_for_all(&mut app, RIVER);
    tick(&mut app);
    let known = |app: &App| app.world().get::<NavGrid>(map).unwrap().finder().movements().count();
    let named = known(&app);
    assert_eq!(named, 1 + FIVE.len());
    let own = || Movement::new().with_costs(CostTable::uniform()).with_diagonals(Diagonals::Never);
    let units: Vec<Entity> = (0..4).map(|x| unit(&mut app, x, 0, own())).collect();
    let guest = agent(&mut app, 0, 0, 160.0);
    let wish = Movement::new().with_costs(CostTable::uniform().with(0, 9));
    let request = PathRequest::to_cell((5, 2)).with_movement(wish);
    app.world_mut().entity_mut(guest).insert(request);
    for &who in &units {
        order(&mut app, who, 3, 5);
    }
    tick(&mut app);
    assert_eq!(known(&app), named + 2);
    assert_eq!(cells(&app, units[0]).len(), 9, "no diagonals, and water costs no more");
    assert_eq!(cell_path(&app, guest).goal(), Cell::new(5, 2), "into a wall, as it wished");
    run_until_quiet(&mut app, 300);
    tick(&mut app);
    assert_eq!(known(&app), named + 1, "the guest's order is over");
    for who in units {
        app.world_mut().despawn(who);
    }
    app.world_mut().despawn(guest);
    tick(&mut app);
    assert_eq!(known(&app), named);
    app.world_mut().despawn(map);
    tick(&mut app);
    assert_eq!(entries_kept(app.world()), 0);
}

#[test]
fn thousand_own_movements_come_and_go() {
    let mut app = app();
    let map = map_for_all(&mut app, "....\n....");
    for round in 0..5_u16 {
        let units: Vec<Entity> = (0..200)
            .map(|n| {
                let own = Movement::new().with_costs(CostTable::uniform().with(9, 1 + n + 200 * round));
                unit(&mut app, 0, 0, own)
            })
            .collect();
        for &who in &units {
            order(&mut app, who, 3, 1);
        }
        run_until_quiet(&mut app, 100);
        assert!(units.iter().all(|&who| status(&app, who) == PathStatus::Arrived));
        for who in units {
            app.world_mut().despawn(who);
        }
    }
    tick(&mut app);
    assert_eq!(app.world().get::<NavGrid>(map).unwrap().finder().movements().count(), 1 + FIVE.len());
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
        let mut app = app();
        map_for_all(&mut app, "..........");
        let soldier = agent(&mut app, 0, 0, 160.0);
        app.insert_resource(Gift(soldier, 0));
        match moment {
            0 => app.add_systems(FixedUpdate, give.before(SyncMaps)),
            1 => app.add_systems(FixedUpdate, give.after(SyncMaps).before(AcceptRequests)),
            2 => app.add_systems(FixedUpdate, give.after(AcceptRequests).before(Search)),
            3 => app.add_systems(FixedUpdate, give.after(Search).before(Publish)),
            _ => app.add_systems(FixedUpdate, give.after(Publish).before(Follow)),
        };
        order(&mut app, soldier, 9, 0);
        run_until_quiet(&mut app, 400);
        assert_eq!(status(&app, soldier), PathStatus::Arrived, "{moment}");
    }
}

#[test]
fn disabled_and_cloned_units_keep_theirs() {
    use bevy::ecs::entity_disabling::Disabled;
    let mut app = app();
    map_for_all(&mut app, "..........\n.########.\n..........");
    let own = Movement::new().with_costs(CostTable::uniform().with(0, 1));
    let soldier = unit(&mut app, 4, 0, own);
    app.world_mut().entity_mut(soldier).insert(Disabled);
    for _ in 0..3 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(soldier).remove::<Disabled>();
    let twin = app.world_mut().entity_mut(soldier).clone_and_spawn();
    for who in [soldier, twin] {
        order(&mut app, who, 4, 2);
    }
    tick(&mut app);
    for who in [soldier, twin] {
        assert_eq!(cells(&app, who).len(), 3);
    }
    app.world_mut().entity_mut(twin).remove::<PathAgent>();
    app.world_mut().despawn(soldier);
    tick(&mut app);
}
