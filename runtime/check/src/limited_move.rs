//! A move of a joint that the limits have changed, and the finding about it. Opened and closed by `trajectory`.
//! A finding names what the author can change: the move's time, or its size.

use cycle::Clip;

use super::finding::CheckFinding;
use super::format::{amount, both, end_of, seconds};
use super::rounding::is_rounding;
use super::rule::{Rule, Severity};
use description::{ActuatorSpec, ROUNDED};

/// A smaller lag for a shorter time is only a warning: rad, a share of the move, s.
const LITTLE: (f64, f64, f64) = (0.017_453_292_519_943_295, 0.05, 0.1);

/// How far a joint may lag because of its acceleration limit, as a share of its range: every corner is rounded.
const CORNER: f64 = 0.01;

/// The same for corners, which every key has: a share of the move, s.
const LITTLE_CORNER: (f64, f64) = (0.15, 0.25);

/// A move that the limits have changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimitedMove {
    pub(super) clip: Clip,
    pub(super) first: bool,
    pub(super) from: f64,
    /// A command's line begins at the turn before it, which may be before the show.
    pub(super) since: f64,
    /// When the show began.
    pub(super) begun: f64,
    pub(super) to: f64,
    pub(super) until: f64,
    /// The move is over, but the joint is still catching up.
    pub(super) over: bool,
    pub(super) value: f64,
    pub(super) limit: f64,
    /// How far the joint lagged at most.
    pub(super) behind: f64,
    /// How long it lagged, s, and when last.
    pub(super) late: f64,
    pub(super) late_until: f64,
}

impl LimitedMove {
    /// What is wrong with this move; nothing if the limits only rounded its corners.
    pub(super) fn finding(&self, actuator: &ActuatorSpec) -> Option<CheckFinding> {
        let corner = CORNER * (actuator.range.max - actuator.range.min);
        let unit = &*actuator.unit;
        let is_estimated =
            self.clip == Clip::Acceleration && actuator.derived_acceleration.is_finite();
        let is_minor = is_estimated || self.is_minor(actuator);
        let (rule, sentence, fix) = match self.clip {
            Clip::Position => self.leaves_range(actuator),
            Clip::Coupled => self.leaves_coupled_range(actuator),
            Clip::Velocity if self.first => self.begins_too_far_away(actuator),
            Clip::Velocity => self.is_too_fast(actuator, is_minor),
            _ if self.behind <= corner => return None,
            _ => self.is_too_sharp(actuator),
        };
        let (value, limit) = match self.clip {
            Clip::Acceleration => (self.behind, corner),
            _ => (self.value, self.limit),
        };
        Some(CheckFinding {
            who: actuator.name.clone(),
            severity: if is_minor {
                Severity::Warning
            } else {
                rule.severity()
            },
            at: Some(self.since.max(self.begun)),
            until: Some(self.late_until),
            value: Some(value),
            limit: Some(limit),
            unit: if self.clip == Clip::Velocity {
                format!("{unit}/s")
            } else {
                unit.to_owned()
            },
            ..CheckFinding::new(rule, sentence, fix)
        })
    }

    /// Whether the joint lags so little, for so short a time, or leaves its range by so little, that it is only a
    /// warning.
    fn is_minor(&self, actuator: &ActuatorSpec) -> bool {
        if matches!(self.clip, Clip::Position | Clip::Coupled) {
            return is_rounding(actuator, self.value, self.limit);
        }
        let (little, share, short) = match self.clip {
            Clip::Acceleration => (LITTLE.0, LITTLE_CORNER.0, LITTLE_CORNER.1),
            Clip::Velocity if !self.first => LITTLE,
            _ => return false,
        };
        let is_little = self.behind <= little && actuator.unit == "rad"
            || self.behind <= share * (self.to - self.from).abs();
        is_little && self.late < short
    }

    fn leaves_range(&self, actuator: &ActuatorSpec) -> (Rule, String, String) {
        let (name, unit) = (&actuator.name, &*actuator.unit);
        let [asked, edge] = both(self.value, self.limit, unit);
        let until = seconds(self.until);
        let within = end_of(self.limit, unit, |value| actuator.range.holds(value));
        (
            Rule::Range,
            format!("at {until} {name} is driven to {asked}, but its range ends at {edge}"),
            format!("drive it to {within} at most"),
        )
    }

    fn leaves_coupled_range(&self, actuator: &ActuatorSpec) -> (Rule, String, String) {
        let (name, until) = (&actuator.name, seconds(self.until));
        let [asked, edge] = [self.value, self.limit].map(|value| amount(value, &actuator.unit));
        (
            Rule::Coupled,
            format!(
                "at {until} {name} is asked for {asked}, but at the position of its driver it may go to {edge} only"
            ),
            format!("keep it within {edge} there, or move its driver first"),
        )
    }

    fn begins_too_far_away(&self, actuator: &ActuatorSpec) -> (Rule, String, String) {
        let (until, lasted) = (seconds(self.until), seconds(self.until - self.since));
        let (name, needed) = (self.name(actuator), self.needed());
        let speed = amount(self.limit, &format!("{}/s", actuator.unit));
        (
            Rule::Reach,
            format!(
                "{name} is due at {until}, {lasted} after it begins; at {speed} it takes {needed}"
            ),
            format!("set its first key {needed} after the beginning, or go there by speed"),
        )
    }

    fn is_too_fast(&self, actuator: &ActuatorSpec, is_minor: bool) -> (Rule, String, String) {
        let unit = &*actuator.unit;
        let (name, needed) = (self.name(actuator), self.needed());
        let (since, late) = (seconds(self.since.max(self.begun)), seconds(self.late));
        let behind = amount(self.behind, unit);
        if is_minor {
            return (
                Rule::Velocity,
                format!("{name} at {since} is a little fast: it lags by {behind}, for {late}"),
                format!(
                    "slow the move at {since} to {needed}, or leave it: the lag is too small to see"
                ),
            );
        }
        let [asked, limit] =
            [self.value, self.limit].map(|value| amount(value, &format!("{unit}/s")));
        let factor = self.value / self.limit.max(ROUNDED);
        let smaller = amount((self.to - self.from).abs() / factor.max(1.0), unit);
        (
            Rule::Velocity,
            format!(
                "{name} at {since} asks for {asked}, but its limit is {limit}: it lags by up to {behind}, for {late}"
            ),
            format!("slow the move at {since} to {needed}, or shorten it to {smaller}"),
        )
    }

    fn is_too_sharp(&self, actuator: &ActuatorSpec) -> (Rule, String, String) {
        let unit = &*actuator.unit;
        let (name, behind) = (self.name(actuator), amount(self.behind, unit));
        let (since, late) = (seconds(self.since.max(self.begun)), seconds(self.late));
        let limit = amount(self.limit, &format!("{unit}/s²"));
        let effect = if actuator.derived_acceleration.is_finite() {
            "an estimate; if it is right, it lags"
        } else {
            "its limit; it lags"
        };
        (
            Rule::Acceleration,
            format!(
                "{name} at {since} changes its speed faster than {limit}, {effect} by up to {behind}, for {late}"
            ),
            format!("ease the move at {since} in and out, or give it more time"),
        )
    }

    /// The joint, and from where to where it moves.
    fn name(&self, actuator: &ActuatorSpec) -> String {
        let [from, to] = [self.from, self.to].map(|value| amount(value, &actuator.unit));
        format!("{} from {from} to {to}", actuator.name)
    }

    /// How long the move takes within the limit: its own time, and the time to catch up at the end.
    fn needed(&self) -> String {
        seconds(self.until - self.since + self.behind / self.limit.max(ROUNDED))
    }
}
