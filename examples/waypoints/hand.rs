//! The player's hand: presses, drags and releases become orders and edits.

use bevy::prelude::*;

use crate::pointing::Target;

/// The least movement of the pointer for a drag, in world units.
const SLACK: f32 = 3.0;

/// The state of the hand.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) enum Hand {
    #[default]
    Idle,
    /// A button is down, and the pointer has not moved far yet.
    Pressed { button: Button, at: Vec2, on: Target },
    /// The player drags waypoints, each at its distance from the pointer.
    Dragging(Vec<(String, Vec2)>),
    /// The player draws a way from a waypoint.
    Drawing { from: String, one_way: bool },
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Button {
    Left,
    Right,
}

/// The state of the mouse in a frame.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mouse {
    /// The button that went down in this frame.
    pub(crate) pressed: Option<Button>,
    /// True while the button of the hand is still down.
    pub(crate) held: bool,
    /// The target under the pointer and its place, or `None` beside the town.
    pub(crate) pointing: Option<(Target, Vec2)>,
    /// True if Shift is down.
    pub(crate) shift: bool,
}

/// A wish of the player.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wish {
    /// Sends the messenger there.
    Go(Target, Vec2),
    /// Moves these waypoints there.
    Move(Vec<(String, Vec2)>),
    /// Joins two waypoints, or parts them if they are joined.
    Toggle { from: String, to: String, one_way: bool },
    /// Adds a new waypoint with a way to it.
    AddFrom { from: String, at: Vec2, one_way: bool },
}

impl Hand {
    /// Handles the mouse of a frame. `place_of` returns the place of a waypoint in the world.
    pub(crate) fn follow(&mut self, mouse: Mouse, place_of: impl Fn(&str) -> Option<Vec2>) -> Option<Wish> {
        if let Some(button) = mouse.pressed {
            *self = match mouse.pointing {
                Some((on, at)) => Self::Pressed { button, at, on },
                None => Self::Idle,
            };
            return None;
        }
        let over = mouse.pointing.as_ref().map(|(_, world)| *world);
        match std::mem::take(self) {
            Self::Pressed { button, at, on } if mouse.held => {
                let moved = over.is_some_and(|world| world.distance(at) > SLACK);
                *self = if moved {
                    dragging(button, at, &on, mouse.shift, place_of)
                } else {
                    Self::Pressed { button, at, on }
                };
                None
            }
            Self::Pressed { button: Button::Left, on, at } => over.map(|_| Wish::Go(on, at)),
            Self::Idle | Self::Pressed { .. } => None,
            Self::Dragging(held) => {
                let places =
                    over.map(|world| held.iter().map(|(id, from)| (id.clone(), world + *from)).collect());
                if mouse.held {
                    *self = Self::Dragging(held);
                }
                places.map(Wish::Move)
            }
            Self::Drawing { from, .. } if mouse.held => {
                *self = Self::Drawing { from, one_way: mouse.shift };
                None
            }
            Self::Drawing { from, one_way } => match mouse.pointing? {
                (Target::Waypoint(to), _) if to == from => None,
                (Target::Waypoint(to), _) => Some(Wish::Toggle { from, to, one_way }),
                (Target::Way { .. } | Target::Ground, at) => Some(Wish::AddFrom { from, at, one_way }),
            },
        }
    }

    /// Returns the waypoints that the player drags.
    pub(crate) fn holds(&self, id: &str) -> bool {
        matches!(self, Self::Dragging(held) if held.iter().any(|(other, _)| other == id))
    }
}

/// Returns the state of the hand for a drag that begins there.
fn dragging(
    button: Button,
    at: Vec2,
    on: &Target,
    shift: bool,
    place_of: impl Fn(&str) -> Option<Vec2>,
) -> Hand {
    let held = |id: &String| place_of(id).map(|place| (id.clone(), place - at));
    match (button, on) {
        (Button::Left, Target::Waypoint(id)) => Hand::Dragging(held(id).into_iter().collect()),
        (Button::Left, Target::Way { from, to }) => {
            Hand::Dragging([from, to].into_iter().filter_map(held).collect())
        }
        (Button::Right, Target::Waypoint(id)) => Hand::Drawing { from: id.clone(), one_way: shift },
        _ => Hand::Idle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Vec2 = Vec2::new(10.0, 10.0);
    const B: Vec2 = Vec2::new(50.0, 10.0);

    fn place_of(id: &str) -> Option<Vec2> {
        match id {
            "a" => Some(A),
            "b" => Some(B),
            _ => None,
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "a place of the pointer, as the mouse has it")]
    fn waypoint(id: &str, at: Vec2) -> Option<(Target, Vec2)> {
        Some((Target::Waypoint(id.into()), at))
    }

    #[expect(clippy::unnecessary_wraps, reason = "a place of the pointer, as the mouse has it")]
    fn ground(at: Vec2) -> Option<(Target, Vec2)> {
        Some((Target::Ground, at))
    }

    struct Player(Hand);

    impl Player {
        fn new() -> Self {
            Self(Hand::default())
        }

        fn press(&mut self, button: Button, pointing: Option<(Target, Vec2)>) -> Option<Wish> {
            let mouse = Mouse { pressed: Some(button), held: true, pointing, shift: false };
            self.0.follow(mouse, place_of)
        }

        fn hold(&mut self, pointing: Option<(Target, Vec2)>, shift: bool) -> Option<Wish> {
            self.0.follow(Mouse { pressed: None, held: true, pointing, shift }, place_of)
        }

        fn release(&mut self, pointing: Option<(Target, Vec2)>) -> Option<Wish> {
            self.0.follow(Mouse { pressed: None, held: false, pointing, shift: false }, place_of)
        }
    }

    #[test]
    fn a_click_is_an_order_and_a_shaky_one_too() {
        let mut player = Player::new();
        assert_eq!(player.press(Button::Left, ground(A)), None);
        assert_eq!(player.hold(ground(A + Vec2::X), false), None);
        assert_eq!(player.release(ground(A + Vec2::X)), Some(Wish::Go(Target::Ground, A)));
        assert_eq!(player.0, Hand::Idle);
    }

    #[test]
    fn click_that_ends_on_the_panel_does_nothing() {
        let mut player = Player::new();
        player.press(Button::Left, ground(A));
        assert_eq!(player.release(None), None);
        assert_eq!(player.press(Button::Left, None), None);
        assert_eq!(player.release(ground(A)), None, "one that begins there neither");
    }

    #[test]
    fn a_dragged_waypoint_stays_where_it_is_held() {
        let mut player = Player::new();
        player.press(Button::Left, waypoint("a", A + Vec2::X));
        player.hold(ground(A + Vec2::new(9.0, 0.0)), false);
        assert!(player.0.holds("a") && !player.0.holds("b"));
        let moved = Some(Wish::Move(vec![("a".into(), A + Vec2::new(19.0, 5.0))]));
        assert_eq!(player.hold(ground(A + Vec2::new(20.0, 5.0)), false), moved);
        assert_eq!(player.release(ground(A + Vec2::new(20.0, 5.0))), moved);
        assert_eq!(player.0, Hand::Idle);
    }

    #[test]
    fn a_dragged_way_takes_both_ends_along() {
        let mut player = Player::new();
        let way = Target::Way { from: "a".into(), to: "b".into() };
        let middle = A.midpoint(B);
        player.press(Button::Left, Some((way, middle)));
        player.hold(ground(middle + Vec2::Y * 8.0), false);
        let moved = player.hold(ground(middle + Vec2::Y * 8.0), false);
        let up = |place| place + Vec2::Y * 8.0;
        assert_eq!(moved, Some(Wish::Move(vec![("a".into(), up(A)), ("b".into(), up(B))])));
    }

    #[test]
    fn a_right_drag_draws_a_way() {
        let mut player = Player::new();
        player.press(Button::Right, waypoint("a", A));
        player.hold(ground(A.midpoint(B)), false);
        player.hold(waypoint("b", B), true);
        let wish = player.release(waypoint("b", B));
        assert_eq!(wish, Some(Wish::Toggle { from: "a".into(), to: "b".into(), one_way: true }));

        player.press(Button::Right, waypoint("a", A));
        player.hold(ground(B), false);
        let wish = player.release(ground(B));
        assert_eq!(wish, Some(Wish::AddFrom { from: "a".into(), at: B, one_way: false }));
    }

    #[test]
    fn edge_back_to_its_beginning_is_refused() {
        let mut player = Player::new();
        player.press(Button::Right, waypoint("a", A));
        player.hold(ground(B), false);
        assert_eq!(player.release(waypoint("a", A)), None);
        player.press(Button::Right, waypoint("a", A));
        assert_eq!(player.release(waypoint("a", A)), None, "nor is a right click");
    }
}
