//! The takeover: brings the body down after its loop has died, from its last values to the safe pose, then limp.
//! Called by `dcm-run guard` after the watchdog reports the end of the loop.
//! Every value passes the limits, and within two seconds no motor has force.

use std::fmt;
use std::time::{Duration, Instant as Moment};

use cycle::{Answer, Gains, Incoming, Instant, Kind, Outgoing, Ports, Span, State, Target, View};
use drivers::rack::{Mounted, Rack};

use super::watchdog::LastState;
use crate::boards::{self, OpenErrors, Opened};
use crate::live::{AssembleError, BoardsAndSim, assemble};
use crate::pace::{Clock, Pace};
use description::Robot;

/// The time from the loop's end until no motor has force.
pub const TAKEOVER_LIMIT: Duration = Duration::from_secs(2);

/// The parts of this time for the way to the safe pose, and for the fade to limp.
const RETREAT: Span = Span::from_millis(1_200);
const FADE: Span = Span::from_millis(300);

/// How long to wait for the locks of a dead process, and for the boards' answers.
const LOCK_TIMEOUT: Duration = Duration::from_millis(300);
const ANSWER_TIMEOUT: Duration = Duration::from_millis(150);

/// Extra turns at the end, so that each board gets a frame without force.
const LIMP_TURNS: u64 = 5;

/// The result of a takeover.
#[derive(Clone, Debug, PartialEq)]
pub struct Takeover {
    /// The time until the boards answered this process.
    pub taken: Duration,
    /// The time until no motor had force.
    pub limp: Duration,
    /// Where the body ended.
    pub pose: FinalPose,
    /// Boards that did not answer.
    pub silent: Vec<String>,
}

/// Where a body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalPose {
    /// In its safe pose.
    Safe,
    /// On the way to its safe pose: there was no time left, or its boards did not answer.
    Between,
    /// Where it was: it was stopped, or already going limp.
    Left,
}

/// Why the takeover failed.
#[derive(Debug)]
pub enum TakeoverError {
    /// The boards could not be opened, or another process has them.
    Boards(OpenErrors),
    /// The cycle could not be created.
    Assemble(AssembleError),
}

impl fmt::Display for TakeoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TakeoverError::Boards(why) => write!(f, "the boards could not be taken over: {why}"),
            TakeoverError::Assemble(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for TakeoverError {}

impl fmt::Display for Takeover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pose = match self.pose {
            FinalPose::Safe => "it went to its safe pose",
            FinalPose::Between => "it did not reach its safe pose",
            FinalPose::Left => "it was left where it was",
        };
        write!(
            f,
            "its boards were taken over after {} ms, {pose}, and was limp after {} ms",
            self.taken.as_millis(),
            self.limp.as_millis()
        )?;
        if self.silent.is_empty() {
            Ok(())
        } else {
            write!(f, "; boards without an answer: {}", self.silent.join(", "))
        }
    }
}

/// Takes the boards over from a loop that has just ended, with the last state of the body.
///
/// # Errors
/// [`TakeoverError`]; then only the boards' own watchdogs remain.
pub fn take_over(robot: &Robot, last: &LastState) -> Result<Takeover, TakeoverError> {
    let begun = Moment::now();
    let mut robot = robot.clone();
    let ramps = &mut robot.settings.ramps;
    (ramps.retreat, ramps.fade_out) = (ramps.retreat.min(RETREAT), ramps.fade_out.min(FADE));
    let locks = loop {
        match boards::lock_all(&robot) {
            Ok(locks) => break locks,
            // The kernel may release the locks of a dead process a moment later.
            Err(why) if begun.elapsed() > LOCK_TIMEOUT => return Err(TakeoverError::Boards(why)),
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    // Each board is opened once: a relay that is requested twice would drop in between. If one board is missing, the
    // others are brought down all the same.
    let (mut opened, mut silent) = boards::take_over(&robot, locks);
    silent.extend(wait_for_boards(&robot, &mut opened.rack, last));
    let taken = begun.elapsed();
    let limp = bring_down(&robot, opened, last, begun).map_err(TakeoverError::Assemble)?;
    Ok(Takeover {
        taken,
        limp: limp.0,
        pose: limp.1,
        silent,
    })
}

/// Sends the last values until every board has answered; returns the names of those that did not.
fn wait_for_boards(robot: &Robot, rack: &mut Rack, last: &LastState) -> Vec<String> {
    let begun = Moment::now();
    let target = |((item, sent), trim): ((&description::ActuatorSpec, &f64), &f64)| {
        // A wheel without commands stops.
        let value = if item.kind == Kind::Wheel { 0.0 } else { *sent };
        Target {
            counts: item.calibration.moved(*trim).counts(value, item.range),
            gains: item.gains.unwrap_or(Gains::LIMP).scaled(last.power),
        }
    };
    let targets = robot.actuators.iter();
    let targets: Vec<_> = targets
        .zip(&last.sent)
        .zip(&last.trims)
        .map(target)
        .collect();
    let mut counts = vec![0.0; robot.sensors.len()];
    let mut waited: Vec<_> = rack.0.iter().map(|item| item.board).collect();
    let mut turn = 0;
    while !waited.is_empty() && begun.elapsed() < ANSWER_TIMEOUT {
        turn += 1;
        let out = Outgoing {
            turn,
            now: Instant::ZERO,
            powered: true,
            targets: &targets,
            fires: &[],
        };
        let mut answers = vec![Answer::default(); robot.boards.len()];
        let mut back = Incoming {
            counts: &mut counts,
            answers: &mut answers,
        };
        cycle::Board::exchange(rack, &out, &mut back);
        waited.retain(|i| !answers[*i].answered);
        std::thread::sleep(Duration::from_millis(1));
    }
    waited
        .into_iter()
        .map(|waited| robot.boards[waited].name.clone())
        .collect()
}

/// The start value of each actuator: the value that was sent last. A stiffness starts from its command, because each
/// turn scales it by the power again.
fn positions_to_start_from(robot: &Robot, last: &LastState) -> Vec<f64> {
    let values = last.sent.iter().zip(&last.commanded);
    let from = robot.actuators.iter().zip(values);
    from.map(|(item, (sent, commanded))| match item.kind {
        Kind::Stiffness { .. } => *commanded,
        _ => *sent,
    })
    .collect()
}

/// Whether every joint was sent its value of the safe pose.
fn is_in_safe_pose(robot: &Robot, view: &View<'_>) -> bool {
    let mut actuators = robot.actuators.iter().zip(view.tracks);
    actuators.all(|(actuator, track)| {
        let step = actuator.calibration.gain.abs().max(1e-6);
        actuator
            .safe
            .is_none_or(|pose| (track.sent - pose).abs() <= step)
    })
}

/// Runs turns until the body is limp; returns the time that it took, and where the body ended.
fn bring_down(
    robot: &Robot,
    mut opened: Opened,
    last: &LastState,
    begun: Moment,
) -> Result<(Duration, FinalPose), AssembleError> {
    assemble(robot, |cycle, sim| {
        for mounted in &opened.rack.0 {
            sim.borrow_mut().leave(mounted.board);
        }
        let from = positions_to_start_from(robot, last);
        let state = last.state.unwrap_or(State::Estop);
        cycle.take_over(Instant::ZERO, state, last.power, &from, &last.trims);
        let moves = cycle.view().state == State::Safe;
        let every = opened.rack.0.iter().map(Mounted::every).max().unwrap_or(1);
        let (clock, mut left, mut safe) = (Clock::start(), LIMP_TURNS + every, false);
        let mut pace = Pace::new(robot.settings.period, clock.now());
        let mut limp = None;
        while left > 0 {
            clock.sleep_until(pace.next(clock.now()));
            // A pressed stop line ends this as well: then the body goes limp at once.
            let over = begun.elapsed() + Duration::from_millis(100) > TAKEOVER_LIMIT
                || opened.rack.stopped();
            if over && limp.is_none() {
                let _ = cycle.stage().disarm();
            }
            let report = cycle.turn(
                clock.now(),
                &mut Ports {
                    inbox: &mut (),
                    hooks: &mut (),
                    board: &mut BoardsAndSim {
                        sim,
                        rack: &mut opened.rack,
                    },
                    page: &mut (),
                },
            );
            let arrived = is_in_safe_pose(robot, &cycle.view());
            let answers = opened
                .rack
                .0
                .iter()
                .all(|item| cycle.view().links[item.board].age == 0);
            safe |= arrived && answers && report.power > 0.0;
            if report.power <= 0.0 {
                limp.get_or_insert_with(|| begun.elapsed());
                left -= 1;
            }
        }
        let pose = match (moves, safe) {
            (false, _) => FinalPose::Left,
            (true, true) => FinalPose::Safe,
            (true, false) => FinalPose::Between,
        };
        (limp.unwrap_or_default(), pose)
    })
}
