//! Speeds of agents.

use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// The speed of an agent. A plain number is world units per second.
///
/// - Zero: the agent stands still, unless your own code moves it.
/// - Negative or NaN: a mistake. The agent stands still, and a warning with its entity is logged.
/// - Infinite: the agent arrives in the tick in which its path is found, even if no time passes.
///
/// ```
/// use bevy_tilepath::{agents::Speed, PathAgent};
///
/// let soldier = PathAgent { speed: 96.0.into(), ..PathAgent::default() };
/// assert_eq!(soldier.speed, Speed::World(96.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Speed {
    /// World units per second, equally fast in every direction on the screen.
    World(f32),
    /// Straight steps from cell to cell per second. A diagonal step takes longer by the ratio of
    /// the two [costs](tilepath::StepCosts), whatever their lengths in the world are. Use it if
    /// distances on the screen do not matter in the game, as on isometric maps.
    ///
    /// Off the cells the speed is the speed of straight steps. On a graph these are the steps of
    /// the graph's [`NavProjection`](crate::NavProjection), in a door the steps of the map that is
    /// left.
    Cells(f32),
}

impl From<f32> for Speed {
    fn from(speed: f32) -> Self {
        Self::World(speed)
    }
}

impl Speed {
    /// Returns the number, in either unit.
    #[must_use]
    pub const fn rate(self) -> f32 {
        match self {
            Self::World(rate) | Self::Cells(rate) => rate,
        }
    }
}

/// The effect of the ground on the speed of an agent.
///
/// # Units
/// With [`ByCost`](Self::ByCost) the duration of a step is its cost ÷ (cost of a straight step ×
/// least multiplier × speed in cells per second). The least multiplier is the smallest one above 0
/// in the movement's cost table. For [`Speed::World`] the speed in cells per second is the speed ÷
/// the length of a straight step in the world, along the map's first axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TerrainSpeed {
    /// No effect: agents avoid ground that costs more, but walk on it as fast as on any other.
    #[default]
    Constant,
    /// Ground that costs twice as much is walked half as fast, from centre to centre of the cells.
    /// The cheapest path is then the fastest one. Overlays of the map are meant for danger and the
    /// like: they do not slow an agent down.
    ByCost,
}

/// The gait of an agent: the unit of its speed, and the effect of the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gait {
    pub(crate) speed: Speed,
    pub(crate) terrain: TerrainSpeed,
}

impl Gait {
    /// Returns the kind of gait. It is equal for all speeds that have the same unit and the same
    /// effect of the ground.
    pub(crate) fn kind(self) -> GaitKind {
        GaitKind {
            counts_cells: matches!(self.speed, Speed::Cells(_)) || self.terrain == TerrainSpeed::ByCost,
            is_slowed: self.terrain == TerrainSpeed::ByCost,
        }
    }

    /// Returns the speed in world units per second if nothing slows the agent down. `straight` is
    /// the length of a straight step.
    pub(crate) fn full_speed(self, straight: f64) -> f64 {
        match self.speed {
            Speed::World(speed) => speed.into(),
            Speed::Cells(cells) if cells.is_infinite() => cells.into(),
            Speed::Cells(cells) => f64::from(cells) * straight,
        }
    }

    /// Returns the distance for this time. For an infinite speed it is infinite, even in no time.
    pub(crate) fn stride(self, straight: f64, seconds: f64) -> f64 {
        let speed = self.full_speed(straight);
        if speed == f64::INFINITY {
            f64::INFINITY
        } else if speed > 0.0 && seconds > 0.0 {
            speed * seconds
        } else {
            0.0
        }
    }
}

/// The kind of a gait, which sets how long one stretch takes compared with another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct GaitKind {
    /// True if the length of a step is its cost, and not its length in the world.
    pub(crate) counts_cells: bool,
    /// True if the ground is part of the cost.
    pub(crate) is_slowed: bool,
}
