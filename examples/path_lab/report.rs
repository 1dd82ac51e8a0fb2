//! What the last step did, in a line.

use bevy::color::Color;
use tilepath::{FailureExplanation, GraphStep, Outcome, SearchStep};
use tilepath_examples::panel::colour;

use crate::{
    lab::{Lab, Run},
    run::{GraphRun, GridRun},
};

/// The line below the steps, and its colour.
pub(crate) fn news(lab: &Lab) -> (String, Color) {
    match lab.run() {
        Run::Idle => ("click another node: the goal".into(), colour::GOLD),
        Run::Refused(reason) => (reason.clone(), colour::BAD),
        Run::Grid(run) => of_grid(lab, run),
        Run::Graph(run) => of_graph(lab, run),
    }
}

fn of_grid(lab: &Lab, run: &GridRun) -> (String, Color) {
    let place = |cell: tilepath::Cell| format!("({}, {})", cell.x, cell.y);
    match run.last() {
        None => {
            (format!("{} begins at {}", lab.settings().method.name(), place(lab.field().start)), colour::TEXT)
        }
        Some(SearchStep::Expanded(cell)) => {
            let search = run.search();
            let known =
                [("g", search.cost_to(cell)), ("h", search.estimate_from(cell)), ("f", search.rank_of(cell))];
            let figures: String = known
                .into_iter()
                .filter_map(|(name, value)| Some(["  ", name, " ", &value?.to_string()].concat()))
                .collect();
            (format!("expands {}{figures}", place(cell)), colour::TEXT)
        }
        Some(SearchStep::Reached(_)) => match run.answer() {
            Some(Ok(answer)) => of_outcome(&answer.outcome, answer.statistics.expanded),
            Some(Err(error)) => (error.to_string(), colour::BAD),
            None => (String::new(), colour::TEXT),
        },
        Some(SearchStep::Exhausted | SearchStep::LimitReached) => {
            let expanded = run.search().statistics().expanded;
            let door = match lab.failure() {
                Some(FailureExplanation::Sealed(barrier)) => {
                    match (barrier.single.first(), &barrier.smallest) {
                        (Some(opening), _) => {
                            format!(
                                "; with {} open there would be one of cost {}",
                                place(opening.cell),
                                opening.cost
                            )
                        }
                        (None, Some(set)) => {
                            format!(
                                "; with {} cells open there would be one of cost {}",
                                set.cells.len(),
                                set.cost
                            )
                        }
                        (None, None) => String::new(),
                    }
                }
                _ => String::new(),
            };
            (format!("no way: gives up after {expanded} cells{door}"), colour::BAD)
        }
    }
}

fn of_outcome(outcome: &Outcome, expanded: u64) -> (String, Color) {
    let Some(path) = outcome.path() else { return (String::new(), colour::TEXT) };
    let (cost, steps) = (path.cost(), path.steps());
    if path.is_optimal() {
        (format!("arrived: cost {cost}, {steps} steps, {expanded} expanded; proven cheapest"), colour::GOOD)
    } else {
        let bound = path.lower_bound();
        let text = format!(
            "arrived: cost {cost}, {steps} steps, {expanded} expanded; no path costs less than {bound}"
        );
        (text, colour::GOLD)
    }
}

fn of_graph(lab: &Lab, run: &GraphRun) -> (String, Color) {
    let network = lab.network();
    match run.last() {
        None => {
            let text =
                format!("{} begins at node {}", lab.settings().method.name(), network.name(network.start));
            (text, colour::TEXT)
        }
        Some(GraphStep::Expanded(node)) => {
            let distance = run.search().distance(node).unwrap_or_default();
            let edges = run.search().edges_of_last_step().len();
            (format!("expands node {}  g {distance:.1}, {edges} edges", network.name(node)), colour::TEXT)
        }
        Some(GraphStep::Reached(_)) => {
            let expanded = run.search().expanded();
            let visited = run.search().visited_edges().len();
            let (cost, edges) =
                run.path().map_or((0.0, 0), |path| (path.cost, path.nodes.len().saturating_sub(1)));
            let text = format!(
                "arrived: cost {cost:.1}, {edges} edges; {expanded} nodes expanded, {visited} edges visited"
            );
            (text, colour::GOOD)
        }
        Some(GraphStep::Exhausted) => {
            (format!("no way: gives up after {} nodes", run.search().expanded()), colour::BAD)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        lab::Order,
        settings::{Ground, Method, Mode, Settings},
    };
    use tilepath::Cell;

    #[test]
    fn the_line_tells_beginning_middle_and_end() {
        let mut lab = Lab::new(Settings::default());
        assert_eq!(news(&lab).0, "A* begins at (1, 2)");
        lab.obey(Order::Step(1));
        assert!(news(&lab).0.starts_with("expands (1, 2)  g 0  h "), "{}", news(&lab).0);
        lab.obey(Order::SeekEnd);
        assert!(news(&lab).0.ends_with("proven cheapest"), "{}", news(&lab).0);
    }

    #[test]
    fn a_search_without_a_way_names_the_door() {
        let mut lab =
            Lab::new(Settings { ground: Ground::Open, method: Method::Backtracking, ..Settings::default() });
        lab.obey(Order::MoveStart(Cell::new(0, 0)));
        lab.obey(Order::MoveGoal(Cell::new(15, 11)));
        for y in 0..12 {
            lab.obey(Order::Paint(Cell::new(8, y), 0));
        }
        lab.obey(Order::SeekEnd);
        let line = news(&lab).0;
        assert!(line.starts_with("no way: gives up after 96 cells; with (8, "), "{line}");
    }

    #[test]
    fn a_graph_waits_for_its_goal() {
        let mut lab = Lab::new(Settings { mode: Mode::Graph, ..Settings::default() });
        lab.obey(Order::Pick(tilepath::NodeId::new(3)));
        assert_eq!(news(&lab).0, "click another node: the goal");
        lab.obey(Order::Pick(tilepath::NodeId::new(4)));
        lab.obey(Order::SeekEnd);
        assert!(news(&lab).0.starts_with("arrived: cost 78.6, 1 edges"), "{}", news(&lab).0);
    }
}
