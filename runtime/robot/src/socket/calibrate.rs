//! The calibration of joints while the loop runs.
//! Called by the request handler. The loop moves the zero of a limp joint only; here it gets its name and its
//! sentences.

use ::protocol::{CalibrationStatus, ErrorCode, Measure, ReplyBody, RequestError};
use cycle::{ActuatorId, TrimRefusal, ZeroChange};
use description::end_of;

use super::handler::RequestHandler;
use super::preference_keys::section;
use crate::live::{LoopAnswer, LoopRequest};

impl RequestHandler {
    /// The calibration of these joints; of all that have a sensor, if none is named.
    pub(super) fn calibration(&self, names: &[String]) -> Result<ReplyBody, RequestError> {
        let robot = self.robot();
        let mut joints = Vec::new();
        for name in names {
            for id in self.actuators(name)? {
                if section(robot, id).is_none() {
                    return Err(self.no_joint(id));
                }
                joints.push(id);
            }
        }
        if names.is_empty() {
            let places = 0..robot.actuators.len();
            let all = places.map(|place| ActuatorId(place as u16));
            joints.extend(all.filter(|value| section(robot, *value).is_some()));
        }
        let book = self.preferences.open();
        let told = joints.into_iter().filter_map(|id| {
            let place = usize::from(id.0);
            let joint = &robot.actuators[place];
            let sensor = robot.sensors.get(usize::from(joint.sensor?.0))?;
            let moved = book.moved[place];
            Some(CalibrationStatus {
                joint: joint.name.clone(),
                unit: joint.unit.clone(),
                gain: joint.calibration.gain,
                offset: joint.calibration.offset + moved,
                sensor_gain: sensor.calibration.gain,
                sensor_offset: sensor.calibration.offset + moved,
                moved,
                kept: book.kept[place],
            })
        });
        Ok(ReplyBody::Calibration(told.collect()))
    }

    /// Moves the zero of a joint, and returns its calibration.
    pub(super) fn calibrate(
        &self,
        joint: &str,
        (at, moved): (Option<f64>, Option<f64>),
        measures: Option<Measure>,
    ) -> Result<ReplyBody, RequestError> {
        let ids = self.actuators(joint)?;
        let [id] = ids[..] else {
            let sentence = format!("`{joint}` is several joints");
            return Err(ErrorCode::WrongCount
                .error(sentence)
                .fix("calibrate one joint after the other"));
        };
        let change = match (at, moved) {
            (Some(at), None) => ZeroChange::IsAt(at),
            (None, Some(moved)) => ZeroChange::To(moved),
            _ => {
                let sentence = "a calibration needs either `at` or `moved`";
                return Err(ErrorCode::InvalidRequest.error(sentence).fix(
                    "say where the joint is now with `at`, or how far its zero moves with `moved`",
                ));
            }
        };
        self.check_unit(id, measures)?;
        {
            let _one_at_a_time = self.preferences.change();
            let moved = self.ask_for_zero(id, change)?;
            self.preferences.open().moved[usize::from(id.0)] = moved;
        }
        self.calibration(&[joint.to_owned()])
    }

    /// Lets the loop move the zero of a joint; returns how far it now is from that of the description.
    pub(super) fn ask_for_zero(
        &self,
        joint: ActuatorId,
        to: ZeroChange,
    ) -> Result<f64, RequestError> {
        if section(self.robot(), joint).is_none() {
            return Err(self.no_joint(joint));
        }
        let name = &self.robot().actuators[usize::from(joint.0)].name;
        match self.ask_the_loop(LoopRequest::Calibrate(joint, to))? {
            LoopAnswer::Calibrated(moved) => {
                tracing::info!("the zero of {name} is {moved:+.6} from that of the description");
                Ok(moved)
            }
            LoopAnswer::NotCalibrated(why) => Err(self.not_calibrated(joint, why)),
            answer => self.reply(answer).map(|_| 0.0),
        }
    }

    fn no_joint(&self, id: ActuatorId) -> RequestError {
        let name = &self.robot().actuators[usize::from(id.0)].name;
        ErrorCode::WrongKind
            .error(format!("`{name}` is no joint with a sensor"))
            .fix("`dcm-run calibrate` lists the joints that can be calibrated")
    }

    fn not_calibrated(&self, id: ActuatorId, why: TrimRefusal) -> RequestError {
        let joint = &self.robot().actuators[usize::from(id.0)];
        let name = &joint.name;
        let [low, high] = [joint.range.min, joint.range.max]
            .map(|value| end_of(value, &joint.unit, |end| joint.range.holds(end)));
        match why {
            TrimRefusal::NotMeasured => self.no_joint(id),
            TrimRefusal::NotLimp => ErrorCode::NotNow.error(
                format!("`{name}` has force: a calibration would move it"),
            )
            .fix("make it limp first: `dcm-run disarm`, or its stiffness 0"),
            TrimRefusal::NoReading => {
                ErrorCode::NotReady.error(format!("the sensor of `{name}` was not read in the last turn"))
                    .fix("look for a silent board with `dcm-run get`")
            }
            TrimRefusal::Value => ErrorCode::OutOfRange.error(
                format!("that is no position of `{name}`, which goes from {low} to {high}"),
            )
            .fix("say where the joint is now, in its range"),
            TrimRefusal::TooFar => ErrorCode::OutOfRange.error(
                format!("the zero of `{name}` would move by more than half of its range"),
            )
            .fix("check the joint and the value; a robot that was built anew gets its offset in its description"),
        }
    }
}
