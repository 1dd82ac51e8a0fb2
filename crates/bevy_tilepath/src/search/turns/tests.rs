use super::*;

/// The numbers of turns at a time.
const WIDTHS: [usize; 3] = [1, 4, MOST_DEALT];

/// Searches that only count.
struct Office {
    turns: Turns<usize>,
    /// For each search its work, the work done, and the tick in which it was over.
    searches: Vec<(u64, u64, Option<usize>)>,
    spent: u64,
    tick: usize,
    most_kept: usize,
    /// The number of turns at a time.
    width: usize,
}

impl Default for Office {
    fn default() -> Self {
        Self::of(1)
    }
}

impl Office {
    fn of(width: usize) -> Self {
        let (turns, searches) = (Turns::default(), Vec::new());
        Self { turns, searches, spent: 0, tick: 0, most_kept: 0, width }
    }

    fn enter(&mut self, work: u64) -> usize {
        self.searches.push((work, 0, None));
        self.turns.enter(self.searches.len() - 1, 0);
        self.searches.len() - 1
    }

    fn tick(&mut self, budget: u64) {
        self.tick += 1;
        let mut share = Share::new(budget);
        loop {
            // Deals as many turns at a time as possible.
            let (mut dealt, mut level) = (Vec::new(), None);
            while dealt.len() < self.width
                && let Some(rule) = share.next(dealt.is_empty())
                && let Some(turn) = self.turns.deal(rule, level)
            {
                level = level.or(turn.is_next_by_level.then_some(turn.level));
                let (rule, taken) = share.take_for(&turn, rule, budget.div_ceil(self.width as u64));
                assert!(taken > 0, "a turn without work");
                dealt.push((turn, rule, taken));
            }
            if dealt.is_empty() {
                return;
            }
            for (turn, rule, taken) in dealt {
                let (work, done, over) = &mut self.searches[turn.id];
                let now = taken.min(*work - *done);
                *done += now;
                self.spent += now;
                share.settle(rule, taken, now);
                if done == work {
                    *over = Some(self.tick);
                    self.turns.leave(&turn);
                } else if self.turns.charge(&turn, now) == Retention::Evicted {
                    *done = 0;
                }
                self.most_kept = self.most_kept.max(self.turns.kept.len());
            }
        }
    }

    fn over(&self, search: usize) -> Option<usize> {
        self.searches[search].2
    }

    #[track_caller]
    fn run(&mut self, budget: u64, most: usize) {
        for _ in 0..most {
            if self.searches.iter().all(|search| search.2.is_some()) {
                return;
            }
            self.tick(budget);
        }
        panic!("not all were over after {most} ticks");
    }
}

#[test]
fn a_short_search_is_over_in_the_tick_in_which_it_comes_however_many_long_ones_there_are() {
    for width in WIDTHS {
        let mut office = Office::of(width);
        for _ in 0..200 {
            office.enter(1_000_000);
        }
        for _ in 0..20 {
            office.tick(10_000);
        }
        let short = office.enter(500);
        office.tick(10_000);
        assert_eq!(office.over(short), Some(21));
    }
}

#[test]
fn the_shorter_of_two_long_searches_is_over_first_though_it_came_last() {
    let mut office = Office::default();
    let long = [office.enter(100_000), office.enter(100_000)];
    office.tick(20_000);
    let shorter = office.enter(10_000);
    office.run(20_000, 20);
    let over = [long[0], long[1], shorter].map(|search| office.over(search).unwrap());
    assert!(over[2] < over[0] && over[0] < over[1], "{over:?}");
}

#[test]
fn equal_searches_are_over_one_after_the_other_in_the_order_in_which_they_came() {
    for width in WIDTHS {
        let mut office = Office::of(width);
        for _ in 0..300 {
            office.enter(100_000);
        }
        office.run(10_000, 4000);
        let over: Vec<_> = office.searches.iter().map(|search| search.2.unwrap()).collect();
        assert!(over.is_sorted(), "{over:?}");
        // Only first turns were given up.
        assert!(office.spent <= 300 * (100_000 + FIRST_SLICE));
        assert!(over[0] * 20 < over[299], "the first waited for all others");
    }
}

#[test]
fn nobody_waits_for_ever_although_more_short_searches_come_than_can_be_served() {
    for width in WIDTHS {
        let mut office = Office::of(width);
        let long = [office.enter(30_000), office.enter(30_000)];
        for _ in 0..2 * 30_000 * AGE_SHARE / 1000 {
            for _ in 0..4 {
                office.enter(500);
            }
            office.tick(1000);
        }
        assert!(long.iter().all(|&search| office.over(search).is_some()));
    }
}

#[test]
fn a_search_on_a_middle_level_is_not_starved_from_above_and_below() {
    for width in WIDTHS {
        let mut office = Office::of(width);
        for _ in 0..4 {
            office.enter(10_000_000);
        }
        for _ in 0..300 {
            office.tick(1000);
        }
        let middle = office.enter(5000);
        for _ in 0..20 {
            office.tick(1000);
        }
        assert!(office.over(middle).is_some(), "only one part of the work goes to the oldest");
    }
}

#[test]
fn searches_kept_in_memory_are_limited() {
    for width in WIDTHS {
        let mut office = Office::of(width);
        for round in 0..40 {
            for _ in 0..25 {
                office.enter(700 + 37 * round);
            }
            office.tick(5000);
        }
        assert!(office.most_kept == KEPT || office.most_kept == KEPT + 1, "{}", office.most_kept);
        office.run(5000, 1000);
        assert!(
            office.turns.deal(Rule::Level, None).is_none() && office.turns.deal(Rule::Age, None).is_none()
        );
    }
}

#[test]
fn a_search_that_is_given_up_begins_again_and_the_oldest_never_has_to() {
    for width in WIDTHS {
        let mut office = Office::of(width);
        let all: Vec<usize> = (0..8).map(|_| office.enter(50_000)).collect();
        for _ in 0..8 * 50 {
            office.tick(4000);
            let Office { turns, searches, .. } = &mut office;
            let mut is_oldest = true;
            turns.evict(|search| {
                let has_to = !std::mem::take(&mut is_oldest);
                if has_to {
                    searches[search].1 = 0;
                }
                has_to
            });
        }
        let over: Vec<_> = all.iter().map(|&search| office.over(search)).collect();
        assert!(over.is_sorted() && over[7].is_some(), "{over:?}");
    }
}

#[test]
fn searches_that_begin_again_in_each_tick_repeat_at_most_twice_their_work() {
    for width in WIDTHS {
        let mut office = Office::of(width);
        for _ in 0..40 {
            office.enter(6000);
        }
        for _ in 0..200 {
            office.tick(8000);
            let Office { turns, searches, .. } = &mut office;
            let mut kept = 0;
            turns.evict(|search| {
                kept += 1;
                let has_to = kept > 3;
                if has_to {
                    searches[search].1 = 0;
                }
                has_to
            });
        }
        assert!(office.searches.iter().all(|search| search.2.is_some()));
        assert!(office.spent <= 3 * 40 * 6000, "{} units", office.spent);
    }
}

#[test]
fn dropped_searches_leave_all_levels() {
    let mut office = Office::default();
    for _ in 0..200 {
        office.enter(3000);
    }
    for _ in 0..10 {
        office.tick(9000);
    }
    office.enter(1);
    office.turns.retain(|search| search == 77);
    for rule in [Rule::Age, Rule::Level] {
        let turn = office.turns.deal(rule, None).unwrap();
        assert_eq!(turn.id, 77);
        assert_eq!(office.turns.deal(rule, None), None, "it has its turn");
        office.turns.charge(&turn, 1);
    }
    office.turns.retain(|_| false);
    assert_eq!(office.turns.deal(Rule::Age, None), None);
}

#[test]
fn a_share_is_never_more_than_it_was() {
    let all = 1000;
    for (taken, cost) in [(0, 0), (300, 20), (100, 100), (100, 170), (100, 700), (100, 5000)] {
        for rule in [Rule::Age, Rule::Level] {
            let mut share = Share::new(all);
            let taken = share.take(rule, taken);
            share.settle(rule, taken, cost);
            assert_eq!(share.left(), all.saturating_sub(cost), "{taken} {cost} {rule:?}");
        }
    }
    // A turn that is next by age and by level gets both parts.
    let turn = |is_next_by_level| Turn { id: 0, slice: 600, level: 0, is_next_by_level, place: (0, 1) };
    assert_eq!(Share::new(all).take_for(&turn(true), Rule::Age, all), (Rule::Level, 600));
    assert_eq!(Share::new(all).take_for(&turn(false), Rule::Age, all), (Rule::Age, all / AGE_SHARE));

    let mut share = Share::new(all);
    assert_eq!(share.next(true), Some(Rule::Age));
    assert_eq!(share.next(false), Some(Rule::Level));
    assert_eq!(share.take(Rule::Age, u64::MAX), all / AGE_SHARE);
    assert_eq!(share.next(true), Some(Rule::Level));
    share.take(Rule::Level, u64::MAX);
    assert_eq!(share.next(true), None);
    assert_eq!(Share::by_level(7).next(true), Some(Rule::Level));
}

#[test]
fn searches_are_dealt_by_due_tick() {
    for rule in [Rule::Level, Rule::Age] {
        let mut turns = Turns::default();
        for (id, due) in [(0, 9), (1, 3), (2, 9), (3, 1)] {
            turns.enter(id, due);
        }
        let state = turns.state();
        let first = turns.deal(rule, None).map(|turn| turn.id);
        // Searches that have begun stay before all others.
        turns.enter(4, 0);
        let rest = std::iter::from_fn(|| turns.deal(rule, None).map(|turn| turn.id));
        assert_eq!(first.into_iter().chain(rest).collect::<Vec<_>>(), [3, 4, 1, 0, 2]);
        // A state keeps the order, also for those that enter later.
        let mut turns = Turns::default();
        for (id, state) in state {
            turns.put(id, state);
        }
        turns.enter(4, 5);
        let all = std::iter::from_fn(|| turns.deal(rule, None).map(|turn| turn.id));
        assert_eq!(all.collect::<Vec<_>>(), [3, 1, 4, 0, 2]);
    }
}
