//! Prints a glance as plain text. Called by `--once`, and without a terminal.
//! The law: it prints what the screen shows, line by line.

use std::io::{Result, Write};

use cycle::Span;

use super::glance::{Glance, Standing, calm};
use super::screen::in_words;
use crate::joints::bar;
use crate::ps;
use crate::words::{BAD, BOLD, FAINT, count, figure, paint, time};

/// Writes it.
pub(super) fn write(out: &mut impl Write, glance: &Glance) -> Result<()> {
    writeln!(
        out,
        "{} is {}: turn {}, {:.1} s, {} late, turn duration {}",
        paint(BOLD, calm(&glance.robot)),
        paint(BOLD, calm(&glance.state)),
        count(glance.turn),
        glance.now_ns as f64 / 1e9,
        count(glance.turns.late),
        time(Span::from_nanos(glance.work_ns)),
    )?;
    writeln!(out, "possible now: {}", glance.possible().join(", "))?;
    if !glance.silent.is_empty() {
        let silent = format!("silent: {}", glance.silent.join(", "));
        writeln!(out, "{}", paint(BAD, calm(&silent)))?;
    }
    let widths = glance.joints.iter().map(|it| it.joint.name.chars().count());
    let width = widths.max().unwrap_or(0);
    for it in &glance.joints {
        writeln!(out, "{}", joint(it, width))?;
    }
    for it in &glance.guests {
        let mut line = format!(
            "{} is {}: played {}, priority {}, fuel {} of {}, {} commands, misses: {}",
            calm(&it.name),
            it.life,
            ps::played(it),
            it.priority,
            count(ps::fuel(it).last),
            count(it.fuel),
            count(it.commands),
            ps::misses(it),
        );
        for (name, [_, value, _]) in &it.params {
            line.push_str(&format!(", {}={value}", calm(name)));
        }
        writeln!(out, "{line}")?;
    }
    if glance.guests.is_empty() {
        writeln!(out, "no guest plays")?;
    }
    let buckets = glance.turns.buckets().into_iter().filter(|it| it.1 > 0);
    let buckets: Vec<_> = buckets
        .map(|(bound, many)| format!("{bound}: {}", count(many)))
        .collect();
    if !buckets.is_empty() {
        writeln!(out, "turns by duration, up to: {}", buckets.join(", "))?;
    }
    for it in &glance.happened {
        writeln!(out, "{}", in_words(it))?;
    }
    Ok(())
}

fn joint(it: &Standing, width: usize) -> String {
    let value = |it: Option<f64>| it.map_or_else(|| "-".to_owned(), figure);
    let joint = &it.joint;
    let bar = it.sent.map_or_else(String::new, |sent| {
        bar(joint.lowest, joint.highest, sent, it.actual)
    });
    let heat = it
        .temperature
        .map_or_else(String::new, |it| format!("  {it:.1} °C"));
    format!(
        "{:<width$}  sent {:>10}  is {:>10}  error {:>10} {:<4} {}{heat}",
        calm(&joint.name),
        value(it.sent),
        value(it.actual),
        value(it.error()),
        joint.unit,
        paint(FAINT, bar),
    )
}
