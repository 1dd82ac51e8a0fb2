//! Plain words for rules and reasons, shared by all examples.
//!
//! The messages of the library are for developers. These are for players.

use bevy_tilepath::{
    Cell, Diagonals, PathFailure,
    tilepath::{
        QueryError,
        explain::{ExplainError, StepFault},
        waypoint::WaypointError,
    },
};

/// The text if no path leads to the goal.
pub const NO_WAY: &str = "no path leads there";

/// The text for a place beside the map.
pub const OUTSIDE: &str = "outside the map";

/// Returns how often an order was planned again, or an empty text for 0 times.
#[must_use]
pub fn replans(times: u32) -> String {
    match times {
        0 => String::new(),
        1 => "planned again once".into(),
        times => format!("planned again {times} times"),
    }
}

/// Returns when a diagonal step is allowed, short enough for a button.
#[must_use]
pub const fn diagonals(rule: Diagonals) -> &'static str {
    match rule {
        Diagonals::Never => "never",
        Diagonals::OnlyWhenNoObstacles => "both sides free",
        Diagonals::IfAtMostOneObstacle => "one side free",
        Diagonals::Always => "always",
    }
}

/// Returns why an order failed.
#[must_use]
pub fn failure(reason: PathFailure) -> String {
    match reason {
        PathFailure::Unreachable => NO_WAY.into(),
        PathFailure::NoMap => "the map is gone".into(),
        PathFailure::StartOutOfBounds { .. } => "stands beside the map".into(),
        PathFailure::GoalOutOfBounds { .. } => "that place is beside the map".into(),
        PathFailure::GoalBlocked { .. } | PathFailure::GoalUnderOverlay { .. } => {
            "that place is blocked".into()
        }
        PathFailure::UnknownWaypoint => "that waypoint is gone".into(),
        PathFailure::LimitReached => "the search took too long".into(),
        PathFailure::CostOverflow => "the path is too long to count its cost".into(),
        // The other reasons are faults of the program, not of a player.
        other => other.to_string(),
    }
}

/// Returns why a graph was not changed.
#[must_use]
pub fn edit(fault: &WaypointError) -> String {
    match fault {
        WaypointError::UnknownWaypoint { id, .. } => format!("{id} is gone"),
        WaypointError::SelfJoin { .. } => "a way joins two different waypoints".into(),
        WaypointError::InvalidPosition { .. } => "that is too far away".into(),
        other => other.to_string(),
    }
}

/// Returns why a query has no answer.
#[must_use]
pub fn question(fault: &QueryError) -> String {
    match fault {
        QueryError::StartOutOfBounds { .. } => "the start is beside the map".into(),
        QueryError::GoalOutOfBounds { .. } => "the goal is beside the map".into(),
        QueryError::CostOverflow => "the path is too long to count its cost".into(),
        QueryError::FootprintOutOfBounds { side, .. } => {
            format!("a unit of {side} x {side} cells there would stand beside the map")
        }
        QueryError::SizeOnHexagons { .. } => "on hexagons a unit covers one cell".into(),
        QueryError::NoJumpPoints => {
            "jump points need ground of one cost everywhere, and edges that are all open: clear the map"
                .into()
        }
        other => other.to_string(),
    }
}

/// Returns what is wrong with a step of a route.
#[must_use]
pub fn step(fault: &StepFault) -> String {
    match fault {
        StepFault::OutOfBounds { .. } => "it leads off the map".into(),
        StepFault::NotNeighbours => "the two cells do not touch".into(),
        StepFault::Blocked { .. } => "there is a wall".into(),
        StepFault::BlockedUnder { cell, place: under, .. } => {
            format!("there is a wall at {}, under the {under} of the unit", place(*cell))
        }
        StepFault::Void { cell } => format!("at {} there is no ground", place(*cell)),
        StepFault::Astride { cells: [one, other] } => {
            format!("the unit would stand across the fence between {} and {}", place(*one), place(*other))
        }
        StepFault::NoExit { cell } => format!("the edge of {} is closed in that direction", place(*cell)),
        StepFault::FenceEnd { cell } => {
            format!("the diagonal from {} crosses the end of a fence", place(*cell))
        }
        StepFault::NoDiagonals => "diagonal steps are not allowed".into(),
        StepFault::Corner { rule, corner } => {
            let walls: Vec<String> = corner.obstacles().map(place).collect();
            let walls = walls.join(" and ");
            match rule {
                Diagonals::OnlyWhenNoObstacles => {
                    format!("a diagonal step needs both sides free; wall at {walls}")
                }
                _ => format!("a diagonal step needs one side free; walls at {walls}"),
            }
        }
        other => other.to_string(),
    }
}

/// Returns why a route cannot be explained.
#[must_use]
pub fn route(fault: &ExplainError) -> String {
    match fault {
        ExplainError::NoCells => "the route is empty: draw it from the start".into(),
        ExplainError::StartOutOfBounds { .. } => "the route begins beside the map".into(),
        ExplainError::IllegalStep { from, to, fault, .. } => {
            format!("the step from {} to {} is not allowed: {}", place(*from), place(*to), step(fault))
        }
        ExplainError::OtherStart { expected, .. } => {
            format!("the route does not begin at the start: begin at {}", place(*expected))
        }
        ExplainError::OtherGoal { expected, .. } => {
            format!("the route does not lead to the goal: draw it on to {}", place(*expected))
        }
        ExplainError::CostOverflow { .. } => "the route is too costly to be counted".into(),
        ExplainError::Query(fault) => question(fault),
        other => other.to_string(),
    }
}

/// Returns a cell as column and row.
#[must_use]
pub fn place(cell: Cell) -> String {
    format!("({}, {})", cell.x, cell.y)
}

#[cfg(test)]
mod tests {
    use bevy_tilepath::tilepath::{Bounds, Movement, MovementId, PathFinder, PathQuery, format};

    use super::*;

    /// Returns whether a text has no words of the library's interface, which a player does not
    /// know.
    fn is_plain(text: &str) -> bool {
        !["_", "class", "impassable", "NavMap", "OnMap", "only-when", "if-at-most", "auto"]
            .iter()
            .any(|word| text.contains(word))
    }

    #[test]
    fn sentences_for_players_use_plain_words() {
        for reason in [
            PathFailure::Unreachable,
            PathFailure::NoMap,
            PathFailure::StartOutOfBounds { cell: Cell::new(9, 9), bounds: Bounds::default() },
            PathFailure::GoalOutOfBounds { cell: Cell::new(9, 9), bounds: Bounds::default() },
            PathFailure::GoalBlocked { cell: Cell::new(9, 9) },
            PathFailure::GoalUnderOverlay { cell: Cell::new(9, 9) },
            PathFailure::UnknownWaypoint,
            PathFailure::LimitReached,
            PathFailure::CostOverflow,
        ] {
            assert!(is_plain(&failure(reason)), "{}", failure(reason));
        }
        let [off, there] = [Cell::new(9, 9), Cell::new(0, 0)];
        let finder = PathFinder::new(format::parse_ascii("..\n.2").unwrap(), Movement::new());
        for query in [
            PathQuery::new(off, there),
            PathQuery::new(there, off),
            PathQuery::new(there, Cell::new(1, 1))
                .with_algorithm(bevy_tilepath::tilepath::Algorithm::JumpPoint),
        ] {
            let fault = finder.solve(&query).unwrap_err();
            assert!(is_plain(&question(&fault)), "{}", question(&fault));
        }
    }

    #[test]
    fn invalid_route_names_its_first_fault() {
        let walls = format::parse_ascii(".#.\n...\n...").unwrap();
        for (rule, cells, said) in [
            (Diagonals::OnlyWhenNoObstacles, [(0, 1), (1, 2)], "there is a wall"),
            (Diagonals::OnlyWhenNoObstacles, [(0, 2), (1, 1)], "both sides free; wall at (1, 2)"),
            (Diagonals::Never, [(0, 0), (1, 1)], "diagonal steps are not allowed"),
            (Diagonals::Always, [(0, 0), (2, 0)], "the two cells do not touch"),
            (Diagonals::Always, [(0, 0), (0, -1)], "it leads off the map"),
        ] {
            let finder = PathFinder::new(walls.clone(), Movement::new().with_diagonals(rule));
            let cells = cells.map(|(x, y)| Cell::new(x, y));
            let text = route(&finder.explain(&cells, MovementId::FIRST).unwrap_err());
            assert!(text.contains(said) && is_plain(&text), "{text}");
        }
    }

    #[test]
    fn each_rule_for_diagonals_has_words_of_its_own() {
        for one in Diagonals::ALL {
            let alike =
                Diagonals::ALL.into_iter().filter(|&other| diagonals(other) == diagonals(one)).count();
            assert_eq!(alike, 1, "{}", diagonals(one));
            assert!(is_plain(diagonals(one)));
        }
    }
}
