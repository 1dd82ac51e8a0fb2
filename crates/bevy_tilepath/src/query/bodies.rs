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
    /// The cell on which the body stands. During a step, it is the cell that the body leaves. For a
    /// body of several cells, it is the lowest and leftmost of its cells.
    pub from: Cell,
    /// The cell that the body enters during a step. If the body stands, `to` equals `from`.
    pub to: Cell,
    /// The fraction of the step from `from` to `to` that is already walked, from 0 to less than 1.
    pub share: f32,
    /// The number of cells on each side of the square that the body covers.
    pub side: u8,
    /// The other body for which this body waits, and the cell that this body would enter. The other
    /// body does not move.
    pub waits_for: Option<(Entity, Cell)>,
    /// The cell for which the body waits and which it has claimed. No body with a lower priority
    /// may enter this cell first.
    pub claims: Option<Cell>,
    /// True if the body shares cells with another body although the two exclude each other. This
    /// happens if a body is put onto cells where another body is.
    pub overlaps: bool,
}

impl NavQuery<'_, '_> {
    /// Returns the bodies on a tile map. Use it to draw them, and in tests. A body in a door counts
    /// as standing on the cell behind the door.
    ///
    /// The iterator is empty for a graph, before the first tick, and in an app without the plugin.
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
