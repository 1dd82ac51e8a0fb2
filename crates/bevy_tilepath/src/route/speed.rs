//! Speeds of agents.

use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// The speed of an agent. A plain `f32` converts into world units per second.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Speed {
    /// The speed in world units per second. The agent is equally fast in every direction on the
    /// screen.
    World(f32),
    /// The speed in straight steps from cell to cell per second. A diagonal step takes longer, by
    /// the ratio of the [costs](tilepath::StepCosts) of the two steps. The lengths of the steps in
    /// the world do not matter.
    ///
    /// Use this unit if distances on the screen do not matter in the game, as on isometric maps.
    ///
    /// Where the agent does not walk from cell to cell, it is as fast as on a straight step. On a
    /// graph, this is a straight step of the graph's [`NavProjection`](crate::NavProjection). In a
    /// door, it is a straight step of the map that the agent leaves.
    Cells(f32),
}

impl From<f32> for Speed {
    fn from(speed: f32) -> Self {
        Self::World(speed)
    }
}

impl Speed {
    /// Returns the number, without its unit.
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
/// least multiplier × speed in cells per second). The least multiplier is the smallest multiplier
/// above 0 in the cost table of the movement. For [`Speed::World`], the speed in cells per second
/// is the speed ÷ the length of a straight step. The step is measured in the world, along the first
/// axis of the map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TerrainSpeed {
    /// No effect. Agents avoid ground that costs more, but walk over it as fast as over any other
    /// ground.
    #[default]
    Constant,
    /// An effect in proportion to the cost: on ground that costs twice as much, an agent walks half
    /// as fast. The speed changes at the centres of cells. So the cheapest path is also the fastest
    /// path.
    ///
    /// Overlays of the map do not slow an agent down. They stand for danger, for example.
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
    /// the length of a straight step. A negative speed and NaN count as 0.
    pub(crate) fn full_speed(self, straight: f64) -> f64 {
        let speed = match self.speed {
            Speed::World(speed) => speed.into(),
            Speed::Cells(cells) if cells.is_infinite() => cells.into(),
            Speed::Cells(cells) => f64::from(cells) * straight,
        };
        // `max` leaves out NaN.
        speed.max(0.0)
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct GaitKind {
    /// True if the length of a step is its cost, and not its length in the world.
    pub(crate) counts_cells: bool,
    /// True if the ground is part of the cost.
    pub(crate) is_slowed: bool,
}
