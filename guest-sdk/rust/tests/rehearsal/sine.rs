//! Sine waves are what plain formulas say, also in the future and after months; wags go on when they are changed.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use std::f64::consts::{FRAC_PI_2, TAU};

use choreography::prelude::*;
use choreography::sine::{SineBank, SineParams, SineWave, Wag};
use fastrand::Rng;

static HeadYaw: Actuator = Actuator::named("HeadYaw");
static HeadPitch: Actuator = Actuator::named("HeadPitch");
static LHand: Actuator = Actuator::named("LHand");
static Tail: Actuator = Actuator::named("Tail");

fn at(seconds: f64) -> Instant {
    Instant::ZERO + seconds.s()
}

fn any_params(random: &mut Rng) -> SineParams {
    SineParams {
        amplitude: 0.1 + random.f64(),
        offset: 2.0 * random.f64() - 1.0,
        period: random.u64(100..5000).ms(),
    }
}

#[test]
fn random_waves_are_the_plain_formula_before_their_start_and_after_it() {
    let mut random = Rng::with_seed(1);
    for case in 0..2000 {
        let params = any_params(&mut random);
        let SineParams {
            amplitude,
            offset,
            period,
        } = params;
        let (start, now) = (60.0 * random.f64(), 60.0 * random.f64());
        let wave = SineWave::new(params, at(start));
        let past = now - start;
        let plain = |past: f64| (TAU * past / period.seconds()).sin() * amplitude + offset;
        let near = |found: f64, expected: f64, error: f64| {
            assert!(
                (found - expected).abs() < error,
                "{case}: {found} {expected}"
            );
        };
        near(wave.value(at(now)), plain(past), 1e-5);
        near(wave.age(at(now)), past, 1e-8);
        let count = past / period.seconds();
        near(wave.count(at(now)), count, 1e-6);
        let phase = wave.phase(at(now));
        assert!((0.0..1.0).contains(&phase));
        // 0 and 1 are the same phase.
        near((phase - count).round(), phase - count, 1e-6);
        // Slopes of the formula, of a step that suits its period.
        let step = period.seconds() * 1e-4;
        let slope = (plain(past + step) - plain(past - step)) / (2.0 * step);
        let bend = (plain(past + step) - 2.0 * plain(past) + plain(past - step)) / (step * step);
        let rate = TAU / period.seconds();
        near(wave.speed(at(now)) / rate, slope / rate, 1e-5);
        near(
            wave.acceleration(at(now)) / (rate * rate),
            bend / (rate * rate),
            1e-4,
        );
    }
}

#[test]
fn no_phase_is_lost_in_months_nor_before_the_start() {
    let mut random = Rng::with_seed(2);
    for _ in 0..2000 {
        let params = any_params(&mut random);
        let period = params.period.nanos();
        let start = random.u64(0..10_000_000_000_000_000_000 / 4);
        // Ten years, back and forth. As floats, their nanoseconds have steps of 64.
        let past = random.u64(0..300_000_000_000_000_000);
        let wave = SineWave::new(params, Instant::from_nanos(start));
        for forth in [true, false] {
            let Some(now) = (if forth {
                Some(start + past)
            } else {
                start.checked_sub(past)
            }) else {
                continue;
            };
            let rest = (past % period) as f64 / period as f64;
            let share = if forth { rest } else { -rest };
            let expected = (TAU * share).sin() * params.amplitude + params.offset;
            let found = wave.value(Instant::from_nanos(now));
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}

#[test]
fn a_start_in_the_future_is_no_wrapped_number() {
    let params = SineParams {
        amplitude: 0.5,
        offset: 0.1,
        period: 1.s(),
    };
    let wave = SineWave::new(params, at(10.25));
    assert!((wave.value(at(10.0)) - (0.1 - 0.5)).abs() < 1e-12);
    assert_eq!((wave.count(at(10.0)), wave.phase(at(10.0))), (-0.25, 0.75));
    assert_eq!((wave.count(at(0.0)), wave.age(at(0.0))), (-10.25, -10.25));
}

#[test]
fn a_synced_wave_passes_the_measured_value_and_rises() {
    let mut random = Rng::with_seed(3);
    for _ in 0..2000 {
        let params = any_params(&mut random);
        // Also at the start of the clock, where the wave's own start is before it.
        let now = at(random.f64() * random.f64() * 100.0);
        let mut wave = SineWave::new(params, at(50.0 * random.f64()));
        let measured = params.offset + params.amplitude * (3.0 * random.f64() - 1.5);
        wave.sync(measured, now);
        let (low, high) = (
            params.offset - params.amplitude,
            params.offset + params.amplitude,
        );
        assert!((wave.value(now) - measured.clamp(low, high)).abs() < 1e-6);
        assert!(wave.speed(now) > -1e-3);
        if (low..high).contains(&measured) {
            assert!(wave.speed(now) > 0.0);
            assert!(wave.value(now + 1.ms()) > wave.value(now) || measured > high - 1e-2);
        }
        assert!(wave.age(now).abs() <= params.period.seconds() / 4.0 + 1e-9);
        let before = wave;
        wave.sync(f64::NAN, now + 1.s());
        assert_eq!(wave, before);
    }
}

#[test]
fn waves_synced_together_have_the_weighted_mean_of_their_starts() {
    let mut random = Rng::with_seed(4);
    let _stage = Rehearsal::alone(nao());
    for case in 0..500 {
        let now = at(random.f64() * 10.0);
        let mut bank = SineBank::new([&HeadYaw, &HeadPitch, &LHand], at(5.0));
        let params: [_; 3] = std::array::from_fn(|_| any_params(&mut random));
        let weights: [_; 3] = std::array::from_fn(|_| random.f64() * f64::from(random.u8(..2)));
        let mut measured = params
            .map(|parameter| parameter.offset + parameter.amplitude * (3.0 * random.f64() - 1.5));
        if case % 3 == 0 {
            measured[1] = f64::NAN;
        }
        let (mut sum, mut all) = (0.0, 0.0);
        for place in 0..3 {
            bank.set_params_from(place, params[place], at(5.0));
            bank.set_weight(place, weights[place]);
            if !measured[place].is_nan() {
                // By the height on the unit circle: a quarter of a period is half of pi.
                let height = (measured[place] - params[place].offset) / params[place].amplitude;
                let quarter = height.clamp(-1.0, 1.0).asin() / FRAC_PI_2;
                sum += weights[place]
                    * (now.nanos() as f64 / 1e9 - quarter * params[place].period.seconds() / 4.0);
                all += weights[place];
            }
        }
        bank.sync_all(&measured, now);
        let starts: [_; 3] =
            std::array::from_fn(|i| now.nanos() as f64 / 1e9 - bank.wave(i).age(now));
        if all > 0.0 {
            assert!(
                starts.iter().all(|start| (start - sum / all).abs() < 1e-8),
                "{case}: {starts:?}"
            );
        } else {
            let kept = [0, 2].map(|i| bank.wave(i).value(now));
            let measured = [0, 2].map(|i: usize| {
                let SineParams {
                    amplitude, offset, ..
                } = params[i];
                measured[i].clamp(offset - amplitude, offset + amplitude)
            });
            assert!((0..2).all(|i| (kept[i] - measured[i]).abs() < 1e-6));
        }
    }
}

#[test]
fn each_actuator_has_its_own_wave_once_it_has_weight() {
    let mut stage = Rehearsal::alone(nao());
    let mut bank = SineBank::new([&HeadYaw, &HeadPitch, &LHand, &Tail], now());
    let limits = HeadPitch.limits();
    let whole = bank.wave(1).params();
    assert_eq!(whole.period, 2.s());
    assert!((whole.offset + whole.amplitude - limits.highest).abs() < 1e-12);
    assert!((whole.offset - whole.amplitude - limits.lowest).abs() < 1e-12);
    bank.set_params_from(
        0,
        SineParams {
            amplitude: 0.3,
            offset: 0.1,
            period: 1.s(),
        },
        at(0.4),
    );
    bank.set_params_from(
        2,
        SineParams {
            amplitude: 0.5,
            offset: 0.5,
            period: 1.5.s(),
        },
        at(0.0),
    );
    assert!(bank.position(0).is_nan());
    assert_eq!(bank.update(now()), Answer::Done);
    bank.set_weight(0, 1.0);
    bank.set_weight(2, 0.5);
    bank.set_weight(3, 1.0);
    for turn in 0..300 {
        let seconds = f64::from(turn) / 100.0;
        // The body has no tail: a refusal, after all others were driven.
        assert_eq!(bank.update(at(seconds)), Answer::Unknown);
        stage.turn();
        let yaw = 0.1 + 0.3 * (TAU * (seconds - 0.4)).sin();
        let hand = 0.5 + 0.5 * (TAU * seconds / 1.5).sin();
        assert!((bank.position(0) - yaw).abs() < 1e-6 && (bank.position(2) - hand).abs() < 1e-6);
        if turn > 20 {
            assert!((stage.sent(&HeadYaw) - yaw).abs() < 1e-6);
            assert!((stage.sent(&LHand) - hand).abs() < 1e-6);
        }
        assert_eq!(stage.sent(&HeadPitch), 0.0);
    }
    assert_eq!((bank.weight(2), bank.weight(1)), (0.5, 0.0));
    assert!(
        bank.weight(4).is_nan() && bank.position(4).is_nan() && bank.wave(4).value(now()).is_nan()
    );
}

mod sways {
    use choreography::prelude::*;
    use choreography::sine::{SineBank, SineParams};

    choreography! {
        /// Sways, and changes its mind.
        motion Sway as "sway";
        hooks pre_process;
        joints HeadYaw;
        params Period = "period" from 0.5 to 5.0 usually 2.0;
    }

    pub(super) struct Sway(SineBank<1>, f64);

    impl Motion for Sway {
        fn start() -> Sway {
            let mut bank = SineBank::new([&HeadYaw], now());
            bank.set_weight(0, 1.0);
            Sway(bank, 0.0)
        }
        fn pre_process(&mut self, now: Instant) {
            if self.1 != Period.get() {
                self.1 = Period.get();
                let params = SineParams {
                    amplitude: 0.1 * self.1,
                    offset: 0.05,
                    period: self.1.s(),
                };
                self.0.set_params(0, params, now);
            }
            self.0.update(now);
        }
    }
}

#[test]
fn new_numbers_go_on_from_where_the_body_is() {
    let mut random = Rng::with_seed(5);
    let mut stage = Rehearsal::of::<sways::Sway>(nao());
    stage.put(&HeadYaw, 0.15);
    let mut waved = (0.0f64, 0.0f64);
    for _ in 0..60 {
        let before = stage.sent(&HeadYaw);
        let period = 0.5 + 4.5 * random.f64();
        stage.set_param("period", period);
        stage.turn();
        let (low, high) = (0.05 - 0.1 * period, 0.05 + 0.1 * period);
        if (low..=high).contains(&before) {
            assert!((stage.sent(&HeadYaw) - before).abs() < 1e-6, "no jump");
        }
        let begun = stage.sent(&HeadYaw);
        stage.turn();
        assert!(
            stage.sent(&HeadYaw) > begun || begun > high - 1e-3,
            "it rises"
        );
        stage.run_for(random.u64(0..3000).ms());
        waved = (
            waved.0.min(stage.sent(&HeadYaw)),
            waved.1.max(stage.sent(&HeadYaw)),
        );
    }
    assert!(waved.0 < -0.1 && waved.1 > 0.2, "it does move: {waved:?}");
}

#[test]
fn a_wag_keeps_its_phase_when_its_period_changes() {
    let mut random = Rng::with_seed(6);
    let _stage = Rehearsal::alone(nao());
    let mut wag = Wag::new(&HeadYaw, &HeadPitch, at(0.0));
    assert_eq!(wag.wave().params().period, 500.ms());
    assert!((wag.pan(at(0.125)) - 22.0 * TAU / 360.0).abs() < 1e-9);
    // The phase as a sum of the shares that have passed.
    let (mut seconds, mut phase, mut period) = (0.0, 0.0, 0.5);
    for _ in 0..1000 {
        let wait = random.f64() * 30.0;
        (seconds, phase) = (seconds + wait, phase + wait / period);
        let (now, before) = (at(seconds), wag.pan(at(seconds)));
        let span = (0.1 + 3.0 * random.f64()).s();
        period = span.seconds();
        wag.set_period(span, now);
        assert!((wag.pan(now) - before).abs() < 1e-6, "no jump");
        let off = wag.phase(now) - phase;
        assert!((off - off.round()).abs() < 1e-5, "{off}");
        assert!((wag.pan(now) - 22f64.to_radians() * (TAU * phase).sin()).abs() < 1e-4);
    }
}

mod wags {
    use choreography::prelude::*;
    use choreography::sine::Wag;

    choreography! {
        /// Wags.
        motion Wagger as "wagger";
        hooks pre_process;
        joints HeadYaw, HeadPitch;
        params Period = "period" from 0.2 to 5.0 usually 0.8, Tilt = "tilt" from -1.0 to 1.0 usually 0.0;
        params Active = "active" from 0.0 to 1.0 usually 1.0;
        topics Reversed = "reversed";
    }

    pub(super) struct Wagger(Wag);

    impl Motion for Wagger {
        fn start() -> Wagger {
            let mut wag = Wag::new(&HeadYaw, &HeadPitch, now());
            wag.set_period(Period.get().s(), now());
            Wagger(wag)
        }
        fn pre_process(&mut self, now: Instant) {
            self.0.set_period(Period.get().s(), now);
            self.0.set_magnitude(10.deg());
            self.0
                .set_tilt(Some(Tilt.get()).filter(|value| *value != 0.0));
            self.0.set_active(Active.get() > 0.5, now);
            if self.0.update(now) {
                Reversed.post(f64::from(u8::from(self.0.is_active())));
            }
        }
    }
}

/// How often a course turns from up to down or back.
fn reversals(course: &[f64]) -> usize {
    let steps: Vec<_> = course
        .windows(2)
        .map(|value| value[1] - value[0])
        .filter(|value| *value != 0.0)
        .collect();
    steps
        .windows(2)
        .filter(|pair| (pair[0] > 0.0) != (pair[1] > 0.0))
        .count()
}

#[test]
fn a_wag_tells_of_each_reversal() {
    let mut random = Rng::with_seed(8);
    let mut stage = Rehearsal::of::<wags::Wagger>(nao());
    for _ in 0..40 {
        stage.set_param("period", 0.3 + 3.0 * random.f64());
        stage.run_for(random.u64(300..3000).ms());
    }
    let (told, seen) = (
        stage.posted("reversed").len(),
        reversals(&stage.course(&HeadYaw)),
    );
    // The last one is seen a turn after it is told, or before.
    assert!(
        told > 40 && told.abs_diff(seen) <= 1,
        "{told} told, {seen} seen"
    );
    assert!((stage.highest(&HeadYaw) - 10f64.to_radians()).abs() < 1e-3);
    assert!((stage.lowest(&HeadYaw) + 10f64.to_radians()).abs() < 1e-3);
    stage.assert_nothing_clipped();
}

#[test]
fn a_wag_that_was_not_active_goes_on_from_where_it_stopped() {
    let mut stage = Rehearsal::of::<wags::Wagger>(nao());
    stage.run_for(1.33.s());
    let (before, told) = (stage.sent(&HeadYaw), stage.posted("reversed").len());
    stage.set_param("active", 0.0);
    stage.run_for(2.2.s());
    assert_eq!(stage.sent(&HeadYaw), before);
    assert_eq!(stage.posted("reversed").len(), told);
    // Also what is changed meanwhile does not move it.
    stage.set_param("period", 1.1);
    stage.run_for(1.s());
    stage.set_param("active", 1.0);
    stage.turn();
    let speed = TAU / 0.8 * 10f64.to_radians();
    assert!((stage.sent(&HeadYaw) - before).abs() < 0.011 * speed);
    stage.run_for(1.1.s());
    assert_eq!(stage.posted("reversed").len(), told + 2);
    assert!(stage.fastest(&HeadYaw) < 1.01 * speed);
}

#[test]
fn a_wag_tilts_only_if_that_is_set() {
    let mut stage = Rehearsal::of::<wags::Wagger>(nao());
    HeadPitch.to(0.1).now();
    stage.run_for(200.ms());
    assert_eq!(stage.sent(&HeadPitch), 0.1);
    stage.set_param("tilt", -0.3);
    stage.run_for(200.ms());
    assert_eq!(stage.sent(&HeadPitch), -0.3);
    stage.set_param("tilt", 0.0);
    stage.run_for(200.ms());
    assert_eq!(stage.sent(&HeadPitch), 0.1);
}
