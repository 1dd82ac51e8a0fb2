//! The last search of an agent, kept for `ShowSearch`.

use bevy_ecs::{component::Component, entity::Entity, reflect::ReflectComponent};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Bounds, Cell, CellState};

/// Put it on an agent, and [`TilepathDebugPlugin`](crate::debug::TilepathDebugPlugin) draws its search while it is under way,
/// and after that its last one: which cells were expanded, which were reached, and the way. Feature `debug_draw`.
///
/// Searches on tile maps are drawn; of a journey through doors it is the stretch searched last. Where jump points are
/// searched, they are the cells that are expanded and reached. What was searched before this was inserted is not known.
///
/// Nothing is kept and nothing drawn for agents without it. With it, the cells of one search are kept, and all cells of the
/// map are looked at once when a search ends.
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

/// What a search has made of a map.
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
