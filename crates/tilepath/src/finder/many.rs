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

/// This many queries for one goal are searched one by one, to see what they take and whether a field could answer them.
const SAMPLE: usize = 8;
/// A field is made where the other searches for its goal would expand this many times the cells of the map. A field in vain then
/// adds little.
const FIELD_PAYS: u64 = 4;

type Reply = Result<Answer, QueryError>;

impl PathFinder {
    /// The answers to many queries, in their order: each as [`solve`](Self::solve) would give it.
    ///
    /// A query that is there twice is answered once. The searches share their memory. Where many queries have one goal, a
    /// [field](crate::field::FlowField) of the costs to it may answer those to which there is one cheapest path and no other as
    /// cheap, as in mazes and on very uneven ground: of equally cheap ones a search might take another than the field.
    ///
    /// # Guarantee
    /// Outcome, cost and cells are those of [`solve`](Self::solve), and so are errors. Only the [`Statistics`] may differ: where a
    /// field answered, nothing was expanded for the query. They are the same each time.
    ///
    /// # Complexity
    /// That of the queries one by one, at most.
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
    /// This crate keeps no threads of its own. A finder may be asked from many at once, so that queries can be dealt out to those of
    /// the game, here by `rayon`; each part shares what can be shared within it:
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
        // A pool of its own keeps the threads of several calls out of each other's way.
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

    /// As [`solve`](Self::solve), with memory from a pool.
    pub(super) fn solve_in(&self, pool: &Arc<ScratchPool>, query: &PathQuery) -> Reply {
        let (map, ends, reach) = self.prepare(query)?;
        if let Reachability::Unreachable = reach {
            // To make a search, and to drop it, would take as long again as to know this.
            let algorithm = resolve(&map, query)?;
            let statistics = Statistics { expanded: 0, generated: 0, algorithm };
            return Ok(Answer { outcome: Outcome::Unreachable { closest: None }, statistics });
        }
        PathSearch::begin(map, *query, ends, reach, pool)?.finish()
    }

    /// Queries that differ in their start and algorithm only.
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

    /// The answer to a query, if there is one cheapest path.
    fn read(&self, field: &FlowField, query: &PathQuery) -> Option<Reply> {
        let path = field.only_path_from(query.start())?;
        let algorithm = match self.snapshot(query.movement()).and_then(|map| resolve(&map, query)) {
            Ok(algorithm) => algorithm,
            Err(error) => return Some(Err(error)),
        };
        let statistics = Statistics { expanded: 0, generated: 0, algorithm };
        Some(Ok(Answer { outcome: Outcome::Found(path), statistics }))
    }
}

/// Whether the answer is the cheapest path, if there is one.
fn may_be_read_from_a_field(query: &PathQuery) -> bool {
    let is_limited =
        query.limit().is_some() || query.cost_limit().is_some() || query.length_limit().is_some();
    query.algorithm().is_exact() && query.heuristic() == HeuristicKind::Octile && !is_limited
}
