//! The postures from which a show is tried: rest, every pose of the description, and some random ones.
//! Called once for a check. The same seed gives the same postures, everywhere.

use std::sync::Arc;

use cycle::Kind;

use description::Robot;

/// A posture of the body before the show.
#[derive(Clone, Debug)]
pub(super) struct StartPosture {
    /// Its name.
    pub(super) name: String,
    /// Whether it is random. In any other posture the body stands on purpose, and is expected to be sound.
    pub(super) is_random: bool,
    /// The robot, with this posture as its rest.
    pub(super) robot: Arc<Robot>,
}

/// How the names of random postures begin.
pub(super) const RANDOM: &str = "random posture";

/// Rest first, then the poses, then `random` random ones.
pub(super) fn start_postures(robot: &Arc<Robot>, random: usize, seed: u64) -> Vec<StartPosture> {
    let mut all = vec![StartPosture {
        name: "rest".to_owned(),
        is_random: false,
        robot: Arc::clone(robot),
    }];
    for (name, pose) in &robot.poses {
        let mut posed = Robot::clone(robot);
        for (actuator, value) in pose {
            posed.actuators[usize::from(actuator.0)].rest = *value;
        }
        all.push(StartPosture {
            name: name.clone(),
            is_random: false,
            robot: Arc::new(posed),
        });
    }
    let mut numbers = SplitMix64(seed);
    for number in 1..=random {
        all.push(StartPosture {
            name: format!("{RANDOM} {number} (seed {seed})"),
            is_random: true,
            robot: Arc::new(anywhere(robot, &mut numbers)),
        });
    }
    all
}

/// A robot whose joints rest anywhere within their ranges, as far as couplings allow.
fn anywhere(robot: &Robot, random: &mut SplitMix64) -> Robot {
    let mut posed = robot.clone();
    for actuator in &mut posed.actuators {
        if matches!(actuator.kind, Kind::Joint | Kind::Hand) {
            let range = actuator.range;
            actuator.rest = range.min + (range.max - range.min) * random.next();
        }
    }
    for coupled in &robot.couplings {
        let [driver, driven] = [coupled.driver, coupled.driven].map(|pair| usize::from(pair.0));
        let table = cycle::Coupling {
            driver: coupled.driver,
            driven: coupled.driven,
            rows: &coupled.rows,
        };
        let range = table.range_at(posed.actuators[driver].rest);
        posed.actuators[driven].rest = range.clamp(posed.actuators[driven].rest);
    }
    posed
}

/// Numbers between 0 and 1: splitmix64, so that they are the same everywhere.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^= value >> 31;
        (value >> 11) as f64 / (1u64 << 53) as f64
    }
}
