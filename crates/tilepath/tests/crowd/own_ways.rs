//! Bodies led by paths of their own.
//!
//! The paths are found as for orders. Around its goal, each body also has a local field.

use tilepath::{
    Cell, Cost, Movement, PathFinder,
    crowd::{BodyId, Crowd, Guide as _, Lead, LocalField, Steps, Way, WayGuide},
};

/// The distance from each goal within which costs are known, in cells.
const AROUND_GOALS: u32 = 6;

/// The path of a body, and the body's last place on it.
struct OwnWay {
    cells: Vec<Cell>,
    rests: Vec<Cost>,
    at: usize,
    /// The cell where the body has left the path.
    left_at: Option<Cell>,
}

impl OwnWay {
    fn way(&self) -> Way<'_> {
        Way::new(&self.cells, &self.rests, self.at).with_left_at(self.left_at)
    }
}

/// The paths of all bodies of a scene.
pub(crate) struct OwnWays<'map> {
    finder: &'map PathFinder,
    movement: &'map Movement,
    ways: Vec<OwnWay>,
    fields: Vec<LocalField>,
    goals: Vec<Cell>,
}

impl<'map> OwnWays<'map> {
    pub(crate) fn new(
        finder: &'map PathFinder,
        movement: &'map Movement,
        steps: &Steps,
        trips: &[(Cell, Cell)],
    ) -> Self {
        let slot = |cell: Cell| finder.grid().bounds().slot(cell).unwrap();
        let around = |&(_, goal): &(Cell, Cell)| {
            LocalField::around(steps, slot(goal), AROUND_GOALS, [(slot(goal), Cost::ZERO)])
        };
        let fields = trips.iter().map(around).collect();
        let ways = trips.iter().map(|&(from, to)| found(finder, movement, from, to)).collect();
        Self { finder, movement, ways, fields, goals: trips.iter().map(|trip| trip.1).collect() }
    }

    /// Updates the places of the bodies, and finds new paths for bodies that are too far from their
    /// paths.
    pub(crate) fn follow(&mut self, crowd: &Crowd, ids: &[BodyId], steps: Steps) {
        for (way, &id) in self.ways.iter_mut().zip(ids) {
            way.left_at = way.way().left_at(crowd.cell(id));
            way.at += way.way().place_of(crowd.cell(id)).unwrap_or(0);
        }
        let leads = self.leads(crowd, ids, steps);
        let mut guide = WayGuide::new(&leads);
        let is_lost = |&(_, &id): &(usize, &BodyId)| guide.rest(id, leads[id.index()].at).is_none();
        let lost: Vec<usize> = ids.iter().enumerate().filter(is_lost).map(|(index, _)| index).collect();
        for index in lost {
            let from = crowd.cell(ids[index]);
            self.ways[index] = found(self.finder, self.movement, from, self.goals[index]);
        }
    }

    /// Returns the leads of all bodies, in the order of their trips.
    pub(crate) fn leads<'own>(
        &'own self,
        crowd: &Crowd,
        ids: &[BodyId],
        steps: Steps<'own>,
    ) -> Vec<Lead<'own>> {
        let lead = |((way, field), &id): ((&'own OwnWay, &'own LocalField), &BodyId)| Lead {
            steps,
            way: way.way(),
            field: Some(field),
            shared: None,
            at: steps.bounds().slot(crowd.cell(id)).unwrap(),
        };
        self.ways.iter().zip(&self.fields).zip(ids).map(lead).collect()
    }
}

fn found(finder: &PathFinder, movement: &Movement, from: Cell, to: Cell) -> OwnWay {
    let path = finder.find(from, to).unwrap().into_path().expect("all cells of a scene are connected");
    let mut rests = vec![Cost::ZERO; path.cells().len()];
    for (place, pair) in path.cells().windows(2).enumerate().rev() {
        let direction = tilepath::Direction::between(pair[0], pair[1]).unwrap();
        let step = movement.step_cost(finder.grid(), pair[0], direction).unwrap();
        rests[place] = rests[place + 1].checked_add(step).unwrap();
    }
    OwnWay { cells: path.cells().to_vec(), rests, at: 0, left_at: None }
}
