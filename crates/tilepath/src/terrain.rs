//! What a terrain class costs a kind of unit.

use std::sync::Arc;

/// For each of the 256 terrain classes: what a step onto it costs a kind of unit, as a multiplier of the step cost.
/// 0 is impassable.
///
/// The default is the identity: class n costs n, class 0 is a wall. Cloning is cheap.
///
/// # Examples
/// ```
/// use tilepath::CostTable;
/// const GRASS: u8 = 1;
/// const WATER: u8 = 2;
/// let boat = CostTable::impassable().with(WATER, 1);
/// assert!(boat.is_passable(WATER));
/// assert!(!boat.is_passable(GRASS));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        from = "crate::stored::cost_table::StoredCostTable",
        into = "crate::stored::cost_table::StoredCostTable"
    )
)]
#[doc(alias = "terrain cost")]
pub struct CostTable {
    multipliers: Arc<[u16; 256]>,
}

impl CostTable {
    /// Class n costs n; class 0 is a wall.
    #[must_use]
    pub fn identity() -> Self {
        Self::from_fn(u16::from)
    }

    /// Every class costs 1, except class 0, which is a wall: shortest instead of cheapest paths.
    #[must_use]
    pub fn uniform() -> Self {
        Self::from_fn(|class| u16::from(class != 0))
    }

    /// Every class is a wall: a start for tables that name what is open, class by class.
    #[must_use]
    pub fn impassable() -> Self {
        Self::from_fn(|_| 0)
    }

    fn from_fn(multiplier: impl Fn(u8) -> u16) -> Self {
        let mut multipliers = [0; 256];
        for class in 0..=u8::MAX {
            multipliers[usize::from(class)] = multiplier(class);
        }
        Self { multipliers: Arc::new(multipliers) }
    }

    /// The same table with one class at another multiplier, 0 for impassable.
    #[must_use]
    pub fn with(mut self, class: u8, multiplier: u16) -> Self {
        Arc::make_mut(&mut self.multipliers)[usize::from(class)] = multiplier;
        self
    }

    /// The multiplier of a class; 0 is impassable.
    #[must_use]
    pub fn multiplier(&self, class: u8) -> u16 {
        self.multipliers[usize::from(class)]
    }

    /// The smallest multiplier of a passable class; 1 where all are walls.
    #[must_use]
    pub fn least(&self) -> u16 {
        self.multipliers.iter().copied().filter(|&multiplier| multiplier > 0).min().unwrap_or(1)
    }

    /// The largest multiplier.
    pub(crate) fn highest(&self) -> u16 {
        self.multipliers.iter().copied().max().unwrap_or(0)
    }

    /// Whether a unit may step onto the class.
    #[must_use]
    pub fn is_passable(&self, class: u8) -> bool {
        self.multiplier(class) != 0
    }
}

impl Default for CostTable {
    fn default() -> Self {
        Self::identity()
    }
}
