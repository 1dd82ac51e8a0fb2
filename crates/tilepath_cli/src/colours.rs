//! Colours of text in a terminal.

use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use std::{
    ffi::{OsStr, OsString},
    io::{self, IsTerminal},
};

/// Whether text is written with colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colours {
    /// Text alone, without escape codes.
    Off,
    /// Text with ANSI escape codes.
    On,
}

/// The meaning of a letter of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ink {
    /// The terrain.
    Ground,
    /// A cell of the path.
    Path,
    /// The start, and the other cells that the unit covers there.
    Start,
    /// The goal, and the other cells that the unit covers there.
    Goal,
    /// A cell that must stay open.
    Forbidden,
    /// A closed cell that must open.
    Opening,
    /// A cell on which a unit cannot stop.
    NoStop,
    /// A cell that a unit reaches in this turn.
    Turn(u32),
}

impl Colours {
    /// Returns whether standard output takes colours, by `--color` and the environment.
    pub(crate) fn of(choice: ColorChoice) -> Self {
        let variable = |name: &str| std::env::var_os(name);
        Self::chosen(choice, io::stdout().is_terminal(), variable("NO_COLOR"), variable("TERM"))
    }

    fn chosen(
        choice: ColorChoice,
        is_terminal: bool,
        no_color: Option<OsString>,
        term: Option<OsString>,
    ) -> Self {
        let is_refused = no_color.is_some_and(|value| !value.is_empty());
        let is_dumb = term.as_deref() == Some(OsStr::new("dumb"));
        match choice {
            ColorChoice::Always => Self::On,
            ColorChoice::Auto if is_terminal && !is_refused && !is_dumb => Self::On,
            ColorChoice::Auto | ColorChoice::Never => Self::Off,
        }
    }

    /// Returns the style of a letter.
    pub(crate) fn style(self, ink: Ink, letter: char) -> Style {
        if self == Self::Off {
            return Style::new();
        }
        match (ink, letter) {
            (Ink::Ground, '#') => AnsiColor::BrightBlack.on_default(),
            (Ink::Ground, '2'..='9' | '+') => AnsiColor::Yellow.on_default(),
            (Ink::Ground, _) => Style::new(),
            (Ink::Path, _) => AnsiColor::Red.on_default(),
            (Ink::Start, _) => AnsiColor::Green.on_default().bold(),
            (Ink::Goal, _) => AnsiColor::Red.on_default().bold(),
            (Ink::Forbidden, _) => AnsiColor::Magenta.on_default().bold(),
            (Ink::Opening, _) => AnsiColor::Cyan.on_default().bold(),
            (Ink::NoStop, _) => AnsiColor::Yellow.on_default().bold(),
            (Ink::Turn(turn), _) => {
                let colours = [AnsiColor::Blue, AnsiColor::Cyan, AnsiColor::Magenta, AnsiColor::White];
                colours[turn.saturating_sub(1) as usize % colours.len()].on_default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Colours, Ink};
    use clap::ColorChoice::{Always, Auto, Never};
    use std::ffi::OsString;

    #[test]
    fn auto_needs_a_terminal_that_takes_colours() {
        let chosen = |choice, is_terminal, no_color: Option<&str>, term: &str| {
            Colours::chosen(choice, is_terminal, no_color.map(OsString::from), Some(term.into()))
        };
        assert_eq!(chosen(Auto, true, None, "xterm"), Colours::On);
        assert_eq!(chosen(Auto, true, Some(""), "xterm"), Colours::On, "an empty NO_COLOR counts as not set");
        assert_eq!(chosen(Auto, true, Some("1"), "xterm"), Colours::Off);
        assert_eq!(chosen(Auto, true, None, "dumb"), Colours::Off);
        assert_eq!(chosen(Auto, false, None, "xterm"), Colours::Off);
        assert_eq!(chosen(Always, false, Some("1"), "dumb"), Colours::On);
        assert_eq!(chosen(Never, true, None, "xterm"), Colours::Off);
    }

    #[test]
    fn turns_in_a_row_have_different_colours() {
        let style = |turn| Colours::On.style(Ink::Turn(turn), '1');
        assert!((1..12).all(|turn| style(turn) != style(turn + 1)));
        assert_eq!(style(u32::MAX), style(u32::MAX), "any turn has a colour");
    }
}
