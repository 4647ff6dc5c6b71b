//! What an actuator is like: its calibration, what heat does to it, its motor.
//! Used while `joints` are read.
//! What would let a turn divide by zero, or a simulation run away, is refused here.

use cycle::{BoardId, Calibration, CurrentLimit, Heat, Kind, Range, SensorId};
use drivers::sim::Motor;

use super::RobotReader;
use super::table_view::TableView;
use crate::problem::Problem;

/// A joint's motor may go a little further than it is ever sent: its mechanical stops.
const BEYOND: f64 = 0.02;

impl<'t> RobotReader<'t> {
    pub(super) fn calibration(
        &mut self,
        entry: &TableView<'t>,
        range: Option<Range>,
    ) -> Calibration {
        let Some(own) = entry.sub("calibration") else {
            return Calibration::NONE;
        };
        let calibration = Calibration {
            gain: own.figure("gain").unwrap_or(1.0),
            offset: own.figure("offset").unwrap_or(0.0),
            whole: own.flag("whole").unwrap_or(false),
        };
        let spot = own.spot_of("gain");
        if calibration.gain == 0.0 {
            self.complain(Problem::at(spot, "a gain of 0 cannot be inverted", "here"));
        } else if let Some(range) = range {
            // The same question that the cycle will ask: is there a count inside the range?
            let inside = |end| range.holds(calibration.value(calibration.counts(end, range)));
            if calibration.whole && !(inside(range.min) && inside(range.max)) {
                let sentence = "no whole count lies inside the range";
                let problem = Problem::at(spot, sentence, "too coarse");
                self.complain(problem.and(entry.spot_of("range"), "the range"));
            }
        }
        calibration
    }

    /// The outputs that a joint's gains have on its board.
    pub(super) fn gain_channels(
        &mut self,
        entry: &TableView<'t>,
        board: BoardId,
    ) -> Option<[u16; 3]> {
        let own = entry.sub("gains")?;
        own.node("channels")?;
        let spot = own.spot_of("channels");
        let channels: Vec<_> = own
            .wholes("channels")
            .iter()
            .map(|value| *value as u16)
            .collect();
        let Ok(channels) = <[u16; 3]>::try_from(channels) else {
            let sentence = "gains have three channels, for `p`, `i` and `d`";
            self.complain(Problem::at(spot, sentence, "not three"));
            return None;
        };
        for channel in channels {
            self.channels.reserve(board, channel, spot);
        }
        Some(channels)
    }

    pub(super) fn heat(&mut self, entry: &TableView<'t>, sensor: Option<SensorId>) -> Option<Heat> {
        let own = entry.sub("temperature")?;
        let (warm, hot) = (own.figure("warm"), own.figure("hot"));
        match (warm, hot, sensor) {
            (Some(warm), Some(hot), Some(sensor)) if warm < hot => Some(Heat { sensor, warm, hot }),
            (None, None, _) => None,
            (Some(_), Some(_), _) => {
                let problem = Problem::at(own.spot_of("hot"), "`hot` is not above `warm`", "here");
                self.complain(problem.and(own.spot_of("warm"), "warm"));
                None
            }
            _ => {
                let spot = own.spot_of(if warm.is_some() { "warm" } else { "hot" });
                self.complain(Problem::at(
                    spot,
                    "`warm` and `hot` need each other",
                    "one of them",
                ));
                None
            }
        }
    }
}

impl<'t> RobotReader<'t> {
    /// How the current of a joint's motor limits its stiffness.
    pub(super) fn current_limit(
        &mut self,
        entry: &TableView<'t>,
        sensor: Option<SensorId>,
    ) -> Option<CurrentLimit> {
        let own = entry.sub("current")?;
        match (own.figure("high"), own.figure("limit"), sensor) {
            (Some(high), Some(limit), Some(sensor)) if high < limit => Some(CurrentLimit {
                sensor,
                high,
                limit,
            }),
            (None, None, _) => None,
            (Some(_), Some(_), _) => {
                let spot = own.spot_of("limit");
                let problem = Problem::at(spot, "`limit` is not above `high`", "here");
                self.complain(problem.and(own.spot_of("high"), "high"));
                None
            }
            (high, ..) => {
                let spot = own.spot_of(if high.is_some() { "high" } else { "limit" });
                let sentence = "`high` and `limit` need each other";
                self.complain(Problem::at(spot, sentence, "one of them"));
                None
            }
        }
    }
}

/// The error at which a servo exerts all of its torque, rad: two degrees.
const FULL_ERROR: f64 = 0.035;

/// The damping of a servo as a share of its stiffness, s.
const DAMPING_TIME: f64 = 0.03;

/// The step in which a motor without physics is simulated, s.
const SIMULATED_STEP: f64 = 0.001;

pub(super) fn motor(entry: &TableView<'_>, kind: Kind, range: Range) -> Motor {
    let usual = Motor::SERVO;
    let stops = match kind {
        Kind::Wheel => (f64::NEG_INFINITY, f64::INFINITY),
        Kind::Hand => (range.min, range.max),
        _ => (range.min - BEYOND, range.max + BEYOND),
    };
    let Some(own) = entry.sub("motor") else {
        return Motor { stops, ..usual };
    };
    let figure = |key, or| own.figure(key).unwrap_or(or);
    // A motor's torque says how stiff its servo is; stiffer than a step can follow, it would shake.
    let inertia = figure("inertia", usual.inertia);
    let stiffest = inertia / (SIMULATED_STEP * DAMPING_TIME);
    let (stiffness, damping) = match own.figure("torque") {
        Some(torque) => {
            let stiffness = (torque / FULL_ERROR).min(stiffest);
            (stiffness, stiffness * DAMPING_TIME)
        }
        None => (usual.stiffness, usual.damping),
    };
    Motor {
        stops: own
            .range("stops")
            .map_or(stops, |range| (range.min, range.max)),
        inertia,
        torque: figure("torque", usual.torque),
        speed: figure("speed", usual.speed),
        friction: figure("friction", usual.friction),
        load: figure("load", usual.load),
        stiffness: figure("stiffness", stiffness),
        damping: figure("damping", damping),
        torque_per_amp: figure("torque-per-amp", usual.torque_per_amp),
        resistance: figure("resistance", usual.resistance),
        heat_capacity: figure("heat-capacity", usual.heat_capacity),
        cooling: figure("cooling", usual.cooling),
        ambient: figure("ambient", usual.ambient),
    }
}
