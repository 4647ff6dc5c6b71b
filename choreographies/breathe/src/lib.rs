//! Breathes: arms, head and chest move a little while no other guest moves them.
//!
//! A hook that drives joints in every turn, beside their timelines, from a phase of its own. Its low priority lets
//! other guests use the joints. When they are free again it continues from where they were left. It ends when a
//! guest posts `hush`.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Breathes: arms, head and chest, as long as nobody else moves them.
    motion Breathe as "breathe";
    hooks pre_process, is_alive;
    joints LShoulderPitch, RShoulderPitch, LShoulderRoll, RShoulderRoll, HeadPitch;
    lights Chest = "ChestBoard/Led/Blue";
    params
        Rate = "rate" from 5.0 to 40.0 usually 14.0,            // breaths per minute
        Depth = "depth" from 0.0 to 2.0 usually 1.0;
    topics Hush = "hush";
    fuel 10_000;
    loops;
    priority 5.0;
    weight 0.3;
    fade_in 500 ms;
    fade_out 500 ms;
}

/// The joints, and their movement when the lungs are full.
static LIMBS: [(&Actuator, f64); 5] = [
    (&LShoulderPitch, -0.04),
    (&RShoulderPitch, -0.04),
    (&LShoulderRoll, 0.05),
    (&RShoulderRoll, -0.05),
    (&HeadPitch, -0.03),
];

/// Its state from turn to turn.
pub struct Breathe {
    /// The positions of the joints when it began.
    base: [f64; 5],
    /// The phase of this breath, from 0 to 1.
    breath: f64,
    /// The share that is applied: it fades in and out.
    share: f64,
    hushed: bool,
    /// The time of the last call. It stands still while the body is held.
    last: Instant,
}

impl Motion for Breathe {
    fn start() -> Breathe {
        Breathe {
            base: [0.0; 5],
            breath: 0.0,
            share: 0.0,
            hushed: false,
            last: now(),
        }
    }

    fn pre_process(&mut self, now: Instant) {
        let turn = (now - self.last).seconds();
        self.last = now;
        while let Some(event) = next_event() {
            self.hushed |= event.is(&Hush);
        }
        if is_hidden() {
            // Another guest moves them: it begins again where that one ends.
            self.share = 0.0;
            return;
        }
        if self.share <= 0.0 {
            (self.base, self.breath) = (LIMBS.map(|(limb, _)| limb.sent()), 0.0);
        }
        self.share = (self.share + if self.hushed { -turn } else { turn / 2.0 }).clamp(0.0, 1.0);
        self.breath += turn * Rate.get() / 60.0;
        if self.breath >= 1.0 {
            self.breath -= 1.0;
        }
        let air = lungs(self.breath) * Ease::Sine.at(self.share);
        for ((limb, reach), base) in LIMBS.iter().zip(self.base) {
            limb.drive(base + reach * Depth.get() * air);
        }
        Chest.drive(0.1 + 0.4 * air);
    }

    fn is_alive(&self) -> bool {
        !(self.hushed && self.share <= 0.0)
    }
}

/// The fill level of the lungs: in faster than out, then a pause.
fn lungs(breath: f64) -> f64 {
    match breath {
        breath if breath < 0.4 => Ease::Sine.at(breath / 0.4),
        breath => 1.0 - Ease::Sine.at((breath - 0.4) / 0.5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_breathes_around_where_the_body_stands() {
        let mut stage = Rehearsal::of::<Breathe>(nao());
        stage.put("LShoulderRoll", 0.3);
        stage.run_for(20.s());
        assert_eq!(stage.lowest("LShoulderRoll"), 0.3);
        assert!((stage.highest("LShoulderRoll") - 0.35).abs() < 1e-3);
        // No joint moves fast.
        for (limb, _) in LIMBS {
            assert!(stage.fastest(limb) < 0.2);
        }
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_goes_on_from_where_others_leave_the_body() {
        let mut stage = Rehearsal::of::<Breathe>(nao());
        stage.run_for(3.s());
        stage.set_hidden(true);
        stage.put("HeadPitch", 0.2);
        stage.run_for(1.s());
        stage.set_hidden(false);
        stage.run_for(10.s());
        assert!((stage.highest("HeadPitch") - 0.2).abs() < 1e-9);
        assert!((stage.lowest("HeadPitch") - 0.17).abs() < 1e-3);
        assert!(stage.fastest("HeadPitch") < 0.2);
    }

    #[test]
    fn it_ends_softly_when_it_is_hushed() {
        let mut stage = Rehearsal::of::<Breathe>(nao());
        stage.run_for(10.s());
        stage.post("hush", 1.0);
        assert!(stage.run_to_its_end(2.s()) > 500.ms());
        assert!((stage.sent("HeadPitch")).abs() < 1e-3);
        assert!(stage.fastest("HeadPitch") < 0.2);
    }
}
