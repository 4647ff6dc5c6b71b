//! Freezes the body when its chest button is tapped twice, and gives it back when it is tapped twice again.
//!
//! It plays all the time, above all other guests. While the body is stopped, a person can mould it: joints give way
//! where they are pushed. Other guests stop and start it by topics. It has no sounds, because the contract has none.
//! A guest that has ended posts nothing: if this one is ended meanwhile, `ended/emergency-stop` tells of it.

#![no_std]

use choreography::estop::{DoubleTap, EmergencyStop, EstopChange, LightScanner};
use choreography::lights::{LightCycle, LightEngine, LightMask};
use choreography::prelude::*;

choreography! {
    /// Freezes the body on a double tap on its chest button, and gives it back softly.
    motion Halt as "emergency-stop";
    hooks pre_process;
    joints
        HeadYaw, HeadPitch, LShoulderPitch, LShoulderRoll, LElbowYaw, LElbowRoll, LWristYaw, LHand,
        RShoulderPitch, RShoulderRoll, RElbowYaw, RElbowRoll, RWristYaw, RHand, LHipYawPitch, LHipRoll,
        LHipPitch, LKneePitch, LAnklePitch, LAnkleRoll, RHipRoll, RHipPitch, RKneePitch, RAnklePitch,
        RAnkleRoll;
    lights
        Red = "ChestBoard/Led/Red", Blue = "ChestBoard/Led/Blue",
        Eye0 = "Face/Led/Red/Left/0Deg", Eye1 = "Face/Led/Red/Left/45Deg", Eye2 = "Face/Led/Red/Left/90Deg",
        Eye3 = "Face/Led/Red/Left/135Deg", Eye4 = "Face/Led/Red/Left/180Deg";
    sensors
        Button = "ChestBoard/Button",
        HeadYawAngle = "HeadYaw", HeadPitchAngle = "HeadPitch", LShoulderPitchAngle = "LShoulderPitch",
        LShoulderRollAngle = "LShoulderRoll", LElbowYawAngle = "LElbowYaw", LElbowRollAngle = "LElbowRoll",
        LWristYawAngle = "LWristYaw", LHandAngle = "LHand", RShoulderPitchAngle = "RShoulderPitch",
        RShoulderRollAngle = "RShoulderRoll", RElbowYawAngle = "RElbowYaw", RElbowRollAngle = "RElbowRoll",
        RWristYawAngle = "RWristYaw", RHandAngle = "RHand", LHipYawPitchAngle = "LHipYawPitch",
        LHipRollAngle = "LHipRoll", LHipPitchAngle = "LHipPitch", LKneePitchAngle = "LKneePitch",
        LAnklePitchAngle = "LAnklePitch", LAnkleRollAngle = "LAnkleRoll", RHipRollAngle = "RHipRoll",
        RHipPitchAngle = "RHipPitch", RKneePitchAngle = "RKneePitch", RAnklePitchAngle = "RAnklePitch",
        RAnkleRollAngle = "RAnkleRoll",
        HeadYawCurrent, HeadPitchCurrent, LShoulderPitchCurrent, LShoulderRollCurrent, LElbowYawCurrent,
        LElbowRollCurrent, LWristYawCurrent, LHandCurrent, RShoulderPitchCurrent, RShoulderRollCurrent,
        RElbowYawCurrent, RElbowRollCurrent, RWristYawCurrent, RHandCurrent;
    params
        Cutoff = "cutoff" from 0.05 to 1.0 usually 0.3,         // the load above which a joint gives way
        Window = "window" from 0.2 to 2.0 usually 0.6;          // seconds for a double tap
    topics
        Stop = "estop/stop", Start = "estop/start", Refresh = "estop/refresh",
        Activate = "estop/activate", Deactivate = "estop/deactivate", Status = "estop/status";
    fuel 200_000;
    loops;
    priority 100.0;
}

/// The head and the arms, which give way to loads; then the legs, which carry the body and do not.
#[rustfmt::skip]
static JOINTS: [&Actuator; 25] = [
    &HeadYaw, &HeadPitch, &LShoulderPitch, &LShoulderRoll, &LElbowYaw, &LElbowRoll, &LWristYaw, &LHand,
    &RShoulderPitch, &RShoulderRoll, &RElbowYaw, &RElbowRoll, &RWristYaw, &RHand, &LHipYawPitch, &LHipRoll,
    &LHipPitch, &LKneePitch, &LAnklePitch, &LAnkleRoll, &RHipRoll, &RHipPitch, &RKneePitch, &RAnklePitch,
    &RAnkleRoll,
];
#[rustfmt::skip]
static ANGLES: [&Sensor; 25] = [
    &HeadYawAngle, &HeadPitchAngle, &LShoulderPitchAngle, &LShoulderRollAngle, &LElbowYawAngle,
    &LElbowRollAngle, &LWristYawAngle, &LHandAngle, &RShoulderPitchAngle, &RShoulderRollAngle, &RElbowYawAngle,
    &RElbowRollAngle, &RWristYawAngle, &RHandAngle, &LHipYawPitchAngle, &LHipRollAngle, &LHipPitchAngle,
    &LKneePitchAngle, &LAnklePitchAngle, &LAnkleRollAngle, &RHipRollAngle, &RHipPitchAngle, &RKneePitchAngle,
    &RAnklePitchAngle, &RAnkleRollAngle,
];
#[rustfmt::skip]
static CURRENTS: [&Sensor; 14] = [
    &HeadYawCurrent, &HeadPitchCurrent, &LShoulderPitchCurrent, &LShoulderRollCurrent, &LElbowYawCurrent,
    &LElbowRollCurrent, &LWristYawCurrent, &LHandCurrent, &RShoulderPitchCurrent, &RShoulderRollCurrent,
    &RElbowYawCurrent, &RElbowRollCurrent, &RWristYawCurrent, &RHandCurrent,
];

/// The current of a motor that does what it can, amperes.
const FULL_CURRENT: f64 = 2.0;
/// Its lights leave half of the say to others.
const SHARE: f64 = 0.5;
const RED: LightMask = LightMask::of(&[0]);
const BLUE: LightMask = LightMask::of(&[1]);

/// 1 while the body is stopped: another version of this guest goes on so.
const STOPPED: Figure = Figure(0);

/// Its state from turn to turn.
pub struct Halt {
    estop: EmergencyStop<25>,
    tap: DoubleTap,
    chest: LightEngine<2>,
    eye: LightScanner<5>,
    /// Whether its lights were lit in the last turn.
    was_lit: bool,
    /// Whether it has looked at what another version has left.
    is_begun: bool,
}

impl Motion for Halt {
    fn start() -> Halt {
        Halt {
            estop: EmergencyStop::new(JOINTS).measured_by(ANGLES),
            tap: DoubleTap::within(Window.get().s()),
            chest: LightEngine::new([&Red, &Blue]),
            eye: LightScanner::beginning(now()),
            was_lit: false,
            is_begun: false,
        }
    }

    fn pre_process(&mut self, now: Instant) {
        if !core::mem::replace(&mut self.is_begun, true) && STOPPED.kept() == Some(1.0) {
            let change = self.estop.set_stopped(true, now);
            self.tell(change, now);
        }
        self.tap.set_window(Window.get().s());
        if self.tap.feed(Button.is_on(), now) {
            let change = self.estop.toggle(now);
            self.tell(change, now);
        }
        while let Some(event) = next_event() {
            if event.is(&Stop) || event.is(&Start) {
                let change = self.estop.set_stopped(event.is(&Stop), now);
                self.tell(change, now);
            } else if event.is(&Refresh) {
                Status.post(f64::from(u8::from(self.estop.is_stopped())));
            }
        }
        self.estop.load_cutoff = Cutoff.get();
        if self.estop.is_stopped() {
            self.estop.step(now, &loads());
        } else {
            self.estop.step(now, &[f64::NAN; 25]);
        }
        self.shine(now);
    }
}

impl Halt {
    /// Tells others of a change, and begins the lights.
    fn tell(&mut self, change: Option<EstopChange>, now: Instant) {
        match change {
            Some(EstopChange::Activated) => {
                STOPPED.keep(1.0);
                let pulse = LightCycle::of(2.s());
                self.chest.cycle(RED, pulse, now);
                self.chest.cycle(
                    BLUE,
                    LightCycle {
                        phase: 1.s(),
                        ..pulse
                    },
                    now,
                );
                self.eye = LightScanner::beginning(now);
                Activate.post(0.0);
                say!("stopped");
            }
            Some(EstopChange::Deactivated(after)) => {
                STOPPED.keep(0.0);
                Deactivate.post(after.seconds());
                say!("goes on after ", after.seconds(), " s");
            }
            None => {}
        }
    }

    /// Lights the chest and an eye while the body is stopped. When all was given back, they are dark in one turn.
    fn shine(&mut self, now: Instant) {
        let weight = self.estop.weight(now) * SHARE;
        let is_lit = weight > 0.0;
        if !is_lit && self.was_lit {
            self.chest.clear();
        }
        if is_lit || self.was_lit {
            let weight = if is_lit { weight } else { SHARE };
            self.chest.set_weights(LightMask::ALL, weight);
            self.chest.update(now);
            let eye = if is_lit {
                self.eye.values(now)
            } else {
                [0.0; 5]
            };
            for (light, value) in [&Eye0, &Eye1, &Eye2, &Eye3, &Eye4].into_iter().zip(eye) {
                light.drive_by(value, weight);
            }
        }
        self.was_lit = is_lit;
    }
}

/// The loads of the head and the arms. A current has no sign: a motor pulls its joint back to where it was sent.
fn loads() -> [f64; 25] {
    let mut loads = [f64::NAN; 25];
    for (place, current) in CURRENTS.iter().enumerate() {
        let back = JOINTS[place].sent() - ANGLES[place].read();
        loads[place] = maths::abs(current.read()) / FULL_CURRENT * back.signum();
    }
    loads
}

#[cfg(test)]
mod tests;
