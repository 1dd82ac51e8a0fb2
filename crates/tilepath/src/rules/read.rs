//! Rules from RON.
//!
//! Decision: `docs/decisions/29-files-and-faults.md`.

mod movements;
mod prices;
mod reader;

use self::reader::{Reader, parsed, similar, whole};
use super::{
    Rules, TextureRange,
    error::{RulesError, RulesFault, RulesFaultKind},
};
use crate::text::{ron_message, source::Source};
use ron::error::SpannedError;
use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    ops::RangeInclusive,
};

const CLASSES: &str = r#"numbers with names, such as {0: "wall", 1: "grass"}"#;
const TEXTURES: &str = r#"indices and ranges with classes, such as {3: "grass", 8..=15: "water"}"#;
const MOVEMENTS: &str = r#"names with descriptions, such as {"walker": (costs: {"grass": 1})}"#;

impl Rules {
    /// Reads rules from RON. The [module](super) describes the file format.
    ///
    /// # Errors
    /// [`RulesError`] lists all faults that were found, each with its line. If the text is not
    /// valid RON, there is only one fault.
    ///
    /// # Examples
    /// ```
    /// use tilepath::rules::Rules;
    /// let rules = Rules::from_ron(r#"(classes: {1: "grass"}, movements: {"sheep": (costs: {"grass": 1})})"#)?;
    /// assert!(rules.movement("sheep").is_some_and(|sheep| sheep.costs().is_passable(1)));
    /// let error = Rules::from_ron(r#"(classes: {1: "grass", 300: "mud"}, movements: {"sheep": (size: 0)})"#);
    /// assert_eq!(error.unwrap_err().faults().len(), 2);
    /// # Ok::<(), tilepath::rules::RulesError>(())
    /// ```
    pub fn from_ron(text: &str) -> Result<Self, RulesError> {
        // A comment may end a file, but a part of a file must not end with one.
        let text = format!("{text}\n");
        let source = Source::new(&text);
        let text = whole(source.0).map_err(|objection| malformed(source, objection))?;
        let mut reader = Reader::new(source);
        let rules = read(&mut reader, text);
        reader.finish(rules)
    }
}

/// Returns the only fault of a text that is not RON.
fn malformed(source: Source<'_>, objection: SpannedError) -> RulesError {
    // A text of space and comments becomes one valid value if `()` is added.
    let is_empty = parsed::<()>(&format!("{}()", source.0)).is_some();
    let (place, kind) = if is_empty {
        ((1, 1), RulesFaultKind::Empty)
    } else {
        let start = objection.span.start;
        ((start.line, start.col), RulesFaultKind::Malformed { message: ron_message(&objection.code) })
    };
    let fault = RulesFault { line: place.0, column: place.1, name: None, kind };
    RulesError { faults: vec![fault], untold: 0 }
}

/// Reads the rules. If there are faults, the result is not used, so it may hold invalid names.
fn read<'a>(reader: &mut Reader<'a>, text: &'a str) -> Rules {
    let known = ["classes", "textures", "movements"];
    let file = ["file of rules", r#"fields in parentheses, such as (classes: {1: "grass"})"#];
    let fields = reader.fields(text, None, known, file);
    let [classes, textures, movements] = fields.unwrap_or_default();
    if fields.is_some() && classes.is_none() {
        reader.push_fault(text, None, |_| RulesFaultKind::MissingField { field: known[0] });
    }
    let classes = Classes::read(reader, classes);
    let textures = textures.map_or_else(Vec::new, |part| read_textures(reader, part, &classes));
    let movements = movements.map_or_else(Vec::new, |part| movements::read(reader, part, &classes));
    Rules { classes: classes.names, textures, movements }
}

/// The classes in the file.
#[derive(Default, Debug)]
struct Classes<'a> {
    names: BTreeMap<u8, String>,
    /// The number of each class, and the place in the text where it is listed.
    numbers: HashMap<String, (u8, &'a str)>,
    /// True if the list of classes could be read.
    is_listed: bool,
}

impl<'a> Classes<'a> {
    fn read(reader: &mut Reader<'a>, part: Option<&'a str>) -> Self {
        let entries = part.and_then(|part| reader.entries(part, None, "list of classes", CLASSES));
        let mut classes = Self { is_listed: entries.is_some(), ..Self::default() };
        let mut listed: HashMap<u8, &'a str> = HashMap::new();
        for (key, value) in entries.unwrap_or_default() {
            let name = reader.name(value, None, "class");
            let about = name.as_deref();
            let number: Option<u8> = reader.value(key, about, "class", "a whole number from 0 to 255");
            if let Some(class) = number
                && let Some(first) = listed.insert(class, key)
            {
                listed.insert(class, first);
                let other = classes.names.get(&class).cloned().unwrap_or_default();
                reader.push_fault(key, about, |source| RulesFaultKind::ClassTwice {
                    class,
                    other,
                    line: line(source, first),
                });
            } else if let (Some(class), Some(name)) = (number, &name) {
                classes.names.insert(class, name.clone());
            }
            let Some(name) = name else { continue };
            match classes.numbers.entry(name) {
                Entry::Vacant(place) => _ = place.insert((number.unwrap_or(0), value)),
                Entry::Occupied(first) => {
                    let (name, first) = (first.key().clone(), first.get().1);
                    reader.push_fault(value, Some(&name.clone()), |source| RulesFaultKind::NameTwice {
                        kind: "class",
                        name,
                        line: line(source, first),
                    });
                }
            }
        }
        classes
    }

    /// Returns the class that a part of the text names. If the class is unknown, notes a fault.
    fn class(&self, reader: &mut Reader<'a>, part: &str, about: Option<&str>) -> Option<(u8, String)> {
        let name = reader.name(part, about, "class")?;
        Some((self.named(reader, part, name.clone(), about)?, name))
    }

    /// Returns the class of a name in a part of the text. If it is unknown, notes a fault.
    fn named(&self, reader: &mut Reader<'a>, part: &str, name: String, about: Option<&str>) -> Option<u8> {
        if let Some(&(class, _)) = self.numbers.get(&name) {
            return Some(class);
        }
        if self.is_listed {
            reader.push_fault(part, about, |_| RulesFaultKind::UnknownClass {
                // If several names are equally similar, the class with the lowest number comes
                // first.
                similar: similar(&name, self.names.values().map(String::as_str)),
                class: name,
            });
        }
        None
    }
}

/// Returns the line of a part of the text.
fn line(source: Source<'_>, part: &str) -> usize {
    source.line_and_column(source.offset(part)).0
}

/// A range of textures as it is written in the file.
struct StatedTextures<'a> {
    range: TextureRange,
    class: String,
    key: &'a str,
}

fn read_textures<'a>(reader: &mut Reader<'a>, part: &'a str, classes: &Classes<'a>) -> Vec<TextureRange> {
    let mut stated = Vec::new();
    for (key, value) in reader.entries(part, None, "list of textures", TEXTURES).unwrap_or_default() {
        let class = classes.class(reader, value, None);
        if let (Some((first, last)), Some((number, class))) = (texture_range(reader, key), class) {
            stated.push(StatedTextures { range: TextureRange { first, last, class: number }, class, key });
        }
    }
    // The sort is stable: equal ranges stay in the order of the text.
    stated.sort_by_key(|textures| textures.range.first);
    merged(reader, stated)
}

/// Returns the indices of a key.
fn texture_range(reader: &mut Reader<'_>, key: &str) -> Option<(u32, u32)> {
    let one = || parsed::<u32>(key).map(|index| index..=index);
    let Some(range) = parsed::<RangeInclusive<u32>>(key).or_else(one) else {
        reader.push_bad_value(key, None, "texture", "an index such as 3, or a range such as 8..=15");
        return None;
    };
    let (first, last) = range.into_inner();
    let highest = first.max(last);
    if highest > Rules::MAX_TEXTURE {
        reader.push_fault(key, None, |_| RulesFaultKind::TextureIndex { index: highest });
    } else if first > last {
        reader.push_fault(key, None, |_| RulesFaultKind::BackwardRange { first, last });
    } else {
        return Some((first, last));
    }
    None
}

/// Merges ranges that are sorted by their first index. In the result, ranges that touch have
/// different classes.
fn merged(reader: &mut Reader<'_>, stated: Vec<StatedTextures<'_>>) -> Vec<TextureRange> {
    let mut merged: Vec<TextureRange> = Vec::new();
    // The range with the highest last index. It finds each overlap: a range inside it has the same
    // class, or is a fault already.
    let mut furthest: Option<StatedTextures<'_>> = None;
    for next in stated {
        if let Some(before) = &furthest
            && next.range.first <= before.range.last
            && next.class != before.class
        {
            push_overlap(reader, before, &next);
        }
        match merged.last_mut() {
            Some(last)
                if last.class == next.range.class && next.range.first <= last.last.saturating_add(1) =>
            {
                last.last = last.last.max(next.range.last);
            }
            _ => merged.push(next.range),
        }
        if furthest.as_ref().is_none_or(|before| next.range.last > before.range.last) {
            furthest = Some(next);
        }
    }
    merged
}

/// Notes that two ranges of different classes overlap, at the one that comes later in the text.
fn push_overlap(reader: &mut Reader<'_>, one: &StatedTextures<'_>, other: &StatedTextures<'_>) {
    let (first, last) = (other.range.first, one.range.last.min(other.range.last));
    let (earlier, later) = if one.key.as_ptr() < other.key.as_ptr() { (one, other) } else { (other, one) };
    reader.push_fault(later.key, None, |source| RulesFaultKind::TextureTwice {
        first,
        last,
        first_class: earlier.class.clone(),
        line: line(source, earlier.key),
        class: later.class.clone(),
    });
}
