//! What can be chosen, and what it is called.

use std::str::FromStr;

use clap::ValueEnum;
use tilepath::{Algorithm, Diagonals, Estimate, GraphAlgorithm};

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Cells and terrain
    Grid,
    /// Nodes and edges
    Graph,
}

/// How it is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    BreadthFirst,
    DepthFirst,
    Dijkstra,
    Greedy,
    AStar,
    WeightedAStar,
    JumpPoint,
    Backtracking,
}

impl Method {
    pub(crate) const ALL: [Self; 8] = [
        Self::BreadthFirst,
        Self::DepthFirst,
        Self::Dijkstra,
        Self::Greedy,
        Self::AStar,
        Self::WeightedAStar,
        Self::JumpPoint,
        Self::Backtracking,
    ];

    pub(crate) const fn on_grids(self) -> Algorithm {
        match self {
            Self::BreadthFirst => Algorithm::BreadthFirst,
            Self::DepthFirst => Algorithm::DepthFirst,
            Self::Dijkstra => Algorithm::Dijkstra,
            Self::Greedy => Algorithm::Greedy,
            Self::AStar => Algorithm::AStar,
            Self::WeightedAStar => Algorithm::WeightedAStar { percent: Algorithm::DEFAULT_WEIGHT_PERCENT },
            Self::JumpPoint => Algorithm::JumpPoint,
            Self::Backtracking => Algorithm::Backtracking,
        }
    }

    /// `None` where graphs do not have it.
    pub(crate) const fn on_graphs(self) -> Option<GraphAlgorithm> {
        match self {
            Self::BreadthFirst => Some(GraphAlgorithm::BreadthFirst),
            Self::DepthFirst => Some(GraphAlgorithm::DepthFirst),
            Self::Dijkstra => Some(GraphAlgorithm::Dijkstra),
            Self::Greedy => Some(GraphAlgorithm::Greedy),
            Self::AStar => Some(GraphAlgorithm::AStar),
            Self::WeightedAStar | Self::JumpPoint | Self::Backtracking => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth-first",
            Self::DepthFirst => "depth-first",
            Self::Dijkstra => "Dijkstra",
            Self::Greedy => "greedy",
            Self::AStar => "A*",
            Self::WeightedAStar => "weighted A*",
            Self::JumpPoint => "jump points",
            Self::Backtracking => "backtracking",
        }
    }

    /// What it does and what it promises, in two or three sentences.
    pub(crate) const fn lesson(self) -> &'static str {
        match self {
            Self::BreadthFirst => {
                "Takes what was found first, ring after ring. Fewest steps, whatever they cost: with diagonals or terrain \
                 that is not the cheapest path."
            }
            Self::DepthFirst => {
                "Takes what was found last and follows it as far as it leads. It finds a way if there is one, hardly ever a \
                 good one."
            }
            Self::Dijkstra => {
                "Takes what costs least so far (g). Cheapest path, proven, but it looks in all directions alike."
            }
            Self::Greedy => {
                "Takes what seems nearest to the goal (h) and forgets the cost so far. Soon there, without a promise; walk \
                 it into a pocket."
            }
            Self::AStar => {
                "Takes the least f = g + h: the cost so far and the least that can be left. Cheapest path, proven, as long as \
                 h is never too much. Manhattan is, where diagonals are allowed."
            }
            Self::WeightedAStar => {
                "A* that counts the estimate one and a half times: f = g + 1.5 h. Sooner there, and at most one and a half \
                 times the cheapest."
            }
            Self::JumpPoint => {
                "A* that leaves out what lies between two turns. Cheapest path, proven; needs one cost everywhere, and \
                 diagonal steps. Clear the map to see it."
            }
            Self::Backtracking => {
                "A walk: to the cell beside it that seems nearest to the goal and was not visited yet; where there is none, a \
                 step back. It comes there if there is a way, on a path that shows its errors."
            }
        }
    }
}

impl FromStr for Method {
    type Err = String;

    /// The names are those of the command line `tilepath`.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|method| method.on_grids().name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|method| method.on_grids().name()).collect();
            format!("say {}", names.join(", "))
        })
    }
}

/// What the brush leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Brush {
    Wall,
    Plain,
    Grass,
    Mud,
    Water,
    /// No ground, but a route to be judged.
    Route,
}

impl Brush {
    pub(crate) const ALL: [Self; 6] =
        [Self::Wall, Self::Plain, Self::Grass, Self::Mud, Self::Water, Self::Route];

    /// The terrain class, which is also what a step onto it costs, or `None` for a route.
    pub(crate) const fn class(self) -> Option<u8> {
        match self {
            Self::Wall => Some(0),
            Self::Plain => Some(1),
            Self::Grass => Some(2),
            Self::Mud => Some(4),
            Self::Water => Some(8),
            Self::Route => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Plain => "plain",
            Self::Grass => "grass",
            Self::Mud => "mud",
            Self::Water => "water",
            Self::Route => "route",
        }
    }
}

/// How large the grid is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Size {
    /// 16 × 12
    Small,
    /// 32 × 24
    Medium,
    /// 64 × 48
    Large,
}

impl Size {
    pub(crate) const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    pub(crate) const fn cells(self) -> (u32, u32) {
        match self {
            Self::Small => (16, 12),
            Self::Medium => (32, 24),
            Self::Large => (64, 48),
        }
    }

    /// Screen pixels a world unit at which the whole grid is seen.
    pub(crate) const fn zoom(self) -> u32 {
        64 / self.cells().0
    }
}

/// What the grid is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ground {
    /// The picture that the laboratory opens with (16 × 12), or scattered walls
    Usual,
    /// Nothing in the way
    Open,
    /// Rooms with doors
    Rooms,
    /// Corridors
    Maze,
    /// Grown walls
    Caves,
    /// Patches of grass, mud and water among walls
    Terrain,
}

impl Ground {
    pub(crate) const ALL: [Self; 6] =
        [Self::Usual, Self::Open, Self::Rooms, Self::Maze, Self::Caves, Self::Terrain];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Open => "open",
            Self::Rooms => "rooms",
            Self::Maze => "maze",
            Self::Caves => "caves",
            Self::Terrain => "terrain",
        }
    }
}

/// One choice among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    Mode(Mode),
    Method(Method),
    Diagonals(Diagonals),
    Estimate(Estimate),
    Brush(Brush),
    Size(Size),
    Ground(Ground),
}

/// All that is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) mode: Mode,
    pub(crate) method: Method,
    pub(crate) diagonals: Diagonals,
    pub(crate) estimate: Estimate,
    pub(crate) brush: Brush,
    pub(crate) size: Size,
    pub(crate) ground: Ground,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Grid,
            method: Method::AStar,
            diagonals: Diagonals::OnlyWhenNoObstacles,
            estimate: Estimate::Octile,
            brush: Brush::Wall,
            size: Size::Small,
            ground: Ground::Usual,
        }
    }
}

impl Settings {
    pub(crate) fn has(self, setting: Setting) -> bool {
        match setting {
            Setting::Mode(mode) => self.mode == mode,
            Setting::Method(method) => self.method == method,
            Setting::Diagonals(diagonals) => self.diagonals == diagonals,
            Setting::Estimate(estimate) => self.estimate == estimate,
            Setting::Brush(brush) => self.brush == brush,
            Setting::Size(size) => self.size == size,
            Setting::Ground(ground) => self.ground == ground,
        }
    }

    pub(crate) fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Mode(mode) => self.mode = mode,
            Setting::Method(method) => self.method = method,
            Setting::Diagonals(diagonals) => self.diagonals = diagonals,
            Setting::Estimate(estimate) => self.estimate = estimate,
            Setting::Brush(brush) => self.brush = brush,
            Setting::Size(size) => self.size = size,
            Setting::Ground(ground) => self.ground = ground,
        }
        // What graphs do not have is not chosen there.
        if self.mode == Mode::Graph && self.method.on_graphs().is_none() {
            self.method = Method::AStar;
        }
    }

    /// Whether a choice can be made now.
    pub(crate) fn offers(self, setting: Setting) -> bool {
        match (self.mode, setting) {
            (Mode::Grid, _) | (_, Setting::Mode(_)) => true,
            (Mode::Graph, Setting::Method(method)) => method.on_graphs().is_some(),
            (Mode::Graph, _) => false,
        }
    }

    /// The choice so many places after the present one, of the same kind, among those that are offered.
    pub(crate) fn turned(self, kind: &[Setting], forward: bool) -> Option<Setting> {
        let offered: Vec<Setting> = kind.iter().copied().filter(|&setting| self.offers(setting)).collect();
        let now = offered.iter().position(|&setting| self.has(setting))?;
        let step = if forward { 1 } else { offered.len() - 1 };
        offered.get((now + step) % offered.len()).copied()
    }
}

/// All choices of each kind, in the order in which they stand in the panel.
pub(crate) mod choices {
    use super::{Brush, Ground, Method, Mode, Setting, Size};
    use tilepath::{Diagonals, Estimate};

    pub(crate) fn modes() -> Vec<Setting> {
        [Mode::Grid, Mode::Graph].map(Setting::Mode).to_vec()
    }

    pub(crate) fn methods() -> Vec<Setting> {
        Method::ALL.map(Setting::Method).to_vec()
    }

    pub(crate) fn diagonals() -> Vec<Setting> {
        [Diagonals::Never, Diagonals::OnlyWhenNoObstacles, Diagonals::IfAtMostOneObstacle, Diagonals::Always]
            .map(Setting::Diagonals)
            .to_vec()
    }

    pub(crate) fn estimates() -> Vec<Setting> {
        Estimate::ALL.map(Setting::Estimate).to_vec()
    }

    pub(crate) fn brushes() -> Vec<Setting> {
        Brush::ALL.map(Setting::Brush).to_vec()
    }

    pub(crate) fn sizes() -> Vec<Setting> {
        Size::ALL.map(Setting::Size).to_vec()
    }

    pub(crate) fn grounds() -> Vec<Setting> {
        Ground::ALL.map(Setting::Ground).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_through_the_choices_comes_back_and_leaves_out_what_graphs_do_not_have() {
        let mut settings = Settings::default();
        for (mode, count) in [(Mode::Grid, 8), (Mode::Graph, 5)] {
            settings.set(Setting::Mode(mode));
            let first = settings;
            for turn in 1..=count {
                settings.set(settings.turned(&choices::methods(), true).unwrap());
                assert_eq!(settings == first, turn == count);
            }
            settings.set(settings.turned(&choices::methods(), false).unwrap());
            settings.set(settings.turned(&choices::methods(), true).unwrap());
            assert_eq!(settings, first);
        }
    }

    #[test]
    fn a_method_that_graphs_do_not_have_is_not_kept_there() {
        let mut settings = Settings { method: Method::JumpPoint, ..Settings::default() };
        settings.set(Setting::Mode(Mode::Graph));
        assert_eq!(settings.method, Method::AStar);
    }

    #[test]
    fn methods_have_the_names_of_the_command_line() {
        assert_eq!("jps".parse(), Ok(Method::JumpPoint));
        assert!("quickest".parse::<Method>().unwrap_err().contains("breadth-first"));
    }
}
