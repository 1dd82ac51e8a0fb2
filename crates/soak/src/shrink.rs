//! The shortest run with a violation.

use crate::{
    run::{Report, Violation},
    settings::Settings,
};

/// The number of seeds that are tried with each number of agents.
const SEEDS: u64 = 3;

/// A run that ends in a violation.
#[derive(Debug, Clone)]
pub struct FailingRun {
    /// Its settings.
    pub settings: Settings,
    /// Its violation.
    pub violation: Violation,
}

/// Looks for a shorter run with a violation of the same kind: with fewer agents, without earlier
/// epochs, or with one of the next seeds. Each run ends at the latest at the tick of the best
/// violation so far. `run` runs settings, and `is_over` ends the search.
///
/// Fewer agents give another course of events, so the violation need not be at the same place.
pub fn shrink(
    failing: FailingRun,
    run: impl Fn(&Settings) -> Result<Report, Violation>,
    is_over: impl Fn() -> bool,
) -> FailingRun {
    let what = failing.violation.what.clone();
    let kind_of_fault = kind(&what);
    let mut best = failing;
    loop {
        let shorter = shorter(&best).into_iter().take_while(|_| !is_over()).find_map(|settings| {
            let violation = run(&settings).err()?;
            (kind(&violation.what) == kind_of_fault).then_some(FailingRun { settings, violation })
        });
        match shorter {
            Some(shorter) => best = shorter,
            None => return best,
        }
    }
}

/// Returns the settings of shorter runs, the shortest first.
fn shorter(best: &FailingRun) -> Vec<Settings> {
    let (settings, tick) = (&best.settings, best.violation.tick);
    let ending = Settings { until: Some(tick), ..settings.clone() };
    let fewer = [settings.agents / 8, settings.agents / 4, settings.agents / 2, settings.agents * 3 / 4];
    let fewer = fewer.into_iter().filter(|&agents| agents >= 2 && agents < settings.agents);
    let with_fewer = fewer.flat_map(|agents| {
        let ending = &ending;
        (0..SEEDS).map(move |more| Settings {
            agents,
            seed: settings.seed.saturating_add(more),
            ..ending.clone()
        })
    });
    let one_epoch =
        Settings { epochs: 1, ticks: tick, until: Some(tick.saturating_sub(1)), ..ending.clone() };
    let has_epochs = settings.epochs > 1 && tick > 1;
    with_fewer.chain(has_epochs.then_some(one_epoch)).collect()
}

/// Returns the first words of a fault, without numbers and values in brackets.
fn kind(what: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let words = what.split(|letter: char| {
        depth = match letter {
            '(' | '[' | '{' => depth + 1,
            ')' | ']' | '}' => depth.saturating_sub(1),
            _ => depth,
        };
        depth > 0 || !letter.is_alphabetic()
    });
    words.filter(|word| !word.is_empty()).take(6).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run with a violation if it has enough agents and is long enough.
    fn run(settings: &Settings) -> Result<Report, Violation> {
        let tick = if settings.epochs > 1 { 60 } else { 20 };
        let ends = settings.until.unwrap_or(settings.ticks);
        if settings.agents >= 20 && tick <= ends {
            let what = format!("walks into the wall at ({tick}, 3): from [1, 2]");
            return Err(Violation { seed: settings.seed, tick, agent: Some(1), what });
        }
        Ok(Report::default())
    }

    #[test]
    fn fewer_agents_and_an_earlier_end_are_found() {
        let settings = Settings { agents: 200, ticks: 8000, ..Settings::default() };
        let failing = FailingRun { violation: run(&settings).unwrap_err(), settings };
        let best = shrink(failing.clone(), run, || false);
        assert_eq!((best.settings.agents, best.settings.epochs, best.violation.tick), (25, 1, 20));
        assert!(run(&best.settings).is_err(), "its settings reproduce it");
        assert_eq!(shrink(failing, run, || true).violation.tick, 60, "no time is left");
    }

    #[test]
    fn violation_of_another_kind_is_not_taken() {
        let settings = Settings { agents: 200, ticks: 8000, ..Settings::default() };
        let violation = Violation { seed: 1, tick: 60, agent: None, what: "panic: none".to_owned() };
        let best = shrink(FailingRun { settings, violation }, run, || false);
        assert_eq!(best.violation.what, "panic: none");
    }

    #[test]
    fn kind_of_fault_has_no_numbers() {
        let kinds = [
            "walks into the wall at (3, 4): from [9, 18.05] to [1, 2] in cells, 2 a side",
            "walks into the wall at (30, -4): from [9, 1]",
        ];
        assert_eq!(kind(kinds[0]), ["walks", "into", "the", "wall", "at", "from"]);
        assert_eq!(kind(kinds[0]), kind(kinds[1]));
        assert_ne!(kind(kinds[0]), kind("walks into the void at (3, 4): from [9, 18.05]"));
        assert_eq!(
            kind("Cell { x: 58, y: -4 } belongs to the places of two members")[..2],
            ["Cell", "belongs"]
        );
    }
}
