//! The last step in one line.

use bevy::color::Color;
use tilepath::{Outcome, explain::FailureExplanation, search::Step};
use tilepath_examples::{
    panel::colour,
    words::{self, place},
};

use crate::{
    lab::{Lab, Lane},
    run::{GraphRun, GridRun, Run},
};

/// Returns the line below the steps, and its colour.
pub(crate) fn news(lab: &Lab) -> (String, Color) {
    if let [one, other] = lab.lanes() {
        return of_race(lab, one, other);
    }
    match lab.run() {
        Run::Idle => ("click another node: the goal".into(), colour::GOLD),
        Run::Refused(reason) => (reason.clone(), colour::BAD),
        Run::Grid(run) => of_grid(lab, run),
        Run::Graph(run) => of_graph(lab, run),
    }
}

fn of_grid(lab: &Lab, run: &GridRun) -> (String, Color) {
    match run.last() {
        None => {
            (format!("{} begins at {}", lab.settings().method.name(), place(lab.field().start)), colour::TEXT)
        }
        Some(Step::Expanded(cell)) => {
            let search = run.search();
            let known =
                [("g", search.cost_to(cell)), ("h", search.estimate_from(cell)), ("f", search.rank_of(cell))];
            let figures: String = known
                .into_iter()
                .filter_map(|(name, value)| Some(["  ", name, " ", &value?.to_string()].concat()))
                .collect();
            (format!("expands {}{figures}", place(cell)), colour::TEXT)
        }
        Some(Step::Reached(_)) => match run.answer() {
            Some(Ok(answer)) => of_outcome(lab, &answer.outcome, answer.statistics.expanded),
            Some(Err(error)) => (words::question(&error), colour::BAD),
            None => (String::new(), colour::TEXT),
        },
        Some(_) => {
            let expanded = run.search().statistics().expanded;
            let door = match lab.failure() {
                Some(FailureExplanation::Sealed(barrier)) => {
                    match (barrier.single.first(), &barrier.smallest) {
                        (Some(opening), _) => {
                            format!("; opening {} gives a path of cost {}", place(opening.cell), opening.cost)
                        }
                        (None, Some(set)) if set.cells.len() == 1 => {
                            format!("; opening {} gives a path of cost {}", place(set.cells[0]), set.cost)
                        }
                        (None, Some(set)) => {
                            format!("; opening {} cells gives a path of cost {}", set.cells.len(), set.cost)
                        }
                        (None, None) => String::new(),
                    }
                }
                Some(FailureExplanation::NoOpening) => "; opening cells does not help".into(),
                _ => String::new(),
            };
            (format!("no path: {expanded} cells expanded{door}"), colour::BAD)
        }
    }
}

fn of_outcome(lab: &Lab, outcome: &Outcome, expanded: u64) -> (String, Color) {
    let Some(path) = outcome.path() else { return (String::new(), colour::TEXT) };
    let turns =
        lab.turns().map_or_else(String::new, |turns| ["; ", &turns.in_short(lab.field(), path)].concat());
    let arrived =
        format!("path found: cost {}, {} steps, {expanded} expanded{turns}", path.cost(), path.steps());
    if path.is_optimal() {
        return (format!("{arrived}; proven cheapest"), colour::GOOD);
    }
    // The table has the cheapest cost from another search.
    let figures = lab.rows().iter().find(|row| row.method == lab.settings().method);
    match figures.and_then(|row| row.result.as_ref().ok()) {
        Some(figures) if figures.is_optimal() => {
            (format!("{arrived}; a cheapest path, but this search does not prove it"), colour::GOOD)
        }
        Some(figures) => {
            (format!("{arrived}; {} costlier than the cheapest", figures.excess()), colour::GOLD)
        }
        None => (arrived, colour::GOLD),
    }
}

/// Returns the text above the board of an algorithm in a race, at most this many letters long.
pub(crate) fn of_lane(lane: &Lane, letters: usize) -> String {
    let Lane { method, run } = lane;
    let name = method.name();
    if matches!(run, Run::Refused(_)) {
        return format!("{name}: not here");
    }
    let cost = cost_of(run).map_or_else(String::new, |cost| format!(", cost {cost}"));
    let counted = [
        format!("{name}: step {} of {}, {} expanded{cost}", run.at(), run.total(), run.expanded()),
        format!("{name}: {} expanded{cost}", run.expanded()),
        format!("{name}: {}", run.expanded()),
    ];
    counted.into_iter().find(|text| text.len() <= letters).unwrap_or_else(|| name.to_owned())
}

/// Returns the cost of the path once it is found.
fn cost_of(run: &Run) -> Option<String> {
    match run {
        Run::Grid(run) => Some(run.answer()?.ok()?.outcome.path()?.cost().to_string()),
        Run::Graph(run) => Some(format!("{:.1}", run.path()?.cost)),
        Run::Idle | Run::Refused(_) => None,
    }
}

fn of_race(lab: &Lab, one: &Lane, other: &Lane) -> (String, Color) {
    for lane in [one, other] {
        match &lane.run {
            Run::Refused(reason) => return (reason.clone(), colour::BAD),
            Run::Idle => return ("click another node: the goal".into(), colour::GOLD),
            Run::Grid(_) | Run::Graph(_) => {}
        }
    }
    let ends = |lane: &Lane| -> String {
        let how = cost_of(&lane.run).map_or_else(|| "no path".into(), |cost| format!("cost {cost}"));
        format!("{} {how} after {} expanded", lane.method.name(), lane.run.expanded())
    };
    match (one.run.is_over(), other.run.is_over()) {
        (true, true) => (format!("{}; {}", ends(one), ends(other)), colour::GOOD),
        (true, false) => (format!("{} is first: {}", one.method.name(), ends(one)), colour::GOLD),
        (false, true) => (format!("{} is first: {}", other.method.name(), ends(other)), colour::GOLD),
        (false, false) => {
            let step = lab.at();
            (format!("{} and {} at step {step}", one.method.name(), other.method.name()), colour::TEXT)
        }
    }
}

/// Returns a number of edges in words.
fn edges(count: usize) -> String {
    if count == 1 { "1 edge".into() } else { format!("{count} edges") }
}

fn of_graph(lab: &Lab, run: &GraphRun) -> (String, Color) {
    let network = lab.network();
    match run.last() {
        None => {
            let text =
                format!("{} begins at node {}", lab.settings().method.name(), network.name(network.start));
            (text, colour::TEXT)
        }
        Some(Step::Expanded(node)) => {
            let distance = run.search().distance(node).unwrap_or_default();
            let edges = edges(run.search().edges_of_last_step().len());
            (format!("expands node {}  g {distance:.1}, {edges}", network.name(node)), colour::TEXT)
        }
        Some(Step::Reached(_)) => {
            let expanded = run.search().expanded();
            let visited = edges(run.search().visited_edges().len());
            let (cost, walked) =
                run.path().map_or((0.0, 0), |path| (path.cost, path.nodes.len().saturating_sub(1)));
            let walked = edges(walked);
            let nodes = if expanded == 1 { "1 node".into() } else { format!("{expanded} nodes") };
            let text = format!("path found: cost {cost:.1}, {walked}; {nodes} expanded, {visited} visited");
            (text, colour::GOOD)
        }
        Some(_) => (format!("no path: {} nodes expanded", run.search().expanded()), colour::BAD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        method::Method,
        order::Order,
        settings::{Ground, Mode, Setting, Settings},
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
        assert!(line.starts_with("no path: 96 cells expanded; opening (8, "), "{line}");
    }

    /// Returns the news at the end, and the verdict of the table.
    fn told(mut lab: Lab, method: Method) -> (String, String) {
        lab.obey(Order::Choose(Setting::Method(method)));
        lab.obey(Order::SeekEnd);
        let row = lab.rows().iter().find(|row| row.method == method).unwrap();
        (news(&lab).0, row.result.as_ref().unwrap().verdict())
    }

    #[test]
    fn sentence_about_the_cost_agrees_with_the_table() {
        let (said, verdict) = told(Lab::new(Settings::default()), Method::Greedy);
        assert!(said.ends_with("54% costlier than the cheapest") && verdict == "+54%", "{said}, {verdict}");
        // Round one wall without diagonals, fewest steps also cost least. Breadth-first search does
        // not prove that.
        let settings =
            Settings { ground: Ground::Open, diagonals: tilepath::Diagonals::Never, ..Settings::default() };
        let mut lab = Lab::new(settings);
        lab.obey(Order::MoveStart(Cell::new(1, 5)));
        lab.obey(Order::MoveGoal(Cell::new(5, 5)));
        lab.obey(Order::Paint(Cell::new(3, 5), 0));
        let (said, verdict) = told(lab, Method::BreadthFirst);
        assert!(said.contains("cost 60") && said.ends_with("this search does not prove it"), "{said}");
        assert_eq!(verdict, "yes");
    }

    #[test]
    fn report_of_a_race_has_the_winner_and_the_work_of_each() {
        let mut lab = Lab::new(Settings { rival: Some(Method::Dijkstra), ..Settings::default() });
        lab.obey(Order::Seek(10));
        assert_eq!(news(&lab).0, "A* and Dijkstra at step 10");
        assert_eq!(of_lane(&lab.lanes()[1], 60), "Dijkstra: step 10 of 154, 10 expanded");
        lab.obey(Order::Seek(130));
        assert!(news(&lab).0.starts_with("A* is first"), "{}", news(&lab).0);
        assert_eq!(of_lane(&lab.lanes()[0], 30), "A*: 116 expanded, cost 234");
        assert_eq!(of_lane(&lab.lanes()[0], 60), "A*: step 117 of 117, 116 expanded, cost 234");
        lab.obey(Order::SeekEnd);
        assert_eq!(news(&lab).0, "A* cost 234 after 116 expanded; Dijkstra cost 234 after 153 expanded");
    }

    #[test]
    fn a_graph_waits_for_its_goal() {
        let mut lab = Lab::new(Settings { mode: Mode::Graph, ..Settings::default() });
        lab.obey(Order::Pick(tilepath::graph::NodeId::new(3)));
        assert_eq!(news(&lab).0, "click another node: the goal");
        lab.obey(Order::Pick(tilepath::graph::NodeId::new(4)));
        lab.obey(Order::SeekEnd);
        assert!(news(&lab).0.starts_with("path found: cost 78.6, 1 edge;"), "{}", news(&lab).0);
    }
}
