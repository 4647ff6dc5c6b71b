//! Judges the commands that were taken: values outside their range, commands after their instant, lines that begin
//! too late. Called by the simulation in every turn. Rounding is not a finding.

use cycle::Taken;

use super::finding::{CheckFinding, Findings};
use super::format::{both, end_of, seconds};
use super::key_gaps::KeyGaps;
use super::rounding::{is_rounding, step};
use super::rule::{Rule, Severity};
use description::{ActuatorSpec, ROUNDED, Robot};

/// Judges what was taken: values outside their range, commands after their instant, lines that begin too late.
/// `now` is of the show's clock, whose 0 is `lead` s after the instant in which it began.
pub(super) fn taken(
    robot: &Robot,
    all: &[Taken],
    (now, (begun, lead)): (f64, (cycle::Instant, f64)),
    gaps: &mut KeyGaps,
    findings: &mut Findings,
) {
    for taken in all {
        let Some(actuator) = robot.actuators.get(usize::from(taken.actuator.0)) else {
            continue;
        };
        let name = &actuator.name;
        let after_begin = if taken.at < begun {
            -(begun - taken.at).seconds()
        } else {
            (taken.at - begun).seconds()
        };
        let at = after_begin - lead;
        gaps.taken(robot, taken, (now, at), findings);
        if (taken.asked - taken.taken).abs() > ROUNDED.max(step(actuator)) {
            let when = at.max(now);
            let of = (Rule::Range, name.as_str());
            findings.count(of, (taken.asked, taken.taken), || {
                leaves_range(actuator, taken, when)
            });
        }
        let late = now - at;
        if late > ROUNDED {
            findings.count((Rule::Late, name), (late, 0.0), || {
                let sentence = format!(
                    "a command for {name} at {} came {} too late",
                    seconds(at),
                    seconds(late)
                );
                let fix = format!(
                    "send it at least {} earlier, or for a later instant",
                    seconds(late)
                );
                CheckFinding {
                    who: name.clone(),
                    at: Some(at.max(-lead)),
                    value: Some(late),
                    limit: Some(0.0),
                    unit: "s".to_owned(),
                    ..CheckFinding::new(Rule::Late, sentence, fix)
                }
            });
        }
    }
}

/// A command for a value outside its actuator's range.
fn leaves_range(actuator: &ActuatorSpec, taken: &Taken, when: f64) -> CheckFinding {
    let (name, unit) = (&actuator.name, &*actuator.unit);
    let [asked, edge] = both(taken.asked, taken.taken, unit);
    let within = end_of(taken.taken, unit, |value| actuator.range.holds(value));
    let bound = if taken.asked > taken.taken {
        "most"
    } else {
        "least"
    };
    let severity = match is_rounding(actuator, taken.asked, taken.taken) {
        true => Severity::Warning,
        false => Rule::Range.severity(),
    };
    CheckFinding {
        who: name.clone(),
        severity,
        at: Some(when),
        value: Some(taken.asked),
        limit: Some(taken.taken),
        ..CheckFinding::new(
            Rule::Range,
            format!(
                "at {} {name} is asked for {asked}, but its range ends at {edge}",
                seconds(when),
            ),
            format!("ask for {within} at {bound}"),
        )
    }
}
