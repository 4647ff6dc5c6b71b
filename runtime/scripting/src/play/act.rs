//! Carries out one action of a script: the call on the stage that it means, and the answer in words.
//! Called by `play` between turns.
//! The law: one action is one call.

use std::fmt::Write;

use cycle::{
    ActuatorId, Command, CommandSet, Instant, LaneId, Merge, Receipt, Refusal, Request, Ticket, To,
};

use super::board::{DirectCommand, DirectOutput};
use super::table::number;
use super::{Player, refused};
use crate::script::{ScriptStep, Whom};
use crate::words::script_ms;

impl Player<'_> {
    pub(crate) fn act(&mut self, what: &ScriptStep) -> String {
        self.try_act(what)
            .unwrap_or_else(|refusal| refused(&refusal))
    }

    /// A lane that was never opened has a handle that names nothing.
    fn lane(&self, lane: usize) -> LaneId {
        self.lanes[lane].unwrap_or(LaneId::NOBODY)
    }

    fn try_act(&mut self, what: &ScriptStep) -> Result<String, Refusal> {
        let stage = self.cycle.stage();
        let lane = |lane: &usize| self.lanes[*lane].unwrap_or(LaneId::NOBODY);
        let aliases = &self.aliases;
        let to = |whom| whom_to(whom, aliases);
        match what {
            ScriptStep::Open(lane, settings) => {
                let opened = stage.open(*settings);
                self.lanes[*lane] = opened.ok().or(self.lanes[*lane]);
                return Ok(opened
                    .err()
                    .map_or(String::new(), |error| format!("refused, {error:?}")));
            }
            ScriptStep::Same(by, merge, whom, list) => {
                let request = Request {
                    to: to(whom)?,
                    merge: *merge,
                    commands: CommandSet::Same(list),
                };
                return stage.submit(lane(by), &request).map(|it| receipt(&it));
            }
            ScriptStep::Mixed(by, merge, whom, lists) => {
                let lists: Vec<_> = lists.iter().map(Vec::as_slice).collect();
                let request = Request {
                    to: to(whom)?,
                    merge: *merge,
                    commands: CommandSet::Mixed(&lists),
                };
                return stage.submit(lane(by), &request).map(|it| receipt(&it));
            }
            ScriptStep::Separate(by, merge, whom, times, values) => {
                let commands = CommandSet::Separate { times, values };
                let request = Request {
                    to: to(whom)?,
                    merge: *merge,
                    commands,
                };
                return stage.submit(lane(by), &request).map(|it| receipt(&it));
            }
            ScriptStep::Vector(by, whom, at, values) => {
                let request = Request::vector(to(whom)?, at, values);
                return stage.submit(lane(by), &request).map(|it| receipt(&it));
            }
            ScriptStep::Stop(by, whom) => {
                stage.submit(lane(by), &Request::stop(to(whom)?))?;
            }
            ScriptStep::Sheet(by, merge, parts) => {
                let id = self.lanes[*by].unwrap_or(LaneId::NOBODY);
                return self.swap_in(id, *merge, parts);
            }
            ScriptStep::Cancel(by, ticket) => stage.cancel(lane(by), Ticket(*ticket))?,
            ScriptStep::Weight(by, None, weight) => stage.set_weight(lane(by), *weight)?,
            ScriptStep::Weight(by, Some(actuator), weight) => {
                stage.set_weight_on(lane(by), *actuator, *weight)?;
            }
            ScriptStep::Priority(by, priority) => stage.set_priority(lane(by), *priority)?,
            ScriptStep::End(by, None) => stage.finish(lane(by))?,
            ScriptStep::End(by, Some(ending)) => stage.end(lane(by), *ending)?,
            ScriptStep::Feed(by) => stage.feed(lane(by))?,
            ScriptStep::ReleaseGroup(by, group) => stage.release_group(lane(by), *group)?,
            ScriptStep::Pending(by, actuator) => {
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
            ScriptStep::Progress(by, ticket) => {
                let waiting = stage.progress(lane(by), Ticket(*ticket))?;
                return Ok(format!("{waiting} of ticket {ticket} wait"));
            }
            ScriptStep::Overridden(by) => {
                let names: Vec<_> = stage
                    .overridden(lane(by))?
                    .map(|it| self.script.actuators[usize::from(it.0)].name)
                    .collect();
                return Ok(if names.is_empty() {
                    "nowhere".to_owned()
                } else {
                    names.join(" ")
                });
            }
            ScriptStep::Drive(by, actuator, value, weight, until) => {
                let what = DirectOutput::Value(*value);
                self.drive(*by, *actuator, what, *weight, *until);
            }
            ScriptStep::Gains(by, actuator, gains, weight, until) => {
                self.drive(*by, *actuator, DirectOutput::Gains(*gains), *weight, *until);
            }
            ScriptStep::Alias(alias, members) => {
                let made = match self.aliases[*alias] {
                    Some(id) => stage.change_alias(id, members).map(|()| id),
                    None => stage.create_alias(members),
                };
                self.aliases[*alias] = made.ok().or(self.aliases[*alias]);
                return Ok(made
                    .err()
                    .map_or(String::new(), |error| format!("refused, {error:?}")));
            }
            ScriptStep::Sense(sensor, value) => self.stand.readings[usize::from(sensor.0)] = *value,
            ScriptStep::Board(board, answers) => {
                if let Some(silent) = self.stand.silent.get_mut(usize::from(board.0)) {
                    *silent = !answers;
                }
            }
            ScriptStep::Safety(verb) => {
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
        actuator: ActuatorId,
        what: DirectOutput,
        weight: f64,
        until: Instant,
    ) {
        let lane = self.lane(by);
        self.drives.list.push(DirectCommand {
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
        merge: Merge,
        parts: &[(ActuatorId, Vec<Command>)],
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
