//! The emergency stop: it freezes what was sent, gives way to a hand, and gives the body back without a jump.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::estop::{DoubleTap, EmergencyStop, EstopChange, LightScanner};
use choreography::prelude::*;
use choreography::rehearsal::Body;
use fastrand::Rng;

static Arm: Actuator = Actuator::named("Arm");
static Hand: Actuator = Actuator::named("Hand");
static Wheel: Actuator = Actuator::named("Wheel");
static ArmEncoder: Sensor = Sensor::named("ArmEncoder");
static NoEncoder: Sensor = Sensor::named("NoEncoder");

const NO_LOAD: [f64; 3] = [f64::NAN; 3];
const SPEED: f64 = 4.0;

/// A body whose period is that of the original's buffers. Its encoder is where the test puts it.
fn body() -> Body {
    let body = Body::new(32.ms()).joint("Arm", -2.0..=2.0, SPEED, 0.0);
    let body = body.joint("Hand", -2.0..=2.0, SPEED, 0.0);
    body.joint("Wheel", -9.0..=9.0, 100.0, 0.0)
        .sensor("ArmEncoder", f64::NAN)
}

fn estop() -> EmergencyStop<3> {
    EmergencyStop::new([&Arm, &Hand, &Wheel])
        .measured_by([&ArmEncoder, &NoEncoder, &NoEncoder])
        .with_wheel(2)
}

#[test]
fn it_freezes_what_was_sent_last_and_stops_wheels() {
    let mut stage = Rehearsal::alone(body());
    Arm.to(1.0).over(640.ms());
    Wheel.to(5.0).over(64.ms());
    stage.run_for(320.ms());
    stage.sensor(&ArmEncoder, 0.45); // it lags: that is not where it is frozen
    let mut estop = estop();
    assert_eq!(estop.set_stopped(true, now()), Some(EstopChange::Activated));
    assert_eq!(estop.set_stopped(true, now()), None);
    for _ in 0..30 {
        assert!(estop.step(now(), &NO_LOAD).is_done());
        stage.turn();
        // Its own timeline goes on below it.
        assert_eq!(stage.driven(&Arm), Some(Output::of(0.5)));
        assert_eq!(stage.driven(&Wheel), Some(Output::of(0.0)));
        assert_eq!(stage.gains(&Arm), None); // it does not make limp
    }
}

/// The rules of moulding, frame by frame, as they are described.
struct PlainJoint {
    target: f64,
    current: f64,
    duty: f64,
}

impl PlainJoint {
    fn frame(&mut self, frame: u32, sensed: f64, load: f64) {
        let mut step = 0.15 * SPEED * 0.032;
        if frame > 5 {
            self.duty = 0.9 * self.duty + 0.1 * load;
            if (sensed - self.target).abs() > 0.15 {
                // At once in the original; here as fast as the joint can be, and beyond it slowly.
                self.target = sensed;
                let most = SPEED * 0.032;
                let jump = (sensed.clamp(-2.0, 2.0) - self.current).clamp(-most, most);
                self.current += jump;
                step = f64::max(step - jump.abs(), 0.0);
            }
            if self.duty.abs() > 0.2 {
                self.target -= self.duty;
            }
            self.target = self.target.clamp(-2.0, 2.0);
        }
        let way = self.target - self.current;
        self.current += way.clamp(-step, step);
    }
}

#[test]
fn random_pushes_mould_the_body_by_the_rules() {
    let mut random = Rng::with_seed(4);
    for _ in 0..50 {
        let mut stage = Rehearsal::alone(body());
        let start = random.f64() - 0.5;
        stage.put("Arm", start);
        let mut estop = estop();
        estop.set_stopped(true, now());
        let mut plain = PlainJoint {
            target: start,
            current: start,
            duty: 0.0,
        };
        let (mut sensed, mut load) = (start, 0.0);
        for frame in 0..200 {
            // A push begins or ends now and then.
            if random.u8(0..20) == 0 {
                sensed = plain.current + (random.f64() - 0.5) * f64::from(random.u8(0..2));
                load = (2.0 * random.f64() - 1.0) * f64::from(random.u8(0..2));
            }
            stage.sensor(&ArmEncoder, sensed);
            estop.step(now(), &[load, f64::NAN, 0.9]);
            stage.turn();
            if frame > 0 {
                plain.frame(frame, sensed, load);
            }
            assert!((stage.sent(&Arm) - plain.current).abs() < 1e-9, "{frame}");
        }
        assert_eq!((stage.sent(&Hand), stage.sent(&Wheel)), (0.0, 0.0));
        stage.assert_nothing_clipped();
    }
}

#[test]
fn the_body_is_given_back_by_a_weight_that_falls_evenly() {
    let mut stage = Rehearsal::alone(body().with_period(10.ms()));
    stage.put("Arm", 0.7);
    let mut estop = estop();
    estop.set_stopped(true, now());
    estop.step(now(), &NO_LOAD);
    stage.run_for(1500.ms());
    let told = estop.set_stopped(false, now());
    assert_eq!(told, Some(EstopChange::Deactivated(1500.ms())));
    for turn in 0..60 {
        estop.step(now(), &NO_LOAD);
        stage.turn();
        let weight = 1.0 - f64::from(turn) / 40.0;
        let driven = stage.driven(&Arm);
        if weight > 0.0 {
            let driven = driven.expect("it fades");
            assert!((driven.weight - weight).abs() < 1e-9 && driven.value == 0.7);
        } else {
            assert_eq!(driven, None);
        }
    }
    // It can be stopped again in the midst of it: at what is sent then.
    estop.set_stopped(true, now());
    estop.set_stopped(false, now());
    stage.run_for(200.ms());
    assert!((estop.weight(now()) - 0.5).abs() < 1e-9);
    stage.put("Arm", 0.2);
    assert_eq!(estop.toggle(now()), Some(EstopChange::Activated));
    estop.step(now(), &NO_LOAD);
    stage.turn();
    assert_eq!(stage.driven(&Arm), Some(Output::of(0.2)));
}

#[test]
fn one_that_is_made_inactive_gives_the_body_back_and_stops_it_again_later() {
    let stage = Rehearsal::alone(body());
    let (mut estop, at) = (estop(), |value: u64| Instant::ZERO + value.ms());
    assert_eq!(estop.set_active(false, at(0)), None);
    assert_eq!(estop.set_stopped(true, at(10)), None);
    assert_eq!(estop.set_active(true, at(20)), None); // nothing was stopped
    assert_eq!(
        estop.set_stopped(true, at(30)),
        Some(EstopChange::Activated)
    );
    let back = EstopChange::Deactivated(70.ms());
    assert_eq!(estop.set_active(false, at(100)), Some(back));
    assert_eq!(estop.set_active(false, at(110)), None);
    assert_eq!(
        estop.set_active(true, at(2000)),
        Some(EstopChange::Activated)
    );
    assert!(estop.is_stopped() && estop.is_active());
    drop(stage);
}

/// Random presses, against a plain account of all of them.
#[test]
fn a_double_tap_is_told_when_its_second_tap_is_released_in_time() {
    let mut random = Rng::with_seed(9);
    let mut found = 0;
    for _ in 0..200 {
        let (mut tap, mut now) = (DoubleTap::new(), 0);
        let mut presses: Vec<u64> = Vec::new();
        for _ in 0..40 {
            now += random.u64(1..500);
            assert!(!tap.feed(true, Instant::ZERO + now.ms()));
            presses.push(now);
            now += random.u64(1..400);
            let is_double = match presses[..] {
                [.., before, _] => now - before < 600,
                _ => false,
            };
            if is_double {
                presses.clear(); // a third tap begins a new pair
                found += 1;
            }
            assert_eq!(tap.feed(false, Instant::ZERO + now.ms()), is_double);
            assert!(!tap.feed(false, Instant::ZERO + now.ms()));
        }
    }
    assert!(found > 500);
}

/// At the period of the original, the values are those of its description.
#[test]
fn the_scanner_is_a_pulse_with_a_glow_behind() {
    // A sweep that never ends.
    let mut scanner =
        LightScanner::<5>::beginning(Instant::ZERO).sweeping(Span::from_nanos(u64::MAX));
    assert!(scanner.values(Instant::ZERO + 9.s())[4] < 1e-9);
    let mut scanner = LightScanner::<5>::beginning(Instant::ZERO);
    let mut glows = [0.0; 5];
    for frame in 1..1000u64 {
        let ms = frame * 32;
        let share = (ms % 4000) as f64 / 2000.0;
        let place = 8.0 * if share > 1.0 { 2.0 - share } else { share };
        let values = scanner.values(Instant::ZERO + ms.ms());
        for (light, glow) in glows.iter_mut().enumerate() {
            let pulse = (-6.0 * (place - light as f64 - 2.0).powi(2)).exp();
            *glow = 0.83 * (*glow + 0.5 * pulse);
            let plain = (*glow / 2.0 + pulse).min(1.0);
            assert!((values[light] - plain).abs() < 1e-9, "{frame}");
        }
    }
}

#[test]
fn a_joint_that_was_moved_while_it_was_limp_stays_where_it_is() {
    let mut stage = Rehearsal::alone(body());
    stage.put("Arm", 0.3);
    let mut estop = estop();
    estop.set_stopped(true, now());
    for _ in 0..20 {
        estop.step(now(), &NO_LOAD);
        stage.turn();
    }
    assert_eq!(stage.sent(&Arm), 0.3);
    // A hand moves it far away.
    stage.put("Arm", -1.1);
    stage.sensor(&ArmEncoder, -1.1);
    for _ in 0..50 {
        estop.step(now(), &NO_LOAD);
        stage.turn();
        assert_eq!(stage.sent(&Arm), -1.1);
    }
}
