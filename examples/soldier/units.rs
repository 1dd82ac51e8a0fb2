//! The three units: their names, movements and looks.

use bevy::prelude::*;
use bevy_tilepath::{AgentMovement, Cell, CostTable, Movement, PathAgent, tilepath::Size};
use serde::{Deserialize, Serialize};
use tilepath_examples::{
    figure::Looks,
    ground::Ground,
    tiles::{TILE, centre_of},
};

use crate::rules::Rules;

/// A unit: on foot, on wheels or on water.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Unit {
    Soldier,
    /// A wagon, which covers two by two cells.
    Wagon,
    Boat,
}

impl Unit {
    pub(crate) const ALL: [Self; 3] = [Self::Soldier, Self::Wagon, Self::Boat];

    /// Returns the name for a player, which is also the name of its movement on the map.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Soldier => "soldier",
            Self::Wagon => "wagon",
            Self::Boat => "boat",
        }
    }

    /// Returns its size, in cells a side.
    pub(crate) const fn side(self) -> u8 {
        match self {
            Self::Wagon => 2,
            Self::Soldier | Self::Boat => 1,
        }
    }

    /// Returns the cost of a step onto a kind of ground. 0 means blocked.
    const fn cost(self, ground: Ground) -> u16 {
        match (self, ground) {
            (Self::Soldier, ground) => ground.cost(),
            (Self::Wagon, Ground::Road) | (Self::Boat, Ground::Water) => 1,
            (Self::Wagon, Ground::Grass) => 3,
            (Self::Wagon, Ground::Mud) => 8,
            (Self::Wagon | Self::Boat, _) => 0,
        }
    }

    /// Returns its costs: by the kind of ground, or the same wherever it can go.
    pub(crate) fn costs(self, by_terrain: bool) -> CostTable {
        Ground::ALL.into_iter().fold(CostTable::impassable(), |table, ground| {
            let cost = self.cost(ground);
            table.with(ground.class(), if by_terrain { cost } else { cost.min(1) })
        })
    }

    /// Returns its movement, with the present rules.
    pub(crate) fn movement(self, rules: Rules) -> Movement {
        let size = Size::new(self.side()).unwrap_or_default();
        Movement::new()
            .with_costs(self.costs(rules.terrain_costs))
            .with_diagonals(rules.diagonals)
            .with_size(size)
    }

    /// Returns its speed on ground that does not slow it down, in world units per second.
    const fn speed(self) -> f32 {
        match self {
            Self::Soldier => 4.0 * TILE,
            Self::Wagon => 3.0 * TILE,
            Self::Boat => 1.75 * TILE,
        }
    }

    /// Returns the place of its middle if its lower left cell is this one.
    pub(crate) fn centre(self, cell: Cell) -> Vec2 {
        centre_of(cell) + f32::from(self.side() - 1) * TILE / 2.0
    }

    /// Returns the components of this unit.
    pub(crate) fn bundle(self) -> impl Bundle {
        (
            self,
            PathAgent { speed: self.speed().into(), ..default() },
            AgentMovement::from(self.name()),
            self.looks(),
        )
    }

    const fn looks(self) -> Looks {
        match self {
            Self::Soldier => Looks::person("sprites/soldier.png"),
            Self::Wagon => Looks::WAGON,
            Self::Boat => Looks::BOAT,
        }
    }

    /// Returns the part of the world that its picture fills if its middle is there.
    pub(crate) fn picture(self, middle: Vec2) -> Rect {
        self.looks().picture(middle)
    }

    /// Returns why it does not enter ground that is blocked for it.
    pub(crate) const fn limit(self) -> &'static str {
        match self {
            Self::Soldier => "The soldier neither swims nor climbs.",
            Self::Wagon => "The wagon needs firm ground, two tiles wide.",
            Self::Boat => "The boat cannot leave the water.",
        }
    }

    /// Returns why it does not reach ground on which it could stand.
    pub(crate) const fn cut_off(self) -> &'static str {
        match self {
            Self::Soldier => "The soldier is cut off from there.",
            Self::Wagon => "The wagon finds no path that is wide enough.",
            Self::Boat => "The boat finds no water that leads there.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_goes_where_it_belongs() {
        for by_terrain in [true, false] {
            for unit in Unit::ALL {
                let costs = unit.costs(by_terrain);
                let goes: Vec<Ground> =
                    Ground::ALL.into_iter().filter(|ground| costs.is_passable(ground.class())).collect();
                match unit {
                    Unit::Boat => assert_eq!(goes, [Ground::Water]),
                    Unit::Soldier | Unit::Wagon => {
                        assert_eq!(goes, [Ground::Road, Ground::Grass, Ground::Mud]);
                    }
                }
            }
        }
    }

    #[test]
    fn the_wagon_stands_where_four_cells_meet() {
        assert_eq!(Unit::Wagon.centre((1, 0).into()), Vec2::new(32.0, 16.0));
        assert_eq!(Unit::Boat.centre((1, 0).into()), Vec2::new(24.0, 8.0));
    }
}
