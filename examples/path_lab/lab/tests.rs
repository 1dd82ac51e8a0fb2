//! Orders and what becomes of them.

use super::*;
use crate::{bill, settings::Size};

#[test]
fn playing_comes_to_the_end_and_stops_there() {
    let mut lab = Lab::new(Settings::default());
    assert!(lab.total() > 10 && lab.at() == 0 && lab.is_playing(), "no agent has to start it");
    lab.play(0.25);
    assert_eq!(lab.at(), 2, "ten steps a second");
    lab.play(0.05);
    assert_eq!(lab.at(), 3, "the rest of a step is kept");
    lab.play(1000.0);
    assert!(lab.at() == lab.total() && !lab.is_playing());
    lab.obey(Order::PlayOrPause);
    assert!(lab.at() == 0 && lab.is_playing(), "from the beginning");
}

#[test]
fn steps_go_forward_and_back_and_no_further_than_the_ends() {
    let mut lab = Lab::new(Settings::default());
    for (order, at) in [
        (Order::Step(-1), 0),
        (Order::Step(1), 1),
        (Order::Step(10), 11),
        (Order::Step(-2), 9),
        (Order::Seek(5), 5),
        (Order::SeekEnd, lab.total()),
        (Order::Step(1), lab.total()),
        (Order::Seek(0), 0),
    ] {
        lab.obey(order);
        assert_eq!(lab.at(), at, "{order:?}");
    }
}

#[test]
fn at_the_end_an_edit_shows_the_new_path_at_once() {
    let mut lab = Lab::new(Settings { ground: Ground::Open, ..Settings::default() });
    // In one row there is one cheapest path.
    lab.obey(Order::Choose(Setting::Brush(Brush::Mud)));
    lab.obey(Order::MoveStart(Cell::new(1, 5)));
    lab.obey(Order::MoveGoal(Cell::new(14, 5)));
    lab.obey(Order::SeekEnd);
    let cost = |lab: &Lab| match lab.run() {
        Run::Grid(run) => run.answer().unwrap().unwrap().outcome.path().unwrap().cost(),
        _ => panic!("a grid is searched"),
    };
    let before = cost(&lab);
    let Run::Grid(run) = lab.run() else { panic!("a grid is searched") };
    let path = run.answer().unwrap().unwrap().outcome.into_path().unwrap();
    for &cell in &path.cells()[1..path.cells().len() - 1] {
        lab.obey(Order::Paint(cell, 8));
    }
    assert_eq!(lab.at(), lab.total());
    assert!(cost(&lab) > before);
}

#[test]
fn where_there_is_no_way_the_search_gives_up_and_the_barrier_is_known() {
    let mut lab = Lab::new(Settings { ground: Ground::Open, ..Settings::default() });
    lab.obey(Order::MoveStart(Cell::new(0, 0)));
    lab.obey(Order::MoveGoal(Cell::new(15, 11)));
    for y in 0..12 {
        lab.obey(Order::Paint(Cell::new(8, y), 0));
    }
    lab.obey(Order::SeekEnd);
    let Run::Grid(run) = lab.run() else { panic!("a grid is searched") };
    assert_eq!(run.last(), Some(tilepath::search::Step::Exhausted));
    assert_eq!(run.total(), 8 * 12 + 1);
    let Some(FailureExplanation::Sealed(barrier)) = lab.failure() else { panic!("there is no way") };
    assert_eq!(barrier.single.len(), 12);
    assert!(bill::explanation(&lab).unwrap().contains("each of these cells would make one if it were open"));
}

#[test]
fn a_proposed_route_is_judged() {
    let mut lab = Lab::new(Settings { ground: Ground::Open, ..Settings::default() });
    lab.obey(Order::MoveStart(Cell::new(1, 1)));
    lab.obey(Order::MoveGoal(Cell::new(3, 1)));
    for cell in [(1, 1), (1, 2), (2, 2), (3, 2)] {
        lab.obey(Order::Propose(Cell::new(cell.0, cell.1)));
    }
    assert!(bill::explanation(&lab).unwrap().contains("draw it on to (3, 1)"));
    lab.obey(Order::Propose(Cell::new(3, 1)));
    assert!(bill::explanation(&lab).unwrap().starts_with("the route costs 40, 20 more than the cheapest"));
    lab.obey(Order::Propose(Cell::new(1, 1)));
    assert_eq!(lab.field().proposal.len(), 1, "from the start it begins again");
}

#[test]
fn jump_points_on_many_costs_are_refused_with_a_reason_and_nothing_runs() {
    let mut lab = Lab::new(Settings { method: Method::JumpPoint, ..Settings::default() });
    assert!(matches!(lab.run(), Run::Refused(reason) if reason.contains("ground of one cost")));
    lab.obey(Order::PlayOrPause);
    assert!(!lab.is_playing() && lab.total() == 0);
    lab.obey(Order::Clear);
    assert!(lab.total() > 0);
}

#[test]
fn two_clicks_on_nodes_begin_a_search() {
    let mut lab = Lab::new(Settings { mode: Mode::Graph, size: Size::Small, ..Settings::default() });
    lab.obey(Order::Pick(NodeId::new(0)));
    assert!(matches!(lab.run(), Run::Idle));
    lab.obey(Order::Pick(NodeId::new(48)));
    assert!(lab.is_playing());
    lab.obey(Order::SeekEnd);
    let Run::Graph(run) = lab.run() else { panic!("a graph is searched") };
    assert_eq!(run.path().unwrap().nodes.len(), 7);
}

#[test]
fn what_is_new_plays_from_its_beginning_and_what_is_stepped_through_stands() {
    let mut lab = Lab::new(Settings::default());
    for order in [
        Order::NewPair,
        Order::NewMap,
        Order::Choose(Setting::Ground(Ground::Caves)),
        Order::Choose(Setting::Rival(Some(Method::Greedy))),
        Order::Choose(Setting::Mode(Mode::Graph)),
        Order::Choose(Setting::Net(Net::Six)),
    ] {
        lab.obey(Order::Seek(3));
        assert!(!lab.is_playing(), "who seeks a step looks at it");
        lab.obey(order);
        assert!(lab.is_playing() && lab.at() == 0, "{order:?}");
    }
}

#[test]
fn two_race_in_step_on_the_same_map_until_each_is_there() {
    let mut lab = Lab::new(Settings { rival: Some(Method::Dijkstra), ..Settings::default() });
    let steps = |lab: &Lab| [lab.lanes()[0].run.at(), lab.lanes()[1].run.at()];
    let totals = [lab.lanes()[0].run.total(), lab.lanes()[1].run.total()];
    assert!(totals[0] < totals[1] && lab.total() == totals[1], "{totals:?}");
    for (order, at) in [
        (Order::Seek(40), [40, 40]),
        (Order::Step(-1), [39, 39]),
        (Order::Seek(totals[0] + 7), [totals[0], totals[0] + 7]),
        (Order::Step(-8), [totals[0] - 1, totals[0] - 1]),
        (Order::SeekEnd, totals),
    ] {
        lab.obey(order);
        assert_eq!(steps(&lab), at, "{order:?}");
    }
    lab.obey(Order::Paint(Cell::new(0, 0), 0));
    assert!(lab.lanes().iter().all(|lane| lane.run.is_over()), "an edit is answered by both");
    lab.obey(Order::Choose(Setting::Rival(None)));
    assert_eq!(lab.lanes().len(), 1);
}

#[test]
fn a_star_needs_fewer_nodes_than_dijkstra_from_24_to_35_for_the_same_cost() {
    let settings = Settings { mode: Mode::Graph, rival: Some(Method::Dijkstra), ..Settings::default() };
    let mut lab = Lab::new(settings);
    lab.obey(Order::SeekEnd);
    let [a_star, dijkstra] = [0, 1].map(|lane: usize| {
        let Run::Graph(run) = &lab.lanes()[lane].run else { panic!("a graph is searched") };
        (run.path().unwrap(), run.search().expanded(), run.search().tree().edges().count())
    });
    assert!((a_star.0.cost - dijkstra.0.cost).abs() < 1e-9);
    assert!(a_star.1 < dijkstra.1 && a_star.2 < dijkstra.2, "fewer nodes, a smaller tree");
}
