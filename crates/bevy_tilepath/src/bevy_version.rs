//! Names that differ between two versions of Bevy. The build script of `ports/bevy_0_20` sets `bevy_0_20`.

use bevy_ecs::{
    lifecycle::{Insert, Remove},
    observer::On,
};

#[cfg(not(bevy_0_20))]
pub(crate) type OnInsert<'w, 't, C> = On<'w, 't, Insert, C>;
#[cfg(bevy_0_20)]
pub(crate) type OnInsert<'w, 't, C> = On<'w, 't, Insert<C>>;

#[cfg(not(bevy_0_20))]
pub(crate) type OnRemove<'w, 't, C> = On<'w, 't, Remove, C>;
#[cfg(bevy_0_20)]
pub(crate) type OnRemove<'w, 't, C> = On<'w, 't, Remove<C>>;
