//! What two versions of Bevy name differently.

use bevy::prelude::*;

#[cfg(not(bevy_0_20))]
pub(crate) type OnAdd<'w, 't, C> = On<'w, 't, Add, C>;
#[cfg(bevy_0_20)]
pub(crate) type OnAdd<'w, 't, C> = On<'w, 't, Add<C>>;

#[cfg(not(bevy_0_20))]
pub(crate) type OnInsert<'w, 't, C> = On<'w, 't, Insert, C>;
#[cfg(bevy_0_20)]
pub(crate) type OnInsert<'w, 't, C> = On<'w, 't, Insert<C>>;

#[cfg(not(bevy_0_20))]
pub(crate) type OnRemove<'w, 't, C> = On<'w, 't, Remove, C>;
#[cfg(bevy_0_20)]
pub(crate) type OnRemove<'w, 't, C> = On<'w, 't, Remove<C>>;
