//! Checks for a display, before the `App` is built.
//!
//! Without the check the window backend would panic.

use std::{error::Error, fmt};

/// The reason why no window can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoDisplay {
    /// The environment names neither an X11 nor a Wayland display.
    NoneNamed,
    /// There is only a Wayland display, and the example was built without Wayland.
    WaylandNotBuilt,
    /// The display of the environment does not answer.
    NotAnswering {
        /// The environment variable with the display.
        variable: &'static str,
        /// Its value.
        value: String,
    },
}

impl fmt::Display for NoDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoneNamed => {
                f.write_str("no display: neither DISPLAY nor WAYLAND_DISPLAY is set; ")?;
            }
            Self::WaylandNotBuilt => f.write_str(
                "no X11 display: only WAYLAND_DISPLAY is set and Wayland is not built in; build with --features \
                 tilepath_examples/wayland (needs libwayland-dev), set DISPLAY, or ",
            )?,
            Self::NotAnswering { variable, value } => {
                write!(f, "the display {variable}={value} does not answer; ")?;
            }
        }
        f.write_str("run with --headless to go without a window")
    }
}

impl Error for NoDisplay {}

/// The display to try before a window is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Probe {
    Wayland(String),
    X11(String),
}

/// Checks that a window can be opened: the environment names a display, and a local display
/// answers.
///
/// The check always succeeds on macOS and on systems other than Unix.
///
/// # Errors
/// Returns [`NoDisplay`], which names what is missing, and the option `--headless`.
pub fn check_display() -> Result<(), NoDisplay> {
    if !cfg!(unix) || cfg!(target_os = "macos") {
        return Ok(());
    }
    let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let probe = choose(variable("DISPLAY"), variable("WAYLAND_DISPLAY"), cfg!(feature = "wayland"))?;
    if answers(&probe) {
        return Ok(());
    }
    Err(match probe {
        Probe::Wayland(value) => NoDisplay::NotAnswering { variable: "WAYLAND_DISPLAY", value },
        Probe::X11(value) => NoDisplay::NotAnswering { variable: "DISPLAY", value },
    })
}

fn choose(x11: Option<String>, wayland: Option<String>, wayland_built: bool) -> Result<Probe, NoDisplay> {
    match (x11, wayland) {
        // The window backend prefers Wayland if it is built with it.
        (_, Some(value)) if wayland_built => Ok(Probe::Wayland(value)),
        (Some(value), _) => Ok(Probe::X11(value)),
        (None, Some(_)) => Err(NoDisplay::WaylandNotBuilt),
        (None, None) => Err(NoDisplay::NoneNamed),
    }
}

/// Returns the number of a local X display, or `None` for a display on another machine.
#[cfg(any(unix, test))]
fn local_display_number(value: &str) -> Option<u32> {
    let (host, rest) = value.rsplit_once(':')?;
    if !matches!(host, "" | "unix") {
        return None;
    }
    rest.split('.').next()?.parse().ok()
}

#[cfg(unix)]
fn answers(probe: &Probe) -> bool {
    use std::{os::unix::net::UnixStream, path::Path};

    match probe {
        Probe::Wayland(value) => {
            let folder = std::env::var_os("XDG_RUNTIME_DIR").unwrap_or_default();
            UnixStream::connect(Path::new(&folder).join(value)).is_ok()
        }
        Probe::X11(value) => {
            let Some(number) = local_display_number(value) else {
                return true; // on another machine: let the window backend find out
            };
            let socket = format!("/tmp/.X11-unix/X{number}");
            UnixStream::connect(&socket).is_ok() || abstract_socket_answers(&socket)
        }
    }
}

#[cfg(not(unix))]
fn answers(_probe: &Probe) -> bool {
    true
}

#[cfg(target_os = "linux")]
fn abstract_socket_answers(name: &str) -> bool {
    use std::os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixStream},
    };

    SocketAddr::from_abstract_name(name).is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn abstract_socket_answers(_name: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_any_display_the_message_names_headless() {
        let fault = choose(None, None, true).unwrap_err();
        assert_eq!(fault, NoDisplay::NoneNamed);
        assert_eq!(
            fault.to_string(),
            "no display: neither DISPLAY nor WAYLAND_DISPLAY is set; run with --headless to go without a window"
        );
    }

    #[test]
    fn wayland_is_used_only_where_it_is_built_in() {
        assert_eq!(choose(None, Some("wayland-0".into()), false), Err(NoDisplay::WaylandNotBuilt));
        assert_eq!(choose(Some(":0".into()), Some("wayland-0".into()), false), Ok(Probe::X11(":0".into())));
        assert_eq!(
            choose(Some(":0".into()), Some("wayland-0".into()), true),
            Ok(Probe::Wayland("wayland-0".into()))
        );
    }

    #[test]
    fn only_local_displays_have_a_number() {
        assert_eq!(local_display_number(":77"), Some(77));
        assert_eq!(local_display_number(":0.1"), Some(0));
        assert_eq!(local_display_number("unix:3"), Some(3));
        assert_eq!(local_display_number("elsewhere:0"), None);
        assert_eq!(local_display_number("nonsense"), None);
    }

    #[cfg(unix)]
    #[test]
    fn display_without_a_server_does_not_answer() {
        assert!(!answers(&Probe::X11(":63999".into())));
        assert!(!answers(&Probe::Wayland("no-such-display".into())));
    }
}
