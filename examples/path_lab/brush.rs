//! What the brush leaves on the board.

/// What the brush leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Brush {
    Wall,
    Plain,
    Grass,
    Mud,
    Water,
    /// No ground, but a route to be judged.
    Route,
    /// Edges that the stroke crosses: one-way, fences, open again.
    OneWay,
    /// What a unit pays on top of the ground.
    Danger,
    /// Someone whom the unit may pass, and where it may not stop.
    Friend,
}

impl Brush {
    pub(crate) const ALL: [Self; 9] = [
        Self::Wall,
        Self::Plain,
        Self::Grass,
        Self::Mud,
        Self::Water,
        Self::Route,
        Self::OneWay,
        Self::Danger,
        Self::Friend,
    ];

    /// The terrain class, which is also what a step onto it costs, or `None` where the brush leaves no ground.
    pub(crate) const fn class(self) -> Option<u8> {
        match self {
            Self::Wall => Some(0),
            Self::Plain => Some(1),
            Self::Grass => Some(2),
            Self::Mud => Some(4),
            Self::Water => Some(8),
            Self::Route | Self::OneWay | Self::Danger | Self::Friend => None,
        }
    }

    /// The ground of a terrain class; `None` for a class that no brush leaves.
    pub(crate) fn of_class(class: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|brush| brush.class() == Some(class))
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Plain => "plain",
            Self::Grass => "grass",
            Self::Mud => "mud",
            Self::Water => "water",
            Self::Route => "route",
            Self::OneWay => "one-way",
            Self::Danger => "danger",
            Self::Friend => "friend",
        }
    }
}

/// The overlay that the brush paints and that units pay.
pub(crate) const DANGER: &str = "danger";

/// The danger that a stroke leaves where it begins at a cell of this danger: some, much, none again.
pub(crate) const fn next_danger(danger: u16) -> u16 {
    match danger {
        0 => 3,
        1..=8 => 9,
        _ => 0,
    }
}
