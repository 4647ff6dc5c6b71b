//! Converts requests of the socket into requests to the loop: looks up all names and allocates all memory.
//! Used by the handler. The law: an invalid request is refused here, before it reaches the loop.

use ::socket::{Ask, Measure, Trouble};
use cycle::{ActuatorId, Command, Instant, Merge, Span, WAITING_MAX};
use drivers::sim::Happening;

use super::handler::RequestHandler;
use super::parse::unknown;
use crate::live::{LoopRequest, MoveRequest, SCHEDULED_MAX, ScheduleRequest};
use description::{Dimension, ROUNDED, both, end_of};

impl RequestHandler {
    /// The request to the loop; none if the handler answers without the loop.
    pub(super) fn loop_request(&self, ask: Ask) -> Result<Option<LoopRequest>, Trouble> {
        Ok(Some(match ask {
            Ask::Hello
            | Ask::Find { .. }
            | Ask::Load { .. }
            | Ask::Swap { .. }
            | Ask::Guests
            | Ask::Figure
            | Ask::Names
            | Ask::Description
            | Ask::Alias { .. }
            | Ask::Events { .. }
            | Ask::Record { .. }
            | Ask::End { .. }
            | Ask::Pause { .. }
            | Ask::Tune { .. } => return Ok(None),
            Ask::Set {
                actuator,
                value,
                after_ns,
                measures,
                clip,
                merge,
            } => {
                let to = self.actuators(&actuator)?;
                for id in &to {
                    self.check_value(*id, value, measures, clip)?;
                }
                let (values, after) = (vec![value; to.len()], vec![Span::from_nanos(after_ns)]);
                LoopRequest::Move(MoveRequest::new(to, merge, after, values))
            }
            Ask::Move {
                to,
                after_ns,
                values,
                merge,
            } => LoopRequest::Move(self.moves(&to, after_ns, values, merge)?),
            Ask::Schedule {
                to,
                same,
                lists,
                merge,
            } => LoopRequest::Schedule(self.schedule(&to, same, lists, merge)?),
            Ask::Pose { name, in_ns } => LoopRequest::Move(self.pose(&name, in_ns)?),
            Ask::Operate(operation) => LoopRequest::Operate(operation.into()),
            Ask::Give {
                sensor,
                value,
                over_ns,
            } => LoopRequest::Happen(self.reading(&sensor, value, Span::from_nanos(over_ns))?),
            Ask::Push { actuator, torque } => {
                let ids = self.actuators(&actuator)?;
                let actuator = usize::from(ids.first().map_or(u16::MAX, |it| it.0));
                LoopRequest::Happen(Happening::Push { actuator, torque })
            }
            Ask::Silence { board, silent } => {
                let board = self.board(&board)?;
                LoopRequest::Happen(Happening::Silence { board, silent })
            }
            Ask::Step { turns } => LoopRequest::Step(turns),
            Ask::Quit => LoopRequest::Quit,
        }))
    }

    /// The way to a pose of the description.
    fn pose(&self, name: &str, in_ns: u64) -> Result<MoveRequest, Trouble> {
        let pose = self.robot().pose(name).ok_or_else(|| {
            let known = self.robot().poses.iter().map(|it| it.0.as_str());
            unknown("pose", name, known)
        })?;
        let (to, values) = pose.iter().copied().unzip();
        let in_time = vec![Span::from_nanos(in_ns)];
        Ok(MoveRequest::new(to, Merge::ClearAll, in_time, values))
    }

    /// Commands at times from now, with a row of values for each actuator.
    fn moves(
        &self,
        to: &[String],
        after_ns: Vec<u64>,
        values: Vec<f64>,
        merge: Merge,
    ) -> Result<MoveRequest, Trouble> {
        if after_ns.len() > WAITING_MAX as usize {
            let sentence = format!("an actuator has room for {WAITING_MAX} commands");
            return Err(Trouble::new("full", sentence).fix("send less at once"));
        }
        let to = self.all_actuators(to)?;
        let after = after_ns.into_iter().map(Span::from_nanos).collect();
        Ok(MoveRequest::new(to, merge, after, values))
    }

    /// The number of the board of this name.
    fn board(&self, name: &str) -> Result<usize, Trouble> {
        let known = || self.robot().boards.iter().map(|it| it.name.as_str());
        let place = known().position(|it| it == name);
        place.ok_or_else(|| unknown("board", name, known()))
    }

    /// Lists of commands at instants of the robot's time: one for each actuator, or the `same` for all.
    fn schedule(
        &self,
        to: &[String],
        same: bool,
        lists: Vec<Vec<(u64, f64)>>,
        merge: Merge,
    ) -> Result<ScheduleRequest, Trouble> {
        let to = self.all_actuators(to)?;
        let fits = if same { 1 } else { to.len() };
        if lists.len() != fits {
            let sentence = format!("{} lists, but {fits} expected", lists.len());
            let fix = "send one list for each actuator, in the same order";
            return Err(Trouble::new("shape", sentence).fix(fix));
        }
        let is_long = |it: &Vec<_>| it.len() > WAITING_MAX as usize;
        if to.len() > SCHEDULED_MAX || lists.iter().any(is_long) {
            let sentence =
                format!("at most {SCHEDULED_MAX} actuators and {WAITING_MAX} commands for each");
            return Err(Trouble::new("full", sentence).fix("send less at once"));
        }
        let command = |(at, value)| Command {
            at: Instant::from_nanos(at),
            value,
        };
        let list = |it: Vec<_>| it.into_iter().map(command).collect();
        Ok(ScheduleRequest {
            to,
            merge,
            lists: lists.into_iter().map(list).collect(),
        })
    }

    /// Sets what a simulated sensor reads, at once or gradually within `over`.
    fn reading(&self, sensor: &str, value: f64, over: Span) -> Result<Happening, Trouble> {
        let known = || self.robot().sensors.iter().map(|it| it.name.as_str());
        let id = self.robot().sensor(sensor);
        let sensor = usize::from(id.ok_or_else(|| unknown("sensor", sensor, known()))?.0);
        Ok(match over {
            Span::ZERO => Happening::Give { sensor, value },
            over => Happening::Glide {
                sensor,
                value,
                over,
            },
        })
    }

    /// Checks the unit and the range of a value for an actuator.
    fn check_value(
        &self,
        id: ActuatorId,
        value: f64,
        measures: Option<Measure>,
        clip: bool,
    ) -> Result<(), Trouble> {
        let Some(it) = self.robot().actuators.get(usize::from(id.0)) else {
            return Ok(());
        };
        let dimension = measures.map(|it| match it {
            Measure::Angle => Dimension::Angle,
            Measure::Length => Dimension::Length,
        });
        if let Some(Err(why)) = dimension.map(|dimension| dimension.fits(&it.name, &it.unit)) {
            return Err(Trouble::new("unit", why).fix("use no unit, or one that fits"));
        }
        // A rounded end of the range counts as the end.
        let beyond = (value - it.range.clamp(value)).abs();
        if clip || beyond <= ROUNDED || value.is_nan() {
            return Ok(());
        }
        let [asked, end] = both(value, it.range.clamp(value), &it.unit);
        let sentence = format!(
            "{asked} is outside the range of {}, which ends at {end}",
            it.name
        );
        let within = end_of(it.range.clamp(value), &it.unit, |it_is| {
            it.range.holds(it_is)
        });
        let fix = format!("use {within}, or clip the value with --clip");
        Err(Trouble::new("range", sentence).fix(fix))
    }

    /// The actuators that these names mean, each of them at most once.
    fn all_actuators(&self, names: &[String]) -> Result<Vec<ActuatorId>, Trouble> {
        let mut ids = Vec::new();
        for name in names {
            ids.extend(self.actuators(name)?);
            if ids.len() > self.robot().actuators.len() {
                return Err(Trouble::new("twice", "an actuator is named twice"));
            }
        }
        Ok(ids)
    }
}
