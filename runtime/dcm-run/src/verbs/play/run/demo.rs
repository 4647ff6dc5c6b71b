//! `dcm-run run --demo`: sends a slow wave to everything that moves. Called by `run`.
//! It is an ordinary client of the loop, on the socket.

use std::time::Duration;

use cycle::{Kind, Merge};
use description::{ActuatorSpec, Robot};
use protocol::{Ask, Caller};
use robot::live::Control;

/// The duration of a wave, s.
const WAVE: f64 = 4.0;

/// The keyframes of a wave.
const KEYS: u32 = 8;

/// Sends waves until the loop ends. A refused wave, while the body is not running, is followed by the next.
pub(super) fn play(robot: &Robot, name: &str, control: &Control) {
    let Ok(mut caller) = Caller::reach(Some(name)) else {
        return;
    };
    while !control.has_ended() && control.asked() == 0 {
        for (place, actuator) in robot.actuators.iter().enumerate() {
            #[allow(clippy::cast_precision_loss, reason = "an index of a list")]
            let phase = place as f64 * 0.35;
            let Some(ask) = wave(actuator, phase) else {
                continue;
            };
            if control.has_ended() || caller.ask(ask).is_err() {
                return;
            }
        }
        // Sleep in small steps, to end when the loop does.
        for _ in 0..(WAVE * 20.0) as u32 {
            if control.has_ended() || control.asked() > 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A wave around an actuator's rest, well within its range.
fn wave(actuator: &ActuatorSpec, phase: f64) -> Option<Ask> {
    let (low, high) = (actuator.range.min, actuator.range.max);
    let width = high - low;
    let (centre, height) = match actuator.kind {
        Kind::Joint => (
            actuator.rest.clamp(low + 0.2 * width, high - 0.2 * width),
            0.15 * width,
        ),
        Kind::Hand | Kind::Light => (low + 0.5 * width, 0.4 * width),
        Kind::Wheel => (0.0, 0.2 * width),
        Kind::Stiffness { .. } | Kind::Trigger => return None,
    };
    let keys = 1..=KEYS;
    let share = |key: u32| f64::from(key) / f64::from(KEYS);
    let value = |key: u32| centre + height * (std::f64::consts::TAU * share(key) + phase).sin();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 4 s in ns"
    )]
    let after = |key: u32| (share(key) * WAVE * 1e9) as u64;
    Some(Ask::Move {
        to: vec![actuator.name.clone()],
        after_ns: keys.clone().map(after).collect(),
        values: keys.map(value).collect(),
        packed: 0,
        measures: None,
        clip: true,
        merge: Merge::ClearAll,
        lane: None,
    })
}
