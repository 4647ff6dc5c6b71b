//! Presses the emergency stop. Called by `estop` and `top`. It takes the shortest way, and whoever presses it
//! is told within a second and a half if nobody has confirmed it; `top` tells so itself.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::Result;
use cycle::State;
use protocol::{CallError, ReplyBody};

use crate::session::robot_args::RobotArgs;
use crate::session::server;
use crate::text::errors::NotReached;

/// How long a stop may be unconfirmed before that is told, and before it is given up.
const TELL_AFTER: Duration = Duration::from_millis(1_500);
const GIVE_UP_AFTER: Duration = Duration::from_secs(10);

const WHAT_TO_DO: &str = "press the robot's stop button or cut its power";

/// Presses the emergency stop of the robot. Returns its name, and what it answers.
pub(crate) fn press_stop(args: &RobotArgs) -> Result<(String, ReplyBody)> {
    let error = match protocol::press(args.robot.as_deref()) {
        Ok((name, reply)) => {
            // It is pressed. The server presses it again, to log who did it.
            server::note_press(&name);
            return confirmed(name, reply);
        }
        Err(error) => error,
    };
    match error {
        // The loop has the press, and its server could do no more than that.
        CallError::Silent(name, _) => {
            let sentence = format!(
                "STOP NOT CONFIRMED: the loop of `{name}` does not answer; fix: {WHAT_TO_DO}"
            );
            return Err(NotReached(sentence).into());
        }
        CallError::Several(_) => return Err(error.into()),
        CallError::Refused(ref reason) if reason.code != "busy" => return Err(error.into()),
        _ => {}
    }
    let args = args.clone();
    // Whatever hangs: the search, the connection, or the answer.
    let (answer, answered) = channel();
    std::thread::Builder::new()
        .name("stop".to_owned())
        .spawn(move || {
            let until = Instant::now() + GIVE_UP_AFTER + Duration::from_secs(1);
            // Nobody listens any more after the time-out.
            let _ = answer.send(server::press(&args, until));
        })?;
    match answered.recv_timeout(GIVE_UP_AFTER) {
        Ok(Err(error)) if !is_absent(&error) => Err(error.context("STOP NOT CONFIRMED")),
        Ok(pressed) => pressed.and_then(|(name, reply)| confirmed(name, reply)),
        Err(_) => {
            let seconds = GIVE_UP_AFTER.as_secs();
            let sentence = format!("STOP NOT CONFIRMED within {seconds} s; fix: {WHAT_TO_DO}");
            Err(NotReached(sentence).into())
        }
    }
}

/// The reply, if it says that the body has stopped.
fn confirmed(name: String, reply: ReplyBody) -> Result<(String, ReplyBody)> {
    if matches!(&reply, ReplyBody::State(state) if state == State::Estop.name()) {
        return Ok((name, reply));
    }
    let sentence = format!(
        "STOP NOT CONFIRMED: `{name}` replied, but did not confirm that it has stopped; fix: {WHAT_TO_DO}"
    );
    Err(NotReached(sentence).into())
}

/// Whether there is no such robot, or not only one.
fn is_absent(error: &anyhow::Error) -> bool {
    use CallError::{Name, NoneRunning, NotRunning, Refused, Several};
    error.is::<NotReached>()
        || matches!(
            error.downcast_ref(),
            Some(Name(_) | NoneRunning | NotRunning(_) | Refused(_) | Several(_))
        )
}

/// Tells that a stop is not confirmed, unless what is returned is dropped before.
pub(crate) fn warn_while_waiting() -> Sender<()> {
    let (confirmed, waits) = channel();
    // Without a thread there is no warning, and the stop is tried all the same.
    let _ = std::thread::Builder::new()
        .name("not confirmed".to_owned())
        .spawn(move || {
            if waits.recv_timeout(TELL_AFTER) == Err(RecvTimeoutError::Timeout) {
                let seconds = TELL_AFTER.as_secs_f64();
                anstream::eprintln!("STOP NOT CONFIRMED for {seconds} s: {WHAT_TO_DO}");
            }
        });
    confirmed
}
