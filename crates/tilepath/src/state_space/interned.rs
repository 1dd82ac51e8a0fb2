//! States by number, for the search engine.

use crate::{
    search::{DenseRecords, Goal, Heuristic, SearchSpace},
    state_space::StateSpace,
};
use rustc_hash::FxHashMap;
use std::{cell::RefCell, hash::Hash};

/// Every state that was found, numbered in the order in which it was found.
#[derive(Clone, Debug)]
pub(super) struct KnownStates<State, Cost> {
    states: Vec<State>,
    /// The number of each state. Never iterated, so hash order cannot matter.
    numbers: FxHashMap<State, usize>,
    /// A buffer for the successors of one state.
    successors: Vec<(State, Cost)>,
}

impl<State, Cost> Default for KnownStates<State, Cost> {
    fn default() -> Self {
        Self { states: Vec::new(), numbers: FxHashMap::default(), successors: Vec::new() }
    }
}

impl<State: Clone + Eq + Hash, Cost> KnownStates<State, Cost> {
    pub(super) fn number_of(&mut self, state: State) -> usize {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let number = self.states.len();
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    pub(super) fn known_number_of(&self, state: &State) -> Option<usize> {
        self.numbers.get(state).copied()
    }

    pub(super) fn state(&self, number: usize) -> &State {
        &self.states[number]
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }
}

/// A space of states as the search engine uses it: space, estimate and goal in one.
///
/// The engine only reads a space, but expanding finds new states; so they are in a `RefCell`. Each
/// borrow of it ends with the statement that calls the space.
pub(super) struct InternedSpace<'a, S: StateSpace> {
    pub(super) space: &'a S,
    pub(super) known: &'a RefCell<KnownStates<S::State, S::Cost>>,
}

impl<S: StateSpace> SearchSpace for InternedSpace<'_, S> {
    type Node = usize;
    type Cost = S::Cost;
    type Link = usize;
    type Records = DenseRecords<S::Cost, usize>;

    fn key(&self, node: usize) -> usize {
        node
    }

    fn key_count(&self) -> usize {
        self.known.borrow().len()
    }

    fn expand(&self, node: usize, _: Option<usize>, mut emit: impl FnMut(usize, S::Cost, usize)) {
        let mut successors = std::mem::take(&mut self.known.borrow_mut().successors);
        self.space.successors(self.known.borrow().state(node), |state, cost| successors.push((state, cost)));
        for (state, cost) in successors.drain(..) {
            let number = self.known.borrow_mut().number_of(state);
            emit(number, cost, node);
        }
        self.known.borrow_mut().successors = successors;
    }

    fn predecessor(&self, _: usize, link: usize) -> usize {
        link
    }
}

impl<S: StateSpace> Heuristic<usize, S::Cost> for InternedSpace<'_, S> {
    fn estimate(&self, node: usize) -> S::Cost {
        self.space.estimate(self.known.borrow().state(node))
    }
}

impl<S: StateSpace> Goal<usize> for InternedSpace<'_, S> {
    fn is_reached(&self, node: usize) -> bool {
        self.space.is_goal(self.known.borrow().state(node))
    }
}
