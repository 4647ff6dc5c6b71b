//! Judges gaps between keys: if a key is sent only after the key before it has passed, the joint stands still and
//! then has to hurry.
//! Asked in every turn with the commands that were taken. A command for now, or soon after, is a move of its
//! own.

use cycle::Taken;

use super::finding::{CheckFinding, Findings};
use super::format::{amount, seconds};
use super::rule::Rule;
use description::{ROUNDED, Robot};

/// How long a joint may stand still without a finding, s: scores rest between their moves.
const RESTS: f64 = 1.0;

/// How many times faster than the straight line between its keys a joint may move without a finding.
const HURRIES: f64 = 2.0;

/// The last key of each actuator: on the show's clock, s, and the value.
#[derive(Clone, Debug)]
pub(super) struct KeyGaps {
    last: Vec<Option<(f64, f64)>>,
}

impl KeyGaps {
    /// Of a robot.
    pub(super) fn of(robot: &Robot) -> KeyGaps {
        KeyGaps {
            last: vec![None; robot.actuators.len()],
        }
    }

    /// A new show begins.
    pub(super) fn begin(&mut self) {
        self.last.fill(None);
    }

    /// Judges a command that was taken at `now` for the instant `at`, both on the show's clock, s.
    pub(super) fn taken(
        &mut self,
        robot: &Robot,
        taken: &Taken,
        (now, at): (f64, f64),
        findings: &mut Findings,
    ) {
        let place = usize::from(taken.actuator.0);
        let (Some(actuator), Some(last)) = (robot.actuators.get(place), self.last.get_mut(place))
        else {
            return;
        };
        let before = last.filter(|pair| pair.0 <= at);
        if before.is_some() || last.is_none() {
            *last = Some((at, taken.taken));
        }
        let Some((since, from)) = before else { return };
        let (stood, way) = (now - since, (taken.taken - from).abs());
        if stood < RESTS || way <= ROUNDED || at <= now {
            return;
        }
        let factor = (at - since) / (at - now);
        if factor < HURRIES {
            return;
        }
        let (name, to) = (&actuator.name, amount(taken.taken, &actuator.unit));
        let sentence = format!(
            "{name} has a key at {} and one at {}, to {to}. The second came only at {}: the joint stands still until \
             then, and moves {factor:.1} times as fast as the straight line between them",
            seconds(since),
            seconds(at),
            seconds(now),
        );
        let fix = format!(
            "send it before {}; if {name} is meant to rest, send a key for the end of the rest as well",
            seconds(since)
        );
        findings.add(CheckFinding {
            who: name.clone(),
            at: Some(now),
            until: Some(at),
            value: Some(stood),
            limit: Some(0.0),
            unit: "s".to_owned(),
            ..CheckFinding::new(Rule::Gap, sentence, fix)
        });
    }
}
