//! The arguments of the command line.

pub(crate) mod turns;

use self::turns::{RangeArguments, TurnPathArguments};
use crate::{
    board::BoardArguments,
    lint::LintArguments,
    place::Place,
    supposed::SupposedCell,
    view::ViewArguments,
    whole_number::{whole_number, within},
};
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use race_link::{RaceLink, RaceLinkError};
use std::path::PathBuf;
use tilepath::{Algorithm, Diagonals, StepCosts, format::LetterClasses};

/// Cheapest paths over tile maps and waypoint graphs.
///
/// Exit code 0: found (scen: no mismatch; replay: no difference; lint: clean), 1: no path (a mismatch, a difference, a lint), 2: bad input.
#[derive(Parser, Debug)]
#[command(name = "tilepath", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Colour the maps in text output. `auto` does so if standard output is a terminal and
    /// `NO_COLOR` is not set.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true)]
    pub(crate) color: ColorChoice,
}

/// The command to run.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Find the cheapest path between two cells of a map.
    Solve(SolveArguments),
    /// Find the cells that must stay open: a wall on one of them blocks every path between two
    /// cells of a map.
    Forbidden(ForbiddenArguments),
    /// Run the queries of a MovingAI scenario and compare every answer.
    Scen(ScenArguments),
    /// Draw a map as PNG, with a path between two cells if they are given.
    Render(RenderArguments),
    /// Find every cell where a unit can stop, and the turn in which it gets there.
    Range(RangeArguments),
    /// Find the path that takes the fewest turns, and say why each turn ends where it does.
    Turns(TurnPathArguments),
    /// Find the cells that a unit sees from a cell.
    View(ViewArguments),
    /// Find the cheapest path between two waypoints of a graph, or all waypoints within some steps
    /// of one.
    Graph(GraphArguments),
    /// Run a recording again and compare every answer with the recorded one.
    Replay(ReplayArguments),
    /// Check a file of rules, alone or with a map: errors, and rules that are legal but probably
    /// mistakes.
    Lint(LintArguments),
}

/// The map and how a unit moves over it.
#[derive(Args, Debug)]
pub(crate) struct MovementArguments {
    /// Whether a diagonal step is allowed beside obstacles: never, only-when-no-obstacles,
    /// if-at-most-one-obstacle or always.
    #[arg(long, value_name = "RULE", default_value_t = Diagonals::default())]
    pub(crate) diagonals: Diagonals,

    /// The search algorithm: auto, jps, astar, dijkstra, greedy, weighted-astar[:PERCENT],
    /// breadth-first, depth-first or backtracking.
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::default())]
    pub(crate) algorithm: Algorithm,

    /// Terrain classes for letters of a MovingAI map or a picture, such as '.=1,S=3, =0'. A blank
    /// is a letter, too, and class 0 is a wall. Default: the file beside the map with the same name
    /// and the extension `.letters`, if there is one.
    #[arg(long, value_name = "LETTERS")]
    pub(crate) terrain: Option<LetterClasses>,
}

/// Arguments of `tilepath solve`.
#[derive(Args, Debug)]
pub(crate) struct SolveArguments {
    /// The map: a MovingAI map (its header has `height` and `width`), a table of costs, or a picture.
    /// `-` is standard input. A table has one row a line and costs from 0 (a wall) to 255. A
    /// picture has one letter a cell: `#` is a wall, `.` is ground, a digit is the cost of its
    /// cell. Other letters get their classes from --terrain or the `.letters` file.
    #[arg(required_unless_present = "link")]
    pub(crate) map: Option<PathBuf>,

    /// The start: column from the left and row from the top, from 0.
    #[arg(
        long,
        value_name = "X,Y",
        allow_hyphen_values = true,
        group = "query",
        required_unless_present = "link"
    )]
    pub(crate) from: Option<Place>,

    /// The goal: column and row, as in --from.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, required_unless_present = "link")]
    pub(crate) to: Option<Place>,

    /// Take map, start, goal, unit, rules and algorithms from a link of the laboratory, instead of
    /// from the other arguments. A whole address, or its part from the question mark on, in quotes.
    #[arg(long, value_name = "LINK", value_parser = parse_link, group = "query", conflicts_with_all = [
        "map", "to", "topology", "overlay", "size", "rules", "movement", "diagonals", "algorithm", "terrain", "steps",
    ])]
    pub(crate) link: Option<Box<RaceLink>>,

    #[command(flatten)]
    pub(crate) board: BoardArguments,

    #[command(flatten)]
    pub(crate) movement: MovementArguments,

    /// The cost of a straight and of a diagonal step onto terrain of cost 1.
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", default_value = "10,14", value_parser = parse_steps, conflicts_with = "rules")]
    pub(crate) steps: StepCosts,

    /// If the goal cannot be reached, go to the reachable cell closest to it.
    #[arg(long)]
    pub(crate) closest: bool,

    /// Give up if every path costs more than this. The answer is then the path that comes closest
    /// to the goal.
    #[arg(long, value_name = "N", value_parser = within(0..=u32::MAX))]
    pub(crate) cost_limit: Option<u32>,

    /// Give up if the path has more steps than this. The answer is then the path that comes closest
    /// to the goal.
    #[arg(long, value_name = "STEPS", value_parser = within(0..=u32::MAX))]
    pub(crate) length_limit: Option<u32>,

    /// Change the terrain class of a cell before the search, and compare the cost with the map
    /// without changes. Class 0 is a wall. May be given several times.
    #[arg(long, value_name = "X,Y=C", allow_hyphen_values = true)]
    pub(crate) what_if: Vec<SupposedCell>,

    /// Print the cost of each step and the reason for it. If there is no path: print the cells that
    /// must open.
    #[arg(long)]
    pub(crate) explain: bool,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the map and the path into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) drawing: DrawingArguments,
}

/// Parses a link, which is larger than all other arguments together.
fn parse_link(text: &str) -> Result<Box<RaceLink>, RaceLinkError> {
    text.parse().map(Box::new)
}

/// Arguments of `tilepath forbidden`.
#[derive(Args, Debug)]
pub(crate) struct ForbiddenArguments {
    /// The map: a MovingAI map (its header has `height` and `width`), a table of costs, or a picture.
    /// `-` is standard input. A table has one row a line and costs from 0 (a wall) to 255. A
    /// picture has one letter a cell: `#` is a wall, `.` is ground, a digit is the cost of its
    /// cell. Other letters get their classes from --terrain or the `.letters` file.
    pub(crate) map: PathBuf,

    /// The start: column from the left and row from the top, from 0. May be given several times.
    /// The answer is then each cell that blocks every path from at least one of the starts.
    #[arg(long, value_name = "X,Y", required = true, allow_hyphen_values = true)]
    pub(crate) from: Vec<Place>,

    /// The goal: column and row, as in --from.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) to: Place,

    #[command(flatten)]
    pub(crate) board: BoardArguments,

    /// Whether a diagonal step is allowed beside obstacles: never, only-when-no-obstacles,
    /// if-at-most-one-obstacle or always.
    #[arg(long, value_name = "RULE", default_value_t = Diagonals::default())]
    pub(crate) diagonals: Diagonals,

    /// Terrain classes for letters of a MovingAI map or a picture, such as '.=1,S=3, =0'. A blank
    /// is a letter, too, and class 0 is a wall. Default: the file beside the map with the same name
    /// and the extension `.letters`, if there is one.
    #[arg(long, value_name = "LETTERS")]
    pub(crate) terrain: Option<LetterClasses>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the map and the cells into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Pixels per cell. Default: as many as make the longer side about 1000 pixels, at most 40.
    /// Without it, a picture has at most 4096 pixels a side; larger maps are shrunk.
    #[arg(long, value_name = "PIXELS", requires = "png", value_parser = within(1..=64))]
    pub(crate) scale: Option<u32>,
}

/// Arguments of `tilepath render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArguments {
    /// The map: a MovingAI map (its header has `height` and `width`), a table of costs, or a picture.
    /// `-` is standard input. A table has one row a line and costs from 0 (a wall) to 255. A
    /// picture has one letter a cell: `#` is a wall, `.` is ground, a digit is the cost of its
    /// cell. Other letters get their classes from --terrain or the `.letters` file.
    pub(crate) map: PathBuf,

    /// The file of the picture.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: PathBuf,

    /// The start of a path to draw: column from the left and row from the top, from 0.
    #[arg(long, value_name = "X,Y", requires = "to", allow_hyphen_values = true, group = "query")]
    pub(crate) from: Option<Place>,

    /// The goal of the path: column and row, as in --from.
    #[arg(long, value_name = "X,Y", requires = "from", allow_hyphen_values = true)]
    pub(crate) to: Option<Place>,

    #[command(flatten)]
    pub(crate) board: BoardArguments,

    #[command(flatten)]
    pub(crate) movement: MovementArguments,

    /// The cost of a straight and of a diagonal step onto terrain of cost 1.
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", default_value = "10,14", value_parser = parse_steps, conflicts_with = "rules")]
    pub(crate) steps: StepCosts,

    /// If the goal cannot be reached, go to the reachable cell closest to it.
    #[arg(long, requires = "from")]
    pub(crate) closest: bool,

    #[command(flatten)]
    pub(crate) drawing: DrawingArguments,
}

/// Options for the picture.
#[derive(Args, Debug)]
pub(crate) struct DrawingArguments {
    /// Colour the cells that the search expanded, from the first (dark) to the last (bright).
    #[arg(long, requires_all = ["png", "query"])]
    pub(crate) heat: bool,

    /// Pixels per cell. Default: as many as make the longer side about 1000 pixels, at most 40.
    /// Without it, a picture has at most 4096 pixels a side; larger maps are shrunk.
    #[arg(long, value_name = "PIXELS", requires = "png", value_parser = within(1..=64))]
    pub(crate) scale: Option<u32>,
}

/// Arguments of `tilepath scen`.
#[derive(Args, Debug)]
pub(crate) struct ScenArguments {
    /// The scenario. `-` is standard input.
    #[arg(value_name = "FILE.scen")]
    pub(crate) scenario: PathBuf,

    /// The folder of the maps. Default: the folder of the scenario, or the current folder for
    /// standard input.
    #[arg(long, value_name = "DIR")]
    pub(crate) maps: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) movement: MovementArguments,

    /// The cost of a straight and of a diagonal step onto terrain of cost 1.
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", default_value = "70,99", value_parser = parse_steps)]
    pub(crate) steps: StepCosts,

    /// The reference for the comparison. If the lengths in the file cannot hold, `dijkstra` is
    /// always used: for another diagonal rule, for steps that are not 1 to √2, if letters are
    /// opened or closed, and for unequal costs. Algorithms that are not exact are compared too:
    /// their costlier paths are mismatches.
    #[arg(long, value_enum, default_value_t = Check::File)]
    pub(crate) check: Check,

    /// Run only this many queries, spread evenly over the file.
    #[arg(long, value_name = "N", value_parser = within(1..=u32::MAX))]
    pub(crate) limit: Option<u32>,

    /// Print a header and one CSV row for each query.
    #[arg(long)]
    pub(crate) csv: bool,
}

/// Arguments of `tilepath graph`.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("question").required(true).args(["to", "within"]))]
pub(crate) struct GraphArguments {
    /// A waypoint graph as XML (its first letter is `<`) or as RON. `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) graph: PathBuf,

    /// The first waypoint.
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) from: String,

    /// The last waypoint of the cheapest path.
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) to: Option<String>,

    /// List all waypoints that can be reached in at most this many steps, whatever the steps cost.
    #[arg(long, value_name = "STEPS", value_parser = within(0..=u32::MAX))]
    pub(crate) within: Option<u32>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the graph and the answer into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Draw y upwards, as in a Bevy world. Default: y points down, as on a screen.
    #[arg(long, requires = "png")]
    pub(crate) y_up: bool,
}

/// Arguments of `tilepath replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// A recording (RON or JSON), or a recorded tick of a crowd (RON). `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) recording: PathBuf,

    /// Draw each answer of a recording into this folder. A missing folder is created.
    #[arg(long, value_name = "DIR")]
    pub(crate) png: Option<PathBuf>,

    /// Print one JSON object per line instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The reference for the answers of a scenario.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    /// The optimal lengths in the file.
    File,
    /// The cost by the algorithm `dijkstra`.
    Dijkstra,
}

fn parse_steps(text: &str) -> Result<StepCosts, String> {
    let (straight, diagonal) = text.split_once(',').ok_or("write two whole numbers, such as 10,14")?;
    let number = |part: &str| {
        whole_number::<u16>(part.trim())
            .ok_or_else(|| format!("`{part}` is not a whole number from 0 to 65535"))
    };
    StepCosts::new(number(straight)?, number(diagonal)?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Arguments, parse_steps};
    use clap::CommandFactory;
    use tilepath::StepCosts;

    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn help_names_every_algorithm() {
        let known = "".parse::<tilepath::Algorithm>().expect_err("the empty text is no name").known;
        for command in ["solve", "scen", "render"] {
            let mut arguments = Arguments::command();
            let command = arguments.find_subcommand_mut(command).expect("there is such a command");
            let help = command.render_long_help().to_string();
            let names = known
                .split([',', ' '])
                .filter(|name| !name.is_empty() && !name.contains(':') && *name != "or");
            for name in names {
                assert!(help.contains(name), "{name} is missing in the help of {}", command.get_name());
            }
        }
    }

    #[test]
    fn steps_are_two_numbers_in_range() {
        assert_eq!(parse_steps("10,14"), Ok(StepCosts::CLASSIC));
        assert_eq!(parse_steps(" 70, 99"), Ok(StepCosts::PRECISE));
        for wrong in
            ["", "10", "10,", "10,14,3", "0,0", "10,9", "10,21", "-1,1", "+10,14", "70000,70000", "a,b"]
        {
            assert!(parse_steps(wrong).is_err(), "{wrong:?}");
        }
    }
}
