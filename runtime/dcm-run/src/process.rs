//! This process: its program, the signals that it gets, and the names of its files.
//! Called by `run`, `check`, `replay` and `wire simulate`. Only Ctrl-C counts more than once.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use robot::live::Control;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Passes SIGINT, SIGTERM and SIGHUP to the loop, on a thread of its own, until the process ends.
pub(crate) fn listen_to_signals(control: &Arc<Control>) -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("listening for signals")?;
    let control = Arc::clone(control);
    let hear = move || {
        for signal in signals.forever() {
            // A closing terminal may send two signals at once: only Ctrl-C counts again.
            if signal == SIGINT || control.asked() == 0 {
                control.ask();
            }
        }
    };
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(hear)
        .context("listening for signals")?;
    Ok(())
}

/// This program, even if its file has been replaced since it was started.
pub(crate) fn this_program() -> Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() {
        return Ok(running);
    }
    std::env::current_exe().context("finding this program, which compiles choreographies")
}

/// A robot's name as a file name: other characters become `-`, and none stands in front, where it would be an option.
pub(crate) fn as_name(robot: &str) -> String {
    let sound = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let name: String = robot
        .chars()
        .take(64)
        .map(|c| if sound(c) { c } else { '-' })
        .collect();
    match name.trim_start_matches('-') {
        "" => "robot".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::as_name;

    #[test]
    fn a_name_is_never_an_option_or_a_path() {
        for (robot, name) in [
            ("nao", "nao"),
            ("../../etc", "etc"),
            ("-x", "x"),
            ("--", "robot"),
            ("", "robot"),
            ("a\0b c", "a-b-c"),
        ] {
            assert_eq!(as_name(robot), name, "{robot:?}");
        }
    }
}
