//! What can be chosen, and what it is called.

use clap::ValueEnum;
use tilepath::{Diagonals, HeuristicKind};

use crate::method::Method;

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Cells and terrain
    Grid,
    /// Nodes and edges
    Graph,
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

    /// The ground of a terrain class; `None` for a class that no brush leaves.
    pub(crate) fn of_class(class: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|brush| brush.class() == Some(class))
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
    /// The map of the command line's examples: a river and its ford
    Ford,
    /// The map of the tutorial that the example `soldier` comes from: a road and a wall
    Soldier,
    /// The file of --map
    #[value(skip)]
    Given,
}

impl Ground {
    pub(crate) const ALL: [Self; 9] = [
        Self::Usual,
        Self::Open,
        Self::Rooms,
        Self::Maze,
        Self::Caves,
        Self::Terrain,
        Self::Ford,
        Self::Soldier,
        Self::Given,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Open => "open",
            Self::Rooms => "rooms",
            Self::Maze => "maze",
            Self::Caves => "caves",
            Self::Terrain => "terrain",
            Self::Ford => "ford",
            Self::Soldier => "soldier",
            Self::Given => "file",
        }
    }

    /// Whether it is a map with a size of its own.
    pub(crate) const fn is_file(self) -> bool {
        matches!(self, Self::Ford | Self::Soldier | Self::Given)
    }
}

/// Which graph is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Net {
    /// 7 x 7 nodes
    Squares,
    /// The six waypoints of the tutorial
    Six,
    /// The ways of the example `waypoints`
    Town,
    /// The file of --graph
    Given,
}

impl Net {
    pub(crate) const ALL: [Self; 4] = [Self::Squares, Self::Six, Self::Town, Self::Given];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Squares => "7 x 7",
            Self::Six => "six nodes",
            Self::Town => "town",
            Self::Given => "file",
        }
    }
}

/// One choice among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    Mode(Mode),
    Method(Method),
    /// What races beside it.
    Rival(Option<Method>),
    Diagonals(Diagonals),
    Heuristic(HeuristicKind),
    Brush(Brush),
    Size(Size),
    Ground(Ground),
    Net(Net),
}

/// All that is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) mode: Mode,
    pub(crate) method: Method,
    /// The algorithm that races beside it on the same query.
    pub(crate) rival: Option<Method>,
    pub(crate) diagonals: Diagonals,
    pub(crate) heuristic: HeuristicKind,
    pub(crate) brush: Brush,
    pub(crate) size: Size,
    pub(crate) ground: Ground,
    pub(crate) net: Net,
    /// Whether there is a file of --map.
    pub(crate) has_map: bool,
    /// Whether there is a file of --graph.
    pub(crate) has_graph: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Grid,
            method: Method::AStar,
            rival: None,
            diagonals: Diagonals::OnlyWhenNoObstacles,
            heuristic: HeuristicKind::Octile,
            brush: Brush::Wall,
            size: Size::Small,
            ground: Ground::Usual,
            net: Net::Squares,
            has_map: false,
            has_graph: false,
        }
    }
}

impl Settings {
    pub(crate) fn has(self, setting: Setting) -> bool {
        match setting {
            Setting::Mode(mode) => self.mode == mode,
            Setting::Method(method) => self.method == method,
            Setting::Rival(rival) => self.rival == rival,
            Setting::Diagonals(diagonals) => self.diagonals == diagonals,
            Setting::Heuristic(heuristic) => self.heuristic == heuristic,
            Setting::Brush(brush) => self.brush == brush,
            Setting::Size(size) => self.size == size,
            Setting::Ground(ground) => self.ground == ground,
            Setting::Net(net) => self.net == net,
        }
    }

    pub(crate) fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Mode(mode) => self.mode = mode,
            // Who races against itself changes places with it.
            Setting::Method(method) => {
                self.rival = self.rival.map(|rival| if rival == method { self.method } else { rival });
                self.method = method;
            }
            Setting::Rival(rival) => self.rival = rival,
            Setting::Diagonals(diagonals) => self.diagonals = diagonals,
            Setting::Heuristic(heuristic) => self.heuristic = heuristic,
            Setting::Brush(brush) => self.brush = brush,
            Setting::Size(size) => self.size = size,
            Setting::Ground(ground) => self.ground = ground,
            Setting::Net(net) => self.net = net,
        }
        // What graphs do not have is not chosen there.
        if self.mode == Mode::Graph && self.method.on_graphs().is_none() {
            self.method = Method::AStar;
        }
        if self.rival.is_some_and(|rival| !self.offers(Setting::Rival(Some(rival)))) {
            self.rival = None;
        }
    }

    /// Whether a choice can be made now.
    pub(crate) fn offers(self, setting: Setting) -> bool {
        let has = |method: Method| self.mode == Mode::Grid || method.on_graphs().is_some();
        match setting {
            Setting::Mode(_) | Setting::Rival(None) => true,
            Setting::Method(method) => has(method),
            Setting::Rival(Some(rival)) => has(rival) && rival != self.method,
            Setting::Net(net) => self.mode == Mode::Graph && (net != Net::Given || self.has_graph),
            Setting::Ground(ground) => self.mode == Mode::Grid && (ground != Ground::Given || self.has_map),
            Setting::Size(_) => self.mode == Mode::Grid && !self.ground.is_file(),
            Setting::Diagonals(_) | Setting::Heuristic(_) | Setting::Brush(_) => self.mode == Mode::Grid,
        }
    }

    /// The choice this many places after the present one, of the same kind, among those that are offered.
    pub(crate) fn turned(self, kind: &[Setting], forward: bool) -> Option<Setting> {
        let offered: Vec<Setting> = kind.iter().copied().filter(|&setting| self.offers(setting)).collect();
        let now = offered.iter().position(|&setting| self.has(setting))?;
        let step = if forward { 1 } else { offered.len() - 1 };
        offered.get((now + step) % offered.len()).copied()
    }
}

/// All choices of each kind, in the order in which they stand in the panel.
pub(crate) mod choices {
    use super::{Brush, Ground, Method, Mode, Net, Setting, Size};
    use tilepath::{Diagonals, HeuristicKind};

    pub(crate) fn modes() -> Vec<Setting> {
        [Mode::Grid, Mode::Graph].map(Setting::Mode).to_vec()
    }

    pub(crate) fn methods() -> Vec<Setting> {
        Method::ALL.map(Setting::Method).to_vec()
    }

    pub(crate) fn rivals() -> Vec<Setting> {
        std::iter::once(None).chain(Method::ALL.map(Some)).map(Setting::Rival).collect()
    }

    pub(crate) fn diagonals() -> Vec<Setting> {
        Diagonals::ALL.map(Setting::Diagonals).to_vec()
    }

    pub(crate) fn heuristics() -> Vec<Setting> {
        HeuristicKind::ALL.map(Setting::Heuristic).to_vec()
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

    pub(crate) fn nets() -> Vec<Setting> {
        Net::ALL.map(Setting::Net).to_vec()
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
    fn nobody_races_against_itself() {
        let mut settings = Settings::default();
        settings.set(Setting::Rival(Some(Method::Dijkstra)));
        settings.set(Setting::Method(Method::Dijkstra));
        assert_eq!((settings.method, settings.rival), (Method::Dijkstra, Some(Method::AStar)));
        assert!(!settings.offers(Setting::Rival(Some(Method::Dijkstra))));
        settings.set(Setting::Rival(Some(Method::JumpPoint)));
        settings.set(Setting::Mode(Mode::Graph));
        assert_eq!(settings.rival, None, "graphs have no jump points");
    }

    #[test]
    fn a_file_is_offered_where_there_is_one() {
        let mut settings = Settings::default();
        assert!(!settings.offers(Setting::Ground(Ground::Given)));
        settings.has_map = true;
        assert!(settings.offers(Setting::Ground(Ground::Given)));
        settings.set(Setting::Ground(Ground::Given));
        assert!(!settings.offers(Setting::Size(Size::Large)), "a file has its own size");
    }
}
