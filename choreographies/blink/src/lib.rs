//! Blinks now and then, sometimes twice.
//!
//! A hook that does nothing in most turns: it looks at the clock, and sends a few commands when it is time. Lights
//! with one name are a group. It has a random generator of its own, because the contract has none.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Blinks now and then, sometimes twice.
    motion Blink as "blink";
    hooks pre_process;
    groups Red = "FaceLedsRed", Green = "FaceLedsGreen", Blue = "FaceLedsBlue";
    params
        Pause = "pause" from 0.5 to 20.0 usually 4.0,           // seconds, on average
        Light = "light" from 0.0 to 1.0 usually 0.7;
    fuel 100_000;
    loops;
    priority 5.0;                                               // others can use the eyes at any time
    fade_in 300 ms;
    fade_out 300 ms;
}

/// Its state from turn to turn.
pub struct Blink {
    /// The time of the next blink.
    next: Instant,
    dice: Dice,
}

impl Motion for Blink {
    fn start() -> Blink {
        Blink {
            next: now(),
            dice: Dice(0x9e37_79b9),
        }
    }

    fn pre_process(&mut self, now: Instant) {
        if now < self.next {
            return;
        }
        blink(now);
        let mut rest = Pause.get() * (0.4 + 1.2 * self.dice.roll());
        if self.dice.roll() < 0.2 {
            blink(now + 280.ms());
            rest += 0.28;
        }
        self.next = now + rest.s().max(300.ms());
    }
}

/// Closes the eyes and opens them: they close faster than they open.
fn blink(at: Instant) {
    let light = Light.get();
    for (colour, share) in [(&Red, 0.6), (&Green, 0.8), (&Blue, 1.0)] {
        colour.to(light * share).at(at);
        colour.to(0.0).at(at + 60.ms());
        colour.to(0.0).at(at + 110.ms());
        colour.to(light * share).at(at + 230.ms());
    }
}

/// A random generator for blinking: Marsaglia's xorshift. Its state is never 0.
struct Dice(u32);

impl Dice {
    /// A random number from 0 to 1.
    fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        f64::from(self.0) / f64::from(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    const EYE: &str = "Face/Led/Blue/Left/0Deg";

    /// The turns in which the eyes close.
    fn blinks(stage: &Rehearsal) -> Vec<usize> {
        let course = stage.course(EYE);
        (1..course.len())
            .filter(|&i| course[i] == 0.0 && course[i - 1] > 0.0)
            .collect()
    }

    #[test]
    fn it_blinks_now_and_then_and_its_eyes_are_open_between() {
        let mut stage = Rehearsal::of::<Blink>(nao());
        stage.run_for(60.s());
        let blinks = blinks(&stage);
        assert!(
            (10..40).contains(&blinks.len()),
            "{} times in a minute",
            blinks.len()
        );
        let twice = blinks
            .windows(2)
            .filter(|value| value[1] - value[0] == 28)
            .count();
        assert!(twice > 0 && twice < blinks.len() / 2);
        let open = stage
            .course(EYE)
            .iter()
            .filter(|course| **course > 0.69)
            .count();
        assert!(open > 5000);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn both_eyes_and_all_colours_blink_together() {
        let mut stage = Rehearsal::of::<Blink>(nao());
        stage.set_param("light", 1.0);
        stage.run_for(10.s());
        let (one, other) = (stage.course(EYE), stage.course("Face/Led/Red/Right/315Deg"));
        assert!(
            one.iter()
                .zip(other)
                .all(|(blue, red)| (blue * 0.6 - red).abs() < 1e-9)
        );
    }

    #[test]
    fn its_pauses_can_be_turned() {
        let mut stage = Rehearsal::of::<Blink>(nao());
        stage.set_param("pause", 0.5);
        stage.run_for(20.s());
        assert!(blinks(&stage).len() > 20);
    }
}
