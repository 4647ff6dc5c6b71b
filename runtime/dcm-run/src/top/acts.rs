//! What is asked of the robot by keys: each act on a thread of its own, its outcome told when it is there.
//! Begun by the loop of `top`. The law: no act waits for another, nor for the screen; a press of stop goes the
//! shortest way, and the program does not end before it is known whether it came through.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use socket::{Ask, OperationWord, Told};

use crate::reach::{self, Which};

/// Acts that may be under way: a key that is held down begins many, and a robot far away may answer none.
const MOST: usize = 32;

/// How long the program's end waits for acts that are under way.
const TIMEOUT: Duration = Duration::from_secs(6);

/// What came of an act.
pub(super) struct Done {
    /// What it was.
    pub(super) what: String,
    /// How the robot answered, or why it was not done.
    pub(super) outcome: Result<String, String>,
}

/// Acts that are under way.
pub(super) struct Acts {
    robot: String,
    under_way: usize,
    sender: Sender<Done>,
    done: Receiver<Done>,
}

impl Acts {
    /// Acts for the robot of this name.
    pub(super) fn new(robot: String) -> Acts {
        let (sender, done) = channel();
        Acts {
            robot,
            under_way: 0,
            sender,
            done,
        }
    }

    /// Begins an act.
    pub(super) fn begin(&mut self, ask: Ask) -> Result<()> {
        let what = name_of(&ask);
        // Whatever else was not answered, there is room for a press of stop.
        let most = if is_press(&ask) { MOST } else { MOST / 2 };
        if self.under_way >= most {
            bail!("{what}: the robot has not answered the last {most} acts");
        }
        let which = Which {
            robot: Some(self.robot.clone()),
        };
        let sender = self.sender.clone();
        let act = move || {
            let outcome = carry_out(&which, ask).map_err(|it| format!("{it:#}"));
            // Nobody hears it any more: the program is ending.
            let _ = sender.send(Done { what, outcome });
        };
        let thread = std::thread::Builder::new().name("act".to_owned());
        thread.spawn(act).context("beginning an act")?;
        self.under_way += 1;
        Ok(())
    }

    /// The next act that is done.
    pub(super) fn answered(&mut self) -> Option<Done> {
        let done = self.done.try_recv().ok()?;
        self.under_way = self.under_way.saturating_sub(1);
        Some(done)
    }

    /// Waits for what is under way, for a while.
    pub(super) fn settle(mut self) -> Result<()> {
        let end = Instant::now() + TIMEOUT;
        let mut failed = None;
        while self.under_way > 0 {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(done) = self.done.recv_timeout(left) else {
                bail!("the robot has not answered whether what was asked last is done");
            };
            self.under_way -= 1;
            if let Err(why) = done.outcome {
                failed = Some(format!("{} was not done: {why}", done.what));
            }
        }
        match failed {
            Some(failed) => bail!(failed),
            None => Ok(()),
        }
    }
}

fn carry_out(which: &Which, ask: Ask) -> Result<String> {
    let told = if is_press(&ask) {
        reach::press(which)?.1
    } else {
        reach::line(which)?.ask(ask)?
    };
    Ok(match told {
        Told::State(state) => format!("the robot is {state}"),
        _ => "done".to_owned(),
    })
}

fn is_press(ask: &Ask) -> bool {
    *ask == Ask::Operate(OperationWord::Press)
}

fn name_of(ask: &Ask) -> String {
    match ask {
        Ask::Operate(OperationWord::Press) => "emergency stop".to_owned(),
        Ask::Operate(OperationWord::Hold) => "hold".to_owned(),
        Ask::Operate(OperationWord::Resume) => "resume".to_owned(),
        Ask::Pause { paused: true, .. } => "pause".to_owned(),
        Ask::Pause { paused: false, .. } => "resume the guest".to_owned(),
        Ask::End { .. } => "end".to_owned(),
        other => format!("{other:?}"),
    }
}
