//! Orders, answers and journeys of agents, on real apps.

mod harness;

mod agents {
    mod edits;
    mod following;
    mod orders;
    mod stage;
}
