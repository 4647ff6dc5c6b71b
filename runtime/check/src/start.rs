//! The postures from which a show is tried: rest, every pose of the description, and some by chance.
//! Called once for a check. The law: the same seed gives the same postures, everywhere.

use std::sync::Arc;

use cycle::Kind;

use description::Robot;

/// A posture.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Its name.
    pub(super) name: String,
    /// Whether the body stands there by somebody's will, so that it is expected to be sound.
    pub(super) by_chance: bool,
    /// The robot that rests there.
    pub(super) robot: Arc<Robot>,
}

/// Rest first, then the poses, then as many by chance as are asked for.
pub(super) fn starts(robot: &Arc<Robot>, by_chance: usize, seed: u64) -> Vec<Start> {
    let mut all = vec![Start {
        name: "rest".to_owned(),
        by_chance: false,
        robot: Arc::clone(robot),
    }];
    for (name, pose) in &robot.poses {
        let mut posed = Robot::clone(robot);
        for (actuator, value) in pose {
            posed.actuators[usize::from(actuator.0)].rest = *value;
        }
        all.push(Start {
            name: name.clone(),
            by_chance: false,
            robot: Arc::new(posed),
        });
    }
    let mut chance = Chance(seed);
    for number in 1..=by_chance {
        all.push(Start {
            name: format!("chance {number} of seed {seed}"),
            by_chance: true,
            robot: Arc::new(anywhere(robot, &mut chance)),
        });
    }
    all
}

/// A robot whose joints rest anywhere within their ranges, as far as couplings allow.
fn anywhere(robot: &Robot, chance: &mut Chance) -> Robot {
    let mut posed = robot.clone();
    for actuator in &mut posed.actuators {
        if matches!(actuator.kind, Kind::Joint | Kind::Hand) {
            let range = actuator.range;
            actuator.rest = range.min + (range.max - range.min) * chance.next();
        }
    }
    for coupled in &robot.couplings {
        let [driver, driven] = [coupled.driver, coupled.driven].map(|it| usize::from(it.0));
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
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^= it >> 31;
        (it >> 11) as f64 / (1u64 << 53) as f64
    }
}
