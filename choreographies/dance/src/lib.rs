//! Dances for a minute: arms, head, legs and lights, 30 bars at 120 beats.
//!
//! A score as musicians write one: motifs of one bar, an order of bars, and a tempo. Every motif begins and ends in
//! the home pose, so any may follow any. It sends two bars ahead, then sleeps for one.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Dances for a minute, at 120 beats.
    score Dance as "dance";
    joints
        HeadYaw, HeadPitch, LShoulderPitch, LShoulderRoll, LElbowRoll, RShoulderPitch, RShoulderRoll, RElbowRoll,
        LHipPitch, LKneePitch, LAnklePitch, RHipPitch, RKneePitch, RAnklePitch,
        LHipRoll, LAnkleRoll, RHipRoll, RAnkleRoll;
    groups Red = "FaceLedsRed", Blue = "FaceLedsBlue";
    params Size = "size" from 0.3 to 1.0 usually 1.0;           // the size of its movements
}

/// The home pose of every bar: ready to stand, arms at the sides.
#[rustfmt::skip]
static HOME: [(&Actuator, f64); 18] = [
    (&HeadYaw, 0.0), (&HeadPitch, 0.0), (&LShoulderPitch, 1.3), (&LShoulderRoll, 0.25), (&LElbowRoll, -0.6),
    (&RShoulderPitch, 1.3), (&RShoulderRoll, -0.25), (&RElbowRoll, 0.6),
    (&LHipPitch, -0.44), (&LKneePitch, 0.7), (&LAnklePitch, -0.35),
    (&RHipPitch, -0.44), (&RKneePitch, 0.7), (&RAnklePitch, -0.35),
    (&LHipRoll, 0.0), (&LAnkleRoll, 0.0), (&RHipRoll, 0.0), (&RAnkleRoll, 0.0)];

/// Joints that move together, each with its share. Knees bend with the feet flat; hips sway with the torso upright.
#[rustfmt::skip]
static KNEES: [(&Actuator, f64); 6] = [(&LHipPitch, -1.0), (&LKneePitch, 2.0), (&LAnklePitch, -1.0),
    (&RHipPitch, -1.0), (&RKneePitch, 2.0), (&RAnklePitch, -1.0)];
#[rustfmt::skip]
static HIPS: [(&Actuator, f64); 4] = [(&LHipRoll, 1.0), (&LAnkleRoll, -1.0), (&RHipRoll, 1.0), (&RAnkleRoll, -1.0)];
static WINGS: [(&Actuator, f64); 2] = [(&LShoulderRoll, 1.0), (&RShoulderRoll, -1.0)];
static ELBOWS: [(&Actuator, f64); 2] = [(&LElbowRoll, -1.0), (&RElbowRoll, 1.0)];

/// A bar in eighths, from the second one: the distance from home. The first eighth is home.
type Motif = [f64; 7];
/// No key here: the movement continues.
const O: f64 = f64::NAN;

const PULSE: Motif = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, O];
const SWING: Motif = [O, -0.9, O, O, O, 0.5, O];
const COUNTER: Motif = [O, 0.5, O, O, O, -0.9, O];
const THERE_AND_BACK: Motif = [O, 1.0, O, O, O, -1.0, O];
const FLAP: Motif = [O, 1.0, O, 0.2, O, 1.0, O];
const UP: Motif = [O, O, 1.0, O, 1.0, O, O];

/// The dance.
pub struct Dance;

impl Score for Dance {
    fn run() {
        let ready = strike(&HOME, 0.15, 1.s());
        let music = Tempo::bpm(120.0).beginning(ready + 500.ms());
        for bar in 1..=30 {
            let start = music.bar(bar).beat(1);
            sleep_until(start - music.beats(8));
            let (play, side) = (Bar { music, start }, if bar % 2 == 0 { 1.0 } else { -1.0 });
            match bar {
                1..=2 => play.nod(),
                3..=8 | 17..=20 => play.swing(side),
                9..=12 | 21..=24 => play.sway(),
                13..=16 | 25..=29 => play.reach(side),
                _ => play.bow(),
            }
        }
        sleep_until(music.bar(31).beat(2));
    }
}

/// A bar, and the motifs that it can play.
struct Bar {
    music: Tempo,
    start: Instant,
}

impl Bar {
    /// Moves a joint by a share of a motif, from home and back.
    fn play(&self, joint: &'static Actuator, size: f64, motif: Motif) {
        let at_home = HOME.iter().find(|pair| core::ptr::eq(pair.0, joint));
        let home = at_home.map_or(0.0, |at_home| at_home.1);
        let mut keys = [(self.music.beats(4), home); 8];
        let mut length = 0;
        let told = (1u32..).zip(motif).filter(|pair| !pair.1.is_nan());
        for ((eighth, place), key) in told.zip(&mut keys) {
            let away = place * size * Size.get();
            *key = (self.music.beats(eighth) * 0.5, home + away);
            length += 1;
        }
        let keys = keys.get(..=length).unwrap_or(&keys);
        joint.through(keys).from(home).at(self.start);
    }

    fn all(&self, joints: &[(&'static Actuator, f64)], size: f64, motif: Motif) {
        for (joint, part) in joints {
            self.play(joint, size * part, motif);
        }
    }

    /// Flashes the eyes on beats.
    fn flash(&self, eyes: &Group, beats: &[u32]) {
        for beat in beats {
            let at = self.start + self.music.beats(beat - 1);
            eyes.to(0.1).at(at - 20.ms());
            eyes.to(1.0).at(at);
            eyes.to(1.0).at(at + 40.ms());
            eyes.to(0.1).at(at + self.music.beats(0.8));
        }
    }

    fn nod(&self) {
        self.play(&HeadPitch, 0.2, PULSE);
        self.flash(&Blue, &[1, 3]);
    }

    fn swing(&self, side: f64) {
        self.play(&LShoulderPitch, 1.0, SWING);
        self.play(&RShoulderPitch, 1.0, COUNTER);
        self.play(&HeadYaw, 0.4 * side, THERE_AND_BACK);
        self.all(&ELBOWS, 0.5, FLAP);
        self.all(&KNEES, 0.08, PULSE);
        self.flash(&Blue, &[2]);
        self.flash(&Red, &[4]);
    }

    fn sway(&self) {
        self.all(&HIPS, 0.12, THERE_AND_BACK);
        self.all(&WINGS, 0.5, UP);
        self.play(&HeadYaw, -0.3, THERE_AND_BACK);
        self.flash(&Blue, &[1]);
    }

    fn reach(&self, side: f64) {
        let left = [(&LShoulderPitch, -2.3), (&LElbowRoll, 0.4)];
        let right = [(&RShoulderPitch, -2.3), (&RElbowRoll, -0.4)];
        self.all(if side > 0.0 { &left } else { &right }, 1.0, UP);
        self.play(&HeadYaw, 0.5 * side, UP);
        self.play(&HeadPitch, -0.25, UP);
        self.flash(&Red, &[3]);
    }

    fn bow(&self) {
        self.play(&HeadPitch, 0.4, UP);
        self.all(&WINGS, 0.7, UP);
        self.all(&KNEES, 0.15, UP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_dances_for_a_minute_and_ends_at_home() {
        let mut stage = Rehearsal::of::<Dance>(nao());
        let took = stage.run_to_its_end(70.s());
        assert!((60.s()..68.s()).contains(&took), "{} s", took.seconds());
        for (joint, home) in HOME {
            assert!((stage.sent(joint) - home).abs() < 1e-6, "{}", joint.name());
        }
        assert!(stage.log().is_empty());
        stage.assert_nothing_clipped();
    }

    #[test]
    fn everyone_dances() {
        let mut stage = Rehearsal::of::<Dance>(nao());
        stage.run_for(70.s());
        for (joint, _) in HOME {
            assert!(
                stage.highest(joint) - stage.lowest(joint) > 0.1,
                "{}",
                joint.name()
            );
        }
        assert_eq!(stage.highest("Face/Led/Red/Left/0Deg"), 1.0);
    }

    #[test]
    fn its_feet_stay_flat() {
        let mut stage = Rehearsal::of::<Dance>(nao());
        stage.run_for(8.s());
        // From here on it stands ready.
        for _ in 0..5500 {
            stage.turn();
            let sum = stage.sent(&LHipPitch) + stage.sent(&LKneePitch) + stage.sent(&LAnklePitch);
            assert!((sum + 0.09).abs() < 0.03, "the torso tilts by {sum}");
            assert!((stage.sent(&LHipRoll) + stage.sent(&LAnkleRoll)).abs() < 0.01);
        }
    }
}
