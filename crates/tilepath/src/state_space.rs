//! Searching over states of any type: a puzzle, a word, a plan, a fight.
//!
//! Say what follows a state and which state is wanted ([`StateSpace`], with an example); [`StateSpace::find`] finds the way at
//! once, a [`StateSearch`] step by step or in slices.

pub(crate) mod error;
mod interned;
pub(crate) mod search;

pub use self::{error::StateSpaceError, search::StateSearch};
use crate::cost::CostValue;
use std::hash::Hash;

/// A problem with states of any type: a puzzle, a word, a plan, a fight. Say what follows a state and which state is
/// wanted; [`find`](StateSpace::find) does the rest.
///
/// Where states are few and numbered, or every nanosecond counts, implement
/// [`SearchSpace`](crate::search::SearchSpace) instead, which neither clones nor hashes.
///
/// # Contract
/// - [`successors`](Self::successors) offers the same states in the same order whenever it is asked: ties are broken by
///   that order.
/// - Costs are numbers of zero or more; a search that meets another ends with an error that names the step.
/// - [`estimate`](Self::estimate) is never more than the true cost of what is left, else a way may be found that is not
///   the cheapest. It need not be consistent.
///
/// # Examples
/// Two jugs of 3 and 5 litres: how to measure 4 with as little water from the tap as possible.
/// ```
/// use tilepath::state_space::StateSpace;
///
/// struct Jugs;
///
/// impl StateSpace for Jugs {
///     type State = (u32, u32);
///     type Cost = u32; // litres from the tap
///
///     fn successors(&self, &(small, large): &(u32, u32), mut emit: impl FnMut((u32, u32), u32)) {
///         emit((3, large), 3 - small);
///         emit((small, 5), 5 - large);
///         emit((0, large), 0);
///         emit((small, 0), 0);
///         let poured = small.min(5 - large);
///         emit((small - poured, large + poured), 0);
///         let poured = large.min(3 - small);
///         emit((small + poured, large - poured), 0);
///     }
///
///     fn is_goal(&self, &(_, large): &(u32, u32)) -> bool {
///         large == 4
///     }
/// }
///
/// let path = Jugs.find((0, 0))?.expect("there is a way");
/// assert_eq!(path.cost, 9);
/// assert_eq!(path.states, [(0, 0), (3, 0), (0, 3), (3, 3), (1, 5), (1, 0), (0, 1), (3, 1), (0, 4)]);
/// # Ok::<(), tilepath::state_space::StateSpaceError<(u32, u32)>>(())
/// ```
pub trait StateSpace {
    /// A state of the problem. It is hashed and cloned once for each state that is found.
    type State: Clone + Eq + Hash;
    /// What steps cost.
    type Cost: CostValue;

    /// Offers every state that can follow, with what the step to it costs.
    fn successors(&self, state: &Self::State, emit: impl FnMut(Self::State, Self::Cost));

    /// The least that the way from this state to a goal can cost. Zero, unless you know better, makes Dijkstra's
    /// algorithm; anything better makes A*.
    #[doc(alias = "heuristic")]
    fn estimate(&self, _state: &Self::State) -> Self::Cost {
        Self::Cost::ZERO
    }

    /// Whether this is the end.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The cheapest way from a state to a goal; `None` if there is none. Not to be overridden.
    ///
    /// It searches until it has found out, however long that takes: [`begin`](Self::begin) a search where states may have no
    /// end.
    ///
    /// # Errors
    /// [`StateSpaceError`], which names the step that cannot be counted.
    ///
    /// # Guarantee
    /// Optimal, if the estimate keeps to its contract.
    ///
    /// # Complexity
    /// O(steps looked at × log of them), with consistent estimates. Memory: two clones of each state found.
    fn find(
        &self,
        start: Self::State,
    ) -> Result<Option<StatePath<Self::State, Self::Cost>>, StateSpaceError<Self::State>>
    where
        Self: Sized,
    {
        StateSearch::new(self, start).finish()
    }

    /// Begins a search from a state, to be run step by step or in slices; nothing is expanded yet. Not to be overridden.
    ///
    /// The search holds the space; call this on a reference to lend it.
    #[must_use]
    fn begin(self, start: Self::State) -> StateSearch<Self>
    where
        Self: Sized,
    {
        StateSearch::new(self, start)
    }
}

impl<S: StateSpace> StateSpace for &S {
    type State = S::State;
    type Cost = S::Cost;

    fn successors(&self, state: &Self::State, emit: impl FnMut(Self::State, Self::Cost)) {
        S::successors(self, state, emit);
    }

    fn estimate(&self, state: &Self::State) -> Self::Cost {
        S::estimate(self, state)
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        S::is_goal(self, state)
    }
}

/// A way through a [`StateSpace`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct StatePath<State, Cost> {
    /// The states from the start to a goal, both inclusive.
    pub states: Vec<State>,
    /// What the steps between them cost, added up from the start.
    pub cost: Cost,
}
