//! Recordings as RON.

use crate::{
    cell::Cell,
    edit::Edit,
    grid::Grid,
    movement::Movement,
    recording::{
        EntryFault, RecordedEntry, Recording,
        error::{RecordingFault, RecordingFileError},
    },
    stored::grid::{StoredEdges, StoredGrid, StoredOverlay, StoredRow},
    text::{ron_message, ron_options, to_ron, without_mark},
    topology::Topology,
};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use std::borrow::Cow;

/// The version of the format that is written. It is also the newest version that can be read.
pub(super) const VERSION: u32 = 4;

/// The content of the first field in each file.
const FORMAT: &str = "tilepath recording";

/// A whole file. The fields of the first map are fields of the file itself, so that its rows are on
/// lines of their own.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Recording", deny_unknown_fields)]
struct FileText<'a> {
    format: String,
    version: u32,
    crate_version: String,
    origin: Cell,
    width: u32,
    height: u32,
    rows: Vec<StoredRow>,
    #[serde(default, skip_serializing_if = "Topology::is_usual")]
    topology: Topology,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    exits: Vec<(Cell, u8)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    overlays: Vec<StoredOverlay>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edges: Vec<StoredEdges>,
    movements: Cow<'a, [Movement]>,
    entries: Cow<'a, [RecordedEntry]>,
}

/// The sizes of the maps in a recording. They are read before any map is made.
#[derive(Deserialize)]
struct Sizes {
    width: u32,
    height: u32,
    entries: Vec<EntrySize>,
}

/// The size of a map in an entry, if there is one.
#[derive(Deserialize)]
enum EntrySize {
    Edits(IgnoredAny),
    // Entries of older versions.
    Edit {},
    Void {},
    Exits {},
    Overlay {},
    Movement {},
    Removed {},
    Map { grid: GridSize },
    Query {},
    Nearest {},
    Crowd(CrowdSize),
}

#[derive(Deserialize)]
struct CrowdSize {
    bounds: GridSize,
}

#[derive(Deserialize)]
struct GridSize {
    width: u32,
    height: u32,
}

impl Sizes {
    /// Returns the number of cells of all maps together.
    fn cells(&self) -> u64 {
        let later = self.entries.iter().filter_map(|entry| match entry {
            EntrySize::Map { grid: size } | EntrySize::Crowd(CrowdSize { bounds: size }) => {
                Some(cells(size.width, size.height))
            }
            _ => None,
        });
        later.fold(cells(self.width, self.height), u64::saturating_add)
    }
}

fn cells(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}

/// The format and the version of a file. Newer versions may have other fields.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u32>,
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, RecordingFileError> {
    ron_options().from_str(text).map_err(|error| RecordingFileError {
        line: Some(error.span.start.line),
        column: Some(error.span.start.col),
        fault: RecordingFault::Malformed { message: ron_message(&error.code) },
    })
}

impl Recording {
    /// The largest number of cells in a recording that can be read: 8192 × 8192. The cells of all
    /// maps and of all edited rectangles count.
    ///
    /// The limit is needed because a map is stored as runs of equal cells. So even a short text can
    /// hold a very large map.
    pub const MAX_CELLS: u64 = 1 << 26;

    /// Reads a recording in RON. It also reads older format versions.
    ///
    /// # Errors
    /// [`RecordingFileError`] names the fault, and the line if there is one. The limit
    /// [`MAX_CELLS`](Self::MAX_CELLS) is checked before a map is made.
    ///
    /// # Memory
    /// One byte for each cell of the maps, and about forty bytes for each byte of the text. While a
    /// tick of a crowd is checked, also four bytes for each cell of its map.
    ///
    /// # Complexity
    /// O(length of the text + cells of the maps).
    pub fn from_text(text: &str) -> Result<Self, RecordingFileError> {
        let text = without_mark(text);
        // A bracket, an attribute or a comment.
        if !text.trim_start().starts_with(['(', '#', '/']) {
            return Err(RecordingFault::NotARecording.into());
        }
        // Checked first, so that other files and newer versions do not get an error about a detail.
        if let Ok(header) = read::<Header>(text) {
            match (header.format.as_deref(), header.version) {
                (Some(FORMAT), Some(found)) if found > VERSION => {
                    return Err(RecordingFault::NewerVersion { found }.into());
                }
                (Some(FORMAT), Some(_)) => {}
                _ => return Err(RecordingFault::NotARecording.into()),
            }
        }
        let cells = read::<Sizes>(text)?.cells();
        if cells > Self::MAX_CELLS {
            return Err(RecordingFault::TooManyCells { cells }.into());
        }
        let file: FileText<'_> = read(text)?;
        let FileText { origin, width, height, rows, topology, exits, overlays, edges, .. } = file;
        let grid =
            Grid::try_from(StoredGrid { origin, width, height, rows, topology, exits, overlays, edges })
                .map_err(|fault| RecordingFault::Malformed { message: fault.to_string() })?;
        let recording = Self {
            crate_version: file.crate_version,
            grid,
            movements: file.movements.into_owned(),
            entries: file.entries.into_owned(),
        };
        let cells = recording.edited_cells().saturating_add(cells);
        if cells > Self::MAX_CELLS {
            return Err(RecordingFault::TooManyCells { cells }.into());
        }
        if recording.movements.is_empty() {
            return Err(RecordingFault::Malformed { message: EntryFault::NoMovement.to_string() }.into());
        }
        recording.check_entries().map_err(|(entry, fault)| RecordingFault::Entry { entry, fault })?;
        Ok(recording)
    }

    /// Returns the number of cells in the edited rectangles. A short text can name very large
    /// rectangles.
    fn edited_cells(&self) -> u64 {
        let edits = self.entries.iter().filter_map(|entry| match entry {
            RecordedEntry::Edits(edits) => Some(edits),
            _ => None,
        });
        edits.flatten().map(Edit::area_cells).fold(0, u64::saturating_add)
    }

    /// Checks that each entry can be replayed after the entries before it. An error holds the
    /// number of the entry, from 1.
    fn check_entries(&self) -> Result<(), (usize, EntryFault)> {
        let (mut bounds, mut topology) = (self.grid.bounds(), self.grid.topology());
        let mut count = self.movements.len();
        for (number, entry) in (1..).zip(&self.entries) {
            match entry {
                RecordedEntry::Edits(edits) => edits
                    .iter()
                    .try_for_each(|edit| edit.check_restored(&bounds, topology))
                    .map_err(|error| (number, EntryFault::Edit(error)))?,
                RecordedEntry::Movement { id, .. } if id.index() > count => {
                    return Err((number, EntryFault::MovementGap { id: *id, count }));
                }
                RecordedEntry::Removed { id } if id.index() >= count || id.index() == 0 => {
                    return Err((number, EntryFault::NotRemovable { id: *id, count }));
                }
                RecordedEntry::Movement { id, .. } => count = count.max(id.index() + 1),
                RecordedEntry::Map { movements, .. } if movements.is_empty() => {
                    return Err((number, EntryFault::NoMovement));
                }
                RecordedEntry::Map { grid, movements } => {
                    (bounds, topology, count) = (grid.bounds(), grid.topology(), movements.len());
                }
                RecordedEntry::Crowd(tick) => {
                    tick.check().map_err(|fault| (number, EntryFault::Crowd(fault)))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn file(&self) -> FileText<'_> {
        let StoredGrid { origin, width, height, rows, topology, exits, overlays, edges } =
            StoredGrid::of(&self.grid);
        FileText {
            format: FORMAT.to_owned(),
            version: VERSION,
            crate_version: self.crate_version.clone(),
            origin,
            width,
            height,
            rows,
            topology,
            exits,
            overlays,
            edges,
            movements: Cow::Borrowed(&self.movements),
            entries: Cow::Borrowed(&self.entries),
        }
    }

    /// Writes the recording as RON. The map is a picture, and each entry is one line.
    ///
    /// # Guarantee
    /// [`from_text`](Self::from_text) reads an equal recording, if its maps and edited
    /// rectangles have at most [`MAX_CELLS`](Self::MAX_CELLS) cells together.
    #[must_use]
    pub fn to_ron(&self) -> String {
        to_ron(&self.file())
    }
}
