//! bevy_tilepath
