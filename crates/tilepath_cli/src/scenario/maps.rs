//! The maps that the rows of a scenario name.

use crate::{
    arguments::{Check, ScenArguments},
    failure::Failure,
    map_file::{Kind, MapFile, read_text},
    oracle::Oracle,
    scenario::comparison,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tilepath::{
    Cell, Grid, Movement, PathFinder,
    format::{LetterClasses, ScenarioRow},
};

/// What the answers on a map are compared with.
#[derive(Debug)]
pub(crate) enum Reference {
    /// The lengths in the scenario.
    File,
    /// Dijkstra's search.
    Oracle(Box<Oracle>),
}

/// A map ready for queries.
#[derive(Debug)]
pub(crate) struct Map {
    /// The map and how units move on it.
    pub(crate) finder: PathFinder,
    /// What the answers are compared with.
    pub(crate) reference: Reference,
    movement: Movement,
}

impl Map {
    /// Whether a unit may stand on the cell.
    pub(crate) fn is_open(&self, cell: Cell) -> bool {
        self.finder.grid().terrain(cell).is_some_and(|class| self.movement.costs().is_passable(class))
    }
}

/// All maps of a run, by file name, each read once.
#[derive(Debug)]
pub(crate) struct Maps {
    by_name: BTreeMap<String, Map>,
}

impl Maps {
    /// Reads the maps of the rows and checks that they have the size that each row says.
    ///
    /// # Errors
    /// Where a map cannot be read, is no map, or has another size.
    pub(crate) fn load(arguments: &ScenArguments, rows: &[&ScenarioRow]) -> Result<Self, Failure> {
        let folder = match &arguments.maps {
            Some(folder) => folder,
            None => arguments.scenario.parent().unwrap_or(Path::new("")),
        };
        let mut by_name = BTreeMap::new();
        for row in rows {
            let file = folder.join(row.map_file_name());
            let map = match by_name.entry(row.map_file_name().to_owned()) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(load(arguments, row, &file)?)
                }
            };
            check_size(arguments, row, file, map.finder.grid())?;
        }
        Ok(Self { by_name })
    }

    /// The map of a row.
    ///
    /// # Panics
    /// Where the row is not one of those that the maps were loaded for.
    pub(crate) fn of(&mut self, row: &ScenarioRow) -> &mut Map {
        self.by_name.get_mut(row.map_file_name()).expect("the map of every chosen row has been loaded")
    }

    /// The names of the files with their maps.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Map)> {
        self.by_name.iter().map(|(name, map)| (name.as_str(), map))
    }
}

fn load(arguments: &ScenArguments, row: &ScenarioRow, file: &Path) -> Result<Map, Failure> {
    let text = read_text(file).map_err(|error| Failure::ReadMap {
        scenario: arguments.scenario.clone(),
        line: row.line,
        map: file.to_owned(),
        error,
    })?;
    let map = MapFile::new(file, text, arguments.movement.terrain.as_ref())?;
    let grid = map.grid()?;
    let movement = Movement::new().with_diagonals(arguments.movement.diagonals).with_steps(arguments.steps);
    let plain = match map.kind() {
        Kind::MovingAi(letters) if **letters != LetterClasses::default() => {
            Some(map.grid_with(&LetterClasses::default()))
        }
        _ => None,
    };
    // Where a letter was added, the file is no map without it, and so its lengths cannot be for this map.
    let same_cells_open = match plain {
        None => true,
        Some(plain) => plain.is_ok_and(|plain| comparison::same_cells_open(&plain, &grid)),
    };
    let by_file =
        arguments.check == Check::File && same_cells_open && comparison::lengths_hold(&movement, &grid);
    let reference =
        if by_file { Reference::File } else { Reference::Oracle(Box::new(Oracle::new(&grid, &movement))) };
    Ok(Map { finder: PathFinder::new(grid, movement.clone()), reference, movement })
}

fn check_size(
    arguments: &ScenArguments,
    row: &ScenarioRow,
    map: PathBuf,
    grid: &Grid,
) -> Result<(), Failure> {
    if (grid.width(), grid.height()) == (row.width, row.height) {
        return Ok(());
    }
    Err(Failure::OtherSize {
        scenario: arguments.scenario.clone(),
        line: row.line,
        map,
        expected: format!("{} × {}", row.width, row.height),
        found: format!("{} × {}", grid.width(), grid.height()),
    })
}
