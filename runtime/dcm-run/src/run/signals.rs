//! Passes SIGINT, SIGTERM and SIGHUP to the loop. Called by `run` and `wire simulate`.
//! The law: only Ctrl-C counts more than once.

use std::sync::Arc;

use anyhow::{Context, Result};
use robot::live::Control;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Listens on a thread of its own until the process ends.
pub(crate) fn listen(control: &Arc<Control>) -> Result<()> {
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
