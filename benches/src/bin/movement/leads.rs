//! Crowds led by full fields, and by the paths of the finder.

use tilepath::{
    Cell, Cost, MovementId, PathQuery,
    crowd::{Activity, Body, BodyId, Crowd, FieldGuide, Guide as _, Lead, Steps, Way, WayGuide},
};

use crate::{league::Mover, problem::Problem};

/// A crowd of bodies that need one tick for a step.
struct Walkers<'map> {
    problem: &'map Problem,
    steps: Steps<'map>,
    crowd: Crowd,
    ids: Vec<BodyId>,
}

impl<'map> Walkers<'map> {
    fn new(problem: &'map Problem, draw: usize) -> Self {
        let mut crowd = Crowd::new(problem.finder.grid());
        let body = |(number, &start): (u32, &Cell)| Body::new(number, start);
        // A hash of the numbers decides between cells of equal worth.
        let numbered = (draw as u32 * 10_000..).zip(&problem.starts);
        let ids =
            numbered.map(|start| crowd.insert(&body(start)).expect("the start is on the map")).collect();
        let steps = Steps::new(&problem.finder, MovementId::FIRST).expect("the first movement");
        Self { problem, steps, crowd, ids }
    }

    fn send(&mut self, body: usize, goal: Cell, step: u32) {
        let goal = self.problem.slot(goal) as u32;
        self.crowd.set_activity(self.ids[body], Activity::UnderWay { since: step }, Some(goal));
    }

    fn cell(&self, body: usize) -> Cell {
        self.crowd.cell(self.ids[body])
    }
}

/// A crowd led by full fields.
pub(crate) struct ByFields<'map> {
    walkers: Walkers<'map>,
    field_of: Vec<u32>,
}

impl<'map> ByFields<'map> {
    pub(crate) fn new(problem: &'map Problem, draw: usize) -> Self {
        Self { walkers: Walkers::new(problem, draw), field_of: vec![0; problem.starts.len()] }
    }
}

impl Mover for ByFields<'_> {
    fn send(&mut self, body: usize, goal: Cell, step: u32) {
        self.walkers.send(body, goal, step);
        self.field_of[body] = self.walkers.problem.field_of(goal);
    }

    fn step(&mut self) {
        let Walkers { problem, steps, crowd, .. } = &mut self.walkers;
        crowd.tick(&mut FieldGuide { steps: *steps, fields: &problem.fields, field_of: &self.field_of });
    }

    fn cell(&self, body: usize) -> Cell {
        self.walkers.cell(body)
    }
}

/// The path of a body.
#[derive(Default)]
struct Plan {
    cells: Vec<Cell>,
    rests: Vec<Cost>,
    /// The index of the cell on which the body stood last.
    at: usize,
    /// The cell where the body has left the path.
    left_at: Option<Cell>,
    /// The slot of the body.
    place: usize,
}

impl Plan {
    fn way(&self) -> Way<'_> {
        Way::new(&self.cells, &self.rests, self.at).with_left_at(self.left_at)
    }
}

/// A crowd in which a path of the finder leads each body.
pub(crate) struct ByPaths<'map> {
    walkers: Walkers<'map>,
    goals: Vec<Cell>,
    plans: Vec<Plan>,
    /// True if the shapes of the paths are drawn.
    has_shapes: bool,
    searches: u64,
}

impl<'map> ByPaths<'map> {
    pub(crate) fn new(problem: &'map Problem, draw: usize, has_shapes: bool) -> Self {
        let (goals, plans) =
            (problem.starts.clone(), problem.starts.iter().map(|_| Plan::default()).collect());
        Self { walkers: Walkers::new(problem, draw), goals, plans, has_shapes, searches: 0 }
    }

    fn search(&mut self, body: usize) {
        let (from, goal) = (self.walkers.cell(body), self.goals[body]);
        let query = PathQuery::new(from, goal);
        let query = if self.has_shapes { query.with_drawn_shape() } else { query };
        let path =
            self.walkers.problem.finder.solve(&query).expect("both are on the map").outcome.into_path();
        let cells = path.expect("the map is connected").into_cells();
        let rests = (0..cells.len() as u32).rev().map(|steps| Cost::new(10 * steps)).collect();
        self.plans[body] =
            Plan { cells, rests, at: 0, left_at: None, place: self.walkers.problem.slot(from) };
        self.searches += 1;
    }
}

/// Returns the lead of each body.
fn leads<'plans>(steps: Steps<'plans>, plans: &'plans [Plan]) -> Vec<Lead<'plans>> {
    let lead =
        |plan: &'plans Plan| Lead { steps, way: plan.way(), field: None, shared: None, at: plan.place };
    plans.iter().map(lead).collect()
}

impl Mover for ByPaths<'_> {
    fn send(&mut self, body: usize, goal: Cell, step: u32) {
        self.walkers.send(body, goal, step);
        self.goals[body] = goal;
        self.search(body);
    }

    fn step(&mut self) {
        let Walkers { problem, steps, crowd, ids } = &mut self.walkers;
        crowd.tick(&mut WayGuide::new(&leads(*steps, &self.plans)));
        for (plan, &id) in self.plans.iter_mut().zip(&*ids) {
            let cell = crowd.cell(id);
            plan.left_at = plan.way().left_at(cell);
            plan.at += plan.way().place_of(cell).unwrap_or(0);
            plan.place = problem.slot(cell);
        }
        // A body that is too far off its path is not led.
        let leads = leads(*steps, &self.plans);
        let mut guide = WayGuide::new(&leads);
        let lost: Vec<usize> =
            (0..ids.len()).filter(|&body| guide.rest(ids[body], leads[body].at).is_none()).collect();
        for body in lost {
            self.search(body);
        }
    }

    fn cell(&self, body: usize) -> Cell {
        self.walkers.cell(body)
    }

    fn searches(&self) -> u64 {
        self.searches
    }
}
