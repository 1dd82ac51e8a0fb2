//! The template of a door, for Bevy's scenes in code.

use bevy_ecs::{
    error::Result,
    template::{EntityTemplate, FromTemplate, Template, TemplateContext},
};

use crate::map::{
    door::{Door, DoorEnd, Passage},
    place::Place,
    template_error::TemplateError,
};

/// The template of a [`Door`], for Bevy's `bsn!`.
///
/// In `bsn!` write `Door::between` to name the ends, and then a second `Door` for the other fields.
/// A map is an entity, or the name of an entity in the scene, such as `#Yard`.
///
/// ```
/// use bevy_ecs::{prelude::*, template::Template};
/// use bevy_tilepath::{doors::Door, templates::DoorTemplate, Cell};
///
/// let mut world = World::new();
/// let (yard, road) = (world.spawn_empty().id(), world.spawn_empty().id());
/// // In a scene: Door::between(#Yard, Cell::new(3, 0), #Road, "n4") Door { cost: 5.0 }
/// let mut gate = DoorTemplate::between(yard, Cell::new(3, 0), road, "n4");
/// gate.cost = 5.0;
/// let built = world.spawn_empty().build_template(&gate)?;
/// assert_eq!((built.from.map(), built.to.map(), built.cost), (yard, road, 5.0));
/// # Ok::<(), BevyError>(())
/// ```
pub struct DoorTemplate {
    ends: Option<[End; 2]>,
    /// The [cost](Door::cost) of passing the door. The default is 0.
    pub cost: f64,
    /// True if the door leads only from the first end to the second.
    pub one_way: bool,
    /// The kind of passage. By default, units walk through the door.
    pub passage: Passage,
    /// True if the door is open. This is the default.
    pub open: bool,
    /// The names of the [movements](Door::movements) that may pass. By default all units may pass.
    pub movements: Vec<String>,
}

struct End {
    map: EntityTemplate,
    place: Place,
}

impl End {
    fn build(&self, context: &mut TemplateContext) -> Result<DoorEnd> {
        let map = self.map.build_template(context)?;
        match &self.place {
            Place::Cell(cell) => Ok(DoorEnd::cell(map, *cell)),
            Place::Waypoint(id) => Ok(DoorEnd::waypoint(map, id.clone())),
            Place::Tile { .. } | Place::Position(_) => {
                Err(TemplateError::NotADoorEnd { place: self.place.clone() }.into())
            }
        }
    }

    fn clone_template(&self) -> Self {
        Self { map: self.map, place: self.place.clone() }
    }
}

impl DoorTemplate {
    /// Creates the template of an open door in both directions between two places, each on its map.
    /// A place is a [`Cell`](crate::Cell) of a tile map or the id of a waypoint of a graph.
    ///
    /// # Errors
    /// If a place is neither, building the template fails with [`TemplateError::NotADoorEnd`].
    #[must_use]
    pub fn between(
        from_map: impl Into<EntityTemplate>,
        from: impl Into<Place>,
        to_map: impl Into<EntityTemplate>,
        to: impl Into<Place>,
    ) -> Self {
        let from = End { map: from_map.into(), place: from.into() };
        let to = End { map: to_map.into(), place: to.into() };
        Self { ends: Some([from, to]), ..Self::default() }
    }
}

impl Default for DoorTemplate {
    /// Creates the template of a door without ends. Building it fails with
    /// [`TemplateError::DoorWithoutEnds`].
    fn default() -> Self {
        let (cost, one_way, passage, open) = (0.0, false, Passage::Walk, true);
        Self { ends: None, cost, one_way, passage, open, movements: Vec::new() }
    }
}

impl Template for DoorTemplate {
    type Output = Door;

    fn build_template(&self, context: &mut TemplateContext) -> Result<Door> {
        let [from, to] = self.ends.as_ref().ok_or(TemplateError::DoorWithoutEnds)?;
        Ok(Door {
            from: from.build(context)?,
            to: to.build(context)?,
            cost: self.cost,
            one_way: self.one_way,
            passage: self.passage,
            open: self.open,
            movements: self.movements.clone(),
        })
    }

    fn clone_template(&self) -> Self {
        let ends = self.ends.as_ref().map(|ends| ends.each_ref().map(End::clone_template));
        Self { ends, movements: self.movements.clone(), ..*self }
    }
}

impl FromTemplate for Door {
    type Template = DoorTemplate;
}
