//! The loop over ticks and epochs.

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
use bevy_tilepath::{
    ExamineAllPaths, PathRequest, TilepathDiagnostics, TilepathPlugin, TilepathSettings, entries_kept,
    tilepath::{Grid, Revision},
};
use bevy_time::Time;
use rand_chacha::ChaCha8Rng;
use testkit::Seed;

use crate::{
    checks::bodies::Steps,
    crew::Agent,
    deeds::spawn_agent,
    events::{self, Log},
    level::{Level, Style},
    lines,
    reload::Checkpoint,
    settings::Settings,
    squads::Squads,
    state_hash::StateHash,
};

/// The length of a tick.
const TICK: Duration = Duration::from_millis(50);
/// The length of a tick while everything comes to rest.
const LONG_TICK: Duration = Duration::from_millis(200);
/// The most long ticks until even the longest journey ends.
const REST: u32 = 6000;
/// The number of ticks after everything is despawned.
const LAST_TICKS: u32 = 3;
/// The most bytes by which memory may grow in every repetition of an epoch. Tables can be a little
/// fuller by chance.
const GROWTH: i64 = 4096;
/// The number of repetitions of an epoch for the check of memory, and the most ticks of each.
const REPETITIONS: usize = 16;
const REPEATED_TICKS: u32 = 200;
/// The least number of epochs of a run that checks memory.
const EPOCHS_FOR_MEMORY: u32 = 16;

/// A failed check.
#[derive(Debug, Clone)]
pub struct Violation {
    /// The seed of the run.
    pub seed: u64,
    /// The tick, counted from the beginning of the run.
    pub tick: u32,
    /// The number of the agent, for [`Settings::trace`].
    pub agent: Option<u32>,
    /// The fault as text.
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

/// The report of a run without a fault.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The seed of the run.
    pub seed: u64,
    /// The number of all ticks, including the ticks of rest.
    pub ticks: u32,
    /// Orders answered with a path.
    pub found: u64,
    /// Orders answered without a path.
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
    /// Groups with members that arrived, and groups without.
    pub groups: [u64; 2],
    /// Lines walked in a tick and checked cell by cell.
    pub lines: u64,
    /// Checked lines of large units.
    pub wide_lines: u64,
    /// Edges and corners that checked lines crossed.
    pub crossed: u64,
    /// Bodies in crowds, counted in each tick.
    pub bodies: u64,
    /// Large bodies in crowds, counted in each tick.
    pub wide_bodies: u64,
    /// Searches that landmarks led.
    pub led: u64,
    /// Reasons of agents that stood with an order, counted in each tick.
    pub reasons: u64,
    /// The growth of the memory in use in each repetition of an epoch, in bytes.
    pub grown: Vec<i64>,
    /// The hash of orders, paths and positions in all ticks. Equal runs have equal hashes.
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
            "looked at: {} lines walked ({} wide) over {} edges, {} bodies ({} wide), {} times unreachable, {} reasons; \
             landmarks led {} searches; bytes in use grew by {:?} in repetitions of an epoch",
            self.lines,
            self.wide_lines,
            self.crossed,
            self.bodies,
            self.wide_bodies,
            self.confirmed,
            self.reasons,
            self.led,
            self.grown
        )?;
        write!(formatter, "state {:016x}", self.hash)
    }
}

/// A fault as text, with the number of the agent that it concerns.
pub(crate) type Complaint = (Option<u32>, String);

/// A running world with its checks.
pub(crate) struct Soak {
    pub(crate) app: App,
    pub(crate) level: Level,
    pub(crate) crew: Vec<Agent>,
    pub(crate) random: ChaCha8Rng,
    pub(crate) next_number: u32,
    pub(crate) tick: u32,
    pub(crate) settings: Settings,
    pub(crate) report: Report,
    /// The grids after the last tick, by map, each with its generation and revision.
    pub(crate) grids_before: EntityHashMap<((u64, Revision), Grid)>,
    pub(crate) body_steps: Steps,
    pub(crate) parting: EntityHashSet,
    pub(crate) squads: Squads,
    /// A fault in a deed.
    pub(crate) fault: Option<String>,
    hash: StateHash,
}

/// Runs a world and checks it after every tick.
///
/// # Errors
/// The first failed check. A panic counts as a failed check.
pub fn run(settings: &Settings) -> Result<Report, Violation> {
    let mut soak = Soak::new(settings);
    let ticks = settings.ticks / settings.epochs.max(1);
    let complain = |tick: u32, (agent, what): Complaint| Violation { seed: settings.seed, tick, agent, what };
    for _ in 0..settings.epochs.max(1) {
        if !soak.is_over() {
            soak.live(ticks).map_err(|what| complain(soak.tick, what))?;
        }
    }
    let hash = soak.hash.value();
    if settings.epochs >= EPOCHS_FOR_MEMORY && settings.until.is_none() {
        soak.repeat(ticks.min(REPEATED_TICKS)).map_err(|what| complain(soak.tick, what))?;
    }
    Ok(Report { ticks: soak.tick, hash, seed: settings.seed, ..soak.report })
}

impl Soak {
    pub(crate) fn new_app(settings: &Settings) -> App {
        let mut app = App::new();
        if settings.examines_all {
            app.insert_resource(ExamineAllPaths);
        }
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
        lines::move_driven_agents(&mut app);
        events::listen(&mut app);
        app
    }

    fn new(settings: &Settings) -> Self {
        Self {
            app: Self::new_app(settings),
            level: Level::default(),
            crew: Vec::new(),
            random: Seed::named(&format!("soak {}", settings.seed)).generator(),
            next_number: 0,
            tick: 0,
            settings: settings.clone(),
            report: Report { grown: Vec::with_capacity(REPETITIONS), ..Report::default() },
            grids_before: EntityHashMap::default(),
            body_steps: Steps::new(),
            parting: EntityHashSet::default(),
            squads: Squads::default(),
            fault: None,
            hash: StateHash::default(),
        }
    }

    /// Runs an epoch, from an empty world to an empty world.
    fn live(&mut self, ticks: u32) -> Result<(), Complaint> {
        self.populate();
        for _ in 0..ticks {
            if self.is_over() {
                return Ok(());
            }
            self.guarded(TICK, Self::do_deeds)?;
            if let Some((at, checkpoint)) = self.settings.checkpoint
                && at == self.tick
            {
                self.checkpoint(checkpoint)?;
            }
        }
        self.come_to_rest()?;
        self.vanish()
    }

    /// Returns whether the run ends here, wherever it is.
    fn is_over(&self) -> bool {
        self.settings.until.is_some_and(|until| self.tick >= until)
    }

    /// Fills the empty world with a level and agents.
    fn populate(&mut self) {
        self.level = Level::spawn(self.app.world_mut(), &mut self.random, Style::of(&self.settings));
        // Maps of tiles are read before agents are put onto them.
        self.step(TICK);
        for _ in 0..self.settings.agents.max(2) {
            let world = self.app.world_mut();
            let agent = spawn_agent(world, &self.level, &mut self.random, &mut self.next_number);
            self.crew.push(agent);
        }
    }

    /// Runs until no agent has an order.
    fn come_to_rest(&mut self) -> Result<(), Complaint> {
        self.let_everybody_walk();
        for _ in 0..REST {
            if self.is_over() {
                return Ok(());
            }
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

    /// Despawns everything, and checks that the plugin's tables are empty.
    fn vanish(&mut self) -> Result<(), Complaint> {
        if self.is_over() {
            return Ok(());
        }
        for agent in std::mem::take(&mut self.crew) {
            self.app.world_mut().despawn(agent.entity);
        }
        std::mem::take(&mut self.squads).clear(self.app.world_mut());
        std::mem::take(&mut self.level).despawn(self.app.world_mut());
        self.grids_before = EntityHashMap::default();
        for _ in 0..LAST_TICKS {
            self.step(TICK);
        }
        // No event is triggered for despawned agents.
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

    /// Repeats one more epoch with equal random numbers. After the first repetition the tables have
    /// their size. Other epochs would bring new combinations of components, whose tables stay. A
    /// leak grows in every repetition.
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

    /// Does deeds, runs a tick, checks it, and takes a state if it is time. A panic counts as a fault.
    fn guarded(&mut self, length: Duration, deeds: impl FnOnce(&mut Self)) -> Result<(), Complaint> {
        let run = AssertUnwindSafe(|| {
            deeds(self);
            self.note_before();
            self.step(length);
            self.check_tick()?;
            self.hash.add(self.app.world(), &self.level, &self.crew);
            let every = self.settings.states_every;
            if every > 0 && self.tick.is_multiple_of(every) {
                self.checkpoint(Checkpoint::GoOn)?;
            }
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
mod ground_tests;
#[cfg(test)]
mod mutants;
#[cfg(test)]
mod tests;
