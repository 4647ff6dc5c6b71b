//! Pictures of a verdict: the joints that break a rule, and the whole show as a strip.
//! Called by `check`; the crate `pictures` draws. What breaks a rule is marked where it happens, and a
//! pointer over the mark shows the rule.

use std::path::Path;

use anyhow::{Result, bail};
use check::{CheckFinding, CheckReport, Severity};
use cycle::Kind;
use description::Robot;
use pictures::{Band, Chart, Mark, SECONDS, Series, StripChart, StripRow, WIDTH};

use crate::verbs::watch::plot;

/// How long before a finding about the whole body joints are looked for that caused it, s.
const LEAD: f64 = 1.0;

/// Joints in one picture.
const JOINTS: usize = 6;

/// Commanded beside sent, of the joints that break a rule first, or else of those that move most.
pub(super) fn joints(robot: &Robot, checked: &CheckReport, file: &Path) -> Result<()> {
    let findings: Vec<_> = findings_of_run(checked).collect();
    let shown = shown_joints(robot, checked, &findings);
    let strip = &checked.history;
    let line = |place: usize, commanded: bool| {
        let actuator = &robot.actuators[place];
        let of = |turn: &Vec<(f64, f64)>| {
            let (wanted, sent) = turn[place];
            if commanded { wanted } else { sent }
        };
        Series {
            title: format!(
                "{}.{}",
                actuator.name,
                if commanded { "commanded" } else { "sent" }
            ),
            unit: actuator.unit.clone(),
            values: strip.values.iter().map(of).collect(),
        }
    };
    let lines: Vec<_> = shown
        .iter()
        .flat_map(|place| [line(*place, true), line(*place, false)])
        .collect();
    if lines.is_empty() || strip.times.is_empty() {
        bail!("nothing to draw: no joint moved");
    }
    let own = |finding: &&CheckFinding| {
        place_of(robot, finding).is_none_or(|place| shown.contains(&place))
    };
    let marks = findings.iter().copied().filter(own);
    let marks = marks.filter_map(mark).collect();
    let limits = match shown.as_slice() {
        [only] => {
            let actuator = &robot.actuators[*only];
            Some((
                actuator.unit.clone(),
                actuator.range.min,
                actuator.range.max,
            ))
        }
        _ => None,
    };
    let chart = Chart {
        name: checked.verdict.show.clone(),
        clock: SECONDS.into(),
        times: strip.times.clone(),
        lines,
        limits,
        marks,
    };
    let format = plot::format_of(file)?;
    let (drawing, _) = chart.draw(&title(checked), WIDTH, None)?;
    format.write(drawing, file)
}

/// Up to six joints: those that the findings name, or those that moved before a finding about the whole body.
fn shown_joints(robot: &Robot, checked: &CheckReport, findings: &[&CheckFinding]) -> Vec<usize> {
    let blamed: Vec<usize> = findings
        .iter()
        .filter_map(|finding| place_of(robot, finding))
        .collect();
    // What concerns the whole body comes from the joints that moved most before it.
    let of_body = findings
        .first()
        .filter(|finding| place_of(robot, finding).is_none())
        .and_then(|finding| finding.at);
    let wanted = if of_body.is_some() {
        JOINTS
    } else {
        blamed.len().clamp(1, JOINTS)
    };
    let before = of_body.map_or((f64::NEG_INFINITY, f64::INFINITY), |at| (at - LEAD, at));
    let by_moving = moving(robot, checked, before);
    let (first, then) = if of_body.is_some() {
        (by_moving, blamed)
    } else {
        (blamed, by_moving)
    };
    let mut shown: Vec<usize> = Vec::new();
    for place in first.into_iter().chain(then) {
        if !shown.contains(&place) {
            shown.push(place);
        }
        if shown.len() >= wanted {
            break;
        }
    }
    shown
}

fn title(checked: &CheckReport) -> String {
    let verdict = &checked.verdict;
    let word = if verdict.passes { "passes" } else { "fails" };
    let start = match checked.history.start.as_str() {
        "" | "rest" => String::new(),
        start => format!(" (from {start})"),
    };
    format!("{} on {}: {word}{start}", verdict.show, verdict.robot)
}

/// The findings whose figures are those of the run that is drawn, and those of no run.
fn findings_of_run(checked: &CheckReport) -> impl Iterator<Item = &CheckFinding> {
    let start = &checked.history.start;
    let findings = checked.verdict.findings.iter();
    findings.filter(move |finding| finding.starts.first().is_none_or(|first| first == start))
}

fn place_of(robot: &Robot, finding: &CheckFinding) -> Option<usize> {
    robot
        .actuators
        .iter()
        .position(|actuator| actuator.name == finding.who)
}

fn mark(finding: &CheckFinding) -> Option<Mark> {
    let from = finding.at?;
    Some(Mark {
        from,
        to: finding.until.unwrap_or(from).max(from),
        why: format!("{}: {}", finding.rule.name(), finding.sentence),
    })
}

/// Joints that move between two instants, those that move most first.
fn moving(robot: &Robot, checked: &CheckReport, (from, to): (f64, f64)) -> Vec<usize> {
    let extent = |place: usize| {
        let history = &checked.history;
        let turns = history.times.iter().zip(&history.values);
        let turns = turns.filter(|(at, _)| (from..=to).contains(*at));
        let sent = turns.map(|(_, value)| value[place].1);
        let (low, high) = sent.fold((f64::INFINITY, f64::NEG_INFINITY), |sum, value| {
            (sum.0.min(value), sum.1.max(value))
        });
        high - low
    };
    let jointed = |place: &usize| {
        let kind = robot.actuators[*place].kind;
        matches!(kind, Kind::Joint | Kind::Hand | Kind::Wheel)
    };
    let all = (0..robot.actuators.len()).filter(jointed);
    let mut all: Vec<_> = all
        .map(|value| (value, extent(value)))
        .filter(|pair| pair.1 > 1e-6)
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.into_iter().map(|pair| pair.0).collect()
}

/// A row for each joint that moves, within its range, and one for what concerns the whole body.
pub(super) fn strip(robot: &Robot, checked: &CheckReport, file: &Path) -> Result<()> {
    let format = plot::format_of(file)?;
    if checked.history.times.is_empty() {
        bail!("nothing to draw: the show never played");
    }
    let mut moving = moving(robot, checked, (f64::NEG_INFINITY, f64::INFINITY));
    moving.sort_unstable();
    let findings: Vec<_> = findings_of_run(checked).collect();
    let mut rows: Vec<_> = moving
        .iter()
        .map(|item| row(robot, checked, *item))
        .collect();
    let whole = findings.iter().copied();
    let whole = whole.filter(|finding| place_of(robot, finding).is_none());
    rows.push(StripRow {
        name: "the body".to_owned(),
        shares: Vec::new(),
        bands: whole.filter_map(band).collect(),
    });
    let strip = StripChart {
        title: title(checked),
        times: checked.history.times.clone(),
        rows,
    };
    format.write(strip.draw(), file)
}

/// The row of an actuator.
fn row(robot: &Robot, checked: &CheckReport, place: usize) -> StripRow {
    let actuator = &robot.actuators[place];
    let wide = (actuator.range.max - actuator.range.min).max(1e-9);
    let values = checked.history.values.iter();
    let own = findings_of_run(checked).filter(|finding| finding.who == actuator.name);
    StripRow {
        name: actuator.name.clone(),
        shares: values
            .map(|value| (value[place].1 - actuator.range.min) / wide)
            .collect(),
        bands: own.filter_map(band).collect(),
    }
}

/// Where a finding is marked in its row.
fn band(finding: &CheckFinding) -> Option<Band> {
    let mark = mark(finding)?;
    Some(Band {
        from: mark.from,
        to: mark.to,
        is_failure: finding.severity == Severity::Failure,
        why: mark.why,
    })
}
