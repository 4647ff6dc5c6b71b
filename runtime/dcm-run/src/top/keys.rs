//! What a key means, and what the screen remembers between two pictures.
//! Called by the loop of `top` for every key. The law: space is the emergency stop, whatever else is going on;
//! nothing ends a guest without a second key.

use std::time::Instant;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use socket::{Ask, Guest, OperationWord};

use super::glance::Glance;

/// Lines that a page of a list is.
const PAGE: usize = 10;

/// What the arrows move in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Focus {
    #[default]
    Joints,
    Guests,
}

/// What the screen remembers.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) focus: Focus,
    /// The line among the joints.
    pub(super) joint: usize,
    /// The number of the guest that is selected: its line may move, or it may be gone.
    pub(super) guest: Option<u32>,
    /// The guest whose end waits for a yes: its number and name.
    pub(super) ending: Option<(u32, String)>,
    /// What came of the last act.
    pub(super) note: Option<Note>,
    /// Why the robot is not seen.
    pub(super) away: Option<String>,
}

/// A line that is shown for a while.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) text: String,
    pub(super) is_bad: bool,
    pub(super) since: Instant,
}

/// What a key asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Deed {
    Nothing,
    Leave,
    Ask(Ask),
}

impl View {
    /// Notes something for a while.
    pub(super) fn say(&mut self, text: String, is_bad: bool) {
        let since = Instant::now();
        self.note = Some(Note {
            text,
            is_bad,
            since,
        });
    }

    /// The place of the guest that is selected.
    pub(super) fn selected(&self, glance: &Glance) -> Option<usize> {
        let id = self.guest?;
        glance.guests.iter().position(|it| it.id == id)
    }

    /// A key was pressed.
    pub(super) fn press(&mut self, glance: &Glance, key: KeyEvent) -> Deed {
        let ending = self.ending.take();
        let operate = |word| Deed::Ask(Ask::Operate(word));
        match (key.code, ending) {
            (KeyCode::Char(' '), _) => return operate(OperationWord::Press),
            (KeyCode::Char('c'), _) if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Deed::Leave;
            }
            (KeyCode::Char('y'), Some((id, _))) => {
                let guest = id.to_string();
                return Deed::Ask(Ask::End {
                    guest: Some(guest),
                    soft: false,
                });
            }
            // Whoever says no to the question does not want to leave as well.
            (KeyCode::Esc, Some(_)) => {}
            (KeyCode::Char('q') | KeyCode::Esc, _) => return Deed::Leave,
            (KeyCode::Char('h'), _) => return operate(OperationWord::Hold),
            (KeyCode::Char('r'), _) => return operate(OperationWord::Resume),
            (KeyCode::Char('p'), _) => return self.pause(glance),
            (KeyCode::Char('e'), _) => {
                let guest = self.chosen(glance).map(|it| (it.id, it.name.clone()));
                self.ending = guest;
            }
            (KeyCode::Tab | KeyCode::BackTab, _) => self.turn_focus(glance),
            (KeyCode::Up, _) => self.step(glance, |it| it.saturating_sub(1)),
            (KeyCode::Down, _) => self.step(glance, |it| it.saturating_add(1)),
            (KeyCode::PageUp, _) => self.step(glance, |it| it.saturating_sub(PAGE)),
            (KeyCode::PageDown, _) => self.step(glance, |it| it.saturating_add(PAGE)),
            _ => {}
        }
        Deed::Nothing
    }

    /// The guest that an act is for; if there is none, that is said.
    fn chosen<'g>(&mut self, glance: &'g Glance) -> Option<&'g Guest> {
        let place = match self.focus {
            Focus::Guests => self.selected(glance),
            Focus::Joints => None,
        };
        let guest = place.and_then(|it| glance.guests.get(it));
        if guest.is_none() {
            self.say("no guest is selected: Tab, and the arrows".to_owned(), true);
        }
        guest
    }

    fn pause(&mut self, glance: &Glance) -> Deed {
        match self.chosen(glance) {
            Some(guest) => Deed::Ask(Ask::Pause {
                guest: guest.id.to_string(),
                paused: guest.life != "paused",
            }),
            None => Deed::Nothing,
        }
    }

    fn turn_focus(&mut self, glance: &Glance) {
        self.focus = match self.focus {
            Focus::Joints => Focus::Guests,
            Focus::Guests => Focus::Joints,
        };
        if self.focus == Focus::Guests && self.selected(glance).is_none() {
            self.guest = glance.guests.first().map(|it| it.id);
        }
    }

    fn step(&mut self, glance: &Glance, to: impl Fn(usize) -> usize) {
        match self.focus {
            Focus::Joints => {
                self.joint = to(self.joint).min(glance.joints.len().saturating_sub(1));
            }
            Focus::Guests => {
                let last = glance.guests.len().saturating_sub(1);
                let place = self.selected(glance).map_or(0, |it| to(it).min(last));
                self.guest = glance.guests.get(place).map(|it| it.id);
            }
        }
    }
}
