//! A slice of the soak.

use soak::{Deed, Report, Settings, run};

/// What the plugin stands up to. What is missing is known to break a promise: another order inside a door, a wall that
/// goes up beside a diagonal step, an order that waits while its agent is put elsewhere.
const WITHSTOOD: [Deed; 10] = [
    Deed::MapLife,
    Deed::Carrier,
    Deed::Order,
    Deed::Along,
    Deed::Pause,
    Deed::Speed,
    Deed::Teleport,
    Deed::Transfer,
    Deed::Despawn,
    Deed::Budget,
];

fn slice(seed: u64, ticks: u32, agents: usize) -> Report {
    let deeds = WITHSTOOD.to_vec();
    let settings = Settings { seed, ticks, agents, epochs: 4, deeds, ..Settings::default() };
    run(&settings).unwrap_or_else(|violation| panic!("{violation}"))
}

#[test]
fn whatever_is_done_to_agents_maps_and_doors_every_promise_is_kept() {
    for seed in 1..=3 {
        let report = slice(seed, 400, 60);
        let happened = [
            report.found,
            report.failed,
            report.confirmed,
            report.arrived,
            report.lost,
            report.replanned,
            report.doors,
            report.lines,
        ];
        assert!(happened.iter().all(|&count| count > 10), "too little happened to say anything: {report}");
    }
}

#[test]
fn equal_seeds_lead_to_equal_states_and_different_seeds_to_different_ones() {
    let hash = |seed| slice(seed, 120, 30).hash;
    assert_eq!(hash(5), hash(5));
    assert_ne!(hash(5), hash(6));
}

#[test]
fn every_deed_is_known_by_its_name() {
    for deed in Deed::ALL {
        assert_eq!(deed.to_string().parse(), Ok(deed));
    }
    assert!("dance".parse::<Deed>().is_err_and(|error| error.contains("teleport")));
}
