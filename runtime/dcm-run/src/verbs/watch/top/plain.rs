//! Prints a snapshot as plain text. Called by `--once`, and without a terminal.
//! It prints what the screen shows, line by line.

use printable::printable;
use std::io::{Result, Write};

use cycle::{Span, State};
use robot::states::phrase;

use super::screen::in_words;
use super::snapshot::{JointSample, RobotSnapshot};
use crate::text::words::{BAD, BOLD, FAINT, count, counted, figure, paint, time};
use crate::verbs::watch::joints::bar;
use crate::verbs::watch::ps;

/// Writes it.
pub(super) fn write(out: &mut impl Write, snapshot: &RobotSnapshot) -> Result<()> {
    let state: Option<&str> = State::of_name(&snapshot.state).map(phrase);
    writeln!(
        out,
        "{} is {}: turn {}, {:.1} s, {}, {} late, turn duration {}",
        paint(BOLD, printable(&snapshot.robot)),
        paint(BOLD, printable(state.unwrap_or(&snapshot.state))),
        count(snapshot.turn),
        snapshot.now_ns as f64 / 1e9,
        snapshot.turns.realtime.phrase(),
        count(snapshot.turns.late),
        time(Span::from_nanos(snapshot.work_ns)),
    )?;
    writeln!(out, "possible now: {}", snapshot.possible().join(", "))?;
    if !snapshot.silent.is_empty() {
        let silent = format!("silent: {}", snapshot.silent.join(", "));
        writeln!(out, "{}", paint(BAD, printable(&silent)))?;
    }
    let widths = snapshot
        .joints
        .iter()
        .map(|joint| joint.joint.name.chars().count());
    let width = widths.max().unwrap_or(0);
    for item in &snapshot.joints {
        writeln!(out, "{}", joint(item, width))?;
    }
    for guest in &snapshot.guests {
        let mut line = format!(
            "{} is {}: played {}, priority {}, fuel {} of {}, {}, misses: {}",
            printable(&guest.name),
            guest.life,
            ps::played(guest),
            guest.priority,
            count(ps::fuel(guest).last),
            count(guest.fuel),
            counted(guest.commands, "command"),
            ps::misses(guest),
        );
        for (name, [_, value, _]) in &guest.params {
            line.push_str(&format!(", {}={value}", printable(name)));
        }
        writeln!(out, "{line}")?;
    }
    if snapshot.guests.is_empty() {
        writeln!(out, "no guest plays")?;
    }
    let buckets = snapshot
        .turns
        .buckets()
        .into_iter()
        .filter(|bucket| bucket.1 > 0);
    let buckets: Vec<_> = buckets
        .map(|(bound, many)| format!("{bound}: {}", count(many)))
        .collect();
    if !buckets.is_empty() {
        writeln!(out, "turns by duration, up to: {}", buckets.join(", "))?;
    }
    for event in &snapshot.events {
        writeln!(out, "{}", in_words(event))?;
    }
    Ok(())
}

fn joint(sample: &JointSample, width: usize) -> String {
    let value = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), figure);
    let joint = &sample.joint;
    let bar = sample.sent.map_or_else(String::new, |sent| {
        bar(joint.lowest, joint.highest, sent, sample.actual)
    });
    let heat = sample
        .temperature
        .map_or_else(String::new, |temperature| format!("  {temperature:.1} °C"));
    format!(
        "{:<width$}  sent {:>10}  measured {:>10}  error {:>10} {:<4} {}{heat}",
        printable(&joint.name),
        value(sample.sent),
        value(sample.actual),
        value(sample.error()),
        joint.unit,
        paint(FAINT, bar),
    )
}
