//! Problems of the League of Robot Runners: a map, starts and errands.

use std::{fs, path::Path};

use tilepath::{Cell, Cost, Diagonals, Movement, PathFinder, field::FlowField, format};

/// The folder of each problem, and the names of its files: map, and starts and errands.
pub(crate) const FILES: [[&str; 3]; 3] = [
    ["random.domain", "random-64-64-10", "random-example_400"],
    ["room.domain", "room-64-64-16", "room-example_250"],
    ["maze.domain", "maze-32-32-2", "maze-example_40"],
];

/// A problem, with the distances to all cells at which an errand may lead.
pub(crate) struct Problem {
    pub(crate) name: String,
    pub(crate) finder: PathFinder,
    pub(crate) starts: Vec<Cell>,
    /// The stops of each errand.
    pub(crate) errands: Vec<Vec<Cell>>,
    pub(crate) fields: Vec<FlowField>,
    /// For each slot of the map, the index of its field; `NO_FIELD` if no errand leads there.
    field_at: Vec<u32>,
}

const NO_FIELD: u32 = u32::MAX;

impl Problem {
    /// Reads a problem.
    ///
    /// # Panics
    /// If a file is missing or damaged.
    pub(crate) fn read(league: &Path, [folder, map, errands]: [&str; 3]) -> Self {
        let folder = league.join(folder);
        let read = |path: &str| fs::read_to_string(folder.join(path)).expect("the file of the problem");
        let text = read(&format!("maps/{map}.map"));
        let grid = format::parse_moving_ai(&text, &format::LetterClasses::default()).expect("a map");
        let bounds = grid.bounds();
        let (width, height) = (bounds.width() as i32, bounds.height() as i32);
        // The files count rows from the top.
        let cell = |number: i32| Cell::new(number % width, height - 1 - number / width);
        let lists = |text: &str| -> Vec<Vec<Cell>> {
            let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).skip(1);
            let numbers =
                |line: &str| line.split(',').map(|word| cell(word.trim().parse().expect("a cell"))).collect();
            lines.map(numbers).collect()
        };
        let starts = lists(&read(&format!("agents/{errands}.agents"))).into_iter().flatten().collect();
        let errands = lists(&read(&format!("tasks/{errands}.tasks")));
        let finder = PathFinder::new(grid, Movement::new().with_diagonals(Diagonals::Never));
        let (mut fields, mut field_at) = (Vec::new(), vec![NO_FIELD; bounds.cell_count()]);
        for &goal in errands.iter().flatten() {
            let slot = bounds.slot(goal).expect("the errand leads to a cell");
            if field_at[slot] == NO_FIELD {
                field_at[slot] = fields.len() as u32;
                fields.push(finder.field(&[goal]).expect("the goal is on the map"));
            }
        }
        Self { name: map.to_owned(), finder, starts, errands, fields, field_at }
    }

    /// Returns the index of the field of a goal.
    pub(crate) fn field_of(&self, goal: Cell) -> u32 {
        self.field_at[self.slot(goal)]
    }

    pub(crate) fn slot(&self, cell: Cell) -> usize {
        self.finder.grid().bounds().slot(cell).expect("the cell is on the map")
    }

    /// Returns the cost of the cheapest path.
    pub(crate) fn distance(&self, from: Cell, goal: Cell) -> Cost {
        self.fields[self.field_of(goal) as usize].cost(from).expect("the map is connected")
    }
}
