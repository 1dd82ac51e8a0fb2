//! The formats in which games write values: files, saves and messages.

use crate::Seed;
use rand::Rng;
use serde::{Serialize, de::DeserializeOwned};
use std::{collections::BTreeSet, fmt::Debug, fs, path::Path};

/// A format of serde. The last three are binary; two of them write no names of fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wire {
    /// Text with names.
    Ron,
    /// `MessagePack` with names of fields.
    NamedMessagePack,
    /// `MessagePack` without names of fields.
    MessagePack,
    /// Bytes without any names, as `bevy_replicon` sends them.
    Postcard,
}

impl Wire {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Ron, Self::NamedMessagePack, Self::MessagePack, Self::Postcard];

    /// Returns the value as this format writes it.
    ///
    /// # Panics
    /// If the format refuses the value.
    #[must_use]
    pub fn write<T: Serialize>(self, value: &T) -> Vec<u8> {
        match self {
            Self::Ron => ron::to_string(value).map(String::into_bytes).map_err(|error| error.to_string()),
            Self::NamedMessagePack => rmp_serde::to_vec_named(value).map_err(|error| error.to_string()),
            Self::MessagePack => rmp_serde::to_vec(value).map_err(|error| error.to_string()),
            Self::Postcard => postcard::to_allocvec(value).map_err(|error| error.to_string()),
        }
        .unwrap_or_else(|error| panic!("{self:?} does not write the value: {error}"))
    }

    /// Returns the value that a message of this format holds.
    ///
    /// # Errors
    /// The words of the format.
    pub fn read<T: DeserializeOwned>(self, message: &[u8]) -> Result<T, String> {
        match self {
            Self::Ron => ron::de::from_bytes(message).map_err(|error| error.to_string()),
            Self::NamedMessagePack | Self::MessagePack => {
                rmp_serde::from_slice(message).map_err(|error| error.to_string())
            }
            Self::Postcard => postcard::from_bytes(message).map_err(|error| error.to_string()),
        }
    }
}

/// Asserts that each format reads what it has written of a value.
///
/// # Panics
/// If a format does not, or reads another value.
pub fn assert_read_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    for wire in Wire::ALL {
        let message = wire.write(value);
        let read: T = wire.read(&message).unwrap_or_else(|error| {
            panic!("{wire:?} does not read {}: {error}", std::any::type_name::<T>());
        });
        assert_eq!(&read, value, "{wire:?} reads another value");
    }
}

/// Returns the names of the public types of a source file that serde writes.
fn public_serde_types(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_written = false;
    for line in source.lines() {
        is_written |= line.contains("derive(") && line.contains("Serialize");
        let declared = ["pub struct ", "pub enum "].iter().find_map(|kind| line.strip_prefix(kind));
        if let (true, Some(declared)) = (is_written, declared) {
            names.extend(declared.split(|letter: char| !letter.is_alphanumeric()).next().map(str::to_owned));
        }
        is_written &= line.starts_with('#') || line.starts_with("//") || line.starts_with(' ');
    }
    names
}

/// Returns the names of the public types in all source files of a folder that serde writes.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn public_serde_types_in(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            names.extend(public_serde_types_in(&path));
        } else {
            names.extend(public_serde_types(&fs::read_to_string(&path).expect("a source file")));
        }
    }
    names
}

/// Returns a message with some damage: cut off, changed bits, bytes that went in between, a part
/// that is there twice, or a length of the largest number.
fn damaged(message: &[u8], random: &mut impl Rng) -> Vec<u8> {
    let mut bytes = message.to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..bytes.len().max(1));
        match random.random_range(0..5) {
            0 => bytes.truncate(at),
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.random_range(0..8);
                }
            }
            2 => bytes.insert(at.min(bytes.len()), random.random()),
            3 => {
                let part = bytes[at.min(bytes.len())..].iter().take(8).copied().collect::<Vec<u8>>();
                bytes.splice(at.min(bytes.len())..at.min(bytes.len()), part);
            }
            _ => bytes.iter_mut().skip(at).take(4).for_each(|byte| *byte = 0xff),
        }
    }
    bytes
}

/// Damages 1,000 messages of some values in each format. Asserts that each is read, or refused, within
/// 64 KiB and 16 bytes for each byte of the message. A damaged message may hold another value.
/// `most_bytes` calls its argument and returns the most bytes that the call has held at a time.
///
/// # Panics
/// If reading a message panics or takes more memory, or if no message of a format is refused.
pub fn assert_damage_is_borne<T: Serialize + DeserializeOwned>(
    values: &[T],
    seed: &Seed,
    most_bytes: impl Fn(&mut dyn FnMut()) -> u64,
) {
    let (mut random, name) = (seed.generator(), std::any::type_name::<T>());
    for wire in Wire::ALL {
        let messages: Vec<Vec<u8>> = values.iter().map(|value| wire.write(value)).collect();
        let mut refused = 0;
        for message in messages.iter().cycle().take(1000) {
            let message = damaged(message, &mut random);
            let limit = 64 * 1024 + 16 * message.len() as u64;
            let most = most_bytes(&mut || refused += u32::from(wire.read::<T>(&message).is_err()));
            assert!(most <= limit, "{name} by {wire:?}: {most} bytes for a message of {}", message.len());
        }
        assert!(refused > 0, "{name} by {wire:?}: no damage is found");
    }
}
