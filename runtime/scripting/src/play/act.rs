//! Carries out one action of a script: the call on the stage that it means, and the answer in words.
//! Called by `play` between turns.
//! One action is one call.

use std::fmt::Write;

use cycle::{
    ActuatorId, Command, CommandSet, LaneId, Merge, Receipt, Refusal, Request, Ticket, To,
};

use super::board::DirectCommand;
use super::table::number;
use super::{Player, refused};
use crate::script::{LaneStep, RequestTarget, SafetyRequest, ScriptStep, Submission};
use crate::words::script_ms;

impl Player<'_> {
    pub(crate) fn act(&mut self, step: &ScriptStep) -> String {
        match step {
            ScriptStep::Open(lane, settings) => {
                let opened = self.cycle.stage().open(*settings);
                self.lanes[*lane] = opened.ok().or(self.lanes[*lane]);
                refusal_of(opened)
            }
            ScriptStep::Lane(lane, step) => {
                // A lane that was never opened has a handle that names nothing.
                let lane = self.lanes[*lane].unwrap_or(LaneId::NOBODY);
                let done = self.act_on_lane(lane, step);
                done.unwrap_or_else(|refusal| refused(&refusal))
            }
            ScriptStep::Alias(alias, members) => {
                let stage = self.cycle.stage();
                let made = match self.aliases[*alias] {
                    Some(id) => stage.change_alias(id, members).map(|()| id),
                    None => stage.create_alias(members),
                };
                self.aliases[*alias] = made.ok().or(self.aliases[*alias]);
                refusal_of(made)
            }
            ScriptStep::Sensor(sensor, value) => {
                self.board.readings[usize::from(sensor.0)] = *value;
                String::new()
            }
            ScriptStep::Board(board, answers) => {
                if let Some(silent) = self.board.silent.get_mut(usize::from(board.0)) {
                    *silent = !answers;
                }
                String::new()
            }
            ScriptStep::Safety(request) => self.request_safety(*request),
        }
    }

    fn act_on_lane(&mut self, lane: LaneId, step: &LaneStep) -> Result<String, Refusal> {
        let stage = self.cycle.stage();
        match step {
            LaneStep::Submit(target, submission) => return self.submit(lane, target, submission),
            LaneStep::Trajectory(merge, parts) => return self.swap_in(lane, *merge, parts),
            LaneStep::Cancel(ticket) => _ = stage.cancel(lane, Ticket(*ticket))?,
            LaneStep::Drive(actuator, output, weight, until) => {
                self.hooks.list.push(DirectCommand {
                    lane,
                    actuator: *actuator,
                    output: *output,
                    weight: *weight,
                    until: *until,
                });
            }
            LaneStep::Weight(None, weight) => stage.set_weight(lane, *weight)?,
            LaneStep::Weight(Some(actuator), weight) => {
                stage.set_weight_on(lane, *actuator, *weight)?;
            }
            LaneStep::Priority(priority) => stage.set_priority(lane, *priority)?,
            LaneStep::End(None) => stage.finish(lane)?,
            LaneStep::End(Some(ending)) => stage.end(lane, *ending)?,
            LaneStep::Feed => stage.feed(lane)?,
            LaneStep::ReleaseGroup(group) => stage.release_group(lane, *group)?,
            LaneStep::Pending(actuator) => return self.pending(lane, *actuator),
            LaneStep::Progress(ticket) => {
                let waiting = stage.waiting_of(lane, Ticket(*ticket))?;
                return Ok(format!("{waiting} of ticket {ticket} wait"));
            }
            LaneStep::Overridden => return self.overridden(lane),
        }
        Ok(String::new())
    }

    fn submit(
        &mut self,
        lane: LaneId,
        target: &RequestTarget,
        submission: &Submission,
    ) -> Result<String, Refusal> {
        let stage = self.cycle.stage();
        let to = target_of(target, &self.aliases)?;
        let lists: Vec<_>;
        let (merge, commands) = match submission {
            Submission::Same(merge, list) => (*merge, CommandSet::Same(list)),
            Submission::Mixed(merge, all) => {
                lists = all.iter().map(Vec::as_slice).collect();
                (*merge, CommandSet::Mixed(&lists))
            }
            Submission::Separate(merge, times, values) => {
                (*merge, CommandSet::Separate { times, values })
            }
            Submission::Vector(at, values) => {
                return stage
                    .submit(lane, &Request::vector(to, at, values))
                    .map(|value| receipt(&value));
            }
            Submission::Stop => {
                return stage
                    .submit(lane, &Request::stop(to))
                    .map(|_| String::new());
            }
        };
        let request = Request {
            to,
            merge,
            commands,
        };
        stage.submit(lane, &request).map(|value| receipt(&value))
    }

    fn pending(&mut self, lane: LaneId, actuator: ActuatorId) -> Result<String, Refusal> {
        let stage = self.cycle.stage();
        let mut list = Vec::new();
        stage.each_pending(lane, actuator, |command, ticket| {
            let (at, value) = (number(script_ms(command.at)), number(command.value));
            list.push(format!("{at}:{value} (ticket {})", ticket.0));
        })?;
        let pending = stage.pending(lane, actuator)?;
        let value = number(pending.value);
        Ok(format!(
            "{} wait, at {value}; {}",
            pending.count,
            list.join(" ")
        ))
    }

    fn overridden(&mut self, lane: LaneId) -> Result<String, Refusal> {
        let stage = self.cycle.stage();
        let names: Vec<_> = stage
            .overridden(lane)?
            .map(|overridden| self.script.actuators[usize::from(overridden.0)].name)
            .collect();
        Ok(if names.is_empty() {
            "nowhere".to_owned()
        } else {
            names.join(" ")
        })
    }

    fn swap_in(
        &mut self,
        lane: LaneId,
        merge: Merge,
        parts: &[(ActuatorId, Vec<Command>)],
    ) -> Result<String, Refusal> {
        let Some(mut trajectory) = self.trajectories.pop_front() else {
            return Ok("no sheet".to_owned());
        };
        trajectory.begin(merge);
        let stage = self.cycle.stage();
        for (actuator, list) in parts {
            trajectory.add(stage.body(), stage.now(), *actuator, list)?;
        }
        let (taken, _spent) = stage
            .swap_in(lane, trajectory)
            .map_err(|(refusal, _)| refusal)?;
        Ok(receipt(&taken))
    }

    fn request_safety(&mut self, request: SafetyRequest) -> String {
        let stage = self.cycle.stage();
        let entered = match request {
            SafetyRequest::Arm => stage.arm(),
            SafetyRequest::Disarm => stage.disarm(),
            SafetyRequest::Hold => stage.hold(),
            SafetyRequest::Resume => stage.resume(),
            SafetyRequest::Retreat => stage.retreat(),
            SafetyRequest::Clear => stage.clear_fault(),
            SafetyRequest::Estop => stage.press_stop(),
            SafetyRequest::Release => stage.release_stop(),
        };
        match entered {
            Ok(state) => state.name().to_owned(),
            Err(not_now) => format!("not now, {not_now:?}"),
        }
    }
}

/// How a refusal is shown, and nothing if there is none.
fn refusal_of<T, E: std::fmt::Debug>(result: Result<T, E>) -> String {
    result
        .err()
        .map_or(String::new(), |error| format!("refused, {error:?}"))
}

/// RequestTarget a request is for. An alias that could not be made cannot be used either.
fn target_of<'w>(
    target: &'w RequestTarget,
    aliases: &[Option<cycle::AliasId>],
) -> Result<To<'w>, Refusal> {
    match target {
        RequestTarget::Actuators(list) => Ok(match list.as_slice() {
            [one] => To::One(*one),
            many => To::Many(many),
        }),
        RequestTarget::Alias(alias) => aliases[*alias].map(To::Alias).ok_or(Refusal::Shape),
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
