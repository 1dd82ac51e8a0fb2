//! Tests of the tables of the models, cell by cell.

use bevy::reflect::{FromReflect, structs::DynamicStruct};
use bevy_ecs::entity::Entity;
use bevy_tilepath::{
    Cell, PathFailure,
    groups::{GroupArrived, GroupFailed, GroupFailure},
};

use super::*;
use crate::events::End;

const REASON: PathFailure = PathFailure::Unreachable;

/// Returns the cells of the first table of a file, each as row, column and content.
fn cells_of(source: &'static str) -> Vec<[&'static str; 3]> {
    let mut lines = source
        .lines()
        .map(|line| line.trim_start_matches("//! "))
        .skip_while(|line| !line.starts_with("happens"))
        .map_while(|line| line.split_once('|'));
    let columns: Vec<&str> =
        lines.next().map_or_else(Vec::new, |(_, head)| head.split_whitespace().collect());
    lines
        .filter(|(row, _)| !row.starts_with('-'))
        .flat_map(|(row, cells)| {
            let columns = columns.clone().into_iter();
            columns.zip(cells.split_whitespace()).map(move |(column, cell)| [row.trim(), column, cell])
        })
        .collect()
}

fn arrived() -> Told {
    let place = Cell::new(1, 1).into();
    Told::Arrived(End { map: Entity::PLACEHOLDER, place, is_there: true })
}

fn event(name: &str) -> Told {
    let here = Entity::PLACEHOLDER;
    match name {
        "Found" => Told::Found { walks: true },
        "Answered" => Told::Found { walks: false },
        "Failed" => Told::Failed(REASON),
        "Blocked" => Told::Blocked,
        "Replanned" => Told::Replanned,
        "Reached" => Told::Reached(here, Cell::new(1, 1).into()),
        "Stop" => Told::StopReached,
        "Passed" => Told::Passed { from: here, to: here },
        "WaitingFor" => Told::WaitingFor,
        "WaitOver" => Told::WaitOver,
        "Arrived" => arrived(),
        "Lost" => Told::Lost(REASON),
        _ => panic!("no event: {name}"),
    }
}

fn happens(mut life: Life, name: &str) -> Result<Life, Fault<Life>> {
    match name {
        "ordered" => life.ordered(),
        "cancelled" => life.cancelled(),
        _ => life.told(&event(name))?,
    }
    Ok(life)
}

/// Returns a life after these events.
fn after(names: &[&str]) -> Life {
    names.iter().fold(Life::NEW, |life, name| happens(life, name).expect("the chain is allowed"))
}

fn in_state(name: &str) -> Life {
    match name {
        "free" => after(&[]),
        "asked" => after(&["ordered"]),
        "way" => after(&["ordered", "Found"]),
        "stop" => after(&["ordered", "Found", "Blocked"]),
        "wait" => after(&["ordered", "Found", "WaitingFor"]),
        "both" => after(&["ordered", "Found", "WaitingFor", "Blocked"]),
        "gone" => Life::Gone,
        _ => panic!("no state: {name}"),
    }
}

fn name_of(life: Life) -> &'static str {
    match life {
        Life::NoOrder(_) => "free",
        Life::Asked => "asked",
        Life::OnTheWay { is_blocked: false, is_waiting: false } => "way",
        Life::OnTheWay { is_blocked: true, is_waiting: false } => "stop",
        Life::OnTheWay { is_blocked: false, is_waiting: true } => "wait",
        Life::OnTheWay { is_blocked: true, is_waiting: true } => "both",
        Life::Gone => "gone",
    }
}

#[test]
fn agent_goes_from_state_to_state_as_the_table_says() {
    let cells = cells_of(include_str!("../life.rs"));
    assert_eq!(cells.len(), 14 * 7);
    for [row, column, cell] in cells {
        let life = in_state(column);
        assert_eq!(name_of(life), column);
        match happens(life, row) {
            Ok(next) => assert_eq!(name_of(next), cell, "{row} in {column}"),
            Err(fault) => {
                assert_eq!(cell, ".", "{row} in {column}: {fault}");
                assert_eq!(fault, Fault::Told { told: event(row), state: life });
            }
        }
    }
}

#[test]
fn whole_lives_are_allowed() {
    let ends: [&[&str]; 6] = [
        &["Found", "Reached", "Stop", "Passed", "Reached", "Stop", "Arrived"],
        &["Found", "Blocked", "Replanned", "Replanned", "Lost"],
        &[
            "Found",
            "WaitingFor",
            "Reached",
            "WaitOver",
            "WaitingFor",
            "Blocked",
            "WaitOver",
            "Replanned",
            "Arrived",
        ],
        &["Found", "WaitingFor", "Blocked", "Lost"],
        &["Failed"],
        &["Answered"],
    ];
    for first in ends {
        for second in ends {
            let chain = [&["ordered"], first, &["ordered", "ordered"], second].concat();
            assert_eq!(name_of(after(&chain)), "free");
        }
    }
}

#[test]
fn statuses_at_the_end_of_a_tick_belong_to_states() {
    let statuses = [
        PathStatus::Idle,
        PathStatus::WaitingForMap,
        PathStatus::Queued,
        PathStatus::Searching,
        PathStatus::WaitingForWay(REASON),
        PathStatus::Following,
        PathStatus::Paused,
        PathStatus::Arrived,
        PathStatus::Failed(REASON),
        PathStatus::Failed(PathFailure::NoMap),
    ];
    let (asked, way) = (&statuses[1..5], &statuses[4..7]);
    let allowed: [(&[&str], &[PathStatus]); 12] = [
        (&[], &[PathStatus::Idle]),
        (&["ordered"], asked),
        (&["ordered", "cancelled"], &[PathStatus::Idle]),
        (&["ordered", "Answered"], &[PathStatus::Idle]),
        (&["ordered", "Failed"], &[PathStatus::Failed(REASON)]),
        (&["ordered", "Failed", "cancelled"], &[PathStatus::Failed(REASON)]),
        (&["ordered", "Found"], way),
        (&["ordered", "Found", "Blocked"], way),
        (&["ordered", "Found", "WaitingFor"], way),
        (&["ordered", "Found", "Arrived"], &[PathStatus::Arrived]),
        (&["ordered", "Found", "Lost"], &[PathStatus::Failed(REASON)]),
        (&["ordered", "Found", "ordered"], asked),
    ];
    for (chain, allowed) in allowed {
        let life = after(chain);
        for status in statuses.map(Some).into_iter().chain([None]) {
            let seen = life.seen(status, life.has_order());
            if status.is_some_and(|status| allowed.contains(&status)) {
                assert_eq!(seen, Ok(()), "{chain:?}");
            } else {
                assert_eq!(seen, Err(Fault::Status { status, state: life }), "{chain:?}");
            }
            let is_there = !life.has_order();
            assert_eq!(life.seen(status, is_there), Err(Fault::Order { is_there, state: life }));
        }
    }
}

#[test]
fn fault_names_the_event_and_the_state() {
    let fault = happens(after(&["ordered", "Found", "Blocked"]), "Stop").expect_err("it is blocked");
    assert_eq!(
        fault.to_string(),
        "StopReached is triggered, but the agent is on its way, blocked and not yet replanned"
    );
    let fault = Life::NEW.seen(Some(PathStatus::Following), false).expect_err("it was never ordered");
    assert_eq!(
        fault.to_string(),
        "the status is Some(Following) at the end of the tick, but the agent has no order, and left the last one Idle"
    );
    let fault = GroupLife::UnderWay.seen(false).expect_err("it is under way");
    assert_eq!(
        fault.to_string(),
        "the component of the order is missing at the end of the tick, but the order of the group is under way"
    );
}

fn group_events(name: &str) -> Vec<Told> {
    let group = Entity::PLACEHOLDER;
    let failed = |reason| Told::GroupFailed(GroupFailed { entity: group, reason });
    match name {
        "a member ordered" => [false, true].map(|is_same| Told::Ordered { group, is_same }).to_vec(),
        "GroupArrived" => vec![group_arrived(group)],
        "GroupFailed early" => [
            GroupFailure::NoMembers,
            GroupFailure::OnGraph,
            GroupFailure::NoPlace { members: 2 },
            GroupFailure::Path(PathFailure::NoMap),
        ]
        .map(failed)
        .to_vec(),
        "GroupFailed late" => {
            [GroupFailure::AllLeft, GroupFailure::NoneArrived { lost: 1 }].map(failed).to_vec()
        }
        _ => panic!("no event: {name}"),
    }
}

/// Builds the event by reflection, because other crates cannot set its fields.
fn group_arrived(group: Entity) -> Told {
    let mut fields = DynamicStruct::default();
    fields.insert("entity", group);
    for count in ["arrived", "with_shortfall", "lost", "left"] {
        fields.insert(count, 1_usize);
    }
    Told::GroupArrived(GroupArrived::from_reflect(&fields).expect("all fields are there"))
}

fn group_in_state(name: &str) -> GroupLife {
    match name {
        "free" => GroupLife::NoOrder,
        "asked" => GroupLife::Asked,
        "way" => GroupLife::UnderWay,
        _ => panic!("no state: {name}"),
    }
}

#[test]
fn group_goes_from_state_to_state_as_the_table_says() {
    let cells = cells_of(include_str!("group.rs"));
    assert_eq!(cells.len(), 5 * 3);
    for [row, column, cell] in cells {
        let before = group_in_state(column);
        if row == "order at the end" {
            assert_eq!(before.seen(true).is_ok(), cell == "yes", "{column}");
            assert_eq!(before.seen(false).is_ok(), cell == "no", "{column}");
            continue;
        }
        for told in group_events(row) {
            let mut life = before;
            match life.told(&told) {
                Ok(()) => assert_eq!(life, group_in_state(cell), "{told:?} in {column}"),
                Err(fault) => {
                    assert_eq!(cell, ".", "{row} in {column}: {fault}");
                    assert_eq!(fault, Fault::Told { told, state: before });
                }
            }
        }
    }
}

#[test]
fn events_of_agents_and_groups_are_not_mixed_up() {
    for life in [GroupLife::NoOrder, GroupLife::Asked, GroupLife::UnderWay] {
        let told = arrived();
        assert_eq!({ life }.told(&told), Err(Fault::Told { told, state: life }));
    }
    for mut life in ["free", "asked", "way", "stop", "wait", "both", "gone"].map(in_state) {
        for row in ["GroupArrived", "GroupFailed early", "GroupFailed late"] {
            for told in group_events(row) {
                let state = life;
                assert_eq!(life.told(&told), Err(Fault::Told { told, state }));
            }
        }
    }
}
