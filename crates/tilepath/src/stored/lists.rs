//! Lists that are read without trust in their length.

use serde::{Deserialize, Deserializer, de};
use std::{fmt, marker::PhantomData};

/// Reads a list item by item. It does not make room for the length that a message names: a few
/// damaged bytes may name any length.
///
/// # Errors
/// Those of the format.
#[doc(hidden)]
pub fn list<'de, D, L>(deserializer: D) -> Result<L, D::Error>
where
    D: Deserializer<'de>,
    L: Default + IntoIterator<Item: Deserialize<'de>> + Extend<L::Item>,
{
    struct Items<L>(PhantomData<L>);

    impl<'de, L: Default + IntoIterator<Item: Deserialize<'de>> + Extend<L::Item>> de::Visitor<'de> for Items<L> {
        type Value = L;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list")
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<L, A::Error> {
            let mut list = L::default();
            while let Some(item) = items.next_element()? {
                list.extend(Some(item));
            }
            Ok(list)
        }
    }

    deserializer.deserialize_seq(Items(PhantomData))
}

/// A list that is read by [`list`].
struct List<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        list(deserializer).map(Self)
    }
}

/// Reads a list of keys with a list each, item by item: see [`list`].
pub(crate) fn lists<'de, D, K, T>(deserializer: D) -> Result<Vec<(K, Vec<T>)>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de>,
    T: Deserialize<'de>,
{
    let lists: Vec<(K, List<T>)> = list(deserializer)?;
    Ok(lists.into_iter().map(|(key, List(items))| (key, items)).collect())
}
