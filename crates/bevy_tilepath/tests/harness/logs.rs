//! What is logged, heard by tests.

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

/// What was logged on this thread, from warnings upwards, while `run` ran.
pub(crate) fn logs_of(run: impl FnOnce()) -> Vec<String> {
    listen();
    HEARD.take();
    run();
    HEARD.take()
}

/// What was logged by this process so far, from warnings upwards: assets are loaded by other threads.
pub(crate) fn logs_of_all_threads() -> Vec<String> {
    HEARD_ANYWHERE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Hears every log of this process from now on. One listener for all tests: what a log call finds
/// when it is first made, on whatever thread, is remembered for all.
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
