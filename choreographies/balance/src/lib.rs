//! Leans against a push that its inertial sensor measures.
//!
//! A controller: in every turn it reads, computes, and commands for now. Three habits make it safe: its output is
//! limited, it starts softly, and it uses a sensor only while its values are fresh.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Leans against a push, by what its inertial sensor feels.
    motion Balance as "balance";
    hooks pre_process;
    joints LAnklePitch, RAnklePitch, LHipPitch, RHipPitch, LAnkleRoll, RAnkleRoll, LHipRoll, RHipRoll;
    sensors
        Roll = "InertialSensor/AngleX", Pitch = "InertialSensor/AngleY",
        RollSpeed = "InertialSensor/GyroscopeX", PitchSpeed = "InertialSensor/GyroscopeY";
    params
        Strength = "strength" from 0.0 to 1.0 usually 0.6,      // radians of a joint for a radian of tilt
        Damping = "damping" from 0.0 to 0.2 usually 0.06;       // and for a radian per second
    fuel 10_000;
    loops;
    fade_out 500 ms;
}

/// The joints that lean: first forwards and backwards, then sideways; ankles more than hips.
static PITCH: [(&Actuator, f64); 4] = [
    (&LAnklePitch, 0.65),
    (&RAnklePitch, 0.65),
    (&LHipPitch, 0.35),
    (&RHipPitch, 0.35),
];
static ROLL: [(&Actuator, f64); 4] = [
    (&LAnkleRoll, 0.65),
    (&RAnkleRoll, 0.65),
    (&LHipRoll, 0.35),
    (&RHipRoll, 0.35),
];

/// The maximum lean, radians.
const FURTHEST: f64 = 0.15;
/// The time constant of leaning: with a shorter one it would shake.
const CALM: f64 = 0.12;
/// The tilt from which leaning does not help.
const FALLING: f64 = 0.6;

/// Its state from turn to turn.
pub struct Balance {
    pitch: Lean,
    roll: Lean,
    /// The share of the lean that is applied.
    share: f64,
}

/// One axis.
#[derive(Default)]
struct Lean {
    /// The positions of the joints without the lean.
    base: [f64; 4],
    /// The tilt at the start: a posture that stands need not hold the body upright.
    rest: f64,
    /// The current lean.
    lean: f64,
}

impl Motion for Balance {
    fn start() -> Balance {
        Balance {
            pitch: Lean::default(),
            roll: Lean::default(),
            share: 0.0,
        }
    }

    fn pre_process(&mut self, _: Instant) {
        let (pitch, roll) = (Pitch.read(), Roll.read());
        if maths::abs(pitch) > FALLING || maths::abs(roll) > FALLING {
            warn!("it falls: it leans no more");
            finish();
            return;
        }
        let turn = period().seconds();
        // Both sensors are on one board. If the board is silent, their last values are useless.
        let fresh = Pitch.age() <= 100.ms();
        if self.share <= 0.0 {
            self.pitch.begin(pitch, &PITCH);
            self.roll.begin(roll, &ROLL);
        }
        self.share = (self.share + if fresh { turn } else { -turn }).clamp(0.0, 1.0);
        let share = Ease::Sine.at(self.share);
        self.pitch.against(pitch, PitchSpeed.read(), share, &PITCH);
        self.roll.against(roll, RollSpeed.read(), share, &ROLL);
    }
}

impl Lean {
    /// Takes the posture and the tilt as those to return to.
    fn begin(&mut self, tilt: f64, joints: &[(&Actuator, f64); 4]) {
        self.base = joints.map(|(joint, _)| joint.sent());
        self.rest = tilt;
    }

    /// The lean against a tilt and its velocity: forwards is positive, and so is a lean that pushes the body back.
    fn against(&mut self, tilt: f64, speed: f64, share: f64, joints: &[(&Actuator, f64); 4]) {
        let wanted = Strength.get() * (tilt - self.rest) + Damping.get() * speed;
        if wanted.is_finite() {
            let wanted = wanted.clamp(-FURTHEST, FURTHEST);
            self.lean += (wanted - self.lean) * (period().seconds() / CALM).min(1.0);
        }
        for ((joint, part), base) in joints.iter().zip(self.base) {
            joint.to(base + self.lean * part * share).now();
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    /// A simulated standing body, which leans back as far as its joints lean. Its tilt after a push, turn by turn.
    fn pushed(stage: &mut Rehearsal, push: f64, turns: usize) -> Vec<f64> {
        let upright = stage.sent(&LAnklePitch) + stage.sent(&LHipPitch);
        let mut before = 0.0;
        (0..turns)
            .map(|_| {
                let leant = stage.sent(&LAnklePitch) + stage.sent(&LHipPitch) - upright;
                let tilt = push - leant;
                stage.sensor(&Pitch, tilt);
                stage.sensor(&PitchSpeed, (tilt - before) / 0.01);
                before = tilt;
                stage.turn();
                tilt
            })
            .collect()
    }

    fn standing() -> Rehearsal {
        let mut stage = Rehearsal::of::<Balance>(nao());
        stage.pose(&[
            ("LAnklePitch", -0.35),
            ("RAnklePitch", -0.35),
            ("LHipPitch", -0.44),
            ("RHipPitch", -0.44),
        ]);
        // One turn, in which it takes this posture as that to return to.
        stage.turn();
        stage
    }

    #[test]
    fn it_leans_against_a_push_without_shaking() {
        let mut stage = standing();
        let tilts = pushed(&mut stage, 0.1, 400);
        assert!(tilts[399] < 0.07, "{}", tilts[399]);
        // The tilt falls without oscillation.
        assert!(tilts.windows(2).all(|value| value[1] <= value[0] + 1e-4));
        assert!(stage.fastest(&LAnklePitch) < 0.5);
        assert_eq!(stage.sent(&LAnkleRoll), 0.0);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_leans_so_far_and_no_further() {
        let mut stage = standing();
        stage.sensor(&Pitch, 0.5);
        stage.sensor(&Roll, -0.5);
        stage.run_for(3.s());
        assert!((stage.sent(&LAnklePitch) + 0.35 - 0.65 * FURTHEST).abs() < 1e-3);
        assert!((stage.sent(&RHipRoll) + 0.35 * FURTHEST).abs() < 1e-3);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_returns_to_the_tilt_it_began_with() {
        let mut stage = Rehearsal::of::<Balance>(nao());
        stage.sensor(&Pitch, 0.1);
        stage.turn();
        let begun = stage.sent(&LAnklePitch);
        stage.run_for(2.s());
        assert!((stage.sent(&LAnklePitch) - begun).abs() < 1e-9);
        stage.sensor(&Pitch, 0.2);
        stage.run_for(2.s());
        let lean = stage.sent(&LAnklePitch) - begun;
        assert!((lean - 0.65 * 0.6 * 0.1).abs() < 1e-3, "{lean}");
    }

    #[test]
    fn it_does_not_believe_a_sensor_that_is_silent() {
        let mut stage = standing();
        stage.sensor(&Pitch, 0.2);
        stage.run_for(3.s());
        stage.sensor_age(&Pitch, 1.s());
        stage.run_for(2.s());
        assert!((stage.sent(&LAnklePitch) + 0.35).abs() < 1e-3);
    }

    #[test]
    fn it_gives_up_when_the_body_falls() {
        let mut stage = standing();
        stage.sensor_after(1.s(), &Roll, 1.2);
        stage.run_to_its_end(2.s());
        assert!(stage.log()[0].contains("falls"));
    }
}
