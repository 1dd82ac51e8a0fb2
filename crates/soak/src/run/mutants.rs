//! Tests that the models of orders notice missing, repeated and late events.

use super::*;
use crate::{events::Told, settings::Deed};

/// A change of one event before it reaches the models.
struct Mutation {
    deeds: &'static [Deed],
    is_meant: fn(&Told) -> bool,
    /// The events in place of it.
    instead: fn(&Told) -> Vec<Told>,
    /// A part of the fault.
    fault: &'static str,
}

const TICKS: u32 = 360;
/// The numbers of the mutated events, each in a separate run.
const MUTATED: [usize; 3] = [0, 1, 4];

fn dropped(_: &Told) -> Vec<Told> {
    Vec::new()
}

fn twice(told: &Told) -> Vec<Told> {
    vec![told.clone(), told.clone()]
}

/// Makes a short run. Returns the number of matching events until the first fault, whether the
/// fault came in the tick of the mutation, and the fault.
fn run_with(mutation: &Mutation, mutated: Option<usize>) -> (usize, Option<(bool, String)>) {
    let deeds = mutation.deeds.to_vec();
    let mut soak = Soak::new(&Settings { seed: 3, agents: 60, deeds, ..Settings::default() });
    soak.populate();
    let mut meant = 0;
    for _ in 0..TICKS {
        soak.do_deeds();
        soak.note_before();
        soak.step(LONG_TICK);
        let before = meant;
        let told = &mut soak.app.world_mut().resource_mut::<Log>().told;
        *told = std::mem::take(told)
            .into_iter()
            .flat_map(|(entity, told)| {
                let is_mutated = (mutation.is_meant)(&told) && mutated == Some(meant);
                meant += usize::from((mutation.is_meant)(&told));
                let events = if is_mutated { (mutation.instead)(&told) } else { vec![told] };
                events.into_iter().map(move |told| (entity, told))
            })
            .collect();
        if let Err((_, what)) = soak.check_tick() {
            let is_at_once = mutated.is_some_and(|number| (before..meant).contains(&number));
            return (meant, Some((is_at_once, what)));
        }
    }
    (meant, None)
}

/// Asserts a fault in the tick of the mutation, and no fault without the mutation.
#[track_caller]
fn assert_noticed(mutation: &Mutation) {
    let (happened, fault) = run_with(mutation, None);
    assert_eq!(fault, None, "without a mutation");
    assert!(happened > MUTATED[2], "the event came {happened} times only");
    for mutated in MUTATED {
        let (_, fault) = run_with(mutation, Some(mutated));
        let (is_at_once, what) = fault.unwrap_or_else(|| panic!("mutation {mutated} was not noticed"));
        assert!(is_at_once && what.contains(mutation.fault), "mutation {mutated}: {what}");
    }
}

#[test]
fn dropped_path_found_fails_at_the_end_of_the_tick() {
    assert_noticed(&Mutation {
        deeds: &Deed::ALL,
        is_meant: |told| matches!(told, Told::Found { .. }),
        instead: dropped,
        fault: "but the order has no answer yet",
    });
}

#[test]
fn dropped_path_failed_fails_at_the_end_of_the_tick() {
    assert_noticed(&Mutation {
        deeds: &Deed::ALL,
        is_meant: |told| matches!(told, Told::Failed(_)),
        instead: dropped,
        fault: "is missing at the end of the tick, but the order has no answer yet",
    });
}

#[test]
fn dropped_arrived_fails_at_the_end_of_the_tick() {
    assert_noticed(&Mutation {
        deeds: &Deed::ALL,
        is_meant: |told| matches!(told, Told::Arrived(_)),
        instead: dropped,
        fault: "is missing at the end of the tick, but the agent is on its way",
    });
}

#[test]
fn dropped_path_lost_fails_at_the_end_of_the_tick() {
    assert_noticed(&Mutation {
        deeds: &Deed::ALL,
        is_meant: |told| matches!(told, Told::Lost(_)),
        instead: dropped,
        fault: "is missing at the end of the tick, but the agent is on its way",
    });
}

#[test]
fn dropped_replanned_fails_when_the_agent_goes_on() {
    let mutation = Mutation {
        deeds: &Deed::ALL,
        is_meant: |told| matches!(told, Told::Replanned),
        instead: dropped,
        fault: "but the agent is on its way, blocked and not yet replanned",
    };
    // Not every agent was blocked before, and it can get another order before it goes on.
    let faults = (0..12).filter_map(|mutated| run_with(&mutation, Some(mutated)).1);
    let noticed: Vec<String> = faults.map(|(_, what)| what).collect();
    assert!(!noticed.is_empty() && noticed.iter().all(|what| what.contains(mutation.fault)), "{noticed:?}");
}

#[test]
fn arrived_twice_fails() {
    assert_noticed(&Mutation {
        deeds: &Deed::ALL,
        is_meant: |told| matches!(told, Told::Arrived(_)),
        instead: twice,
        fault: "is triggered, but the agent has no order, and left the last one Arrived",
    });
}

#[test]
fn path_lost_twice_fails() {
    assert_noticed(&Mutation {
        deeds: &Deed::ALL,
        is_meant: |told| matches!(told, Told::Lost(_)),
        instead: twice,
        fault: "is triggered, but the agent has no order, and left the last one Failed",
    });
}

#[test]
fn stop_reached_after_the_end_fails() {
    assert_noticed(&Mutation {
        deeds: &Deed::ALL,
        is_meant: |told| matches!(told, Told::Arrived(_)),
        instead: |told| vec![told.clone(), Told::StopReached],
        fault: "StopReached is triggered, but the agent has no order",
    });
}

#[test]
fn dropped_group_arrived_fails_at_the_end_of_the_tick() {
    assert_noticed(&Mutation {
        deeds: &[Deed::Group],
        is_meant: |told| matches!(told, Told::GroupArrived(_)),
        instead: dropped,
        fault: "is missing at the end of the tick, but the order of the group is under way",
    });
}

#[test]
fn group_arrived_twice_fails() {
    assert_noticed(&Mutation {
        deeds: &[Deed::Group],
        is_meant: |told| matches!(told, Told::GroupArrived(_)),
        instead: twice,
        fault: "is triggered, but the group has no order",
    });
}
