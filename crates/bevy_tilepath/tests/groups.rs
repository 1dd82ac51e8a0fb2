//! Groups: one order for many agents, on real apps.

mod harness;

mod groups {
    mod bad_input;
    mod dead_ends;
    mod disabled;
    mod ends;
    mod formations;
    mod gaps;
    mod lives;
    mod near;
    mod planning;
    mod replaced;
    mod stops;
    #[cfg(feature = "tilemap")]
    mod tilemaps;
}
