//! Orders, answers and journeys of agents, on real apps.

mod harness;

mod agents {
    mod along;
    mod always_edited;
    mod bodies;
    mod bodies_at_doors;
    mod bodies_by_steps;
    mod bodies_held;
    mod bodies_led;
    mod bodies_on_new_grids;
    mod bodies_put;
    mod bodies_with_goals;
    mod bodies_with_targets;
    mod budget;
    mod chase;
    mod city;
    mod closed_ground;
    mod corners;
    mod determinism;
    mod disabled;
    mod drawing;
    mod driven;
    mod driven_regions;
    mod edits;
    mod events;
    mod fading;
    mod following;
    mod kept;
    mod landmarks;
    #[cfg(feature = "serde")]
    mod larger_bodies;
    mod lives;
    mod lost_ground;
    mod maps;
    mod marks;
    mod moved;
    mod movements;
    mod near;
    mod nearest;
    mod nearest_lists;
    mod new_walls;
    mod numbers;
    mod odd_input;
    mod orders;
    mod own_movements;
    mod passing;
    mod previews;
    mod prices;
    mod pursuits;
    mod random_lives;
    mod random_movements;
    #[cfg(feature = "recording")]
    mod recording;
    mod reflection;
    mod renewed;
    #[cfg(feature = "serde")]
    mod room;
    mod scenes;
    mod shared_fields;
    mod sizes;
    mod spaces;
    mod speed;
    #[cfg(feature = "serde")]
    mod states;
    #[cfg(feature = "serde")]
    mod states_often;
    #[cfg(feature = "serde")]
    mod states_refused;
    mod stepwise;
    mod stops;
    mod threads;
    mod turns;
    mod walls_ahead;
    mod weighted_paths;
    mod why_not;
    mod wire;

    #[cfg(feature = "tilemap")]
    mod lattices;
    mod lines;
    #[cfg(all(feature = "serde", feature = "tilemap"))]
    mod states_of_tilemaps;
    #[cfg(feature = "tilemap")]
    mod tilemaps;
}
