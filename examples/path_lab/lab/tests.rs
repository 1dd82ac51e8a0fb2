//! Tests of orders.

use super::*;
use crate::{
    bill,
    edges::{Crossing, crossing},
    settings::Size,
};
use tilepath::{Topology, graph::NodeId};

#[test]
fn the_search_pauses_under_the_sheet_of_keys() {
    let mut app = App::new();
    app.insert_resource(Lab::new(Settings::default())).insert_resource(Sheet::Keys);
    app.insert_resource(Time::<()>::default()).add_systems(Update, play);
    let mut steps_in_a_second = |sheet: Sheet| {
        app.insert_resource(sheet);
        let before = app.world().resource::<Lab>().at();
        app.world_mut().resource_mut::<Time>().advance_by(std::time::Duration::from_secs(1));
        app.update();
        app.world().resource::<Lab>().at() - before
    };
    assert_eq!(steps_in_a_second(Sheet::Keys), 0);
    assert!(steps_in_a_second(Sheet::Nothing) > 0);
}

#[test]
fn playing_runs_to_the_end_and_stops() {
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
fn without_a_path_the_barrier_is_known() {
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
    assert!(bill::explanation(&lab).unwrap().contains("opening any one of these cells gives a path"));
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
fn new_search_plays_from_its_beginning_and_stepped_search_stands() {
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

fn cost(lab: &Lab) -> u32 {
    let Run::Grid(run) = lab.run() else { panic!("a grid is searched") };
    run.answer().unwrap().unwrap().outcome.path().unwrap().cost().get()
}

#[test]
fn squares_become_hexagons_and_squares_again() {
    let mut lab = Lab::new(Settings { rival: Some(Method::Dijkstra), ..Settings::default() });
    let on_squares = (lab.field().start, lab.field().goal);
    lab.obey(Order::Choose(Setting::Topology(Topology::Hexagonal)));
    assert!(lab.is_playing() && lab.at() == 0, "it is another map");
    assert_eq!((lab.field().start, lab.field().goal), (Cell::new(0, 2), Cell::new(9, 8)));
    lab.obey(Order::SeekEnd);
    assert_eq!(cost(&lab), 220);
    assert!(lab.lanes().iter().all(|lane| lane.run.is_over()));
    assert!(
        bill::explanation(&lab).unwrap().ends_with("22 steps cost 220: each 10 times the ground entered\n")
    );
    lab.obey(Order::Choose(Setting::Topology(Topology::Square)));
    assert_eq!((lab.field().start, lab.field().goal), on_squares);
}

#[test]
fn another_unit_keeps_its_ends_where_it_fits() {
    let mut lab = Lab::new(Settings { ground: Ground::Open, ..Settings::default() });
    lab.obey(Order::MoveStart(Cell::new(0, 0)));
    lab.obey(Order::MoveGoal(Cell::new(15, 11)));
    lab.obey(Order::Paint(Cell::new(1, 1), 0));
    lab.obey(Order::Choose(Setting::Unit(3)));
    assert_eq!(lab.field().goal, Cell::new(13, 9), "at the border a large unit stands further in");
    assert_eq!(lab.field().start, Cell::new(2, 0), "and beside the wall");
    lab.obey(Order::Paint(Cell::new(4, 2), 0));
    assert_eq!(lab.field().finder.grid().terrain(Cell::new(4, 2)), Some(1), "the unit stands on it");
    lab.obey(Order::SeekEnd);
    assert_eq!(cost(&lab), 9 * 14 + 2 * 10);
}

#[test]
fn danger_is_paid_for_and_stands_in_the_bill() {
    let mut lab = Lab::new(Settings { ground: Ground::Open, ..Settings::default() });
    lab.obey(Order::MoveStart(Cell::new(1, 5)));
    lab.obey(Order::MoveGoal(Cell::new(14, 5)));
    lab.obey(Order::SeekEnd);
    let before = cost(&lab);
    for y in 0..12 {
        lab.obey(Order::Endanger(Cell::new(7, y), 9));
    }
    assert_eq!(
        (lab.at(), cost(&lab)),
        (lab.total(), before + 90),
        "at the end the new path is shown at once"
    );
    assert!(bill::explanation(&lab).unwrap().contains("plain, danger +9"));
    assert!(bill::of_cell(&lab, Cell::new(7, 0)).contains("costs 10 times a step on plain ground"));
    lab.obey(Order::Clear);
    assert_eq!(cost(&lab), before);
}

#[test]
fn a_one_way_edge_lets_one_through_and_jump_points_say_that_it_is_in_their_way() {
    let mut lab =
        Lab::new(Settings { ground: Ground::Open, method: Method::JumpPoint, ..Settings::default() });
    lab.obey(Order::MoveStart(Cell::new(1, 0)));
    lab.obey(Order::MoveGoal(Cell::new(5, 0)));
    lab.obey(Order::SeekEnd);
    assert_eq!(cost(&lab), 40);
    let (left, right) = (Cell::new(3, 0), Cell::new(4, 0));
    lab.obey(Order::TurnEdge(left, right));
    assert!(matches!(lab.run(), Run::Refused(reason) if reason.contains("edges that are all open")));
    lab.obey(Order::Choose(Setting::Method(Method::AStar)));
    lab.obey(Order::SeekEnd);
    assert_eq!(cost(&lab), 40, "along the arrow");
    lab.obey(Order::TurnEdge(right, left));
    assert_eq!(cost(&lab), 48, "against the arrow there is a way round");
    assert_eq!(bill::of_cell(&lab, left).split("; ").nth(1), Some("no step from it to (4, 0)"));
    for cell in [Cell::new(1, 0), Cell::new(2, 0), left, right] {
        lab.obey(Order::Propose(cell));
    }
    assert!(bill::explanation(&lab).unwrap().contains("the edge of (3, 0) is closed in that direction"));
    lab.obey(Order::Clear);
    assert_eq!(crossing(lab.field().finder.grid(), left, right), Some(Crossing::Open));
    lab.obey(Order::Choose(Setting::Method(Method::JumpPoint)));
    assert!(lab.total() > 0, "a clear map has jump points again");
}

#[test]
fn the_reason_why_a_large_unit_cannot_stand_somewhere_is_written() {
    let mut lab = Lab::new(Settings { ground: Ground::Open, unit: 2, ..Settings::default() });
    lab.obey(Order::MoveStart(Cell::new(0, 0)));
    lab.obey(Order::MoveGoal(Cell::new(12, 8)));
    lab.obey(Order::Paint(Cell::new(6, 6), 0));
    lab.obey(Order::Choose(Setting::Brush(Brush::OneWay)));
    let (left, right) = (Cell::new(8, 2), Cell::new(9, 2));
    lab.obey(Order::TurnEdge(left, right));
    lab.obey(Order::TurnEdge(left, right));
    for (cell, said) in [
        ((5, 5), "there is a wall at (6, 6) under the unit"),
        ((15, 3), "at (16, 3) there is no ground"),
        ((8, 1), "across the fence between (8, 2) and (9, 2)"),
    ] {
        let told = bill::of_cell(&lab, Cell::new(cell.0, cell.1));
        assert!(told.contains(said), "{told}");
    }
    assert!(!lab.field().fits(Cell::new(5, 5)) && lab.field().fits(Cell::new(6, 7)));
}

#[test]
fn for_a_fenced_goal_opening_cells_does_not_help() {
    for topology in [Topology::Square, Topology::Hexagonal] {
        let mut lab = Lab::new(Settings { ground: Ground::Open, topology, ..Settings::default() });
        let goal = Cell::new(5, 5);
        lab.obey(Order::MoveStart(Cell::new(0, 0)));
        lab.obey(Order::MoveGoal(goal));
        for &direction in topology.directions() {
            let beside = goal + direction.offset();
            lab.obey(Order::TurnEdge(goal, beside));
            lab.obey(Order::TurnEdge(goal, beside));
        }
        lab.obey(Order::SeekEnd);
        assert!(crate::report::news(&lab).0.starts_with("no path: "));
        let told = bill::explanation(&lab).unwrap();
        assert!(told.contains("closed edges are in the way"), "{topology}: {told}");
    }
}

#[test]
fn the_cell_to_open_for_a_large_unit_is_written() {
    let mut lab = Lab::new(Settings { ground: Ground::Open, unit: 2, ..Settings::default() });
    lab.obey(Order::MoveStart(Cell::new(0, 0)));
    lab.obey(Order::MoveGoal(Cell::new(14, 10)));
    for y in (0..12).filter(|&y| y != 5) {
        lab.obey(Order::Paint(Cell::new(8, y), 0));
    }
    lab.obey(Order::SeekEnd);
    let (told, line) = (bill::explanation(&lab).unwrap(), crate::report::news(&lab).0);
    let doors = ["(8, 4)", "(8, 6)"];
    assert!(doors.iter().any(|door| told.contains(door)) && !told.contains("together"), "{told}");
    assert!(doors.iter().any(|door| line.contains(door)), "{line}");
}
