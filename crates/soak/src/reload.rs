//! The state of the plugin is taken and put into a new world, in the middle of a run.

use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_tilepath::{NavGrid, TilepathState};
use bevy_time::Time;

use crate::{
    crew::{Agent, Asked, Spot},
    events::Log,
    level::Level,
    run::{Complaint, Soak},
};

/// The action of a run at its checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkpoint {
    /// It takes the state and goes on.
    GoOn,
    /// It takes the state, puts it into a new world, and goes on there.
    Load,
}

impl Soak {
    pub(crate) fn checkpoint(&mut self, checkpoint: Checkpoint) -> Result<(), Complaint> {
        let fault = |what: &dyn std::fmt::Display| (None, format!("checkpoint: {what}"));
        let taken = TilepathState::take(self.app.world_mut()).map_err(|error| fault(&error))?;
        if checkpoint == Checkpoint::GoOn {
            return Ok(());
        }
        let text = ron::to_string(&taken).map_err(|error| fault(&error))?;
        drop(taken);
        let loaded: TilepathState = ron::from_str(&text).map_err(|error| fault(&error))?;
        let before = std::mem::replace(&mut self.app, Self::new_app(&self.settings));
        let world = self.app.world_mut();
        world.insert_resource(*before.world().resource::<Time>());
        let mut entities = EntityHashMap::default();
        #[cfg(feature = "tilemaps")]
        entities
            .extend(self.level.tilemap.as_mut().map(|tilemap| tilemap.spawn_again(before.world(), world)));
        loaded.put(world, &mut entities).map_err(|error| fault(&error))?;
        let now =
            |entity: &mut Entity| *entity = entities.get(entity).copied().unwrap_or(Entity::PLACEHOLDER);
        self.level.replace_entities(now);
        self.squads.replace_entities(now);
        self.crew.iter_mut().for_each(|agent| agent.replace_entities(now));
        let replaced = |mut entity: Entity| {
            now(&mut entity);
            entity
        };
        self.body_steps = std::mem::take(&mut self.body_steps)
            .into_iter()
            .map(|(body, step)| (replaced(body), step))
            .collect();
        self.parting = self.parting.iter().copied().map(replaced).collect();
        let grid = |&map: &Entity| {
            let grid = self.app.world().get::<NavGrid>(map)?;
            Some((map, ((grid.generation(), grid.grid().revision()), grid.grid().clone())))
        };
        self.grids_before = self.level.maps.iter().filter_map(grid).collect();
        // The orders that were put back trigger no events.
        self.app.world_mut().resource_mut::<Log>().told.clear();
        Ok(())
    }
}

impl Level {
    fn replace_entities(&mut self, now: impl Fn(&mut Entity)) {
        let lists =
            [&mut self.maps, &mut self.graphs, &mut self.doors, &mut self.obstacles, &mut self.carriers];
        lists.into_iter().flatten().for_each(&now);
        self.areas.iter_mut().for_each(|area| now(&mut area.entity));
    }
}

impl Agent {
    fn replace_entities(&mut self, now: impl Fn(&mut Entity)) {
        now(&mut self.entity);
        if let Some(Asked { goals, along_from, .. }) = &mut self.asked {
            for goal in goals {
                let (Spot::Cells(map, _) | Spot::Waypoint(map, _) | Spot::Beside(map)) = goal;
                now(map);
            }
            if let Some((map, _)) = along_from {
                now(map);
            }
        }
        self.before.map.iter_mut().for_each(&now);
        self.before.door.iter_mut().for_each(&now);
        let left = self.gap.iter_mut().filter_map(|gap| gap.left.as_mut());
        left.for_each(|(map, _)| now(map));
        self.excused.iter_mut().for_each(|(map, _)| now(map));
    }
}
