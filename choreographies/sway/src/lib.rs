//! Sways the arms and the head on sine waves whose amplitude, period and middle a person can change.
//!
//! Nothing jumps: a new period keeps the phase, and the amplitude and the middle go evenly to what is asked for. It
//! begins where the body is.

#![no_std]

use choreography::prelude::*;
use choreography::sine::{SineBank, SineParams};

choreography! {
    /// Sways arms and head.
    motion Swaying as "sway";
    hooks pre_process;
    joints LShoulderPitch, RShoulderPitch, HeadYaw;
    params
        Amplitude = "amplitude" from 0.0 to 0.5 usually 0.3,    // radians
        Period = "period" from 1.0 to 10.0 usually 3.0,         // seconds
        Middle = "offset" from -0.4 to 0.4 usually 0.0;         // radians, from where the joints rest
    fuel 50_000;
    loops;
    fade_in 500 ms;
    fade_out 500 ms;
}

/// The joints, and their share of the amplitude: the arms swing against each other.
static LIMBS: [(&Actuator, f64); 3] = [
    (&LShoulderPitch, 1.0),
    (&RShoulderPitch, -1.0),
    (&HeadYaw, 0.5),
];

/// How fast the amplitude and the middles change, rad/s.
const RATE: f64 = 0.3;

/// Its state from turn to turn.
pub struct Swaying {
    bank: SineBank<3>,
    amplitude: f64,
    middles: [f64; 3],
    /// The share of the present wave that has passed.
    phase: f64,
    /// The time of the last call; `None` before the first.
    last: Option<Instant>,
}

impl Motion for Swaying {
    fn start() -> Swaying {
        let mut bank = SineBank::new(LIMBS.map(|limb| limb.0), now());
        (0..3).for_each(|i| bank.set_weight(i, 1.0));
        Swaying {
            bank,
            amplitude: 0.0,
            middles: [0.0; 3],
            phase: 0.0,
            last: None,
        }
    }

    fn pre_process(&mut self, now: Instant) {
        let Some(last) = self.last.replace(now) else {
            // It begins where the body is.
            self.middles = LIMBS.map(|limb| limb.0.sent());
            return;
        };
        let passed = (now - last).seconds();
        let period = Period.get();
        self.phase += passed / period;
        self.phase -= maths::floor(self.phase);
        self.amplitude = toward(self.amplitude, Amplitude.get(), RATE * passed);
        for (place, (limb, share)) in LIMBS.iter().enumerate() {
            let limits = limb.limits();
            let middle = limits.rest + Middle.get() * share;
            self.middles[place] = toward(self.middles[place], middle, RATE * passed);
            // Where a middle comes from an end of the range, there is less room for the wave.
            let middle = self.middles[place];
            let room = (limits.highest - middle)
                .min(middle - limits.lowest)
                .max(0.0);
            let params = SineParams {
                amplitude: (self.amplitude * share).clamp(-room, room),
                offset: middle,
                period: period.s(),
            };
            // The wave ends that is under way: the next one begins when the rest of it has passed.
            let rest = (period * (1.0 - self.phase)).s();
            self.bank.set_params_from(place, params, now + rest);
        }
        self.bank.update(now);
    }
}

/// The number that is nearer by at most this much.
fn toward(from: f64, to: f64, by: f64) -> f64 {
    from + (to - from).clamp(-by, by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_sine_with_the_numbers_that_were_asked_for() {
        let mut stage = Rehearsal::of::<Swaying>(nao());
        stage.set_param("amplitude", 0.2);
        stage.set_param("period", 2.0);
        stage.set_param("offset", 0.1);
        stage.run_for(10.s());
        for (limb, share) in LIMBS {
            let middle = limb.limits().rest + 0.1 * share;
            let course = stage.course(limb);
            for (turn, value) in course.iter().enumerate().skip(300) {
                let plain = (turn as f64 * 0.01 / 2.0 * maths::TAU).sin() * 0.2 * share + middle;
                assert!((value - plain).abs() < 1e-6, "{turn}");
            }
        }
        stage.assert_nothing_clipped();
    }

    #[test]
    fn new_numbers_are_no_jump_in_any_phase() {
        let mut stage = Rehearsal::of::<Swaying>(nao());
        for turn in 0..40u32 {
            stage.set_param("period", if turn % 2 == 0 { 1.0 } else { 7.0 });
            stage.set_param("amplitude", f64::from(turn % 3) * 0.25);
            stage.set_param("offset", f64::from(turn % 5) * 0.2 - 0.4);
            stage.run_for(370.ms());
        }
        // The wave itself, its amplitude and its middle.
        let most = 0.5 * maths::TAU + RATE + RATE;
        for (limb, _) in LIMBS {
            assert!(stage.fastest(limb) < most);
        }
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_begins_where_the_body_is() {
        let mut stage = Rehearsal::of::<Swaying>(nao());
        stage.pose(&[
            ("LShoulderPitch", -1.0),
            ("RShoulderPitch", 2.08),
            ("HeadYaw", 2.0),
        ]);
        stage.run_for(20.s());
        assert!(stage.fastest(&LShoulderPitch) < 1.3);
        assert!((stage.highest(&LShoulderPitch) - 1.7).abs() < 1e-3);
        stage.assert_nothing_clipped();
    }
}
