//! The arguments of the command line.

use crate::{
    board::BoardArguments,
    lint::LintArguments,
    place::Place,
    supposed::SupposedCell,
    whole_number::{whole_number, within},
};
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use tilepath::{Algorithm, Diagonals, StepCosts, format::LetterClasses, turns::LongStep};

/// Cheapest paths over tile maps and waypoint graphs.
///
/// Exit code 0: found (scen: no mismatch; replay: no difference; lint: clean), 1: no path (a mismatch, a difference, a lint), 2: bad
/// input.
#[derive(Parser, Debug)]
#[command(name = "tilepath", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to colour the maps of the text output. `auto`: if standard output is a terminal and NO_COLOR is not set.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true)]
    pub(crate) color: ColorChoice,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Find the cheapest path between two cells of a map.
    Solve(SolveArguments),
    /// Find the cells that must not be closed: each alone would leave no path between two cells of a map.
    Forbidden(ForbiddenArguments),
    /// Run the queries of a MovingAI scenario and compare every answer.
    Scen(ScenArguments),
    /// Draw a map as PNG, with a path between two cells if they are given.
    Render(RenderArguments),
    /// Find every cell where a unit can stop, and in which turn it gets there.
    Range(RangeArguments),
    /// Find the cheapest path between two waypoints of a graph, or what is within some steps of one.
    Graph(GraphArguments),
    /// Run a recording again and compare every answer.
    Replay(ReplayArguments),
    /// Check a file of rules, alone or with a map: what is wrong, and what is allowed and hardly meant.
    Lint(LintArguments),
}

/// The map and how a unit moves over it.
#[derive(Args, Debug)]
pub(crate) struct MovementArguments {
    /// When a diagonal step may pass obstacles at its sides: never, only-when-no-obstacles, if-at-most-one-obstacle or
    /// always.
    #[arg(long, value_name = "RULE", default_value_t = Diagonals::default())]
    pub(crate) diagonals: Diagonals,

    /// auto, jps, astar, dijkstra, greedy, near, within[:PERCENT], weighted-astar[:PERCENT], breadth-first, depth-first or
    /// backtracking.
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::default())]
    pub(crate) algorithm: Algorithm,

    /// Terrain classes of single letters of a MovingAI map or a picture, 0 being a wall, such as '.=1,S=3,W=0'. By default those in
    /// the file of the map's name that ends in `.letters`, if there is one.
    #[arg(long, value_name = "LETTERS")]
    pub(crate) terrain: Option<LetterClasses>,
}

/// Arguments of `tilepath solve`.
#[derive(Args, Debug)]
pub(crate) struct SolveArguments {
    /// A MovingAI map (its first line starts with `type`), a table of costs from 0 (a wall) to 255, one row a line, or a
    /// picture, one letter a cell: `#` a wall, `.` ground, a digit its cost. `-` is standard input. Other letters have their classes
    /// from --terrain, or from a file of the map's name that ends in `.letters`.
    pub(crate) map: PathBuf,

    /// Start: column from the left and row from the top, from 0.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) from: Place,

    /// Goal, as --from.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) to: Place,

    #[command(flatten)]
    pub(crate) board: BoardArguments,

    #[command(flatten)]
    pub(crate) movement: MovementArguments,

    /// Price of a straight and of a diagonal step onto terrain of cost 1.
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", default_value = "10,14", value_parser = parse_steps, conflicts_with = "rules")]
    pub(crate) steps: StepCosts,

    /// If the goal cannot be reached, go to the reachable cell closest to it.
    #[arg(long)]
    pub(crate) closest: bool,

    /// Give up where every path costs more, and tell the one that comes closest.
    #[arg(long, value_name = "N", value_parser = within(0..=u32::MAX))]
    pub(crate) cost_limit: Option<u32>,

    /// Give up where the path found would have more steps, and tell the one that comes closest.
    #[arg(long, value_name = "STEPS", value_parser = within(0..=u32::MAX))]
    pub(crate) length_limit: Option<u32>,

    /// Suppose that a cell had another terrain class, 0 being a wall, and tell how the answer compares with that on the map as
    /// it is. May be given several times.
    #[arg(long, value_name = "X,Y=C", allow_hyphen_values = true)]
    pub(crate) what_if: Vec<SupposedCell>,

    /// Tell what each step costs and why; where there is no path, which cells would have to open.
    #[arg(long)]
    pub(crate) explain: bool,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the map and the path.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) drawing: DrawingArguments,
}

/// Arguments of `tilepath forbidden`.
#[derive(Args, Debug)]
pub(crate) struct ForbiddenArguments {
    /// A MovingAI map (its first line starts with `type`), a table of costs from 0 (a wall) to 255, one row a line, or a
    /// picture, one letter a cell: `#` a wall, `.` ground, a digit its cost. `-` is standard input. Other letters have their classes
    /// from --terrain, or from a file of the map's name that ends in `.letters`.
    pub(crate) map: PathBuf,

    /// Start: column from the left and row from the top, from 0. May be given several times: cells are told that close the
    /// way from any of them.
    #[arg(long, value_name = "X,Y", required = true, allow_hyphen_values = true)]
    pub(crate) from: Vec<Place>,

    /// Goal, as --from.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) to: Place,

    #[command(flatten)]
    pub(crate) board: BoardArguments,

    /// When a diagonal step may pass obstacles at its sides: never, only-when-no-obstacles, if-at-most-one-obstacle or
    /// always.
    #[arg(long, value_name = "RULE", default_value_t = Diagonals::default())]
    pub(crate) diagonals: Diagonals,

    /// Terrain classes of single letters of a MovingAI map or a picture, 0 being a wall, such as '.=1,S=3,W=0'. By default those in
    /// the file of the map's name that ends in `.letters`, if there is one.
    #[arg(long, value_name = "LETTERS")]
    pub(crate) terrain: Option<LetterClasses>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the map and the cells.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Pixels a cell; by default as many as make the longer side about 1000 pixels.
    #[arg(long, value_name = "PIXELS", requires = "png", value_parser = within(1..=64))]
    pub(crate) scale: Option<u32>,
}

/// Arguments of `tilepath render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArguments {
    /// A MovingAI map (its first line starts with `type`), a table of costs from 0 (a wall) to 255, one row a line, or a
    /// picture, one letter a cell: `#` a wall, `.` ground, a digit its cost. `-` is standard input. Other letters have their classes
    /// from --terrain, or from a file of the map's name that ends in `.letters`.
    pub(crate) map: PathBuf,

    /// Where to write the picture.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: PathBuf,

    /// Start of a path to draw: column from the left and row from the top, from 0.
    #[arg(long, value_name = "X,Y", requires = "to", allow_hyphen_values = true)]
    pub(crate) from: Option<Place>,

    /// Goal of the path, as --from.
    #[arg(long, value_name = "X,Y", requires = "from", allow_hyphen_values = true)]
    pub(crate) to: Option<Place>,

    #[command(flatten)]
    pub(crate) board: BoardArguments,

    #[command(flatten)]
    pub(crate) movement: MovementArguments,

    /// Price of a straight and of a diagonal step onto terrain of cost 1.
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", default_value = "10,14", value_parser = parse_steps, conflicts_with = "rules")]
    pub(crate) steps: StepCosts,

    /// If the goal cannot be reached, go to the reachable cell closest to it.
    #[arg(long, requires = "from")]
    pub(crate) closest: bool,

    #[command(flatten)]
    pub(crate) drawing: DrawingArguments,
}

/// How to draw.
#[derive(Args, Debug)]
pub(crate) struct DrawingArguments {
    /// Colour the cells that the search expanded, from the first (dark) to the last (bright).
    #[arg(long, requires_all = ["png", "from"])]
    pub(crate) heat: bool,

    /// Pixels a cell; by default as many as make the longer side about 1000 pixels.
    #[arg(long, value_name = "PIXELS", requires = "png", value_parser = within(1..=64))]
    pub(crate) scale: Option<u32>,
}

/// Arguments of `tilepath scen`.
#[derive(Args, Debug)]
pub(crate) struct ScenArguments {
    /// The scenario. `-` is standard input.
    #[arg(value_name = "FILE.scen")]
    pub(crate) scenario: PathBuf,

    /// The folder of the maps; by default that of the scenario, for standard input the current one.
    #[arg(long, value_name = "DIR")]
    pub(crate) maps: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) movement: MovementArguments,

    /// Price of a straight and of a diagonal step onto terrain of cost 1.
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", default_value = "70,99", value_parser = parse_steps)]
    pub(crate) steps: StepCosts,

    /// What to compare with. Where the lengths of the file cannot hold (another diagonal rule, steps that are not
    /// 1 to √2, letters opened or closed, unequal costs), it is the oracle whatever is asked. Algorithms that are not
    /// exact are compared all the same: their costlier paths are mismatches.
    #[arg(long, value_enum, default_value_t = Check::File)]
    pub(crate) check: Check,

    /// Take only this many queries, spread evenly over the file.
    #[arg(long, value_name = "N", value_parser = within(1..=u32::MAX))]
    pub(crate) limit: Option<u32>,

    /// Print a header and one row a query.
    #[arg(long)]
    pub(crate) csv: bool,
}

/// Arguments of `tilepath range`.
#[derive(Args, Debug)]
pub(crate) struct RangeArguments {
    /// A MovingAI map (its first line starts with `type`), a table of costs from 0 (a wall) to 255, one row a line, or a
    /// picture, one letter a cell: `#` a wall, `.` ground, a digit its cost. `-` is standard input. Other letters have their classes
    /// from --terrain, or from a file of the map's name that ends in `.letters`.
    pub(crate) map: PathBuf,

    /// Where the unit stands: column from the left and row from the top, from 0.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) from: Place,

    /// What it may spend each turn; what is left at the end of a turn is lost.
    #[arg(long, value_name = "N", value_parser = within(0..=u32::MAX))]
    pub(crate) points: u32,

    /// How many turns it has.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = within(0..=u32::MAX))]
    pub(crate) turns: u32,

    /// What it may still spend in the first turn, if it has moved already.
    #[arg(long, value_name = "N", value_parser = within(0..=u32::MAX))]
    pub(crate) points_left: Option<u32>,

    /// Cells that it may pass and not stop on, such as those of friends.
    #[arg(long, value_name = "X,Y", num_args = 1..)]
    pub(crate) no_stop: Vec<Place>,

    /// What becomes of a step that costs more than a whole turn has points.
    #[arg(long, value_name = "RULE", value_enum, default_value_t = Over::Never)]
    pub(crate) over: Over,

    #[command(flatten)]
    pub(crate) board: BoardArguments,

    /// When a diagonal step may pass obstacles at its sides: never, only-when-no-obstacles, if-at-most-one-obstacle or
    /// always.
    #[arg(long, value_name = "RULE", default_value_t = Diagonals::default())]
    pub(crate) diagonals: Diagonals,

    /// Terrain classes of single letters of a MovingAI map or a picture, 0 being a wall, such as '.=1,S=3,W=0'. By default those in
    /// the file of the map's name that ends in `.letters`, if there is one.
    #[arg(long, value_name = "LETTERS")]
    pub(crate) terrain: Option<LetterClasses>,

    /// Price of a straight and of a diagonal step onto terrain of cost 1.
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", default_value = "10,14", value_parser = parse_steps, conflicts_with = "rules")]
    pub(crate) steps: StepCosts,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the map and the cells, those of the first turn dark, those of the last one bright.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Pixels a cell; by default as many as make the longer side about 1000 pixels.
    #[arg(long, value_name = "PIXELS", requires = "png", value_parser = within(1..=64))]
    pub(crate) scale: Option<u32>,
}

/// What becomes of a step that costs more than a whole turn.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Over {
    /// It is never taken.
    Never,
    /// It takes a whole turn of its own.
    OwnTurn,
}

impl From<Over> for LongStep {
    fn from(over: Over) -> Self {
        match over {
            Over::Never => Self::Never,
            Over::OwnTurn => Self::OwnTurn,
        }
    }
}

/// Arguments of `tilepath graph`.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("question").required(true).args(["to", "within"]))]
pub(crate) struct GraphArguments {
    /// A waypoint graph as XML (its first letter is `<`) or as RON. `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) graph: PathBuf,

    /// The waypoint to begin at.
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) from: String,

    /// The waypoint to find the cheapest path to.
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) to: Option<String>,

    /// List everything that can be reached in at most this many steps, whatever they cost.
    #[arg(long, value_name = "STEPS", value_parser = within(0..=u32::MAX))]
    pub(crate) within: Option<u32>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the graph and the answer.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Draw y upwards, as in a Bevy world; by default it points down, as on a screen.
    #[arg(long, requires = "png")]
    pub(crate) y_up: bool,
}

/// Arguments of `tilepath replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// A recording, RON or JSON, or the decision of a tick of a crowd, RON. `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) recording: PathBuf,

    /// Draw each answer of a recording into a folder, which is made if need be.
    #[arg(long, value_name = "DIR")]
    pub(crate) png: Option<PathBuf>,

    /// Print one JSON object a line instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the answers of a scenario are compared with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    /// The optimal lengths in the file.
    File,
    /// The cost that a plain Dijkstra search finds.
    Oracle,
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
