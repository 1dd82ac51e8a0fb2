//! Many queries at once.

use crate::{
    cell::Cell,
    finder::{
        PathFinder,
        fields::{flow_field::FlowField, query::FieldQuery},
        heuristic_kind::HeuristicKind,
        outcome::{Answer, Outcome, QueryError, Statistics},
        path_search::{PathSearch, resolve},
        query::{MovementId, PathQuery},
        reachability::Reachability,
        scratch::ScratchPool,
    },
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of queries for one goal that are searched one by one. They show the work, and whether
/// a field could answer.
const SAMPLE: usize = 8;
/// A field is made if the other searches for its goal would expand this many times the cells of the
/// map. At this ratio a useless field adds little work.
const FIELD_PAYS: u64 = 4;

type Reply = Result<Answer, QueryError>;

impl PathFinder {
    /// Answers many queries, in their order. Each answer is the one that [`solve`](Self::solve)
    /// returns.
    ///
    /// A repeated query is answered once. The searches share their memory.
    ///
    /// If many queries have the same goal, a [flow field](crate::field::FlowField) to this goal may
    /// answer some of them. The field answers a query only if exactly one cheapest path exists, as
    /// in mazes and on very uneven ground. If several paths were equally cheap, a search might
    /// choose another one than the field.
    ///
    /// # Guarantee
    /// Outcome, cost, cells and errors are equal to the answer of [`solve`](Self::solve). Only the
    /// [`Statistics`] may differ: if a field answered a query, its statistics count no expansions.
    /// Repeated calls return equal statistics.
    ///
    /// # Complexity
    /// At most the sum of the complexities of the single queries.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery};
    /// let finder = PathFinder::new(Grid::new(50, 50, 1)?, Movement::new());
    /// let camp = Cell::new(40, 7);
    /// let queries: Vec<PathQuery> = (0..30).map(|y| PathQuery::new(Cell::new(3, y), camp)).collect();
    /// let answers = finder.find_many(&queries);
    /// assert_eq!(answers.len(), 30);
    /// for (query, answer) in queries.iter().zip(answers) {
    ///     assert_eq!(answer?.outcome, finder.solve(query)?.outcome);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    /// This crate starts no threads. Several threads may query one finder, so a game can share out
    /// the queries among its own threads, here with `rayon`. Within the part of each thread, the
    /// queries share work as described above:
    /// ```
    /// use rayon::prelude::*;
    /// use tilepath::{Answer, Cell, Grid, Movement, PathFinder, PathQuery, QueryError};
    /// let finder = PathFinder::new(Grid::new(50, 50, 1)?, Movement::new());
    /// let queries: Vec<PathQuery> =
    ///     (0..500).map(|n| PathQuery::new(Cell::new(n % 50, n / 50), Cell::new(49, 49 - n % 7))).collect();
    /// let answers: Vec<Result<Answer, QueryError>> =
    ///     queries.par_chunks(64).flat_map_iter(|part| finder.find_many(part)).collect();
    /// for (query, answer) in queries.iter().zip(answers) {
    ///     assert_eq!(answer?.outcome, finder.solve(query)?.outcome);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find_many(&self, queries: &[PathQuery]) -> Vec<Result<Answer, QueryError>> {
        // A separate pool keeps threads in several calls from blocking each other.
        let pool = Arc::new(ScratchPool::default());
        self.pool.take().give_to(&pool);
        let mut replies: Vec<Option<Reply>> = vec![None; queries.len()];
        let mut first: FxHashMap<&PathQuery, usize> = FxHashMap::default();
        let mut copies = Vec::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of: FxHashMap<(Cell, MovementId), usize> = FxHashMap::default();
        for (index, query) in queries.iter().enumerate() {
            let original = *first.entry(query).or_insert(index);
            if original != index {
                copies.push((index, original));
            } else if may_be_read_from_a_field(query) {
                let group = *group_of.entry((query.goal(), query.movement())).or_insert(groups.len());
                if group == groups.len() {
                    groups.push(Vec::new());
                }
                groups[group].push(index);
            } else {
                replies[index] = Some(self.solve_in(&pool, query));
            }
        }
        for group in groups {
            self.solve_group(&pool, queries, &group, &mut replies);
        }
        for (index, original) in copies {
            let copy = replies[original].clone();
            replies[index] = copy;
        }
        pool.take().give_to(&self.pool);
        let replies: Vec<Reply> = replies.into_iter().flatten().collect();
        debug_assert_eq!(replies.len(), queries.len(), "each query is answered");
        replies
    }

    /// Answers a query as [`solve`](Self::solve) does, with memory from a pool.
    pub(super) fn solve_in(&self, pool: &Arc<ScratchPool>, query: &PathQuery) -> Reply {
        let (map, ends, reach) = self.prepare(query)?;
        if let Reachability::Unreachable = reach {
            // Creating and dropping a search would double the time of this answer.
            let algorithm = resolve(&map, query)?;
            let statistics = Statistics { expanded: 0, generated: 0, algorithm };
            return Ok(Answer { outcome: Outcome::Unreachable { closest: None }, statistics });
        }
        PathSearch::begin(map, *query, ends, reach, pool)?.finish()
    }

    /// Answers queries that differ only in their start and algorithm.
    fn solve_group(
        &self,
        pool: &Arc<ScratchPool>,
        queries: &[PathQuery],
        group: &[usize],
        replies: &mut [Option<Reply>],
    ) {
        let (sample, others) = group.split_at(group.len().min(SAMPLE));
        let mut expanded = 0;
        for &index in sample {
            let reply = self.solve_in(pool, &queries[index]);
            expanded += reply.as_ref().map_or(0, |answer| answer.statistics.expanded);
            replies[index] = Some(reply);
        }
        let to_be_expanded = expanded / SAMPLE as u64 * others.len() as u64;
        let field = (to_be_expanded >= FIELD_PAYS * self.grid.classes().len() as u64)
            .then(|| self.field_of(&queries[sample[0]]))
            .flatten()
            .filter(|field| {
                sample.iter().any(|&index| field.only_path_from(queries[index].start()).is_some())
            });
        for &index in others {
            let read = field.as_ref().and_then(|field| self.read(field, &queries[index]));
            replies[index] = Some(read.unwrap_or_else(|| self.solve_in(pool, &queries[index])));
        }
    }

    fn field_of(&self, query: &PathQuery) -> Option<FlowField> {
        self.solve_field(&FieldQuery::new([query.goal()]).with_movement(query.movement())).ok()
    }

    /// Returns the answer to a query from a field, if exactly one cheapest path exists.
    fn read(&self, field: &FlowField, query: &PathQuery) -> Option<Reply> {
        let path = field.only_path_from(query.start())?;
        let algorithm = match self.algorithm_for(query) {
            Ok(algorithm) => algorithm,
            Err(error) => return Some(Err(error)),
        };
        let statistics = Statistics { expanded: 0, generated: 0, algorithm };
        Some(Ok(Answer { outcome: Outcome::Found(path), statistics }))
    }
}

/// Returns whether a field may answer the query: the answer is the cheapest path, if there is one.
fn may_be_read_from_a_field(query: &PathQuery) -> bool {
    let is_limited =
        query.limit().is_some() || query.cost_limit().is_some() || query.length_limit().is_some();
    query.algorithm().is_exact() && query.heuristic() == HeuristicKind::Octile && !is_limited
}
