//! What is noted of searches, for those who want to know. Where nobody does, nothing is.

use std::marker::PhantomData;

use bevy_ecs::system::SystemParam;
#[cfg(feature = "recording")]
use bevy_ecs::{change_detection::DetectChangesMut, system::ResMut};
use tilepath::{Answer, NearestAnswer, NearestQuery, PathQuery, QueryError};

use crate::agent::Ground;
#[cfg(feature = "recording")]
use crate::recorder::{PathRecorder, RecordedQuery};

/// Is told of each search on a tile map when it begins and when it ends.
#[derive(SystemParam)]
pub(crate) struct SearchNotes<'w, 's> {
    #[cfg(feature = "recording")]
    recorder: ResMut<'w, PathRecorder>,
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
    pub(crate) fn ask(&mut self, ground: &Ground, query: &PathQuery) -> NoteNumber {
        NoteNumber { recorded: self.recorder().map(|recorder| recorder.ask(ground, query)) }
    }

    pub(crate) fn ask_nearest(&mut self, ground: &Ground, query: &NearestQuery) -> NoteNumber {
        NoteNumber { recorded: self.recorder().map(|recorder| recorder.ask_nearest(ground, query)) }
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
    pub(crate) fn ask(&mut self, _: &Ground, _: &PathQuery) -> NoteNumber {
        NoteNumber::default()
    }

    pub(crate) fn ask_nearest(&mut self, _: &Ground, _: &NearestQuery) -> NoteNumber {
        NoteNumber::default()
    }

    pub(crate) fn answer(&mut self, _: NoteNumber, _: &Result<Answer, QueryError>) {}

    pub(crate) fn answer_nearest(&mut self, _: NoteNumber, _: &Result<NearestAnswer, QueryError>) {}
}
