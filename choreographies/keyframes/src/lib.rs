//! Plays a sequence of keyframes: a greeting of the right arm and the head, with cue points that other guests hear.
//!
//! A person sets its speed, also backwards, pauses it, lets it go to a time, and says how often it is played, and
//! whether to and fro. It begins where the body is; backwards it comes to its last key first, and again in each round.

#![no_std]

use choreography::prelude::*;
use choreography::sequence::{CueSheet, Milestone, MotionPlayer, MotionSequence, Rounds};

choreography! {
    /// Plays a sequence of keyframes: a greeting of the right arm and the head.
    motion KeyframeShow as "keyframes";
    hooks pre_process, is_alive;
    joints RShoulderPitch, RShoulderRoll, RElbowRoll, HeadYaw, HeadPitch;
    params
        Speed = "speed" from -2.0 to 2.0 usually 1.0,           // negative is backwards
        Paused = "paused" from 0.0 to 1.0 usually 0.0,
        At = "at" from 0.0 to 10.0 usually 0.0,                 // seconds; a change goes there
        Times = "times" from 0.0 to 100.0 usually 1.0,          // 0 is without end
        ToAndFro = "to-and-fro" from 0.0 to 1.0 usually 0.0;    // each time there and back
    topics
        Up = "keyframes/up", Waved = "keyframes/waved", Again = "keyframes/again", Round = "keyframes/round";
    fuel 1_000_000;
}

/// The places of the outputs.
static JOINTS: [&Actuator; 5] = [
    &RShoulderPitch,
    &RShoulderRoll,
    &RElbowRoll,
    &HeadYaw,
    &HeadPitch,
];
const ELBOW: usize = 2;
const HEAD: [usize; 2] = [3, 4];

/// When the arm is up, and when it has waved.
const UP: Span = Span::from_millis(900);
const WAVED: Span = Span::from_millis(2500);
const END: Span = Span::from_millis(3600);
/// How long it takes to a time that is chosen.
const WAY: Span = Span::from_millis(1000);

/// Its state from turn to turn.
pub struct KeyframeShow {
    player: MotionPlayer<5, 40>,
    cues: CueSheet<2>,
    at: f64,
    has_begun: bool,
    /// To and fro: 1 or -1, and how many ways it has gone.
    direction: f64,
    ways: u32,
}

impl Motion for KeyframeShow {
    fn start() -> KeyframeShow {
        let (mut keys, mut cues) = (MotionSequence::new(), CueSheet::new());
        let answer = compose(&mut keys).then(|| cues.add(UP, &Up));
        let answer = answer.then(|| cues.add(WAVED, &Waved));
        if !answer.is_done() {
            warn!("the sequence is not complete");
        }
        KeyframeShow {
            player: MotionPlayer::new(keys, JOINTS),
            cues,
            at: 0.0,
            has_begun: false,
            direction: 1.0,
            ways: 0,
        }
    }

    fn pre_process(&mut self, now: Instant) {
        self.obey();
        if !self.has_begun && Paused.get() <= 0.5 {
            self.has_begun = true;
            // From wherever the body is: no joint is faster than half of what it can be.
            let limits = JOINTS.map(|joint| joint.limits().velocity);
            let from = JOINTS.map(Actuator::sent);
            let keys = self.player.sequence_mut();
            if !keys.make_safe(&from, &limits, 0.5).is_done() {
                warn!("the sequence is faster than it should be");
            }
            // Backwards it begins with the last key, and has to come there.
            if self.at <= 0.0 {
                self.come_to_the_end();
            }
        }
        let milestone = self.player.advance(now);
        if milestone == Some(Milestone::Round) {
            Round.post(1.0);
            self.come_to_the_end();
        }
        self.player.drive();
        self.cues
            .post_passed(&self.player, self.player.position().seconds());
        if milestone == Some(Milestone::End) && ToAndFro.get() > 0.5 {
            self.ways += 1;
            let times = Times.get() as u32;
            if times == 0 || self.ways < 2 * times {
                self.direction = -self.direction;
                self.player.reverse();
                if self.ways.is_multiple_of(2) {
                    Round.post(1.0);
                }
            }
        }
    }

    fn is_alive(&self) -> bool {
        self.player.is_alive()
    }
}

impl KeyframeShow {
    /// Where a round backwards begins, unless it has just come from there.
    fn come_to_the_end(&mut self) {
        if self.direction * Speed.get() < 0.0 {
            self.player.approach(END, WAY);
        }
    }

    /// Does what people have set, and other guests have asked for.
    fn obey(&mut self) {
        let to_and_fro = ToAndFro.get() > 0.5;
        if !to_and_fro {
            (self.direction, self.ways) = (1.0, 0);
        }
        self.player.set_speed(self.direction * Speed.get());
        let times = Times.get() as u32;
        self.player.set_rounds(match times {
            _ if to_and_fro => Rounds::Count(1),
            0 => Rounds::Endless,
            _ => Rounds::Count(times),
        });
        match Paused.get() > 0.5 {
            true => self.player.pause(),
            false if !self.player.is_playing() => self.player.resume(),
            false => {}
        }
        if At.get().total_cmp(&self.at).is_ne() {
            self.at = At.get();
            self.player.approach(self.at.s(), WAY);
        }
        while let Some(event) = next_event() {
            if event.is(&Again) {
                self.cues.approach(&mut self.player, &Up, WAY); // it waves once more
            }
        }
    }
}

/// Writes the keys: poses of all joints, an easing for the head, and a spline for the elbow.
fn compose(keys: &mut MotionSequence<5, 40>) -> Answer {
    keys.set_edit_time(UP);
    let up = [-1.0, -0.4, 1.2, -0.3, -0.1].map(Output::of);
    let mut answer = keys.set_pose(&up);
    for place in HEAD {
        keys.set_ease(place, Ease::Jerkless);
    }
    let waves = [
        (0.ms(), 1.2),
        (400.ms(), 0.5),
        (800.ms(), 1.2),
        (1200.ms(), 0.5),
        (1600.ms(), 1.2),
    ];
    answer = answer.then(|| keys.trace(ELBOW, Keys::new(&waves, Through::Flows), 0.02));
    keys.set_edit_time(WAVED);
    answer =
        answer.then(|| keys.set_pose(&[up[0], up[1], up[ELBOW], Output::of(0.3), Output::of(0.1)]));
    for place in HEAD {
        keys.set_ease(place, Ease::Sine);
    }
    keys.set_edit_time(END);
    let rest = JOINTS.map(|joint| Output::of(joint.limits().rest));
    answer.then(|| keys.set_pose(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_from_where_the_body_is_and_tells_its_cues() {
        let mut stage = Rehearsal::of::<KeyframeShow>(nao());
        stage.pose(&[("RShoulderPitch", 0.4), ("HeadYaw", 0.8)]);
        stage.run_for(3.s());
        assert_eq!(stage.lowest(&RShoulderPitch), -1.0);
        let turns = stage.course(&RElbowRoll);
        assert!(
            turns.iter().any(|turn| *turn > 1.15) && turns[100..].iter().any(|turn| *turn < 0.55)
        );
        stage.run_to_its_end(2.s());
        assert_eq!(stage.sent(&RShoulderPitch), RShoulderPitch.limits().rest);
        let told = [stage.posted(&Up), stage.posted(&Waved)];
        assert!((told[0][0] - 0.9).abs() < 0.011 && (told[1][0] - 2.5).abs() < 0.011);
        assert_eq!((told[0].len(), told[1].len()), (1, 1));
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_is_played_faster_paused_and_again() {
        let mut stage = Rehearsal::of::<KeyframeShow>(nao());
        stage.set_param("speed", 2.0);
        stage.set_param("times", 2.0);
        stage.run_for(700.ms());
        stage.set_param("paused", 1.0);
        stage.run_for(100.ms());
        let stands = stage.sent(&RElbowRoll);
        stage.run_for(1.s());
        assert_eq!(stage.sent(&RElbowRoll), stands);
        stage.set_param("paused", 0.0);
        let left = stage.run_to_its_end(4.s());
        assert!((left.seconds() - 2.9).abs() < 0.1, "{left:?}");
        assert_eq!(
            (stage.posted(&Round).len(), stage.posted(&Up).len()),
            (1, 2)
        );
        stage.assert_nothing_clipped();
    }

    #[test]
    fn backwards_it_goes_the_same_way() {
        let mut stage = Rehearsal::of::<KeyframeShow>(nao());
        stage.run_for(2.s());
        let there = stage.course(&RElbowRoll);
        stage.set_param("speed", -1.0);
        stage.run_for(1.s());
        let back = stage.course(&RElbowRoll);
        let mirrored = back[200..].iter().zip(there.iter().rev().skip(1));
        assert!(
            mirrored
                .into_iter()
                .all(|(one, two)| (one - two).abs() < 1e-6)
        );
        assert_eq!(stage.posted(&Up).len(), 1);
        stage.run_for(500.ms());
        assert_eq!(stage.posted(&Up).len(), 2);
        stage.run_to_its_end(2.s());
    }

    #[test]
    fn to_and_fro_it_does_not_end_and_does_not_jump() {
        let mut stage = Rehearsal::of::<KeyframeShow>(nao());
        stage.set_param("to-and-fro", 1.0);
        stage.set_param("times", 0.0);
        stage.run_for(20.s());
        assert_eq!(stage.posted(&Up).len(), 5);
        assert_eq!(stage.posted(&Round).len(), 2); // each there and back
        stage.assert_nothing_clipped();
    }

    #[test]
    fn to_and_fro_it_goes_there_and_back_so_many_times_at_its_speed() {
        for (speed, times) in [(1.0, 1.0), (2.0, 1.0), (2.0, 3.0), (-1.5, 2.0)] {
            let mut stage = Rehearsal::of::<KeyframeShow>(nao());
            for (name, value) in [("to-and-fro", 1.0), ("speed", speed), ("times", times)] {
                stage.set_param(name, value);
            }
            let took = stage.run_to_its_end(60.s()).seconds();
            let way = if speed < 0.0 { WAY.seconds() } else { 0.0 };
            let expected = way + 2.0 * times * END.seconds() / f64::abs(speed);
            assert!(
                (took - expected).abs() < 0.1 * times,
                "{speed}, {times}: {took}"
            );
        }
    }

    #[test]
    fn it_goes_to_a_time_and_to_a_cue() {
        let mut stage = Rehearsal::of::<KeyframeShow>(nao());
        stage.run_for(3.s());
        stage.post("keyframes/again", 1.0);
        stage.run_for(3.s());
        assert_eq!(stage.posted(&Waved).len(), 2);
        stage.set_param("at", 2.4);
        stage.run_for(1200.ms());
        assert_eq!(stage.posted(&Waved).len(), 3);
        stage.run_to_its_end(2.s());
    }

    #[test]
    fn it_begins_at_a_time_that_is_set_before() {
        let mut stage = Rehearsal::of::<KeyframeShow>(nao());
        stage.set_param("at", 2.9);
        let took = stage.run_to_its_end(4.s()).seconds();
        assert!((took - 1.7).abs() < 0.02, "{took}"); // a second to get there, and what is left
        assert_eq!(stage.posted(&Waved).len(), 0);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_is_never_faster_than_half_of_what_a_joint_can_be() {
        let cases: [&[(&str, f64)]; 4] = [
            &[("speed", -1.0), ("times", 3.0)],
            &[("speed", -1.0), ("to-and-fro", 1.0)],
            &[("at", 2.4), ("speed", -1.0)],
            &[("times", 2.0)],
        ];
        for (number, case) in cases.iter().enumerate() {
            let mut stage = Rehearsal::of::<KeyframeShow>(nao());
            stage.pose(&[("RShoulderPitch", -1.0), ("HeadYaw", 1.5)]);
            for (name, value) in *case {
                stage.set_param(name, *value);
            }
            stage.run_for(2.s());
            if number == 3 {
                stage.set_param("at", 0.7);
                stage.run_for(300.ms());
                stage.set_param("at", 0.0);
            }
            stage.run_for(6.s());
            for joint in JOINTS {
                let most = 0.5 * joint.limits().velocity;
                let fastest = stage.fastest(joint);
                assert!(
                    fastest <= most * 1.01,
                    "{}, {number}: {fastest}",
                    joint.name()
                );
            }
            stage.assert_nothing_clipped();
        }
    }

    #[test]
    fn a_time_that_is_chosen_is_not_jumped_to() {
        for (at, begun) in [(3.6, 2.0), (10.0, 2.0), (2.5, 1.0), (0.5, 3.4)] {
            let mut stage = Rehearsal::of::<KeyframeShow>(nao());
            stage.run_for(begun.s());
            stage.set_param("at", at);
            stage.run_to_its_end(6.s());
            // It ends where its last keys are, and no joint was sent there at once.
            for joint in JOINTS {
                assert_eq!(stage.sent(joint), joint.limits().rest, "{at}");
            }
            stage.assert_nothing_clipped();
        }
    }
}
