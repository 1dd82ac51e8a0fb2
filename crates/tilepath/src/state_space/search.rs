//! A running search over states.

use crate::{
    search::{
        AStar, BinaryHeapQueue, DenseRecords, FaultyValue, NodeRecords, Problem, Search, SearchStatus, Step,
    },
    state_space::{
        StatePath, StateSpace,
        error::StateSpaceError,
        interned::{InternedSpace, KnownStates},
    },
};
use std::{cell::RefCell, fmt};

type Engine<Cost> = Search<usize, DenseRecords<Cost, usize>, BinaryHeapQueue<usize, Cost>>;

/// A search over states that runs step by step or in slices, and can be dropped at any time.
///
/// The search holds the space, or a reference to the space: `(&space).begin(start)`. The space must
/// not change while the search runs.
///
/// # Examples
/// Halves a number, or adds one to it, until it is a power of ten. The limit is a thousand
/// expansions.
/// ```
/// use tilepath::{SearchStatus, search::Step, state_space::StateSpace};
///
/// struct Numbers;
///
/// impl StateSpace for Numbers {
///     type State = u64;
///     type Cost = u32;
///
///     fn successors(&self, &number: &u64, mut emit: impl FnMut(u64, u32)) {
///         emit(number + 1, 1);
///         if number % 2 == 0 { emit(number / 2, 1) }
///     }
///
///     fn is_goal(&self, &number: &u64) -> bool {
///         matches!(number, 10 | 100)
///     }
/// }
///
/// let mut search = Numbers.begin(396);
/// assert_eq!(search.step(), Step::Expanded(&396)); // a step at a time,
/// assert_eq!(search.advance(1_000), SearchStatus::Done); // or a slice, or `finish`
/// let path = search.finish()?.expect("found within the slice");
/// assert_eq!(path.states, [396, 198, 99, 100]);
/// # Ok::<(), tilepath::state_space::StateSpaceError<u64>>(())
/// ```
pub struct StateSearch<S: StateSpace> {
    space: S,
    known: KnownStates<S::State, S::Cost>,
    engine: Engine<S::Cost>,
}

impl<S: StateSpace> StateSearch<S> {
    /// Begins a search from this state. Nothing is expanded yet.
    pub(super) fn new(space: S, start: S::State) -> Self {
        let mut search = Self { space, known: KnownStates::default(), engine: Engine::default() };
        let start = search.known.number_of(start);
        search.with_problem(|engine, problem| engine.begin(problem, &[start]));
        search
    }

    /// Lends the states to the engine for one call.
    fn with_problem<T>(
        &mut self,
        run: impl FnOnce(
            &mut Engine<S::Cost>,
            &Problem<'_, InternedSpace<'_, S>, AStar<&InternedSpace<'_, S>>, InternedSpace<'_, S>>,
        ) -> T,
    ) -> T {
        let known = RefCell::new(std::mem::take(&mut self.known));
        let space = InternedSpace { space: &self.space, known: &known };
        let result =
            run(&mut self.engine, &Problem { space: &space, strategy: &AStar(&space), goal: &space });
        self.known = known.into_inner();
        result
    }

    /// Expands one state, or ends the search. After the end of the search, it returns the last step
    /// again.
    pub fn step(&mut self) -> Step<&S::State> {
        self.with_problem(|engine, problem| engine.step(problem, &mut ()))
            .map(|number| self.known.state(number))
    }

    /// Runs the search to its end, or until `budget` states are expanded.
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        self.with_problem(|engine, problem| engine.advance(problem, &mut (), budget))
    }

    /// Returns whether the search has ended.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.engine.is_done()
    }

    /// Returns the number of expanded states.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.engine.expanded()
    }

    /// Returns the number of states found so far.
    #[must_use]
    pub fn found(&self) -> usize {
        self.known.len()
    }

    /// Returns the space of the search.
    pub const fn space(&self) -> &S {
        &self.space
    }

    /// Returns the cheapest known path to a state; `None` if no path is known yet.
    ///
    /// # Complexity
    /// O(length of the path).
    #[must_use]
    pub fn path_to(&self, state: &S::State) -> Option<StatePath<S::State, S::Cost>> {
        self.path(self.known.known_number_of(state)?)
    }

    fn path(&self, number: usize) -> Option<StatePath<S::State, S::Cost>> {
        let record = |number: usize| self.engine.records().get(number);
        let cost = record(number)?.cost;
        let mut states: Vec<S::State> = std::iter::successors(Some(number), |&number| record(number)?.link)
            .map(|number| self.known.state(number).clone())
            .collect();
        states.reverse();
        Some(StatePath { states, cost })
    }

    /// Returns the result: the cheapest path, or `Ok(None)` if there is no path. Returns `None`
    /// while the search runs.
    ///
    /// # Errors
    /// [`StateSpaceError`].
    #[expect(clippy::type_complexity, reason = "no result yet, an error, no path, or a path")]
    pub fn answer(&self) -> Option<Result<Option<StatePath<S::State, S::Cost>>, StateSpaceError<S::State>>> {
        self.is_done().then(|| {
            let state = |number: usize| self.known.state(number).clone();
            if let Some(edge) = self.engine.fault() {
                return Err(match edge.value {
                    FaultyValue::StepCost => StateSpaceError::InvalidStepCost {
                        from: state(edge.from),
                        to: state(edge.to),
                        fault: edge.fault,
                    },
                    FaultyValue::Estimate => {
                        StateSpaceError::InvalidEstimate { state: state(edge.to), fault: edge.fault }
                    }
                });
            }
            match (self.engine.reached(), self.engine.first_overflow()) {
                (Some((goal, _)), _) => Ok(self.path(goal)),
                (None, Some((from, to))) => {
                    Err(StateSpaceError::CostOverflow { from: state(from), to: state(to) })
                }
                (None, None) => Ok(None),
            }
        })
    }

    /// Runs the search to its end and returns the result.
    ///
    /// # Errors
    /// [`StateSpaceError`].
    pub fn finish(mut self) -> Result<Option<StatePath<S::State, S::Cost>>, StateSpaceError<S::State>> {
        self.with_problem(|engine, problem| engine.run(problem, &mut ()));
        self.answer().unwrap_or(Ok(None))
    }
}

impl<S: StateSpace> fmt::Debug for StateSearch<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (formatter.debug_struct("StateSearch"))
            .field("found", &self.found())
            .field("expanded", &self.expanded())
            .field("is_done", &self.is_done())
            .finish_non_exhaustive()
    }
}
