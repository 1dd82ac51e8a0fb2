//! States by number, so that the one engine can search them.

use crate::{
    search::{DenseRecords, Goal, Heuristic, SearchSpace},
    state_space::StateSpace,
};
use rustc_hash::FxHashMap;
use std::{cell::RefCell, hash::Hash};

/// Every state that was found, numbered in that order.
#[derive(Clone, Debug)]
pub(super) struct KnownStates<State, Cost> {
    states: Vec<State>,
    /// Lookup only; never iterated, so hash order cannot matter.
    numbers: FxHashMap<State, usize>,
    /// Memory for the successors of one state.
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

/// A space of states as the engine sees it: space, estimate and goal in one.
///
/// The engine gives a space to read only, and expanding finds new states; hence the cell. No borrow of it outlives a
/// statement that calls out.
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
