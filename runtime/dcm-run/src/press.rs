//! Presses the emergency stop. Called by `estop` and `top`. The law: it takes the shortest way, and whoever presses it
//! is told within a second and a half if nobody has confirmed it; `top` tells so itself.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::Result;
use api::client::ClientError;
use socket::{Ask, CallError, Caller, Operation, ReplyBody};

use crate::errors::NotReached;
use crate::remote;
use crate::robot_args::RobotArgs;

/// How long a stop may be unconfirmed before that is told, and before it is given up.
const TELL_AFTER: Duration = Duration::from_millis(1_500);
const GIVE_UP_AFTER: Duration = Duration::from_secs(10);

/// How long to wait after a connection has broken.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

const WHAT_TO_DO: &str = "press the robot's stop button or cut its power";

/// Presses the emergency stop of the robot. Returns its name, and what it answers.
pub(crate) fn press_stop(args: &RobotArgs) -> Result<(String, ReplyBody)> {
    let reached = Caller::reach_to_press(args.robot.as_deref());
    let pressed = reached.and_then(|mut caller| Ok((caller.press()?, caller)));
    match pressed {
        Ok((reply, caller)) => {
            let name = caller.here.name.clone();
            // It is pressed. The server presses it again, to log who did it.
            remote::note_press(&name);
            Ok((name, reply))
        }
        Err(CallError::Silent(name, _)) => Err(NotReached(format!(
            "STOP NOT CONFIRMED: the loop of `{name}` does not answer; fix: {WHAT_TO_DO}"
        ))
        .into()),
        Err(error @ (CallError::Several(_) | CallError::Refused(_))) => Err(error.into()),
        Err(_) => {
            let args = args.clone();
            // Whatever hangs: the search, the connection, or the answer.
            let (answer, answered) = channel();
            std::thread::Builder::new()
                .name("stop".to_owned())
                // Nobody listens any more after the time-out.
                .spawn(move || _ = answer.send(press_over_network(&args)))?;
            answered.recv_timeout(GIVE_UP_AFTER).unwrap_or_else(|_| {
                let seconds = GIVE_UP_AFTER.as_secs();
                let sentence = format!("STOP NOT CONFIRMED within {seconds} s; fix: {WHAT_TO_DO}");
                Err(NotReached(sentence).into())
            })
        }
    }
}

/// Presses again whenever the connection breaks: a server that hung is replaced. Whoever waits for it gives up in time.
fn press_over_network(args: &RobotArgs) -> Result<(String, ReplyBody)> {
    let (name, mut client) = remote::reach_at_once(args)?;
    loop {
        let error = match remote::ask(&client, Ask::Operate(Operation::Press), &[]) {
            Ok(reply) => return Ok((name, reply)),
            Err(error) => error,
        };
        let is_broken = matches!(
            error.downcast_ref(),
            Some(ClientError::Away(..) | ClientError::NoServer(None))
        );
        if !is_broken {
            return Err(error);
        }
        std::thread::sleep(AGAIN_AFTER);
        if let Ok((_, reached)) = remote::reach_at_once(args) {
            client = reached;
        }
    }
}

/// Tells that a stop is not confirmed, unless what is returned is dropped before.
pub(crate) fn tell_if_it_waits() -> Sender<()> {
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
