//! Squads: one order for many units.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, PathRequest,
    groups::{Group, GroupArrived, GroupMember, GroupOrder},
};

use super::{centre, game::Game};

impl Game {
    /// Spawns bodies side by side in rows of six.
    pub(crate) fn squad(&mut self, count: i32) -> Vec<Entity> {
        (0..count).map(|n| self.body(n % 6, n / 6, 96.0)).collect()
    }

    /// Gives an order to a group.
    pub(crate) fn order_group(&mut self, order: GroupOrder) -> Entity {
        self.world_mut().spawn(order).id()
    }

    /// Waits until all units rest. Returns their cells, and fails unless each unit stands in the
    /// middle of its own cell.
    ///
    /// A unit that moved aside for the last arrival goes back when the order of the group is over.
    #[track_caller]
    pub(crate) fn cells_of(&mut self, units: &[Entity]) -> BTreeSet<Cell> {
        self.ticks(120);
        let cells: BTreeSet<Cell> = units.iter().map(|&unit| self.cell_at(unit)).collect();
        assert_eq!(cells.len(), units.len(), "two units share a cell: {cells:?}");
        for &unit in units {
            let cell = self.cell_at(unit);
            assert_eq!(self.position(unit), centre(cell.x, cell.y));
        }
        cells
    }

    /// Ticks until the order of a group is over. Returns the number of ticks.
    #[track_caller]
    pub(crate) fn run_to_end(&mut self, group: Entity, most: usize) -> usize {
        for ticks in 0..most {
            if self.world().get::<GroupOrder>(group).is_none() {
                return ticks;
            }
            self.tick();
        }
        let group = self.world().get::<Group>(group);
        panic!("the order is not over after {most} ticks: {group:?}, {:?}", self.group_news());
    }

    /// Fails if a component of a group is left on its members.
    #[track_caller]
    pub(crate) fn assert_free(&self, units: &[Entity]) {
        for &unit in units {
            assert!(self.world().get::<GroupMember>(unit).is_none());
            assert!(self.world().get::<PathRequest>(unit).is_none());
        }
    }

    /// Returns the counts of the only group that has ended: arrived, arrived with a shortfall,
    /// lost, left.
    #[track_caller]
    pub(crate) fn only_end(&self) -> [usize; 4] {
        let news = self.group_news();
        let [GroupArrived { arrived, with_shortfall, lost, left, .. }] = news.arrived[..] else {
            panic!("exactly one group must have ended: {:?}", news.arrived);
        };
        assert!(news.failed.is_empty());
        [arrived, with_shortfall, lost, left]
    }
}
