//! The kinds of ground, their costs and their pictures.

use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{CostTable, Terrain};

/// The kind of ground of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Land {
    Rock,
    Road,
    Grass,
    Wood,
    Water,
}

impl Land {
    pub(crate) const ALL: [Self; 5] = [Self::Rock, Self::Road, Self::Grass, Self::Wood, Self::Water];

    /// Returns the ground of a letter of the maps. Start and goal lie on roads.
    pub(crate) const fn of_letter(letter: char) -> Option<Self> {
        match letter {
            '^' => Some(Self::Rock),
            '=' | 'S' | 'G' => Some(Self::Road),
            '.' => Some(Self::Grass),
            'T' => Some(Self::Wood),
            '~' => Some(Self::Water),
            _ => None,
        }
    }

    /// Returns the terrain class. Rock is class 0, the class of walls.
    pub(crate) const fn terrain(self) -> Terrain {
        Terrain(self as u8)
    }

    /// Returns the cost of a step onto it, in multiples of the step cost. 0 means blocked.
    pub(crate) const fn cost(self) -> u16 {
        match self {
            Self::Rock | Self::Water => 0,
            Self::Road => 1,
            Self::Grass => 2,
            Self::Wood => 5,
        }
    }

    /// Returns the index of its first picture on the sheets of `assets/shapes`, and the number of
    /// its pictures.
    const fn pictures(self) -> (u32, u32) {
        match self {
            Self::Grass => (0, 4),
            Self::Road => (4, 2),
            Self::Wood => (6, 3),
            Self::Rock => (9, 3),
            Self::Water => (12, 4),
        }
    }

    /// Returns the picture of a tile: the same in every run. The pictures of water are frames of
    /// one animation.
    pub(crate) fn picture(self, tile: TilePos) -> TileTextureIndex {
        let (first, count) = self.pictures();
        let place = tile.x * 7 + tile.y * 13 + tile.x * tile.y % 5;
        TileTextureIndex(first + if self == Self::Water { 0 } else { place % count })
    }

    /// Returns its animation, if it moves.
    pub(crate) fn animation(self) -> Option<AnimatedTile> {
        let (start, count) = self.pictures();
        (self == Self::Water).then_some(AnimatedTile { start, end: start + count, speed: 0.4 })
    }
}

/// Returns the costs of a walker.
pub(crate) fn costs() -> CostTable {
    let table = CostTable::impassable();
    Land::ALL.into_iter().fold(table, |table, land| table.with(land.terrain().0, land.cost()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_differ_and_rock_and_water_are_closed() {
        let table = costs();
        for land in Land::ALL {
            let class = land.terrain().0;
            assert_eq!(table.multiplier(class), land.cost(), "{land:?}");
            assert_eq!(table.is_passable(class), !matches!(land, Land::Rock | Land::Water));
        }
        assert_eq!(Land::Rock.terrain(), Terrain::WALL);
    }
}
