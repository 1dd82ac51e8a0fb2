//! A reader that reads a text in parts and collects its faults.

use crate::{
    rules::error::{RulesError, RulesFault, RulesFaultKind},
    text::{quoted, ron_options, similar::most_similar, source::Source},
};
use ron::{error::SpannedError, value::RawValue};
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, MapAccess},
};
use std::fmt;

/// The largest number of faults in a report. The position and the suggestion of each fault take
/// O(length of the text).
const MOST_FAULTS: usize = 100;

/// A reader for parts of a text. It notes each fault and goes on with the parts that can be read.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    source: Source<'a>,
    /// The faults, with their byte offsets.
    faults: Vec<(usize, RulesFault)>,
    untold: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(source: Source<'a>) -> Self {
        Self { source, faults: Vec::new(), untold: 0 }
    }

    /// Notes a fault at a part of the text. `name` is the class or movement that it is about.
    pub(super) fn push_fault(
        &mut self,
        part: &str,
        name: Option<&str>,
        kind: impl FnOnce(Source<'a>) -> RulesFaultKind,
    ) {
        if self.faults.len() == MOST_FAULTS {
            self.untold += 1;
            return;
        }
        let at = self.source.offset(part);
        let (line, column) = self.source.line_and_column(at);
        let kind = kind(self.source);
        self.faults.push((at, RulesFault { line, column, name: name.map(str::to_owned), kind }));
    }

    /// Notes that a part of the text is not a valid value.
    pub(super) fn push_bad_value(
        &mut self,
        part: &str,
        name: Option<&str>,
        field: &'static str,
        wanted: &'static str,
    ) {
        self.push_fault(part, name, |_| RulesFaultKind::BadValue { field, found: quoted(part), wanted });
    }

    /// Returns the value, or an error if there was a fault.
    pub(super) fn finish<T>(mut self, value: T) -> Result<T, RulesError> {
        if self.faults.is_empty() {
            return Ok(value);
        }
        self.faults.sort_by_key(|(at, _)| *at);
        let faults = self.faults.into_iter().map(|(_, fault)| fault).collect();
        Err(RulesError { faults, untold: self.untold })
    }

    /// Reads a part of the text as one value.
    pub(super) fn value<T: DeserializeOwned>(
        &mut self,
        part: &str,
        name: Option<&str>,
        field: &'static str,
        wanted: &'static str,
    ) -> Option<T> {
        let value = parsed(part);
        if value.is_none() {
            self.push_bad_value(part, name, field, wanted);
        }
        value
    }

    /// Reads a name in quotes.
    pub(super) fn name(&mut self, part: &str, of: Option<&str>, kind: &'static str) -> Option<String> {
        let name: String = self.value(part, of, kind, "its name in quotes")?;
        if name.is_empty() {
            self.push_fault(part, of, |_| RulesFaultKind::EmptyName { kind });
            return None;
        }
        Some(name)
    }

    /// Reads the keys and values of a map. A key may be there twice.
    pub(super) fn entries(
        &mut self,
        part: &'a str,
        name: Option<&str>,
        field: &'static str,
        wanted: &'static str,
    ) -> Option<Vec<(&'a str, &'a str)>> {
        if let Ok(Entries(entries)) = ron_options().from_str(part) {
            return Some(entries);
        }
        self.push_bad_value(part, name, field, wanted);
        None
    }

    /// Reads the values of a list.
    pub(super) fn list(
        &mut self,
        part: &'a str,
        name: Option<&str>,
        field: &'static str,
        wanted: &'static str,
    ) -> Vec<&'a str> {
        let Ok(values) = ron_options().from_str::<Vec<&RawValue>>(part) else {
            self.push_bad_value(part, name, field, wanted);
            return Vec::new();
        };
        values.into_iter().map(trimmed).collect()
    }

    /// Reads the fields of a struct. Returns their values in the order of `known`.
    pub(super) fn fields<const N: usize>(
        &mut self,
        part: &'a str,
        name: Option<&str>,
        known: [&'static str; N],
        [field, wanted]: [&'static str; 2],
    ) -> Option<[Option<&'a str>; N]> {
        // The RON reader would accept a map or a bare word as a struct.
        let is_struct = part.ends_with(')');
        let Some(Fields(written)) = ron_options().from_str(part).ok().filter(|_| is_struct) else {
            self.push_bad_value(part, name, field, wanted);
            return None;
        };
        let mut fields = [None; N];
        for (field, value) in written {
            match known.iter().position(|known| *known == field) {
                None => self.push_fault(self.before(value, &field), name, |_| RulesFaultKind::UnknownField {
                    found: quoted(&field),
                    known: known.join(", "),
                }),
                Some(place) if fields[place].is_some() => {
                    let at = self.before(value, &field);
                    self.push_fault(at, name, |_| RulesFaultKind::FieldTwice { field: known[place] });
                }
                Some(place) => fields[place] = Some(value),
            }
        }
        Some(fields)
    }

    /// Returns the last place before a value where a word stands: the name of the value's field.
    fn before(&self, value: &'a str, word: &str) -> &'a str {
        let text = &self.source.0[..self.source.offset(value)];
        text.rfind(word).map_or(value, |at| &text[at..])
    }
}

/// Returns the value in a text, without the space and comments around it.
///
/// # Errors
/// The error of the RON reader.
pub(super) fn whole(text: &str) -> Result<&str, SpannedError> {
    ron_options().from_str(text).map(trimmed)
}

/// Returns a value, if the part of the text can be read as one.
pub(super) fn parsed<T: DeserializeOwned>(part: &str) -> Option<T> {
    ron_options().from_str(part).ok()
}

/// Returns the known name that is most similar to an unknown one.
pub(super) fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    most_similar(name, known).map(str::to_owned)
}

/// Returns the text of a value without the comments around it.
fn trimmed(value: &RawValue) -> &str {
    value.trim().get_ron()
}

/// The keys and values of a map as text.
struct Entries<'a>(Vec<(&'a str, &'a str)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Entries<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    entries.push((trimmed(key), trimmed(value)));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Visitor)
    }
}

/// The fields of a struct: their names, and their values as text.
struct Fields<'a>(Vec<(String, &'a str)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Fields<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("fields in parentheses")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Fields<'de>, E> {
                Ok(Fields(Vec::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some((field, value)) = map.next_entry::<String, &RawValue>()? {
                    fields.push((field, trimmed(value)));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}
