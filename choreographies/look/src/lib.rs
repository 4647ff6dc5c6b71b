//! Looks at a place, and follows it when it moves.
//!
//! The SDK's head pointer: the author says where to look, and the pointer turns the neck, at limited speeds. The place
//! is given by parameters, which a person or a program changes while it plays. It holds its head still while a guest
//! posts `freeze` with 1, and ends when one posts `seen`.

#![no_std]

use choreography::head::HeadPointer;
use choreography::kinematics::nao;
use choreography::posture::MoveStatus;
use choreography::prelude::*;

choreography! {
    /// Looks at a place, and follows it until somebody has seen enough.
    motion Look as "look";
    hooks pre_process, is_alive;
    limbs Head = nao::HEAD;
    params
        X = "x" from 0.2 to 5.0 usually 1.0,                    // metres before the torso,
        Y = "y" from -3.0 to 3.0 usually 0.4,                   // to the left of it,
        Z = "z" from -1.0 to 2.0 usually 0.2,                   // above it
        Follow = "follow" from 0.0 to 1.0 usually 1.0,          // whether it follows the place
        Speed = "speed" from 0.1 to 4.0 usually 1.5;            // radians per second
    topics Freeze = "freeze", Seen = "seen", Looking = "looking";
    fuel 1_500_000;
    loops;
    fade_out 500 ms;
}

/// Its state from turn to turn.
pub struct Look {
    head: HeadPointer<2>,
    /// The place at which it looks; none before the first turn.
    place: Option<[f64; 3]>,
    is_frozen: bool,
    has_seen: bool,
}

impl Motion for Look {
    fn start() -> Look {
        Look {
            head: HeadPointer::new(&Head),
            place: None,
            is_frozen: false,
            has_seen: false,
        }
    }

    fn pre_process(&mut self, now: Instant) {
        self.listen();
        self.head.motion.set_speeds(.., Speed.get());
        if !self.is_frozen {
            self.aim();
        }
        // Tells others once when it looks at the place.
        if self.head.step(now) == Some(MoveStatus::Arrived) && !self.is_frozen {
            Looking.post(1.0);
        }
    }

    fn is_alive(&self) -> bool {
        !self.has_seen
    }
}

impl Look {
    fn listen(&mut self) {
        while let Some(event) = next_event() {
            self.has_seen |= event.is(&Seen);
            if event.is(&Freeze) {
                self.is_frozen = event.value > 0.5;
                // It stops here. Afterwards it looks for the place again.
                self.head.freeze();
                self.place = None;
            }
        }
    }

    /// Looks at the place if it is a new one. To solve it anew in each turn would be a waste.
    fn aim(&mut self) {
        let place = [X.get(), Y.get(), Z.get()];
        let is_new = self
            .place
            .is_none_or(|value| Follow.get() > 0.5 && value != place);
        if is_new {
            self.place = Some(place);
            let aim = self.head.look_at(place);
            if !aim.is_reached() {
                say!(
                    "it cannot look there: ",
                    aim.residual.angle,
                    " rad are left"
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The angle between the way to a place and the way in which the camera looks, rad.
    fn off(place: [f64; 3]) -> f64 {
        let (head, camera) = (Head.pose(), Head.limb());
        let way = (Vec3::from(place) - head.point(camera.tip())).unit();
        maths::acos(way.dot(head.turn.turn(camera.sight())).min(1.0))
    }

    #[test]
    fn it_looks_at_the_place_and_says_so_once() {
        let mut stage = Rehearsal::of::<Look>(nao());
        stage.run_for(3.s());
        assert!(off([1.0, 0.4, 0.2]) < 2e-3);
        assert_eq!(stage.posted(&Looking), [1.0]);
        assert!(stage.fastest("HeadYaw") < 1.501 && stage.fastest("HeadPitch") < 1.501);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_follows_the_place_if_it_should() {
        for follow in [1.0, 0.0] {
            let mut stage = Rehearsal::of::<Look>(nao());
            stage.set_param("follow", follow);
            stage.run_for(2.s());
            for y in -10..=10 {
                stage.set_param("y", f64::from(y) / 10.0);
                stage.run_for(200.ms());
            }
            assert_eq!(off([1.0, 1.0, 0.2]) < 2e-3, follow > 0.5);
            assert_eq!(off([1.0, 0.4, 0.2]) < 2e-3, follow < 0.5);
            assert!(stage.fastest("HeadYaw") < 1.501);
        }
    }

    #[test]
    fn it_freezes_in_the_middle_of_a_movement() {
        let mut stage = Rehearsal::of::<Look>(nao());
        stage.set_param("y", 1.0);
        stage.run_for(300.ms());
        stage.post("freeze", 1.0);
        stage.run_for(100.ms());
        let there = stage.sent("HeadYaw");
        assert!(there > 0.4 && there < 0.6);
        stage.run_for(1.s());
        assert_eq!(stage.sent("HeadYaw"), there);
        stage.post("freeze", 0.0);
        stage.run_for(1.s());
        assert!(off([1.0, 1.0, 0.2]) < 2e-3);
    }

    #[test]
    fn it_looks_as_near_as_it_can_and_says_how_near_that_is() {
        let mut stage = Rehearsal::of::<Look>(nao());
        for (name, value) in [("x", 0.2), ("y", 0.0), ("z", 2.0)] {
            stage.set_param(name, value);
        }
        stage.run_for(2.s());
        assert!(stage.log()[0].contains("it cannot look there"));
        assert!((stage.sent("HeadPitch") + 0.67).abs() < 0.01);
    }

    #[test]
    fn it_ends_when_somebody_has_seen_enough() {
        let mut stage = Rehearsal::of::<Look>(nao());
        stage.run_for(5.s());
        stage.post("seen", 1.0);
        assert!(stage.run_to_its_end(1.s()) < 50.ms());
    }
}
