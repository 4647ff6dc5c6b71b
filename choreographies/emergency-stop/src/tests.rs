//! What it does to a NAO: taps, a hand that moulds it, and its lights.

use super::*;

/// Taps the chest button twice.
fn tap_twice(stage: &mut Rehearsal) {
    for reads in [1.0, 0.0, 1.0, 0.0] {
        stage.sensor(&Button, reads);
        stage.run_for(100.ms());
    }
}

#[test]
fn the_time_for_a_double_tap_is_set_while_it_plays() {
    let mut stage = Rehearsal::of::<Halt>(nao());
    stage.run_for(1.s());
    stage.set_param("window", 0.2);
    tap_twice(&mut stage);
    assert!(stage.posted(&Activate).is_empty(), "too slow now");
    stage.run_for(2.s());
    stage.set_param("window", 0.6);
    tap_twice(&mut stage);
    assert_eq!(stage.posted(&Activate), [0.0]);
}

#[test]
fn a_double_tap_freezes_the_body_and_another_gives_it_back() {
    let mut stage = Rehearsal::of::<Halt>(nao());
    stage.put("LShoulderPitch", 0.3);
    stage.run_for(1.s());
    assert_eq!(stage.driven(&LShoulderPitch), None);
    tap_twice(&mut stage);
    assert_eq!(stage.driven(&LShoulderPitch), Some(Output::of(0.3)));
    assert_eq!(stage.posted(&Activate), [0.0]);
    stage.run_for(1.s());
    tap_twice(&mut stage);
    let told = stage.posted(&Deactivate);
    assert!(told.len() == 1 && (told[0] - 1.4).abs() < 0.011);
    let weight = stage
        .driven(&LShoulderPitch)
        .map_or(0.0, |driven| driven.weight);
    assert!((0.7..1.0).contains(&weight), "it fades: {weight}");
    stage.run_for(1.s());
    assert_eq!(stage.driven(&LShoulderPitch), None);
    stage.assert_nothing_clipped();
}

#[test]
fn a_person_moulds_the_stopped_body() {
    let mut stage = Rehearsal::of::<Halt>(nao());
    stage.post("estop/stop", 1.0);
    stage.run_for(500.ms());
    // A hand holds the head at 0.5 rad, then leaves it.
    for _ in 0..100 {
        stage.sensor(&HeadYawAngle, 0.5);
        stage.turn();
    }
    stage.run_for(1.s());
    assert_eq!(stage.sent(&HeadYaw), 0.5);
    // A motor that works hard gives way, in the direction of the push.
    let before = stage.sent(&LElbowYaw);
    for _ in 0..100 {
        stage.sensor(&LElbowYawAngle, stage.sent(&LElbowYaw) + 0.05);
        stage.sensor(&LElbowYawCurrent, 1.2);
        stage.turn();
    }
    assert!(stage.sent(&LElbowYaw) > before + 0.1);
    stage.assert_nothing_clipped();
}

#[test]
fn its_lights_show_that_it_is_stopped_and_are_dark_afterwards() {
    let mut stage = Rehearsal::of::<Halt>(nao());
    stage.run_for(1.s());
    assert_eq!(stage.driven(&Red), None); // they are left to others
    stage.post("estop/stop", 1.0);
    stage.run_for(4.s());
    assert!(stage.highest(&Red) > 0.99 && stage.highest(&Blue) > 0.99);
    // Red and blue alternate; the eye's light runs over all its lights.
    let both = stage
        .course(&Red)
        .into_iter()
        .zip(stage.course(&Blue))
        .skip(150);
    assert!(
        both.into_iter()
            .all(|(red, blue)| (red + blue - 1.0).abs() < 1e-6)
    );
    for light in [&Eye0, &Eye4] {
        assert!(stage.highest(light) > 0.9 && stage.driven(light).is_some());
    }
    assert_eq!(stage.driven(&Red).map(|driven| driven.weight), Some(SHARE));
    stage.post("estop/refresh", 0.0);
    stage.run_for(20.ms());
    stage.post("estop/start", 1.0);
    stage.post("estop/refresh", 0.0);
    stage.run_for(1.s());
    assert_eq!(stage.posted(&Status), [1.0, 0.0]);
    assert_eq!((stage.sent(&Red), stage.sent(&Eye4)), (0.0, 0.0));
    assert_eq!(stage.driven(&Red), None);
}

#[test]
fn one_tap_and_two_slow_ones_do_nothing() {
    let mut stage = Rehearsal::of::<Halt>(nao());
    for _ in 0..3 {
        stage.sensor(&Button, 1.0);
        stage.run_for(100.ms());
        stage.sensor(&Button, 0.0);
        stage.run_for(700.ms());
    }
    assert!(stage.posted(&Activate).is_empty());
}

#[test]
fn another_version_goes_on_stopped() {
    let mut stage = Rehearsal::of::<Halt>(nao());
    STOPPED.keep(1.0);
    stage.put("HeadYaw", 0.4);
    stage.run_for(1.s());
    assert_eq!(stage.posted(&Activate), [0.0]);
    assert_eq!(stage.driven(&HeadYaw), Some(Output::of(0.4)));
    tap_twice(&mut stage);
    assert_eq!(
        (stage.posted(&Deactivate).len(), STOPPED.kept()),
        (1, Some(0.0))
    );
}
