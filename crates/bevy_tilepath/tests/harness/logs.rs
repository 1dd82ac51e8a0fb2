//! The logs of the app, recorded for tests.

use std::{
    cell::RefCell,
    fmt::{Debug, Write},
    sync::{Mutex, OnceLock, PoisonError},
};

use bevy::log::{
    Level,
    tracing::{
        Event, Subscriber,
        field::{Field, Visit},
        subscriber::set_global_default,
    },
    tracing_subscriber::{Layer, layer::Context, layer::SubscriberExt, registry},
};

thread_local! {
    static HEARD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

static HEARD_ANYWHERE: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Returns the warnings and errors that this thread logs while `run` runs.
pub(crate) fn logs_of(run: impl FnOnce()) -> Vec<String> {
    listen();
    HEARD.take();
    run();
    HEARD.take()
}

/// Returns the warnings and errors of this process so far. Other threads load the assets.
pub(crate) fn logs_of_all_threads() -> Vec<String> {
    HEARD_ANYWHERE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Records all logs of this process from the first call on.
///
/// One listener serves all tests, because `tracing` caches for the whole process what a log call
/// finds when it first runs.
pub(super) fn listen() {
    static LISTENS: OnceLock<()> = OnceLock::new();
    LISTENS.get_or_init(|| set_global_default(registry().with(Listener)).expect("no other listener"));
}

struct Listener;

impl<S: Subscriber> Layer<S> for Listener {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if *event.metadata().level() <= Level::WARN {
            let mut message = Message(String::new());
            event.record(&mut message);
            HEARD_ANYWHERE.lock().unwrap_or_else(PoisonError::into_inner).push(message.0.clone());
            HEARD.with_borrow_mut(|heard| heard.push(message.0));
        }
    }
}

struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            write!(self.0, "{value:?}").expect("a string takes everything");
        }
    }
}
