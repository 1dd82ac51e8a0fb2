//! Bodies share no cells, and step only where the map lets them.

use std::collections::BTreeMap;

use bevy_ecs::{
    entity::{Entity, EntityHashSet},
    system::{In, Query},
};
use bevy_tilepath::{
    AgentMovement, Body, BodyStance, Cell, NavGrid, NavQuery,
    tilepath::{Direction, Topology},
};
use testkit::{Walker, crowd_faults};

use crate::run::{Complaint, Soak};

/// Where bodies stood in the last tick, or from where to where they stepped, by entity.
pub(crate) type Steps = BTreeMap<Entity, (Body, Cell, Cell)>;

impl Soak {
    /// What must hold of all crowds after a tick.
    pub(super) fn check_bodies(&mut self) -> Result<(), Complaint> {
        let mut steps = Steps::new();
        let put: EntityHashSet = (self.crew.iter_mut())
            .filter_map(|agent| std::mem::take(&mut agent.is_body_put).then_some(agent.entity))
            .collect();
        for &map in &self.level.maps {
            let look =
                |map: In<Entity>, nav: NavQuery, grids: Query<&NavGrid>, movements: Query<&AgentMovement>| {
                    let stances: Vec<BodyStance> = nav.bodies_on(*map).collect();
                    let faults: Vec<String> = match grids.get(*map) {
                        Ok(grid) => stances
                            .iter()
                            .filter_map(|stance| forbidden(grid, movements.get(stance.entity).ok(), stance))
                            .collect(),
                        Err(_) => Vec::new(),
                    };
                    (stances, faults)
                };
            let Ok((stances, faults)) = self.app.world_mut().run_system_cached_with(look, map) else {
                continue;
            };
            // Those that were put there, until no other is on their cells.
            for stance in &stances {
                let last = self.body_steps.get(&stance.entity);
                let is_put = put.contains(&stance.entity)
                    || last.is_none_or(|&(body, from, to)| {
                        body != stance.body || stance.from != from && stance.from != to
                    });
                if stance.overlaps || is_put {
                    self.parting.insert(stance.entity);
                } else if !stances.iter().any(|other| is_near(stance, other)) {
                    self.parting.remove(&stance.entity);
                }
            }
            let grid = self.app.world().get::<NavGrid>(map);
            let is_hexagonal = grid.is_some_and(|grid| grid.grid().topology() == Topology::Hexagonal);
            let number_of = |entity| {
                self.crew.iter().find(|agent| agent.entity == entity).map_or(u32::MAX, |agent| agent.number)
            };
            let whole = stances.iter().filter(|stance| !self.parting.contains(&stance.entity));
            let walkers: Vec<Walker> = whole
                .map(|stance| Walker {
                    number: number_of(stance.entity),
                    from: stance.from.into(),
                    to: stance.to.into(),
                    share: f64::from(stance.share),
                    size: i32::from(stance.side),
                    layer: stance.body.layer,
                    blocks: stance.body.blocks,
                })
                .collect();
            if let Some(fault) = crowd_faults(&walkers, is_hexagonal).first() {
                return Err((None, fault.clone()));
            }
            // A step that was begun is ended, whatever becomes of the map.
            steps.extend(stances.iter().map(|stance| (stance.entity, (stance.body, stance.from, stance.to))));
            for (stance, fault) in stances.iter().filter(|stance| stance.from != stance.to).zip(faults) {
                let step = (stance.body, stance.from, stance.to);
                if !fault.is_empty() && self.body_steps.get(&stance.entity) != Some(&step) {
                    return Err((None, fault));
                }
            }
            self.report.bodies += walkers.len() as u64;
        }
        self.body_steps = steps;
        Ok(())
    }
}

/// Whether two have to do with one cell.
fn is_near(one: &BodyStance, other: &BodyStance) -> bool {
    one.entity != other.entity
        && [one.from, one.to].iter().any(|&cell| cell == other.from || cell == other.to)
        && one.body.excludes(other.body)
}

/// What is wrong with the step of a body on the map as it is: nothing, in no words. `None` where it stands.
fn forbidden(grid: &NavGrid, movement: Option<&AgentMovement>, stance: &BodyStance) -> Option<String> {
    let direction = Direction::between(stance.from, stance.to)?;
    let finder = grid.finder();
    let rules = finder.movement(movement.map_or(Some(grid.movement()), |own| grid.movement_of(own))?)?;
    let is_allowed = rules.step_cost(finder.grid(), stance.from, direction).is_some();
    Some(if is_allowed { String::new() } else { format!("a step that the map forbids: {stance:?}") })
}
