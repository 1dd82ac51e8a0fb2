//! Queries of one `MovingAI` map.

use std::{hint::black_box, path::Path};

use tilepath::{CostTable, Diagonals, Movement, PathFinder, PathQuery, StepCosts, format};

/// Runs the queries of a map with a diagonal rule (`never` or `usual`). Returns their number.
pub(crate) fn run(folder: &Path, map: &str, rule: &str, rounds: u32) -> u64 {
    let diagonals = match rule {
        "never" => Diagonals::Never,
        _ => Diagonals::OnlyWhenNoObstacles,
    };
    let read = |path: &Path| std::fs::read_to_string(path).expect("the maps are in the folder");
    let grid = read(&folder.join(format!("{map}.map")));
    let grid = format::parse_moving_ai(&grid, &format::LetterClasses::default()).expect("a map");
    let rows = read(&folder.join("queries").join(format!("{map}.scen")));
    let rows = format::parse_scenario(&rows).expect("queries");

    let costs = (1..=u8::MAX).fold(CostTable::impassable(), |costs, class| costs.with(class, 1));
    let steps = StepCosts::new(70, 99).expect("valid step costs");
    let bounds = grid.bounds();
    let movement = Movement::new().with_costs(costs).with_steps(steps).with_diagonals(diagonals);
    let finder = PathFinder::new(grid, movement);
    for _ in 0..rounds {
        for row in &rows {
            let ends = [row.start_cell(&bounds), row.goal_cell(&bounds)];
            let [start, goal] = ends.map(|cell| cell.expect("the ends lie on the map"));
            black_box(finder.solve(&PathQuery::new(start, goal))).expect("a valid query");
        }
    }
    rows.len() as u64 * u64::from(rounds)
}
