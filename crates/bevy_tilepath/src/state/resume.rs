//! Searches of a state go on.

use bevy_ecs::{
    entity_disabling::Disabled,
    query::Allow,
    system::{In, Query, Res, ResMut},
};

use crate::{
    map::{door::known::KnownDoors, maps::Maps, watch::WatchedMaps},
    order::{route::Known, status::PathStatus},
    search::{
        observers::{SearchNotes, SearchObservers},
        searches::{PausedSearch, Running, Searches},
    },
};

/// Does the work of the searches under way again. A search that cannot begin now waits for its turn.
pub(super) fn resume_searches(
    In(paused): In<Vec<PausedSearch>>,
    maps: Maps,
    doors: Res<KnownDoors>,
    watched: Res<WatchedMaps>,
    mut searches: ResMut<Searches>,
    observers: SearchObservers,
    mut statuses: Query<&mut PathStatus, Allow<Disabled>>,
) {
    let mut notes = SearchNotes::with(observers);
    for mut paused in paused {
        paused.problem.known = Known { maps: watched.log.number, doors: doors.log.number };
        let asker = paused.problem.order.entity;
        let movement = paused.problem.movement.clone();
        match Running::resumed(paused, &maps.of(movement.as_ref()), &doors, &mut notes) {
            Ok(running) => searches.resume(running),
            Err(_) => {
                if let Ok(mut status) = statuses.get_mut(asker) {
                    status.queue_again();
                }
            }
        }
    }
}
