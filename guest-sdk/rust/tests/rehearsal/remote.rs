//! Raw outputs: whatever was set is sent in every turn, as it is.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::prelude::*;
use choreography::remote::RawOutputs;
use fastrand::Rng;

static HeadYaw: Actuator = Actuator::named("HeadYaw");
static LHand: Actuator = Actuator::named("LHand");

/// The original's remote controller lacked a function, so that no program with it could be built. This one is built,
/// and random calls of it are sent as a plain account of them says.
#[test]
fn raw_outputs_can_be_built_and_are_sent_in_every_turn() {
    let mut random = Rng::with_seed(1);
    let mut stage = Rehearsal::alone(nao());
    let joints = [&HeadYaw, &LHand];
    let mut raw = RawOutputs::new(joints);
    let mut plain: [Option<Output>; 3] = [None; 3];
    for _ in 0..500 {
        let place = random.usize(0..3); // the last does not exist
        let output = Output {
            value: random.f64() - 0.3,
            weight: 0.1 + 0.9 * random.f64(),
        };
        match random.u8(0..10) {
            0 => {
                raw.release(place);
                plain[place] = None;
            }
            1 => {
                raw.release_all();
                plain = [None; 3];
            }
            2 => {
                raw.set_output(place, output);
                plain[place] = Some(output);
            }
            3 => {
                raw.set(place, output.value);
                plain[place] = Some(Output::of(output.value));
            }
            _ => {} // nobody says anything: all goes on
        }
        assert!(raw.send().is_done());
        stage.turn();
        assert_eq!(joints.map(|joint| stage.driven(joint)), plain[..2]);
    }
}
