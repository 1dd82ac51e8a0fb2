//! The maps of a scenario.

use crate::{
    arguments::{Check, ScenArguments},
    failure::Failure,
    input::read_file,
    map_file::MapFile,
    scenario::comparison,
};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
};
use tilepath::{Cell, Movement, PathFinder, PathQuery, QueryError, format::ScenarioRow};

/// The reference for the answers on a map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reference {
    /// The lengths in the scenario.
    File,
    /// Dijkstra's search.
    Dijkstra,
}

/// A map, ready for queries.
#[derive(Debug)]
pub(crate) struct Map {
    /// The finder with the map and the movement.
    pub(crate) finder: PathFinder,
    /// The reference for the answers.
    pub(crate) reference: Reference,
    movement: Movement,
}

impl Map {
    /// Returns whether a unit can stand on the cell.
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
    /// Reads the maps of the rows, and checks their sizes against each row.
    ///
    /// # Errors
    /// If a map cannot be read, is not a map, has another size, or cannot be searched with the
    /// algorithm.
    pub(crate) fn load(arguments: &ScenArguments, rows: &[&ScenarioRow]) -> Result<Self, Failure> {
        let folder = match &arguments.maps {
            Some(folder) => folder,
            // For standard input, `-`, this is the current folder.
            None => arguments.scenario.parent().unwrap_or(Path::new("")),
        };
        let mut by_name = BTreeMap::new();
        for row in rows {
            let file = folder.join(row.map_file_name());
            match by_name.entry(row.map_file_name().to_owned()) {
                Entry::Occupied(entry) => check_size(arguments, row, &file, entry.get())?,
                Entry::Vacant(entry) => {
                    let map = entry.insert(load(arguments, row, &file)?);
                    check_size(arguments, row, &file, map)?;
                    check_algorithm(arguments, row, file, map)?;
                }
            }
        }
        Ok(Self { by_name })
    }

    /// Returns the map of a row.
    ///
    /// # Panics
    /// If the map of the row was not loaded.
    pub(crate) fn of(&self, row: &ScenarioRow) -> &Map {
        self.by_name.get(row.map_file_name()).expect("the map of every chosen row has been loaded")
    }

    /// Returns the maps with their file names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Map)> {
        self.by_name.iter().map(|(name, map)| (name.as_str(), map))
    }
}

fn load(arguments: &ScenArguments, row: &ScenarioRow, file: &Path) -> Result<Map, Failure> {
    let text = read_file(file).map_err(|error| Failure::ReadMap {
        scenario: arguments.scenario.clone(),
        line: row.line,
        map: file.to_owned(),
        error,
    })?;
    let map = MapFile::new(file, text, arguments.movement.terrain.as_ref())?;
    let grid = map.grid()?;
    let movement = Movement::new().with_diagonals(arguments.movement.diagonals).with_steps(arguments.steps);
    // If the map is invalid without an added letter, the lengths in the file cannot be for this
    // map.
    let same_cells_open = match map.grid_with_usual_letters() {
        None => true,
        Some(plain) => plain.is_ok_and(|plain| comparison::same_cells_open(&plain, &grid)),
    };
    let by_file =
        arguments.check == Check::File && same_cells_open && comparison::lengths_hold(&movement, &grid);
    let reference = if by_file { Reference::File } else { Reference::Dijkstra };
    Ok(Map { finder: PathFinder::new(grid, movement.clone()), reference, movement })
}

fn check_size(arguments: &ScenArguments, row: &ScenarioRow, file: &Path, map: &Map) -> Result<(), Failure> {
    let grid = map.finder.grid();
    if (grid.width(), grid.height()) == (row.width, row.height) {
        return Ok(());
    }
    Err(Failure::OtherSize {
        scenario: arguments.scenario.clone(),
        line: row.line,
        map: file.to_owned(),
        expected: format!("{} × {}", row.width, row.height),
        found: format!("{} × {}", grid.width(), grid.height()),
    })
}

/// Checks that the algorithm can search a map. This does not depend on the start and the goal.
fn check_algorithm(
    arguments: &ScenArguments,
    row: &ScenarioRow,
    file: PathBuf,
    map: &Map,
) -> Result<(), Failure> {
    let bounds = map.finder.grid().bounds();
    let Some((from, to)) = row.start_cell(&bounds).zip(row.goal_cell(&bounds)) else { return Ok(()) };
    let query = PathQuery::new(from, to).with_algorithm(arguments.movement.algorithm);
    match map.finder.begin(&query) {
        // An overflow is the result of its row.
        Ok(_) | Err(QueryError::CostOverflow) => Ok(()),
        Err(error) => Err(Failure::Query { file, error }),
    }
}
