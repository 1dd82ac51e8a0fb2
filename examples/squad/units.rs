//! The units: their names, movements and looks.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Body, Cell, CostTable, Movement, NavMap, PathAgent, agents::PathLine, tilepath::Size,
};
use serde::{Deserialize, Serialize};
use tilepath_examples::{
    figure::Looks,
    ground::Ground,
    tiles::{TILE, centre_of},
};

/// True if the units are bodies, which share no cells. Otherwise they walk straight, side by side.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AreBodies(pub(crate) bool);

impl Default for AreBodies {
    fn default() -> Self {
        Self(true)
    }
}

/// Makes units bodies, or not.
pub(crate) fn take_bodies(
    are_bodies: Res<AreBodies>,
    units: Query<Entity, With<Unit>>,
    mut commands: Commands,
) {
    for unit in &units {
        if are_bodies.0 {
            commands.entity(unit).insert_if_new(Body::default());
        } else {
            commands.entity(unit).remove::<Body>();
        }
    }
}

/// A unit of the garrison.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Unit {
    Soldier,
    Archer,
    /// A wagon, which covers two by two cells.
    Wagon,
    Boat,
}

impl Unit {
    pub(crate) const ALL: [Self; 4] = [Self::Soldier, Self::Archer, Self::Wagon, Self::Boat];

    /// Returns the plural name for a player.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Soldier => "soldiers",
            Self::Archer => "archers",
            Self::Wagon => "wagons",
            Self::Boat => "boats",
        }
    }

    /// Returns the name of its movement on the map.
    const fn movement(self) -> &'static str {
        match self {
            Self::Soldier | Self::Archer => "on foot",
            Self::Wagon => "by wagon",
            Self::Boat => "by boat",
        }
    }

    /// Returns its size, in cells a side.
    pub(crate) const fn side(self) -> u8 {
        if matches!(self, Self::Wagon) { 2 } else { 1 }
    }

    /// Returns the cost of a step onto a kind of ground. 0 means blocked.
    const fn cost(self, ground: Ground) -> u16 {
        match (self, ground) {
            (Self::Soldier | Self::Archer, ground) => ground.cost(),
            (Self::Wagon, Ground::Road) | (Self::Boat, Ground::Water) => 1,
            (Self::Wagon, Ground::Grass) => 2,
            (Self::Wagon, Ground::Mud) => 8,
            (Self::Wagon | Self::Boat, _) => 0,
        }
    }

    fn rules(self) -> Movement {
        let costs = Ground::ALL
            .into_iter()
            .fold(CostTable::impassable(), |table, ground| table.with(ground.class(), self.cost(ground)));
        Movement::new().with_costs(costs).with_size(Size::new(self.side()).unwrap_or_default())
    }

    /// Returns its speed, in world units per second.
    const fn speed(self) -> f32 {
        match self {
            Self::Soldier => 3.5 * TILE,
            Self::Archer => 4.5 * TILE,
            Self::Wagon => 3.0 * TILE,
            Self::Boat => 2.5 * TILE,
        }
    }

    /// Returns the place of its middle if its lower left cell is this one.
    pub(crate) fn centre(self, cell: Cell) -> Vec2 {
        centre_of(cell) + f32::from(self.side() - 1) * TILE / 2.0
    }

    /// Returns the components of this unit.
    pub(crate) fn bundle(self) -> impl Bundle {
        (
            self.appearance(),
            // Both count only while it is not a body.
            PathAgent { speed: self.speed().into(), line: PathLine::Straight, spread: 0.3, ..default() },
            AgentMovement::from(self.movement()),
            Body::default(),
        )
    }

    /// Returns the components that are not of the plugin.
    pub(crate) fn appearance(self) -> impl Bundle {
        (self, self.looks(), Visibility::default())
    }

    const fn looks(self) -> Looks {
        match self {
            Self::Soldier => Looks::person("sprites/soldier.png"),
            Self::Archer => Looks::person("sprites/traveller.png"),
            Self::Wagon => Looks::WAGON,
            Self::Boat => Looks::BOAT,
        }
    }

    /// Returns the part of the world that its picture fills if its middle is there.
    pub(crate) fn picture(self, middle: Vec2) -> Rect {
        self.looks().picture(middle)
    }
}

/// Returns the rules of the map: the movement of soldiers and archers, and the others by name.
pub(crate) fn map_rules() -> NavMap {
    let named = Unit::ALL.into_iter().map(|unit| (unit.movement(), unit.rules()));
    named.fold(NavMap { costs: Unit::Soldier.rules().costs().clone(), ..default() }, |map, (name, rules)| {
        map.with_movement(name, rules)
    })
}
