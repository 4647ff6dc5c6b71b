//! Brings a body down that nobody drives any more: from where it was last sent to its safe pose, then limp.
//! The second half of a guardian's life.
//! The law: nothing is sent that the limits have not seen, and within two seconds no motor has force.

use std::fmt;
use std::time::{Duration, Instant as Moment};

use cycle::{Answer, Gains, Incoming, Instant, Outgoing, Ports, Span, Target};
use drivers::rack::Rack;

use super::watch::Last;
use crate::boards::{self, OpenErrors, Opened};
use crate::config::Robot;
use crate::live::{AssembleError, Wired, assemble};
use crate::pace::{Clock, Pace};

/// From the loop's end to the last motor's force.
pub const WITHIN: Duration = Duration::from_secs(2);

/// Of these, how long the ways to the safe pose and out of force may take.
const RETREAT: Span = Span::from_millis(1_200);
const FADE: Span = Span::from_millis(300);

/// How long a dead process's locks may take to be free, and a board to be taken over.
const FREE: Duration = Duration::from_millis(300);
const TAKEN: Duration = Duration::from_millis(150);

/// Turns in which boards are told that they are limp.
const GOODBYES: u32 = 5;

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Rescued {
    /// How long it took until the boards heard from here.
    pub taken: Duration,
    /// How long it took until no motor had force.
    pub limp: Duration,
    /// Whether the body is in its safe pose.
    pub safe: bool,
    /// Boards that did not answer.
    pub silent: Vec<String>,
}

/// Why nothing could be done.
#[derive(Debug)]
pub enum RescueError {
    /// The boards could not be opened, or somebody else has them.
    Boards(OpenErrors),
    /// The cycle was not made.
    Assemble(AssembleError),
}

impl fmt::Display for RescueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RescueError::Boards(why) => write!(f, "its boards could not be taken over: {why}"),
            RescueError::Assemble(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for RescueError {}

impl fmt::Display for Rescued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pose = if self.safe {
            "it went to its safe pose"
        } else {
            "it did not reach its safe pose"
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
/// [`RescueError`]; the boards' own watchdogs are what is left then.
pub fn rescue(robot: &Robot, last: &Last) -> Result<Rescued, RescueError> {
    let begun = Moment::now();
    let mut robot = robot.clone();
    let manners = &mut robot.settings.manners;
    (manners.retreat, manners.fade_out) =
        (manners.retreat.min(RETREAT), manners.fade_out.min(FADE));
    let mut opened = loop {
        match boards::take_over(&robot) {
            Ok(opened) => break opened,
            // A process that is gone may leave its locks a moment later.
            Err(why) if begun.elapsed() > FREE => return Err(RescueError::Boards(why)),
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let silent = grasp(&robot, &mut opened.rack, last);
    let taken = begun.elapsed();
    let limp = bring_down(&robot, opened, last, begun).map_err(RescueError::Assemble)?;
    Ok(Rescued {
        taken,
        limp: limp.0,
        safe: limp.1,
        silent,
    })
}

/// Sends what was sent last until every board has answered; the names of those that did not.
fn grasp(robot: &Robot, rack: &mut Rack, last: &Last) -> Vec<String> {
    let begun = Moment::now();
    let target = |(it, sent): (&crate::config::Actuator, &f64)| Target {
        counts: it.calibration.counts(*sent, it.range),
        gains: it.gains.unwrap_or(Gains::LIMP),
    };
    let targets: Vec<_> = robot.actuators.iter().zip(&last.sent).map(target).collect();
    let mut counts = vec![0.0; robot.sensors.len()];
    let mut waited: Vec<_> = rack.0.iter().map(|it| it.board).collect();
    let mut turn = 0;
    while !waited.is_empty() && begun.elapsed() < TAKEN {
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

/// Turns until the body is limp; how long it took, and whether it is in its safe pose.
fn bring_down(
    robot: &Robot,
    mut opened: Opened,
    last: &Last,
    begun: Moment,
) -> Result<(Duration, bool), AssembleError> {
    assemble(robot, |cycle, sim| {
        for mounted in &opened.rack.0 {
            sim.borrow_mut().leave(mounted.board);
        }
        cycle.take_over(Instant::ZERO, last.power, &last.sent);
        let (clock, mut left, mut safe) = (Clock::start(), GOODBYES, false);
        let mut pace = Pace::new(robot.settings.period, clock.now());
        let mut limp = None;
        while left > 0 {
            clock.sleep_until(pace.next(clock.now()));
            // A stop line stops this as well: then there is nothing to do but to let go.
            let over =
                begun.elapsed() + Duration::from_millis(100) > WITHIN || opened.rack.stopped();
            if over && limp.is_none() {
                let _ = cycle.stage().disarm();
            }
            let report = cycle.turn(
                clock.now(),
                &mut Ports {
                    inbox: &mut (),
                    hooks: &mut (),
                    board: &mut Wired {
                        sim,
                        rack: &mut opened.rack,
                    },
                    page: &mut (),
                },
            );
            let arrived = robot
                .actuators
                .iter()
                .zip(cycle.view().tracks)
                .all(|(it, track)| {
                    let step = it.calibration.gain.abs().max(1e-6);
                    it.safe.is_none_or(|pose| (track.sent - pose).abs() <= step)
                });
            safe |= arrived && report.power > 0.0;
            if report.power <= 0.0 {
                limp.get_or_insert_with(|| begun.elapsed());
                left -= 1;
            }
        }
        (limp.unwrap_or_default(), safe)
    })
}
