//! Plays a script: boots a cycle, hands its actions in, turns, and writes the table.
//! The law: it uses the cycle as any loop would, through the same calls and ports.

use std::collections::VecDeque;
use std::fmt::Write;

use cycle::{
    Answer, Board, Body, Coupling, Cycle, EVENT_KINDS, EVENT_NAMES, Event, Gains, Hooks, Incoming,
    Instant, LaneId, LaneSettings, Outgoing, Plan, Ports, Receipt, Refusal, Request, Score, Sheet,
    Stage, State, Ticket, To, Track,
};

use super::script::{Action, Column, Part, Script, What, Whom};
use super::table::{Table, number};
use super::words::{ORIGIN, ScriptError, script_ms};
use crate::memory::{SheetStore, Store};

/// Lanes that a script may have open at a time.
const LANES: usize = 8;

/// Turns that a script may need to get from boot to running.
const PROLOGUE_MAX: u64 = 2_000;

pub(super) fn play(script: &Script) -> Result<String, ScriptError> {
    let fail = |what: String| ScriptError { line: 0, what };
    let couplings: Vec<_> = script
        .couplings
        .iter()
        .map(|(driver, driven, rows)| Coupling {
            driver: *driver,
            driven: *driven,
            rows,
        })
        .collect();
    let body = Body {
        actuators: &script.actuators,
        sensors: &script.sensors,
        couplings: &couplings,
        groups: &script.groups,
        boards: script.boards,
    };
    let commands = LANES * LaneSettings::STANDARD.room as usize;
    let plan = Plan {
        lanes: LANES,
        commands,
        ..Plan::new(&body)
    };
    let mut store = Store::new(&plan);
    let mut sheets: Vec<_> = script
        .actions
        .iter()
        .filter_map(sheet_store(script))
        .collect();
    let mut player = Player {
        script,
        cycle: Cycle::new(&body, &plan, store.lend(), script.settings)
            .map_err(|error| fail(format!("this body cannot run: {error:?}")))?,
        sheets: sheets
            .iter_mut()
            .map(|store| Sheet::new(store.lend()))
            .collect(),
        lanes: vec![None; script.lanes.len()],
        aliases: vec![None; script.aliases.len()],
        stand: Stand {
            readings: vec![0.0; script.sensors.len()],
            answers: vec![
                Answer {
                    answered: true,
                    error: 0
                };
                usize::from(script.boards)
            ],
        },
        drives: Drives::default(),
        table: Table::default(),
        counts: [0; EVENT_KINDS],
    };
    player.prologue()?;
    player.run();
    Ok(player.table.print())
}

/// Makes the memory for an action that needs a sheet.
fn sheet_store(script: &Script) -> impl Fn(&Action) -> Option<SheetStore> + '_ {
    |action| match &action.what {
        What::Sheet(_, _, parts) => {
            let commands = parts.iter().map(|(_, list)| list.len()).sum();
            Some(SheetStore::new(commands, script.actuators.len()))
        }
        _ => None,
    }
}

struct Player<'m> {
    script: &'m Script,
    cycle: Cycle<'m>,
    sheets: VecDeque<Sheet<'m>>,
    lanes: Vec<Option<LaneId>>,
    aliases: Vec<Option<cycle::AliasId>>,
    stand: Stand,
    drives: Drives,
    table: Table,
    counts: [u64; EVENT_KINDS],
}

/// The board of a script: it reads what the script says.
struct Stand {
    readings: Vec<f64>,
    answers: Vec<Answer>,
}

impl Board for Stand {
    fn exchange(&mut self, _: &Outgoing<'_>, back: &mut Incoming<'_>) {
        back.counts.copy_from_slice(&self.readings);
        back.answers.copy_from_slice(&self.answers);
    }
}

/// The hooks of a script: what it drives directly, set anew in every turn.
#[derive(Default)]
struct Drives {
    list: Vec<Drive>,
    refusals: Vec<String>,
}

struct Drive {
    lane: LaneId,
    actuator: cycle::ActuatorId,
    what: Driven,
    weight: f64,
    until: Instant,
}

enum Driven {
    Value(f64),
    Gains(Gains),
}

impl Hooks for Drives {
    fn pre_process(&mut self, stage: &mut Stage<'_>) {
        for drive in &self.list {
            let set = match drive.what {
                Driven::Value(value) => {
                    stage.drive(drive.lane, drive.actuator, value, drive.weight)
                }
                Driven::Gains(gains) => {
                    stage.set_gains(drive.lane, drive.actuator, gains, drive.weight)
                }
            };
            if let Err(refusal) = set {
                self.refusals.push(refused(&refusal));
            }
        }
        let now = stage.now();
        self.list.retain(|drive| drive.until > now);
    }

    fn post_process(&mut self, _: &mut Stage<'_>) {}
}

impl Player<'_> {
    fn turn(&mut self, now: Instant) -> cycle::Report {
        self.cycle.turn(
            now,
            &mut Ports {
                inbox: &mut (),
                hooks: &mut self.drives,
                board: &mut self.stand,
                page: &mut (),
            },
        )
    }

    /// Boots, and unless the script says otherwise arms and waits for `running`.
    fn prologue(&mut self) -> Result<(), ScriptError> {
        self.lanes[0] = self.cycle.stage().open(LaneSettings::STANDARD).ok();
        if !self.script.from_boot {
            let settings = &self.script.settings;
            let manners = settings.manners;
            let periods = |span: cycle::Span| span.nanos().div_ceil(settings.period.nanos());
            let turns = u64::from(manners.readings).max(periods(manners.good_link))
                + periods(manners.fade_in)
                + periods(manners.ease_in)
                + 3;
            if turns > PROLOGUE_MAX || settings.period.times(turns) > ORIGIN - Instant::ZERO {
                let what = "the script takes too long to start; say `set from-boot`".to_owned();
                return Err(ScriptError { line: 0, what });
            }
            for back in (1..=turns).rev() {
                self.turn(ORIGIN.before(settings.period.times(back)));
                let stage = self.cycle.stage();
                if stage.state() == State::Disarmed {
                    // Refused until the boards have answered for long enough; then it is armed.
                    let _ = stage.arm();
                }
            }
        }
        self.counts = *self.cycle.stage().diary().counts();
        let title = |column: &Column| match column {
            Column::Of(_, _, title) => title.clone(),
            Column::State => "state".to_owned(),
            Column::Power => "power".to_owned(),
        };
        let mut titles = vec!["t".to_owned()];
        titles.extend(self.script.columns.iter().map(title));
        self.table.row(titles, String::new());
        Ok(())
    }

    fn run(&mut self) {
        let mut actions = self.script.actions.iter().peekable();
        for &now in &self.script.turns {
            while let Some(action) = actions.next_if(|action| action.at <= now) {
                let answer = self.act(&action.what);
                let answer = if answer.is_empty() {
                    answer
                } else {
                    format!(": {answer}")
                };
                self.table.text(format!("  > {}{answer}", action.text));
            }
            self.turn(now);
            self.note(now);
        }
    }

    /// Writes down what the turn did.
    fn note(&mut self, now: Instant) {
        let view = self.cycle.view();
        let mut cells = vec![number(script_ms(now))];
        for column in &self.script.columns {
            cells.push(match column {
                Column::State => view.state.name().to_owned(),
                Column::Power => number(view.power),
                Column::Of(actuator, part, _) => {
                    let place = usize::from(actuator.0);
                    cell(&view.tracks[place], view.targets[place].counts, *part)
                }
            });
        }
        let mut notes: Vec<String> = view
            .fires
            .iter()
            .map(|fire| {
                let name = self.script.actuators[usize::from(fire.actuator.0)].name;
                format!("fire {name} {}", number(fire.counts))
            })
            .collect();
        let counts = *view.diary.counts();
        for (kind, name) in EVENT_NAMES.iter().enumerate() {
            // What was fired or entered is said in full.
            let said = kind == Event::Fired.kind() || kind == Event::Entered(State::Boot).kind();
            match counts[kind] - self.counts[kind] {
                0 => {}
                _ if said => {}
                1 => notes.push((*name).to_owned()),
                times => notes.push(format!("{name}×{times}")),
            }
        }
        let entered = counts[Event::Entered(State::Boot).kind()]
            - self.counts[Event::Entered(State::Boot).kind()];
        if entered > 0 {
            notes.push(format!("→ {}", view.state.name()));
        }
        notes.append(&mut self.drives.refusals);
        self.counts = counts;
        self.table.row(cells, notes.join(", "));
    }

    fn act(&mut self, what: &What) -> String {
        self.try_act(what)
            .unwrap_or_else(|refusal| refused(&refusal))
    }

    /// A lane that was never opened has a handle that names nothing.
    fn lane(&self, lane: usize) -> LaneId {
        self.lanes[lane].unwrap_or(LaneId::NOBODY)
    }

    fn try_act(&mut self, what: &What) -> Result<String, Refusal> {
        let stage = self.cycle.stage();
        let lane = |lane: &usize| self.lanes[*lane].unwrap_or(LaneId::NOBODY);
        let aliases = &self.aliases;
        let to = |whom| whom_to(whom, aliases);
        match what {
            What::Open(lane, settings) => {
                let opened = stage.open(*settings);
                self.lanes[*lane] = opened.ok().or(self.lanes[*lane]);
                return Ok(opened
                    .err()
                    .map_or(String::new(), |error| format!("refused, {error:?}")));
            }
            What::Same(by, merge, whom, list) => {
                let request = Request {
                    to: to(whom)?,
                    merge: *merge,
                    score: Score::Same(list),
                };
                return stage.submit(lane(by), &request).map(|it| receipt(&it));
            }
            What::Mixed(by, merge, whom, lists) => {
                let lists: Vec<_> = lists.iter().map(Vec::as_slice).collect();
                let request = Request {
                    to: to(whom)?,
                    merge: *merge,
                    score: Score::Mixed(&lists),
                };
                return stage.submit(lane(by), &request).map(|it| receipt(&it));
            }
            What::Separate(by, merge, whom, times, values) => {
                let score = Score::Separate { times, values };
                let request = Request {
                    to: to(whom)?,
                    merge: *merge,
                    score,
                };
                return stage.submit(lane(by), &request).map(|it| receipt(&it));
            }
            What::Vector(by, whom, at, values) => {
                let request = Request::vector(to(whom)?, at, values);
                return stage.submit(lane(by), &request).map(|it| receipt(&it));
            }
            What::Stop(by, whom) => {
                stage.submit(lane(by), &Request::stop(to(whom)?))?;
            }
            What::Sheet(by, merge, parts) => {
                let id = self.lanes[*by].unwrap_or(LaneId::NOBODY);
                return self.swap_in(id, *merge, parts);
            }
            What::Cancel(by, ticket) => stage.cancel(lane(by), Ticket(*ticket))?,
            What::Weight(by, None, weight) => stage.set_weight(lane(by), *weight)?,
            What::Weight(by, Some(actuator), weight) => {
                stage.set_weight_on(lane(by), *actuator, *weight)?;
            }
            What::Priority(by, priority) => stage.set_priority(lane(by), *priority)?,
            What::End(by, None) => stage.finish(lane(by))?,
            What::End(by, Some(ending)) => stage.end(lane(by), *ending)?,
            What::Feed(by) => stage.feed(lane(by))?,
            What::ReleaseGroup(by, group) => stage.release_group(lane(by), *group)?,
            What::Pending(by, actuator) => {
                let mut list = Vec::new();
                stage.each_pending(lane(by), *actuator, |command, ticket| {
                    let at = number(script_ms(command.at));
                    list.push(format!(
                        "{at}:{} (ticket {})",
                        number(command.value),
                        ticket.0
                    ));
                })?;
                let pending = stage.pending(lane(by), *actuator)?;
                let value = number(pending.value);
                return Ok(format!(
                    "{} wait, at {value}; {}",
                    pending.count,
                    list.join(" ")
                ));
            }
            What::Progress(by, ticket) => {
                let waiting = stage.progress(lane(by), Ticket(*ticket))?;
                return Ok(format!("{waiting} of ticket {ticket} wait"));
            }
            What::Overridden(by, actuator) => {
                let overridden = stage.is_overridden(lane(by), *actuator)?;
                return Ok(if overridden { "yes" } else { "no" }.to_owned());
            }
            What::Drive(by, actuator, value, weight, until) => {
                let what = Driven::Value(*value);
                self.drive(*by, *actuator, what, *weight, *until);
            }
            What::Gains(by, actuator, gains, weight, until) => {
                self.drive(*by, *actuator, Driven::Gains(*gains), *weight, *until);
            }
            What::Alias(alias, members) => {
                let made = match self.aliases[*alias] {
                    Some(id) => stage.change_alias(id, members).map(|()| id),
                    None => stage.create_alias(members),
                };
                self.aliases[*alias] = made.ok().or(self.aliases[*alias]);
                return Ok(made
                    .err()
                    .map_or(String::new(), |error| format!("refused, {error:?}")));
            }
            What::Sense(sensor, value) => self.stand.readings[usize::from(sensor.0)] = *value,
            What::Board(board, answers) => {
                if let Some(answer) = self.stand.answers.get_mut(usize::from(board.0)) {
                    answer.answered = *answers;
                }
            }
            What::Safety(verb) => {
                let asked = match *verb {
                    "arm" => stage.arm(),
                    "disarm" => stage.disarm(),
                    "hold" => stage.hold(),
                    "resume" => stage.resume(),
                    "retreat" => stage.retreat(),
                    "clear" => stage.clear_fault(),
                    "estop" => stage.press_stop(),
                    _ => stage.release_stop(),
                };
                return Ok(match asked {
                    Ok(state) => state.name().to_owned(),
                    Err(not_now) => format!("not now, {not_now:?}"),
                });
            }
        }
        Ok(String::new())
    }

    fn drive(
        &mut self,
        by: usize,
        actuator: cycle::ActuatorId,
        what: Driven,
        weight: f64,
        until: Instant,
    ) {
        let lane = self.lane(by);
        self.drives.list.push(Drive {
            lane,
            actuator,
            what,
            weight,
            until,
        });
    }

    fn swap_in(
        &mut self,
        lane: LaneId,
        merge: cycle::Merge,
        parts: &[(cycle::ActuatorId, Vec<cycle::Command>)],
    ) -> Result<String, Refusal> {
        let Some(mut sheet) = self.sheets.pop_front() else {
            return Ok("no sheet".to_owned());
        };
        sheet.begin(merge);
        let stage = self.cycle.stage();
        for (actuator, list) in parts {
            sheet.add(stage.body(), stage.now(), *actuator, list)?;
        }
        let (taken, _spent) = stage.swap_in(lane, sheet).map_err(|(refusal, _)| refusal)?;
        Ok(receipt(&taken))
    }
}

/// Whom a request is for. An alias that could not be made cannot be used either.
fn whom_to<'w>(whom: &'w Whom, aliases: &[Option<cycle::AliasId>]) -> Result<To<'w>, Refusal> {
    match whom {
        Whom::Actuators(list) => Ok(match list.as_slice() {
            [one] => To::One(*one),
            many => To::Many(many),
        }),
        Whom::Alias(alias) => aliases[*alias].map(To::Alias).ok_or(Refusal::Shape),
    }
}

fn cell(track: &Track, counts: f64, part: Part) -> String {
    match part {
        Part::Commanded => number(track.commanded),
        Part::Limited => number(track.limited),
        Part::Sent => number(track.sent),
        Part::Coverage => number(track.coverage),
        Part::Counts => number(counts),
        Part::Limp => if track.limp { "limp" } else { "stiff" }.to_owned(),
        Part::Gains => {
            let Gains { p, i, d } = track.gains;
            format!("{}/{}/{}", number(p), number(i), number(d))
        }
        Part::Clips => {
            let names = cycle::CLIP_NAMES.iter().enumerate();
            let clipped: Vec<_> = names
                .filter(|(kind, _)| track.clipped_now & (1 << kind) != 0)
                .map(|(_, name)| *name)
                .collect();
            if clipped.is_empty() {
                "-".to_owned()
            } else {
                clipped.join("+")
            }
        }
    }
}

fn receipt(receipt: &Receipt) -> String {
    let mut text = format!("ticket {}, {} taken", receipt.ticket.0, receipt.taken);
    for (count, what) in [
        (receipt.late, "late"),
        (receipt.clipped, "clipped"),
        (receipt.left_alone, "left alone"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    text
}

fn refused(refusal: &Refusal) -> String {
    format!("refused, {refusal:?}")
}
