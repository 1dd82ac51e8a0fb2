//! Sliced route searches on waypoint graphs, against single routes.
//!
//! They have many starts and many goals.

use std::sync::Arc;

use proptest::{collection::vec, prelude::*};
use tilepath::{
    SearchStatus,
    waypoint::{RouteEnd, RouteOptions, RouteStop, WaypointError, WaypointGraph},
};

const OPTIONS: RouteOptions = RouteOptions { access_factor: 2.0 };

/// Returns ten waypoints on a small raster, with one-way edges between them.
fn network() -> impl Strategy<Value = WaypointGraph> {
    (vec((0..30_i32, 0..30_i32), 10), vec((0..10_usize, 0..10_usize), 0..25)).prop_map(|(places, edges)| {
        let mut graph = WaypointGraph::new();
        for (index, (x, y)) in places.iter().enumerate() {
            graph.add(format!("w{index}"), (f64::from(*x), f64::from(*y))).unwrap();
        }
        for (from, to) in edges {
            let _ = graph.join_one_way(&format!("w{from}"), &format!("w{to}"));
        }
        graph
    })
}

/// Returns the number of a waypoint, or a position.
fn place() -> impl Strategy<Value = Result<usize, (i32, i32)>> {
    prop_oneof![(0..10_usize).prop_map(Ok), (0..30_i32, 0..30_i32).prop_map(Err)]
}

fn anywhere<'a>(graph: &'a WaypointGraph, place: &Result<usize, (i32, i32)>) -> RouteEnd<'a> {
    match *place {
        Ok(index) => RouteEnd::Waypoint(graph.waypoints().nth(index).unwrap().id),
        Err((x, y)) => RouteEnd::Position((f64::from(x), f64::from(y)).into()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nearest_of_many_is_the_cheapest_single_route_in_whatever_slices(
        graph in network(), from in place(), goals in vec(place(), 1..6), slice in 1..5_u64,
    ) {
        let from = anywhere(&graph, &from);
        let goals: Vec<RouteEnd<'_>> = goals.iter().map(|goal| anywhere(&graph, goal)).collect();
        let single: Vec<Option<f64>> =
            goals.iter().map(|&goal| graph.find_route(from, goal, OPTIONS).unwrap().map(|route| route.cost())).collect();
        let least = single.iter().flatten().copied().min_by(f64::total_cmp);

        let mut search = Arc::new(graph.clone()).begin_route(from, &goals, OPTIONS).unwrap();
        let mut expanded = 0;
        while search.advance(slice) == SearchStatus::Running {
            prop_assert!(search.expanded() <= expanded + slice);
            expanded = search.expanded();
        }
        match (search.route(), least) {
            (Some((index, route)), Some(least)) => {
                prop_assert!((route.cost() - least).abs() < 1e-9, "{} {}", route.cost(), least);
                prop_assert!((single[index].unwrap() - least).abs() < 1e-9);
                prop_assert_eq!(graph.nearest_route(from, &goals, OPTIONS), Ok(Some((index, route))));
            }
            (None, None) => {
                prop_assert_eq!(graph.nearest_route(from, &goals, OPTIONS), Ok(None));
            }
            (found, least) => prop_assert!(false, "{found:?} {least:?}"),
        }
    }

    #[test]
    fn waypoints_settle_at_the_cost_of_the_cheapest_entry(
        graph in network(), from in place(), entries in vec((0..10_usize, 0..400_u32), 0..4),
    ) {
        let from = anywhere(&graph, &from);
        let ids: Vec<&str> = graph.waypoints().map(|waypoint| waypoint.id).collect();
        let entries: Vec<(&str, f64)> =
            entries.iter().map(|&(index, cost)| (ids[index], f64::from(cost) / 16.0)).collect();
        let mut search = Arc::new(graph.clone()).begin_spread(Some(from), &[], OPTIONS).unwrap();
        for &(id, cost) in &entries {
            search.enter(id, cost).unwrap();
        }
        let mut settled = Vec::new();
        while search.next_cost().is_some() {
            settled.extend(search.advance_until(1, f64::INFINITY, |_| true));
        }
        prop_assert!(settled.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        for id in ids {
            let by_entry = |&(entry, cost): &(&str, f64)| Some(cost + graph.find_route(entry, id, OPTIONS).unwrap()?.cost());
            let from_start = graph.find_route(from, id, OPTIONS).unwrap().map(|route| route.cost());
            let least = entries.iter().filter_map(by_entry).chain(from_start).min_by(f64::total_cmp);
            let stop = RouteStop::Waypoint(graph.node(id).unwrap());
            let cost = settled.iter().find(|(settled, _)| *settled == stop).map(|&(_, cost)| cost);
            prop_assert_eq!(cost.is_some(), least.is_some(), "{}", id);
            let (Some(cost), Some(least)) = (cost, least) else { continue };
            prop_assert!((cost - least).abs() < 1e-9, "{}: {} is not {}", id, cost, least);
            let route = search.route_to(stop).unwrap();
            let paid = search.entry_of(stop).map_or(0.0, |entered| {
                entries.iter().filter(|&&(id, _)| id == entered).map(|&(_, cost)| cost).fold(f64::INFINITY, f64::min)
            });
            prop_assert!((paid + route.cost() - cost).abs() < 1e-9);
            prop_assert!(route.verify(&graph).is_ok());
        }
    }
}

#[test]
fn nearest_of_a_thousand_goals_is_one_search() {
    let mut graph = WaypointGraph::new();
    for n in 0..2_000 {
        graph.add(n.to_string(), (f64::from(n), 0.0)).unwrap();
        if n > 0 {
            graph.join(&(n - 1).to_string(), &n.to_string()).unwrap();
        }
    }
    let ids: Vec<String> = (1_000..2_000).map(|n| n.to_string()).collect();
    let goals: Vec<RouteEnd<'_>> = ids.iter().map(|id| RouteEnd::Waypoint(id)).collect();
    let (index, route) = graph.nearest_route("990", &goals, OPTIONS).unwrap().unwrap();
    assert_eq!((index, route.cost()), (0, 10.0));
    assert!(route.expanded() <= 22, "{}", route.expanded());
}

#[test]
fn entries_by_unknown_names_or_at_no_cost_are_refused() {
    let mut graph = WaypointGraph::new();
    graph.add("inn", (0.0, 0.0)).unwrap();
    let graph = Arc::new(graph);
    let mut search = graph.begin_spread(None, &[], OPTIONS).unwrap();
    assert!(matches!(search.enter("ini", 0.0), Err(WaypointError::UnknownWaypoint { .. })));
    for cost in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(search.enter("inn", cost), Ok(false));
    }
    assert_eq!(search.next_cost(), None);
    assert!(matches!(graph.begin_route("inn", &[], OPTIONS), Err(WaypointError::NoGoals)));
}
