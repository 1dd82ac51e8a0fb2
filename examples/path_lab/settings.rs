//! The choices of the laboratory and their names.

pub(crate) mod choices;

use clap::ValueEnum;
use tilepath::{Diagonals, HeuristicKind, Topology, turns::LongStep};

pub(crate) use crate::brush::Brush;
use crate::method::Method;

/// The sizes of units, in cells a side.
pub(crate) const UNITS: [u8; 3] = [1, 2, 3];

/// The kind of map that is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Cells and terrain
    Grid,
    /// Nodes and edges
    Graph,
}

/// The size of the grid.
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

/// The terrain of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ground {
    /// The map that the laboratory opens with (16 × 12), or scattered walls on larger sizes
    #[value(name = "default", alias = "usual")]
    Default,
    /// No walls
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
    /// A ledge to step off, a fenced yard, and a gap between two towers that is dangerous
    Towers,
    /// The file of --map
    #[value(skip)]
    Given,
}

impl Ground {
    pub(crate) const ALL: [Self; 10] = [
        Self::Default,
        Self::Open,
        Self::Rooms,
        Self::Maze,
        Self::Caves,
        Self::Terrain,
        Self::Ford,
        Self::Soldier,
        Self::Towers,
        Self::Given,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Open => "open",
            Self::Rooms => "rooms",
            Self::Maze => "maze",
            Self::Caves => "caves",
            Self::Terrain => "terrain",
            Self::Ford => "ford",
            Self::Soldier => "soldier",
            Self::Towers => "towers",
            Self::Given => "file",
        }
    }

    /// Returns whether this map has a size of its own.
    pub(crate) const fn is_file(self) -> bool {
        matches!(self, Self::Ford | Self::Soldier | Self::Towers | Self::Given)
    }
}

/// The graph that is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Net {
    /// 7 x 7 nodes
    Squares,
    /// The six waypoints of the tutorial
    Six,
    /// The graph of the example `waypoints`
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
    /// The algorithm that races against the chosen one.
    Rival(Option<Method>),
    /// The shape of the grid's cells.
    Topology(Topology),
    /// The size of the unit, in cells a side.
    Unit(u8),
    /// The points of a turn, or `None` for a unit without turns.
    Points(Option<u32>),
    /// The rule for a step that costs more than a turn.
    LongStep(LongStep),
    Diagonals(Diagonals),
    Heuristic(HeuristicKind),
    Brush(Brush),
    Size(Size),
    Ground(Ground),
    Net(Net),
}

/// All choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) mode: Mode,
    pub(crate) method: Method,
    /// The algorithm that races against `method` on the same query.
    pub(crate) rival: Option<Method>,
    pub(crate) topology: Topology,
    /// The size of the unit, in cells a side.
    pub(crate) unit: u8,
    /// The points of a turn.
    pub(crate) points: Option<u32>,
    /// The rule for a step that costs more than a turn.
    pub(crate) long_step: LongStep,
    pub(crate) diagonals: Diagonals,
    pub(crate) heuristic: HeuristicKind,
    pub(crate) brush: Brush,
    pub(crate) size: Size,
    pub(crate) ground: Ground,
    pub(crate) net: Net,
    /// True if there is a file of --map.
    pub(crate) has_map: bool,
    /// True if there is a file of --graph.
    pub(crate) has_graph: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Grid,
            method: Method::AStar,
            rival: None,
            topology: Topology::Square,
            unit: 1,
            points: None,
            long_step: LongStep::Never,
            diagonals: Diagonals::OnlyWhenNoObstacles,
            heuristic: HeuristicKind::Octile,
            brush: Brush::Wall,
            size: Size::Small,
            ground: Ground::Default,
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
            Setting::Topology(topology) => self.topology == topology,
            Setting::Unit(unit) => self.unit == unit,
            Setting::Points(points) => self.points == points,
            Setting::LongStep(rule) => self.long_step == rule,
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
            // If the rival is chosen, the two algorithms change places.
            Setting::Method(method) => {
                self.rival = self.rival.map(|rival| if rival == method { self.method } else { rival });
                self.method = method;
            }
            Setting::Rival(rival) => self.rival = rival,
            Setting::Topology(topology) => self.topology = topology,
            Setting::Unit(unit) => self.unit = unit,
            Setting::Points(points) => self.points = points,
            Setting::LongStep(rule) => self.long_step = rule,
            Setting::Diagonals(diagonals) => self.diagonals = diagonals,
            Setting::Heuristic(heuristic) => self.heuristic = heuristic,
            Setting::Brush(brush) => self.brush = brush,
            Setting::Size(size) => self.size = size,
            Setting::Ground(ground) => self.ground = ground,
            Setting::Net(net) => self.net = net,
        }
        // On hexagons every unit covers one cell.
        if self.topology == Topology::Hexagonal {
            self.unit = 1;
        }
        // Graphs do not have every algorithm.
        if self.mode == Mode::Graph && self.method.on_graphs().is_none() {
            self.method = Method::AStar;
        }
        if self.rival.is_some_and(|rival| !self.offers(Setting::Rival(Some(rival)))) {
            self.rival = None;
        }
    }

    /// Returns whether a choice can be made now.
    pub(crate) fn offers(self, setting: Setting) -> bool {
        let has = |method: Method| self.mode == Mode::Grid || method.on_graphs().is_some();
        match setting {
            Setting::Mode(_) | Setting::Rival(None) => true,
            Setting::Method(method) => has(method),
            Setting::Rival(Some(rival)) => has(rival) && rival != self.method,
            Setting::Net(net) => self.mode == Mode::Graph && (net != Net::Given || self.has_graph),
            Setting::Ground(ground) => self.mode == Mode::Grid && (ground != Ground::Given || self.has_map),
            Setting::Size(_) => self.mode == Mode::Grid && !self.ground.is_file(),
            // Hexagons have no diagonals and no large units.
            Setting::Diagonals(_) => self.mode == Mode::Grid && self.topology == Topology::Square,
            Setting::Unit(unit) => {
                self.mode == Mode::Grid && (unit == 1 || self.topology == Topology::Square)
            }
            Setting::LongStep(_) => self.mode == Mode::Grid && self.points.is_some(),
            Setting::Topology(_) | Setting::Points(_) | Setting::Heuristic(_) | Setting::Brush(_) => {
                self.mode == Mode::Grid
            }
        }
    }

    /// Returns whether the panel shows a choice. It shows some that cannot be made now, in grey.
    pub(crate) fn shows(self, setting: Setting) -> bool {
        match setting {
            // The chosen algorithm keeps its place among the rivals, in grey.
            Setting::Rival(Some(rival)) => self.offers(Setting::Method(rival)),
            Setting::Unit(_) | Setting::LongStep(_) => self.mode == Mode::Grid,
            other => self.offers(other),
        }
    }

    /// Returns the offered choice after (or before) the present one of this kind.
    pub(crate) fn turned(self, kind: &[Setting], forward: bool) -> Option<Setting> {
        let offered: Vec<Setting> = kind.iter().copied().filter(|&setting| self.offers(setting)).collect();
        let now = offered.iter().position(|&setting| self.has(setting))?;
        let step = if forward { 1 } else { offered.len() - 1 };
        offered.get((now + step) % offered.len()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_through_the_choices_comes_back_and_leaves_out_what_graphs_do_not_have() {
        let mut settings = Settings::default();
        for (mode, count) in [(Mode::Grid, 9), (Mode::Graph, 5)] {
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
    fn on_hexagons_a_unit_covers_one_cell_and_the_others_stand_there_greyed() {
        let mut settings = Settings { unit: 3, ..Settings::default() };
        settings.set(Setting::Topology(Topology::Hexagonal));
        assert_eq!(settings.unit, 1);
        assert!(settings.offers(Setting::Unit(1)) && !settings.offers(Setting::Unit(2)));
        assert!(settings.shows(Setting::Unit(2)));
        assert!(choices::diagonals().into_iter().all(|rule| !settings.shows(rule)), "hexagons have none");
        settings.set(Setting::Mode(Mode::Graph));
        assert!(!settings.shows(Setting::Unit(1)));
    }

    #[test]
    fn rule_for_long_steps_is_shown_only_with_turns() {
        let mut settings = Settings::default();
        let own = Setting::LongStep(LongStep::OwnTurn);
        assert!(settings.shows(own) && !settings.offers(own));
        settings.set(settings.turned(&choices::points(), true).unwrap());
        assert!(settings.points == Some(30) && settings.offers(own));
        settings.set(settings.turned(&choices::points(), false).unwrap());
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn racers_are_different() {
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
