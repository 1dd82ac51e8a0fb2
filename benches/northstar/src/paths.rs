//! The costs of the found paths beside the cheapest costs.

use bevy::prelude::*;
use bevy_northstar::prelude::*;
use testkit::{DiagonalRule, Oracle, Rules, TileMap};

use crate::{ground::Place, scenes::Start};

/// The number of paths that are compared.
const PATHS: usize = 100;

/// The head of the table of reports.
pub(crate) const HEAD: &str = "\
| scene | settings | paths compared | cost ÷ cheapest, steps of 10 and 14: mean | worst | steps of one length: mean | worst | with steps that the rules forbid |
|---|---|--:|--:|--:|--:|--:|--:|";

/// Compares the first paths, in the order of their agents, with the cheapest paths.
///
/// It uses two measures: the step costs of our scenes, and the step costs of `bevy_northstar`.
/// There a diagonal step costs as much as a straight one.
pub(crate) fn report(map: &TileMap, world: &mut World) -> String {
    let ours = Rules::classic(DiagonalRule::OnlyWhenNoObstacles);
    let theirs = Rules { straight: 1, diagonal: 1, ..ours.clone() };
    let oracles = [ours, theirs].map(|rules| Oracle::new(map, &rules));
    let mut agents: Vec<(Entity, Vec<Place>)> = world
        .query::<(Entity, &Start, &Path, Option<&NextPos>)>()
        .iter(world)
        .map(|(agent, from, path, next)| {
            let steps = next.map(|next| next.0).into_iter().chain(path.path().iter().copied());
            let places = steps.map(|place| (place.x as i32, place.y as i32));
            (agent, std::iter::once(from.0).chain(places).collect())
        })
        .collect();
    agents.sort_unstable_by_key(|&(agent, _)| agent);
    agents.truncate(PATHS);
    let mut forbidden = 0;
    let (mut sums, mut worst) = ([0.0; 2], [0.0_f64; 2]);
    let mut compared = 0;
    for (_, places) in &agents {
        let costs = oracles.each_ref().map(|oracle| {
            let steps = places.windows(2).map(|step| oracle.step_cost(step[0], step[1]));
            let cheapest = oracle.cost(places[0], places[places.len() - 1]);
            steps.sum::<Option<u64>>().zip(cheapest)
        });
        if let [Some(ours), Some(theirs)] = costs {
            compared += 1;
            for (metric, (cost, cheapest)) in [ours, theirs].into_iter().enumerate() {
                let ratio = cost as f64 / cheapest as f64;
                sums[metric] += ratio;
                worst[metric] = worst[metric].max(ratio);
            }
        } else {
            forbidden += 1;
        }
    }
    let mean = sums.map(|sum| sum / f64::from(compared));
    format!("{compared} | {:.3} | {:.3} | {:.3} | {:.3} | {forbidden}", mean[0], worst[0], mean[1], worst[1])
}
