//! Searches over states of any type: a puzzle, a word, a plan, a fight.
//!
//! Implement [`StateSpace`]: the states that follow a state, and the test for a goal. The page of
//! [`StateSpace`] has an example. [`StateSpace::find`] runs a search to its end. A [`StateSearch`]
//! runs step by step or in slices.
//!
//! Decision: `docs/decisions/26-state-spaces-and-verbs.md`.

pub(crate) mod error;
mod interned;
pub(crate) mod search;

pub use self::{error::StateSpaceError, search::StateSearch};
use crate::cost::CostValue;
use std::hash::Hash;

/// A problem with states of any type: a puzzle, a word, a plan, a fight.
///
/// Implement [`successors`](Self::successors) and [`is_goal`](Self::is_goal); then
/// [`find`](StateSpace::find) returns the cheapest path.
///
/// If states are few and numbered, or if speed matters most, implement
/// [`SearchSpace`](crate::search::SearchSpace) instead. A search over a `SearchSpace` neither
/// clones nor hashes states.
///
/// # Contract
/// - [`successors`](Self::successors) emits the same states in the same order at every call. This
///   order breaks ties.
/// - Costs are 0 or more. If a cost is invalid, the search ends with an error that names the step.
/// - [`estimate`](Self::estimate) is never above the true remaining cost; otherwise the path found
///   may not be the cheapest. The estimate need not be consistent.
///
/// # Examples
/// Two jugs of 3 and 5 litres: measure 4 litres with as little water from the tap as possible.
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
    /// A state of the problem. Each state that is found is hashed and cloned once.
    type State: Clone + Eq + Hash;
    /// The type of step costs.
    type Cost: CostValue;

    /// Emits every state that can follow, with the cost of the step.
    fn successors(&self, state: &Self::State, emit: impl FnMut(Self::State, Self::Cost));

    /// Returns a lower bound on the cost from this state to a goal. With the default, 0, the search
    /// is Dijkstra's algorithm. With a better bound it is A*.
    #[doc(alias = "heuristic")]
    fn estimate(&self, _state: &Self::State) -> Self::Cost {
        Self::Cost::ZERO
    }

    /// Returns whether this state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Returns the cheapest path from a state to a goal; `None` if there is no path. Do not
    /// override this function.
    ///
    /// The search has no time limit. If there may be infinitely many states, use
    /// [`begin`](Self::begin) and run the search in slices.
    ///
    /// # Errors
    /// [`StateSpaceError`] if a cost or an estimate is invalid, or if no path was found and a sum of
    /// costs was too large. The error names the step or the state.
    ///
    /// # Guarantee
    /// Optimal, if the estimate fulfils its contract.
    ///
    /// # Complexity
    /// Time: O(s log s) for s examined steps, if the estimates are consistent. Memory: two clones
    /// of each state found.
    fn find(
        &self,
        start: Self::State,
    ) -> Result<Option<StatePath<Self::State, Self::Cost>>, StateSpaceError<Self::State>>
    where
        Self: Sized,
    {
        StateSearch::new(self, start).finish()
    }

    /// Begins a search from a state, to run it step by step or in slices. Nothing is expanded yet.
    /// Do not override this function.
    ///
    /// The search holds the space. To lend the space instead, call this method on a reference.
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

/// A path through a [`StateSpace`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct StatePath<State, Cost> {
    /// The states from the start to a goal, both inclusive.
    pub states: Vec<State>,
    /// The sum of the costs of the steps, added in the order from the start.
    pub cost: Cost,
}
