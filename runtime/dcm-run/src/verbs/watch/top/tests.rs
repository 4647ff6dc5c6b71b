//! The screen in terminals of many sizes, and what keys mean, without any robot.
//! Run by `cargo test`. The pictures are judged by what people read in them.

use std::time::Duration;

use cycle::{Instant, RealtimeVerdict, Span, State};
use protocol::{Ask, Guest, Joint, Operation};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::{Value, json};

use super::keys::{Focus, KeyAction, ScreenState};
use super::snapshot::RobotSnapshot;
use super::{plain, screen};
use crate::session::columns::{ActuatorValue, TurnState};
use crate::session::turns::Turns;

fn joint((row, name): (usize, &&str)) -> Joint {
    let joint = json!({
        "actuator": row, "name": name, "unit": "rad", "lowest": -2.0, "highest": 2.0,
        "sensor": row, "sensor_name": name, "current": null, "current_name": null,
        "temperature": 3, "temperature_name": "Heat", "warm": 70.0, "hot": 85.0,
    });
    serde_json::from_value(joint).expect("it is a joint")
}

/// A turn in which HeadYaw has values and the second board is silent.
struct OneTurn;

impl TurnState for OneTurn {
    fn turn(&self) -> u64 {
        12_345
    }

    fn now(&self) -> Instant {
        Instant::from_nanos(123_400_000_000)
    }

    fn elapsed(&self) -> Span {
        Span::ZERO
    }

    fn work(&self) -> Span {
        Span::from_nanos(45_000)
    }

    fn power(&self) -> f64 {
        1.0
    }

    fn events(&self) -> u64 {
        0
    }

    fn state(&self) -> Option<State> {
        Some(State::Running)
    }

    fn actuator(&self, row: usize, value: ActuatorValue) -> Option<f64> {
        assert_eq!(value, ActuatorValue::Sent);
        [Some(0.5), Some(f64::NAN), None][row]
    }

    fn sensor(&self, row: usize) -> Option<f64> {
        [Some(0.25), None, None, Some(71.5)][row]
    }

    fn board(&self, row: usize) -> Option<[u64; 4]> {
        Some([[9, 0, 0, 0], [6, 3, 3, 0]][row])
    }
}

fn guest(id: u32, name: &str, life: &str) -> Guest {
    let guest = json!({
        "id": id, "name": name, "world": "motion", "life": life, "end": "", "details": "", "fault": false,
        "form": "calls", "digest": "", "priority": 5.0, "weight": 1.0, "fuel": 1000,
        "hooks": {"turn": {"calls": 9, "last": 300, "most": 370, "total": 2700, "turn": 9}},
        "commands": 4321, "late": 1, "clipped": 0, "refused": 0, "deferred": 2, "missed_events": 0,
        "since": 1, "played_ns": 12_345_000_000_u64, "lasts_ns": 60_000_000_000_u64,
        "params": {"speed": [0.5, 1.5, 2.0]},
    });
    serde_json::from_value(guest).expect("it is a guest")
}

fn snapshot() -> RobotSnapshot {
    let names = ["HeadYaw", "HeadPitch", "LElbowRoll"];
    let joints: Vec<_> = names.iter().enumerate().map(joint).collect();
    let boards = ["arm".to_owned(), "leg".to_owned()];
    let mut snapshot = RobotSnapshot::of("nao", &OneTurn, &boards, &joints);
    snapshot.guests = vec![guest(7, "nod", "running"), guest(8, "wave", "paused")];
    snapshot.turns = Turns {
        period_ns: 10_000_000,
        seen: 1000,
        late: 6,
        realtime: RealtimeVerdict::Tight,
        bounds: vec![10_000, 1_000_000],
        work: vec![998, 0, 2],
        ..Turns::default()
    };
    let events = json!([
        {"number": 1, "at_ns": 1_500_000_000, "level": "info", "event": "armed", "text": "it is armed"},
        {"number": 2, "at_ns": 2_000_000_000, "level": "info", "event": "said", "guest": "nod",
         "text": "one\u{1b}[31m\ntwo"},
    ]);
    snapshot.events = serde_json::from_value(events).expect("it happened");
    snapshot
}

fn drawn(width: u16, height: u16, view: &ScreenState) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    let snapshot = snapshot();
    terminal
        .draw(|frame| screen::draw(frame, &snapshot, view))
        .expect("it is drawn");
    terminal.backend().to_string()
}

fn key(view: &mut ScreenState, code: KeyCode) -> KeyAction {
    view.press(&snapshot(), KeyEvent::new(code, KeyModifiers::NONE))
}

#[test]
fn everything_is_on_a_screen_with_room() {
    let text = drawn(140, 40, &ScreenState::default());
    let parts = "nao| running |turn 12,345|123.4 s|real-time tight|6 late|turn duration 45 µs|silent: leg\
                 |space STOP|h hold|retreat\
                 |HeadYaw|0.500|0.250|-0.250|71.5°C|LElbowRoll|nod|■■■·······  30%|1 late, 2 deferred|12.3 of 60.0 s\
                 |4,321|paused|speed=1.5|>1ms|998\
                 |it is armed|nod: one [31m two";
    for part in parts.split('|') {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(
        !text.contains("r resume  silent") && !text.contains('\u{1b}'),
        "{text}"
    );
}

#[test]
fn every_terminal_is_large_enough() {
    let mut view = ScreenState {
        joint: 99,
        ..ScreenState::default()
    };
    for focus in [Focus::Joints, Focus::Guests] {
        view.focus = focus;
        for (width, height) in [(1, 1), (20, 5), (5, 20), (80, 24), (300, 100)] {
            drawn(width, height, &view);
        }
        let text = drawn(20, 5, &view);
        assert!(text.contains("nao") && text.contains("running"), "{text}");
    }
}

#[test]
fn a_robot_that_cannot_be_reached_is_shown_as_such() {
    let mut view = ScreenState {
        stale: Some("not connected, trying again: it does not answer".to_owned()),
        ..ScreenState::default()
    };
    let text = drawn(100, 30, &view);
    assert!(
        text.contains(" STALE  not connected, trying again: it does not answer"),
        "{text}"
    );
    assert!(!text.contains("turn 12,345"), "{text}");
    view.say("hold was not done: it is limp".to_owned(), true);
    assert!(drawn(100, 30, &view).contains("hold was not done: it is limp"));
    // The robot might do it much later. Only the stop is always sent.
    for word in ['h', 'r', 'p', 'e'] {
        assert_eq!(key(&mut view, KeyCode::Char(word)), KeyAction::Nothing);
        assert!(drawn(100, 30, &view).contains("only space works"));
    }
    view.unconfirmed_stop = Some(Duration::from_millis(2500));
    let text = drawn(80, 24, &view);
    assert!(
        text.contains("STOP NOT CONFIRMED for 2 s: press the robot's stop button or cut its power"),
        "{text}"
    );
}

#[test]
fn space_is_stop_whatever_is_asked() {
    let press = || KeyAction::Ask(Box::new(Ask::Operate(Operation::Press)));
    let mut view = ScreenState::default();
    assert_eq!(key(&mut view, KeyCode::Char(' ')), press());
    view.ending = Some((7, "nod".to_owned()));
    view.stale = Some("it does not answer".to_owned());
    assert_eq!(key(&mut view, KeyCode::Char(' ')), press());
    assert_eq!(view.ending, None);
}

#[test]
fn a_guest_ends_only_after_a_yes() {
    let mut view = ScreenState::default();
    assert_eq!(key(&mut view, KeyCode::Char('e')), KeyAction::Nothing);
    assert!(view.ending.is_none() && view.note.is_some());
    key(&mut view, KeyCode::Tab);
    key(&mut view, KeyCode::Char('e'));
    assert!(drawn(80, 24, &view).contains("end `nod`?"));
    assert_eq!(key(&mut view, KeyCode::Esc), KeyAction::Nothing);
    assert_eq!(key(&mut view, KeyCode::Char('y')), KeyAction::Nothing);
    key(&mut view, KeyCode::Char('e'));
    let guest = "7".to_owned();
    assert_eq!(
        key(&mut view, KeyCode::Char('y')),
        KeyAction::Ask(Box::new(Ask::End {
            guest: Some(guest),
            soft: false
        }))
    );
    assert_eq!(key(&mut view, KeyCode::Esc), KeyAction::Leave);
}

#[test]
fn a_guest_that_is_paused_is_resumed() {
    let mut view = ScreenState::default();
    key(&mut view, KeyCode::Tab);
    let pause = Ask::Pause {
        guest: "7".to_owned(),
    };
    let pause = KeyAction::Ask(Box::new(pause));
    assert_eq!(key(&mut view, KeyCode::Char('p')), pause);
    key(&mut view, KeyCode::Down);
    let resume = Ask::ResumeGuest {
        guest: "8".to_owned(),
    };
    let resume = KeyAction::Ask(Box::new(resume));
    assert_eq!(key(&mut view, KeyCode::Char('p')), resume);
    key(&mut view, KeyCode::PageUp);
    assert_eq!(view.guest, Some(7));
}

#[test]
fn a_snapshot_is_printed_as_text_and_as_json() {
    let mut text = Vec::new();
    plain::write(&mut text, &snapshot()).expect("it is written");
    let text = String::from_utf8(text).expect("it is text");
    for item in [
        "HeadYaw",
        "fuel 300 of 1,000",
        "played 12.3 of 60.0 s",
        "1 late, 2 deferred",
        "speed=1.5",
        ">1ms: 2",
        "silent: leg",
        "real-time tight",
    ] {
        assert!(text.contains(item), "{item} is not in\n{text}");
    }
    let json = snapshot().as_json();
    assert_eq!(json["joints"][0]["error"], json!(-0.25));
    assert_eq!(json["joints"][1]["error"], Value::Null);
    assert_eq!(json["guests"][1]["life"], "paused");
    assert_eq!(json["timing"]["late"], 6);
    assert_eq!(json["timing"]["realtime"], "tight");
}
