//! Waves with the right arm, from any position of the arm, and puts it back.
//!
//! The one to read first: its cast, what it does when it starts, and when it ends.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Waves with the right arm, and puts it back.
    motion Wave as "wave";
    hooks pre_process, is_alive;
    joints RShoulderPitch, RShoulderRoll, RElbowYaw, RElbowRoll, RWristYaw, HeadYaw;
    groups Chest = "ChestLeds";
    params
        Speed = "speed" from 0.5 to 1.5 usually 1.0,
        Times = "times" from 1.0 to 10.0 usually 3.0;
    fuel 1_000_000;
}

/// Its state from turn to turn.
pub struct Wave {
    /// When its movement ends; `None` before the first turn.
    end: Option<Instant>,
}

impl Motion for Wave {
    fn start() -> Wave {
        Wave { end: None }
    }

    fn pre_process(&mut self, _: Instant) {
        // All commands are sent in the first turn.
        if self.end.is_none() {
            self.end = Some(wave());
        }
    }

    fn is_alive(&self) -> bool {
        self.end.is_none_or(|end| now() < end)
    }
}

/// The pose of the arm for waving: up, and a little out.
static RAISED: [(&Actuator, f64); 6] = [
    (&RShoulderPitch, -1.3),
    (&RShoulderRoll, -0.35),
    (&RElbowYaw, 0.35),
    (&RElbowRoll, 0.7),
    (&RWristYaw, 0.0),
    (&HeadYaw, -0.25),
];

/// Sends a whole wave. Returns when it ends.
fn wave() -> Instant {
    let beat = 400.ms() / Speed.get();

    // The arm goes up smoothly, from any position: a longer way takes longer.
    let mut at = strike(&RAISED, 0.4, beat * 2);
    Chest.to(1.0).at(at);

    // The forearm goes out and in, as often as it waves.
    let bend = |from: f64, to: f64| RElbowRoll.to(to).eased(Ease::Sine).from(from);
    for _ in 0..Times.get() as u32 {
        bend(0.7, 0.2).starting(at).over(beat);
        bend(0.2, 0.7).starting(at + beat).over(beat);
        at += beat * 2;
    }

    // The arm returns to rest.
    let end = at + beat * 3;
    for (joint, up) in RAISED {
        let back = joint.to(joint.limits().rest).eased(Ease::Jerkless);
        back.from(up).starting(at).at(end);
    }
    Chest.to(0.0).at(end);
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_is_raised_and_put_back() {
        let mut stage = Rehearsal::of::<Wave>(nao());
        stage.run_for(1.s());
        assert!(stage.lowest(&RShoulderPitch) < -1.2);
        stage.run_to_its_end(6.s());
        assert!((stage.sent(&RShoulderPitch) - 1.4).abs() < 0.01);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_is_smooth_at_any_speed_and_from_anywhere() {
        for speed in [0.5, 1.5] {
            let mut stage = Rehearsal::of::<Wave>(nao());
            stage.set_param("speed", speed);
            stage.set_param("times", 2.0);
            stage.pose(&[
                ("RShoulderPitch", 2.0),
                ("RElbowYaw", 2.0),
                ("RElbowRoll", 1.5),
            ]);
            stage.run_to_its_end(12.s());
            stage.assert_nothing_clipped();
        }
    }

    #[test]
    fn it_does_what_it_can_on_a_body_without_a_wrist() {
        let mut stage = Rehearsal::of::<Wave>(nao().without("RWristYaw"));
        stage.run_to_its_end(6.s());
        assert!(!RWristYaw.is_present() && !Wave::all_present());
        assert!(stage.log()[0].contains("no actuator `RWristYaw`"));
    }
}
