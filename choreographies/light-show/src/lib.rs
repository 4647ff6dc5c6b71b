//! Shows on the left ear what lights can do, one effect after the other: each call of the engine is one of them.
//!
//! The engine knows what each light does; the hook only says when the next effect begins. Every effect posts its
//! number.

#![no_std]

use choreography::lights::{
    DigitTable, LightColumns, LightCycle, LightEngine, LightMask, PercentStyle,
};
use choreography::prelude::*;

choreography! {
    /// Shows on an ear what lights can do, one effect after the other.
    motion LightShow as "light-show";
    hooks pre_process, is_alive;
    lights
        Ear0 = "Ears/Led/Left/0Deg", Ear1 = "Ears/Led/Left/36Deg", Ear2 = "Ears/Led/Left/72Deg",
        Ear3 = "Ears/Led/Left/108Deg", Ear4 = "Ears/Led/Left/144Deg", Ear5 = "Ears/Led/Left/180Deg",
        Ear6 = "Ears/Led/Left/216Deg", Ear7 = "Ears/Led/Left/252Deg", Ear8 = "Ears/Led/Left/288Deg",
        Ear9 = "Ears/Led/Left/324Deg";
    params
        Pace = "pace" from 0.5 to 5.0 usually 1.0,              // seconds for each effect
        Weight = "weight" from 0.0 to 1.0 usually 1.0;          // among the guests that use the ear
    topics Effect = "light-show/effect";
    fuel 50_000;
}

static EAR: [&Actuator; 10] = [
    &Ear0, &Ear1, &Ear2, &Ear3, &Ear4, &Ear5, &Ear6, &Ear7, &Ear8, &Ear9,
];
const TOP: LightMask = LightMask::of(&[0, 1, 9]);
const EVEN: LightMask = LightMask::of(&[0, 2, 4, 6, 8]);
const ALL: LightMask = LightMask::ALL;
/// A digit is as many lights as it says; the tenth one is the sign.
const DIGITS: DigitTable = DigitTable::counting([0, 1, 2, 3, 4, 5, 6, 7, 8], 9);
/// Both sides of the ear, from below; they share the top.
const SIDES: LightColumns = LightColumns {
    left: [5, 3, 2, 0],
    right: [6, 7, 8, 0],
};
/// The number of effects.
const COUNT: u32 = 17;

/// Its state from turn to turn.
pub struct LightShow {
    ear: LightEngine<10>,
    /// The next effect, and when it begins.
    next: u32,
    at: Instant,
}

impl Motion for LightShow {
    fn start() -> LightShow {
        LightShow {
            ear: LightEngine::new(EAR),
            next: 0,
            at: now(),
        }
    }

    fn pre_process(&mut self, now: Instant) {
        if now >= self.at && self.next < COUNT {
            self.show(self.next, now);
            Effect.post(f64::from(self.next));
            self.next += 1;
            self.at = now + Pace.get().s();
        }
        self.ear.set_weights(ALL, Weight.get());
        self.ear.update(now);
    }

    fn is_alive(&self) -> bool {
        self.next < COUNT || now() < self.at
    }
}

impl LightShow {
    /// Begins an effect.
    fn show(&mut self, effect: u32, now: Instant) {
        let (ear, beat) = (&mut self.ear, Pace.get().s());
        let pulse = LightCycle::of(beat / 2.0);
        match effect {
            0 => ear.set(TOP, 0.8),
            1 => ear.invert(ALL),
            2 => ear.cset(EVEN, 0.4),
            3 => ear.flash(TOP, 1.0, beat / 2.0, now),
            4 => ear.flash_opposite(ALL, beat / 2.0, now),
            5 => ear.extend(beat * 0.75, now), // it comes back: it was over for less than that
            6 => ear.cflash(EVEN, 1.0, beat / 2.0, now),
            7 => ear.cycle(EVEN, pulse, now),
            8 => {
                let phase = beat / 4.0; // half a period later
                ear.cycle(!EVEN, LightCycle { phase, ..pulse }, now);
            }
            9 => {
                let blink = LightCycle {
                    amplitude: 20.0,
                    ..pulse
                };
                ear.ccycle(TOP, blink, now);
            }
            10 => ear.clear(),
            11 => ear.display_number(&DIGITS, 7, now),
            12 => ear.display_number(&DIGITS, -3, now),
            13 => ear.display_number(&DIGITS, 12, now), // it cannot: all blink
            14 => {
                ear.clear();
                ear.display_two_digits(&SIDES, 42, now);
            }
            15 => ear.display_percent(&SIDES, 0.6, PercentStyle::Major, PercentStyle::Minor),
            _ => ear.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the ear so long after the beginning of an effect.
    fn ear_at(effect: u32, share: f64) -> [f64; 10] {
        let mut stage = Rehearsal::of::<LightShow>(nao());
        stage.run_for((f64::from(effect) + share).s());
        EAR.map(|ear| stage.sent(ear))
    }

    fn lit(values: [f64; 10]) -> usize {
        values.iter().filter(|value| **value > 0.5).count()
    }

    #[test]
    fn it_shows_each_effect_once_and_leaves_the_ear_dark() {
        let mut stage = Rehearsal::of::<LightShow>(nao());
        stage.set_param("pace", 0.5);
        let took = stage.run_to_its_end(9.s());
        assert!((took.seconds() - 8.5).abs() < 0.2);
        let told = stage.posted(&Effect);
        assert!(told.iter().copied().eq((0..COUNT).map(f64::from)));
        assert!(EAR.iter().all(|item| stage.sent(item) == 0.0));
        stage.assert_nothing_clipped();
    }

    #[test]
    fn values_are_set_inverted_and_cleared() {
        let top = |on: f64, off: f64| core::array::from_fn(|i| if TOP.has(i) { on } else { off });
        assert_eq!(ear_at(0, 0.5), top(0.8, 0.0));
        let inverted: [f64; 10] = top(1.0 - 0.8, 1.0);
        assert_eq!(ear_at(1, 0.5), inverted);
        assert_eq!(lit(ear_at(10, 0.5)), 0);
    }

    #[test]
    fn flashes_hide_what_was_there_and_end() {
        let evens = |item: [f64; 10]| item[0] == 0.4 && item[1] == 0.0 && item[2] == 0.4;
        assert!(evens(ear_at(2, 0.5)));
        let flashing = ear_at(3, 0.3);
        assert!(flashing[0] == 1.0 && flashing[2] == 0.4 && evens(ear_at(3, 0.8)));
        // The opposite of 0.4, which is nearly in the middle, is 1; that of 0 is 1, too.
        assert_eq!(lit(ear_at(4, 0.3)), 10);
        assert!(evens(ear_at(4, 0.8)));
        // It was over for half an effect, and is there again for a quarter.
        assert_eq!((lit(ear_at(5, 0.1)), lit(ear_at(5, 0.4))), (10, 0));
        let alone = ear_at(6, 0.3);
        assert!(alone[0] == 1.0 && alone[1] == 0.0);
        assert_eq!(lit(ear_at(6, 0.8)), 0); // cleared first: nothing comes back
    }

    #[test]
    fn cycles_alternate() {
        let both = ear_at(8, 0.9);
        assert!((both[0] + both[1] - 1.0).abs() < 1e-6);
        assert_eq!(lit(ear_at(9, 0.75)), 3);
    }

    #[test]
    fn numbers_and_shares_can_be_read() {
        assert_eq!(lit(ear_at(11, 0.5)), 7);
        assert_eq!(lit(ear_at(12, 0.26)), 3); // the sign blinks below the middle
        // 4 is the first light of a column that is a third brighter, 2 the second of a dark one.
        let tens = ear_at(14, 0.5);
        let thirds = [5, 3, 2, 6, 7, 8].map(|i| (3.0 * tens[i]).round());
        assert_eq!(thirds, [2.0, 1.0, 1.0, 0.0, 1.0, 0.0]);
        // What is in no column does not blink on from the number before.
        let others = |item: [f64; 10]| [1, 4, 9].map(|place| item[place]);
        assert!((0..10).all(|i| others(ear_at(14, 0.05 + 0.1 * f64::from(i))) == [0.0; 3]));
        let share = ear_at(15, 0.5);
        assert!(share[5] == 1.0 && share[3] == 1.0 && (share[2] - 0.4).abs() < 1e-9);
    }

    #[test]
    fn without_weight_the_ear_is_left_to_others() {
        let mut stage = Rehearsal::of::<LightShow>(nao());
        stage.set_param("weight", 0.0);
        stage.run_for(1.s());
        assert_eq!(stage.driven(&Ear0), None);
    }
}
