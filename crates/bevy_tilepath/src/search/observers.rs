//! Optional observers of searches. Empty where no feature needs one.

use std::marker::PhantomData;

#[cfg(feature = "recording")]
use bevy_ecs::{change_detection::DetectChangesMut, system::ResMut};
use bevy_ecs::{entity::Entity, system::SystemParam};
#[cfg(feature = "debug_draw")]
use bevy_ecs::{entity_disabling::Disabled, query::Allow, system::Query};
use tilepath::{Answer, NearestAnswer, NearestQuery, NearestSearch, PathQuery, PathSearch, QueryError};

use crate::map::{maps::Maps, nav_view::NavView};
#[cfg(feature = "recording")]
use crate::recorder::{PathRecorder, RecordedQuery};
#[cfg(feature = "debug_draw")]
use crate::{
    map::maps::AnyMap,
    search::show_search::{SearchPicture, ShowSearch},
};

/// Is told of each search on a tile map when it begins and when it ends.
#[derive(SystemParam)]
pub(crate) struct SearchNotes<'w, 's> {
    #[cfg(feature = "recording")]
    recorder: ResMut<'w, PathRecorder>,
    #[cfg(feature = "debug_draw")]
    shown: Query<'w, 's, &'static mut ShowSearch, Allow<Disabled>>,
    nothing: PhantomData<(&'w (), &'s ())>,
}

/// Names a search to [`SearchNotes`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoteNumber {
    #[cfg(feature = "recording")]
    recorded: Option<RecordedQuery>,
}

#[cfg(feature = "recording")]
impl SearchNotes<'_, '_> {
    pub(crate) fn ask(&mut self, view: &NavView, query: &PathQuery) -> NoteNumber {
        NoteNumber { recorded: self.recorder().map(|recorder| recorder.ask(view, query)) }
    }

    pub(crate) fn ask_nearest(&mut self, view: &NavView, query: &NearestQuery) -> NoteNumber {
        NoteNumber { recorded: self.recorder().map(|recorder| recorder.ask_nearest(view, query)) }
    }

    pub(crate) fn answer(&mut self, number: NoteNumber, answer: &Result<Answer, QueryError>) {
        if let Some((query, recorder)) = number.recorded.zip(self.recorder()) {
            recorder.answer(query, answer);
        }
    }

    pub(crate) fn answer_nearest(&mut self, number: NoteNumber, answer: &Result<NearestAnswer, QueryError>) {
        if let Some((query, recorder)) = number.recorded.zip(self.recorder()) {
            recorder.answer_nearest(query, answer);
        }
    }

    fn recorder(&mut self) -> Option<&mut PathRecorder> {
        self.recorder.is_recording().then(|| self.recorder.bypass_change_detection())
    }
}

#[cfg(not(feature = "recording"))]
#[expect(clippy::unused_self, reason = "the same calls with and without the feature")]
impl SearchNotes<'_, '_> {
    pub(crate) fn ask(&mut self, _: &NavView, _: &PathQuery) -> NoteNumber {
        NoteNumber::default()
    }

    pub(crate) fn ask_nearest(&mut self, _: &NavView, _: &NearestQuery) -> NoteNumber {
        NoteNumber::default()
    }

    pub(crate) fn answer(&mut self, _: NoteNumber, _: &Result<Answer, QueryError>) {}

    pub(crate) fn answer_nearest(&mut self, _: NoteNumber, _: &Result<NearestAnswer, QueryError>) {}
}

#[cfg(feature = "debug_draw")]
impl SearchNotes<'_, '_> {
    /// An agent's search on a map is over.
    pub(crate) fn searched(&mut self, agent: Entity, map: Entity, maps: &Maps, search: &PathSearch) {
        if let (Ok(mut shown), Some(AnyMap::Tiles(view))) = (self.shown.get_mut(agent), maps.get(map)) {
            let answer = search.answer().and_then(Result::ok);
            let path = answer.as_ref().and_then(|answer| answer.outcome.path_or_closest());
            let path = path.map_or_else(Vec::new, |path| path.cells().to_vec());
            let state = |cell| search.cell_state(cell);
            shown.last = Some(SearchPicture::new(map, view.grid.bounds(), state, path));
        }
    }

    /// The same for the nearest of many goals.
    pub(crate) fn searched_nearest(
        &mut self,
        agent: Entity,
        map: Entity,
        maps: &Maps,
        search: &NearestSearch,
    ) {
        if let (Ok(mut shown), Some(AnyMap::Tiles(view))) = (self.shown.get_mut(agent), maps.get(map)) {
            let answer = search.answer().and_then(Result::ok);
            let nearest = answer.as_ref().and_then(|answer| answer.goals.first());
            let path = nearest.map_or_else(Vec::new, |goal| goal.path.cells().to_vec());
            let state = |cell| search.cell_state(cell);
            shown.last = Some(SearchPicture::new(map, view.grid.bounds(), state, path));
        }
    }
}

#[cfg(not(feature = "debug_draw"))]
#[expect(clippy::unused_self, reason = "the same calls with and without the feature")]
impl SearchNotes<'_, '_> {
    pub(crate) fn searched(&mut self, _: Entity, _: Entity, _: &Maps, _: &PathSearch) {}

    pub(crate) fn searched_nearest(&mut self, _: Entity, _: Entity, _: &Maps, _: &NearestSearch) {}
}
