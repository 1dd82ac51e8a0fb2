//! Bodies, and the cells that they hold.

use bevy_ecs::entity::Entity;
use tilepath::Cell;

use crate::{
    journey::body::{Body, BodyPlace},
    query::NavQuery,
};

/// The place of a body on its map after the last tick: see [`NavQuery::bodies_on`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BodyStance {
    /// The entity that has the body.
    pub entity: Entity,
    /// The component, with the layers of the body.
    pub body: Body,
    /// The cell on which it stands, or which it leaves. For a body of several cells the lowest and
    /// leftmost one.
    pub from: Cell,
    /// The cell that it enters. If the body stands, it is `from`.
    pub to: Cell,
    /// The share of the step that is walked, from 0 to less than 1.
    pub share: f32,
    /// The number of cells on each side of the square that it covers.
    pub side: u8,
    /// The body that it waits for, which does not move, and the cell that it would enter itself.
    pub waits_for: Option<(Entity, Cell)>,
    /// The cell that it waits for and has claimed: no body with a lower priority may enter the cell
    /// first.
    pub claims: Option<Cell>,
    /// True if it shares cells with another body that it excludes. This happens if a body is put
    /// onto cells that are taken.
    pub overlaps: bool,
}

impl NavQuery<'_, '_> {
    /// Returns the bodies on a tile map, for overlays and tests. A body in a door is on the cell
    /// behind the door.
    ///
    /// Returns nothing without the plugin, for a graph, and before the first tick.
    ///
    /// # Complexity
    /// O(bodies).
    ///
    /// # Examples
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Body, Cell, NavGrid, NavMap, NavProjection, NavQuery, TilepathPlugin, tilepath::Grid};
    /// use bevy_transform::components::Transform;
    ///
    /// let mut app = App::new();
    /// app.add_plugins(TilepathPlugin::in_schedule(bevy_app::Update));
    /// let map = app.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(4, 4, 1)?), NavProjection::default())).id();
    /// let boulder = app.world_mut().spawn((Body::default(), Transform::from_xyz(2.0, 1.0, 0.0))).id();
    /// app.update();
    /// let held = move |nav: NavQuery| nav.bodies_on(map).map(|stance| (stance.entity, stance.to)).collect::<Vec<_>>();
    /// let held = app.world_mut().run_system_once(held).unwrap();
    /// assert_eq!(held, [(boulder, Cell::new(2, 1))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bodies_on(&self, map: Entity) -> impl Iterator<Item = BodyStance> + '_ {
        let crowds = self.crowds.as_deref();
        let crowd = crowds.and_then(|crowds| crowds.of(map));
        let owners = crowds.into_iter().flat_map(move |crowds| crowds.owners(map));
        owners.filter_map(move |(id, entity)| {
            let crowd = crowd?;
            let (&body, place): (&Body, &BodyPlace) = self.bodies.get(entity).ok()?;
            let side = place.entered.as_ref().filter(|entered| entered.id == id)?.side;
            let to = crowd.cell(id);
            let step = crowd.step(id);
            Some(BodyStance {
                entity,
                body,
                from: step.map_or(to, |step| step.from),
                to,
                share: step.map_or(0.0, |step| step.share),
                side,
                waits_for: place.waits_for,
                claims: crowd
                    .waiting(id)
                    .filter(|waiting| waiting.is_claimed)
                    .and_then(|waiting| waiting.cell),
                overlaps: crowd.overlaps(id),
            })
        })
    }
}
