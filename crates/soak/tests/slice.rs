//! A short run of the soak.

use bevy_tilepath::{maps::Lattice, tilepath::Topology};
use soak::{Deed, Report, Settings, Wander, run, wander};

/// Runs all deeds for a few seconds. For longer runs see the crate's documentation.
fn slice(seed: u64, ticks: u32, agents: usize) -> Report {
    let settings =
        Settings { seed, ticks, agents, epochs: 4, deeds: Deed::ALL.to_vec(), ..Settings::default() };
    run(&settings).unwrap_or_else(|violation| panic!("{violation}"))
}

#[test]
fn whatever_is_done_to_agents_maps_and_doors_every_promise_is_kept() {
    let reports = [1, 2, 3, 4].map(|seed| slice(seed, 400, 60));
    let happened = reports.each_ref().map(|report| {
        [
            report.found,
            report.failed,
            report.confirmed,
            report.arrived,
            report.lost,
            report.replanned,
            report.doors,
            report.lines,
            report.crossed,
            report.led,
            report.groups[0] + report.groups[1],
        ]
    });
    for kind in 0..happened[0].len() {
        let count: u64 = happened.iter().map(|counts| counts[kind]).sum();
        assert!(count > 30, "too little happened to say anything: {reports:?}");
    }
}

#[test]
fn promises_are_kept_on_cells_of_every_type_and_by_five_movements() {
    for (seed, &lattice) in (1..).zip(Lattice::ALL) {
        let settings = Settings {
            seed,
            ticks: 160,
            agents: 40,
            epochs: 1,
            deeds: Deed::ALL.into_iter().filter(|&deed| deed != Deed::Carrier).collect(),
            lattice,
            movements: true,
            ..Settings::default()
        };
        let report = run(&settings).unwrap_or_else(|violation| panic!("{lattice:?}: {violation}"));
        assert!(report.found > 20 && report.lines > 100, "{lattice:?}: too little happened: {report}");
        let is_wide = report.wide_lines > 0 && report.wide_bodies > 0;
        let is_square = lattice.topology() == Topology::Square;
        assert_eq!(is_wide, is_square, "{lattice:?}: units of four cells: {report}");
    }
}

#[test]
fn equal_seeds_lead_to_equal_states_and_different_seeds_to_different_ones() {
    let hash = |seed| slice(seed, 120, 30).hash;
    assert_eq!(hash(5), hash(5));
    assert_ne!(hash(5), hash(6));
}

#[test]
fn examination_of_all_paths_in_each_tick_changes_no_state() {
    for is_mixed in [false, true] {
        let hashes = [false, true].map(|examines_all| {
            let settings = Settings {
                seed: 5,
                ticks: 300,
                agents: 60,
                epochs: 2,
                movements: is_mixed,
                lines: is_mixed,
                examines_all,
                ..Settings::default()
            };
            run(&settings).unwrap_or_else(|violation| panic!("{violation}")).hash
        });
        assert_eq!(hashes[0], hashes[1], "with movements and lines: {is_mixed}");
    }
}

#[test]
fn every_deed_is_known_by_its_name() {
    for deed in Deed::ALL {
        assert_eq!(deed.to_string().parse(), Ok(deed));
    }
    assert!("dance".parse::<Deed>().is_err_and(|error| error.contains("teleport")));
}

#[test]
fn a_window_of_chunks_wanders_and_nothing_elsewhere_is_disturbed() {
    let settings = Wander { window: 3, distance: 8, walkers: 20, ..Wander::default() };
    let report = wander(&settings).unwrap_or_else(|what| panic!("{what}"));
    assert!(report.arrived > 10 && report.resized > 3, "{report}");
}
