//! Random orders, edits, teleports, cancels, pauses and despawns. The rules for the life of a
//! request always hold.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Diagonals, PathAgent, PathRequest, PathStatus, TilepathDiagnostics, TilepathSettings,
    tilepath::Grid,
};
use proptest::prelude::*;

use crate::harness::*;

const SIDE: i32 = 8;
const AGENTS: usize = 4;

#[derive(Debug, Clone)]
enum Deed {
    Order { who: usize, goals: Vec<(i32, i32)>, closest: bool },
    OrderAgain(usize),
    Cancel(usize),
    Edit { x: i32, y: i32, class: u8 },
    Teleport { who: usize, x: f32, y: f32 },
    Pause(usize),
    Despawn(usize),
    StopBeingAgent(usize),
    Rules(usize),
    Run(u8),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let who = 0..AGENTS;
    let at = 0..SIDE;
    let deed = prop_oneof![
        4 => (who.clone(), proptest::collection::vec((at.clone(), at.clone()), 1..4), any::<bool>())
            .prop_map(|(who, goals, closest)| Deed::Order { who, goals, closest }),
        1 => who.clone().prop_map(Deed::OrderAgain),
        1 => who.clone().prop_map(Deed::Cancel),
        4 => (at.clone(), at, 0..4_u8).prop_map(|(x, y, class)| Deed::Edit { x, y, class }),
        1 => (who.clone(), -20.0..150.0_f32, -20.0..150.0_f32)
            .prop_map(|(who, x, y)| Deed::Teleport { who, x, y }),
        1 => who.clone().prop_map(Deed::Pause),
        1 => who.clone().prop_map(Deed::Despawn),
        1 => who.prop_map(Deed::StopBeingAgent),
        1 => (0..4_usize).prop_map(Deed::Rules),
        8 => (1..20_u8).prop_map(Deed::Run),
    ];
    proptest::collection::vec(deed, 1..60)
}

/// The stage of an agent. It sets which events may come next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    NoOrder,
    Asked,
    OnTheWay,
}

fn check(lives: &mut HashMap<Entity, Stage>, told: Vec<(Entity, Told)>) -> Result<(), TestCaseError> {
    for (who, what) in told {
        let stage = lives.entry(who).or_insert(Stage::NoOrder);
        let fits = match what {
            Told::Found { .. } | Told::Failed(_) => *stage == Stage::Asked,
            _ => *stage == Stage::OnTheWay,
        };
        if !fits {
            return Err(TestCaseError::fail(format!("{what:?} while {stage:?}")));
        }
        *stage = match what {
            Told::Failed(_) | Told::Arrived(_) | Told::Lost(_) => Stage::NoOrder,
            _ => Stage::OnTheWay,
        };
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_order_is_answered_once_and_every_journey_ends_once(deeds in deeds(), work in 1..200_u64) {
        let mut game = Game::long_steps();
        game.insert_resource(TilepathSettings { work_per_tick: work });
        let map = game.map_of(Grid::new(SIDE as u32, SIDE as u32, 1).unwrap(), Diagonals::default());
        let mut agents: Vec<Entity> = (0..AGENTS as i32).map(|x| game.agent(x, 0, 200.0)).collect();
        let mut lives = HashMap::new();
        for deed in deeds {
            match deed {
                Deed::Order { who, goals, closest } => {
                    let request = match goals[..] {
                        [goal] => PathRequest::to_cell(goal),
                        _ => PathRequest::to_nearest(goals.into_iter().map(Cell::from)),
                    };
                    let request = if closest { request.or_closest() } else { request };
                    if game.world().get::<PathRequest>(agents[who]) != Some(&request) {
                        lives.insert(agents[who], Stage::Asked);
                    }
                    let agent = PathAgent { speed: 200.0.into(), ..default() };
                    game.world_mut().entity_mut(agents[who]).insert_if_new(agent).insert(request);
                }
                Deed::OrderAgain(who) => {
                    if let Some(request) = game.world().get::<PathRequest>(agents[who]).cloned() {
                        game.world_mut().entity_mut(agents[who]).insert(request);
                    }
                }
                Deed::Cancel(who) => {
                    if game.world_mut().entity_mut(agents[who]).take::<PathRequest>().is_some() {
                        lives.insert(agents[who], Stage::NoOrder);
                    }
                }
                Deed::Edit { x, y, class } => game.set_terrain(map, x, y, class),
                Deed::Teleport { who, x, y } => {
                    game.world_mut().get_mut::<Transform>(agents[who]).unwrap().translation = Vec3::new(x, y, 0.0);
                }
                Deed::Pause(who) => {
                    if let Some(mut agent) = game.world_mut().get_mut::<PathAgent>(agents[who]) {
                        agent.paused = !agent.paused;
                    }
                }
                Deed::Despawn(who) => {
                    game.world_mut().despawn(agents[who]);
                    lives.remove(&agents[who]);
                    agents[who] = game.agent(0, 0, 200.0);
                }
                Deed::StopBeingAgent(who) => {
                    // Without `PathAgent`, a queued request would be answered and move nothing.
                    // Other tests check that.
                    if lives.get(&agents[who]) != Some(&Stage::Asked) {
                        game.world_mut().entity_mut(agents[who]).remove::<PathAgent>();
                        game.step(0.01);
                    }
                }
                Deed::Rules(n) => {
                    let mut rules = game.world_mut().get_mut::<bevy_tilepath::NavMap>(map).unwrap();
                    rules.diagonals = Diagonals::ALL[n];
                }
                Deed::Run(steps) => {
                    game.steps(steps.into(), 0.02);
                }
            }
            let news = game.told();
            check(&mut lives, news)?;
        }
        for &soldier in &agents {
            if let Some(mut agent) = game.world_mut().get_mut::<PathAgent>(soldier) {
                agent.paused = false;
            }
        }
        // All orders end.
        for _ in 0..2000 {
            if !agents.iter().any(|&soldier| game.is_ordered(soldier)) {
                break;
            }
            game.step(0.02);
        }
        let news = game.told();
        check(&mut lives, news)?;
        for &soldier in &agents {
            prop_assert!(!game.is_ordered(soldier));
            prop_assert!(matches!(
                game.status(soldier),
                PathStatus::Idle | PathStatus::Arrived | PathStatus::Failed(_)
            ));
            prop_assert_eq!(lives.get(&soldier).copied().unwrap_or(Stage::NoOrder), Stage::NoOrder);
        }
        game.step(0.02);
        let left = *game.world().resource::<TilepathDiagnostics>();
        prop_assert_eq!((left.waiting_for_map, left.queued, left.searching, left.following), (0, 0, 0, 0));
    }
}
