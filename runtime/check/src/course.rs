//! Judges what the limits do to each joint's course: too far, too fast, too sharp, or too soon.
//! Asked in every turn with the tracks and with what was taken; closes its findings when a move is over.
//! The law: a move is what goes one way without a rest or a bend, so that what is said of it can be changed by its
//! author: its time, or its size.

use cycle::{Clip, Kind, Track};

use super::finding::{Finding, Findings};
use super::rule::{Rule, Severity};
use super::words::{amount, both, end_of, seconds};
use description::{ActuatorSpec, ROUNDED, Robot};

/// What comes this far behind for so short a time is only told: rad, a share of the move, s.
const LITTLE: (f64, f64, f64) = (0.017_453_292_519_943_295, 0.05, 0.1);

/// How far a joint may come behind by its acceleration alone, as a share of its range: corners are rounded.
const CORNER: f64 = 0.01;

/// The same for a corner, which lines between keys always have: a share of the move, s.
const LITTLE_CORNER: (f64, f64) = (0.15, 0.25);

/// A speed that changes in one turn by more than this share of the joint's own begins another move.
const BEND: f64 = 0.3;

/// The courses of all actuators.
#[derive(Clone, Debug)]
pub(super) struct Courses {
    list: Vec<Course>,
}

#[derive(Clone, Debug, Default)]
struct Course {
    /// What was commanded in the turn before, and how fast it went.
    last: f64,
    speed: f64,
    /// Somebody drives it.
    driven: bool,
    /// Since when, s.
    driven_since: f64,
    /// Where and when the move under way began.
    from: f64,
    since: f64,
    open: Option<Open>,
}

/// A move that the limits have changed.
#[derive(Clone, Copy, Debug)]
struct Open {
    clip: Clip,
    first: bool,
    from: f64,
    since: f64,
    to: f64,
    until: f64,
    /// The move is over; the joint still comes after it.
    over: bool,
    value: f64,
    limit: f64,
    /// How far it came behind at most.
    behind: f64,
    /// How long it was behind, and when last.
    late: f64,
    late_until: f64,
}

/// The turn that is judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now<'a> {
    /// s after the show began.
    pub(super) at: f64,
    /// s since the turn before.
    pub(super) elapsed: f64,
    /// The tracks after it.
    pub(super) tracks: &'a [Track],
}

impl Courses {
    /// Of a robot.
    pub(super) fn of(robot: &Robot) -> Courses {
        Courses {
            list: vec![Course::default(); robot.actuators.len()],
        }
    }

    /// A new show begins.
    pub(super) fn begin(&mut self, tracks: &[Track]) {
        for (course, track) in self.list.iter_mut().zip(tracks) {
            *course = Course {
                last: track.commanded,
                ..Course::default()
            };
        }
    }

    /// A turn has been made.
    pub(super) fn turn(&mut self, robot: &Robot, now: Now<'_>, findings: &mut Findings) {
        let all = self.list.iter_mut().zip(&robot.actuators).zip(now.tracks);
        for (place, ((course, actuator), track)) in all.enumerate() {
            if !matches!(actuator.kind, Kind::Joint | Kind::Hand | Kind::Wheel) {
                continue;
            }
            course.follow(track, &now, actuator.velocity);
            if let Some(open) = course.judge(robot, place, track, &now) {
                findings.extend(open.told(actuator));
            }
        }
    }

    /// The show is over: what is still open is told.
    pub(super) fn end(&mut self, robot: &Robot, findings: &mut Findings) {
        for (course, actuator) in self.list.iter_mut().zip(&robot.actuators) {
            if let Some(open) = course.open.take() {
                findings.extend(open.told(actuator));
            }
        }
    }
}

impl Course {
    /// Follows what is commanded, and sees where a new move begins.
    fn follow(&mut self, track: &Track, now: &Now<'_>, velocity: f64) {
        if track.coverage == 0.0 {
            self.driven = false;
            self.last = track.commanded;
            self.speed = 0.0;
            return;
        }
        if !self.driven {
            self.driven = true;
            self.driven_since = now.at - now.elapsed;
        }
        let step = track.commanded - self.last;
        let speed = if now.elapsed > 0.0 {
            step / now.elapsed
        } else {
            0.0
        };
        // From one line to a much steeper one there is a key, and what is said is of one of the two.
        let bends = (speed - self.speed).abs() > BEND * velocity;
        let goes_on = step.abs() > ROUNDED && speed * self.speed > 0.0 && !bends;
        if step.abs() > ROUNDED && !goes_on {
            self.from = self.last;
            self.since = now.at - now.elapsed;
        }
        if let Some(open) = &mut self.open {
            if goes_on && !open.over {
                open.to = track.commanded;
                open.until = now.at;
            } else {
                open.over = true;
            }
        }
        self.last = track.commanded;
        self.speed = if step.abs() > ROUNDED { speed } else { 0.0 };
    }

    /// What became of this turn; a move that is over, with all that comes after it.
    fn judge(&mut self, robot: &Robot, place: usize, track: &Track, now: &Now<'_>) -> Option<Open> {
        let behind = (track.commanded - track.limited).abs();
        // What is less than a step of the board, its motor cannot tell from nothing.
        let least = ROUNDED.max(step(&robot.actuators[place]));
        let clip = clipped(track).filter(|_| self.driven && behind > ROUNDED);
        let clip = clip.filter(|it| *it != Clip::Position || behind > least);
        let Some(clip) = clip else {
            // Nothing is behind any more; the move itself may still go on.
            return self.open.take_if(|it| it.over || !self.driven);
        };
        let actuator = &robot.actuators[place];
        let clip = match clip {
            // It hurries after what it asks for, which is not too fast by itself.
            Clip::Velocity if self.speed.abs() <= actuator.velocity * (1.0 + ROUNDED) => {
                let alone = if actuator.acceleration.is_finite() {
                    Clip::Acceleration
                } else {
                    Clip::Velocity
                };
                self.open.map_or(alone, |it| it.clip)
            }
            clip => clip,
        };
        let (value, limit) = match clip {
            Clip::Velocity => (self.speed.abs(), actuator.velocity),
            Clip::Acceleration => (behind, actuator.acceleration),
            Clip::Coupled => (track.commanded, coupled_edge(robot, place, track, now)),
            _ => (track.commanded, actuator.range.clamp(track.commanded)),
        };
        let before = match self.open {
            Some(open) if graver(open.clip, clip) && !open.over => None,
            Some(open) if graver(clip, open.clip) => Some(Open {
                behind: open.behind.max(behind),
                late_until: now.at,
                ..open
            }),
            other => other,
        };
        let mut open = before.unwrap_or(Open {
            clip,
            first: self.since <= self.driven_since + now.elapsed / 2.0,
            from: self.from,
            since: self.since,
            to: track.commanded,
            until: now.at,
            over: false,
            value,
            limit,
            behind,
            late: 0.0,
            late_until: now.at,
        });
        if open.clip == clip {
            let farther = (value - limit).abs() > (open.value - open.limit).abs();
            if farther && !open.over {
                (open.value, open.limit) = (value, limit);
            }
        }
        open.behind = open.behind.max(behind);
        open.late += now.elapsed;
        open.late_until = now.at;
        self.open = Some(open);
        None
    }
}

/// One step of the actuator's board, in the actuator's unit.
pub(super) fn step(actuator: &ActuatorSpec) -> f64 {
    if actuator.calibration.whole {
        actuator.calibration.gain.abs()
    } else {
        0.0
    }
}

/// Why a value was changed, the reason that its author can best do something about first.
fn clipped(track: &Track) -> Option<Clip> {
    let order = [
        Clip::Position,
        Clip::Velocity,
        Clip::Coupled,
        Clip::Acceleration,
    ];
    order
        .into_iter()
        .find(|it| track.clipped_now & (1 << *it as u8) != 0)
}

/// Whether one reason explains what the other does.
fn graver(weak: Clip, strong: Clip) -> bool {
    weak == Clip::Acceleration && strong != Clip::Acceleration
}

/// The nearest value that the driver's place allows.
fn coupled_edge(robot: &Robot, place: usize, track: &Track, now: &Now<'_>) -> f64 {
    let own = robot
        .couplings
        .iter()
        .find(|it| usize::from(it.driven.0) == place);
    own.map_or(track.limited, |it| {
        let coupling = cycle::Coupling {
            driver: it.driver,
            driven: it.driven,
            rows: &it.rows,
        };
        let driver = now.tracks[usize::from(it.driver.0)].sent;
        coupling.range_at(driver).clamp(track.commanded)
    })
}

impl Open {
    fn told(&self, actuator: &ActuatorSpec) -> Option<Finding> {
        let (name, unit) = (&actuator.name, &*actuator.unit);
        let corner = CORNER * (actuator.range.max - actuator.range.min);
        let lasted = self.until - self.since;
        let [from, to, behind] = [self.from, self.to, self.behind].map(|it| amount(it, unit));
        let (little, share, short) = match self.clip {
            Clip::Acceleration => (LITTLE.0, LITTLE_CORNER.0, LITTLE_CORNER.1),
            _ => LITTLE,
        };
        let is_little = self.behind <= little && unit == "rad"
            || self.behind <= share * (self.to - self.from).abs();
        let is_told = match self.clip {
            Clip::Velocity => !self.first,
            clip => clip == Clip::Acceleration,
        } && is_little
            && self.late < short;
        let [since, until] = [self.since.max(0.0), self.until].map(seconds);
        let late = seconds(self.late);
        let factor = self.value / self.limit.max(ROUNDED);
        // What it is behind at the end takes so much longer.
        let needed = seconds(lasted + self.behind / self.limit.max(ROUNDED));
        let smaller = amount((self.to - self.from).abs() / factor.max(1.0), unit);
        let move_of = format!("{name} from {from} to {to}");
        let (rule, sentence, fix) = match self.clip {
            Clip::Position => (
                Rule::Range,
                {
                    let [asked, edge] = both(self.value, self.limit, unit);
                    format!("at {until} {name} is driven to {asked}, and its range ends at {edge}")
                },
                format!(
                    "drive it to {} at most",
                    end_of(self.limit, unit, |it| actuator.range.holds(it))
                ),
            ),
            Clip::Coupled => (
                Rule::Coupled,
                format!(
                    "at {until} {name} shall be at {}, and where its driver stands it may go to {} only",
                    amount(self.value, unit),
                    amount(self.limit, unit)
                ),
                format!(
                    "keep it within {} there, or move its driver first",
                    amount(self.limit, unit)
                ),
            ),
            Clip::Velocity if self.first => (
                Rule::Reach,
                format!(
                    "{move_of} shall be there at {until}, {} after it begins; at its {} it takes {needed}",
                    seconds(lasted),
                    amount(self.limit, &format!("{unit}/s"))
                ),
                format!(
                    "let its first key come {needed} after the beginning, or go there by speed"
                ),
            ),
            Clip::Velocity if is_told => (
                Rule::Velocity,
                format!(
                    "{move_of} at {since} is a little fast: it comes {behind} behind, for {late}"
                ),
                format!("slow the move at {since} to {needed}, or leave it: nobody will see it"),
            ),
            Clip::Velocity => (
                Rule::Velocity,
                format!(
                    "{move_of} at {since} asks for {}, and it has {}: it comes up to {behind} behind, for {late}",
                    amount(self.value, &format!("{unit}/s")),
                    amount(self.limit, &format!("{unit}/s"))
                ),
                format!("slow the move at {since} to {needed}, or lower its range to {smaller}"),
            ),
            _ if self.behind <= corner => return None,
            _ => (
                Rule::Acceleration,
                format!(
                    "{move_of} at {since} changes its speed faster than {}: it comes up to {behind} behind, for {late}",
                    amount(self.limit, &format!("{unit}/s²"))
                ),
                format!("ease the move at {since} in and out, or give it more time"),
            ),
        };
        let per_second = matches!(self.clip, Clip::Velocity);
        let (value, limit) = match self.clip {
            Clip::Acceleration => (self.behind, corner),
            _ => (self.value, self.limit),
        };
        Some(Finding {
            who: name.clone(),
            severity: if is_told {
                Severity::Warning
            } else {
                rule.severity()
            },
            at: Some(self.since.max(0.0)),
            until: Some(self.late_until),
            value: Some(value),
            limit: Some(limit),
            unit: if per_second {
                format!("{unit}/s")
            } else {
                unit.to_owned()
            },
            ..Finding::new(rule, sentence, fix)
        })
    }
}
