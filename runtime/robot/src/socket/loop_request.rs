//! Converts requests of the socket into requests to the loop: looks up all names and allocates all memory.
//! Used by the handler. An invalid request is refused here, before it reaches the loop.

use ::protocol::{Ask, ErrorCode, Measure, RequestError};
use cycle::{ActuatorId, Command, Instant, Merge, Span, WAITING_MAX};
use drivers::sim::SimEvent;

use super::handler::RequestHandler;
use super::parse::unknown;
use super::simulated::{can_be_pushed, can_read, lifted, obstacle, push_of_link, tilted_floor};
use crate::live::{LoopRequest, MoveCommands, MoveRequest, long_move_commands};
use description::{Dimension, ROUNDED, both, end_of};

impl RequestHandler {
    /// The request to the loop; none if the handler answers without the loop.
    pub(super) fn loop_request(&self, ask: Ask) -> Result<Option<LoopRequest>, RequestError> {
        Ok(Some(match ask {
            Ask::Move {
                to,
                after_ns,
                values,
                packed: _,
                measures,
                clip,
                merge,
                lane: _,
            } => {
                let (to, values) = self.rows(&to, after_ns.len(), values)?;
                for (id, row) in to.iter().zip(values.chunks(after_ns.len().max(1))) {
                    for value in row {
                        self.check_value(*id, *value, measures, clip)?;
                    }
                }
                let after = after_ns.into_iter().map(Span::from_nanos).collect();
                LoopRequest::Move(MoveRequest::new(to, merge, after, values))
            }
            Ask::Schedule {
                to,
                same,
                lists,
                packed: _,
                merge,
                lane: _,
            } => LoopRequest::Move(self.schedule(&to, same, lists, merge)?),
            Ask::Pose { name, in_ns, .. } => LoopRequest::Move(self.pose(&name, in_ns)?),
            Ask::Operate(operation) => LoopRequest::Operate(operation),
            Ask::Step { turns } => LoopRequest::Step(turns),
            Ask::Quit => LoopRequest::Quit,
            ask => match self.simulated(ask)? {
                Some(event) => LoopRequest::Simulate(event),
                None => return Ok(None),
            },
        }))
    }

    /// What happens to a simulated body; none if the request is about something else.
    fn simulated(&self, ask: Ask) -> Result<Option<SimEvent>, RequestError> {
        let robot = self.robot();
        let event = match ask {
            Ask::Give {
                sensor,
                value,
                over_ns,
            } => self.reading(&sensor, value, Span::from_nanos(over_ns)),
            Ask::Push { actuator, torque } => self.push(&actuator, torque),
            Ask::PushLink {
                link,
                force,
                for_ns,
            } => {
                let lasts = Span::from_nanos(for_ns);
                push_of_link(robot, &link, force, lasts)
            }
            Ask::Lift { held } => lifted(robot, held),
            Ask::Floor { tilt } => tilted_floor(robot, tilt),
            Ask::PutBox { edges, mass, at } => {
                let event = SimEvent::PutBox { edges, mass, at };
                obstacle(robot, event)
            }
            Ask::BuildSteps {
                count,
                height,
                depth,
                gap,
            } => {
                let event = SimEvent::BuildSteps {
                    count,
                    height,
                    depth,
                    gap,
                };
                obstacle(robot, event)
            }
            Ask::EmptyFloor => obstacle(robot, SimEvent::EmptyFloor),
            Ask::Silence { board, silent } => {
                let board = self.board(&board)?;
                Ok(SimEvent::Silence { board, silent })
            }
            _ => return Ok(None),
        };
        event.map(Some)
    }

    /// The actuators of a move whose values lie outside their ranges, by name.
    pub(super) fn beyond_range(&self, asked: &MoveRequest) -> Vec<String> {
        let beyond = asked.to.iter().enumerate().filter_map(|(place, id)| {
            let actuator = self.robot().actuators.get(usize::from(id.0))?;
            let is_beyond = |value: f64| (value - actuator.range.clamp(value)).abs() > ROUNDED;
            let clips = match &asked.commands {
                MoveCommands::Rows { after, values, .. } => {
                    let row = values.chunks(after.len().max(1)).nth(place)?;
                    row.iter().any(|value| is_beyond(*value))
                }
                MoveCommands::Lists(lists) => {
                    let list = lists.get(place).or(lists.first())?;
                    list.iter().any(|item| is_beyond(item.value))
                }
            };
            clips.then(|| actuator.name.clone())
        });
        beyond.collect()
    }

    /// The way to a pose of the description.
    fn pose(&self, name: &str, in_ns: u64) -> Result<MoveRequest, RequestError> {
        let pose = self.robot().pose(name).ok_or_else(|| {
            let known = self.robot().poses.iter().map(|pose| pose.0.as_str());
            unknown("pose", name, known, &self.description)
        })?;
        let (to, values) = pose.iter().copied().unzip();
        let in_time = vec![Span::from_nanos(in_ns)];
        Ok(MoveRequest::new(to, Merge::ClearAll, in_time, values))
    }

    /// The actuators of these names, and a row of so many values for each actuator.
    fn rows(
        &self,
        names: &[String],
        keys: usize,
        values: Vec<f64>,
    ) -> Result<(Vec<ActuatorId>, Vec<f64>), RequestError> {
        let to = self.all_actuators(names)?;
        self.check_size(to.len() * keys, keys)?;
        // With a row for each actuator.
        if values.len() == to.len() * keys {
            return Ok((to, values));
        }
        if values.len() != names.len() * keys {
            let sentence = format!(
                "there are {} values, and {} actuators at {keys} times need {}",
                values.len(),
                to.len(),
                to.len() * keys
            );
            let fix = "send one value for each actuator and time";
            return Err(ErrorCode::WrongCount.error(sentence).fix(fix));
        }
        let mut rows = Vec::with_capacity(to.len() * keys);
        for (name, row) in names.iter().zip(values.chunks(keys)) {
            for _ in self.actuators(name)? {
                rows.extend_from_slice(row);
            }
        }
        Ok((to, rows))
    }

    /// The number of the board of this name.
    fn board(&self, name: &str) -> Result<usize, RequestError> {
        let known = || self.robot().boards.iter().map(|board| board.name.as_str());
        let place = known().position(|known| known == name);
        place.ok_or_else(|| unknown("board", name, known(), &self.description))
    }

    /// Lists of commands at instants of the robot's time: one for each actuator, or the `same` for all.
    fn schedule(
        &self,
        to: &[String],
        same: bool,
        lists: Vec<Vec<(u64, f64)>>,
        merge: Merge,
    ) -> Result<MoveRequest, RequestError> {
        let to = self.all_actuators(to)?;
        let fits = if same { 1 } else { to.len() };
        if lists.len() != fits {
            let sentence = format!("{} lists, but {fits} expected", lists.len());
            let fix = "send one list for each actuator, in the same order";
            return Err(ErrorCode::WrongCount.error(sentence).fix(fix));
        }
        let all: usize = lists.iter().map(Vec::len).sum();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        self.check_size(if same { all * to.len() } else { all }, longest)?;
        let command = |(at, value)| Command {
            at: Instant::from_nanos(at),
            value,
        };
        let list = |row: Vec<_>| row.into_iter().map(command).collect();
        Ok(MoveRequest {
            to,
            merge,
            commands: MoveCommands::Lists(lists.into_iter().map(list).collect()),
        })
    }

    /// Checks whether a move of so many commands, and so many for an actuator, can be accepted at all.
    fn check_size(&self, all: usize, for_one: usize) -> Result<(), RequestError> {
        let most = long_move_commands(self.robot());
        let one = WAITING_MAX as usize;
        let sentence = if for_one > one {
            format!("the request has {for_one} commands for an actuator, and the maximum is {one}")
        } else if all > most {
            format!("the request has {all} commands, and the maximum for this robot is {most}")
        } else {
            return Ok(());
        };
        let fix = "send it in parts: the later ones when the earlier ones have been played";
        Err(ErrorCode::TooLarge.error(sentence).fix(fix))
    }

    /// Sets what a simulated sensor reads, at once or gradually within `over`.
    fn reading(&self, sensor: &str, value: f64, over: Span) -> Result<SimEvent, RequestError> {
        let known = self
            .robot()
            .sensors
            .iter()
            .map(|sensor| sensor.name.as_str());
        let id = self.robot().sensor(sensor);
        let id = id.ok_or_else(|| unknown("sensor", sensor, known, &self.description))?;
        let sensor = usize::from(id.0);
        can_read(self.robot(), sensor, value)?;
        Ok(match over {
            Span::ZERO => SimEvent::Give { sensor, value },
            over => SimEvent::Glide {
                sensor,
                value,
                over,
            },
        })
    }

    /// Pushes a joint of a simulated body.
    fn push(&self, name: &str, torque: f64) -> Result<SimEvent, RequestError> {
        let robot = self.robot();
        let place = match self.actuators(name)?.as_slice() {
            [id] => usize::from(id.0),
            several => {
                let names = several
                    .iter()
                    .map(|id| robot.actuators[usize::from(id.0)].name.as_str());
                let names: Vec<_> = names.collect();
                let sentence = format!(
                    "`{name}` is {} joints, and one is pushed at a time",
                    names.len()
                );
                let error = ErrorCode::OutOfRange.error(sentence);
                return Err(error.fix(format!("push one of {}", names.join(", "))));
            }
        };
        can_be_pushed(robot, place, torque)?;
        Ok(SimEvent::Push {
            actuator: place,
            torque,
        })
    }

    /// Checks whether an actuator has such a unit.
    pub(super) fn check_unit(
        &self,
        id: ActuatorId,
        measures: Option<Measure>,
    ) -> Result<(), RequestError> {
        let dimension = measures.map(|measure| match measure {
            Measure::Angle => Dimension::Angle,
            Measure::Length => Dimension::Length,
        });
        let actuator = self.robot().actuators.get(usize::from(id.0));
        match actuator
            .zip(dimension)
            .map(|(actuator, dimension)| dimension.fits(&actuator.name, &actuator.unit))
        {
            Some(Err(why)) => Err(ErrorCode::WrongUnit
                .error(why)
                .fix("use no unit, or one that fits")),
            _ => Ok(()),
        }
    }

    /// Checks the unit and the range of a value for an actuator.
    fn check_value(
        &self,
        id: ActuatorId,
        value: f64,
        measures: Option<Measure>,
        clip: bool,
    ) -> Result<(), RequestError> {
        let Some(actuator) = self.robot().actuators.get(usize::from(id.0)) else {
            return Ok(());
        };
        self.check_unit(id, measures)?;
        // A rounded end of the range counts as the end.
        let beyond = (value - actuator.range.clamp(value)).abs();
        if clip || beyond <= ROUNDED || value.is_nan() {
            return Ok(());
        }
        let [asked, _] = both(value, actuator.range.clamp(value), &actuator.unit);
        let within = end_of(actuator.range.clamp(value), &actuator.unit, |end| {
            actuator.range.holds(end)
        });
        let sentence = format!(
            "{asked} is outside the range of {}, which ends at {within}",
            actuator.name
        );
        let fix = format!("use {within}, or clip the value with --clip");
        Err(ErrorCode::OutOfRange.error(sentence).fix(fix))
    }

    /// The actuators that these names mean, each of them at most once.
    pub(super) fn all_actuators(&self, names: &[String]) -> Result<Vec<ActuatorId>, RequestError> {
        let mut ids = Vec::new();
        for name in names {
            ids.extend(self.actuators(name)?);
            if ids.len() > self.robot().actuators.len() {
                return Err(ErrorCode::Twice
                    .error("an actuator is named twice")
                    .fix("name each actuator once, also by its aliases"));
            }
        }
        Ok(ids)
    }
}
