//! Prints a snapshot as plain text. Called by `--once`, and without a terminal.
//! The law: it prints what the screen shows, line by line.

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
        .map(|it| it.joint.name.chars().count());
    let width = widths.max().unwrap_or(0);
    for it in &snapshot.joints {
        writeln!(out, "{}", joint(it, width))?;
    }
    for it in &snapshot.guests {
        let mut line = format!(
            "{} is {}: played {}, priority {}, fuel {} of {}, {}, misses: {}",
            printable(&it.name),
            it.life,
            ps::played(it),
            it.priority,
            count(ps::fuel(it).last),
            count(it.fuel),
            counted(it.commands, "command"),
            ps::misses(it),
        );
        for (name, [_, value, _]) in &it.params {
            line.push_str(&format!(", {}={value}", printable(name)));
        }
        writeln!(out, "{line}")?;
    }
    if snapshot.guests.is_empty() {
        writeln!(out, "no guest plays")?;
    }
    let buckets = snapshot.turns.buckets().into_iter().filter(|it| it.1 > 0);
    let buckets: Vec<_> = buckets
        .map(|(bound, many)| format!("{bound}: {}", count(many)))
        .collect();
    if !buckets.is_empty() {
        writeln!(out, "turns by duration, up to: {}", buckets.join(", "))?;
    }
    for it in &snapshot.events {
        writeln!(out, "{}", in_words(it))?;
    }
    Ok(())
}

fn joint(it: &JointSample, width: usize) -> String {
    let value = |it: Option<f64>| it.map_or_else(|| "-".to_owned(), figure);
    let joint = &it.joint;
    let bar = it.sent.map_or_else(String::new, |sent| {
        bar(joint.lowest, joint.highest, sent, it.actual)
    });
    let heat = it
        .temperature
        .map_or_else(String::new, |it| format!("  {it:.1} °C"));
    format!(
        "{:<width$}  sent {:>10}  measured {:>10}  error {:>10} {:<4} {}{heat}",
        printable(&joint.name),
        value(it.sent),
        value(it.actual),
        value(it.error()),
        joint.unit,
        paint(FAINT, bar),
    )
}
