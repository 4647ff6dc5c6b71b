//! The stage of a rehearsal: a body, a clock, and the state of the guest's requests.
//! It answers as the contract says, and plays a turn as the runtime does with one guest.

use std::borrow::ToOwned;
use std::collections::VecDeque;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::body::Body;
use super::track::Track;
use crate::answer::{Answer, State};
use crate::log::Level;
use crate::time::{Instant, Span};

/// The maximum number of commands in a guest's lane, and for each actuator.
const ROOM: usize = 4096;
/// The limits of one call of a hook.
const COMMANDS: u32 = 4096;
const EVENTS: u32 = 64;
const LINES: u32 = 4;

/// A command that was clipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// When.
    pub at: Instant,
    /// The actuator.
    pub actuator: String,
    /// The requested value.
    pub asked: f64,
    /// The clipped value.
    pub given: f64,
    /// Why: `range`, or `velocity`.
    pub why: &'static str,
}

/// Where the guest is being called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Outside,
    Hook,
    Score,
}

/// Whether a score runs or sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SleepState {
    Awake,
    Until(u64),
    Cancelled,
    Over,
}

#[derive(Debug)]
pub(super) struct Param {
    pub(super) name: String,
    lowest: f64,
    highest: f64,
    value: f64,
}

#[derive(Debug)]
pub(super) struct Stage {
    pub(super) body: Body,
    pub(super) tracks: Vec<Track>,
    pub(super) sensed: Vec<f64>,
    pub(super) ages: Vec<u64>,
    pub(super) now: u64,
    pub(super) turn: u64,
    pub(super) phase: Phase,
    pub(super) sleep: SleepState,
    pub(super) state: State,
    pub(super) hidden: bool,
    pub(super) ending: bool,
    pub(super) finished: bool,
    /// The number of the request that commands belong to, and those that were clipped or cancelled.
    pub(super) request: u32,
    pub(super) clipped: Vec<u32>,
    pub(super) cancelled: Vec<u32>,
    pub(super) priority: f64,
    pub(super) weight: f64,
    pub(super) clips: Vec<Clip>,
    pub(super) lines: Vec<String>,
    pub(super) params: Vec<Param>,
    pub(super) wanted: Vec<(String, f64)>,
    pub(super) kept: Vec<f64>,
    pub(super) topics: Vec<String>,
    /// Posted in this turn; received from the next one on.
    pub(super) posted: Vec<(u32, f64)>,
    pub(super) heard: VecDeque<(u32, f64)>,
    /// All events that the guest has posted.
    pub(super) told: Vec<(u32, f64)>,
    pub(super) event: Option<(u32, f64)>,
    /// Changes of sensors in the future.
    pub(super) later: Vec<(u64, usize, f64)>,
    /// The number of commands, events and lines in this call of a hook.
    pub(super) counts: [u32; 3],
    /// Whether the default of a hook was called.
    pub(super) not_written: bool,
}

impl Stage {
    pub(super) fn new(body: Body) -> Stage {
        Stage {
            tracks: body
                .actuators
                .iter()
                .map(|actuator| Track::at(actuator.rest))
                .collect(),
            sensed: body.sensors.iter().map(|sensor| sensor.1).collect(),
            ages: body.sensors.iter().map(|_| 0).collect(),
            body,
            now: 0,
            turn: 0,
            phase: Phase::Outside,
            sleep: SleepState::Awake,
            state: State::Running,
            hidden: false,
            ending: false,
            finished: false,
            request: 0,
            clipped: Vec::new(),
            cancelled: Vec::new(),
            priority: 10.0,
            weight: 1.0,
            clips: Vec::new(),
            lines: Vec::new(),
            params: Vec::new(),
            wanted: Vec::new(),
            kept: std::vec![f64::NAN; 256],
            topics: Vec::new(),
            posted: Vec::new(),
            heard: VecDeque::new(),
            told: Vec::new(),
            event: None,
            later: Vec::new(),
            counts: [0; 3],
            not_written: false,
        }
    }

    pub(super) fn is_inside(&self) -> bool {
        self.phase == Phase::Hook
    }

    /// Begins a call of a hook.
    pub(super) fn begin(&mut self, phase: Phase) {
        self.phase = phase;
        self.counts = [0; 3];
        for track in &mut self.tracks {
            track.counted = u32::try_from(track.waits()).unwrap_or(u32::MAX);
        }
    }

    /// Begins a turn: advances time, delivers events, changes sensors.
    pub(super) fn open(&mut self) {
        self.now += self.body.period.nanos();
        self.turn += 1;
        self.heard.extend(self.posted.drain(..));
        let now = self.now;
        for &(_, sensor, value) in self.later.iter().filter(|later| later.0 <= now) {
            self.sensed[sensor] = value;
        }
        self.later.retain(|pair| pair.0 > now);
        self.adopt();
    }

    /// Computes, limits and sends the values; the sensors of joints follow.
    pub(super) fn play(&mut self) {
        let period = self.body.period;
        let before = self.now - period.nanos();
        let asked: Vec<_> = self
            .tracks
            .iter_mut()
            .map(|track| track.sample(self.now, before))
            .collect();
        for (place, asked) in asked.into_iter().enumerate() {
            let sent = self.tracks[place].sent;
            let given = match asked {
                Some(asked) => self.limit(place, asked, period),
                None => sent,
            };
            let track = &mut self.tracks[place];
            let speed = (given - track.sent).abs() / period.seconds();
            track.fastest = track.fastest.max(speed);
            track.sent = given;
            track.history.push(given);
            track.last_gains = track.gains.take();
        }
        for place in 0..self.tracks.len() {
            let limp = self.is_limp(place);
            let track = &mut self.tracks[place];
            track.limp = limp;
            let sensor = self.body.actuators[place].felt_by;
            if let Some(sensor) = sensor.filter(|_| !limp) {
                self.sensed[sensor] = track.sent;
            }
        }
    }

    /// Limits a value as the body would.
    fn limit(&mut self, place: usize, asked: f64, period: Span) -> f64 {
        let tracks = &self.tracks;
        let (lowest, highest) = self.body.range(place, |i| tracks[i].sent);
        let ranged = asked.clamp(lowest, highest);
        if (ranged - asked).abs() > 1e-9 {
            self.clip(place, asked, ranged, "range");
        }
        let (sent, step) = (
            self.tracks[place].sent,
            self.body.actuators[place].velocity * period.seconds(),
        );
        let given = ranged.clamp(sent - step, sent + step);
        if (given - ranged).abs() > 1e-9 {
            self.clip(place, ranged, given, "velocity");
        }
        given
    }

    pub(super) fn clip(&mut self, place: usize, asked: f64, given: f64, why: &'static str) {
        let actuator = self.body.actuators[place].name.clone();
        let at = Instant::from_nanos(self.now);
        self.clips.push(Clip {
            at,
            actuator,
            asked,
            given,
            why,
        });
    }

    /// Whether a request for this actuator is allowed now. Counts it as one of this call.
    pub(super) fn may(&mut self, actuator: u32) -> Result<usize, Answer> {
        if self.ending {
            return Err(Answer::Ending);
        }
        let place = usize::try_from(actuator)
            .ok()
            .filter(|value| *value < self.tracks.len());
        place.ok_or(Answer::Unknown)
    }

    /// Whether this call of a hook may request this many more commands (0), events (1) or lines (2).
    pub(super) fn count(&mut self, which: usize, more: u32) -> Result<(), Answer> {
        let most = [COMMANDS, EVENTS, LINES][which];
        if self.is_inside() && self.counts[which] + more > most {
            return Err(Answer::TooMuch);
        }
        self.counts[which] += more;
        Ok(())
    }

    /// Whether there is room for this many more commands, of which some are for this actuator.
    pub(super) fn room(&self, more: usize) -> Result<(), Answer> {
        let waiting: usize = self.tracks.iter().map(Track::waits).sum();
        if waiting + more > ROOM {
            Err(Answer::Full)
        } else {
            Ok(())
        }
    }

    /// Validates a command. A NaN leaves the actuator alone.
    pub(super) fn sound(&self, value: f64, at: u64) -> Result<bool, Answer> {
        const REACH: u64 = (1 << 31) * 1_000_000;
        if value.is_nan() {
            return Ok(false);
        }
        if value.is_infinite() {
            return Err(Answer::NotFinite);
        }
        if at.abs_diff(self.now) > REACH {
            return Err(Answer::OutOfReach);
        }
        Ok(true)
    }

    /// How many commands of a request wait.
    pub(super) fn left(&self, request: u32) -> usize {
        self.tracks.iter().map(|track| track.left(request)).sum()
    }

    /// Stores a valid command, clipped to the actuator's own range.
    pub(super) fn lay(&mut self, place: usize, value: f64, at: u64, merge: u32) {
        let known = &self.body.actuators[place];
        let ranged = value.clamp(known.lowest, known.highest);
        if ranged.total_cmp(&value).is_ne() {
            self.clip(place, value, ranged, "range");
            self.clipped.push(self.request);
        }
        self.tracks[place].put((at, ranged), merge, self.request);
    }

    pub(super) fn declare(
        &mut self,
        name: &str,
        lowest: f64,
        usual: f64,
        highest: f64,
    ) -> Option<usize> {
        let known = self.params.iter().any(|parameter| parameter.name == name);
        let rises = lowest <= usual && usual <= highest;
        let named = !name.is_empty() && name.len() <= 64;
        if self.is_inside() || known || !rises || !named || self.params.len() >= 64 {
            return None;
        }
        let wanted = self.wanted.iter().rev().find(|pair| pair.0 == name);
        let value = wanted.map_or(usual, |pair| pair.1.clamp(lowest, highest));
        self.params.push(Param {
            name: name.to_owned(),
            lowest,
            highest,
            value,
        });
        Some(self.params.len() - 1)
    }

    pub(super) fn param(&self, place: usize) -> f64 {
        self.params
            .get(place)
            .map_or(f64::NAN, |parameter| parameter.value)
    }

    /// Sets a parameter. Returns whether there is one.
    pub(super) fn turn_param(&mut self, name: &str, value: f64) -> bool {
        let Some(param) = self
            .params
            .iter_mut()
            .find(|parameter| parameter.name == name)
        else {
            return false;
        };
        param.value = value.clamp(param.lowest, param.highest);
        true
    }

    pub(super) fn topic(&mut self, name: &str) -> Option<usize> {
        let found = self.topics.iter().position(|topic| topic == name);
        found.or_else(|| {
            self.topics.push(name.to_owned());
            Some(self.topics.len() - 1)
        })
    }

    pub(super) fn write(&mut self, level: u32, text: &str) -> Answer {
        if let Err(answer) = self.count(2, 1) {
            return answer;
        }
        let text: String = text.chars().take(256).collect();
        let text = if level == Level::Warning as u32 {
            format!("warning: {text}")
        } else {
            text
        };
        self.lines.push(text);
        Answer::Done
    }

    /// The index of an actuator.
    ///
    /// # Panics
    /// There is none.
    pub(super) fn actuator(&self, name: &str) -> usize {
        let found = self.body.find_actuator(name);
        found.unwrap_or_else(|| panic!("this body has no actuator `{name}`"))
    }

    /// The index of a sensor.
    ///
    /// # Panics
    /// There is none.
    pub(super) fn sensor(&self, name: &str) -> usize {
        let found = self.body.find_sensor(name);
        found
            .unwrap_or_else(|| panic!("this body has no sensor `{name}`: add it by `Body::sensor`"))
    }

    pub(super) fn anything_waits(&self) -> bool {
        self.tracks.iter().any(|track| track.waits() > 0)
    }

    /// A parameter that was set but does not exist.
    pub(super) fn not_declared(&self) -> Option<String> {
        let declared = |name: &str| self.params.iter().any(|parameter| parameter.name == name);
        self.wanted
            .iter()
            .find(|pair| !declared(&pair.0))
            .map(|pair| pair.0.clone())
    }

    /// Ends the guest: its lane releases the body.
    pub(super) fn close(&mut self) {
        self.tracks.iter_mut().for_each(Track::release);
        self.finished = true;
    }
}
