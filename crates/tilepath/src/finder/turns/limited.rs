//! Searches with rules of turns that depend on cells.

use super::{
    query::TurnQuery,
    turn_map::{TurnMap, costs_at},
};
use crate::{
    cell::Cell,
    cost::Cost,
    dial::{
        pareto_line,
        pareto_search::{ParetoLabel, ParetoProblem, ParetoSearch},
        turn_limits::{Stops, TurnEnds, TurnLimits},
        turn_path::TurnPath,
        turn_range::{self, TurnRange},
        turn_search::{LongStep, TurnLabel},
    },
    finder::outcome::QueryError,
    path::Path,
    space::{grid::GridNode, octile_distance::OctileDistance},
};
use rustc_hash::{FxHashMap, FxHashSet};

impl TurnMap<'_> {
    /// Returns the rules that may need several labels for each cell, if the query or its movement
    /// has any.
    pub(super) fn limits_of(&self, query: &TurnQuery) -> Option<TurnLimits> {
        let has_limits = query.has_limits()
            || !self.movement_map.movement().turn_ends().is_empty()
            || self.movement_map.has_turn_ends();
        has_limits.then(|| self.all_limits(query))
    }

    /// Returns all rules of a query in their general form.
    pub(super) fn all_limits(&self, query: &TurnQuery) -> TurnLimits {
        let (start, pairs) = (self.start, self.movement_map.movement().turn_ends());
        let mut points = Box::new([query.points().get(); 256]);
        for (class, of_class) in query.points_on() {
            points[usize::from(*class)] = of_class.get();
        }
        let class = self.classes[start.y() as usize * self.bounds.width() as usize + start.x() as usize];
        let mut first = query.stated_points_left().map_or(points[usize::from(class)], Cost::get);
        if query.turns() == 0 {
            (*points, first) = ([0; 256], 0);
        }
        let packed = |&cell: &Cell| GridNode::of(&self.bounds, cell).map(GridNode::packed);
        let set = |cells: &[Cell]| -> FxHashSet<u32> { cells.iter().filter_map(packed).collect() };
        let mut zones = FxHashMap::default();
        for zone in query.zones() {
            zone.mark(&self.bounds, self.topology, start, &mut zones);
        }
        TurnLimits {
            start,
            first,
            points,
            turns: query.turns(),
            long_step: query.long_step(),
            turn_ends: (!pairs.is_empty()).then(|| turn_ends(pairs)),
            zones,
            stops: Stops { never: set(query.no_stop()), only: query.stops_only_on().map(set) },
        }
    }

    /// Returns the problem of a search under some rules.
    pub(super) fn limited_problem<'a>(
        &'a self,
        goal: Option<GridNode>,
        limits: &'a TurnLimits,
    ) -> ParetoProblem<'a> {
        let never_falls_behind = match limits.long_step {
            LongStep::Never => true,
            // A step that takes a turn of its own uses fewer points of that turn than it costs.
            LongStep::OwnTurn => self.largest_cheap_step() <= u64::from(limits.fewest_points()),
            LongStep::AnyPoints => false,
        };
        let cheapest = u32::from(self.movement_map.cheapest());
        let is_consistent =
            never_falls_behind && self.return_multiplier.is_none_or(|multiplier| multiplier >= cheapest);
        let estimate =
            goal.filter(|_| is_consistent).map(|goal| OctileDistance::new(&self.movement_map, goal));
        let width = self.bounds.width() as usize;
        let (space, classes, return_costs) = (self.space(), self.classes, self.return_costs());
        ParetoProblem { space, classes, width, return_costs, limits, estimate }
    }

    pub(super) fn limited_range(&self, limits: &TurnLimits) -> TurnRange {
        let problem = self.limited_problem(None, limits);
        let mut search = ParetoSearch::new(&problem);
        let mut ends = Vec::new();
        while let Some(label) = search.next(&problem) {
            ends.push(label);
        }
        let labels = search.into_labels();
        let left = |index: u32, _: &TurnLabel| labels[index as usize].time.left;
        TurnRange::new(self.tracing(0), labels.iter().map(turn_label).collect(), ends, left)
    }

    pub(super) fn limited_path(
        &self,
        goal: GridNode,
        limits: &TurnLimits,
    ) -> Result<Option<TurnPath>, QueryError> {
        let problem = self.limited_problem(Some(goal), limits);
        let mut search = ParetoSearch::new(&problem);
        while let Some(label) = search.next(&problem) {
            let ParetoLabel { node, time, .. } = *search.label(label);
            if node == goal {
                let labels: Vec<TurnLabel> = search.into_labels().iter().map(turn_label).collect();
                let path = turn_range::trace(&labels, label, time.left, &self.tracing(0));
                return path.map(Some).ok_or(QueryError::CostOverflow);
            }
        }
        Ok(None)
    }

    pub(super) fn limited_cut(&self, path: &Path, limits: &TurnLimits) -> Option<TurnPath> {
        let problem = self.limited_problem(None, limits);
        let cells = self.nodes(path)?;
        let times = pareto_line::times(&problem, &cells)?;
        let mut stops = Vec::new();
        for (index, time) in times.iter().enumerate() {
            while stops.len() as u32 + 1 < time.turn {
                stops.push(index - 1);
            }
        }
        stops.push(cells.len() - 1);
        let steps: Option<Vec<u32>> = (cells.windows(2))
            .map(|pair| Some(pareto_line::step_between(&problem, pair[0], pair[1])?.cost.get()))
            .collect();
        let costs = costs_at(&stops, &steps?)?;
        let last = times.last()?;
        Some(TurnPath::of(path.clone(), stops, costs, [last.points - last.left, last.left]))
    }
}

fn turn_label(label: &ParetoLabel) -> TurnLabel {
    let ParetoLabel { node, time, step, parent, .. } = *label;
    TurnLabel { node, parent, turn: time.turn, used: time.points - time.left, step }
}

/// Returns pairs of classes as one row of bits for each class left.
fn turn_ends(pairs: &[(u8, u8)]) -> TurnEnds {
    let mut ends = Box::new([[0_u64; 4]; 256]);
    for &(from, to) in pairs {
        ends[usize::from(from)][usize::from(to / 64)] |= 1 << (to % 64);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        finder::{PathFinder, query::MovementId},
        grid::Grid,
        movement::Movement,
        turns::Zone,
    };
    use testkit::Seed;

    /// Returns the labels that a range expands for each cell it reaches, in percent.
    fn labels_in_percent(finder: &PathFinder, query: &TurnQuery) -> usize {
        let map = TurnMap::new(finder, query).unwrap();
        let limits = map.limits.as_ref().unwrap();
        let problem = map.limited_problem(None, limits);
        let mut search = ParetoSearch::new(&problem);
        let mut cells = 0;
        while search.next(&problem).is_some() {
            cells += 1;
        }
        assert!(cells > 1_000, "{cells} cells");
        let labels = search.into_labels();
        labels.iter().filter(|label| !label.is_beaten).count() * 100 / cells
    }

    #[test]
    fn cells_have_few_labels_at_sea_and_one_elsewhere() {
        let map = testkit::noise(128, 128, 4, 10, &Seed::named("turns at sea"));
        let grid = Grid::from_classes(128, 128, map.classes).unwrap();
        let shores = Movement::new().with_turn_end([1, 3], [2]).with_turn_end([2], [1, 3]);
        let finder = PathFinder::new(grid, Movement::new());
        let mut with_shores = finder.clone();
        with_shores.set_movement(MovementId::FIRST, shores).unwrap();
        let unit = TurnQuery::new(Cell::new(64, 64), Cost::new(80)).with_turns(20);
        assert_eq!(labels_in_percent(&with_shores, &unit), 100);
        let cells = (0..40).map(|number| Cell::new(number * 37 % 128, number * 53 % 128));
        assert_eq!(labels_in_percent(&finder, &unit.clone().with_zone(Zone::beside(cells))), 100);
        let at_sea = unit.with_points_on([2], Cost::new(200));
        for finder in [finder, with_shores] {
            let percent = labels_in_percent(&finder, &at_sea);
            assert!((101..=320).contains(&percent), "{percent} %");
        }
    }
}
