//! Plays a script: boots a cycle, hands its actions in, turns, and writes the table.
//! It uses the cycle as any loop would, through the same calls and ports.

mod act;
mod board;
mod table;

use std::collections::VecDeque;

use cycle::{
    ActuatorId, Body, Coupling, Cycle, EVENT_KINDS, EVENT_NAMES, Event, Gains, Instant, LaneId,
    LaneSettings, Plan, Ports, Refusal, State, Track, Trajectory,
};

use crate::memory::{CycleStore, TrajectoryStore};
use crate::script::{Action, Column, LaneStep, ParsedScript, ScriptStep, TrackField};
use crate::words::{ORIGIN, ScriptError, script_ms};
use board::{DirectHooks, ScriptedBoard};
use table::{TraceTable, number};

/// Lanes that a script may have open at a time.
const LANES: usize = 8;

/// Turns that a script may need to get from boot to running.
const PROLOGUE_MAX: u64 = 2_000;

pub(crate) fn play(script: &ParsedScript) -> Result<String, ScriptError> {
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
    let mut store = CycleStore::new(&plan);
    let mut trajectories: Vec<_> = script
        .actions
        .iter()
        .filter_map(trajectory_store(script))
        .collect();
    let mut player = Player {
        script,
        cycle: Cycle::new(&body, &plan, store.lend(), script.settings)
            .map_err(|error| fail(format!("this body cannot run: {error:?}")))?,
        trajectories: trajectories
            .iter_mut()
            .map(|store| Trajectory::new(store.lend()))
            .collect(),
        lanes: vec![None; script.lanes.len()],
        aliases: vec![None; script.aliases.len()],
        board: ScriptedBoard {
            readings: vec![0.0; script.sensors.len()],
            silent: vec![false; usize::from(script.boards)],
            ack_delay: script.ack_delay,
        },
        hooks: DirectHooks::default(),
        table: TraceTable::default(),
        counts: [0; EVENT_KINDS],
    };
    player.prologue()?;
    player.run();
    Ok(player.table.print())
}

/// Makes the memory for an action that swaps in a trajectory.
fn trajectory_store(script: &ParsedScript) -> impl Fn(&Action) -> Option<TrajectoryStore> + '_ {
    |action| match &action.step {
        ScriptStep::Lane(_, LaneStep::Trajectory(_, parts)) => {
            let commands = parts.iter().map(|(_, list)| list.len()).sum();
            Some(TrajectoryStore::new(commands, script.actuators.len()))
        }
        _ => None,
    }
}

pub(crate) struct Player<'m> {
    pub(crate) script: &'m ParsedScript,
    pub(crate) cycle: Cycle<'m>,
    pub(crate) trajectories: VecDeque<Trajectory<'m>>,
    pub(crate) lanes: Vec<Option<LaneId>>,
    pub(crate) aliases: Vec<Option<cycle::AliasId>>,
    pub(crate) board: ScriptedBoard,
    pub(crate) hooks: DirectHooks,
    pub(crate) table: TraceTable,
    pub(crate) counts: [u64; EVENT_KINDS],
}

impl Player<'_> {
    fn turn(&mut self, now: Instant) -> cycle::Report {
        self.cycle.turn(
            now,
            &mut Ports {
                inbox: &mut (),
                hooks: &mut self.hooks,
                board: &mut self.board,
                page: &mut (),
            },
        )
    }

    /// Boots, and unless the script says otherwise arms and waits for `running`.
    fn prologue(&mut self) -> Result<(), ScriptError> {
        self.lanes[0] = self.cycle.stage().open(LaneSettings::STANDARD).ok();
        if !self.script.from_boot {
            let settings = &self.script.settings;
            let ramps = settings.ramps;
            let periods = |span: cycle::Span| span.nanos().div_ceil(settings.period.nanos());
            let turns = u64::from(ramps.readings).max(periods(ramps.good_link))
                + periods(ramps.fade_in)
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
        self.counts = *self.cycle.stage().events().counts();
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
                let answer = self.act(&action.step);
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
                Column::Of(actuator, field, _) => {
                    let place = usize::from(actuator.0);
                    cell(&view.tracks[place], view.targets[place].counts, *field)
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
        let counts = *view.events.counts();
        for (kind, name) in EVENT_NAMES.iter().enumerate() {
            // What was fired or entered is said in full.
            let said = kind == Event::Fired(ActuatorId(0)).kind()
                || kind == Event::Entered(State::Boot).kind();
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
        notes.append(&mut self.hooks.refusals);
        self.counts = counts;
        self.table.row(cells, notes.join(", "));
    }
}

fn cell(track: &Track, counts: f64, field: TrackField) -> String {
    match field {
        TrackField::Commanded => number(track.commanded),
        TrackField::Limited => number(track.limited),
        TrackField::Sent => number(track.sent),
        TrackField::Acknowledged => number(track.acknowledged),
        TrackField::Coverage => number(track.coverage),
        TrackField::Counts => number(counts),
        TrackField::Limp => if track.limp { "limp" } else { "stiff" }.to_owned(),
        TrackField::Gains => {
            let Gains { p, i, d } = track.gains;
            format!("{}/{}/{}", number(p), number(i), number(d))
        }
        TrackField::Clips => {
            let names = cycle::Clip::NAMES.iter().enumerate();
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

/// How a refusal is shown.
fn refused(refusal: &Refusal) -> String {
    format!("refused, {refusal:?}")
}
