//! Brings a body down that nobody drives any more: from where it was last sent to its safe pose, then limp.
//! The second half of a guardian's life.
//! The law: nothing is sent that the limits have not seen, and within two seconds no motor has force.

use std::fmt;
use std::time::{Duration, Instant as Moment};

use cycle::{Answer, Gains, Incoming, Instant, Kind, Outgoing, Ports, Span, State, Target, View};
use drivers::rack::{Mounted, Rack};

use super::watchdog::LastState;
use crate::boards::{self, OpenErrors, Opened};
use crate::live::{AssembleError, BoardsAndSim, assemble};
use crate::pace::{Clock, Pace};
use description::Robot;

/// From the loop's end to the last motor's force.
pub const TAKEOVER_LIMIT: Duration = Duration::from_secs(2);

/// Of these, how long the ways to the safe pose and out of force may take.
const RETREAT: Span = Span::from_millis(1_200);
const FADE: Span = Span::from_millis(300);

/// How long a dead process's locks may take to be free, and a board to be taken over.
const LOCK_TIMEOUT: Duration = Duration::from_millis(300);
const ANSWER_TIMEOUT: Duration = Duration::from_millis(150);

/// Turns in which boards are told that they are limp, besides those until each is due.
const LIMP_TURNS: u64 = 5;

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Takeover {
    /// How long it took until the boards heard from here.
    pub taken: Duration,
    /// How long it took until no motor had force.
    pub limp: Duration,
    /// What became of the body.
    pub pose: FinalPose,
    /// Boards that did not answer.
    pub silent: Vec<String>,
}

/// What became of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalPose {
    /// It went to its safe pose.
    Safe,
    /// It did not get there in time, or its boards did not answer on the way.
    Between,
    /// It was stopped, or letting go: it stayed where it was.
    Left,
}

/// Why nothing could be done.
#[derive(Debug)]
pub enum TakeoverError {
    /// The boards could not be opened, or somebody else has them.
    Boards(OpenErrors),
    /// The cycle was not made.
    Assemble(AssembleError),
}

impl fmt::Display for TakeoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TakeoverError::Boards(why) => write!(f, "its boards could not be taken over: {why}"),
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
            "its boards were taken over after {} ms, {pose}, and has let go after {} ms",
            self.taken.as_millis(),
            self.limp.as_millis()
        )?;
        if self.silent.is_empty() {
            Ok(())
        } else {
            write!(f, "; without an answer: {}", self.silent.join(", "))
        }
    }
}

/// Takes the boards over from a loop that ended just now, with the body as it was last seen.
///
/// # Errors
/// [`TakeoverError`]; the boards' own watchdogs are what is left then.
pub fn take_over(robot: &Robot, last: &LastState) -> Result<Takeover, TakeoverError> {
    let begun = Moment::now();
    let mut robot = robot.clone();
    let ramps = &mut robot.settings.ramps;
    (ramps.retreat, ramps.fade_out) = (ramps.retreat.min(RETREAT), ramps.fade_out.min(FADE));
    let locks = loop {
        match boards::lock_all(&robot) {
            Ok(locks) => break locks,
            // A process that is gone may leave its locks a moment later.
            Err(why) if begun.elapsed() > LOCK_TIMEOUT => return Err(TakeoverError::Boards(why)),
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    // Each is opened once: a relay that is asked for twice would fall in between. Without one board the others are
    // brought down all the same.
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

/// Sends what was sent last until every board has answered; the names of those that did not.
fn wait_for_boards(robot: &Robot, rack: &mut Rack, last: &LastState) -> Vec<String> {
    let begun = Moment::now();
    let target = |(it, sent): (&description::ActuatorSpec, &f64)| {
        // A wheel that nobody steers stands still.
        let value = if it.kind == Kind::Wheel { 0.0 } else { *sent };
        Target {
            counts: it.calibration.counts(value, it.range),
            gains: it.gains.unwrap_or(Gains::LIMP).scaled(last.power),
        }
    };
    let targets: Vec<_> = robot.actuators.iter().zip(&last.sent).map(target).collect();
    let mut counts = vec![0.0; robot.sensors.len()];
    let mut waited: Vec<_> = rack.0.iter().map(|it| it.board).collect();
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
        waited.retain(|it| !answers[*it].answered);
        std::thread::sleep(Duration::from_millis(1));
    }
    waited
        .into_iter()
        .map(|it| robot.boards[it].name.clone())
        .collect()
}

/// What each actuator goes on from. Power weakens a stiffness anew in every turn: so that one goes on from what was
/// commanded.
fn positions_to_start_from(robot: &Robot, last: &LastState) -> Vec<f64> {
    let values = last.sent.iter().zip(&last.commanded);
    let from = robot.actuators.iter().zip(values);
    from.map(|(it, (sent, commanded))| match it.kind {
        Kind::Stiffness { .. } => *commanded,
        _ => *sent,
    })
    .collect()
}

/// Whether every joint was sent its place in the safe pose.
fn is_in_safe_pose(robot: &Robot, view: &View<'_>) -> bool {
    let mut actuators = robot.actuators.iter().zip(view.tracks);
    actuators.all(|(it, track)| {
        let step = it.calibration.gain.abs().max(1e-6);
        it.safe.is_none_or(|pose| (track.sent - pose).abs() <= step)
    })
}

/// Turns until the body is limp; how long it took, and whether it is in its safe pose.
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
        cycle.take_over(Instant::ZERO, state, last.power, &from);
        let moves = cycle.view().state == State::Safe;
        let every = opened.rack.0.iter().map(Mounted::every).max().unwrap_or(1);
        let (clock, mut left, mut safe) = (Clock::start(), LIMP_TURNS + every, false);
        let mut pace = Pace::new(robot.settings.period, clock.now());
        let mut limp = None;
        while left > 0 {
            clock.sleep_until(pace.next(clock.now()));
            // A stop line stops this as well: then there is nothing to do but to let go.
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
                .all(|it| cycle.view().links[it.board].age == 0);
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
