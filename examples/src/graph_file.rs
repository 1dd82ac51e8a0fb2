//! Graphs from and to files, in the format of the file's extension.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use bevy_tilepath::{graphs::WaypointGraph, tilepath::waypoint::WaypointFileError};
use clap::Args;

/// The format of a graph file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Xml,
    Ron,
}

impl Format {
    fn of(file: &Path) -> Option<Self> {
        let end = file.extension()?;
        if end.eq_ignore_ascii_case("xml") {
            Some(Self::Xml)
        } else if end.eq_ignore_ascii_case("ron") {
            Some(Self::Ron)
        } else {
            None
        }
    }
}

/// The direction of y in the picture of a graph file, as in the command `tilepath graph`. Flatten
/// it beside the option `graph`.
#[derive(Args, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UpOptions {
    /// Draw the y of --graph upwards, as in a Bevy world; by default it points down, as on a screen
    #[arg(long, requires = "graph")]
    pub y_up: bool,
}

/// Parses the name of a graph file, for the command line.
///
/// # Errors
/// If the extension is neither `.xml` nor `.ron`.
pub fn graph_file(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    match Format::of(&file) {
        Some(_) => Ok(file),
        None => Err("graphs are XML or RON: give a name that ends in .xml or .ron".into()),
    }
}

/// Reads a graph.
///
/// # Errors
/// If the file cannot be read or is not a valid graph.
pub fn read(file: &Path) -> Result<WaypointGraph, FileError> {
    let fault = |fault| FileError { file: file.into(), fault };
    let text = fs::read_to_string(file).map_err(|error| fault(Fault::Read(error)))?;
    let graph = match Format::of(file) {
        Some(Format::Ron) => WaypointGraph::from_ron(&text),
        Some(Format::Xml) | None => WaypointGraph::from_xml(&text),
    };
    graph.map_err(|error| fault(Fault::Graph(Box::new(error))))
}

/// Writes a graph. An old file stays whole until all of the new one is written.
///
/// # Errors
/// If the file cannot be written.
pub fn write(graph: &WaypointGraph, file: &Path) -> Result<(), FileError> {
    let text = match Format::of(file) {
        Some(Format::Ron) => graph.to_ron(),
        Some(Format::Xml) | None => graph.to_xml(),
    };
    let mut beside = file.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    fs::write(&beside, text)
        .and_then(|()| fs::rename(&beside, file))
        .map_err(|error| FileError { file: file.into(), fault: Fault::Write(error) })
}

/// The reason why a graph could not be read or written.
#[derive(Debug)]
pub struct FileError {
    file: PathBuf,
    fault: Fault,
}

#[derive(Debug)]
enum Fault {
    Read(io::Error),
    Write(io::Error),
    Graph(Box<WaypointFileError>),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.fault {
            Fault::Read(error) => write!(f, "{file} cannot be read: {error}"),
            Fault::Write(error) => write!(f, "{file} cannot be written: {error}"),
            Fault::Graph(error) => write!(f, "{file}: {error}"),
        }
    }
}

impl std::error::Error for FileError {}

#[cfg(test)]
mod tests {
    use super::*;

    const TUTORIAL: [&str; 2] = [
        concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/waypoints/tutorial.xml"),
        concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/waypoints/tutorial.ron"),
    ];

    /// A file for one test, removed when dropped.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("tilepath-{}-{name}", std::process::id())))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            fs::remove_file(&self.0).ok();
        }
    }

    #[test]
    fn both_formats_are_read_by_their_ends() {
        let [xml, ron] = TUTORIAL.map(|file| read(Path::new(file)).unwrap());
        assert_eq!(xml, ron);
        assert_eq!(xml.len(), 6);
    }

    #[test]
    fn saved_graph_is_read_again_in_either_format() {
        let mut graph = read(Path::new(TUTORIAL[0])).unwrap();
        graph.join_one_way("n6", "n1").unwrap();
        for name in ["saved.xml", "saved.RON"] {
            let scratch = Scratch::new(name);
            fs::write(&scratch.0, "what was there").unwrap();
            write(&graph, &scratch.0).unwrap();
            assert_eq!(read(&scratch.0).unwrap(), graph, "{name}");
        }
    }

    #[test]
    fn a_fault_names_file_line_and_waypoint_in_one_line() {
        let scratch = Scratch::new("faulty.xml");
        fs::write(&scratch.0, "<nodes>\n  <node id='a' x='1' y='2' join='b'/>\n</nodes>").unwrap();
        let error = read(&scratch.0).unwrap_err().to_string();
        assert!(error.contains("faulty.xml: line 2"), "{error}");
        assert!(error.contains("`b`") && !error.contains('\n'), "{error}");
        let missing = read(Path::new("no-such-folder/graph.ron")).unwrap_err().to_string();
        assert!(missing.starts_with("no-such-folder/graph.ron cannot be read"), "{missing}");
        assert!(write(&WaypointGraph::new(), Path::new("no-such-folder/graph.ron")).is_err());
    }

    #[test]
    fn other_ends_are_refused() {
        assert!(graph_file("town.waypoints.xml").is_ok());
        for name in ["town.json", "town", "xml"] {
            assert!(graph_file(name).is_err(), "{name}");
        }
    }
}
