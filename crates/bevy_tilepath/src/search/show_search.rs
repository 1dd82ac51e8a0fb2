//! The last search of an agent, kept for `ShowSearch`.

use bevy_ecs::{component::Component, entity::Entity, reflect::ReflectComponent};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Bounds, Cell, CellState};

/// Makes [`TilepathDebugPlugin`](crate::debug::TilepathDebugPlugin) draw the searches of an agent.
/// Add this component to the agent. It needs the feature `debug_draw`.
///
/// The running search is drawn. If no search is running, the last search is drawn. The picture has
/// the cells that the search has expanded, the cells that it has only reached, and the path.
///
/// Only searches on tile maps are drawn. If the path leads through doors, only the part that was
/// searched last is drawn. In a search with jump points, only the jump points are drawn as cells.
///
/// Searches from before the component was inserted are not drawn. The component keeps the cells of
/// one search. At the end of each search, all cells of the map are read once.
///
/// For agents without the component, nothing is kept or drawn.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{debug::ShowSearch, PathAgent};
///
/// fn select(mut commands: Commands, shown: Query<Entity, With<ShowSearch>>, clicked: Entity) {
///     for agent in &shown {
///         commands.entity(agent).remove::<ShowSearch>();
///     }
///     commands.entity(clicked).insert(ShowSearch::default());
/// }
/// ```
#[derive(Component, Debug, Clone, Default, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, Clone)]
pub struct ShowSearch {
    #[reflect(ignore)]
    pub(crate) last: Option<SearchPicture>,
}

/// The states of a map's cells in a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchPicture {
    pub(crate) map: Entity,
    pub(crate) closed: Vec<Cell>,
    pub(crate) open: Vec<Cell>,
    pub(crate) path: Vec<Cell>,
}

impl SearchPicture {
    pub(crate) fn new(
        map: Entity,
        bounds: Bounds,
        state: impl Fn(Cell) -> CellState,
        path: Vec<Cell>,
    ) -> Self {
        let mut picture = Self { map, closed: Vec::new(), open: Vec::new(), path };
        for cell in bounds.cells() {
            match state(cell) {
                CellState::Closed => picture.closed.push(cell),
                CellState::Open => picture.open.push(cell),
                CellState::Unseen => {}
            }
        }
        picture
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.closed.len() + self.open.len() + self.path.len()
    }
}
