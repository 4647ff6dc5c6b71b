//! Pictures of a verdict: the joints that break a rule, and the whole show as a strip.
//! The law: what breaks a rule is marked where it happens, and a pointer shows what it is.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use check::{CheckFinding, CheckReport, Severity};
use cycle::Kind;
use description::Robot;

use crate::plot::{self, Format, Line, Mark, SECONDS, Sheet, escaped, px};

/// Joints in one picture.
const JOINTS: usize = 6;

/// A row of the strip, and what is left of it for a name.
const ROW: f64 = 22.0;
const NAMES: f64 = 130.0;
const WIDTH: f64 = 1200.0;
const MARGIN: f64 = 16.0;

const MOVES: &str = "#0072b2";
const FAILS: &str = "#d55e00";
const WARNS: &str = "#e69f00";

/// Commanded beside sent, of the joints that break a rule first, or else of those that move most.
pub(super) fn joints(robot: &Robot, checked: &CheckReport, file: &Path) -> Result<()> {
    let findings = &checked.verdict.findings;
    let blamed = findings.iter().filter_map(|it| place_of(robot, it));
    let mut shown: Vec<usize> = Vec::new();
    for place in blamed.chain(moving(robot, checked)) {
        if shown.len() < JOINTS && !shown.contains(&place) {
            shown.push(place);
        }
        if shown.len()
            >= findings
                .iter()
                .filter_map(|it| place_of(robot, it))
                .count()
                .clamp(1, JOINTS)
        {
            break;
        }
    }
    let strip = &checked.history;
    let line = |place: usize, commanded: bool| {
        let actuator = &robot.actuators[place];
        let of = |it: &Vec<(f64, f64)>| if commanded { it[place].0 } else { it[place].1 };
        Line {
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
        .flat_map(|it| [line(*it, true), line(*it, false)])
        .collect();
    if lines.is_empty() || strip.times.is_empty() {
        bail!("nothing moved, so that there is nothing to draw");
    }
    let own = |it: &&CheckFinding| place_of(robot, it).is_none_or(|it| shown.contains(&it));
    let marks = findings.iter().filter(own).filter_map(mark).collect();
    let limits = match shown.as_slice() {
        [only] => {
            let it = &robot.actuators[*only];
            Some((it.unit.clone(), it.range.min, it.range.max))
        }
        _ => None,
    };
    let sheet = Sheet {
        name: checked.verdict.show.clone(),
        clock: SECONDS,
        times: strip.times.clone(),
        lines,
        limits,
        marks,
    };
    plot::draw(&sheet, &title(checked), file)
}

fn title(checked: &CheckReport) -> String {
    let verdict = &checked.verdict;
    let word = if verdict.passes { "passes" } else { "fails" };
    format!("{} on {}: {word}", verdict.show, verdict.robot)
}

fn place_of(robot: &Robot, finding: &CheckFinding) -> Option<usize> {
    robot.actuators.iter().position(|it| it.name == finding.who)
}

fn mark(finding: &CheckFinding) -> Option<Mark> {
    let from = finding.at?;
    Some(Mark {
        from,
        to: finding.until.unwrap_or(from).max(from),
        why: format!("{}: {}", finding.rule.name(), finding.sentence),
    })
}

/// Joints that move, those that move most first.
fn moving(robot: &Robot, checked: &CheckReport) -> Vec<usize> {
    let extent = |place: usize| {
        let sent = checked.history.values.iter().map(|it| it[place].1);
        let (low, high) = sent.fold((f64::INFINITY, f64::NEG_INFINITY), |it, value| {
            (it.0.min(value), it.1.max(value))
        });
        high - low
    };
    let jointed = |place: &usize| {
        let kind = robot.actuators[*place].kind;
        matches!(kind, Kind::Joint | Kind::Hand | Kind::Wheel)
    };
    let all = (0..robot.actuators.len()).filter(jointed);
    let mut all: Vec<_> = all
        .map(|it| (it, extent(it)))
        .filter(|it| it.1 > 1e-6)
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.into_iter().map(|it| it.0).collect()
}

/// A row for each joint that moves, within its range, and one for what concerns the whole body.
pub(super) fn strip(robot: &Robot, checked: &CheckReport, file: &Path) -> Result<()> {
    let format = Format::of(file)?;
    let strip = &checked.history;
    let mut rows = moving(robot, checked);
    rows.sort_unstable();
    let (Some(first), Some(last)) = (strip.times.first(), strip.times.last()) else {
        bail!("it never played, so that there is nothing to draw");
    };
    let (left, right) = (MARGIN + NAMES, WIDTH - MARGIN);
    let span = (last - first).max(1e-9);
    let across = |at: f64| left + (at - first).clamp(0.0, span) / span * (right - left);
    let top = 44.0;
    let bottom = top + (rows.len() + 1) as f64 * ROW;
    let height = bottom + 34.0;
    let mut text = String::new();
    let mut add = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    let name = title(checked);
    add(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} \
         {height}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">\n<title>{0}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{MARGIN}\" y=\"26\" \
         font-size=\"16\">{0}</text>",
        escaped(&name)
    ));
    let label = |y: f64, text: &str| {
        let (x, y) = (px(left - 8.0), px(y + ROW * 0.68));
        format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{}</text>",
            escaped(text)
        )
    };
    for (number, place) in rows.iter().enumerate() {
        let (y, actuator) = (top + number as f64 * ROW, &robot.actuators[*place]);
        let own = checked
            .verdict
            .findings
            .iter()
            .filter(|it| it.who == actuator.name);
        add(label(y, &actuator.name));
        own.filter_map(|it| band(it, &across, y)).for_each(&mut add);
        let wide = (actuator.range.max - actuator.range.min).max(1e-9);
        let mut points = String::new();
        for (at, values) in strip.times.iter().zip(&strip.values) {
            let share = ((values[*place].1 - actuator.range.min) / wide).clamp(0.0, 1.0);
            // Writing into a text does not fail.
            let _ = write!(
                points,
                "{},{} ",
                px(across(*at)),
                px(y + 2.0 + (1.0 - share) * (ROW - 4.0))
            );
        }
        add(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{MOVES}\" stroke-width=\"1.2\"/>",
            points.trim_end()
        ));
    }
    let whole = checked
        .verdict
        .findings
        .iter()
        .filter(|it| place_of(robot, it).is_none());
    add(label(bottom - ROW, "the body"));
    whole
        .filter_map(|it| band(it, &across, bottom - ROW))
        .for_each(&mut add);
    let (x1, x2, y) = (px(left), px(right), px(bottom));
    add(format!(
        "<line x1=\"{x1}\" y1=\"{y}\" x2=\"{x2}\" y2=\"{y}\" stroke=\"#333333\"/>"
    ));
    for tick in 0..=10 {
        let at = first + span * f64::from(tick) / 10.0;
        let (x, y) = (px(across(at)), px(bottom + 18.0));
        add(format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{at:.1} s</text>"
        ));
    }
    add("</svg>".to_owned());
    plot::write(text, format, file)
}

/// Where a finding lies in its row.
fn band(finding: &CheckFinding, across: &impl Fn(f64) -> f64, y: f64) -> Option<String> {
    let it = mark(finding)?;
    let colour = match finding.severity {
        Severity::Failure => FAILS,
        Severity::Warning => WARNS,
    };
    let (from, to) = (across(it.from), across(it.to));
    let (x, y, wide, why) = (px(from), px(y), px((to - from).max(3.0)), escaped(&it.why));
    Some(format!(
        "<rect class=\"mark\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{ROW}\" fill=\"{colour}\" \
         fill-opacity=\"0.55\"><title>{why}</title></rect>"
    ))
}
