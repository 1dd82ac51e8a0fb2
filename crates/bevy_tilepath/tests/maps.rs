//! Maps, tiles, layers, obstacles and questions about them, on real apps.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod harness;

mod maps {
    mod bare;
    mod before_first_tick;
    mod bsn;
    mod edits;
    mod explorers;
    mod games;
    mod grid_layers;
    mod hand_built;
    mod memory;
    mod mistakes;
    mod obstacles;
    mod overlays;
    mod queries;
    mod ranges;
    mod resizes;
    mod sync_now;

    #[cfg(feature = "tilemap")]
    mod chunks;
    #[cfg(feature = "tilemap")]
    mod classes;
    #[cfg(feature = "debug_draw")]
    mod drawings;
    #[cfg(feature = "tilemap")]
    mod edges;
    #[cfg(feature = "tilemap")]
    mod lattices;
    #[cfg(feature = "tilemap")]
    mod layers;
    #[cfg(feature = "tilemap")]
    mod limits;
    #[cfg(feature = "tilemap")]
    mod map_lifecycle;
    #[cfg(feature = "tilemap")]
    mod random_edits;
    #[cfg(all(feature = "tilemap", feature = "rules_asset"))]
    mod rules;
    #[cfg(feature = "tilemap")]
    mod tile_lifecycle;
    #[cfg(feature = "tilemap_chunk")]
    mod tilemap_chunks;
}
