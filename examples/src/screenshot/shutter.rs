//! The time of the picture, and the time to give up.

use std::time::Duration;

/// The longest wait for the first complete frame, and then for its picture.
const PATIENCE: Duration = Duration::from_mins(2);
/// The number of complete frames in a row before the picture. A tilemap copies its images into one
/// of its own before it can be drawn.
pub(super) const STEADY: u32 = 3;

/// The action of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    /// Waits.
    Wait,
    /// Takes a picture.
    Take,
    /// Ends: the picture is written, or could not be taken for this reason.
    End(Result<(), String>),
}

/// Decides frame by frame.
#[derive(Debug)]
pub(super) struct Shutter {
    after: Duration,
    complete_in_a_row: u32,
    /// The time of the first complete frame.
    ready: Option<Duration>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Waiting,
    Asked,
    Over(Result<(), String>),
}

impl Shutter {
    pub(super) fn new(after: Duration) -> Self {
        Self { after, complete_in_a_row: 0, ready: None, stage: Stage::Waiting }
    }

    /// Returns whether the first complete frame was drawn.
    pub(super) fn has_begun(&self) -> bool {
        self.ready.is_some()
    }

    /// Handles a frame: the running time of the program, and whether the last frame is complete.
    pub(super) fn look(&mut self, now: Duration, is_complete: bool) -> Act {
        self.complete_in_a_row = if is_complete { self.complete_in_a_row.saturating_add(1) } else { 0 };
        let is_steady = self.complete_in_a_row >= STEADY;
        if is_steady {
            self.ready.get_or_insert(now);
        }
        let due = self.ready.map(|ready| ready + self.after);
        match &self.stage {
            Stage::Over(outcome) => Act::End(outcome.clone()),
            Stage::Waiting if is_steady && due.is_some_and(|due| now >= due) => {
                self.stage = Stage::Asked;
                Act::Take
            }
            _ if now < due.unwrap_or_default() + PATIENCE => Act::Wait,
            _ => {
                let missing = match due {
                    None => "images or pipelines were not ready",
                    Some(_) => "only empty ones came back from the graphics card, or none",
                };
                Act::End(Err(format!("{missing} after {} seconds", PATIENCE.as_secs())))
            }
        }
    }

    /// Handles a picture that was written or could not be written. For `None`, an empty picture,
    /// another one is taken.
    pub(super) fn came_back(&mut self, written: Option<Result<(), String>>) {
        self.stage = written.map_or(Stage::Waiting, Stage::Over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Returns the second of the picture if frames are complete from one second on, with a frame a
    /// second.
    fn taken_at(shutter: &mut Shutter, complete_from: u64) -> Option<u64> {
        (0..600).find(|&second| match shutter.look(seconds(second), second >= complete_from) {
            Act::Wait => false,
            Act::Take => true,
            Act::End(outcome) => panic!("{second}: {outcome:?}"),
        })
    }

    #[test]
    fn the_seconds_count_from_the_first_complete_frame() {
        for complete_from in [0, 7, 90] {
            let taken = taken_at(&mut Shutter::new(seconds(4)), complete_from);
            assert_eq!(taken, Some(complete_from + 2 + 4), "three frames show that it is steady");
        }
    }

    #[test]
    fn it_begins_with_the_first_complete_frame() {
        let mut shutter = Shutter::new(seconds(4));
        for second in 0..20 {
            shutter.look(seconds(second), second >= 7);
            assert_eq!(shutter.has_begun(), second >= 9, "{second}");
        }
    }

    #[test]
    fn a_frame_that_waits_for_something_again_is_not_taken() {
        let mut shutter = Shutter::new(seconds(4));
        for second in 0..6 {
            assert_eq!(shutter.look(seconds(second), true), Act::Wait);
        }
        assert_eq!(shutter.look(seconds(6), false), Act::Wait, "due, but an image is missing");
        assert_eq!(shutter.look(seconds(7), true), Act::Wait);
        assert_eq!(shutter.look(seconds(8), true), Act::Wait);
        assert_eq!(shutter.look(seconds(9), true), Act::Take);
    }

    #[test]
    fn without_a_complete_frame_it_fails() {
        let mut shutter = Shutter::new(Duration::ZERO);
        assert_eq!(shutter.look(seconds(119), false), Act::Wait);
        let Act::End(Err(reason)) = shutter.look(seconds(120), false) else { panic!("it goes on waiting") };
        assert!(reason.contains("not ready"), "{reason}");
    }

    #[test]
    fn an_empty_picture_is_taken_again_until_patience_ends() {
        let mut shutter = Shutter::new(seconds(1));
        let first = taken_at(&mut shutter, 0).unwrap();
        shutter.came_back(None);
        assert_eq!(shutter.look(seconds(first + 1), true), Act::Take);
        let Act::End(Err(reason)) = shutter.look(seconds(first + 130), true) else { panic!("it goes on") };
        assert!(reason.contains("empty"), "{reason}");
    }

    #[test]
    fn returned_picture_ends_the_wait() {
        for outcome in [Ok(()), Err("the disk is full".to_owned())] {
            let mut shutter = Shutter::new(Duration::ZERO);
            let taken = taken_at(&mut shutter, 0).unwrap();
            shutter.came_back(Some(outcome.clone()));
            assert_eq!(shutter.look(seconds(taken + 1), true), Act::End(outcome));
        }
    }
}
