//! The rules that can be switched while the soldier walks.

use bevy::prelude::*;
use bevy_tilepath::{Diagonals, NavMap};

use tilepath_examples::ground;

use crate::scene::GroundMap;

/// By which rules the soldier walks.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the panel, and none excludes another")]
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) diagonals: Diagonals,
    /// Does the ground's kind count?
    pub(crate) terrain_costs: bool,
    /// Go as near as possible where there is no way?
    pub(crate) closest: bool,
    /// Draw what the plugin sees: walls and costs.
    pub(crate) show_costs: bool,
    /// Draw its last search.
    pub(crate) show_search: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            diagonals: Diagonals::default(),
            terrain_costs: true,
            closest: true,
            show_costs: false,
            show_search: false,
        }
    }
}

impl Rules {
    pub(crate) fn next_diagonals(&mut self) {
        let at = Diagonals::ALL.iter().position(|&rule| rule == self.diagonals);
        let next = at.map_or(0, |at| (at + 1) % Diagonals::ALL.len());
        self.diagonals = Diagonals::ALL[next];
    }
}

/// Hands the rules to the map.
pub(crate) struct RulesPlugin;

impl Plugin for RulesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Rules>().add_systems(Update, apply_rules.run_if(resource_changed::<Rules>));
    }
}

fn apply_rules(rules: Res<Rules>, mut map: Single<&mut NavMap, With<GroundMap>>) {
    let wanted =
        NavMap { diagonals: rules.diagonals, costs: ground::costs(rules.terrain_costs), ..map.clone() };
    map.set_if_neq(wanted);
}

#[cfg(test)]
mod tests {
    use super::*;

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
