//! States as serde writes and reads them.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{TilepathState, checksum, content::Content};

/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 2;

/// The first part of each written state.
const FORMAT: &str = "bevy_tilepath state";

/// A state as it is written. The parts are read in this order, so that a state of another version is
/// refused for its version.
#[derive(Serialize)]
#[serde(rename = "TilepathState")]
struct Written<'a> {
    format: &'static str,
    version: u32,
    checksum: u64,
    content: &'a Content,
}

/// A state as it is read.
#[derive(Deserialize)]
#[serde(rename = "TilepathState", deny_unknown_fields)]
#[expect(dead_code, reason = "format and version are checked while they are read")]
struct Read {
    format: Format,
    version: Version,
    checksum: u64,
    content: Content,
}

struct Format;

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match &*String::deserialize(deserializer)? {
            FORMAT => Ok(Self),
            found => Err(de::Error::custom(format_args!(
                "this is not a state of bevy_tilepath, but `{found}`; give what TilepathState has written"
            ))),
        }
    }
}

struct Version;

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            VERSION => Ok(Self),
            found => Err(de::Error::custom(format_args!(
                "the state is of format version {found}, this bevy_tilepath reads version {VERSION}; load it with the \
                version of the game that has written it"
            ))),
        }
    }
}

impl Serialize for TilepathState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { content } = self;
        Written { format: FORMAT, version: VERSION, checksum: checksum::of(content), content }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TilepathState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Read { checksum, content, .. } = Read::deserialize(deserializer)?;
        if checksum::of(&content) == checksum {
            Ok(Self { content })
        } else {
            Err(de::Error::custom("the state is damaged: its checksum is another one; load an earlier save"))
        }
    }
}
