//! Maps keys to actions, and holds the state of the screen between two frames.
//! Called by the loop of `top` for every key. Space is always the emergency stop; ending a guest takes a
//! second key; while the figures are old, only the stop is sent: the robot might do the rest much later.

use std::time::{Duration, Instant};

use protocol::{Ask, Guest, Operation};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::snapshot::RobotSnapshot;

/// The lines that Page Up and Page Down move.
const PAGE: usize = 10;

/// The list that the arrows move in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Focus {
    #[default]
    Joints,
    Guests,
}

/// The state of the screen.
#[derive(Debug, Default)]
pub(super) struct ScreenState {
    pub(super) focus: Focus,
    /// The selected joint.
    pub(super) joint: usize,
    /// The number of the selected guest: its line may move, or it may end.
    pub(super) guest: Option<u32>,
    /// The guest to end after a confirmation: its number and name.
    pub(super) ending: Option<(u32, String)>,
    /// The result of the last request.
    pub(super) note: Option<StatusMessage>,
    /// Why the figures are old, if they are.
    pub(super) stale: Option<String>,
    /// For how long a stop has not been confirmed.
    pub(super) unconfirmed_stop: Option<Duration>,
}

/// A message that is shown for a while.
#[derive(Debug)]
pub(super) struct StatusMessage {
    pub(super) text: String,
    pub(super) is_bad: bool,
    pub(super) since: Instant,
}

/// What a key does.
#[derive(Debug, PartialEq)]
pub(super) enum KeyAction {
    Nothing,
    Leave,
    Ask(Box<Ask>),
}

impl ScreenState {
    /// Shows a message for a while.
    pub(super) fn say(&mut self, text: String, is_bad: bool) {
        let since = Instant::now();
        self.note = Some(StatusMessage {
            text,
            is_bad,
            since,
        });
    }

    /// The index of the selected guest.
    pub(super) fn selected(&self, snapshot: &RobotSnapshot) -> Option<usize> {
        let id = self.guest?;
        snapshot.guests.iter().position(|guest| guest.id == id)
    }

    /// Handles a key.
    pub(super) fn press(&mut self, snapshot: &RobotSnapshot, key: KeyEvent) -> KeyAction {
        let ending = self.ending.take();
        let operate = |word| KeyAction::Ask(Box::new(Ask::Operate(word)));
        match (key.code, ending) {
            (KeyCode::Char(' '), _) => return operate(Operation::Press),
            (KeyCode::Char('c'), _) if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return KeyAction::Leave;
            }
            (KeyCode::Char('y'), Some((id, _))) => {
                let guest = id.to_string();
                return KeyAction::Ask(Box::new(Ask::End {
                    guest: Some(guest),
                    soft: false,
                }));
            }
            // Escape answers the question, and does not leave as well.
            (KeyCode::Esc, Some(_)) => {}
            (KeyCode::Char('q') | KeyCode::Esc, _) => return KeyAction::Leave,
            (KeyCode::Char('h' | 'r' | 'p' | 'e'), _) if self.stale.is_some() => {
                self.say(
                    "only space works while the figures are old".to_owned(),
                    true,
                );
            }
            (KeyCode::Char('h'), _) => return operate(Operation::Hold),
            (KeyCode::Char('r'), _) => return operate(Operation::Resume),
            (KeyCode::Char('p'), _) => return self.pause(snapshot),
            (KeyCode::Char('e'), _) => {
                let guest = self
                    .chosen(snapshot)
                    .map(|chosen| (chosen.id, chosen.name.clone()));
                self.ending = guest;
            }
            (KeyCode::Tab | KeyCode::BackTab, _) => self.turn_focus(snapshot),
            (KeyCode::Up, _) => self.step(snapshot, |n| n.saturating_sub(1)),
            (KeyCode::Down, _) => self.step(snapshot, |n| n.saturating_add(1)),
            (KeyCode::PageUp, _) => self.step(snapshot, |n| n.saturating_sub(PAGE)),
            (KeyCode::PageDown, _) => self.step(snapshot, |n| n.saturating_add(PAGE)),
            _ => {}
        }
        KeyAction::Nothing
    }

    /// The selected guest; shows a message if there is none.
    fn chosen<'g>(&mut self, snapshot: &'g RobotSnapshot) -> Option<&'g Guest> {
        let place = match self.focus {
            Focus::Guests => self.selected(snapshot),
            Focus::Joints => None,
        };
        let guest = place.and_then(|place| snapshot.guests.get(place));
        if guest.is_none() {
            self.say("no guest is selected: Tab, and the arrows".to_owned(), true);
        }
        guest
    }

    fn pause(&mut self, snapshot: &RobotSnapshot) -> KeyAction {
        match self.chosen(snapshot) {
            Some(guest) => {
                let id = guest.id.to_string();
                KeyAction::Ask(Box::new(match guest.life.as_str() {
                    "paused" => Ask::ResumeGuest { guest: id },
                    _ => Ask::Pause { guest: id },
                }))
            }
            None => KeyAction::Nothing,
        }
    }

    fn turn_focus(&mut self, snapshot: &RobotSnapshot) {
        self.focus = match self.focus {
            Focus::Joints => Focus::Guests,
            Focus::Guests => Focus::Joints,
        };
        if self.focus == Focus::Guests && self.selected(snapshot).is_none() {
            self.guest = snapshot.guests.first().map(|guest| guest.id);
        }
    }

    fn step(&mut self, snapshot: &RobotSnapshot, to: impl Fn(usize) -> usize) {
        match self.focus {
            Focus::Joints => {
                self.joint = to(self.joint).min(snapshot.joints.len().saturating_sub(1));
            }
            Focus::Guests => {
                let last = snapshot.guests.len().saturating_sub(1);
                let place = self
                    .selected(snapshot)
                    .map_or(0, |selected| to(selected).min(last));
                self.guest = snapshot.guests.get(place).map(|guest| guest.id);
            }
        }
    }
}
