//! Waypoint graphs: known answers, edits, and waypoints within reach.
//!
//! The edits are compared with a plain list.

#![expect(clippy::float_cmp, reason = "costs of round numbers are exact")]

use proptest::prelude::*;
use std::collections::BTreeMap;
use testkit::EdgeList;
use tilepath::{
    graph::{Graph, Position},
    waypoint::{RouteOptions, WaypointEdge, WaypointError, WaypointGraph},
};

/// Returns six waypoints with eight joins.
pub(crate) fn six_waypoints() -> WaypointGraph {
    let mut graph = WaypointGraph::new();
    let places = [(25., 25.), (110., 110.), (50., 180.), (225., 90.), (190., 160.), (230., 170.)];
    for (number, place) in (1..).zip(places) {
        graph.add(format!("n{number}"), place).unwrap();
    }
    for (a, b) in [(1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (3, 6), (4, 5), (4, 6)] {
        assert!(graph.join(&format!("n{a}"), &format!("n{b}")).unwrap());
    }
    graph
}

#[test]
fn six_waypoints_give_the_known_answers() {
    let graph = six_waypoints();
    for (to, ids, cost) in
        [("n5", &["n1", "n3", "n5"][..], 298.4245), ("n6", &["n1", "n2", "n4", "n6"], 317.0904)]
    {
        let path = graph.find("n1", to).unwrap().unwrap();
        assert_eq!(path.ids(), ids);
        assert!((path.cost() - cost).abs() < 0.00006, "{}", path.cost());
        assert!((path.length() - cost).abs() < 0.00006, "{}", path.length());
        let positions: Vec<Position> = ids.iter().map(|id| graph.position(id).unwrap()).collect();
        assert_eq!(path.positions(), positions);
    }
}

#[test]
fn way_from_a_waypoint_to_itself_is_that_waypoint() {
    let path = six_waypoints().find("n4", "n4").unwrap().unwrap();
    assert_eq!((path.ids(), path.cost(), path.length()), (&["n4".to_owned()][..], 0.0, 0.0));
    let route = six_waypoints().find_route("n4", "n4", RouteOptions::default()).unwrap().unwrap();
    // A game must not show "-0".
    assert!(path.length().is_sign_positive() && route.length().is_sign_positive());
}

#[test]
fn within_three_steps_of_the_first_waypoint_is_everything_in_order() {
    let graph = six_waypoints();
    let within = |id, steps| -> Vec<(String, u32)> {
        graph.within_steps(id, steps).unwrap().into_iter().map(|within| (within.id, within.steps)).collect()
    };
    let expected = [("n1", 0), ("n2", 1), ("n3", 1), ("n4", 2), ("n5", 2), ("n6", 2)]
        .map(|(id, steps)| (id.into(), steps));
    assert_eq!(within("n1", 3), expected);
    assert_eq!(within("n1", u32::MAX), expected);
    assert_eq!(within("n1", 1), expected[..3]);
    assert_eq!(within("n1", 0), expected[..1]);
}

#[test]
fn within_a_cost_is_in_the_order_of_cost_up_to_the_budget_inclusive() {
    let mut graph = WaypointGraph::new();
    for (id, x) in [("far", 30.0), ("start", 0.0), ("near", 10.0), ("twin", -10.0), ("apart", 1.0)] {
        graph.add(id, (x, 0.0)).unwrap();
    }
    for id in ["far", "near", "twin"] {
        graph.join("start", id).unwrap();
    }
    let within = |budget| -> Vec<(String, f64)> {
        graph
            .within_cost("start", budget)
            .unwrap()
            .into_iter()
            .map(|within| (within.id, within.cost))
            .collect()
    };
    let expected =
        [("start", 0.0), ("near", 10.0), ("twin", 10.0), ("far", 30.0)].map(|(id, cost)| (id.into(), cost));
    assert_eq!(within(f64::INFINITY), expected);
    assert_eq!(within(10.0), expected[..3]);
    assert_eq!(within(9.9), expected[..1]);
    assert_eq!(within(-1.0), []);
    assert_eq!(graph.within_cost("start", f64::NAN), Err(WaypointError::InvalidBudget));
}

#[test]
fn one_way_edges_lead_one_way() {
    let mut graph = WaypointGraph::new();
    graph.add("up", (0.0, 3.0)).unwrap();
    graph.add("down", (4.0, 0.0)).unwrap();
    assert_eq!(graph.join_one_way("up", "down"), Ok(true));
    assert_eq!(graph.find("up", "down").unwrap().unwrap().cost(), 5.0);
    assert_eq!(graph.find("down", "up"), Ok(None));
    assert_eq!(graph.join("down", "up"), Ok(true), "the edge back is new");
    assert_eq!(graph.find("down", "up").unwrap().unwrap().cost(), 5.0);
    assert_eq!(graph.unjoin_one_way("up", "down"), Ok(true));
    assert!(graph.find("up", "down").unwrap().is_none() && graph.find("down", "up").unwrap().is_some());
}

#[test]
fn cost_factor_decides_the_route_and_defaults_to_the_speed() {
    let mut graph = WaypointGraph::new();
    for (id, place) in [("a", (0.0, 0.0)), ("b", (10.0, 0.0)), ("over", (5.0, 12.0))] {
        graph.add(id, place).unwrap();
    }
    graph.join("a", "b").unwrap();
    graph.join("a", "over").unwrap();
    graph.join("over", "b").unwrap();
    for (from, to) in [("a", "over"), ("over", "b")] {
        graph.set_edge(from, to, WaypointEdge::with_speed(4.0)).unwrap();
    }
    let path = graph.find("a", "b").unwrap().unwrap();
    assert_eq!((path.ids().len(), path.cost(), path.length()), (3, 6.5, 26.0));
    assert_eq!(graph.find("b", "a").unwrap().unwrap().cost(), 10.0, "the edge back is unchanged");
    graph.set_edge("a", "over", WaypointEdge { speed: 4.0, cost_factor: 100.0 }).unwrap();
    assert_eq!(graph.find("a", "b").unwrap().unwrap().cost(), 10.0);
}

#[test]
fn unknown_name_is_refused_with_the_most_similar_one() {
    let graph = six_waypoints();
    for (id, similar) in [("N5", Some("n5")), ("n7", Some("n1")), ("market", None), ("", None)] {
        let expected = WaypointError::UnknownWaypoint { id: id.into(), similar: similar.map(str::to_owned) };
        assert_eq!(graph.find(id, "n1"), Err(expected.clone()), "{id:?}");
        assert_eq!(graph.find("n1", id), Err(expected.clone()), "{id:?}");
        assert_eq!(graph.within_steps(id, 1), Err(expected), "{id:?}");
    }
}

#[test]
fn refused_edits_change_nothing() {
    let mut graph = six_waypoints();
    let (before, revision) = (graph.clone(), graph.revision());
    let far = WaypointGraph::MAX_COORDINATE * 1.001;
    for place in [(f64::NAN, 0.0), (0.0, f64::INFINITY), (far, 0.0), (0.0, -far)] {
        let refused = graph.add("new", place).unwrap_err();
        assert!(matches!(refused, WaypointError::InvalidPosition { .. }), "{refused}");
        assert!(matches!(graph.move_to("n1", place), Err(WaypointError::InvalidPosition { .. })));
    }
    assert_eq!(graph.add("", (0.0, 0.0)), Err(WaypointError::EmptyId));
    assert_eq!(graph.rename("n1", ""), Err(WaypointError::EmptyId));
    let taken = WaypointError::DuplicateWaypoint { id: "n2".into() };
    assert_eq!(graph.add("n2", (0.0, 0.0)), Err(taken.clone()));
    assert_eq!(graph.rename("n1", "n2"), Err(taken));
    assert_eq!(graph.join("n1", "n1"), Err(WaypointError::SelfJoin { id: "n1".into() }));
    let apart = WaypointError::NotJoined { from: "n1".into(), to: "n6".into() };
    assert_eq!(graph.set_edge("n1", "n6", WaypointEdge::default()), Err(apart));
    for (speed, cost_factor) in
        [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (1.0, -0.5), (1e10, 1.0)]
    {
        let refused = graph.set_edge("n1", "n2", WaypointEdge { speed, cost_factor }).unwrap_err();
        assert!(matches!(refused, WaypointError::InvalidEdge { .. }), "{refused}");
    }
    for refused in [graph.remove("n9"), graph.move_to("n9", (0.0, 0.0)), graph.rename("n9", "n10")] {
        assert!(matches!(refused, Err(WaypointError::UnknownWaypoint { .. })));
    }
    assert_eq!((&graph, graph.revision()), (&before, revision));
}

#[test]
fn greatest_numbers_give_a_cost_that_can_be_stated() {
    let mut graph = WaypointGraph::new();
    let far = WaypointGraph::MAX_COORDINATE;
    graph.add("here", (-far, -far)).unwrap();
    graph.add("there", (far, far)).unwrap();
    graph.join("here", "there").unwrap();
    let costliest = WaypointEdge { speed: WaypointEdge::MIN_FACTOR, cost_factor: WaypointEdge::MAX_FACTOR };
    graph.set_edge("here", "there", costliest).unwrap();
    let cost = graph.find("here", "there").unwrap().unwrap().cost();
    assert!(cost.is_finite() && cost > 2.8e24, "{cost}");
}

#[test]
fn numbers_of_the_graph_below_name_the_same_waypoints() {
    let graph = six_waypoints();
    let (from, to) = (graph.node("n1").unwrap(), graph.node("n5").unwrap());
    let below: &Graph = graph.graph();
    let path = below.find(from, to).unwrap().unwrap();
    let ids: Vec<&str> = path.nodes.iter().map(|&node| graph.id(node).unwrap()).collect();
    assert_eq!(ids, ["n1", "n3", "n5"]);
}

#[test]
fn replacing_a_graph_moves_its_revision_on_only_if_something_is_different() {
    let mut graph = six_waypoints();
    let revision = graph.revision();
    assert!(!graph.replace(six_waypoints()));
    assert_eq!(graph.revision(), revision);
    let mut other = six_waypoints();
    other.move_to("n1", (26.0, 25.0)).unwrap();
    assert!(graph.replace(other.clone()));
    assert!(graph.revision() > revision);
    assert_eq!(graph, other);
    let revision = graph.revision();
    graph.clear();
    assert!(graph.is_empty() && graph.edge_count() == 0 && graph.revision() > revision);
    graph.add("n1", (0.0, 0.0)).unwrap();
    assert_eq!(graph.find("n1", "n1").unwrap().unwrap().cost(), 0.0);
}

/// A change of a graph. Numbers stand for names.
#[derive(Clone, Debug)]
enum Edit {
    Add(usize, (i8, i8)),
    Remove(usize),
    Rename(usize, usize),
    Move(usize, (i8, i8)),
    Join(usize, usize),
    JoinOneWay(usize, usize),
    Unjoin(usize, usize),
    UnjoinOneWay(usize, usize),
    SetEdge(usize, usize, u8),
    Clear,
}

fn edit() -> impl Strategy<Value = Edit> {
    let name = 0..7_usize;
    // The raster is small, so equal positions and equal costs are frequent.
    let place = (-3..4_i8, -3..4_i8);
    let pair = (name.clone(), name.clone());
    prop_oneof![
        6 => (name.clone(), place.clone()).prop_map(|(id, place)| Edit::Add(id, place)),
        1 => name.clone().prop_map(Edit::Remove),
        1 => pair.clone().prop_map(|(id, new)| Edit::Rename(id, new)),
        2 => (name, place).prop_map(|(id, place)| Edit::Move(id, place)),
        6 => pair.clone().prop_map(|(a, b)| Edit::Join(a, b)),
        4 => pair.clone().prop_map(|(a, b)| Edit::JoinOneWay(a, b)),
        1 => pair.clone().prop_map(|(a, b)| Edit::Unjoin(a, b)),
        1 => pair.clone().prop_map(|(a, b)| Edit::UnjoinOneWay(a, b)),
        4 => (pair, 0..5_u8).prop_map(|((a, b), edge)| Edit::SetEdge(a, b, edge)),
        1 => Just(Edit::Clear),
    ]
}

/// Returns a graph after random edits, so its ids are not in order.
pub(crate) fn edited_graph() -> impl Strategy<Value = WaypointGraph> {
    prop::collection::vec(edit(), 10..80).prop_map(|edits| {
        let mut graph = WaypointGraph::new();
        for edit in edits.iter().filter(|edit| !matches!(edit, Edit::Clear)) {
            apply(edit, &mut graph);
        }
        graph
    })
}

fn settings(number: u8) -> WaypointEdge {
    match number {
        0 => WaypointEdge::default(),
        1 => WaypointEdge { speed: 1.0, cost_factor: 0.0 },
        2 => WaypointEdge { speed: 0.5, cost_factor: 0.1 },
        number => WaypointEdge::with_speed(number.into()),
    }
}

fn name(number: usize) -> String {
    ["a", "b", "c", "d", "e", "f", "g"][number].to_owned()
}

/// Makes the edit. Returns whether the graph accepted it.
fn apply(edit: &Edit, graph: &mut WaypointGraph) -> bool {
    let place = |(x, y): (i8, i8)| (f64::from(x), f64::from(y));
    match *edit {
        Edit::Add(id, at) => graph.add(name(id), place(at)).is_ok(),
        Edit::Remove(id) => graph.remove(&name(id)).is_ok(),
        Edit::Rename(id, new) => graph.rename(&name(id), name(new)).is_ok(),
        Edit::Move(id, at) => graph.move_to(&name(id), place(at)).is_ok(),
        Edit::Join(a, b) => graph.join(&name(a), &name(b)).is_ok(),
        Edit::JoinOneWay(a, b) => graph.join_one_way(&name(a), &name(b)).is_ok(),
        Edit::Unjoin(a, b) => graph.unjoin(&name(a), &name(b)).is_ok(),
        Edit::UnjoinOneWay(a, b) => graph.unjoin_one_way(&name(a), &name(b)).is_ok(),
        Edit::SetEdge(a, b, edge) => graph.set_edge(&name(a), &name(b), settings(edge)).is_ok(),
        Edit::Clear => {
            graph.clear();
            true
        }
    }
}

/// The content of a graph as two plain lists.
#[derive(Clone, PartialEq, Default, Debug)]
struct Lists {
    waypoints: Vec<(String, (f64, f64))>,
    edges: BTreeMap<(String, String), WaypointEdge>,
}

impl Lists {
    fn apply(&mut self, edit: &Edit) -> bool {
        let place = |(x, y): (i8, i8)| (f64::from(x), f64::from(y));
        let knows = |lists: &Self, id: usize| lists.waypoints.iter().any(|(known, _)| *known == name(id));
        match *edit {
            Edit::Add(id, at) => {
                let is_new = !knows(self, id);
                if is_new {
                    self.waypoints.push((name(id), place(at)));
                }
                is_new
            }
            Edit::Remove(id) => {
                let is_there = knows(self, id);
                self.waypoints.retain(|(known, _)| *known != name(id));
                self.edges.retain(|(from, to), _| *from != name(id) && *to != name(id));
                is_there
            }
            Edit::Rename(id, new) => {
                if !knows(self, id) || (id != new && knows(self, new)) {
                    return false;
                }
                let renamed = |known: &String| if *known == name(id) { name(new) } else { known.clone() };
                for (known, _) in &mut self.waypoints {
                    *known = renamed(known);
                }
                let edges = std::mem::take(&mut self.edges);
                self.edges = edges
                    .into_iter()
                    .map(|((from, to), edge)| ((renamed(&from), renamed(&to)), edge))
                    .collect();
                true
            }
            Edit::Move(id, at) => {
                let found = self.waypoints.iter_mut().find(|(known, _)| *known == name(id));
                found.map(|(_, position)| *position = place(at)).is_some()
            }
            Edit::Join(a, b) | Edit::JoinOneWay(a, b) => {
                if a == b || !knows(self, a) || !knows(self, b) {
                    return false;
                }
                self.edges.entry((name(a), name(b))).or_default();
                if matches!(edit, Edit::Join(..)) {
                    self.edges.entry((name(b), name(a))).or_default();
                }
                true
            }
            Edit::Unjoin(a, b) | Edit::UnjoinOneWay(a, b) => {
                if !knows(self, a) || !knows(self, b) {
                    return false;
                }
                self.edges.remove(&(name(a), name(b)));
                if matches!(edit, Edit::Unjoin(..)) {
                    self.edges.remove(&(name(b), name(a)));
                }
                true
            }
            Edit::SetEdge(a, b, edge) => {
                let found = self.edges.get_mut(&(name(a), name(b)));
                found.map(|known| *known = settings(edge)).is_some()
            }
            Edit::Clear => {
                *self = Self::default();
                true
            }
        }
    }

    fn place_of(&self, id: &str) -> usize {
        self.waypoints.iter().position(|(known, _)| known == id).unwrap()
    }

    /// Returns the edges by number, with a cost from the given function.
    fn edge_list(&self, cost: impl Fn(f64, WaypointEdge) -> f64) -> EdgeList {
        let edges = self.edges.iter().map(|((from, to), edge)| {
            let (from, to) = (self.place_of(from), self.place_of(to));
            let ((ax, ay), (bx, by)) = (self.waypoints[from].1, self.waypoints[to].1);
            (from, to, cost((bx - ax).hypot(by - ay), *edge))
        });
        EdgeList { node_count: self.waypoints.len(), edges: edges.collect() }
    }
}

#[track_caller]
fn assert_close(actual: f64, expected: f64) {
    assert!((actual - expected).abs() <= 1e-9 * expected.max(1.0), "{actual} is not {expected}");
}

fn check(graph: &WaypointGraph, lists: &Lists) {
    let waypoints = graph.waypoints().map(|waypoint| (waypoint.id.to_owned(), waypoint.position.into()));
    assert_eq!(waypoints.collect::<Vec<_>>(), lists.waypoints);
    let edges: Vec<_> = graph.edges().collect();
    assert_eq!(edges.len(), lists.edges.len());
    assert_eq!(edges.len(), graph.edge_count());
    let order = |id: &str| lists.place_of(id);
    assert!(
        edges.is_sorted_by_key(|step| (order(step.from.id), order(step.to.id))),
        "in the order of waypoints"
    );
    for step in &edges {
        let ends = (step.from.id.to_owned(), step.to.id.to_owned());
        assert_eq!(lists.edges.get(&ends), Some(&step.edge));
        assert_eq!(step.is_two_way, lists.edges.contains_key(&(ends.1, ends.0)));
        assert_close(step.cost, step.length() * step.edge.cost_factor);
    }
    let (by_cost, by_steps) =
        (lists.edge_list(|length, edge| length * edge.cost_factor), lists.edge_list(|_, _| 1.0));
    for (start, (from, _)) in lists.waypoints.iter().enumerate() {
        let (costs, steps) = (by_cost.costs_from(start), by_steps.costs_from(start));
        let within_cost = graph.within_cost(from, f64::INFINITY).unwrap();
        let within_steps = graph.within_steps(from, 2).unwrap();
        assert_eq!(within_cost.len(), costs.iter().flatten().count());
        assert_eq!(within_steps.len(), steps.iter().flatten().filter(|&&steps| steps <= 2.0).count());
        assert!(within_cost.is_sorted_by(|a, b| (a.cost, order(&a.id)) <= (b.cost, order(&b.id))));
        assert!(within_steps.is_sorted_by_key(|within| (within.steps, order(&within.id))));
        for within in within_cost {
            assert_close(within.cost, costs[order(&within.id)].unwrap());
        }
        for within in within_steps {
            assert_eq!(Some(f64::from(within.steps)), steps[order(&within.id)]);
        }
        for (end, (to, _)) in lists.waypoints.iter().enumerate() {
            match (graph.find(from, to), costs[end]) {
                (Ok(Some(path)), Some(cost)) => {
                    assert_close(path.cost(), cost);
                    let numbers: Vec<usize> = path.ids().iter().map(|id| order(id)).collect();
                    assert_eq!((numbers[0], *numbers.last().unwrap()), (start, end));
                    assert_close(by_cost.cost_along(&numbers).unwrap(), cost);
                }
                (Ok(None), None) => {}
                (answer, cost) => panic!("{from} to {to}: {answer:?}, but the cost is {cost:?}"),
            }
        }
    }
}

proptest! {
    #[test]
    fn edited_graph_answers_as_plain_lists_do(edits in prop::collection::vec(edit(), 1..60)) {
        let (mut graph, mut lists) = (WaypointGraph::new(), Lists::default());
        for edit in &edits {
            let (graph_before, lists_before) = (graph.clone(), lists.clone());
            prop_assert_eq!(apply(edit, &mut graph), lists.apply(edit), "{:?}", edit);
            prop_assert_eq!(graph == graph_before, lists == lists_before);
            prop_assert_eq!(graph.revision() == graph_before.revision(), lists == lists_before, "{:?}", edit);
        }
        check(&graph, &lists);
    }

    #[test]
    fn nearest_waypoint_is_the_first_of_the_closest(graph in edited_graph(), x in -5..5_i8, y in -5..5_i8) {
        let point = Position::new(x.into(), y.into());
        let closest = graph.waypoints().map(|waypoint| waypoint.position.distance(point)).reduce(f64::min);
        let expected = graph.waypoints().find(|waypoint| Some(waypoint.position.distance(point)) == closest);
        prop_assert_eq!(graph.nearest_waypoint(point), expected);
    }

    #[test]
    fn nearest_place_on_an_edge_is_as_close_as_a_search_by_thirds_finds(
        graph in edited_graph(), x in -5.0..5.0_f64, y in -5.0..5.0_f64,
    ) {
        let point = Position::new(x, y);
        let mut closest: Option<f64> = None;
        for step in graph.edges() {
            let (from, to) = (step.from.position, step.to.position);
            let distance = |share: f64| {
                Position::new(from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)).distance(point)
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..200 {
                let third = (high - low) / 3.0;
                if distance(low + third) <= distance(high - third) { high -= third } else { low += third }
            }
            closest = Some(closest.unwrap_or(f64::INFINITY).min(distance(low)).min(distance(0.0)).min(distance(1.0)));
        }
        match (graph.nearest_on_edge(point), closest) {
            (None, None) => {}
            (Some(nearest), Some(closest)) => {
                assert_close(nearest.distance, closest);
                assert_close(nearest.position.distance(point), closest);
                prop_assert!(graph.edge(nearest.from, nearest.to).is_some());
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn nearest_to_no_number_or_on_no_graph_is_nothing() {
    let graph = six_waypoints();
    assert_eq!(graph.nearest_waypoint((f64::NAN, 0.0)), None);
    assert_eq!(graph.nearest_on_edge((f64::INFINITY, 0.0)), None);
    assert_eq!(WaypointGraph::new().nearest_waypoint((0.0, 0.0)), None);
    assert_eq!(WaypointGraph::new().nearest_on_edge((0.0, 0.0)), None);
    let foot = graph.nearest_on_edge((100.0, 0.0)).unwrap();
    assert_eq!((foot.from, foot.to, foot.position), ("n1", "n2", Position::new(50.0, 50.0)));
}
