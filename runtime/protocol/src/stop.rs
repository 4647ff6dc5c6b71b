//! Presses the emergency stop of a loop. To connect to its stop socket is to press it: the loop reads nothing from the
//! connection, so no other caller can be in the way.

use std::collections::BTreeMap;
use std::io::{BufReader, ErrorKind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::ask::Ask;
use crate::client::{CallError, Caller, connect, read_reply};
use crate::operation::Operation;
use crate::places::{Places, names};
use crate::reply::ReplyBody;

/// How long a press waits for the connection and the reply: whoever presses has other means.
const PRESS_TIMEOUT: Duration = Duration::from_secs(1);

/// How long to wait for the socket of a loop that may be gone.
const PROBE_TIMEOUT: Duration = Duration::from_millis(100);

/// Presses the emergency stop of the loop of this name, or of the only running one. Returns the loop's name and its
/// reply.
///
/// # Errors
/// [`CallError`]; [`CallError::Silent`] after a second.
pub fn press(name: Option<&str>) -> Result<(String, ReplyBody), CallError> {
    let places = match name {
        Some(name) => Places::find(name).map_err(CallError::Name)?,
        None => only()?,
    };
    let name = places.name;
    let silent = || CallError::Silent(name.clone(), PRESS_TIMEOUT);
    let until = Instant::now() + PRESS_TIMEOUT;
    let stream = match connect(&places.stop, PRESS_TIMEOUT) {
        Ok(stream) => stream,
        Err(rustix::io::Errno::AGAIN) => return Err(silent()),
        // Somebody may have removed it; and a replay has none, and refuses.
        Err(_) => {
            let reply = Caller::reach(Some(&name))?.ask(Ask::Operate(Operation::Press))?;
            return Ok((name, reply));
        }
    };
    let reply = read_reply(&mut BufReader::new(stream), until).map_err(|error| match error {
        CallError::Broken(error) if error.kind() == ErrorKind::TimedOut => silent(),
        error => error,
    })?;
    Ok((name, reply))
}

/// The only loop that can be stopped: a replay has no stop socket.
fn only() -> Result<Places, CallError> {
    let found = names()
        .into_iter()
        .filter_map(|name| Places::find(&name).ok());
    // A socket with two names is one loop.
    let by_file: BTreeMap<PathBuf, Places> = found
        .filter_map(|places| Some((places.stop.canonicalize().ok()?, places)))
        .collect();
    let mut running: Vec<_> = by_file.into_values().collect();
    if running.len() > 1 {
        // A killed loop leaves its sockets behind. The stop socket cannot be tried out.
        let refuses = |places: &Places| {
            connect(&places.socket, PROBE_TIMEOUT).err() == Some(rustix::io::Errno::CONNREFUSED)
        };
        running.retain(|places| !refuses(places));
    }
    match running.pop() {
        None => Err(CallError::NoneRunning),
        Some(places) if running.is_empty() => Ok(places),
        Some(last) => {
            running.push(last);
            let mut names: Vec<_> = running.into_iter().map(|places| places.name).collect();
            names.sort();
            Err(CallError::Several(names))
        }
    }
}
