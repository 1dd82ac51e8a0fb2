//! The kinds of ground, their terrain classes, and what they cost.

use bevy_tilepath::CostTable;

/// The ground of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Bare rock, which nothing climbs.
    Rock,
    /// A road.
    Road,
    /// A meadow.
    Grass,
    /// A swamp.
    Mud,
    /// Open water.
    Water,
}

impl Ground {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Rock, Self::Road, Self::Grass, Self::Mud, Self::Water];

    /// Returns the terrain class in the map. Rock is class 0, the class of walls and obstacles.
    #[must_use]
    pub const fn class(self) -> u8 {
        match self {
            Self::Rock => 0,
            Self::Road => 1,
            Self::Grass => 2,
            Self::Mud => 3,
            Self::Water => 4,
        }
    }

    /// Returns the ground of a letter in pictures of letters: `.` grass, `=` road, `,` mud, `~`
    /// water, `#` rock.
    #[must_use]
    pub const fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            '.' => Self::Grass,
            '=' => Self::Road,
            ',' => Self::Mud,
            '~' => Self::Water,
            '#' => Self::Rock,
            _ => return None,
        })
    }

    /// Returns the ground of a class.
    #[must_use]
    pub fn of_class(class: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|ground| ground.class() == class)
    }

    /// Returns the cost of a step onto it, in multiples of the step cost. 0 means blocked.
    #[must_use]
    pub const fn cost(self) -> u16 {
        match self {
            Self::Rock | Self::Water => 0,
            Self::Road => 1,
            Self::Grass => 2,
            Self::Mud => 5,
        }
    }

    /// Returns the name for a player.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rock => "rock",
            Self::Road => "road",
            Self::Grass => "grass",
            Self::Mud => "mud",
            Self::Water => "water",
        }
    }
}

/// Returns the costs of a walker: by terrain, or the same wherever it can go.
#[must_use]
pub fn costs(by_terrain: bool) -> CostTable {
    Ground::ALL.into_iter().fold(CostTable::impassable(), |table, ground| {
        let multiplier = if by_terrain { ground.cost() } else { ground.cost().min(1) };
        table.with(ground.class(), multiplier)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_leads_back_to_its_ground() {
        for ground in Ground::ALL {
            assert_eq!(Ground::of_class(ground.class()), Some(ground));
        }
        assert_eq!(Ground::of_class(5), None);
    }

    #[test]
    fn water_and_rock_stay_closed_when_costs_are_off() {
        for table in [costs(true), costs(false)] {
            assert!(!table.is_passable(Ground::Water.class()));
            assert!(!table.is_passable(Ground::Rock.class()));
        }
        assert_eq!(costs(true).multiplier(Ground::Mud.class()), 5);
        assert_eq!(costs(false).multiplier(Ground::Mud.class()), 1);
    }
}
