//! The rules that a player can switch while units move.

use bevy::prelude::*;
use bevy_tilepath::{
    Diagonals, NavMap, PathAgent,
    agents::{PathLine, TerrainSpeed},
};
use serde::{Deserialize, Serialize};

use crate::{chosen::Chosen, scene::GroundMap, units::Unit};

/// The rules of movement.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the panel, and none excludes another")]
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rules {
    pub(crate) diagonals: Diagonals,
    /// True if terrain costs count.
    pub(crate) terrain_costs: bool,
    /// True if units are slower on ground that costs more.
    pub(crate) terrain_speed: bool,
    /// True if units walk straight across several tiles.
    pub(crate) straight_lines: bool,
    /// True if units go as near as possible when there is no path.
    pub(crate) closest: bool,
    /// True if the map of the plugin is drawn: walls and costs.
    pub(crate) show_costs: bool,
    /// True if the last search is drawn.
    pub(crate) show_search: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            diagonals: Diagonals::default(),
            terrain_costs: true,
            terrain_speed: false,
            straight_lines: true,
            closest: true,
            show_costs: false,
            show_search: false,
        }
    }
}

impl Rules {
    /// Shows the costs, or hides them. The last search covers the same tiles, so it is hidden.
    pub(crate) fn flip_costs(&mut self) {
        self.show_costs = !self.show_costs;
        self.show_search = false;
    }

    /// Shows the last search in place of the costs, or hides it.
    pub(crate) fn flip_search(&mut self) {
        self.show_search = !self.show_search;
        self.show_costs = false;
    }

    pub(crate) fn next_diagonals(&mut self) {
        let at = Diagonals::ALL.iter().position(|&rule| rule == self.diagonals);
        let next = at.map_or(0, |at| (at + 1) % Diagonals::ALL.len());
        self.diagonals = Diagonals::ALL[next];
    }
}

/// Applies the rules to the map and the units.
pub(crate) struct RulesPlugin;

impl Plugin for RulesPlugin {
    fn build(&self, app: &mut App) {
        let is_due = resource_changed::<Rules>.or_else(any_match_filter::<Added<Chosen>>);
        app.init_resource::<Rules>().add_systems(Update, (apply_rules, apply_walking).run_if(is_due));
    }
}

/// Returns the movements of the units by name. The default movement of the map, with which the
/// plugin draws walls and costs, is the movement of the chosen unit.
pub(crate) fn map_rules(rules: Rules, chosen: Unit) -> NavMap {
    let costs = chosen.costs(rules.terrain_costs);
    let own = NavMap { diagonals: rules.diagonals, costs, ..default() };
    Unit::ALL.into_iter().fold(own, |map, unit| map.with_movement(unit.name(), unit.movement(rules)))
}

fn apply_rules(
    rules: Res<Rules>,
    chosen: Single<&Unit, With<Chosen>>,
    mut map: Single<&mut NavMap, With<GroundMap>>,
) {
    map.set_if_neq(map_rules(*rules, **chosen));
}

fn apply_walking(rules: Res<Rules>, mut agents: Query<&mut PathAgent>) {
    let speed = if rules.terrain_speed { TerrainSpeed::ByCost } else { TerrainSpeed::Constant };
    let line = if rules.straight_lines { PathLine::Straight } else { PathLine::Cells };
    for mut agent in &mut agents {
        agent.reborrow().map_unchanged(|agent| &mut agent.terrain_speed).set_if_neq(speed);
        agent.map_unchanged(|agent| &mut agent.line).set_if_neq(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_and_search_never_cover_the_same_tiles() {
        let mut rules = Rules::default();
        rules.flip_costs();
        rules.flip_search();
        assert!(rules.show_search && !rules.show_costs);
        rules.flip_costs();
        assert!(rules.show_costs && !rules.show_search);
        rules.flip_costs();
        assert!(!rules.show_costs && !rules.show_search);
    }

    #[test]
    fn the_key_goes_round_all_diagonal_rules() {
        let mut rules = Rules::default();
        let seen: Vec<Diagonals> = (0..4)
            .map(|_| {
                rules.next_diagonals();
                rules.diagonals
            })
            .collect();
        for rule in Diagonals::ALL {
            assert!(seen.contains(&rule));
        }
        assert_eq!(rules.diagonals, Diagonals::default());
    }
}
