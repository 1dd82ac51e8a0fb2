//! From tick to tick, and from epoch to epoch.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use bevy_app::{App, First, Last, PostUpdate, PreUpdate, RunFixedMainLoop, SpawnScene, Update};
use bevy_ecs::{
    entity::{EntityHashMap, EntityHashSet},
    schedule::SingleThreadedExecutor,
};
use bevy_tilepath::{PathRequest, TilepathDiagnostics, TilepathPlugin, TilepathSettings, entries_kept};
use bevy_time::Time;
use rand_chacha::ChaCha8Rng;
use testkit::Seed;

use crate::{
    checks::bodies::Steps,
    crew::Agent,
    deeds::spawn_agent,
    events::{self, Log},
    level::{Level, Style},
    settings::Settings,
    squads::Squads,
    state_hash::StateHash,
};

/// The length of a tick.
const TICK: Duration = Duration::from_millis(50);
/// The same where everything comes to rest.
const LONG_TICK: Duration = Duration::from_millis(200);
/// The number of long ticks in which even the longest journey comes to its end.
const REST: u32 = 6000;
/// After everything is despawned.
const LAST_TICKS: u32 = 3;
/// By as much as this the memory in use may have grown in every repetition of an epoch: tables that happened to be a little fuller.
const GROWTH: i64 = 4096;
/// So often an epoch is repeated to look at memory, and so many ticks long at most.
const REPETITIONS: usize = 8;
const REPEATED_TICKS: u32 = 200;
/// Memory is looked at in runs of so many epochs or more.
const EPOCHS_FOR_MEMORY: u32 = 16;

/// A promise that was broken.
#[derive(Debug, Clone)]
pub struct Violation {
    /// The seed of the run.
    pub seed: u64,
    /// Counted from the run's beginning.
    pub tick: u32,
    /// The number of the agent, for [`Settings::trace`].
    pub agent: Option<u32>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "violation: seed {}, tick {}, ", self.seed, self.tick)?;
        if let Some(agent) = self.agent {
            write!(formatter, "agent {agent}, ")?;
        }
        formatter.write_str(&self.what)
    }
}

impl std::error::Error for Violation {}

/// What happened in a run that kept all promises.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The seed of the run.
    pub seed: u64,
    /// All ticks, those of rest included.
    pub ticks: u32,
    /// Orders answered with a path.
    pub found: u64,
    /// Orders answered without one.
    pub failed: u64,
    /// Failures and losses with `Unreachable` that a flood confirmed.
    pub confirmed: u64,
    /// Journeys that ended at their goal.
    pub arrived: u64,
    /// Journeys that ended early.
    pub lost: u64,
    /// Journeys that went on along another path.
    pub replanned: u64,
    /// Doors passed.
    pub doors: u64,
    /// Groups of which some came to their places, and groups of which none did.
    pub groups: [u64; 2],
    /// Lines walked in a tick and looked at cell by cell.
    pub lines: u64,
    /// Those of units of several cells a side.
    pub wide_lines: u64,
    /// Bodies in crowds, in each tick.
    pub bodies: u64,
    /// Those of several cells a side.
    pub wide_bodies: u64,
    /// By how many bytes the memory in use grew in each repetition of an epoch.
    pub grown: Vec<i64>,
    /// Of orders, ways and positions in all ticks: the same wherever the same happened.
    pub hash: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "seed {}: {} ticks, {} found, {} failed, {} arrived, {} lost, {} replanned, {} doors passed, {} groups arrived, {} \
             failed",
            self.seed,
            self.ticks,
            self.found,
            self.failed,
            self.arrived,
            self.lost,
            self.replanned,
            self.doors,
            self.groups[0],
            self.groups[1]
        )?;
        writeln!(
            formatter,
            "looked at: {} lines walked ({} wide), {} bodies ({} wide), {} times unreachable; bytes in use grew by {:?} in \
             repetitions of an epoch",
            self.lines, self.wide_lines, self.bodies, self.wide_bodies, self.confirmed, self.grown
        )?;
        write!(formatter, "state {:016x}", self.hash)
    }
}

/// What is wrong, with the agent that it concerns.
pub(crate) type Complaint = (Option<u32>, String);

/// A world under watch.
pub(crate) struct Soak {
    pub(crate) app: App,
    pub(crate) level: Level,
    pub(crate) crew: Vec<Agent>,
    pub(crate) random: ChaCha8Rng,
    pub(crate) next_number: u32,
    pub(crate) tick: u32,
    pub(crate) settings: Settings,
    pub(crate) report: Report,
    /// What cells were after the last tick, by map and slot.
    pub(crate) classes_before: EntityHashMap<Vec<Option<u8>>>,
    pub(crate) body_steps: Steps,
    pub(crate) parting: EntityHashSet,
    pub(crate) squads: Squads,
    /// What went wrong while something was done.
    pub(crate) fault: Option<String>,
    hash: StateHash,
}

/// Lets a world live and looks at it after every tick.
///
/// # Errors
/// The first promise that is broken; a panic is one, too.
pub fn run(settings: &Settings) -> Result<Report, Violation> {
    let mut soak = Soak::new(settings);
    let ticks = settings.ticks / settings.epochs.max(1);
    let complain = |tick: u32, (agent, what): Complaint| Violation { seed: settings.seed, tick, agent, what };
    for _ in 0..settings.epochs.max(1) {
        soak.live(ticks).map_err(|what| complain(soak.tick, what))?;
    }
    let hash = soak.hash.value();
    if settings.epochs >= EPOCHS_FOR_MEMORY {
        soak.repeat(ticks.min(REPEATED_TICKS)).map_err(|what| complain(soak.tick, what))?;
    }
    Ok(Report { ticks: soak.tick, hash, seed: settings.seed, ..soak.report })
}

impl Soak {
    fn new(settings: &Settings) -> Self {
        let mut app = App::new();
        // Many short ticks are faster on one thread, and only one thread's memory is counted.
        app.insert_resource(Time::<()>::default())
            .add_plugins(TilepathPlugin::in_schedule(Update))
            .edit_schedule(First, |schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()))
            .edit_schedule(PreUpdate, |schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()))
            .edit_schedule(RunFixedMainLoop, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            })
            .edit_schedule(Update, |schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()))
            .edit_schedule(SpawnScene, |schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()))
            .edit_schedule(PostUpdate, |schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()))
            .edit_schedule(Last, |schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()));
        events::listen(&mut app);
        Self {
            app,
            level: Level::default(),
            crew: Vec::new(),
            random: Seed::named(&format!("soak {}", settings.seed)).generator(),
            next_number: 0,
            tick: 0,
            settings: settings.clone(),
            report: Report { grown: Vec::with_capacity(REPETITIONS), ..Report::default() },
            classes_before: EntityHashMap::default(),
            body_steps: Steps::new(),
            parting: EntityHashSet::default(),
            squads: Squads::default(),
            fault: None,
            hash: StateHash::default(),
        }
    }

    /// One epoch, from an empty world to an empty world.
    fn live(&mut self, ticks: u32) -> Result<(), Complaint> {
        self.populate();
        for _ in 0..ticks {
            self.guarded(TICK, Self::do_deeds)?;
        }
        self.come_to_rest()?;
        self.vanish()
    }

    /// Fills the empty world with a level and agents.
    fn populate(&mut self) {
        self.level = Level::spawn(self.app.world_mut(), &mut self.random, Style::of(&self.settings));
        // Maps of tiles are read before anybody is put onto them.
        self.step(TICK);
        for _ in 0..self.settings.agents.max(2) {
            let world = self.app.world_mut();
            let agent = spawn_agent(world, &self.level, &mut self.random, &mut self.next_number);
            self.crew.push(agent);
        }
    }

    /// Everything is let go on until no agent has an order.
    fn come_to_rest(&mut self) -> Result<(), Complaint> {
        self.let_everybody_walk();
        for _ in 0..REST {
            self.guarded(LONG_TICK, |_| ())?;
            let mut orders = self.app.world_mut().query::<&PathRequest>();
            if orders.iter(self.app.world()).next().is_none() && self.squads.open.is_empty() {
                break;
            }
        }
        for agent in &self.crew {
            if agent.life.has_order() {
                let status = self.app.world().get::<bevy_tilepath::PathStatus>(agent.entity);
                return Err((
                    Some(agent.number),
                    format!("its order has no end after {REST} ticks: {:?}, {status:?}", agent.life),
                ));
            }
        }
        match self.squads.open.first() {
            Some(squad) => {
                Err((None, format!("the order of a group has no end after {REST} ticks: {squad:?}")))
            }
            None => Ok(()),
        }
    }

    /// Everything is despawned, and the plugin's tables are empty.
    fn vanish(&mut self) -> Result<(), Complaint> {
        for agent in std::mem::take(&mut self.crew) {
            self.app.world_mut().despawn(agent.entity);
        }
        std::mem::take(&mut self.squads).clear(self.app.world_mut());
        std::mem::take(&mut self.level).despawn(self.app.world_mut());
        self.classes_before = EntityHashMap::default();
        for _ in 0..LAST_TICKS {
            self.step(TICK);
        }
        // Nothing is triggered for those who are gone.
        let told = std::mem::take(&mut *self.app.world_mut().resource_mut::<Log>()).told;
        self.check_answers(&told)?;
        *self.app.world_mut().resource_mut::<TilepathSettings>() = TilepathSettings::default();
        let left = *self.app.world().resource::<TilepathDiagnostics>();
        if left.waiting_for_map + left.queued + left.searching + left.following > 0 {
            return Err((None, format!("everything is despawned, and yet there is {left:?}")));
        }
        match entries_kept(self.app.world()) {
            0 => Ok(()),
            kept => Err((
                None,
                format!("everything is despawned, and yet the plugin's tables have {kept} entries"),
            )),
        }
    }

    /// Lives one more epoch again and again, by the same lot each time. The world has found its size for it after the first: other
    /// epochs bring new combinations of components, whose tables stay. What leaks, leaks in every repetition.
    fn repeat(&mut self, ticks: u32) -> Result<(), Complaint> {
        let lot = self.random.clone();
        for _ in 0..REPETITIONS {
            self.random = lot.clone();
            let mut outcome = Ok(());
            let allocated = allocation_counter::measure(|| outcome = self.live(ticks));
            outcome?;
            self.report.grown.push(allocated.bytes_current);
        }
        self.check_growth()
    }

    fn check_growth(&self) -> Result<(), Complaint> {
        let grown = &self.report.grown;
        match grown.iter().min() {
            Some(&least) if least > GROWTH => {
                Err((None, format!("in every repetition of an epoch more bytes stay in use: {grown:?}")))
            }
            _ => Ok(()),
        }
    }

    /// Deeds, a tick, and the look at it; a panic is a complaint, too.
    fn guarded(&mut self, length: Duration, deeds: impl FnOnce(&mut Self)) -> Result<(), Complaint> {
        let run = AssertUnwindSafe(|| {
            deeds(self);
            self.note_before();
            self.step(length);
            self.check_tick()?;
            self.hash.add(self.app.world(), &self.level, &self.crew);
            Ok(())
        });
        catch_unwind(run).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            Err((
                None,
                format!("panic: {}", text.or(payload.downcast_ref().copied()).unwrap_or("without a text")),
            ))
        })
    }

    fn step(&mut self, length: Duration) {
        self.tick += 1;
        self.app.world_mut().resource_mut::<Time>().advance_by(length);
        self.app.world_mut().resource_mut::<Log>().is_ticking = true;
        self.app.update();
        self.app.world_mut().resource_mut::<Log>().is_ticking = false;
    }
}

#[cfg(test)]
mod mutants;
#[cfg(test)]
mod tests;
