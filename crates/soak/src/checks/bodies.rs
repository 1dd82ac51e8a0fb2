//! Checks of bodies: no shared cells, and only legal steps.

use std::collections::BTreeMap;

use bevy_ecs::{
    entity::{Entity, EntityHashSet},
    system::In,
};
use bevy_tilepath::{Body, Cell, NavQuery, queries::BodyStance, tilepath::Topology};
use testkit::{Walker, crowd_faults};

use super::line;
use crate::{
    places::{self, Ground},
    run::{Complaint, Soak},
};

/// The positions or steps of bodies in the last tick, by entity.
pub(crate) type Steps = BTreeMap<Entity, Step>;

/// The position of a standing body, or the step of a walking body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    body: Body,
    side: u8,
    from: Cell,
    pub(crate) to: Cell,
}

impl Step {
    fn of(stance: &BodyStance) -> Self {
        let BodyStance { body, side, from, to, .. } = *stance;
        Self { body, side, from, to }
    }

    /// Returns whether this step can follow the last step of its body, if the body was not put
    /// elsewhere.
    fn follows(&self, last: &Self) -> bool {
        (self.body, self.side) == (last.body, last.side) && (self.from == last.from || self.from == last.to)
    }
}

impl Soak {
    /// Checks all crowds after a tick.
    pub(super) fn check_bodies(&mut self) -> Result<(), Complaint> {
        let mut steps = Steps::new();
        let put: EntityHashSet = (self.crew.iter_mut())
            .filter_map(|agent| std::mem::take(&mut agent.is_body_put).then_some(agent.entity))
            .collect();
        for &map in &self.level.maps {
            let look = |map: In<Entity>, nav: NavQuery| nav.bodies_on(*map).collect::<Vec<_>>();
            let found = self.app.world_mut().run_system_cached_with(look, map);
            let Ok(stances) = found else { continue };
            // Bodies that were put on cells of others are excused until they have their cells
            // alone.
            for stance in &stances {
                let last = self.body_steps.get(&stance.entity);
                let is_put =
                    put.contains(&stance.entity) || last.is_none_or(|last| !Step::of(stance).follows(last));
                if stance.overlaps || is_put {
                    self.parting.insert(stance.entity);
                } else if !stances.iter().any(|other| is_near(stance, other)) {
                    self.parting.remove(&stance.entity);
                }
            }
            let world = self.app.world();
            let is_hexagonal =
                Ground::of(world, map, None).is_some_and(|ground| ground.shape() == Topology::Hexagonal);
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
            // A begun step is finished, even if the map changes.
            steps.extend(stances.iter().map(|stance| (stance.entity, Step::of(stance))));
            for stance in stances.iter().filter(|stance| stance.from != stance.to) {
                let is_new = self.body_steps.get(&stance.entity) != Some(&Step::of(stance));
                let ground = Ground::of(world, map, Some(stance.entity)).filter(|_| is_new);
                let side = stance.side.into();
                if ground.is_some_and(|ground| !is_allowed(&ground, side, [stance.from, stance.to])) {
                    let number = number_of(stance.entity);
                    return Err((Some(number), format!("a step that the map forbids: {stance:?}")));
                }
            }
            self.report.bodies += walkers.len() as u64;
            self.report.wide_bodies += walkers.iter().filter(|walker| walker.size > 1).count() as u64;
        }
        self.body_steps = steps;
        Ok(())
    }
}

/// Returns whether two bodies hold or leave a common cell.
fn is_near(one: &BodyStance, other: &BodyStance) -> bool {
    let cells = |stance: &BodyStance| -> Vec<Cell> {
        [stance.from, stance.to].iter().flat_map(|&at| places::footprint(at, stance.side.into())).collect()
    };
    let others = cells(other);
    one.entity != other.entity
        && cells(one).iter().any(|cell| others.contains(cell))
        && one.body.excludes(other.body)
}

/// Returns whether the map allows the step of a body, by the rules in words. No closed cell is
/// entered, but those over which the body leaves closed ground, and the anchors beside a corner
/// count by the map's rule. The cells under the body may be closed, because it may be leaving them.
pub(crate) fn is_allowed(ground: &Ground, side: i32, [from, to]: [Cell; 2]) -> bool {
    let left: Vec<Cell> = places::footprint(from, side).collect();
    let is_open = places::footprint(to, side).all(|cell| ground.is_open(cell) || left.contains(&cell))
        || ground.way_out(from).contains(&to);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let is_diagonal = dx != 0 && dy != 0;
    if ground.shape() == Topology::Hexagonal {
        return is_open && dx.abs().max(dy.abs()).max((dx + dy).abs()) == 1 && ground.lets_pass([from, to]);
    }
    let sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
    let is_wall = |anchor: &&Cell| places::footprint(**anchor, side).any(|cell| !ground.is_open(cell));
    let walls = sides.iter().filter(is_wall).count();
    is_open
        && dx.abs().max(dy.abs()) == 1
        && ground.lets_pass([from, to])
        && (!is_diagonal || ground.diagonals().is_some_and(|rule| line::allows(rule, walls)))
}
