//! The two lists of the screen: joints within their ranges, guests with their fuel.
//! Called by the screen. The selected line is always visible.

use printable::printable;
use protocol::Guest;
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use super::keys::{Focus, ScreenState};
use super::snapshot::{JointSample, RobotSnapshot};
use crate::text::words::count;
use crate::verbs::watch::joints::bar;
use crate::verbs::watch::ps;

/// The width of a gauge.
const GAUGE: usize = 10;

/// The longest name that is not shortened.
const NAME: usize = 16;

/// Lines that a list's borders and titles take.
const FRAME: u16 = 3;

/// The first visible line, so that `at` is near the middle of `rows` out of `all`.
pub(super) fn first(at: usize, all: usize, rows: usize) -> usize {
    let last = all.saturating_sub(rows);
    at.saturating_sub(rows / 2).min(last)
}

/// The joints that fit into this many lines.
pub(super) fn joints(
    snapshot: &RobotSnapshot,
    view: &ScreenState,
    height: u16,
) -> Paragraph<'static> {
    let all = &snapshot.joints;
    let rows = usize::from(height.saturating_sub(FRAME));
    let width = widest(all.iter().map(|item| item.joint.name.as_str()));
    let at = view.joint.min(all.len().saturating_sub(1));
    let titles = format!(
        "{:<width$} {:>8} {:>8} {:>8} {:<5} {:>7} range",
        "joint", "sent", "measured", "error", "unit", "heat"
    );
    let mut lines = vec![Line::raw(titles).dim()];
    let seen = all.iter().enumerate().skip(first(at, all.len(), rows));
    for (place, item) in seen.take(rows) {
        let line = joint(item, width);
        let is_selected = view.focus == Focus::Joints && place == at;
        lines.push(if is_selected { line.reversed() } else { line });
    }
    if all.is_empty() {
        lines.push(Line::raw("this robot has no joints").dim());
    }
    let title = format!(" {} joints: ○ sent  ● measured ", all.len());
    framed(lines, title, view.focus == Focus::Joints)
}

fn joint(sample: &JointSample, width: usize) -> Line<'static> {
    let figure = |value: Option<f64>| match value {
        Some(value) => format!("{value:>8.3} "),
        None => format!("{:>8} ", "-"),
    };
    let joint = &sample.joint;
    let heat = match (sample.temperature, joint.warm, joint.hot) {
        (Some(now), _, Some(hot)) if now >= hot => Style::new().red(),
        (Some(now), Some(warm), _) if now >= warm => Style::new().yellow(),
        _ => Style::new(),
    };
    let degrees = sample
        .temperature
        .map(|temperature| format!("{temperature:.1}°C"));
    let picture = match sample.sent {
        Some(sent) => bar(joint.lowest, joint.highest, sent, sample.actual),
        None => String::new(),
    };
    Line::from(vec![
        Span::raw(format!("{:<width$} ", fitted(&joint.name, width))),
        Span::raw(figure(sample.sent)),
        Span::raw(figure(sample.actual)),
        Span::raw(figure(sample.error())),
        Span::raw(format!("{:<5} ", fitted(&joint.unit, 5))).dim(),
        Span::styled(format!("{:>7} ", degrees.unwrap_or_default()), heat),
        Span::raw(picture).cyan(),
    ])
}

/// The guests that fit into this many lines.
pub(super) fn guests(
    snapshot: &RobotSnapshot,
    view: &ScreenState,
    height: u16,
) -> Paragraph<'static> {
    let all = &snapshot.guests;
    let rows = usize::from(height.saturating_sub(FRAME));
    let width = widest(all.iter().map(|item| item.name.as_str()));
    let selected = view.selected(snapshot);
    let titles = format!(
        "{:<width$} {:<8} {:<15} {:<15} {:>9}  {:<18} {:>8} {:>9}  parameters",
        "guest", "life", "played", "fuel", "", "misses", "priority", "commands"
    );
    let mut lines = vec![Line::raw(titles).dim()];
    let from = first(selected.unwrap_or(0), all.len(), rows);
    for (place, item) in all.iter().enumerate().skip(from).take(rows) {
        let line = guest(item, width);
        let is_selected = view.focus == Focus::Guests && selected == Some(place);
        lines.push(if is_selected { line.reversed() } else { line });
    }
    if all.is_empty() {
        lines.push(Line::raw("no guest plays").dim());
    }
    let title = format!(
        " {} guests: fuel of the most expensive call in the last turn, of the granted fuel ",
        all.len()
    );
    framed(lines, title, view.focus == Focus::Guests)
}

fn guest(guest: &Guest, width: usize) -> Line<'static> {
    let life = match guest.life.as_str() {
        "running" => Style::new().green(),
        _ => Style::new().yellow(),
    };
    let misses = ps::misses(guest);
    let quiet = misses == "none";
    let misses = Span::raw(format!("{misses:<18} "));
    Line::from(vec![
        Span::raw(format!("{:<width$} ", fitted(&guest.name, width))).bold(),
        Span::styled(format!("{:<8} ", guest.life), life),
        Span::raw(format!("{:<15} ", ps::played(guest))),
        Span::raw(gauge(ps::fuel(guest).last, guest.fuel)).cyan(),
        Span::raw(format!(" {:>9}  ", count(ps::fuel(guest).last))),
        if quiet { misses.dim() } else { misses.yellow() },
        Span::raw(format!("{:>8} ", guest.priority)),
        Span::raw(format!("{:>9}  ", count(guest.commands))),
        Span::raw(parameters(guest)),
    ])
}

/// A guest's parameters.
fn parameters(guest: &Guest) -> String {
    let params = guest.params.iter();
    let params = params.map(|(name, [_, value, _])| format!("{}={value}", printable(name)));
    params.collect::<Vec<_>>().join(" ")
}

/// The used share of the granted fuel: cells, and percent.
fn gauge(used: u64, granted: u64) -> String {
    let share = match granted {
        0 => 0.0,
        _ => used as f64 / granted as f64,
    };
    // Any use is visible.
    let cells = (share * GAUGE as f64).ceil().min(GAUGE as f64) as usize;
    let percent = (share * 100.0).min(999.0);
    format!(
        "{}{} {percent:>3.0}%",
        "■".repeat(cells),
        "·".repeat(GAUGE - cells)
    )
}

fn widest<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    let widest = names.map(|name| name.chars().count()).max().unwrap_or(0);
    widest.clamp(5, NAME)
}

fn fitted(name: &str, width: usize) -> String {
    printable(name).chars().take(width).collect()
}

fn framed(lines: Vec<Line<'static>>, title: String, has_focus: bool) -> Paragraph<'static> {
    let style = if has_focus {
        Style::new().cyan()
    } else {
        Style::new().dim()
    };
    Paragraph::new(lines).block(Block::bordered().title(title).border_style(style))
}

#[cfg(test)]
mod tests {
    use super::{first, gauge};

    #[test]
    fn a_gauge_is_never_more_than_full() {
        assert_eq!(gauge(0, 100), "··········   0%");
        assert_eq!(gauge(1, 100), "■·········   1%");
        assert_eq!(gauge(100, 100), "■■■■■■■■■■ 100%");
        assert_eq!(gauge(u64::MAX, 1), "■■■■■■■■■■ 999%");
        assert_eq!(gauge(7, 0), "··········   0%");
    }

    #[test]
    fn a_line_that_is_selected_is_seen() {
        for at in 0..30 {
            let from = first(at, 30, 7);
            assert!((from..from + 7).contains(&at) && from + 7 <= 30);
        }
        assert_eq!(first(5, 3, 7), 0);
    }
}
