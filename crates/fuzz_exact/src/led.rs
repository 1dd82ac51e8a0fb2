//! Landmarks: made, half made, with patches and made anew, and the estimates of the searches that they
//! lead.

use rand::Rng;
use testkit::Land;
use tilepath::{
    Algorithm, Cell, Direction, LandmarkCount, LandmarkStatus, MovementId, PathFinder, PathQuery, PathSearch,
};

use crate::{
    draw, land,
    view::{Verdict, View, ensure},
};

/// Draws a map on which goals are far enough for landmarks. If it is not `plain`, it has all features,
/// and is small enough to list every edge.
pub(crate) fn land(generator: &mut impl Rng, plain: bool) -> Land {
    loop {
        let land = if plain { Land::from(draw::map(generator)) } else { land::land(generator) };
        let fewest = if plain { 600 } else { 300 };
        if land.map.classes.len() >= fewest {
            return land;
        }
    }
}

/// Makes the landmarks of some movements, whole or in part, or drops them.
///
/// # Panics
/// If a movement is unknown; the movements of a round never are.
pub(crate) fn tend(generator: &mut impl Rng, finder: &mut PathFinder, movements: &[MovementId]) {
    const KNOWN: &str = "the movement is the finder's";
    for &movement in movements {
        let count = LandmarkCount::Exactly(generator.random_range(1..=6));
        let kept = finder.landmarks(movement).expect(KNOWN).len();
        // Landmarks of another number begin from nothing, so mostly the number stays.
        let count =
            if kept > 0 && generator.random_ratio(3, 4) { LandmarkCount::Exactly(kept as u8) } else { count };
        match generator.random_range(0..8) {
            0..=2 => {
                finder.make_landmarks(movement, count).expect(KNOWN);
            }
            3 => {
                for _ in 0..generator.random_range(1..=20) {
                    finder.advance_landmarks(movement, count, generator.random_range(0..=400)).expect(KNOWN);
                }
            }
            4 => {
                while finder.advance_landmarks(movement, count, generator.random_range(1..=99)).expect(KNOWN)
                    > 0
                {}
            }
            5 if generator.random_ratio(1, 4) => finder.drop_landmarks(movement).expect(KNOWN),
            _ => {}
        }
    }
}

/// Checks the estimates of a search that landmarks lead: no step of the map lowers them by more than
/// its cost, and at the goal they are zero. Returns whether landmarks lead it.
pub(crate) fn check(
    view: &View<'_>,
    finder: &PathFinder,
    movement: MovementId,
    ends: [Cell; 2],
) -> Result<bool, String> {
    if !matches!(finder.landmark_status(movement), Ok(LandmarkStatus::Ready(_))) {
        return Ok(false);
    }
    let query = PathQuery::new(ends[0], ends[1]).with_movement(movement).with_algorithm(Algorithm::AStar);
    let Ok(search) = finder.begin(&query) else { return Ok(false) };
    let is_led = search.landmarks().next().is_some();
    if is_led {
        check_steps(view, finder, &search)?;
        let rest = search.estimate_from(ends[1]).map(tilepath::Cost::get);
        ensure!(rest == Some(0), "the estimate at the goal is {rest:?}");
    }
    Ok(is_led)
}

fn check_steps(view: &View<'_>, finder: &PathFinder, search: &PathSearch) -> Verdict {
    let grid = finder.grid();
    for from in grid.bounds().cells() {
        let Some(here) = search.estimate_from(from) else { continue };
        // Landmarks do not lead a large unit off closed ground.
        if view.movement.size().side() > 1 && !view.movement.is_open(grid, from) {
            continue;
        }
        for direction in Direction::ALL {
            let Some(step) = view.movement.step_cost(grid, from, direction) else { continue };
            let to = from + direction.offset();
            let there = search.estimate_from(to);
            let Some(there) = there else {
                // A one-way step leads where no path leads back.
                let rest = PathQuery::new(to, search.query().goal()).with_movement(search.query().movement());
                ensure!(finder.is_reachable(&rest) == Ok(false), "{to} has no estimate, {from} has {here}");
                continue;
            };
            let most = u64::from(step.get()) + u64::from(there.get());
            ensure!(u64::from(here.get()) <= most, "{here} at {from}, but {there} a step of {step} on");
        }
    }
    Ok(())
}
