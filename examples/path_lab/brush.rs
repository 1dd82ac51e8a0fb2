//! The brushes of the board.

// The name of the overlay that the brush paints and that units pay for.
pub(crate) use race_link::DANGER;

/// The thing that the brush paints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Brush {
    Wall,
    Plain,
    Grass,
    Mud,
    Water,
    /// A route to compare with the cheapest path.
    Route,
    /// One-way edges and fences, where the stroke crosses edges.
    OneWay,
    /// An extra cost on top of the ground.
    Danger,
    /// A friend: the unit may pass it, but may not stop on its cell.
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

    /// Returns the terrain class, which is also the cost of a step onto it, or `None` if the brush
    /// paints no ground.
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

    /// Returns the brush of a terrain class, or `None` if no brush paints it.
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

/// Returns the danger that a stroke paints if it begins at a cell with this danger: some, then
/// much, then 0 again.
pub(crate) const fn next_danger(danger: u16) -> u16 {
    match danger {
        0 => 3,
        1..=8 => 9,
        _ => 0,
    }
}
