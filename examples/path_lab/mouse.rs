//! The mouse on the board: walls and terrain, start and goal, nodes.

use bevy::prelude::*;
use tilepath::Cell;
use tilepath_examples::pointer::{Stroke, Strokes};

use crate::{
    lab::{Lab, LabSet, Order},
    settings::Mode,
    view::{Boards, GraphPlace, cell_at},
};

/// Turns the mouse's doings into orders. Needs a window.
pub(crate) struct MousePlugin;

impl Plugin for MousePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hand>().add_systems(Update, handle.before(LabSet));
    }
}

/// What the mouse holds while its button is down.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Hand {
    #[default]
    Empty,
    Start,
    Goal,
    /// A brush that leaves a class; the cell where it was last.
    Brush(u8, Cell),
    /// A route that is being proposed; the cell where it was last.
    Route(Cell),
}

fn handle(mut hand: ResMut<Hand>, mut strokes: Strokes, lab: Res<Lab>, mut orders: MessageWriter<Order>) {
    for stroke in strokes.read() {
        let (next, given) = done(*hand, stroke, &lab);
        hand.set_if_neq(next);
        orders.write_batch(given);
    }
}

/// What the mouse holds after a stroke, and what is ordered by it.
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
    let cell = cell_at(place);
    if !lab.field().finder.grid().contains(cell) {
        return (hand, vec![]);
    }
    if is_new {
        let hand = taken(lab, cell);
        (hand, first_touch(hand).into_iter().collect())
    } else {
        drawn(hand, cell)
    }
}

/// What the mouse takes up at a cell.
fn taken(lab: &Lab, cell: Cell) -> Hand {
    let field = lab.field();
    match field.stroke_class(lab.settings().brush, cell) {
        None => Hand::Route(cell),
        Some(_) if cell == field.start => Hand::Start,
        Some(_) if cell == field.goal => Hand::Goal,
        Some(class) => Hand::Brush(class, cell),
    }
}

fn first_touch(hand: Hand) -> Option<Order> {
    match hand {
        Hand::Brush(class, cell) => Some(Order::Paint(cell, class)),
        Hand::Route(cell) => Some(Order::Propose(cell)),
        Hand::Empty | Hand::Start | Hand::Goal => None,
    }
}

/// The mouse has come to a cell: what it holds then, and what is ordered.
fn drawn(hand: Hand, cell: Cell) -> (Hand, Vec<Order>) {
    match hand {
        Hand::Empty => (hand, vec![]),
        Hand::Start => (hand, vec![Order::MoveStart(cell)]),
        Hand::Goal => (hand, vec![Order::MoveGoal(cell)]),
        Hand::Brush(class, last) => {
            (Hand::Brush(class, cell), stroke(last, cell).map(|cell| Order::Paint(cell, class)).collect())
        }
        Hand::Route(last) => (Hand::Route(cell), stroke(last, cell).map(Order::Propose).collect()),
    }
}

/// The cells that a stroke from one cell to another passes, without gaps; the first one is left out.
fn stroke(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steps = dx.abs().max(dy.abs());
    (1..=steps).map(move |step| {
        let part = step as f32 / steps as f32;
        Cell::new(from.x + (dx as f32 * part).round() as i32, from.y + (dy as f32 * part).round() as i32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        settings::{Brush, Setting, Settings},
        view::TILE,
    };

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
    fn the_goal_is_dragged_from_where_it_was_pressed_however_far_the_mouse_is_by_then() {
        let lab = Lab::new(Settings::default());
        let (goal, far) = (lab.field().goal, Cell::new(0, 0));
        let middle = |cell: Cell| (Vec2::new(cell.x as f32, cell.y as f32) + 0.5) * TILE;
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
        let (hand, orders) = drawn(Hand::Brush(4, from), to);
        assert_eq!(hand, Hand::Brush(4, to));
        assert_eq!(orders.len(), 4);
        assert_eq!(orders.last(), Some(&Order::Paint(to, 4)));
        assert_eq!(drawn(Hand::Brush(4, to), to).1, []);
    }
}
