//! The guests in the full-screen view: a line for each, with a gauge of its fuel. Called by `view`.
//! Any use of fuel shows in the gauge.

use protocol::Guest;
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use crate::text::words::{count, counted};
use crate::verbs::watch::ps;

/// The longest name that is shown.
const NAME: usize = 12;

/// The width of the gauge.
const GAUGE: usize = 10;

/// All guests, in the order in which they were loaded.
pub(super) fn picture(guests: &[Guest]) -> Paragraph<'static> {
    let name = guests.iter().map(|guest| guest.name.chars().count()).max();
    let width = name.unwrap_or(0).min(NAME);
    let lines: Vec<_> = guests.iter().map(|guest| line(guest, width)).collect();
    let title = " guests: fuel of the most expensive call in the last turn, of the granted fuel ";
    Paragraph::new(lines).block(Block::bordered().title(title))
}

fn line(guest: &Guest, width: usize) -> Line<'static> {
    let fuel = ps::fuel(guest);
    let name: String = guest.name.chars().take(width).collect();
    let misses = ps::misses(guest);
    let life = match guest.life.as_str() {
        "running" => Style::new().green(),
        _ => Style::new().yellow(),
    };
    let quiet = misses == "none";
    Line::from(vec![
        Span::raw(format!("{name:<width$} ")).bold(),
        Span::styled(format!("{:<8}", guest.life), life),
        Span::raw(format!(" {:<15} ", ps::played(guest))),
        Span::raw(gauge(fuel.last, guest.fuel)).cyan(),
        Span::raw(format!(" {:>9}  ", count(fuel.last))),
        if quiet {
            Span::raw("no misses").dim()
        } else {
            Span::raw(format!("misses: {misses}")).yellow()
        },
        // Only wide terminals have room for this.
        Span::raw(format!(
            "  {}  priority {}",
            counted(guest.commands, "command"),
            guest.priority
        )),
    ])
}

/// The share of the granted fuel that was used.
fn gauge(used: u64, granted: u64) -> String {
    let cells = used.saturating_mul(GAUGE as u64).div_ceil(granted.max(1));
    let full = usize::try_from(cells).unwrap_or(GAUGE).min(GAUGE);
    format!("{}{}", "█".repeat(full), "░".repeat(GAUGE - full))
}

#[cfg(test)]
mod tests {
    use super::gauge;

    #[test]
    fn a_gauge_shows_the_least_use_and_is_never_more_than_full() {
        assert_eq!(gauge(0, 100), "░░░░░░░░░░");
        assert_eq!(gauge(1, 100), "█░░░░░░░░░");
        assert_eq!(gauge(100, 100), "██████████");
        assert_eq!(gauge(900, 0), "██████████");
    }
}
