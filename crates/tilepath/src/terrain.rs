//! Cost tables: the cost of each terrain class.

use std::sync::Arc;

/// The cost of a step onto each of the 256 terrain classes, for a kind of unit. Each cost is a
/// multiplier of the step cost; 0 is impassable.
///
/// The default is the identity: class n costs n, and class 0 is a wall. Cloning is cheap.
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
    /// Creates the identity table: class n costs n, and class 0 is a wall.
    #[must_use]
    pub fn identity() -> Self {
        Self::from_fn(u16::from)
    }

    /// Creates a table in which every class costs 1, except class 0, which is a wall. Paths are
    /// then shortest instead of cheapest.
    #[must_use]
    pub fn uniform() -> Self {
        Self::from_fn(|class| u16::from(class != 0))
    }

    /// Creates a table in which every class is a wall. Start from it to open single classes.
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

    /// Sets the multiplier of one class; 0 is impassable.
    #[must_use]
    pub fn with(mut self, class: u8, multiplier: u16) -> Self {
        Arc::make_mut(&mut self.multipliers)[usize::from(class)] = multiplier;
        self
    }

    /// Returns the multiplier of a class; 0 is impassable.
    #[must_use]
    pub fn multiplier(&self, class: u8) -> u16 {
        self.multipliers[usize::from(class)]
    }

    /// Returns the smallest multiplier among all passable classes, or 1 if all classes are
    /// impassable.
    #[must_use]
    pub fn least(&self) -> u16 {
        self.multipliers.iter().copied().filter(|&multiplier| multiplier > 0).min().unwrap_or(1)
    }

    /// Returns the largest multiplier.
    pub(crate) fn highest(&self) -> u16 {
        self.multipliers.iter().copied().max().unwrap_or(0)
    }

    /// Returns whether a unit may enter cells of the class.
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
