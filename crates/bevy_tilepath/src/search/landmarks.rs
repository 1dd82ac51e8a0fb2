//! Landmarks of maps: when they are made, made anew and dropped.
//!
//! Everything is counted in work, in the order in which searches end, so it is equal on every machine
//! and number of threads. Previews do not count.
//!
//! Decision: `docs/decisions/59-landmarks-by-use.md`.

use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    entity::{Entity, MapEntities},
    query::Has,
    resource::Resource,
    system::{Query, Res, ResMut},
};
use tilepath::{LandmarkCount, LandmarkStatus, MovementId};

use crate::{
    map::{
        map_view::MapView,
        memory::NavMemory,
        movement::AgentMovement,
        nav_grid::NavGrid,
        nav_map::{MapLandmarks, NavMap},
    },
    search::{ended_search::EndedSearch, goal_lists::GoalLists, searches::Searches},
    settings::TilepathSettings,
};

/// The cells of tables for one unit of the budget. A cell of a table takes a part of the time of an
/// expanded cell.
const CELLS_PER_UNIT: u64 = 4;
/// The cells of the largest map for which landmarks are made without being requested: 2048 × 2048.
const MAX_CELLS: usize = 1 << 22;
/// The number of times that landmarks must pay before they are made in haste.
const MANY_TIMES: u64 = 8;
/// The number of answers after which the bounds of landmarks are judged.
const JUDGED_ANSWERS: u64 = 64;
/// The least work of a search that is judged. The estimate of a short path does not matter.
const MIN_JUDGED_WORK: u64 = 256;
/// The part of the last search in the mean work of led searches is one in this number. The mean follows
/// no faster than weak landmarks are found.
const LED_WEIGHT: u64 = JUDGED_ANSWERS;
/// The ticks after which credit is halved.
const CREDIT_TICKS: u64 = 4096;
/// The most times that the price doubles.
const MAX_DOUBLINGS: u32 = 16;

/// The work that searches have cost without landmarks, and the state of the landmarks of each map and
/// movement.
#[derive(Clone, Resource, Default, Debug)]
pub(crate) struct LandmarkCredit {
    /// In the order of their first searches.
    sets: Vec<LandmarkSet>,
    ticks: u64,
    /// The work for landmarks in this tick.
    pub(crate) work: u64,
    led_searches: usize,
    savings: u64,
}

#[derive(Clone, Debug)]
struct LandmarkSet {
    map: Entity,
    movement: MovementId,
    /// The [`NavGrid::generation`] of the map.
    generation: Option<u64>,
    /// The work of searches without landmarks, for which landmarks would pay.
    credit: u64,
    /// The work that led searches saved, which turns may spend.
    purse: u64,
    doublings: u32,
    /// The work and the number of searches without landmarks.
    alone: [u64; 2],
    /// The mean work of the last searches that landmarks led, or 0.
    led: u64,
    /// The last answers, and the first ones after the landmarks were made.
    judged: Judged,
    first_judged: Option<Judged>,
    stage: Stage,
}

/// Answers, with the sums of the estimates of their starts and of their costs.
#[derive(Clone, Copy, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Judged {
    answers: u64,
    bounds: u64,
    costs: u64,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Waiting,
    /// Holds the cells of tables made so far.
    Making(u64),
    /// Holds whether they lead searches.
    Made(bool),
}

/// The credit in a [`TilepathState`](crate::TilepathState). Landmarks are made again.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LandmarkCreditState {
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    sets: Vec<LandmarkSetState>,
    ticks: u64,
}

#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct LandmarkSetState {
    #[entities]
    map: Entity,
    movement: Option<AgentMovement>,
    credit: u64,
    purse: u64,
    doublings: u32,
    alone: [u64; 2],
    led: u64,
    judged: Judged,
    first_judged: Option<Judged>,
    /// True if the set has landmarks, or makes them.
    is_made: bool,
}

impl LandmarkCredit {
    /// Returns the credit for a state. `movement_of` returns the movement of an id on a map.
    pub(crate) fn state(
        &self,
        movement_of: impl Fn(Entity, MovementId) -> Option<AgentMovement>,
    ) -> LandmarkCreditState {
        let set = |set: &LandmarkSet| LandmarkSetState {
            map: set.map,
            movement: movement_of(set.map, set.movement),
            credit: set.credit,
            purse: set.purse,
            doublings: set.doublings,
            alone: set.alone,
            led: set.led,
            judged: set.judged,
            first_judged: set.first_judged,
            is_made: !matches!(set.stage, Stage::Waiting),
        };
        LandmarkCreditState { sets: self.sets.iter().map(set).collect(), ticks: self.ticks }
    }

    /// Puts a state back. `id_of` returns the id of a movement on a map.
    pub(crate) fn put(
        &mut self,
        state: LandmarkCreditState,
        id_of: impl Fn(Entity, Option<&AgentMovement>) -> Option<MovementId>,
    ) {
        let set = |state: LandmarkSetState| {
            let LandmarkSetState {
                map,
                movement,
                credit,
                purse,
                doublings,
                alone,
                led,
                judged,
                first_judged,
                is_made,
            } = state;
            let stage = if is_made { Stage::Making(0) } else { Stage::Waiting };
            let movement = id_of(map, movement.as_ref())?;
            Some(LandmarkSet {
                map,
                movement,
                generation: None,
                credit,
                purse,
                doublings,
                alone,
                led,
                judged,
                first_judged,
                stage,
            })
        };
        let (sets, ticks) = (state.sets.into_iter().filter_map(set).collect(), state.ticks);
        *self = Self { sets, ticks, ..Self::default() };
    }
}

impl LandmarkCredit {
    /// Returns the number of searches that landmarks led since the last call, and the work that they
    /// saved.
    pub(crate) fn take_savings(&mut self) -> (usize, u64) {
        (std::mem::take(&mut self.led_searches), std::mem::take(&mut self.savings))
    }

    /// Counts a search that has ended.
    pub(crate) fn note(&mut self, ended: EndedSearch) {
        let set = self.set_of(ended.map, ended.movement);
        let mean = set.mean_alone();
        if ended.cost > 0 && ended.work >= MIN_JUDGED_WORK {
            let Judged { answers, bounds, costs } = &mut set.judged;
            (*answers, *bounds, *costs) = (*answers + 1, *bounds + ended.bound, *costs + ended.cost);
        }
        if ended.is_led {
            let saved = mean.saturating_sub(ended.work);
            set.note_led(ended.work);
            set.purse = set.purse.saturating_add(saved);
            self.led_searches += 1;
            self.savings += saved;
        } else if !matches!(set.stage, Stage::Made(true)) {
            set.credit = set.credit.saturating_add(ended.work);
            set.alone = [set.alone[0] + ended.work, set.alone[1] + 1];
        }
    }

    /// Returns the mean work of the last searches that landmarks led on a map, if they lead searches there
    /// now.
    pub(crate) fn led_work(&self, view: &MapView) -> Option<u64> {
        let is_it = |set: &&LandmarkSet| set.map == view.map && set.movement == view.movement && set.led > 0;
        let status = view.finder.landmark_status(view.movement);
        let led = self.sets.iter().find(is_it)?.led;
        matches!(status, Ok(LandmarkStatus::Ready(_))).then_some(led)
    }

    fn set_of(&mut self, map: Entity, movement: MovementId) -> &mut LandmarkSet {
        let is_it = |set: &LandmarkSet| set.map == map && set.movement == movement;
        let place = self.sets.iter().position(is_it).unwrap_or_else(|| {
            self.sets.push(LandmarkSet::new(map, movement));
            self.sets.len() - 1
        });
        &mut self.sets[place]
    }
}

impl LandmarkSet {
    const fn new(map: Entity, movement: MovementId) -> Self {
        Self {
            map,
            movement,
            generation: None,
            credit: 0,
            purse: 0,
            doublings: 0,
            alone: [0; 2],
            led: 0,
            judged: Judged { answers: 0, bounds: 0, costs: 0 },
            first_judged: None,
            stage: Stage::Waiting,
        }
    }

    /// Returns the mean work of a search without landmarks.
    fn mean_alone(&self) -> u64 {
        self.alone[0].checked_div(self.alone[1]).unwrap_or(0)
    }

    fn note_led(&mut self, work: u64) {
        let others = if self.led == 0 { work } else { self.led };
        self.led = others.saturating_mul(LED_WEIGHT - 1).saturating_add(work) / LED_WEIGHT;
    }

    /// Returns the work that the searches that wait will take without landmarks.
    fn forecast(&self, grid: &NavGrid, searches: &Searches) -> u64 {
        searches.waiting_on(self.map, self.movement, grid) as u64 * self.mean_alone()
    }

    /// Returns whether the landmarks will pay: the searches so far, and those that wait, cost as much
    /// as the landmarks.
    fn pays(&self, grid: &NavGrid, price: u64, forecast: u64) -> bool {
        price > 0
            && grid.grid().bounds().cell_count() <= MAX_CELLS
            && self.credit.saturating_add(forecast) >= price
    }

    /// Drops landmarks that cost more than they save. The next ones must earn twice as much.
    fn drop_dear(&mut self, grid: &mut NavGrid) {
        grid.drop_landmarks(self.movement);
        self.stage = Stage::Waiting;
        self.credit = 0;
        self.doublings = (self.doublings + 1).min(MAX_DOUBLINGS);
    }

    /// Returns whether the bounds are less than four fifths as good as for the first answers,
    /// because much of the map has become dearer since.
    fn is_weak(&mut self) -> bool {
        if self.judged.answers < JUDGED_ANSWERS {
            return false;
        }
        let now = std::mem::take(&mut self.judged);
        let first = *self.first_judged.get_or_insert(now);
        let [now_share, first_share] = [(now, first), (first, now)]
            .map(|(bounds, costs)| u128::from(bounds.bounds) * u128::from(costs.costs));
        now_share * 5 < first_share * 4
    }

    /// Makes the landmarks, if they will pay. Returns the work.
    fn make(
        &mut self,
        grid: &mut NavGrid,
        wish: MapLandmarks,
        searches: &mut Searches,
        most: Allowance,
    ) -> u64 {
        let is_requested = wish == MapLandmarks::Always;
        let Ok(expected) = grid.finder().landmark_work(self.movement, LandmarkCount::ByMap) else { return 0 };
        let price = (expected / CELLS_PER_UNIT) << self.doublings;
        let forecast = self.forecast(grid, searches);
        if matches!(self.stage, Stage::Waiting) && (is_requested || self.pays(grid, price, forecast)) {
            self.stage = Stage::Making(0);
        }
        let Stage::Making(spent) = &mut self.stage else { return 0 };
        let most = if forecast > price.saturating_mul(MANY_TIMES) { most.rush } else { most.making };
        let cells = grid.advance_landmarks(self.movement, most.saturating_mul(CELLS_PER_UNIT));
        *spent += cells;
        let is_too_dear = *spent > 2 * expected && !is_requested;
        match grid.finder().landmark_status(self.movement) {
            Ok(LandmarkStatus::Ready(_)) => self.begin_with(grid, searches),
            Ok(LandmarkStatus::Behind) if !is_too_dear => {}
            // The map cannot have landmarks now. An edit may change that.
            _ if is_requested => self.stage = Stage::Making(0),
            _ => self.drop_dear(grid),
        }
        cells.div_ceil(CELLS_PER_UNIT)
    }

    /// Lets the searches that wait use landmarks that have become ready.
    fn begin_with(&mut self, grid: &NavGrid, searches: &mut Searches) {
        (self.stage, self.credit) = (Stage::Made(true), 0);
        (self.judged, self.first_judged) = (Judged::default(), None);
        searches.begin_again(self.map, self.movement, grid);
    }

    /// Makes tables anew that edits broke, for as much as led searches have saved since. If edits were so
    /// many that the landmarks do not lead, searches without them must have cost as much as new ones.
    /// Returns the work.
    fn renew(
        &mut self,
        grid: &mut NavGrid,
        wish: MapLandmarks,
        searches: &mut Searches,
        most: Allowance,
    ) -> u64 {
        let Ok(expected) = grid.finder().landmark_work(self.movement, LandmarkCount::ByMap) else { return 0 };
        let price = expected / CELLS_PER_UNIT;
        let leads = |grid: &NavGrid| grid.finder().landmark_status(self.movement);
        let led = matches!(leads(grid), Ok(LandmarkStatus::Ready(_)));
        if !led && self.credit.saturating_add(self.forecast(grid, searches)) >= price {
            (self.purse, self.credit) = (price, 0);
        }
        // Savings of long ago pay for no more than one time.
        self.purse = self.purse.min(price);
        let most = if led { most.renewing } else { most.making };
        let most = if wish == MapLandmarks::Always { most } else { most.min(self.purse) };
        let cells = grid.advance_landmarks(self.movement, most.saturating_mul(CELLS_PER_UNIT));
        let work = cells.div_ceil(CELLS_PER_UNIT);
        self.purse = self.purse.saturating_sub(work);
        match grid.finder().landmark_status(self.movement) {
            Ok(LandmarkStatus::Ready(_)) if !led => self.begin_with(grid, searches),
            Ok(LandmarkStatus::Ready(_) | LandmarkStatus::Behind) => self.stage = Stage::Made(led),
            _ => (self.stage, self.credit) = (Stage::Waiting, 0),
        }
        work
    }

    /// Returns the number of edits since the oldest table was made that is to be made anew. Landmarks that
    /// do not lead are the oldest. Returns `None` if there is nothing to do.
    fn age(&self, grid: &NavGrid) -> Option<u64> {
        match grid.finder().landmark_status(self.movement) {
            Ok(LandmarkStatus::Ready(_)) => grid.finder().landmark_age(self.movement).ok()?,
            _ => Some(u64::MAX),
        }
    }
}

/// The most work for landmarks in a tick.
#[derive(Clone, Copy)]
struct Allowance {
    rush: u64,
    making: u64,
    renewing: u64,
}

impl Allowance {
    /// A quarter of the budget makes landmarks, or a half if they will pay many times. An eighth makes
    /// tables anew. If no search waits, all of it does either.
    fn of(budget: u64, is_idle: bool) -> Self {
        let [rush, making, renewing] = [2, 4, 8].map(|part| budget.div_ceil(if is_idle { 1 } else { part }));
        Self { rush, making, renewing }
    }

    const fn without(self, work: u64) -> Self {
        let Self { rush, making, renewing } = self;
        Self {
            rush: rush.saturating_sub(work),
            making: making.saturating_sub(work),
            renewing: renewing.saturating_sub(work),
        }
    }
}

type TendedMaps<'w, 's, 'a> = Query<'w, 's, (Entity, &'a NavMap, Mut<'a, NavGrid>, Has<NavMemory>)>;

/// Makes landmarks, and tables anew, before the searches of the tick, which use them.
pub(crate) fn tend_landmarks(
    mut maps: TendedMaps,
    mut credit: ResMut<LandmarkCredit>,
    mut searches: ResMut<Searches>,
    lists: Res<GoalLists>,
    settings: Res<TilepathSettings>,
) {
    for (map, rules, grid, _) in &maps {
        if rules.landmarks == MapLandmarks::Always && grid.is_ready() {
            credit.set_of(map, MovementId::FIRST);
        }
    }
    let budget = lists.rest_of(settings.work_per_tick.max(1));
    let all = Allowance::of(budget, searches.len() == 0);
    let mut most = all;
    let mut spent = 0;
    credit.ticks += 1;
    let halves = credit.ticks.is_multiple_of(CREDIT_TICKS);
    credit.sets.sort_by_key(|set| std::cmp::Reverse(set.credit));
    let mut due = Vec::new();
    credit.sets.retain_mut(|set| {
        let Ok((_, rules, mut grid, is_memory)) = maps.get_mut(set.map) else { return false };
        // Landmarks are not part of the map, so its readers need not see a change.
        let grid = grid.bypass_change_detection();
        if set.generation.is_some_and(|generation| generation != grid.generation())
            || grid.finder().movement(set.movement).is_none()
        {
            return false;
        }
        set.generation = Some(grid.generation());
        // Each reveal edits a memory, and each side has one: tables would cost more than they save.
        let is_refused = is_memory && rules.landmarks == MapLandmarks::ByUse;
        if is_refused || rules.landmarks == MapLandmarks::Never {
            grid.drop_landmarks(set.movement);
            return false;
        }
        if halves {
            set.credit /= 2;
            set.alone = set.alone.map(|sum| sum / 2);
        }
        if matches!(set.stage, Stage::Made(_)) {
            let age = set.age(grid);
            if age.is_some() {
                // Tables that are made anew are judged afterwards.
                set.judged = Judged::default();
            } else if set.is_weak() {
                grid.renew_landmarks(set.movement);
                set.first_judged = None;
            }
            due.extend(age.map(|age| (age, set.map, set.movement)));
        } else if most.making > 0 {
            let work = set.make(grid, rules.landmarks, &mut searches, most);
            most = most.without(work);
            spent += work;
        }
        true
    });
    // The oldest table of all maps and movements is next.
    due.sort_by_key(|&(age, ..)| std::cmp::Reverse(age));
    for (_, map, movement) in due {
        if spent >= all.making {
            break;
        }
        let Ok((_, rules, mut grid, _)) = maps.get_mut(map) else { continue };
        let grid = grid.bypass_change_detection();
        let work = credit.set_of(map, movement).renew(grid, rules.landmarks, &mut searches, most);
        most = most.without(work);
        spent += work;
    }
    credit.work = spent;
}
