//! Sends the values that a person sets by parameters, as they are: one for each output, and weights for joints and
//! lights.
//!
//! A tool for trying what joints and lights do. Nothing is smoothed: a value that is far away is reached as fast as the
//! joint can. At first the joints have no weight, and are left to others.

#![no_std]

use choreography::Param;
use choreography::prelude::*;
use choreography::remote::RawOutputs;

choreography! {
    /// Sends the values that a person sets, as they are.
    motion RemoteControl as "remote-control";
    hooks pre_process;
    joints HeadYaw, HeadPitch, LShoulderPitch, LShoulderRoll, RShoulderPitch, RShoulderRoll;
    lights Chest = "ChestBoard/Led/Blue";
    params
        Joints = "joints" from 0.0 to 1.0 usually 0.0,          // the weight of all joints
        Lights = "lights" from 0.0 to 1.0 usually 1.0,          // and of the light
        HeadYawValue = "head-yaw" from -2.0 to 2.0 usually 0.0,
        HeadPitchValue = "head-pitch" from -0.3 to 0.2 usually 0.0,
        LeftPitchValue = "left-pitch" from -2.0 to 2.0 usually 1.4,
        LeftRollValue = "left-roll" from -0.3 to 1.3 usually 0.15,
        RightPitchValue = "right-pitch" from -2.0 to 2.0 usually 1.4,
        RightRollValue = "right-roll" from -1.3 to 0.3 usually -0.15,
        ChestValue = "chest" from 0.0 to 1.0 usually 0.0;
    fuel 20_000;
    loops;
}

/// Each output, and the parameter that is its value.
static OUTPUTS: [(&Actuator, &Param); 7] = [
    (&HeadYaw, &HeadYawValue),
    (&HeadPitch, &HeadPitchValue),
    (&LShoulderPitch, &LeftPitchValue),
    (&LShoulderRoll, &LeftRollValue),
    (&RShoulderPitch, &RightPitchValue),
    (&RShoulderRoll, &RightRollValue),
    (&Chest, &ChestValue),
];

/// The place of the light.
const CHEST: usize = 6;

/// Its state from turn to turn.
pub struct RemoteControl(RawOutputs<7>);

impl Motion for RemoteControl {
    fn start() -> RemoteControl {
        RemoteControl(RawOutputs::new(OUTPUTS.map(|output| output.0)))
    }

    fn pre_process(&mut self, _: Instant) {
        for (place, (_, value)) in OUTPUTS.iter().enumerate() {
            let value = value.get();
            let weight = if place == CHEST {
                Lights.get()
            } else {
                Joints.get()
            };
            self.0.set_output(place, Output { value, weight });
        }
        self.0.send();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sends_what_is_set_and_nothing_else() {
        let mut stage = Rehearsal::of::<RemoteControl>(nao());
        stage.run_for(100.ms());
        let joints = || OUTPUTS.iter().take(CHEST).map(|output| output.0);
        assert!(joints().all(|joint| stage.driven(joint).is_none()));
        stage.set_param("joints", 0.5);
        stage.set_param("head-yaw", 0.08);
        stage.set_param("chest", 0.75);
        stage.turn();
        let weight = 0.5;
        let expected = |value| Some(Output { value, weight });
        assert_eq!(stage.driven(&HeadYaw), expected(0.08)); // at once
        assert_eq!(stage.driven(&LShoulderRoll), expected(0.15));
        assert_eq!(stage.driven(&Chest), Some(Output::of(0.75)));
        stage.set_param("joints", 0.0);
        stage.set_param("lights", 0.0);
        stage.turn();
        assert!(
            OUTPUTS
                .iter()
                .all(|output| stage.driven(output.0).is_none())
        );
        stage.assert_nothing_clipped();
    }
}
