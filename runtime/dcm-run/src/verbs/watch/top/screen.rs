//! The screen of `top`: draws a snapshot in the terminal.
//! Called by the loop of `top` for every frame. It changes nothing; the state and the messages fit into every
//! terminal.

use cycle::RealtimeVerdict;
use printable::printable;
use protocol::LogEntry;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph};

use super::keys::{Focus, ScreenState};
use super::snapshot::RobotSnapshot;
use super::source::EVENTS_MAX;
use super::{histogram, lists};
use crate::text::words::{count, time};

/// The height of a terminal from which on a part is shown.
const FOR_GUESTS: u16 = 10;
const FOR_EVENTS: u16 = 16;
const FOR_TURNS: u16 = 24;

/// The heights of the parts; joints take the rest.
struct Heights {
    guests: u16,
    turns: u16,
    events: u16,
}

/// Draws a snapshot.
pub(super) fn draw(frame: &mut Frame<'_>, snapshot: &RobotSnapshot, view: &ScreenState) {
    let all = frame.area();
    let heights = heights(all.height, snapshot, view);
    let [head, safety, joints, guests, turns, events, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(heights.guests),
        Constraint::Length(heights.turns),
        Constraint::Length(heights.events),
        Constraint::Length(1),
    ])
    .areas(all);
    frame.render_widget(safety_line(snapshot), safety);
    frame.render_widget(lists::joints(snapshot, view, joints.height), joints);
    frame.render_widget(lists::guests(snapshot, view, guests.height), guests);
    frame.render_widget(histogram::picture(&snapshot.turns, turns), turns);
    draw_events(frame, events, snapshot);
    if view.stale.is_some() {
        // All between the first line and the last is old.
        let body = all.inner(Margin::new(0, 1));
        frame.buffer_mut().set_style(body, Style::new().dim());
    }
    frame.render_widget(head_line(snapshot, view), head);
    frame.render_widget(foot_line(view), foot);
}

/// What fits: first the state, then joints, guests, events, and turns.
fn heights(height: u16, snapshot: &RobotSnapshot, view: &ScreenState) -> Heights {
    let is_small = height < FOR_GUESTS;
    let most = (height / 8).max(1);
    let rows = u16::try_from(snapshot.guests.len()).map_or(most, |range| range.clamp(1, most));
    let when = |least: u16, lines: u16| if height >= least { lines } else { 0 };
    Heights {
        // If both lists do not fit, the one with the focus is shown.
        guests: match (is_small, view.focus) {
            (true, Focus::Guests) => height.saturating_sub(3),
            (true, Focus::Joints) => 0,
            (false, _) => rows + 3,
        },
        turns: when(FOR_TURNS, 6),
        events: when(FOR_EVENTS, 1 + u16::try_from(EVENTS_MAX).unwrap_or(0)),
    }
}

fn head_line(snapshot: &RobotSnapshot, view: &ScreenState) -> Line<'static> {
    let robot = Span::raw(format!(" {} ", printable(&snapshot.robot))).bold();
    if let Some(why) = &view.stale {
        let style = Style::new().bg(Color::Red).fg(Color::White).bold();
        let why = format!(" {}", printable(why));
        let why = Span::raw(why).red().bold();
        return Line::from(vec![robot, Span::styled(" STALE ", style), why]);
    }
    let late = format!("{} late  ", count(snapshot.turns.late));
    let late = match snapshot.turns.late {
        0 => Span::raw(late),
        _ => Span::raw(late).yellow(),
    };
    let realtime = Span::raw(format!("{}  ", snapshot.turns.realtime.phrase()));
    let realtime = match snapshot.turns.realtime {
        RealtimeVerdict::Unknown => realtime.dim(),
        RealtimeVerdict::Comfortable => realtime.green(),
        RealtimeVerdict::Tight => realtime.yellow(),
        RealtimeVerdict::No => realtime.red().bold(),
    };
    let now = snapshot.now_ns as f64 / 1e9;
    let work = time(cycle::Span::from_nanos(snapshot.work_ns));
    Line::from(vec![
        robot,
        badge(&snapshot.state),
        Span::raw(format!("  turn {}  {now:.1} s  ", count(snapshot.turn))),
        realtime,
        late,
        Span::raw(format!("turn duration {work}")),
    ])
}

fn badge(state: &str) -> Span<'static> {
    let colour = match state {
        "running" => Color::Green,
        "boot" | "disarmed" => Color::Gray,
        "armed" | "holding" | "safe" => Color::Yellow,
        _ => Color::Red,
    };
    let style = Style::new().bg(colour).fg(Color::Black).bold();
    Span::styled(format!(" {} ", printable(state)), style)
}

fn safety_line(snapshot: &RobotSnapshot) -> Line<'static> {
    let boards = match snapshot.silent.as_slice() {
        [] => Span::raw("all boards answer").green(),
        silent => Span::raw(format!("silent: {}", silent.join(", "))).red(),
    };
    let possible = snapshot.possible();
    let mut spans = vec![Span::raw(" possible now: ").dim()];
    for act in ["estop", "hold", "resume"] {
        if possible.contains(&act) {
            let key = match act {
                "estop" => "space STOP",
                "hold" => "h hold",
                _ => "r resume",
            };
            spans.push(Span::raw(format!("{key}  ")).bold());
        }
    }
    spans.push(boards);
    let others: Vec<_> = possible
        .into_iter()
        .filter(|possible| !["estop", "hold", "resume"].contains(possible))
        .collect();
    if !others.is_empty() {
        spans.push(Span::raw(format!("  by `dcm-run`: {}", others.join(", "))));
    }
    spans.push(Span::raw(format!(
        "  power {:.0} %",
        snapshot.power * 100.0
    )));
    Line::from(spans)
}

fn draw_events(frame: &mut Frame<'_>, area: Rect, snapshot: &RobotSnapshot) {
    let lines: Vec<_> = snapshot.events.iter().map(event_line).collect();
    let block = Block::new().borders(Borders::TOP).title(" events ");
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn event_line(entry: &LogEntry) -> Line<'static> {
    let line = Line::raw(in_words(entry));
    match entry.level.as_str() {
        "warn" => line.yellow(),
        "error" => line.red(),
        _ => line,
    }
}

/// An event, on one line.
pub(super) fn in_words(entry: &LogEntry) -> String {
    let at = entry.at_ns as f64 / 1e9;
    let text = printable(&entry.text);
    match &entry.guest {
        Some(guest) => format!("{at:>9.3} s  {}: {text}", printable(guest)),
        None => format!("{at:>9.3} s  {text}"),
    }
}

fn foot_line(view: &ScreenState) -> Line<'static> {
    if let Some(silence) = view.unconfirmed_stop {
        let doubt = format!(
            " STOP NOT CONFIRMED for {} s: press the robot's stop button or cut its power",
            silence.as_secs()
        );
        return Line::raw(doubt).white().on_red().bold();
    }
    if let Some((_, guest)) = &view.ending {
        let question = format!(" end `{}`?  y yes, any other key no", printable(guest));
        return Line::raw(question).yellow().bold();
    }
    if let Some(note) = &view.note {
        let line = Line::raw(format!(" {}", printable(&note.text)));
        return if note.is_bad { line.red().bold() } else { line };
    }
    let keys = match view.focus {
        Focus::Joints => " space STOP  h hold  r resume  ↑↓ scroll  Tab guests  q quit",
        Focus::Guests => {
            " space STOP  h hold  r resume  ↑↓ select  p pause  e end  Tab joints  q quit"
        }
    };
    Line::raw(keys).dim()
}
