//! Is taught by hand: a touch of the forehead makes the right arm limp and records how it is moved, until the next
//! touch. A touch of the back of the head plays it. Other guests do both by topics.
//!
//! The arm gets its force back where the hand has left it, so it does not jerk. If this guest is stopped while it
//! records, the arm of a NAO stays limp: its stiffness is an actuator, and keeps its value.

#![no_std]

use choreography::gains::GainSet;
use choreography::prelude::*;
use choreography::sequence::{MotionPlayer, MotionRecorder, MotionSequence};

choreography! {
    /// Records the right arm while a hand moves it, and plays it.
    motion Teach as "teach";
    hooks pre_process;
    joints
        RShoulderPitch, RShoulderRoll, RElbowYaw, RElbowRoll, RWristYaw, RHand,
        ShoulderPitchForce = "RShoulderPitchStiffness", ShoulderRollForce = "RShoulderRollStiffness",
        ElbowYawForce = "RElbowYawStiffness", ElbowRollForce = "RElbowRollStiffness",
        WristForce = "RWristYawStiffness", HandForce = "RHandStiffness";
    lights Records = "ChestBoard/Led/Red", Plays = "ChestBoard/Led/Blue";
    sensors
        Front = "Head/Touch/Front", Rear = "Head/Touch/Rear",
        ShoulderPitchAngle = "RShoulderPitch", ShoulderRollAngle = "RShoulderRoll", ElbowYawAngle = "RElbowYaw",
        ElbowRollAngle = "RElbowRoll", WristAngle = "RWristYaw", HandAngle = "RHand";
    params
        Within = "within" from 0.005 to 0.2 usually 0.03,       // the error, radians
        Speed = "speed" from 0.2 to 2.0 usually 1.0;            // of what is played
    topics
        Record = "teach/record", Play = "teach/play",           // asked for
        Recorded = "teach/recorded", Played = "teach/played";   // told: seconds
    fuel 500_000;
    loops;
}

static JOINTS: [&Actuator; 6] = [
    &RShoulderPitch,
    &RShoulderRoll,
    &RElbowYaw,
    &RElbowRoll,
    &RWristYaw,
    &RHand,
];
#[rustfmt::skip]
static FORCES: [&Actuator; 6] = [
    &ShoulderPitchForce, &ShoulderRollForce, &ElbowYawForce, &ElbowRollForce, &WristForce, &HandForce,
];
#[rustfmt::skip]
static ANGLES: [&Sensor; 6] = [
    &ShoulderPitchAngle, &ShoulderRollAngle, &ElbowYawAngle, &ElbowRollAngle, &WristAngle, &HandAngle,
];

/// At most so many keys of each joint.
const KEYS: usize = 64;

/// Its state from turn to turn.
pub struct Teach {
    arm: GainSet<6>,
    recorder: Option<MotionRecorder<6, KEYS>>,
    player: Option<MotionPlayer<6, KEYS>>,
    lesson: MotionSequence<6, KEYS>,
    /// Whether the head was touched in the last turn: front and rear.
    was_touched: [bool; 2],
}

impl Motion for Teach {
    fn start() -> Teach {
        Teach {
            arm: GainSet::new(JOINTS).stiffened_by(FORCES),
            recorder: None,
            player: None,
            lesson: MotionSequence::new(),
            was_touched: [false; 2],
        }
    }

    fn pre_process(&mut self, now: Instant) {
        let [record, play] = self.asked();
        if record && self.recorder.is_some() {
            self.learn();
        } else if record {
            self.player = None;
            self.recorder = Some(MotionRecorder::new(Within.get()));
        } else if play && self.recorder.is_none() && self.lesson.end() > Span::ZERO {
            self.player = Some(MotionPlayer::new(self.lesson, JOINTS).measured_by(ANGLES));
        }
        self.arm
            .set_power(.., if self.recorder.is_some() { 0.0 } else { 1.0 });
        self.arm.step();
        self.record(now);
        self.play(now);
        Records.drive(f64::from(u8::from(self.recorder.is_some())));
        Plays.drive(f64::from(u8::from(self.player.is_some())));
    }
}

impl Teach {
    /// Whether somebody wants it to record, or to stop recording; and to play.
    fn asked(&mut self) -> [bool; 2] {
        let touched = [Front.is_on(), Rear.is_on()];
        let was = core::mem::replace(&mut self.was_touched, touched);
        let mut asked = [touched[0] && !was[0], touched[1] && !was[1]];
        while let Some(event) = next_event() {
            asked[0] |= event.is(&Record);
            asked[1] |= event.is(&Play);
        }
        asked
    }

    fn record(&mut self, now: Instant) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        if !recorder.feed(now, &ANGLES.map(Sensor::read)).is_done() {
            warn!("there is no room for more: the recording ends here");
            self.learn();
        }
    }

    /// Ends the recording.
    fn learn(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            self.lesson = recorder.finish();
            Recorded.post(self.lesson.end().seconds());
        }
    }

    fn play(&mut self, now: Instant) {
        let Some(player) = &mut self.player else {
            return;
        };
        player.set_speed(Speed.get());
        player.step(now);
        if !player.is_alive() {
            self.player = None;
            Played.post(self.lesson.end().seconds());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a hand moves the arm: the shoulder and the elbow, at this time.
    fn hand(time: f64) -> [f64; 2] {
        [
            1.4 - 0.6 * (1.5 * time).sin(),
            0.5 + 0.4 * (2.0 * time).sin(),
        ]
    }

    /// Touches the head, and lets it go.
    fn touch(stage: &mut Rehearsal, sensor: &Sensor) {
        stage.sensor(sensor, 1.0);
        stage.turn();
        stage.sensor(sensor, 0.0);
    }

    #[test]
    fn what_a_hand_has_shown_is_played_as_it_was() {
        let mut stage = Rehearsal::of::<Teach>(nao());
        stage.run_for(100.ms());
        touch(&mut stage, &Front);
        for turn in 1..300 {
            let [pitch, roll] = hand(f64::from(turn) * 0.01);
            stage.sensor(&ShoulderPitchAngle, pitch);
            stage.sensor(&ElbowRollAngle, roll);
            stage.turn();
            assert_eq!(stage.sent(&ShoulderPitchForce), 0.0); // limp
        }
        touch(&mut stage, &Front);
        let told = stage.posted(&Recorded);
        assert!(told.len() == 1 && (told[0] - 3.99).abs() < 0.02, "{told:?}");
        stage.run_for(500.ms());
        assert_eq!(stage.sent(&ShoulderPitchForce), 1.0);
        let left = stage.sent(&RShoulderPitch);
        assert!((left - hand(2.99)[0]).abs() < 0.01); // where the hand has left it

        // It is put somewhere else, and comes from there.
        stage.put("RShoulderPitch", 1.0);
        touch(&mut stage, &Rear);
        stage.run_for(6.s());
        let (pitch, roll) = (stage.course(&RShoulderPitch), stage.course(&RElbowRoll));
        let roll = &roll[roll.len() - pitch.len()..];
        assert!(pitch.len() > 400); // since it was put there
        for turn in 2..290 {
            // After a second in which it comes to where the lesson begins.
            let [one, two] = hand(f64::from(turn) * 0.01);
            let at = turn as usize + 100;
            assert!(
                (pitch[at] - one).abs() < 0.05 && (roll[at] - two).abs() < 0.05,
                "{turn}"
            );
        }
        assert_eq!(stage.posted(&Played).len(), 1);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn without_a_lesson_there_is_nothing_to_play() {
        let mut stage = Rehearsal::of::<Teach>(nao());
        stage.post("teach/play", 1.0);
        stage.run_for(1.s());
        assert_eq!(stage.driven(&RShoulderPitch), None);
        assert!(stage.posted(&Played).is_empty());
    }

    #[test]
    fn a_recording_without_room_ends_and_keeps_what_it_has() {
        let mut stage = Rehearsal::of::<Teach>(nao());
        stage.set_param("within", 0.005);
        stage.post("teach/record", 1.0);
        for turn in 0..2000u32 {
            stage.sensor(&ElbowRollAngle, if turn / 7 % 2 == 0 { 0.5 } else { 0.9 });
            stage.turn();
        }
        assert_eq!(stage.posted(&Recorded).len(), 1);
        assert_eq!(stage.sent(&ElbowRollForce), 1.0);
        assert_eq!(stage.log().len(), 1);
    }
}
