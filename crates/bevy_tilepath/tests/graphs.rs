//! Agents on waypoint graphs and through doors, on real apps.

mod harness;

mod graphs {
    mod edits;
    mod golden;
    mod stage;
    mod walking;
}
