//! The experiment: what is searched, how, and how far the search has come. Widgets, keys and the mouse all change it by
//! [`Order`]s.

use bevy::prelude::*;
use tilepath::{
    Cell, FailureExplanation, GraphError, MovementId, NodeId, Outcome, PathQuery, QueryError, WaypointGraph,
};

use crate::{
    comparison::{self, Row},
    field::Field,
    network::Network,
    run::{GraphRun, GridRun},
    settings::{Brush, Mode, Setting, Settings},
};

/// Something that a widget, a key or the mouse wants.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub(crate) enum Order {
    /// Make a choice.
    Choose(Setting),
    /// Play, or pause. At the end it plays from the beginning.
    PlayOrPause,
    /// So many steps forward, or back.
    Step(i32),
    /// To this step.
    Seek(usize),
    /// To the end.
    SeekEnd,
    /// The speed slider.
    Speed(f32),
    /// A new random pair.
    NewPair,
    /// Another map of the same kind.
    NewMap,
    /// No walls, no terrain.
    Clear,
    /// Another class for a cell.
    Paint(Cell, u8),
    /// Draws the proposed route on to a cell; from the start it begins anew.
    Propose(Cell),
    /// The start goes to a cell.
    MoveStart(Cell),
    /// The goal goes to a cell.
    MoveGoal(Cell),
    /// A node was clicked.
    Pick(NodeId),
    /// The next node (or the one before) becomes start, or goal.
    TurnEnd { is_start: bool, forward: bool },
}

/// The steps of a search at one of its steps.
pub(crate) enum Run {
    /// Nothing to search yet: the goal is missing.
    Idle,
    Grid(Box<GridRun>),
    Graph(Box<GraphRun>),
    /// The core refuses the query, and says why.
    Refused(String),
}

impl From<Result<GridRun, QueryError>> for Run {
    fn from(run: Result<GridRun, QueryError>) -> Self {
        run.map_or_else(|error| Self::Refused(error.to_string()), |run| Self::Grid(Box::new(run)))
    }
}

impl From<Result<GraphRun, GraphError>> for Run {
    fn from(run: Result<GraphRun, GraphError>) -> Self {
        run.map_or_else(|error| Self::Refused(error.to_string()), |run| Self::Graph(Box::new(run)))
    }
}

/// Lowest and highest position of the speed slider: powers of ten of steps a second.
pub(crate) const SPEEDS: (f32, f32) = (0.0, 3.0);

/// The experiment.
#[derive(Resource)]
pub(crate) struct Lab {
    settings: Settings,
    field: Field,
    network: Network,
    run: Run,
    rows: Vec<Row>,
    /// What would have to open where there is no way.
    failure: Option<FailureExplanation>,
    is_playing: bool,
    speed: f32,
    /// The part of a step that has passed.
    progress: f32,
}

impl Lab {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut lab = Self {
            settings,
            field: Field::new(settings),
            network: Network::tutorial(),
            run: Run::Idle,
            rows: Vec::new(),
            failure: None,
            is_playing: false,
            speed: 1.0,
            progress: 0.0,
        };
        lab.begin(0);
        lab
    }

    /// Takes the graph of a file in place of the tutorial's; says whether there was a node in it.
    pub(crate) fn take_graph(&mut self, waypoints: WaypointGraph) -> bool {
        let network = Network::of(waypoints);
        let has_nodes = network.is_some();
        if let Some(network) = network {
            self.network = network;
            self.begin(0);
        }
        has_nodes
    }

    pub(crate) const fn settings(&self) -> Settings {
        self.settings
    }

    pub(crate) const fn field(&self) -> &Field {
        &self.field
    }

    pub(crate) const fn network(&self) -> &Network {
        &self.network
    }

    pub(crate) const fn run(&self) -> &Run {
        &self.run
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) const fn failure(&self) -> Option<&FailureExplanation> {
        self.failure.as_ref()
    }

    pub(crate) const fn is_playing(&self) -> bool {
        self.is_playing
    }

    pub(crate) const fn speed(&self) -> f32 {
        self.speed
    }

    /// Steps a second.
    pub(crate) fn rate(&self) -> f32 {
        10_f32.powf(self.speed)
    }

    pub(crate) fn at(&self) -> usize {
        match &self.run {
            Run::Grid(run) => run.at(),
            Run::Graph(run) => run.at(),
            Run::Idle | Run::Refused(_) => 0,
        }
    }

    pub(crate) fn total(&self) -> usize {
        match &self.run {
            Run::Grid(run) => run.total(),
            Run::Graph(run) => run.total(),
            Run::Idle | Run::Refused(_) => 0,
        }
    }

    /// The grid's query, searched as in the textbook. It asks nothing beforehand, so that a search that gives up can be seen.
    pub(crate) fn query(&self) -> PathQuery {
        PathQuery::new(self.field.start, self.field.goal)
            .with_algorithm(self.settings.method.on_grids())
            .with_estimate(self.settings.estimate)
            .without_reachability()
            .with_every_step()
    }

    /// What the explanations say of the proposed route, or else of the path and its bill, or of the barrier.
    pub(crate) fn explanation(&self) -> Option<String> {
        let finder = &self.field.finder;
        if self.settings.mode == Mode::Graph {
            return None;
        }
        if self.field.proposal.len() > 1 {
            return Some(match finder.compare(&self.field.proposal, &self.query()) {
                Ok(comparison) => format!("{comparison}\n\n{}", comparison.proposal()),
                Err(error) => error.to_string(),
            });
        }
        let Run::Grid(run) = &self.run else { return None };
        match run.answer()?.ok()?.outcome {
            Outcome::Found(path) => {
                finder.explain(path.cells(), MovementId::FIRST).ok().map(|receipt| receipt.to_string())
            }
            _ => match &self.failure {
                Some(FailureExplanation::Sealed(barrier)) => Some(barrier.to_string()),
                _ => None,
            },
        }
    }

    /// Begins the search anew, compares all algorithms, and goes to a step.
    fn begin(&mut self, step: usize) {
        self.failure = None;
        (self.run, self.rows) = match self.settings.mode {
            Mode::Grid => {
                let query = self.query();
                self.failure = self.field.finder.explain_failure(&query).ok();
                let run = Run::from(GridRun::begin(&self.field.finder, query));
                (run, comparison::on_grid(&self.field, self.settings))
            }
            Mode::Graph => {
                let Network { graph, start, goal, .. } = &self.network;
                let run = match (goal, self.settings.method.on_graphs()) {
                    (&Some(goal), Some(algorithm)) => {
                        Run::from(GraphRun::begin(graph, *start, goal, algorithm))
                    }
                    _ => Run::Idle,
                };
                (run, comparison::on_graph(&self.network))
            }
        };
        self.seek(step);
    }

    fn seek(&mut self, step: usize) {
        match &mut self.run {
            Run::Grid(run) => run.seek(&self.field.finder, step),
            Run::Graph(run) => run.seek(&self.network.graph, step),
            Run::Idle | Run::Refused(_) => {}
        }
    }

    /// Begins anew and stays at the end if it was there, else at the same step.
    fn begin_again(&mut self) {
        let step = if self.is_over() { usize::MAX } else { self.at() };
        self.begin(step);
    }

    fn is_over(&self) -> bool {
        self.at() == self.total()
    }

    /// Lets time pass.
    pub(crate) fn play(&mut self, seconds: f32) {
        self.progress += seconds * self.rate();
        let steps = self.progress.floor();
        self.progress -= steps;
        if steps >= 1.0 {
            self.seek(self.at() + steps as usize);
            self.is_playing = !self.is_over();
        }
    }

    /// Carries out an order.
    pub(crate) fn obey(&mut self, order: Order) {
        match order {
            Order::Choose(setting) => self.choose(setting),
            Order::PlayOrPause => {
                if !self.is_playing && self.is_over() {
                    self.seek(0);
                }
                self.is_playing = !self.is_playing && self.total() > 0;
                self.progress = 0.0;
            }
            Order::Step(steps) => {
                self.is_playing = false;
                self.seek(self.at().saturating_add_signed(steps as isize));
            }
            Order::Seek(step) => {
                self.is_playing = false;
                self.seek(step);
            }
            Order::SeekEnd => {
                self.is_playing = false;
                self.seek(usize::MAX);
            }
            Order::Speed(speed) => self.speed = speed.clamp(SPEEDS.0, SPEEDS.1),
            _ => self.edit(order),
        }
    }

    fn choose(&mut self, setting: Setting) {
        if !self.settings.offers(setting) {
            return;
        }
        self.settings.set(setting);
        match setting {
            Setting::Brush(brush) => {
                if brush != Brush::Route {
                    self.field.proposal.clear();
                }
            }
            Setting::Size(_) | Setting::Ground(_) => {
                self.field.fill(self.settings);
                self.begin(0);
            }
            Setting::Diagonals(_) => {
                self.field.follow_rules(self.settings);
                self.begin_again();
            }
            Setting::Mode(_) => {
                self.is_playing = false;
                self.begin(0);
            }
            Setting::Method(_) | Setting::Estimate(_) => self.begin_again(),
        }
    }

    /// What changes the map or the query.
    fn edit(&mut self, order: Order) {
        let changes = match (self.settings.mode, order) {
            (Mode::Grid, Order::Paint(cell, class)) => self.field.set(cell, class),
            (Mode::Grid, Order::MoveStart(cell)) => self.field.move_start(cell),
            (Mode::Grid, Order::MoveGoal(cell)) => self.field.move_goal(cell),
            (Mode::Grid, Order::Propose(cell)) => {
                if cell == self.field.start {
                    self.field.proposal.clear();
                }
                if self.field.proposal.last() != Some(&cell) {
                    self.field.proposal.push(cell);
                }
                false
            }
            (Mode::Grid, Order::NewPair) => {
                self.field.draw_pair();
                self.begin(0);
                return;
            }
            (Mode::Grid, Order::NewMap) => {
                self.field.fill(self.settings);
                self.begin(0);
                return;
            }
            (Mode::Grid, Order::Clear) => {
                self.field.proposal.clear();
                self.field.clear();
                true
            }
            (Mode::Graph, Order::Pick(node)) => {
                self.network.pick(node);
                self.begin(0);
                self.is_playing = self.network.goal.is_some();
                return;
            }
            (Mode::Graph, Order::TurnEnd { is_start, forward }) => {
                self.network.turn_end(is_start, forward);
                true
            }
            _ => false,
        };
        if changes {
            self.begin_again();
        }
    }
}

/// Carries out orders and lets the search run.
pub(crate) struct LabPlugin;

/// The system that changes the experiment; what shows it comes after.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct LabSet;

impl Plugin for LabPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Order>().add_systems(Update, (obey_orders, play).chain().in_set(LabSet));
    }
}

fn obey_orders(mut orders: MessageReader<Order>, mut lab: ResMut<Lab>) {
    for &order in orders.read() {
        lab.obey(order);
    }
}

fn play(time: Res<Time>, mut lab: ResMut<Lab>) {
    if lab.is_playing() {
        lab.play(time.delta_secs());
    }
}

#[cfg(test)]
mod tests;
