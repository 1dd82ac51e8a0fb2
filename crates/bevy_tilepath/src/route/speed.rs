//! How fast agents walk.

use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// How fast an agent walks. A plain number is world units per second.
///
/// 0: it stands still, unless your own code moves it. Negative and NaN are mistakes: it stands still, too, and a warning names
/// it. Infinite: it arrives in the tick in which its path is found, even if no time goes by.
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
    /// World units per second, on the screen the same in every direction.
    World(f32),
    /// Straight steps from cell to cell per second. A diagonal step takes as much longer as it
    /// [costs](tilepath::StepCosts) more, however long the two are in the world: for maps on which distances on the screen
    /// are none of the game, as on isometric ones.
    ///
    /// Off the cells it is as fast as on straight steps: along graphs those of the graph's
    /// [`NavProjection`](crate::NavProjection), and in doors those of the map that is left.
    Cells(f32),
}

impl From<f32> for Speed {
    fn from(speed: f32) -> Self {
        Self::World(speed)
    }
}

impl Speed {
    /// The number, whatever it counts.
    #[must_use]
    pub const fn rate(self) -> f32 {
        match self {
            Self::World(rate) | Self::Cells(rate) => rate,
        }
    }
}

/// What the ground does to the speed of an agent.
///
/// # Units
/// With [`ByCost`](Self::ByCost) a step takes its cost ÷ (cost of a straight step × least multiplier of the movement's cost
/// table that is not 0 × speed in cells per second). With [`Speed::World`] that is the speed ÷ the length of a straight step
/// in the world, along the map's first axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TerrainSpeed {
    /// Nothing: ground that costs more is avoided, and walked as fast as any.
    #[default]
    Constant,
    /// Ground that costs twice as much is walked half as fast, from centre to centre of the cells: the cheapest way is the one
    /// that takes the least time. What overlays of the map add is for danger and the like, and slows nothing down.
    ByCost,
}

/// How an agent goes: what its speed counts, and what slows it down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gait {
    pub(crate) speed: Speed,
    pub(crate) terrain: TerrainSpeed,
}

impl Gait {
    /// What decides how long a stretch takes beside others; the same for all speeds that count alike.
    pub(crate) fn kind(self) -> GaitKind {
        GaitKind {
            counts_cells: matches!(self.speed, Speed::Cells(_)) || self.terrain == TerrainSpeed::ByCost,
            is_slowed: self.terrain == TerrainSpeed::ByCost,
        }
    }

    /// World units per second where nothing slows it down. `straight` is the length of a straight step.
    pub(crate) fn full_speed(self, straight: f64) -> f64 {
        match self.speed {
            Speed::World(speed) => speed.into(),
            Speed::Cells(cells) if cells.is_infinite() => cells.into(),
            Speed::Cells(cells) => f64::from(cells) * straight,
        }
    }

    /// How far it comes in that time. Infinite speed takes no time at all.
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

/// How stretches compare.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct GaitKind {
    /// Steps are as long as they cost, and not as long as they are.
    pub(crate) counts_cells: bool,
    /// They cost what the ground does.
    pub(crate) is_slowed: bool,
}
