//! The experiment: the query, the settings and the present step.
//!
//! Widgets, keys and the mouse change it by [`Order`]s.

use bevy::prelude::*;
use tilepath::{Cell, Grid, PathQuery, explain::FailureExplanation, waypoint::WaypointGraph};
use tilepath_examples::map_file::MarkedMap;

use crate::{
    comparison::{self, Row},
    field::Field,
    method::Method,
    network::Network,
    order::{Order, SPEEDS},
    overlay::Sheet,
    run::{GraphRun, GridRun, Run},
    settings::{Brush, Ground, Mode, Net, Setting, Settings},
    turns::Turns,
};

/// One search of the experiment: of the chosen algorithm, or of the one that races beside it.
pub(crate) struct Lane {
    pub(crate) method: Method,
    pub(crate) run: Run,
}

/// The experiment.
#[derive(Resource)]
pub(crate) struct Lab {
    settings: Settings,
    field: Field,
    network: Network,
    /// The graph of --graph.
    given: Option<Network>,
    /// The search of the chosen algorithm, and the search of its rival if there is one. Both are at the
    /// same step, or at their ends.
    lanes: Vec<Lane>,
    rows: Vec<Row>,
    /// The explanation if there is no path: the cells to open.
    failure: Option<FailureExplanation>,
    /// The turns of the unit, if it has turns and is on a grid.
    turns: Option<Turns>,
    is_playing: bool,
    speed: f32,
    /// The part of the next step that has passed.
    progress: f32,
}

impl Lab {
    /// Returns an experiment that plays from its beginning.
    pub(crate) fn new(settings: Settings) -> Self {
        let mut lab = Self {
            settings,
            field: Field::new(settings),
            network: Network::of_net(settings.net),
            given: None,
            lanes: Vec::new(),
            rows: Vec::new(),
            failure: None,
            turns: None,
            is_playing: false,
            speed: 1.0,
            progress: 0.0,
        };
        lab.start_over();
        lab
    }

    /// Searches the graph of a file. Returns false if the graph has no node.
    pub(crate) fn take_graph(&mut self, waypoints: WaypointGraph, is_y_up: bool) -> bool {
        self.given = Network::of(waypoints, is_y_up);
        self.settings.has_graph = self.given.is_some();
        if self.settings.has_graph {
            self.settings.set(Setting::Mode(Mode::Graph));
            self.choose(Setting::Net(Net::Given));
        }
        self.settings.has_graph
    }

    /// Places start and goal as the command line gives them.
    ///
    /// # Errors
    /// Returns a text if one of the cells is not on the map.
    pub(crate) fn place_ends(&mut self, start: Option<Cell>, goal: Option<Cell>) -> Result<(), String> {
        self.field.place_ends(start, goal)?;
        self.start_over();
        Ok(())
    }

    /// Searches the map of a file.
    pub(crate) fn take_map(&mut self, map: MarkedMap) {
        self.settings.has_map = true;
        self.field.given = Some(map);
        self.settings.set(Setting::Mode(Mode::Grid));
        self.choose(Setting::Ground(Ground::Given));
    }

    /// Searches this grid, which has the shape of the present one. It may have danger and closed edges.
    pub(crate) fn take_grid(&mut self, grid: Grid) {
        self.field.take_grid(grid);
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

    pub(crate) fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Returns the search of the chosen algorithm.
    pub(crate) fn run(&self) -> &Run {
        &self.lanes[0].run
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) const fn failure(&self) -> Option<&FailureExplanation> {
        self.failure.as_ref()
    }

    pub(crate) const fn turns(&self) -> Option<&Turns> {
        self.turns.as_ref()
    }

    pub(crate) const fn is_playing(&self) -> bool {
        self.is_playing
    }

    pub(crate) const fn speed(&self) -> f32 {
        self.speed
    }

    /// Returns the steps a second.
    pub(crate) fn rate(&self) -> f32 {
        10_f32.powf(self.speed)
    }

    /// Returns the present step of the search that is furthest ahead.
    pub(crate) fn at(&self) -> usize {
        self.lanes.iter().map(|lane| lane.run.at()).max().unwrap_or(0)
    }

    /// Returns the number of steps of the longest search.
    pub(crate) fn total(&self) -> usize {
        self.lanes.iter().map(|lane| lane.run.total()).max().unwrap_or(0)
    }

    /// Returns the query of the grid, searched as in the textbook.
    ///
    /// It does not test first whether the goal can be reached, so a search without a path can be
    /// seen.
    pub(crate) fn query(&self, method: Method) -> PathQuery {
        method
            .query(PathQuery::new(self.field.start, self.field.goal))
            .with_heuristic(self.settings.heuristic)
            .without_reachability()
            .without_pruning()
    }

    /// Begins the search again, compares all algorithms, and goes to a step.
    fn begin(&mut self, step: usize) {
        self.field.make_landmarks();
        self.failure = match self.settings.mode {
            Mode::Grid => self.field.finder.explain_failure(&self.query(self.settings.method)).ok(),
            Mode::Graph => None,
        };
        self.turns = match self.settings.mode {
            Mode::Grid => Turns::of(&self.field, self.settings),
            Mode::Graph => None,
        };
        self.rows = match self.settings.mode {
            Mode::Grid => comparison::on_grid(&self.field, self.settings),
            Mode::Graph => comparison::on_graph(&self.network),
        };
        let methods = std::iter::once(self.settings.method).chain(self.settings.rival);
        self.lanes = methods.map(|method| Lane { method, run: self.begun(method) }).collect();
        self.seek(step);
    }

    /// Begins the search of an algorithm.
    fn begun(&self, method: Method) -> Run {
        match self.settings.mode {
            Mode::Grid => GridRun::begin(&self.field.finder, self.query(method)).into(),
            Mode::Graph => {
                let Network { graph, start, goal, .. } = &self.network;
                match (goal, method.on_graphs()) {
                    (&Some(goal), Some(algorithm)) => GraphRun::begin(graph, *start, goal, algorithm).into(),
                    _ => Run::Idle,
                }
            }
        }
    }

    fn seek(&mut self, step: usize) {
        for lane in &mut self.lanes {
            lane.run.seek(&self.field, &self.network, step);
        }
    }

    /// Begins the search again and goes to the same step, or to the end if it was at the end.
    fn begin_again(&mut self) {
        let step = if self.is_over() { usize::MAX } else { self.at() };
        self.begin(step);
    }

    /// Plays from the beginning.
    fn start_over(&mut self) {
        self.begin(0);
        self.is_playing = self.total() > 0;
        self.progress = 0.0;
    }

    fn is_over(&self) -> bool {
        self.at() == self.total()
    }

    /// Takes the steps of the time that has passed.
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
            Setting::Size(_) | Setting::Ground(_) | Setting::Topology(_) => {
                self.field.fill(self.settings);
                self.start_over();
            }
            Setting::Net(net) => {
                self.network = match (net, &self.given) {
                    (Net::Given, Some(given)) => given.clone(),
                    _ => Network::of_net(net),
                };
                self.start_over();
            }
            Setting::Diagonals(_) | Setting::Unit(_) => {
                self.field.follow_rules(self.settings);
                self.begin_again();
            }
            Setting::Mode(_) | Setting::Rival(_) => self.start_over(),
            Setting::Method(_) | Setting::Heuristic(_) | Setting::Points(_) | Setting::LongStep(_) => {
                self.begin_again();
            }
        }
    }

    /// Carries out an order that changes the map or the query.
    fn edit(&mut self, order: Order) {
        let changes = match (self.settings.mode, order) {
            (Mode::Grid, Order::Paint(cell, class)) => self.field.set(cell, class),
            (Mode::Grid, Order::Endanger(cell, danger)) => self.field.endanger(cell, danger),
            (Mode::Grid, Order::Befriend(cell, stands)) => self.field.befriend(cell, stands),
            (Mode::Grid, Order::TurnEdge(from, to)) => self.field.turn_edge(from, to),
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
                self.start_over();
                false
            }
            (Mode::Grid, Order::NewMap) => {
                self.field.fill(self.settings);
                self.start_over();
                false
            }
            (Mode::Grid, Order::Clear) => {
                self.field.proposal.clear();
                self.field.clear();
                true
            }
            (Mode::Graph, Order::Pick(node)) => {
                self.network.pick(node);
                self.start_over();
                false
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

/// The system that changes the experiment. Systems that draw it run after.
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

/// Takes steps, except while the sheet of keys covers the board.
fn play(time: Res<Time>, sheet: Option<Res<Sheet>>, mut lab: ResMut<Lab>) {
    let is_covered = sheet.is_some_and(|sheet| *sheet == Sheet::Keys);
    if lab.is_playing() && !is_covered {
        lab.play(time.delta_secs());
    }
}

#[cfg(test)]
mod tests;
