//! Orders: requests, their state, and their pending events.

pub(crate) mod approach;
pub(crate) mod common_goals;
pub(crate) mod goal;
pub(crate) mod grid_query;
pub(crate) mod own_movements;
pub(crate) mod pending_event;
pub(crate) mod queue;
pub(crate) mod reach;
#[cfg(feature = "serde")]
mod read_shared;
pub(crate) mod request;
pub(crate) mod resolve;
pub(crate) mod route;
pub(crate) mod shared_lists;
pub(crate) mod state;
pub(crate) mod status;
pub(crate) mod stop;
pub(crate) mod stop_cursor;
pub(crate) mod stops;
pub(crate) mod target;
