//! Optional observers of searches; empty if no feature needs one.

use std::marker::PhantomData;

#[cfg(feature = "recording")]
use bevy_ecs::{change_detection::DetectChangesMut, system::ResMut};
use bevy_ecs::{entity::Entity, system::SystemParam};
#[cfg(feature = "debug_draw")]
use bevy_ecs::{entity_disabling::Disabled, query::Allow, system::Query};
use tilepath::{Cell, CellState, PathQuery, PathSearch, QueryError};

#[cfg(feature = "recording")]
use crate::recorder::{PathRecorder, RecordedQuery};
#[cfg(feature = "debug_draw")]
use crate::search::show_search::{SearchPicture, ShowSearch};
use crate::{
    map::map_view::MapView,
    order::grid_query::{GridQuery, GridReply},
};

/// The recorder, and the pictures of searches.
#[derive(SystemParam)]
pub(crate) struct SearchObservers<'w, 's> {
    #[cfg(feature = "recording")]
    recorder: ResMut<'w, PathRecorder>,
    #[cfg(feature = "debug_draw")]
    shown: Query<'w, 's, &'static mut ShowSearch, Allow<Disabled>>,
    nothing: PhantomData<(&'w (), &'s ())>,
}

/// Passes the begin and the end of each search on a tile map to the observers. Without observers it
/// does nothing.
#[cfg_attr(
    not(any(feature = "recording", feature = "debug_draw")),
    expect(dead_code, reason = "read where a feature observes searches")
)]
pub(crate) struct SearchNotes<'w, 's>(Option<SearchObservers<'w, 's>>);

/// The number of a search in [`SearchNotes`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoteNumber {
    #[cfg(feature = "recording")]
    recorded: Option<RecordedQuery>,
}

impl<'w, 's> SearchNotes<'w, 's> {
    /// Returns notes for the searches of the simulation.
    pub(crate) const fn with(observers: SearchObservers<'w, 's>) -> Self {
        Self(Some(observers))
    }

    /// Returns notes that record nothing, for queries.
    pub(crate) const fn nothing() -> Self {
        Self(None)
    }

    /// Begins a search and records it, even if it cannot begin.
    pub(crate) fn begin(
        &mut self,
        view: &MapView,
        query: &PathQuery,
    ) -> Result<(Box<PathSearch>, NoteNumber), QueryError> {
        let note = self.ask(view, GridQuery::Path(query));
        match view.finder.begin(query) {
            Ok(search) => Ok((Box::new(search), note)),
            Err(error) => {
                self.answer(note, GridReply::Path(&Err(error)));
                Err(error)
            }
        }
    }

    /// Records the end of a search.
    #[cfg_attr(not(feature = "debug_draw"), expect(unused_variables, reason = "for pictures of searches"))]
    pub(crate) fn end(
        &mut self,
        note: NoteNumber,
        agent: Entity,
        view: Option<&MapView>,
        reply: GridReply,
        state: impl Fn(Cell) -> CellState,
    ) {
        self.answer(note, reply);
        #[cfg(feature = "debug_draw")]
        if let (Some(observers), Some(view)) = (&mut self.0, view)
            && let Ok(mut shown) = observers.shown.get_mut(agent)
        {
            let path = reply.paths().next().map_or_else(Vec::new, |path| path.cells().to_vec());
            shown.last = Some(SearchPicture::new(view.map, view.grid.bounds(), state, path));
        }
    }

    #[cfg_attr(
        not(feature = "recording"),
        expect(unused_variables, clippy::unused_self, reason = "for records")
    )]
    pub(crate) fn ask(&mut self, view: &MapView, query: GridQuery) -> NoteNumber {
        NoteNumber {
            #[cfg(feature = "recording")]
            recorded: self.recorder().map(|recorder| recorder.ask(view, query)),
        }
    }

    #[cfg_attr(
        not(feature = "recording"),
        expect(unused_variables, clippy::unused_self, reason = "for records")
    )]
    pub(crate) fn answer(&mut self, number: NoteNumber, reply: GridReply) {
        #[cfg(feature = "recording")]
        if let Some((query, recorder)) = number.recorded.zip(self.recorder()) {
            recorder.answer(query, reply);
        }
    }

    #[cfg(feature = "recording")]
    fn recorder(&mut self) -> Option<&mut PathRecorder> {
        let recorder = &mut self.0.as_mut()?.recorder;
        recorder.is_recording().then(|| recorder.bypass_change_detection())
    }
}
