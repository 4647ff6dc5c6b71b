//! Wags an Aibo's tail. A new period keeps the phase, so the tail goes on from where it is.
//!
//! A choreography for another body than a NAO's: names have colons there, so the cast gives them others. Without the
//! tail it does nothing.

#![no_std]

use choreography::prelude::*;
use choreography::sine::Wag;

choreography! {
    /// Wags an Aibo's tail.
    motion TailWag as "tail-wag";
    hooks pre_process;
    joints Pan = "TAIL:pan", Tilt = "TAIL:tilt";
    params
        Period = "period" from 0.3 to 5.0 usually 0.5,          // seconds
        Magnitude = "magnitude" from 0.0 to 40.0 usually 22.0,  // degrees to either side
        Lift = "tilt" from 0.0 to 60.0 usually 0.0,             // degrees; below 5 the tilt is left alone
        Active = "active" from 0.0 to 1.0 usually 1.0;          // 0 pauses
    topics Reversed = "tail/reversed";
    fuel 20_000;
    loops;
    fade_in 500 ms;
    fade_out 500 ms;
}

/// How fast the magnitude and the tilt change, rad/s.
const RATE: f64 = 1.5;
/// The lowest tilt that the tail can have.
const LOWEST: f64 = 5.0;

/// Its state from turn to turn.
pub struct TailWag {
    wag: Wag,
    period: f64,
    magnitude: f64,
    last: Instant,
}

impl Motion for TailWag {
    fn start() -> TailWag {
        let mut wag = Wag::new(&Pan, &Tilt, now());
        wag.set_magnitude(0.0);
        TailWag {
            wag,
            period: 0.5,
            magnitude: 0.0,
            last: now(),
        }
    }

    fn pre_process(&mut self, now: Instant) {
        let most = RATE * (now - self.last).seconds();
        self.last = now;
        if Period.get().total_cmp(&self.period).is_ne() {
            self.period = Period.get();
            self.wag.set_period(self.period.s(), now);
        }
        self.wag.set_active(Active.get() > 0.5, now);
        if self.wag.is_active() {
            // A tail that is paused stays where it is, whatever is asked for meanwhile.
            self.magnitude += (Magnitude.get().to_radians() - self.magnitude).clamp(-most, most);
            self.wag.set_tilt((Lift.get() >= LOWEST).then(|| {
                let from = self.wag.tilt().unwrap_or_else(|| Tilt.sent());
                from + (Lift.get().to_radians() - from).clamp(-most, most)
            }));
        }
        self.wag.set_magnitude(self.magnitude);
        if self.wag.update(now) {
            Reversed.post(self.wag.pan(now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use choreography::rehearsal::Body;

    fn aibo() -> Body {
        let pan = (-45f64).to_radians()..=45f64.to_radians();
        let tilt = 5f64.to_radians()..=60f64.to_radians();
        let body = Body::new(8.ms()).joint("TAIL:pan", pan, 15.15, 0.0);
        body.joint("TAIL:tilt", tilt, 15.15, 0.3)
    }

    #[test]
    fn it_wags_twice_a_second_and_says_when_it_turns() {
        let mut stage = Rehearsal::of::<TailWag>(aibo());
        stage.run_for(4.s());
        let far = 22f64.to_radians();
        assert!((stage.highest(&Pan) - far).abs() < 1e-3);
        assert!((stage.lowest(&Pan) + far).abs() < 1e-3);
        assert_eq!(stage.posted(&Reversed).len(), 16);
        assert_eq!((stage.sent(&Tilt), stage.driven(&Tilt)), (0.3, None));
        stage.assert_nothing_clipped();
    }

    #[test]
    fn another_period_another_magnitude_and_a_pause_are_no_jump() {
        let mut stage = Rehearsal::of::<TailWag>(aibo());
        for turn in 0..30u32 {
            stage.set_param("period", 0.3 + f64::from(turn % 4));
            stage.set_param("magnitude", f64::from(turn % 3) * 20.0);
            stage.set_param("active", f64::from(u8::from(turn % 7 != 0)));
            stage.set_param("tilt", f64::from(turn * 17 % 60));
            stage.run_for(130.ms());
        }
        stage.assert_nothing_clipped();
        assert!(stage.fastest(&Tilt) < 1.01 * RATE);
        stage.set_param("active", 0.0);
        stage.run_for(100.ms());
        let rests = stage.sent(&Pan);
        stage.run_for(1.s());
        assert_eq!(stage.sent(&Pan), rests);
    }

    #[test]
    fn the_tilt_is_held_only_if_it_is_set() {
        let mut stage = Rehearsal::of::<TailWag>(aibo());
        stage.set_param("tilt", 40.0);
        stage.run_for(2.s());
        assert!((stage.sent(&Tilt) - 40f64.to_radians()).abs() < 1e-9);
        assert!(stage.fastest(&Tilt) < 1.01 * RATE);
        stage.set_param("tilt", 0.0);
        stage.run_for(1.s());
        assert_eq!(stage.driven(&Tilt), None);
    }
}
