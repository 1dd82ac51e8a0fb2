//! The template of a grid, for Bevy's scenes in code.

use std::sync::Arc;

use bevy_ecs::{
    error::Result,
    template::{FromTemplate, SpecializeFromTemplate, Template, TemplateContext},
};
use tilepath::Grid;

use crate::map::nav_grid::NavGrid;

/// The template of a [`NavGrid`], for Bevy's `bsn!`: write `NavGrid::new`. The default is a grid
/// that is not ready.
///
/// ```
/// use bevy_ecs::{prelude::*, template::Template};
/// use bevy_tilepath::{templates::NavGridTemplate, tilepath::Grid};
///
/// // In a scene: NavGrid::new(Grid::new(20, 10, 1).expect("a small grid"))
/// let template = NavGridTemplate::new(Grid::new(20, 10, 1)?);
/// let grid = World::new().spawn_empty().build_template(&template)?;
/// assert!(grid.is_ready());
/// assert_eq!(grid.bounds().cell_count(), 200);
/// # Ok::<(), BevyError>(())
/// ```
#[derive(Default)]
pub struct NavGridTemplate(Option<Arc<Grid>>);

impl NavGridTemplate {
    /// Creates the template of a grid that is ready at once. Each spawned map has its own copy of
    /// the cells.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self(Some(Arc::new(grid)))
    }
}

impl Template for NavGridTemplate {
    type Output = NavGrid;

    fn build_template(&self, _context: &mut TemplateContext) -> Result<NavGrid> {
        Ok(self.0.as_deref().map_or_else(NavGrid::default, |grid| NavGrid::new(grid.clone())))
    }

    fn clone_template(&self) -> Self {
        Self(self.0.clone())
    }
}

// Types that can be cloned are their own templates, unless they say in this way that they are not.
impl Unpin for NavGrid where for<'a> [()]: SpecializeFromTemplate {}

impl FromTemplate for NavGrid {
    type Template = NavGridTemplate;
}
