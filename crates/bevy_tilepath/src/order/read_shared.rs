//! Shared lists that are read item by item, without trust in their length.

use std::sync::Arc;

use serde::{Deserialize, Deserializer};

/// Reads a shared list as [`tilepath::read_list`] does.
pub(super) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Arc<[T]>, D::Error> {
    let items: Vec<T> = tilepath::read_list(deserializer)?;
    Ok(items.into())
}

/// Reads a shared list, if there is one.
pub(super) fn optional_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Arc<[T]>>, D::Error> {
    struct List<T>(Arc<[T]>);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            list(deserializer).map(Self)
        }
    }

    let items: Option<List<T>> = Deserialize::deserialize(deserializer)?;
    Ok(items.map(|List(items)| items))
}
