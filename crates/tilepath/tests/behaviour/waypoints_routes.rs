//! Routes between places on and off the graph.
//!
//! They are compared with an explicit graph in which each edge is split.

#![expect(clippy::float_cmp, reason = "costs of round numbers are exact")]

use crate::waypoints::{edited_graph, six_waypoints};
use proptest::prelude::*;
use testkit::EdgeList;
use tilepath::{
    graph::Position,
    waypoint::{
        RouteEnd, RouteFault, RouteLeg, RouteOptions, RoutePoint, WaypointEdge, WaypointError, WaypointGraph,
        WaypointRoute,
    },
};

const OPTIONS: RouteOptions = RouteOptions { access_factor: 4.0 };

fn position((x, y): (f64, f64)) -> Position {
    Position::new(x, y)
}

fn places(route: &WaypointRoute) -> Vec<(f64, f64)> {
    route.points().iter().map(|point| point.position.into()).collect()
}

fn line() -> WaypointGraph {
    let mut graph = WaypointGraph::new();
    graph.add("west", (0.0, 0.0)).unwrap();
    graph.add("east", (100.0, 0.0)).unwrap();
    graph.join("west", "east").unwrap();
    graph
}

#[test]
fn points_beside_an_edge_enter_and_leave_it_at_their_feet() {
    let route = line().find_route((20.0, 5.0), (70.0, -10.0), OPTIONS).unwrap().unwrap();
    assert_eq!(places(&route), [(20.0, 5.0), (20.0, 0.0), (70.0, 0.0), (70.0, -10.0)]);
    assert_eq!(route.cost(), 5.0 * 4.0 + 50.0 + 10.0 * 4.0);
    assert_eq!(route.length(), 65.0);
    assert_eq!(route.ids().count(), 0);
    let legs: Vec<&RouteLeg> = route.points().iter().map(|point| &point.leg).collect();
    let ends = (Position::new(0.0, 0.0), Position::new(100.0, 0.0));
    let along =
        RouteLeg::Edge { from: "west".into(), to: "east".into(), edge: WaypointEdge::default(), ends };
    assert_eq!(legs, [&RouteLeg::Start, &RouteLeg::OffGraph, &along, &RouteLeg::OffGraph]);
}

#[test]
fn one_way_edge_is_not_walked_backwards_from_a_foot() {
    let mut graph = line();
    graph.unjoin_one_way("east", "west").unwrap();
    let forwards = graph.find_route((20.0, 5.0), (70.0, 5.0), OPTIONS).unwrap().unwrap();
    assert_eq!(forwards.cost(), 90.0);
    // Against the one-way edge there are two routes. One enters at the foot, goes on to the east
    // end, and goes back over open ground. The other one goes over open ground to the west end, and
    // leaves the edge at the foot.
    let backwards = graph.find_route((70.0, 5.0), (20.0, 5.0), OPTIONS).unwrap().unwrap();
    let by_foot_and_east = 20.0 + 30.0 + 4.0 * 80.0_f64.hypot(5.0);
    let by_west_and_foot = 4.0 * 70.0_f64.hypot(5.0) + 20.0 + 20.0;
    assert!((backwards.cost() - by_west_and_foot.min(by_foot_and_east)).abs() < 1e-9, "{}", backwards.cost());
    assert_eq!(backwards.ids().collect::<Vec<_>>(), ["west"]);
}

#[test]
fn named_waypoints_are_kept_to() {
    let route = line().find_route("west", (40.0, 1.0), OPTIONS).unwrap().unwrap();
    assert_eq!(places(&route), [(0.0, 0.0), (40.0, 0.0), (40.0, 1.0)]);
    assert_eq!(route.cost(), 44.0);
    let path = six_waypoints().find("n1", "n6").unwrap().unwrap();
    let route = six_waypoints().find_route("n1", "n6", OPTIONS).unwrap().unwrap();
    assert_eq!(route.ids().collect::<Vec<_>>(), path.ids());
    assert_eq!(route.points().len(), 4);
    assert!((route.cost() - path.cost()).abs() < 1e-9);
}

#[test]
fn the_more_open_ground_costs_the_more_of_the_graph_is_used() {
    let graph = six_waypoints();
    let off = |factor| {
        let route = graph
            .find_route((40.0, 60.0), (180.0, 120.0), RouteOptions { access_factor: factor })
            .unwrap()
            .unwrap();
        let pairs = route.points().windows(2);
        let lengths = pairs
            .filter(|pair| pair[1].leg == RouteLeg::OffGraph)
            .map(|pair| pair[0].position.distance(pair[1].position));
        lengths.sum::<f64>()
    };
    assert!(off(1.0) >= off(4.0) && off(4.0) >= off(100.0));
    assert!(off(1.0) > off(100.0), "the factor must make a difference here");
}

#[test]
fn place_on_an_edge_goes_on_or_back_as_the_edge_allows() {
    let mut graph = line();
    let on_edge = |share| RouteEnd::OnEdge { from: "west", to: "east", share };
    assert_eq!(graph.find_route(on_edge(0.25), "west", OPTIONS).unwrap().unwrap().cost(), 25.0);
    assert_eq!(graph.find_route(on_edge(0.25), on_edge(0.75), OPTIONS).unwrap().unwrap().cost(), 50.0);
    assert_eq!(
        places(&graph.find_route(on_edge(0.25), "east", OPTIONS).unwrap().unwrap()),
        [(25.0, 0.0), (100.0, 0.0)]
    );
    graph.unjoin_one_way("east", "west").unwrap();
    assert_eq!(graph.find_route(on_edge(0.25), "east", OPTIONS).unwrap().unwrap().cost(), 75.0);
    for goal in [RouteEnd::Waypoint("west"), on_edge(0.0), on_edge(0.2)] {
        assert_eq!(graph.find_route(on_edge(0.25), goal, OPTIONS), Ok(None));
    }
    assert_eq!(graph.find_route(on_edge(0.0), on_edge(1.0), OPTIONS).unwrap().unwrap().ids().count(), 2);
    for share in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(
            graph.find_route(on_edge(share), "east", OPTIONS),
            Err(WaypointError::InvalidShare { .. })
        ));
    }
    let apart = RouteEnd::OnEdge { from: "east", to: "west", share: 0.5 };
    assert!(matches!(graph.find_route(apart, "east", OPTIONS), Err(WaypointError::NotJoined { .. })));
}

#[test]
fn way_from_a_place_to_itself_is_that_place() {
    let graph = six_waypoints();
    let nowhere = WaypointGraph::new();
    for graph in [&graph, &nowhere] {
        let route = graph.find_route((1.0, 2.0), (1.0, 2.0), OPTIONS).unwrap().unwrap();
        assert_eq!((places(&route), route.cost()), (vec![(1.0, 2.0)], 0.0));
    }
    let route = graph.find_route((25.0, 25.0), "n1", OPTIONS).unwrap().unwrap();
    let point =
        RoutePoint { position: Position::new(25.0, 25.0), waypoint: Some("n1".into()), leg: RouteLeg::Start };
    assert_eq!((route.points(), route.cost()), (&[point][..], 0.0));
    assert_eq!(graph.find_route("n2", "n2", OPTIONS).unwrap().unwrap().points().len(), 1);
}

#[test]
fn refused_route_query_names_the_reason() {
    let graph = six_waypoints();
    let nowhere = WaypointGraph::new();
    assert_eq!(nowhere.find_route((0.0, 0.0), (1.0, 0.0), OPTIONS), Err(WaypointError::NoWaypoints));
    for access_factor in [-1.0, f64::NAN, f64::INFINITY, 1e10] {
        let refused = graph.find_route((0.0, 0.0), "n1", RouteOptions { access_factor }).unwrap_err();
        assert!(matches!(refused, WaypointError::InvalidAccessFactor { .. }), "{refused}");
    }
    for wrong in [(f64::NAN, 0.0), (0.0, f64::NEG_INFINITY), (1e16, 0.0)] {
        let refused = graph.find_route("n1", wrong, OPTIONS).unwrap_err();
        assert!(matches!(refused, WaypointError::InvalidPosition { .. }), "{refused}");
    }
    assert!(matches!(graph.find_route("n9", "n1", OPTIONS), Err(WaypointError::UnknownWaypoint { .. })));
    let mut apart = line();
    apart.unjoin("west", "east").unwrap();
    assert_eq!(apart.find_route("west", "east", OPTIONS), Ok(None));
    // Open ground joins separate parts only through a waypoint that both ends can reach.
    assert_eq!(
        apart.find_route("west", (100.0, 1.0), OPTIONS).unwrap().unwrap().cost(),
        4.0 * 100.0_f64.hypot(1.0)
    );
}

#[test]
fn cheapest_of_several_goals_is_chosen_and_the_first_of_equals() {
    let mut graph = line();
    graph.add("lost", (50.0, 50.0)).unwrap();
    let [west, east, lost] = ["west", "east", "lost"].map(RouteEnd::Waypoint);
    let middle = RouteEnd::Position(Position::new(50.0, 0.0));
    let nearest = |from, goals: &[RouteEnd<'_>]| {
        graph
            .nearest_route(from, goals, OPTIONS)
            .map(|found| found.map(|(index, route)| (index, route.cost())))
    };
    assert_eq!(nearest(west, &[east, west]), Ok(Some((1, 0.0))));
    assert_eq!(nearest(middle, &[east, west]), Ok(Some((0, 50.0))));
    assert_eq!(nearest(west, &[lost, east]), Ok(Some((1, 100.0))));
    assert_eq!(nearest(west, &[lost]), Ok(None));
    assert_eq!(nearest(west, &[]), Err(WaypointError::NoGoals));
    assert!(matches!(
        nearest(west, &[west, RouteEnd::Waypoint("gone")]),
        Err(WaypointError::UnknownWaypoint { .. })
    ));
}

#[test]
fn route_reports_the_effect_of_an_edit() {
    let graph = six_waypoints();
    let route = graph.find_route((20.0, 100.0), "n5", OPTIONS).unwrap().unwrap();
    assert_eq!(route.ids().collect::<Vec<_>>(), ["n3", "n5"], "the route enters at the foot on n1 to n3");
    let after = |edit: fn(&mut WaypointGraph)| {
        let mut graph = graph.clone();
        edit(&mut graph);
        route.verify(&graph)
    };
    let (n1, n3, n5) = ("n1".to_owned(), "n3".to_owned(), "n5".to_owned());
    assert_eq!(after(|_| {}), Ok(()));
    assert_eq!(after(|graph| graph.remove("n2").unwrap()), Ok(()), "elsewhere");
    assert_eq!(
        after(|graph| graph.move_to("n5", (0.0, 0.0)).unwrap()),
        Err(RouteFault::WaypointMoved { id: n5 })
    );
    assert_eq!(
        after(|graph| graph.move_to("n1", (25.0, 26.0)).unwrap()),
        Err(RouteFault::WaypointMoved { id: n1.clone() }),
        "the edge of the partial leg has moved"
    );
    assert_eq!(after(|graph| graph.remove("n3").unwrap()), Err(RouteFault::WaypointGone { id: n3.clone() }));
    assert_eq!(
        after(|graph| assert!(graph.unjoin_one_way("n1", "n3").unwrap())),
        Err(RouteFault::EdgeGone { from: n1.clone(), to: n3.clone() })
    );
    assert_eq!(
        after(|graph| graph.set_edge("n1", "n3", WaypointEdge::with_speed(2.0)).unwrap()),
        Err(RouteFault::EdgeChanged { from: n1, to: n3 })
    );
}

/// Returns the foot of the perpendicular from a point to the line between two others, if the foot
/// is between them.
fn foot_between(point: Position, from: Position, to: Position) -> Option<Position> {
    let length = (to.x - from.x).hypot(to.y - from.y);
    let unit = ((to.x - from.x) / length, (to.y - from.y) / length);
    let along = (point.x - from.x) * unit.0 + (point.y - from.y) * unit.1;
    (along > 0.0 && along < length).then(|| Position::new(from.x + along * unit.0, from.y + along * unit.1))
}

/// An end of a route, and the places where it joins the graph.
struct End {
    position: Position,
    is_off_graph: bool,
    waypoints: Vec<usize>,
    /// The feet, by the numbers of the ends of their edge, the smaller number first.
    feet: Vec<((usize, usize), Position)>,
}

/// Returns the cheapest cost, by a graph in which each edge is split at the feet of both ends.
fn cost_by_splitting(graph: &WaypointGraph, ends: [RouteEnd<'_>; 2], factor: f64) -> Option<f64> {
    let waypoints: Vec<_> = graph.waypoints().collect();
    let number = |id: &str| waypoints.iter().position(|waypoint| waypoint.id == id).unwrap();
    let steps: Vec<_> =
        graph.edges().map(|step| (number(step.from.id), number(step.to.id), step.edge)).collect();
    let ends = ends.map(|end| match end {
        RouteEnd::Waypoint(id) => {
            let position = waypoints[number(id)].position;
            End { position, is_off_graph: false, waypoints: vec![number(id)], feet: vec![] }
        }
        RouteEnd::Position(position) => {
            let mut feet = Vec::new();
            for &(from, to, _) in &steps {
                let pair = (from.min(to), from.max(to));
                let foot = foot_between(position, waypoints[pair.0].position, waypoints[pair.1].position);
                if let Some(foot) = foot.filter(|_| feet.iter().all(|(known, _)| *known != pair)) {
                    feet.push((pair, foot));
                }
            }
            End { position, is_off_graph: true, waypoints: (0..waypoints.len()).collect(), feet }
        }
        RouteEnd::OnEdge { from, to, share } => {
            let (from, to) = (number(from), number(to));
            let (begin, end) = (waypoints[from].position, waypoints[to].position);
            let place =
                Position::new(begin.x + share * (end.x - begin.x), begin.y + share * (end.y - begin.y));
            End {
                position: place,
                is_off_graph: false,
                waypoints: vec![],
                feet: vec![((from.min(to), from.max(to)), place)],
            }
        }
        unknown => panic!("this test does not know {unknown:?}"),
    });
    if ends.iter().any(|end| end.is_off_graph) && ends[0].position == ends[1].position {
        return Some(0.0);
    }
    let (start, goal) = (waypoints.len(), waypoints.len() + 1);
    let mut split: Vec<((usize, usize), Position, usize)> = Vec::new();
    let mut edges = Vec::new();
    for (is_goal, end) in [(false, &ends[0]), (true, &ends[1])] {
        let own = if is_goal { goal } else { start };
        let mut access = |other: usize, place: Position| {
            let cost = if end.is_off_graph { end.position.distance(place) * factor } else { 0.0 };
            edges.push(if is_goal { (other, own, cost) } else { (own, other, cost) });
        };
        for &waypoint in &end.waypoints {
            access(waypoint, waypoints[waypoint].position);
        }
        for &(pair, foot) in &end.feet {
            let node = waypoints.len() + 2 + split.len();
            split.push((pair, foot, node));
            access(node, foot);
        }
    }
    for (from, to, edge) in steps {
        let begin = waypoints[from].position;
        let mut stops: Vec<(f64, Position, usize)> = vec![];
        stops.extend(
            split
                .iter()
                .filter(|(pair, ..)| *pair == (from.min(to), from.max(to)))
                .map(|&(_, place, node)| (begin.distance(place), place, node)),
        );
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        stops.insert(0, (0.0, begin, from));
        stops.push((f64::INFINITY, waypoints[to].position, to));
        for pair in stops.windows(2) {
            edges.push((pair[0].2, pair[1].2, pair[0].1.distance(pair[1].1) * edge.cost_factor));
            // Two feet in one place count as one place.
            if pair[0].1.distance(pair[1].1) < 1e-9 && pair.iter().all(|stop| stop.2 > goal) {
                edges.push((pair[1].2, pair[0].2, 0.0));
            }
        }
    }
    EdgeList { node_count: waypoints.len() + 2 + split.len(), edges }.costs_from(start)[goal]
}

/// Walks a route, and checks that each leg is allowed and that the costs add up.
fn walk(graph: &WaypointGraph, route: &WaypointRoute, ends: [RouteEnd<'_>; 2], factor: f64) {
    let points = route.points();
    assert_eq!(points[0].position, graph.position_of(ends[0]).unwrap());
    assert_eq!(points[points.len() - 1].position, graph.position_of(ends[1]).unwrap());
    assert_eq!(points[0].leg, RouteLeg::Start);
    let mut cost = 0.0;
    for (index, pair) in points.windows(2).enumerate() {
        let length = pair[0].position.distance(pair[1].position);
        match &pair[1].leg {
            RouteLeg::OffGraph => {
                assert!(index == 0 || index == points.len() - 2, "open ground in the middle: {points:?}");
                cost += length * factor;
            }
            RouteLeg::Edge { from, to, edge, ends } => {
                let step = graph.edge(from, to).unwrap();
                assert_eq!((step.edge, step.from.position, step.to.position), (*edge, ends.0, ends.1));
                let along = pair
                    .iter()
                    .map(|point| ends.0.distance(point.position) + ends.1.distance(point.position));
                assert!(
                    along.into_iter().all(|sum| (sum - step.length()).abs() < 1e-6),
                    "beside the edge: {points:?}"
                );
                let before = pair.iter().map(|point| ends.0.distance(point.position)).collect::<Vec<_>>();
                assert!(before[0] <= before[1] + 1e-9, "backwards: {points:?}");
                cost += length * edge.cost_factor;
            }
            unknown => panic!("this test does not know {unknown:?}"),
        }
        if let Some(id) = &pair[1].waypoint {
            assert_eq!(graph.position(id), Some(pair[1].position));
        }
    }
    assert_close(route.cost(), cost);
    assert_eq!(route.verify(graph), Ok(()));
}

#[track_caller]
fn assert_close(actual: f64, expected: f64) {
    assert!((actual - expected).abs() <= 1e-9 * expected.max(1.0), "{actual} is not {expected}");
}

/// An end in numbers: its kind, its waypoint or edge, the share of the edge, and the position.
type DrawnEnd = (u8, prop::sample::Index, f64, (f64, f64));

fn drawn_end() -> impl Strategy<Value = DrawnEnd> {
    let coordinate = || prop_oneof![-5.0..5.0_f64, (-10..10_i8).prop_map(|half| f64::from(half) / 2.0)];
    (0..6_u8, any::<prop::sample::Index>(), 0.0..1.0_f64, (coordinate(), coordinate()))
}

fn end(graph: &WaypointGraph, (kind, index, share, place): DrawnEnd) -> RouteEnd<'_> {
    let edges: Vec<_> = graph.edges().collect();
    match kind {
        0 if !graph.is_empty() => {
            let waypoints: Vec<_> = graph.waypoints().collect();
            RouteEnd::Waypoint(index.get(&waypoints).id)
        }
        1 if !edges.is_empty() => {
            let step = index.get(&edges);
            RouteEnd::OnEdge { from: step.from.id, to: step.to.id, share: share.clamp(0.01, 0.99) }
        }
        _ => RouteEnd::Position(position(place)),
    }
}

/// Returns a graph of many long edges, on which most routes use the edges.
fn network() -> impl Strategy<Value = WaypointGraph> {
    let places = prop::collection::vec((-5..6_i8, -5..6_i8), 3..9);
    let edges = prop::collection::vec((0..9_usize, 0..9_usize, any::<bool>(), 0..6_u8), 4..20);
    (places, edges).prop_map(|(places, edges)| {
        let mut graph = WaypointGraph::new();
        for (number, &(x, y)) in places.iter().enumerate() {
            graph.add(number.to_string(), (x.into(), y.into())).unwrap();
        }
        for (from, to, is_two_way, edge) in edges {
            let [from, to] = [from, to].map(|number| (number % places.len()).to_string());
            let joined = if is_two_way { graph.join(&from, &to) } else { graph.join_one_way(&from, &to) };
            if joined.is_ok() {
                let cost_factor = [1.0, 1.0, 1.0, 0.5, 2.0, 0.0][usize::from(edge)];
                graph.set_edge(&from, &to, WaypointEdge { speed: 1.0, cost_factor }).unwrap();
            }
        }
        graph
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn route_costs_what_the_split_graph_says(
        graph in prop_oneof![edited_graph(), network(), network()],
        from in drawn_end(),
        to in drawn_end(),
        factor in prop_oneof![4 => Just(4.0), 1 => Just(0.0), 1 => Just(1.0), 2 => 0.01..8.0_f64, 4 => 8.0..50.0_f64],
    ) {
        let ends = [end(&graph, from), end(&graph, to)];
        let expected = cost_by_splitting(&graph, ends, factor);
        match (graph.find_route(ends[0], ends[1], RouteOptions { access_factor: factor }), expected) {
            (Ok(Some(route)), Some(cost)) => {
                assert_close(route.cost(), cost);
                walk(&graph, &route, ends, factor);
            }
            (Ok(None) | Err(WaypointError::NoWaypoints), None) => {}
            (answer, cost) => panic!("{answer:?}, but the cost is {cost:?}"),
        }
    }
}
