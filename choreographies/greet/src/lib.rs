//! Greets a person who touches its head or comes near.
//!
//! Sensors decide: it waits, greets, and waits until the person has left before it greets again. It posts the number
//! of greetings to other guests, and keeps it for the next version of itself.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Greets whoever touches its head or comes near.
    motion Greet as "greet";
    hooks pre_process;
    joints HeadYaw, HeadPitch, RShoulderPitch, RShoulderRoll, RElbowRoll;
    triggers Sonar = "US";
    groups Eyes = "FaceLedsGreen";
    sensors Touch = "Head/Touch/Front", Left = "US/Left", Right = "US/Right";
    params Near = "near" from 0.2 to 2.0 usually 0.6;           // metres
    topics Greeted = "greeted";
    fuel 200_000;
    loops;
}

/// The number of greetings; a later version continues it.
const COUNT: Figure = Figure(0);

/// The mode of a NAO's ultrasound in which both sides measure, again and again.
const BOTH_SIDES_AGAIN_AND_AGAIN: f64 = 12.0 + 64.0;

/// Its state.
#[derive(Clone, Copy, PartialEq)]
pub enum Greet {
    /// Its first turn.
    Begins,
    /// Nobody is there.
    Waits,
    /// It is greeting, until this instant.
    Greets(Instant),
    /// It has greeted the person who is there.
    Knows,
}

impl Motion for Greet {
    fn start() -> Greet {
        Greet::Begins
    }

    fn pre_process(&mut self, now: Instant) {
        let somebody = somebody();
        *self = match *self {
            Greet::Begins => {
                Sonar.to(BOTH_SIDES_AGAIN_AND_AGAIN).at(now);
                Greet::Waits
            }
            Greet::Waits if somebody => Greet::Greets(greet(now)),
            Greet::Greets(end) if now >= end => Greet::Knows,
            Greet::Knows if !somebody => Greet::Waits,
            same => same,
        };
    }
}

/// Whether a person touches its head or is near. Old values do not count.
fn somebody() -> bool {
    let fresh = |sensor: &Sensor| sensor.age() <= 500.ms();
    // A sonar without any value has not been read.
    let close = |sensor: &Sensor| fresh(sensor) && (0.05..Near.get()).contains(&sensor.read());
    (fresh(&Touch) && Touch.is_on()) || close(&Left) || close(&Right)
}

/// Sends a whole greeting. Returns when it ends.
fn greet(start: Instant) -> Instant {
    let count = COUNT.kept().unwrap_or(0.0) + 1.0;
    COUNT.keep(count);
    Greeted.post(count);
    say!("hello, for the ", count, ". time");

    // The eyes light up, the head looks up and nods.
    Eyes.to(1.0).at(start + 150.ms());
    HeadYaw
        .through(&[(HeadYaw.time_to(0.0, 0.3).max(400.ms()), 0.0)])
        .at(start);
    HeadPitch
        .through(&[
            (500.ms(), -0.2),
            (850.ms(), 0.15),
            (1200.ms(), -0.1),
            (1600.ms(), 0.0),
        ])
        .at(start);

    // The arm goes up, the forearm waves twice, and both come down.
    let (shoulder, elbow) = (RShoulderPitch.limits().rest, RElbowRoll.limits().rest);
    let up = RShoulderPitch
        .time_to(-0.6, 0.3)
        .max(RElbowRoll.time_to(1.2, 0.3))
        .max(700.ms());
    let down = up + 2600.ms();
    RShoulderPitch
        .through(&[(up, -0.6), (up + 1600.ms(), -0.6), (down, shoulder)])
        .at(start);
    RShoulderRoll
        .through(&[(up, -0.3), (up + 1600.ms(), -0.3), (down, -0.15)])
        .at(start);
    let waves = [
        (up, 1.2),
        (up + 400.ms(), 0.6),
        (up + 800.ms(), 1.2),
        (up + 1200.ms(), 0.6),
        (up + 1600.ms(), 1.2),
        (down, elbow),
    ];
    RElbowRoll.through(&waves).going(Through::Stops).at(start);

    let end = start + down;
    Eyes.to(1.0).at(end - 500.ms());
    Eyes.to(0.2).at(end);
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_not_greeted() {
        let mut stage = Rehearsal::of::<Greet>(nao());
        stage.run_for(10.s());
        assert!(stage.posted(&Greeted).is_empty());
        assert_eq!(stage.fastest(&RShoulderPitch), 0.0);
    }

    #[test]
    fn a_touch_is_greeted_once_until_it_ends() {
        let mut stage = Rehearsal::of::<Greet>(nao());
        stage.sensor_after(1.s(), &Touch, 1.0);
        stage.run_for(10.s());
        assert_eq!(stage.posted(&Greeted), [1.0]);
        assert!(stage.lowest(&RShoulderPitch) <= -0.6);
        assert_eq!(stage.sent(&RShoulderPitch), 1.4);
        stage.sensor(&Touch, 0.0);
        stage.run_for(100.ms());
        stage.sensor(&Touch, 1.0);
        stage.run_for(5.s());
        assert_eq!(stage.posted(&Greeted), [1.0, 2.0]);
        assert_eq!(stage.log()[1], "hello, for the 2. time");
        stage.assert_nothing_clipped();
    }

    #[test]
    fn whoever_comes_near_is_greeted_unless_the_sonar_is_silent() {
        let mut stage = Rehearsal::of::<Greet>(nao());
        stage.sensor(&Right, 0.4);
        stage.sensor_age(&Right, 2.s());
        stage.run_for(2.s());
        assert!(stage.posted(&Greeted).is_empty());
        stage.sensor_age(&Right, Span::ZERO);
        stage.run_for(2.s());
        assert_eq!(stage.posted(&Greeted), [1.0]);
    }

    #[test]
    fn it_can_be_done_from_anywhere() {
        let mut stage = Rehearsal::of::<Greet>(nao());
        stage.pose(&[
            ("HeadYaw", 2.0),
            ("RShoulderPitch", 2.0),
            ("RElbowRoll", 0.1),
            ("HeadPitch", -0.3),
        ]);
        stage.sensor(&Touch, 1.0);
        stage.run_for(6.s());
        stage.assert_nothing_clipped();
    }
}
