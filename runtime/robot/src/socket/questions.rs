//! Questions that are answered without the loop: which loop this is, what names mean, how the recording stands.
//! Called by the request handler. An answer does not wait for a turn.

use ::protocol::{
    ErrorCode, FaultCode, FoundRows, LongNames, LoopInfo, ReplyBody, RequestError, VERSION,
};
use drivers::faults::{Fault, error_name};

use super::devices::devices;
use super::handler::RequestHandler;
use super::parse::{actuators, unknown};

impl RequestHandler {
    /// Which loop this is.
    pub(super) fn hello(&self) -> ReplyBody {
        ReplyBody::Here(LoopInfo {
            protocol: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            name: self.places.name.clone(),
            robot: self.robot.name.clone(),
            page: self.places.page.clone(),
            process: std::process::id(),
            description: self.description.clone(),
            boards: self
                .robot
                .boards
                .iter()
                .map(|board| board.name.clone())
                .collect(),
            is_replay: self.is_replay,
            identity: self.robot.identity.iter().cloned().collect(),
        })
    }

    /// The long names of all values on the page.
    pub(super) fn names(&self) -> ReplyBody {
        let robot = self.robot();
        ReplyBody::Names(LongNames {
            actuators: robot
                .actuators
                .iter()
                .map(|actuator| actuator.path.clone())
                .collect(),
            sensors: robot
                .sensors
                .iter()
                .map(|sensor| sensor.path.clone())
                .collect(),
            devices: devices(robot),
        })
    }

    /// Switches the recording of this run, if that is asked; says how it stands.
    pub(super) fn record(&self, on: Option<bool>) -> Result<ReplyBody, RequestError> {
        let Some(recording) = &self.recording else {
            let error = ErrorCode::NotHere.error("this loop has no folder of recordings");
            return Err(error.fix(
                "run the robot by `dcm-run serve`, or record into a file: `dcm-run run --record FILE`",
            ));
        };
        if let Some(on) = on {
            recording.record(on);
        }
        Ok(ReplyBody::Recording(recording.status()))
    }

    /// The indices on the page that a name means: first by the description, then by the aliases of clients.
    pub(super) fn find(&self, name: &str) -> Result<ReplyBody, RequestError> {
        let sensors: Vec<_> = self
            .robot
            .sensor(name)
            .iter()
            .map(|sensor| sensor.0)
            .collect();
        let described = actuators(&self.robot, name);
        let found = described.or_else(|unknown| self.aliases.find(name).ok_or(unknown));
        let actuators = match found {
            Ok(ids) => ids.iter().map(|id| id.0).collect(),
            Err(_) if !sensors.is_empty() || self.robot.is_absent(name) => Vec::new(),
            Err(_) => {
                let sensors = self.robot.sensors.iter().map(|sensor| sensor.name.as_str());
                let known = self
                    .robot
                    .actuators
                    .iter()
                    .map(|actuator| actuator.name.as_str());
                let aliases = self.robot.aliases.iter().map(|alias| alias.0.as_str());
                let names = sensors.chain(known).chain(aliases);
                return Err(unknown("value", name, names, &self.description));
            }
        };
        Ok(ReplyBody::Found(FoundRows { actuators, sensors }))
    }

    /// The error codes of boards, with their names and remedies.
    pub(super) fn faults(&self) -> ReplyBody {
        let code = |fault: Fault| FaultCode {
            code: fault.error(),
            name: error_name(fault.error()),
            remedy: fault.remedy().to_owned(),
        };
        ReplyBody::Faults(Fault::all().map(code).collect())
    }
}
