//! Events of orders, and their publication.

pub(crate) mod events;
pub(crate) mod mistakes;
pub(crate) mod publish;
