//! The full-screen view of a running loop: joints within their ranges, turns, safety state.
//! Called by `run`. It reads the page and sends requests on the socket, as any other process does.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::Result;
use cycle::State;
use protocol::{Ask, CallError, Caller, Operation};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};
use ratatui::{DefaultTerminal, Frame};
use robot::live::level;
use sensors::Label;

use super::{WatchedLoop, guest_list};
use crate::text::words::{count, time};
use crate::verbs::watch::joints::bar;

/// The interval between two frames.
const FRAME_INTERVAL: Duration = Duration::from_millis(50);

/// The most lines of events that are kept.
const LINES: usize = 100;

/// The most guests that are shown.
const GUESTS: u16 = 8;

/// The values of one frame.
struct FrameValues {
    turn: u64,
    now: f64,
    state: Option<State>,
    power: f64,
    work: cycle::Span,
    joints: Vec<(f64, Option<f64>, u64)>,
    silent: usize,
}

struct LoopView<'s> {
    shown: WatchedLoop<'s>,
    /// The joints: row of the actuator, label, row of the sensor.
    joints: Vec<(usize, Label, Option<usize>)>,
    caller: Option<Caller>,
    events: VecDeque<String>,
    said: String,
    /// The first joint that is shown, and the number of joints that fit.
    from: usize,
    rows: usize,
}

/// Shows it until the loop has ended.
pub(super) fn show(shown: WatchedLoop<'_>) -> Result<()> {
    let sensed = shown.page.sensors();
    let labels = shown.page.actuators().into_iter().enumerate();
    let joints = labels.filter(|(place, _)| {
        shown
            .robot
            .actuators
            .get(*place)
            .is_some_and(|actuator| actuator.motor.is_some())
    });
    let joints = joints.map(|(place, label)| {
        let sensor = sensed.iter().position(|item| item.name == label.name);
        (place, label, sensor)
    });
    let mut view = LoopView {
        joints: joints.collect(),
        caller: Caller::reach(Some(shown.name)).ok(),
        events: shown
            .lacks
            .iter()
            .chain(&shown.beginning)
            .cloned()
            .collect(),
        said: String::new(),
        from: 0,
        rows: 1,
        shown,
    };
    // It restores the terminal, even after a panic.
    let mut terminal = ratatui::init();
    let result = view.run(&mut terminal);
    ratatui::restore();
    result
}

impl LoopView<'_> {
    fn run(&mut self, terminal: &mut DefaultTerminal) -> Result<()> {
        loop {
            let gone = self.shown.control.has_ended();
            self.read_news();
            let seen = self.read_values();
            terminal.draw(|frame| self.draw(frame, seen.as_ref()))?;
            if gone {
                return Ok(());
            }
            // A closed terminal would report keys forever.
            if rustix::termios::tcgetwinsize(std::io::stdout()).is_err() {
                return Ok(());
            }
            if event::poll(FRAME_INTERVAL)?
                && let Event::Key(key) = event::read()?
                && key.kind == KeyEventKind::Press
            {
                self.key(key.code, key.modifiers.contains(KeyModifiers::CONTROL));
            }
        }
    }

    fn key(&mut self, code: KeyCode, control: bool) {
        let operation = match code {
            KeyCode::Char('c') if control => return self.shown.control.ask(),
            KeyCode::Char('q') => return self.shown.control.ask(),
            KeyCode::Down => return self.from += 1,
            KeyCode::Up => return self.from = self.from.saturating_sub(1),
            KeyCode::PageDown => return self.from += self.rows,
            KeyCode::PageUp => return self.from = self.from.saturating_sub(self.rows),
            KeyCode::Home => return self.from = 0,
            KeyCode::End => return self.from = self.joints.len(),
            KeyCode::Char(' ') => Operation::Press,
            KeyCode::Char('u') => Operation::Release,
            KeyCode::Char('a') => Operation::Arm,
            KeyCode::Char('d') => Operation::Disarm,
            KeyCode::Char('h') => Operation::Hold,
            KeyCode::Char('r') => Operation::Resume,
            KeyCode::Char('s') => Operation::Retreat,
            _ => return,
        };
        let answer = match (operation, &mut self.caller) {
            (Operation::Press, _) => protocol::press(Some(self.shown.name)).map(|_| ()),
            (_, Some(caller)) => caller.ask(Ask::Operate(operation)).map(|_| ()),
            (_, None) => Err(CallError::NotRunning(self.shown.name.to_owned())),
        };
        self.said = answer.map_or_else(|error| error.to_string(), |()| String::new());
    }

    fn read_news(&mut self) {
        while let Some((entry, sentence)) = self.shown.next_line() {
            if level(entry.event) <= tracing::Level::INFO {
                let at = entry.at.nanos() as f64 / 1e9;
                self.events.push_back(format!("{at:>9.3} s  {sentence}"));
            }
        }
        while let Some(sentence) = self.shown.next_of_guardian() {
            self.events.push_back(sentence);
        }
        while let Some(said) = self.shown.next_guest_line() {
            let at = said.now as f64 / 1e9;
            let line = format!("{at:>9.3} s  {}: {}", said.guest, said.text);
            self.events.push_back(line);
        }
        while self.events.len() > LINES {
            self.events.pop_front();
        }
    }

    fn read_values(&self) -> Option<FrameValues> {
        self.shown.page.read(|frame| FrameValues {
            turn: frame.turn(),
            now: frame.now().nanos() as f64 / 1e9,
            state: frame.state(),
            power: frame.power(),
            work: frame.work(),
            joints: self
                .joints
                .iter()
                .map(|(place, _, sensor)| {
                    let sent = frame.sent(*place).unwrap_or(f64::NAN);
                    (
                        sent,
                        sensor.and_then(|sensor| frame.sensor(sensor)),
                        frame.clips(*place).unwrap_or(0),
                    )
                })
                .collect(),
            silent: (0..self.shown.page.shape().boards)
                .filter(|i| frame.board(*i).is_some_and(|words| words[2] > 0))
                .count(),
        })
    }

    fn draw(&mut self, frame: &mut Frame<'_>, seen: Option<&FrameValues>) {
        let guests = self.shown.guests();
        let list = match guests.len() {
            0 => 0,
            many => 2 + u16::try_from(many).unwrap_or(GUESTS).min(GUESTS),
        };
        let [head, body, stage, tail, foot] = Layout::vertical([
            Constraint::Length(3),
            Constraint::Min(5),
            Constraint::Length(list),
            Constraint::Length(7),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        let Some(seen) = seen else {
            frame.render_widget(Paragraph::new("waiting for the first turn"), body);
            return;
        };
        self.draw_head(frame, head, seen);
        self.draw_joints(frame, body, seen);
        if list > 0 {
            frame.render_widget(guest_list::picture(&guests), stage);
        }
        let room = usize::from(tail.height).saturating_sub(2);
        let last = self.events.len().saturating_sub(room);
        let lines: Vec<_> = self
            .events
            .iter()
            .skip(last)
            .map(|event| Line::raw(event.as_str()))
            .collect();
        frame.render_widget(
            Paragraph::new(lines).block(Block::bordered().title(" events ")),
            tail,
        );
        let keys = keys(foot.width);
        let foot_line = if self.said.is_empty() {
            Line::raw(keys).dim()
        } else {
            Line::raw(self.said.as_str()).red()
        };
        frame.render_widget(foot_line, foot);
    }

    fn draw_head(&self, frame: &mut Frame<'_>, area: Rect, seen: &FrameValues) {
        let name = seen.state.map_or("unknown", State::name);
        let silent = match seen.silent {
            0 => Span::raw("all boards answer").green(),
            many => Span::raw(format!("{many} boards are silent")).red(),
        };
        let line = Line::from(vec![
            Span::styled(
                format!(" {name} "),
                Style::new().bg(colour(seen.state)).fg(Color::Black).bold(),
            ),
            Span::raw(format!("  {:.1} s  turn {}  ", seen.now, count(seen.turn))),
            Span::raw(format!("power {:.0} %  ", seen.power * 100.0)),
            silent,
            // A narrow terminal may cut this off.
            Span::raw(format!("  turn duration {}", time(seen.work))),
        ]);
        let kind = if self.shown.simulated {
            "simulated"
        } else {
            "real"
        };
        let title = format!(" {} ({kind}) ", self.shown.robot.name);
        frame.render_widget(
            Paragraph::new(line).block(Block::bordered().title(title)),
            area,
        );
    }

    fn draw_joints(&mut self, frame: &mut Frame<'_>, area: Rect, seen: &FrameValues) {
        let rows = usize::from(area.height).saturating_sub(2);
        let columns = (usize::from(area.width).saturating_sub(2) / 62).max(1);
        let all = self.joints.len();
        self.rows = (rows * columns).max(1);
        self.from = self.from.min(all.saturating_sub(self.rows));
        let mut lines = vec![Vec::new(); rows];
        let width = self
            .joints
            .iter()
            .map(|joint| joint.1.name.len())
            .max()
            .unwrap_or(0)
            .min(16);
        let shown = self.joints.iter().zip(&seen.joints).skip(self.from);
        let shown = shown.enumerate().take(rows * columns);
        for (place, ((_, label, _), (sent, sensor, clips))) in shown {
            let name: String = label.name.chars().take(width).collect();
            let style = if *clips > 0 {
                Style::new().yellow()
            } else {
                Style::new()
            };
            let shown = sensor.unwrap_or(*sent);
            lines[place % rows].extend([
                Span::styled(format!("{name:<width$} "), style),
                Span::raw(bar(label.range.0, label.range.1, *sent, *sensor)).cyan(),
                Span::raw(format!(" {shown:>8.3} {:<5}   ", label.unit)),
            ]);
        }
        let lines: Vec<_> = lines.into_iter().map(Line::from).collect();
        let last = (self.from + self.rows).min(all);
        let title = if self.rows < all {
            format!(
                " joints {} to {last} of {all}: ○ sent  ● measured  ↑↓ more ",
                self.from + 1
            )
        } else {
            " joints: ○ sent  ● measured ".to_owned()
        };
        frame.render_widget(
            Paragraph::new(lines).block(Block::bordered().title(title)),
            area,
        );
    }
}

/// The keys, as many as fit; the emergency stop first.
fn keys(width: u16) -> &'static str {
    if width >= 92 {
        "space STOP  u release  a arm  d disarm  h hold  r resume  s safe pose  ↑↓ scroll  q quit"
    } else {
        "space STOP  u release  a arm  d disarm  h hold  r resume  s safe  ↑↓  q quit"
    }
}

fn colour(state: Option<State>) -> Color {
    match state {
        Some(State::Running) => Color::Green,
        Some(State::Boot | State::Disarmed) => Color::Gray,
        Some(State::Armed | State::Holding | State::Safe) => Color::Yellow,
        _ => Color::Red,
    }
}
