//! The mouse on the board: walls and terrain, start and goal, nodes.

use bevy::prelude::*;
use tilepath::Cell;
use tilepath_examples::pointer::{Stroke, Strokes};

use crate::{
    lab::{Lab, LabSet},
    order::Order,
    settings::{Brush, Mode},
    shape::Shape,
    view::{Boards, GraphPlace},
};

/// Turns clicks and drags into orders. Needs a window.
pub(crate) struct MousePlugin;

impl Plugin for MousePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hand>().add_systems(Update, handle.before(LabSet));
    }
}

/// The thing that the mouse paints or drags while its button is down.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Hand {
    #[default]
    Empty,
    Start,
    Goal,
    /// A brush that paints a terrain class, and its last cell.
    Brush(u8, Cell),
    /// A brush that paints danger.
    Danger(u16, Cell),
    /// A brush that adds or removes friends.
    Friend(bool, Cell),
    /// The brush for edges.
    Edge(Cell),
    /// A route that the player draws, and its last cell.
    Route(Cell),
}

fn handle(mut hand: ResMut<Hand>, mut strokes: Strokes, lab: Res<Lab>, mut orders: MessageWriter<Order>) {
    for stroke in strokes.read() {
        let (next, given) = done(*hand, stroke, &lab);
        hand.set_if_neq(next);
        orders.write_batch(given);
    }
}

/// Returns what the mouse holds after a stroke, and the orders of the stroke.
fn done(hand: Hand, stroke: Stroke, lab: &Lab) -> (Hand, Vec<Order>) {
    let (world, is_new) = match stroke {
        Stroke::Press(world) => (world, true),
        Stroke::Move(world) => (world, false),
        Stroke::Release => return (Hand::Empty, vec![]),
    };
    let place = Boards::of(lab).local(world);
    if lab.settings().mode == Mode::Graph {
        let network = lab.network();
        let node = GraphPlace::new(network).node_at(network, place).filter(|_| is_new);
        return (hand, node.map(Order::Pick).into_iter().collect());
    }
    let (field, shape) = (lab.field(), lab.field().shape());
    let hand = if is_new { taken(lab, shape.cell_at(place)) } else { hand };
    let cell = match hand {
        // Start and goal of a large unit are dragged by the unit's middle.
        Hand::Start | Hand::Goal | Hand::Route(_) => shape.anchor_at(place),
        _ => shape.cell_at(place),
    };
    match (field.finder.grid().contains(cell), is_new) {
        (false, true) => (Hand::Empty, vec![]),
        (false, false) => (hand, vec![]),
        (true, true) => first_touch(hand, cell),
        (true, false) => drawn(hand, cell, &shape),
    }
}

/// Returns what the mouse picks up at a cell.
fn taken(lab: &Lab, cell: Cell) -> Hand {
    let field = lab.field();
    let brush = lab.settings().brush;
    match brush {
        Brush::Route => return Hand::Route(cell),
        Brush::OneWay => return Hand::Edge(cell),
        _ => {}
    }
    match (field.end_at(cell), field.stroke_class(brush, cell)) {
        (Some(end), _) if end == field.start => Hand::Start,
        (Some(_), _) => Hand::Goal,
        (None, Some(class)) => Hand::Brush(class, cell),
        (None, None) if brush == Brush::Friend => Hand::Friend(field.stroke_friend(cell), cell),
        (None, None) => Hand::Danger(field.stroke_danger(cell), cell),
    }
}

/// Handles a press on a cell of the map.
fn first_touch(hand: Hand, cell: Cell) -> (Hand, Vec<Order>) {
    match hand {
        Hand::Brush(class, _) => (hand, vec![Order::Paint(cell, class)]),
        Hand::Danger(danger, _) => (hand, vec![Order::Endanger(cell, danger)]),
        Hand::Friend(stands, _) => (hand, vec![Order::Befriend(cell, stands)]),
        Hand::Route(_) => (Hand::Route(cell), vec![Order::Propose(cell)]),
        Hand::Empty | Hand::Start | Hand::Goal | Hand::Edge(_) => (hand, vec![]),
    }
}

/// Handles a drag onto another cell.
fn drawn(hand: Hand, cell: Cell, shape: &Shape) -> (Hand, Vec<Order>) {
    match hand {
        Hand::Empty => (hand, vec![]),
        Hand::Start => (hand, vec![Order::MoveStart(cell)]),
        Hand::Goal => (hand, vec![Order::MoveGoal(cell)]),
        Hand::Brush(class, last) => {
            let cells = shape.stroke(last, cell);
            (Hand::Brush(class, cell), cells.map(|cell| Order::Paint(cell, class)).collect())
        }
        Hand::Danger(danger, last) => {
            let cells = shape.stroke(last, cell);
            (Hand::Danger(danger, cell), cells.map(|cell| Order::Endanger(cell, danger)).collect())
        }
        Hand::Friend(stands, last) => {
            let cells = shape.stroke(last, cell);
            (Hand::Friend(stands, cell), cells.map(|cell| Order::Befriend(cell, stands)).collect())
        }
        Hand::Edge(last) => {
            let mut from = last;
            let cross = |to| Order::TurnEdge(std::mem::replace(&mut from, to), to);
            (Hand::Edge(cell), shape.stroke(last, cell).map(cross).collect())
        }
        Hand::Route(last) => (Hand::Route(cell), shape.stroke(last, cell).map(Order::Propose).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Setting, Settings};
    use tilepath::Topology;

    #[test]
    fn a_press_takes_the_start_the_goal_or_the_brush() {
        let mut lab = Lab::new(Settings::default());
        let (start, goal, free) = (lab.field().start, lab.field().goal, Cell::new(0, 0));
        assert_eq!(taken(&lab, start), Hand::Start);
        assert_eq!(taken(&lab, goal), Hand::Goal);
        assert_eq!(taken(&lab, free), Hand::Brush(0, free));
        lab.obey(Order::Choose(Setting::Brush(Brush::Route)));
        assert_eq!(taken(&lab, start), Hand::Route(start), "a route begins there");
    }

    #[test]
    fn goal_is_dragged_from_the_pressed_point() {
        let lab = Lab::new(Settings::default());
        let (goal, far) = (lab.field().goal, Cell::new(0, 0));
        let middle = |cell: Cell| lab.field().shape().middle(cell);
        let (hand, orders) = done(Hand::Empty, Stroke::Press(middle(goal)), &lab);
        assert_eq!((hand, orders), (Hand::Goal, vec![]));
        assert_eq!(done(hand, Stroke::Move(middle(far)), &lab), (Hand::Goal, vec![Order::MoveGoal(far)]));
        assert_eq!(done(hand, Stroke::Release, &lab).0, Hand::Empty);
        let beside = Stroke::Move(Vec2::splat(-50.0));
        assert_eq!(done(hand, beside, &lab), (Hand::Goal, vec![]), "beside the board it stays in the hand");
    }

    #[test]
    fn a_fast_stroke_leaves_no_gap() {
        let (from, to) = (Cell::new(1, 1), Cell::new(5, 3));
        let shape = Lab::new(Settings::default()).field().shape();
        let (hand, orders) = drawn(Hand::Brush(4, from), to, &shape);
        assert_eq!(hand, Hand::Brush(4, to));
        assert_eq!(orders.len(), 4);
        assert_eq!(orders.last(), Some(&Order::Paint(to, 4)));
        assert_eq!(drawn(Hand::Brush(4, to), to, &shape).1, []);
    }

    #[test]
    fn a_drag_with_the_one_way_brush_crosses_every_edge_on_its_way() {
        let brush = Brush::OneWay;
        let lab = Lab::new(Settings { brush, topology: Topology::Hexagonal, ..Settings::default() });
        let shape = lab.field().shape();
        let [a, b, c] = [Cell::new(1, 4), Cell::new(2, 4), Cell::new(2, 5)];
        let (hand, orders) = done(Hand::Empty, Stroke::Press(shape.centre(a)), &lab);
        assert_eq!((hand, orders), (Hand::Edge(a), vec![]));
        let (hand, orders) = done(hand, Stroke::Move(shape.centre(b)), &lab);
        assert_eq!((hand, orders), (Hand::Edge(b), vec![Order::TurnEdge(a, b)]));
        assert_eq!(done(hand, Stroke::Move(shape.centre(c)), &lab).1, [Order::TurnEdge(b, c)]);
    }

    #[test]
    fn a_stroke_leaves_friends_and_one_from_a_friend_takes_them_away() {
        let mut lab = Lab::new(Settings { brush: Brush::Friend, ..Settings::default() });
        let shape = lab.field().shape();
        let (from, to) = (Cell::new(1, 0), Cell::new(4, 0));
        for friends in [4, 0] {
            let (hand, mut orders) = done(Hand::Empty, Stroke::Press(shape.middle(from)), &lab);
            orders.extend(done(hand, Stroke::Move(shape.middle(to)), &lab).1);
            for order in orders {
                lab.obey(order);
            }
            assert_eq!(lab.field().friends.len(), friends);
        }
    }

    #[test]
    fn a_large_unit_is_taken_by_any_of_its_cells_and_dragged_by_its_middle() {
        let lab = Lab::new(Settings { unit: 2, brush: Brush::Danger, ..Settings::default() });
        let shape = lab.field().shape();
        let goal = lab.field().goal;
        assert_eq!(taken(&lab, Cell::new(goal.x + 1, goal.y + 1)), Hand::Goal);
        assert_eq!(taken(&lab, Cell::new(0, 0)), Hand::Danger(3, Cell::new(0, 0)));
        let there = Cell::new(5, 0);
        let moved = done(Hand::Goal, Stroke::Move(shape.middle(there)), &lab).1;
        assert_eq!(moved, [Order::MoveGoal(there)]);
    }
}
