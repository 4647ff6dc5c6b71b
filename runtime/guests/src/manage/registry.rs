//! The registry of guests: their numbers, names, reports and lines.
//! Kept by the manager behind one lock, which is never held for long, and which the loop never takes.
//! A name belongs to one guest, and to its successor while one fades into the other; a guest that is gone is
//! remembered for a while.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use rtrb::Consumer;

use crate::host::Param;
use crate::load::code_form::CodeForm;
use crate::load::contract::World;
use crate::manage::grant::GuestError;
use crate::manage::posted::PostedLog;
use crate::shared::answer::Level;
use crate::shared::line_limit::LineLimit;
use crate::shared::log_line::{LineTime, LogLine};
use crate::shared::report::{Figures, GuestLife, GuestReport};
use crate::shared::terms::GuestId;
use crate::turn::channel::{GuestChannel, GuestCommand};

/// Guests that are gone and still remembered.
const REMEMBERED: usize = 32;

/// The longest name of a guest, in letters.
const NAME_MAX: usize = 64;

/// The parameter by which a player goes to a place.
const PLACE: &str = "at";

/// Lines of guests that are kept until they are read.
const LINES: usize = 1024;

/// A snapshot of a guest.
#[derive(Clone, Debug)]
pub struct GuestStatus {
    /// Its number.
    pub id: GuestId,
    /// Its name.
    pub name: String,
    /// Its world.
    pub world: World,
    /// The digest of its bytes.
    pub digest: String,
    /// Where it came from, as whoever loaded it has said; empty if nothing was said.
    pub from: String,
    /// How it reaches sensors and commands.
    pub form: CodeForm,
    /// The fuel that a call is granted.
    pub fuel: u64,
    /// How long it lasts, or one round of it, s; if its manifest says so.
    pub lasts: Option<f64>,
    /// Whether it begins again when it is over.
    pub loops: bool,
    /// Its parameters with their values.
    pub params: Vec<(Param, f64)>,
    /// Its figures.
    pub figures: Figures,
}

/// A line that a guest has written.
#[derive(Clone, Debug)]
pub struct GuestLogLine {
    /// The guest's name.
    pub guest: String,
    /// The robot's time, ns.
    pub now: u64,
    /// The turn.
    pub turn: u64,
    /// Its level.
    pub level: Level,
    /// Its text.
    pub text: String,
}

pub(crate) struct GuestRegistry {
    pub(crate) channel: GuestChannel,
    pub(crate) entries: Vec<RegistryEntry>,
    pub(crate) next: u32,
    pub(crate) said: VecDeque<GuestLogLine>,
    pub(crate) posted: PostedLog,
}

#[derive(Debug)]
pub(crate) struct RegistryEntry {
    pub(crate) id: GuestId,
    pub(crate) name: String,
    pub(crate) world: World,
    pub(crate) digest: String,
    pub(crate) from: String,
    pub(crate) form: CodeForm,
    pub(crate) fuel: u64,
    pub(crate) lasts: Option<f64>,
    pub(crate) loops: bool,
    pub(crate) params: Vec<(Param, f64)>,
    /// Whether its place was sent a hair beside the value that it was set to.
    pub(crate) is_beside: bool,
    pub(crate) priority_max: f64,
    pub(crate) report: Arc<GuestReport>,
    pub(crate) lines: Consumer<LogLine>,
    pub(crate) limit: LineLimit,
    /// The instant of its last line, ns.
    pub(crate) last_line: LineTime,
    /// It is gone.
    pub(crate) over: bool,
    /// From which number of turns on it is told that it was not called.
    pub(crate) next_told: u64,
}

impl RegistryEntry {
    /// The line that tells how often it was not called: the first time, and whenever that is ten times as often.
    fn passed_over(&mut self) -> Option<GuestLogLine> {
        let times = self.report.passed_over.load(Acquire);
        if times < self.next_told.max(1) {
            return None;
        }
        self.next_told = times.saturating_mul(10);
        let [now, turn] = self
            .report
            .passed_over_at
            .each_ref()
            .map(|passed_over| passed_over.load(Relaxed));
        Some(GuestLogLine {
            guest: self.name.clone(),
            now,
            turn,
            level: Level::Warning,
            text: format!(
                "its hooks were not called (times until now: {times}): those of higher priority had taken the share of \
                 the turn that all hooks have together, see `loop.hook-share`"
            ),
        })
    }

    /// The index of a parameter, and the value clipped to its range.
    pub(crate) fn param(&self, param: &str, value: f64) -> Result<(usize, f64), GuestError> {
        if !value.is_finite() {
            let why = "a parameter is a finite number; fix: give one, as in `speed=2`".to_owned();
            return Err(GuestError::Figure(why));
        }
        let place = self
            .params
            .iter()
            .position(|parameter| parameter.0.name == param);
        let Some(place) = place else {
            let known: Vec<_> = self
                .params
                .iter()
                .map(|parameter| parameter.0.name.as_str())
                .collect();
            let known = if known.is_empty() {
                "give none: it has no parameters".to_owned()
            } else {
                format!("its parameters are {}", known.join(", "))
            };
            let why = format!("`{}` has no parameter `{param}`; fix: {known}", self.name);
            return Err(GuestError::NoParam(why));
        };
        let one = &self.params[place].0;
        Ok((place, value.clamp(one.lowest, one.highest)))
    }

    /// The value that a guest gets for this one. A player goes to a place when that changes; so whoever sends it to the
    /// same place again gets one that differs in its last bit.
    pub(crate) fn sent_for(&self, place: usize, value: f64) -> f64 {
        let (param, last) = &self.params[place];
        match param.name == PLACE && value == *last && !self.is_beside {
            true if value < param.highest => value.next_up(),
            true => value.next_down().max(param.lowest),
            false => value,
        }
    }

    /// A parameter was set to this value, for which that was sent.
    pub(crate) fn set_param(&mut self, place: usize, value: f64, sent: f64) {
        let (param, last) = &mut self.params[place];
        *last = value;
        if param.name == PLACE {
            self.is_beside = sent != value;
        }
    }

    pub(crate) fn may_have(&self, priority: f64) -> Result<(), GuestError> {
        let (asked, granted) = (priority, self.priority_max);
        if asked.is_finite() && asked <= granted {
            return Ok(());
        }
        Err(GuestError::Priority { asked, granted })
    }
}

impl GuestRegistry {
    pub(crate) fn entry(&mut self, id: GuestId) -> Result<&mut RegistryEntry, GuestError> {
        let mut alive = self.entries.iter_mut().filter(|entry| !entry.over);
        let found = alive.find(|item| item.id == id);
        found.ok_or_else(|| GuestError::NoGuest(id.0.to_string()))
    }

    /// Whether one more guest may be admitted: one of the places is kept for a version that takes over.
    pub(crate) fn has_room(&self, most: usize, swaps: bool) -> Result<(), GuestError> {
        // A score whose thread has not ended still takes a place.
        let there = |entry: &&RegistryEntry| !entry.over || entry.report.has_thread.load(Relaxed);
        let alive = self.entries.iter().filter(there).count();
        let has_room = alive + usize::from(!swaps) < most;
        has_room.then_some(()).ok_or(GuestError::Full(most))
    }

    /// Whether the loop's ring has room for a command.
    pub(crate) fn can_send(&self) -> Result<(), GuestError> {
        let is_full = self.channel.commands.is_full();
        (!is_full).then_some(()).ok_or(GuestError::Busy)
    }

    pub(crate) fn send(&mut self, command: GuestCommand) -> Result<(), GuestError> {
        self.channel
            .commands
            .push(command)
            .map_err(|_| GuestError::Busy)
    }

    /// Sends all of these, or none. The loop sees all of them in one turn.
    pub(crate) fn send_all(&mut self, commands: Vec<GuestCommand>) -> Result<(), GuestError> {
        let room = self.channel.commands.write_chunk_uninit(commands.len());
        room.map_err(|_| GuestError::Busy)?.fill_from_iter(commands);
        Ok(())
    }

    /// A name that no other guest has: this one, with a number behind it if needed. A new version may have the
    /// name of the one `instead` of which it plays, and is the one that is found by it.
    pub(crate) fn free_name(&self, asked: &str, instead: Option<GuestId>) -> String {
        let asked = &sound_name(asked);
        let others = || {
            self.entries
                .iter()
                .filter(|entry| Some(entry.id) != instead)
        };
        let taken = |name: &str| others().any(|entry| !entry.over && entry.name == name);
        if !taken(asked) {
            return asked.to_owned();
        }
        let numbered = (2..).map(|number| {
            let tail = format!("-{number}");
            let letters = asked.chars().take(NAME_MAX.saturating_sub(tail.len()));
            letters.chain(tail.chars()).collect::<String>()
        });
        let mut free = numbered.skip_while(|item| taken(item));
        free.next().unwrap_or_default()
    }

    pub(crate) fn list(&self) -> Vec<GuestStatus> {
        let status = |entry: &RegistryEntry| GuestStatus {
            id: entry.id,
            name: entry.name.clone(),
            world: entry.world,
            digest: entry.digest.clone(),
            from: entry.from.clone(),
            form: entry.form,
            fuel: entry.fuel,
            lasts: entry.lasts,
            loops: entry.loops,
            params: entry.params.clone(),
            figures: entry.report.figures(),
        };
        self.entries.iter().map(status).collect()
    }

    /// Notes that a guest is gone; returns its name and its report.
    pub(crate) fn mark_gone(&mut self, id: GuestId) -> Option<(String, Arc<GuestReport>)> {
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        let gone = entry.map(|entry| {
            entry.over = true;
            entry.report.set_life(GuestLife::Gone);
            let lost = entry.limit.lost();
            self.said
                .extend(lost_lines(&entry.name, entry.last_line, lost));
            (entry.name.clone(), Arc::clone(&entry.report))
        });
        let spent = |entry: &RegistryEntry| entry.over && !entry.report.has_thread.load(Relaxed);
        if self.entries.iter().filter(|entry| spent(entry)).count() > REMEMBERED {
            let oldest = self.entries.iter().position(spent);
            oldest.map(|oldest| self.entries.remove(oldest));
        }
        gone
    }

    pub(crate) fn collect_lines(&mut self) {
        for entry in &mut self.entries {
            while let Ok(line) = entry.lines.pop() {
                let has_room = self.said.len() < LINES;
                let (is_taken, lost) = entry.limit.take(line.at.now, has_room);
                if !is_taken {
                    continue;
                }
                self.said.extend(lost_lines(&entry.name, line.at, lost));
                self.said.push_back(GuestLogLine {
                    guest: entry.name.clone(),
                    now: line.at.now,
                    turn: line.at.turn,
                    level: line.level,
                    text: line.text().to_owned(),
                });
                entry.last_line = line.at;
            }
            self.said.extend(entry.passed_over());
        }
    }
}

/// The line that tells how many lines were lost, if any were.
fn lost_lines(guest: &str, at: LineTime, lost: u64) -> Option<GuestLogLine> {
    (lost > 0).then(|| GuestLogLine {
        guest: guest.to_owned(),
        now: at.now,
        turn: at.turn,
        level: Level::Warning,
        text: format!("lines lost before this: {lost}"),
    })
}

/// Makes a name that people can type: letters, digits, `-`, `_` and `.`. It does not begin like an option or a hidden
/// file, and is no number, because guests have numbers as well.
fn sound_name(asked: &str) -> String {
    let sound = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '-'
        }
    };
    let letters = asked.chars().map(sound);
    let letters = letters.skip_while(|letter| "-.".contains(*letter));
    let name: String = letters.take(NAME_MAX).collect();
    if name.is_empty() {
        return "guest".to_owned();
    }
    if name.parse::<f64>().is_ok() {
        return "guest-"
            .chars()
            .chain(name.chars())
            .take(NAME_MAX)
            .collect();
    }
    name
}
