//! A round: one map with its queries, and edits between them.

use std::ops::AddAssign;

use rand::Rng;
use testkit::{LandEdit, Seed};
use tilepath::{
    Answer, Edit, MoveRange, MovementId, NearestQuery, PathFinder, PathQuery, PathSearch, QueryError,
    RangeQuery, WhatIf,
    field::{FieldQuery, FlowField},
    turns::TurnQuery,
};

use crate::{
    batch, draw, forbidden,
    growth::{self, Resize},
    land, led, many, paths, turns,
    view::{Verdict, View, Ways, ensure},
    world::{Scene, World, movement},
};

/// The numbers of queries and edits, by kind.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Path queries with a checked answer.
    pub(crate) queries: u64,
    /// Queries for jump points that were rightly refused.
    pub(crate) refused: u64,
    /// Cells checked by `is_reachable`.
    pub(crate) reachable: u64,
    pub(crate) ranges: u64,
    pub(crate) nearest: u64,
    /// Checked fields, most of them after edits.
    pub(crate) fields: u64,
    pub(crate) edits: u64,
    /// Ranges in turns.
    pub(crate) turns: u64,
    /// Changes of the size of maps.
    pub(crate) resizes: u64,
    /// Checked what-ifs.
    pub(crate) what_ifs: u64,
    /// Edits of many cells in one call.
    pub(crate) batches: u64,
    /// Queries for forbidden cells.
    pub(crate) forbidden: u64,
    /// Searches led by landmarks, whose estimates were checked.
    pub(crate) led: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.queries += other.queries;
        self.refused += other.refused;
        self.reachable += other.reachable;
        self.ranges += other.ranges;
        self.nearest += other.nearest;
        self.fields += other.fields;
        self.edits += other.edits;
        self.turns += other.turns;
        self.resizes += other.resizes;
        self.what_ifs += other.what_ifs;
        self.batches += other.batches;
        self.forbidden += other.forbidden;
        self.led += other.led;
    }
}

/// The last query or edit, for the report of a mismatch.
#[derive(Debug)]
#[expect(dead_code, reason = "read by Debug, in the report of a mismatch")]
pub(crate) enum Question {
    Setup,
    Edits(Vec<LandEdit>),
    Batch(Vec<LandEdit>),
    Forbidden { unit: usize, query: PathQuery },
    Resize(Resize),
    WhatIf { unit: usize, edits: Vec<LandEdit> },
    Turns { unit: usize, query: TurnQuery },
    Path { unit: usize, query: PathQuery },
    Reachability { unit: usize, start: (i32, i32) },
    Range { unit: usize, query: RangeQuery },
    Nearest { unit: usize, query: NearestQuery },
    Field { unit: usize, query: FieldQuery },
}

/// A map, its last query, and the numbers of all queries.
pub(crate) struct Round {
    pub(crate) world: World,
    pub(crate) question: Question,
    pub(crate) tally: Tally,
}

/// The state that stays during the edits of a round.
struct Subject {
    finder: PathFinder,
    /// The movements of the world's units.
    movements: Vec<MovementId>,
    /// The fields with their units, and whether a goal has become invalid.
    fields: Vec<(usize, FlowField, bool)>,
    range: MoveRange,
    what_if: WhatIf,
    /// True if landmarks are made in this round.
    has_landmarks: bool,
}

impl Subject {
    fn new(world: &World) -> Self {
        let mut finder = world.finder();
        let movements = world.units.iter().map(|unit| finder.add_movement(movement(unit))).collect();
        let what_if = WhatIf::new(&finder);
        let (fields, range) = (Vec::new(), MoveRange::default());
        Self { finder, movements, fields, range, what_if, has_landmarks: false }
    }

    fn tend_landmarks(&mut self, generator: &mut impl Rng) {
        if self.has_landmarks {
            led::tend(generator, &mut self.finder, &self.movements);
        }
    }
}

/// Returns the random numbers of a round, which depend only on the seed and the number of the
/// round.
pub(crate) fn generator(seed: u64, number: u64) -> impl Rng {
    Seed::named(&format!("fuzz {seed}, round {number}")).generator()
}

impl Round {
    pub(crate) fn draw(generator: &mut impl Rng, scene: Scene) -> Self {
        let world = World::draw(generator, scene);
        Self { world, question: Question::Setup, tally: Tally::default() }
    }

    /// Runs queries until the round is over or an answer is wrong.
    pub(crate) fn run(&mut self, generator: &mut impl Rng) -> Verdict {
        let mut subject = Subject::new(&self.world);
        subject.has_landmarks = self.world.scene.has_landmarks || generator.random();
        for phase in 0..generator.random_range(1..=5) {
            if phase > 0 {
                self.change(generator, &mut subject)?;
            }
            subject.tend_landmarks(generator);
            let unit = generator.random_range(0..self.world.units.len());
            self.ask_fields(generator, &mut subject, unit)?;
            for _ in 0..generator.random_range(1..=2) {
                self.ask_from_one_start(generator, &mut subject, unit)?;
            }
            if generator.random_ratio(1, 4) {
                self.ask_what_if(generator, &mut subject, unit)?;
            }
        }
        Ok(())
    }

    /// Edits the map, and at times the rules, while a search runs.
    fn change(&mut self, generator: &mut impl Rng, subject: &mut Subject) -> Verdict {
        let (pending, expected) = self.begin_before_edits(generator, subject);
        let is_grown_last: bool = generator.random();
        if !is_grown_last {
            self.resize(generator, subject)?;
        }
        let edits = self.draw_edits(generator);
        self.question = Question::Edits(edits.clone());
        for edit in &edits {
            let told = land::apply(&self.world, &mut subject.finder, std::slice::from_ref(edit));
            let changed = edit.apply(&mut self.world.land);
            ensure!(told == Ok(changed), "{edit:?} returns {told:?}, not {changed}");
            if generator.random_ratio(1, 16) {
                // Some structures catch up in a query, so a query comes between the edits at times.
                let ends = [0; 2].map(|_| self.world.cell(draw::position(generator, &self.world.land.map)));
                let _ = subject.finder.is_reachable(&PathQuery::new(ends[0], ends[1]));
            }
        }
        self.world.edit_count += edits.len();
        self.tally.edits += edits.len() as u64;
        if generator.random_ratio(1, 3) {
            self.change_together(generator, subject)?;
        }
        if is_grown_last {
            self.resize(generator, subject)?;
        }
        ensure!(self.world.grid().as_ref() == Ok(subject.finder.grid()), "the map differs after the edits");
        if generator.random_ratio(1, 10) {
            let id = subject.movements[generator.random_range(0..subject.movements.len())];
            let new = self.world.draw_unit(generator);
            subject.finder.set_movement(id, movement(&new)).map_err(|error| error.to_string())?;
            for (unit, _) in subject.movements.iter().enumerate().filter(|&(_, &other)| other == id) {
                self.world.units[unit] = new.clone();
            }
        }
        if generator.random_ratio(1, 10) {
            subject.finder = subject.finder.clone();
        }
        subject.tend_landmarks(generator);
        self.question = Question::Path { unit: usize::MAX, query: *pending.query() };
        let answer = pending.finish();
        ensure!(answer == expected, "edits reach a search under way: {answer:?} instead of {expected:?}");
        Ok(())
    }

    /// Edits many cells in one call.
    fn change_together(&mut self, generator: &mut impl Rng, subject: &mut Subject) -> Verdict {
        let edits = batch::draw(generator, &self.world);
        self.question = Question::Batch(edits.clone());
        let told = land::apply(&self.world, &mut subject.finder, &edits);
        let changed: usize = edits.iter().map(|edit| edit.apply(&mut self.world.land)).sum();
        ensure!(told == Ok(changed), "the batch returns {told:?}, not {changed}");
        self.world.edit_count += edits.len();
        self.tally.batches += 1;
        Ok(())
    }

    /// Changes the size of the map, at times.
    fn resize(&mut self, generator: &mut impl Rng, subject: &mut Subject) -> Verdict {
        if !generator.random_ratio(1, 4) {
            return Ok(());
        }
        let Some((resize, bounds)) = growth::draw(generator, &self.world) else { return Ok(()) };
        self.question = Question::Resize(resize.clone());
        let told = subject.finder.resize(bounds, resize.class);
        ensure!(told == (resize.sides != [0; 4]), "resize returns {told}");
        growth::apply(&mut self.world, &resize);
        self.tally.resizes += 1;
        Ok(())
    }

    /// Checks a what-if: its answers must equal the answers on a map with the edits.
    fn ask_what_if(&mut self, generator: &mut impl Rng, subject: &mut Subject, unit: usize) -> Verdict {
        let edits = self.draw_edits(generator);
        self.question = Question::WhatIf { unit, edits: edits.clone() };
        let supposing = edits.iter().map(|edit| land::core_edit(&self.world, edit));
        let supposing: Vec<Edit> = supposing.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let supposed =
            subject.what_if.with_edits(&subject.finder, &supposing).map_err(|error| error.to_string())?;
        let before = self.world.land.clone();
        for edit in &edits {
            edit.apply(&mut self.world.land);
        }
        let verdict = check_what_if(generator, &self.world, supposed, subject.movements[unit], unit);
        self.world.land = before;
        verdict?;
        ensure!(self.world.grid().as_ref() == Ok(subject.finder.grid()), "a what-if has changed the map");
        self.tally.what_ifs += 1;
        Ok(())
    }

    fn draw_edits(&self, generator: &mut impl Rng) -> Vec<LandEdit> {
        if self.world.is_plain || generator.random_ratio(1, 4) {
            return draw::edits(generator, &self.world.land.map);
        }
        let (count, land) = (generator.random_range(1..=8), &self.world.land);
        (0..count).flat_map(|_| land::edits(generator, land)).collect()
    }

    fn begin_before_edits(
        &mut self,
        generator: &mut impl Rng,
        subject: &Subject,
    ) -> (PathSearch, Result<Answer, QueryError>) {
        let unit = generator.random_range(0..self.world.units.len());
        let size = self.world.units[unit].size;
        let ends = [0; 2].map(|_| self.world.cell(draw::anchor(generator, &self.world.land.map, size)));
        let query = PathQuery::new(ends[0], ends[1]).with_movement(subject.movements[unit]).or_closest();
        self.question = Question::Path { unit, query };
        let mut search = subject.finder.begin(&query).expect("the query is sound");
        search.advance(generator.random_range(0..=100));
        (search, subject.finder.solve(&query))
    }

    /// Checks the fields from before the edits, and a new field.
    fn ask_fields(&mut self, generator: &mut impl Rng, subject: &mut Subject, unit: usize) -> Verdict {
        let Subject { finder, movements, fields, .. } = subject;
        for (unit, field, is_lost) in fields.iter_mut() {
            self.question = Question::Field { unit: *unit, query: field.query().clone() };
            let view = View::new(&self.world, *unit);
            let mut goals = field.query().goals().iter().map(|&goal| self.world.position(goal));
            if let Some(error) = goals.find_map(|goal| view.goal_error(finder.grid(), goal)) {
                let update = field.update(finder);
                ensure!(update == Err(error), "a field with a lost goal is {update:?}, not {error}");
                *is_lost = true;
                continue;
            }
            field.update(finder).map_err(|error| error.to_string())?;
            many::check_field(generator, &view, finder, field)?;
            field.advance(if generator.random() { u64::MAX } else { generator.random_range(0..=400) });
            self.tally.fields += 1;
        }
        fields.retain(|&(_, _, is_lost)| !is_lost);
        if fields.len() < 2 && generator.random_ratio(1, 2) {
            let view = View::new(&self.world, unit);
            let goals = many::draw_goals(generator, &view, finder, 4);
            let query = FieldQuery::new(goals).with_movement(movements[unit]);
            self.question = Question::Field { unit, query: query.clone() };
            let mut field = finder.begin_field(&query).map_err(|error| error.to_string())?;
            match generator.random_range(0..3) {
                0 => {
                    field.advance_until(self.world.cell(draw::position(generator, &self.world.land.map)));
                }
                1 => {
                    field.advance(generator.random_range(0..=600));
                }
                _ => {
                    field.advance(u64::MAX);
                }
            }
            many::check_field(generator, &view, finder, &field)?;
            self.tally.fields += 1;
            fields.push((unit, field, false));
        }
        Ok(())
    }

    /// Runs queries of all kinds for one unit at one start.
    fn ask_from_one_start(
        &mut self,
        generator: &mut impl Rng,
        subject: &mut Subject,
        unit: usize,
    ) -> Verdict {
        let Subject { finder, movements, range, .. } = subject;
        let movement = movements[unit];
        let view = View::new(&self.world, unit);
        let ways = view.ways_from(view.draw_position(generator));
        let start = view.world.cell(ways.start);
        if generator.random_ratio(1, 2) {
            self.question = Question::Reachability { unit, start: ways.start };
            many::check_reachability(&view, &ways, finder, movement)?;
            self.tally.reachable += ways.costs.len() as u64;
        }
        if generator.random_ratio(1, 2) {
            let query = RangeQuery::new(start, many::draw_budget(generator, &ways)).with_movement(movement);
            self.question = Question::Range { unit, query };
            many::check_range(generator, &view, &ways, finder, &query, range)?;
            self.tally.ranges += 1;
        }
        if generator.random_ratio(1, 2) {
            let query = NearestQuery::new(start, many::draw_goals(generator, &view, finder, 12))
                .with_count(generator.random_range(0..=4))
                .with_movement(movement);
            self.question = Question::Nearest { unit, query: query.clone() };
            many::check_nearest(&view, &ways, finder, &query)?;
            self.tally.nearest += 1;
        }
        // The oracle for turns visits all edges in each turn.
        let is_small = view.world.land.map.classes.len() <= 700;
        if is_small
            && generator.random_ratio(1, 3)
            && view.oracle.is_told_by_fields(ways.start, view.unit.size)
        {
            let query = turns::draw_query(generator, &view, &ways, movement);
            self.question = Question::Turns { unit, query: query.clone() };
            turns::check(generator, &view, &ways, finder, &query)?;
            self.tally.turns += 1;
        }
        if view.world.land.map.classes.len() <= 120 && generator.random_ratio(1, 4) {
            let goal = view.world.cell(view.draw_position(generator));
            let query = PathQuery::new(start, goal).with_movement(movement);
            self.question = Question::Forbidden { unit, query };
            forbidden::check(&view, &ways, finder, &query)?;
            self.tally.forbidden += 1;
        }
        let fresh = generator.random_ratio(1, 4).then(|| Subject::new(&self.world));
        for _ in 0..generator.random_range(4..=12) {
            let goal = if generator.random_ratio(1, 40) { ways.start } else { view.draw_position(generator) };
            let query = paths::draw_query(generator, &view, &ways, goal, movement);
            if generator.random_ratio(1, if self.world.scene.has_landmarks { 3 } else { 16 }) {
                self.question = Question::Path { unit, query };
                let is_led = led::check(&view, finder, movement, [query.start(), query.goal()])?;
                self.tally.led += u64::from(is_led);
            }
            for algorithm in paths::draw_algorithms(generator) {
                let query = query.with_algorithm(algorithm);
                self.question = Question::Path { unit, query };
                let answer = paths::ask(generator, finder, &query);
                check_answer(&view, &ways, finder, &query, &answer)?;
                if let Some(fresh) = &fresh {
                    let unseen = fresh.finder.solve(&query.with_movement(fresh.movements[unit]));
                    // Landmarks depend on the edits, and may choose another path of equal cost.
                    let answer = finder.solve(&query.without_landmarks());
                    ensure!(answer == unseen, "edits leave a trace: {answer:?} instead of {unseen:?}");
                }
                let is_refused = answer == Err(QueryError::NoJumpPoints);
                self.tally.refused += u64::from(is_refused);
                self.tally.queries += u64::from(!is_refused);
            }
        }
        Ok(())
    }
}

fn check_what_if(
    generator: &mut impl Rng,
    world: &World,
    supposed: &PathFinder,
    movement: MovementId,
    unit: usize,
) -> Verdict {
    ensure!(world.grid().as_ref() == Ok(supposed.grid()), "the map of the what-if differs");
    let view = View::new(world, unit);
    let ways = view.ways_from(view.draw_position(generator));
    many::check_reachability(&view, &ways, supposed, movement)?;
    for _ in 0..3 {
        let goal = view.draw_position(generator);
        let query = paths::draw_query(generator, &view, &ways, goal, movement);
        check_answer(&view, &ways, supposed, &query, &supposed.solve(&query))?;
    }
    Ok(())
}

fn check_answer(
    view: &View<'_>,
    ways: &Ways,
    finder: &PathFinder,
    query: &PathQuery,
    answer: &Result<Answer, QueryError>,
) -> Verdict {
    paths::check(view, ways, finder.grid(), query, answer)
}
