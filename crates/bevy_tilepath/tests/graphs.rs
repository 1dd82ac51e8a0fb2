//! Agents on waypoint graphs and through doors, on real apps.

mod harness;

mod graphs {
    #[cfg(feature = "waypoint_asset")]
    mod assets;
    mod chasers;
    mod dead_ends;
    mod doors;
    mod edits;
    mod fixtures;
    mod golden;
    mod inside_doors;
    mod kept;
    mod kept_always;
    mod late_edits;
    mod many_doors;
    mod misplaced;
    mod passing;
    mod plain;
    mod queries;
    mod random_doors;
    mod random_lives;
    #[cfg(feature = "recording")]
    mod recording;
    mod stops_on_storeys;
    mod storeys;
    mod walking;
}
