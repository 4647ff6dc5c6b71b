//! The share of a turn that all hooks have together: who comes last is not called when it is used up, and is told.

use guests::{CodeForm, LoadOptions, TurnInput};
use tests::rig::{Plan, Rig, component, everything, with_rig};

use crate::text::{module, said};

/// With both kinds of code, and hooks that the clock may end.
fn in_real_time(f: impl Fn(&mut Rig<'_, '_>)) {
    for form in [CodeForm::InPlace, CodeForm::Calls] {
        let plan = Plan {
            lockstep: None,
            ..Plan::of(form)
        };
        with_rig(&plan, &f);
    }
}

/// Sets a joint to the number of its calls.
fn counts(joint: u32) -> Vec<u8> {
    component(&module(&format!(
        r#"(global $calls (mut f64) (f64.const 0))
        (func (export "pre-process")
          (global.set $calls (f64.add (global.get $calls) (f64.const 1)))
          (drop (call $commands.set (i32.const {joint}) (global.get $calls) (call $clock.now))))
        (func (export "is-alive") (result i32) (i32.const 1))"#
    )))
}

fn load(rig: &mut Rig<'_, '_>, joint: u32, priority: f64) -> guests::GuestId {
    let options = LoadOptions {
        priority: Some(priority),
        ..LoadOptions::default()
    };
    let loaded = rig.load(&counts(joint), &everything(), &options);
    loaded.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn who_is_called_last_is_passed_over_when_the_share_is_used_up_and_a_replay_does_the_same() {
    in_real_time(|rig| {
        rig.scheduler.log_inputs();
        let (first, second) = (load(rig, 0, 20.0), load(rig, 1, 10.0));
        let mut run: Vec<(Vec<TurnInput>, Vec<f64>)> = Vec::new();
        let mut turns = |rig: &mut Rig<'_, '_>, count: usize| {
            for _ in 0..count {
                rig.turn();
                let inputs = rig.scheduler.inputs().0.to_vec();
                run.push((inputs, rig.sent.clone()));
            }
        };
        turns(rig, 5);
        assert_eq!((rig.sent[0], rig.sent[1]), (5.0, 5.0));
        // A share that the first hook uses up.
        rig.scheduler.settle(true, 1e-5);
        turns(rig, 12);
        assert_eq!((rig.sent[0], rig.sent[1]), (17.0, 5.0));
        let lines = said(rig);
        let told: Vec<_> = lines
            .iter()
            .filter(|line| line.contains("not called"))
            .collect();
        assert!(
            told[0].contains("(times until now: ") && told[0].contains("loop.hook-share"),
            "{lines:?}"
        );
        // Not in every turn.
        assert!(told.len() <= 4, "{lines:?}");
        rig.manager.set_priority(second, 30.0).expect("it is there");
        turns(rig, 5);
        assert_eq!((rig.sent[0], rig.sent[1]), (17.0, 10.0));
        rig.scheduler.settle(true, 1e3);
        turns(rig, 5);
        assert_eq!((rig.sent[0], rig.sent[1]), (22.0, 15.0));
        // One that comes in while nothing is left for it.
        rig.scheduler.settle(true, 1e-5);
        let third = load(rig, 2, 5.0);
        turns(rig, 4);
        assert_eq!(rig.sent[2], 0.0, "where the joint is at rest");
        rig.scheduler.settle(true, 1e3);
        turns(rig, 3);
        assert_eq!(rig.sent[2], 3.0);
        assert!(first != second && second != third);
        replays(&run);
    });
}

/// Sends the inputs of a run to another loop, whose hooks have all the time they want.
fn replays(run: &[(Vec<TurnInput>, Vec<f64>)]) {
    in_real_time(|rig| {
        load(rig, 0, 20.0);
        load(rig, 1, 10.0);
        let mut here = 2;
        for (turn, (inputs, sent)) in run.iter().enumerate() {
            for input in inputs {
                if matches!(input, TurnInput::Enter(id) if turn > 0 && here < 3 && id.0 > 1) {
                    load(rig, 2, 5.0);
                    here += 1;
                }
                rig.manager.repeat(input).expect("the same guests");
            }
            rig.turn();
            assert_eq!(&rig.sent, sent, "turn {turn}");
        }
    });
}
