//! The stage answers as the contract promises.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::prelude::*;
use choreography::rehearsal::Body;

static HeadYaw: Actuator = Actuator::named("HeadYaw");
static Nothing: Actuator = Actuator::named("Nothing");

fn alone() -> Rehearsal {
    Rehearsal::alone(nao())
}

#[test]
fn a_command_moves_evenly_and_the_next_goes_on_from_there() {
    let mut stage = alone();
    HeadYaw.to(1.0).over(1.s());
    stage.run_for(500.ms());
    assert!((stage.sent(&HeadYaw) - 0.5).abs() < 1e-9);
    HeadYaw.to(0.0).replacing().over(500.ms());
    stage.run_for(250.ms());
    assert!((stage.sent(&HeadYaw) - 0.25).abs() < 1e-9);
    assert!((stage.fastest(&HeadYaw) - 1.0).abs() < 1e-6);
    HeadYaw.clear();
    stage.run_for(1.s());
    assert!((stage.sent(&HeadYaw) - 0.25).abs() < 1e-9);
}

#[test]
fn commands_merge_as_the_contract_says() {
    for (merge, left) in [
        (Merge::Merge, 4),
        (Merge::ClearAll, 1),
        (Merge::ClearAfter, 2),
        (Merge::ClearBefore, 2),
    ] {
        let stage = alone();
        for second in [1, 3, 5] {
            HeadYaw.to(0.1).over(second.s());
        }
        let at = if merge == Merge::ClearBefore {
            4.s()
        } else {
            2.s()
        };
        HeadYaw.to(0.2).merging(merge).over(at);
        assert_eq!(stage.waiting(&HeadYaw), left, "{merge:?}");
    }
}

#[test]
fn refusals_have_names_and_change_nothing() {
    let stage = alone();
    assert_eq!(Nothing.to(0.0).now(), Answer::Unknown);
    assert_eq!(
        Nothing.to(0.5).eased(Ease::Sine).over(1.s()),
        Answer::Unknown
    );
    assert_eq!(HeadYaw.to(f64::INFINITY).now(), Answer::NotFinite);
    assert_eq!(HeadYaw.to(f64::NAN).now(), Answer::Done);
    assert_eq!(
        HeadYaw.to(0.1).over((25 * 24 * 3600).s()),
        Answer::OutOfReach
    );
    assert_eq!(set_weight(-1.0), Answer::NotFinite);
    let mut bulk = Bulk::<2>::new();
    bulk.add(HeadYaw.to(0.1), now() + 1.s());
    bulk.add(Nothing.to(0.1), now() + 1.s());
    assert_eq!(bulk.add(HeadYaw.to(0.1), now() + 2.s()), Answer::Full);
    assert_eq!(bulk.send(), Answer::Unknown);
    assert_eq!((bulk.len(), stage.waiting(&HeadYaw)), (2, 0));
    for _ in 0..4096 {
        assert!(HeadYaw.to(0.1).over(1.s()).is_done());
    }
    assert_eq!(HeadYaw.to(0.1).over(1.s()), Answer::Full);
}

#[test]
fn what_the_body_cannot_do_is_told() {
    let mut stage = Rehearsal::alone(Body::new(10.ms()).joint("HeadYaw", -1.0..=1.0, 2.0, 0.0));
    HeadYaw.to(3.0).over(100.ms());
    stage.run_for(1.s());
    assert_eq!(stage.sent(&HeadYaw), 1.0);
    assert!((stage.fastest(&HeadYaw) - 2.0).abs() < 1e-9);
    let clips = stage.clips();
    assert_eq!(
        (clips[0].asked, clips[0].given, clips[0].why),
        (3.0, 1.0, "range")
    );
    assert!(clips.iter().any(|clip| clip.why == "velocity"));
}

choreography! {
    /// Asks too much.
    motion Greedy as "greedy";
    hooks pre_process;
    joints Yaw = "HeadYaw";
    topics Shout = "shout";
}

struct Greedy;

impl Motion for Greedy {
    fn start() -> Greedy {
        Greedy
    }
    fn pre_process(&mut self, now: Instant) {
        Yaw.clear();
        let commands = (0..4097)
            .filter(|_| Yaw.to(0.1).at(now + 1.s()).is_done())
            .count();
        let events = (0..65).filter(|_| Shout.post(1.0).is_done()).count();
        let lines = (0..5).filter(|_| say!("more").is_done()).count();
        assert_eq!((commands, events, lines), (4096, 64, 4));
        finish();
        assert_eq!(Yaw.to(0.0).now(), Answer::Ending);
    }
}

#[test]
fn one_call_of_a_hook_may_ask_so_much_and_no_more() {
    let mut stage = Rehearsal::of::<Greedy>(nao());
    stage.turn();
    assert!(stage.is_over());
    assert_eq!(stage.posted("shout").len(), 64);
}

#[test]
fn the_manifest_says_what_the_cast_says() {
    let manifest: toml::Table = Greedy::MANIFEST.parse().expect("TOML");
    assert_eq!(manifest["about"].as_str(), Some("Asks too much."));
    assert_eq!(Greedy::NAME, "greedy");
}

choreography! {
    /// Has a hook that nobody would call.
    motion Deaf as "deaf";
    hooks pre_process;
}

struct Deaf;

impl Motion for Deaf {
    fn start() -> Deaf {
        Deaf
    }
    fn pre_process(&mut self, _: Instant) {}
    fn is_alive(&self) -> bool {
        false
    }
}

#[test]
#[should_panic(expected = "`is_alive` is written, but `hooks` in the cast does not name it")]
fn a_hook_that_is_written_and_not_named_is_found() {
    Rehearsal::of::<Deaf>(nao());
}

#[test]
#[should_panic(expected = "no parameter `sped`")]
fn a_parameter_that_is_not_there_is_found() {
    let mut stage = Rehearsal::of::<Greedy>(nao());
    stage.set_param("sped", 1.0);
    stage.turn();
}

#[test]
#[should_panic(expected = "there is no stage on this thread")]
fn without_a_stage_nothing_can_be_asked() {
    HeadYaw.sent();
}

choreography! {
    /// Fails on its own thread.
    score Broken as "broken";
}

struct Broken;

impl Score for Broken {
    fn run() {
        sleep(100.ms());
        assert!(now() < Instant::ZERO, "it fell over");
    }
}

#[test]
#[should_panic(expected = "it fell over")]
fn a_score_that_panics_fails_its_test() {
    Rehearsal::of::<Broken>(nao()).run_for(1.s());
}

#[test]
fn a_score_that_sleeps_is_not_waited_for() {
    Rehearsal::of::<Broken>(nao()).run_for(50.ms());
    drop(Rehearsal::of::<Broken>(nao()));
}

#[test]
fn lines_are_cut_where_a_letter_ends() {
    let stage = alone();
    let long = "ä".repeat(200);
    say!("x", long.as_str());
    assert_eq!(stage.log()[0], format!("x{}", "ä".repeat(127)));
    say!(
        0.0625,
        " ",
        -12,
        " ",
        7u64,
        " ",
        f64::NAN,
        " ",
        true,
        " ",
        1e300,
        " ",
        2.0 / 3.0
    );
    assert_eq!(stage.log()[1], "0.063 -12 7 no number yes much 0.667");
}

/// While a joint has no force it is where a hand has it, and what follows begins there.
#[test]
fn a_limp_joint_is_where_its_sensor_is() {
    let (yaw, felt) = (Actuator::named("HeadYaw"), Sensor::named("HeadYaw"));
    let stiffness = Actuator::named("HeadYawStiffness");
    for by_gains in [true, false] {
        let mut stage = alone();
        for turn in 0..50 {
            if by_gains {
                yaw.gains(0.0, 0.0, 0.0, 1.0);
            } else {
                stiffness.drive(0.0);
            }
            stage.sensor(&felt, 0.01 * f64::from(turn));
            stage.turn();
        }
        let asked = by_gains.then_some([0.0, 0.0, 0.0, 1.0]);
        assert_eq!(stage.gains(&yaw), asked);
        stiffness.drive(1.0);
        stage.turn();
        assert_eq!((stage.sent(&yaw), stage.gains(&yaw)), (0.49, None));
        yaw.drive_by(0.5, 0.25);
        stage.turn();
        let expected = Output {
            value: 0.5,
            weight: 0.25,
        };
        assert_eq!(stage.driven(&yaw), Some(expected));
        stage.turn();
        assert_eq!((stage.driven(&yaw), felt.read()), (None, 0.5));
    }
}
