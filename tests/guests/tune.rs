//! Several parameters and settings of a guest, changed at once: all of them, or none.

use std::collections::BTreeMap;

use guests::{GuestError, GuestId};
use tests::rig::Rig;

use crate::both;
use crate::text::module;

/// Shows its two parameters at J0 and J1.
fn tunable(rig: &mut Rig<'_, '_>) -> GuestId {
    let id = rig.guest(&module(
        r#"(memory (export "memory") 1) (data (i32.const 0) "highwide")
        (func (export "start")
          (drop (call $params.declare (i32.const 0) (i32.const 4) (f64.const 0) (f64.const 1) (f64.const 9)))
          (drop (call $params.declare (i32.const 4) (i32.const 4) (f64.const 0) (f64.const 2) (f64.const 9))))
        (func (export "pre-process")
          (drop (call $commands.set (i32.const 0) (call $params.get (i32.const 0)) (call $clock.now)))
          (drop (call $commands.set (i32.const 1) (call $params.get (i32.const 1)) (call $clock.now))))"#,
    ));
    rig.turns(2);
    assert_eq!(rig.sent[..2], [1.0, 2.0]);
    id
}

fn figures(of: &[(&str, f64)]) -> BTreeMap<String, f64> {
    of.iter().map(|pair| (pair.0.to_owned(), pair.1)).collect()
}

/// Nothing has changed, neither now nor in later turns.
fn is_as_before(rig: &mut Rig<'_, '_>, id: GuestId) {
    for _ in 0..2 {
        let status = rig.status(id);
        let params: Vec<_> = status.params.iter().map(|parameter| parameter.1).collect();
        assert_eq!(params, [1.0, 2.0]);
        assert_eq!(status.figures.priority, 10.0);
        rig.turns(12);
        assert_eq!(rig.sent[..2], [1.0, 2.0]);
    }
}

#[test]
fn one_figure_that_cannot_be_changes_none() {
    both(|rig| {
        let id = tunable(rig);
        let (good, nan) = (figures(&[("high", 5.0)]), f64::NAN);
        let refused = [
            (
                figures(&[("high", 5.0), ("wild", 1.0)]),
                Some(20.0),
                Some(0.5),
            ),
            (
                figures(&[("high", 5.0), ("wide", nan)]),
                Some(20.0),
                Some(0.5),
            ),
            (good.clone(), Some(101.0), Some(0.5)),
            (good.clone(), Some(nan), None),
            (good.clone(), Some(20.0), Some(-1.5)),
            (good, None, Some(nan)),
        ];
        for (params, priority, weight) in refused {
            let error = rig.manager.tune(id, &params, priority, weight);
            assert!(error.is_err(), "{params:?} {priority:?} {weight:?}");
        }
        is_as_before(rig, id);
    });
}

#[test]
fn when_there_is_no_room_for_all_of_them_none_goes() {
    both(|rig| {
        let id = tunable(rig);
        let wanted = figures(&[("high", 5.0), ("wide", 6.0)]);
        let tune = |rig: &Rig<'_, '_>| rig.manager.tune(id, &wanted, Some(20.0), Some(0.5));
        // Other requests leave room for all but one.
        let mut asked = 0;
        while rig.manager.set_weight(id, 1.0).is_ok() {
            asked += 1;
        }
        assert!(asked >= 64, "{asked}");
        assert!(matches!(tune(rig), Err(GuestError::Busy)));
        is_as_before(rig, id);
        for missing in 1..4 {
            for _ in 0..asked - 4 + missing {
                rig.manager.set_weight(id, 1.0).expect("there is room");
            }
            assert!(matches!(tune(rig), Err(GuestError::Busy)), "{missing}");
            is_as_before(rig, id);
        }
        for _ in 0..asked - 4 {
            rig.manager.set_weight(id, 1.0).expect("there is room");
        }
        assert_eq!(tune(rig).expect("there is room"), wanted);
        rig.turns(12);
        assert_eq!(rig.sent[..2], [5.0, 6.0]);
        assert_eq!(rig.status(id).figures.priority, 20.0);
    });
}

/// However many they are: the guest sees all of them in one turn, or none.
#[test]
fn a_guest_never_sees_a_part_of_what_was_changed_at_once() {
    both(|rig| {
        let names: Vec<String> = (10..50).map(|i| i.to_string()).collect();
        let declared: String = (0..40)
            .map(|i| {
                let at = 2 * i;
                format!(
                    "(drop (call $params.declare (i32.const {at}) (i32.const 2)
                      (f64.const 0) (f64.const 0) (f64.const 1)))"
                )
            })
            .collect();
        let sum: String = (0..40)
            .map(|i| {
                format!(
                    "(local.set $sum (f64.add (local.get $sum) (call $params.get (i32.const {i}))))"
                )
            })
            .collect();
        let id = rig.guest(&module(&format!(
            r#"(memory (export "memory") 1) (data (i32.const 0) "{}")
            (func (export "start") {declared})
            (func (export "pre-process") (local $sum f64) {sum}
              (drop (call $commands.set (i32.const 0) (local.get $sum) (call $clock.now))))"#,
            names.concat()
        )));
        rig.turns(2);
        for round in 1..50 {
            let value = f64::from(round % 2);
            let wanted = names.iter().map(|name| (name.clone(), value)).collect();
            rig.manager
                .tune(id, &wanted, None, None)
                .expect("there is room");
            rig.turn();
            assert_eq!(rig.sent[0], 40.0 * value, "round {round}");
        }
    });
}
