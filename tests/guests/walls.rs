//! What a guest can reach: the contract, its grant of the body, and nothing else. Files that try to reach the
//! intrinsics are in `vices`.

use guests::{CodeForm, ContractError, Grant, INTERFACES, LoadOptions, WasiGrant, check};
use tests::rig::{FORMS, Plan, everything, with_rig};

use crate::text::{guest, import, whole};

/// Which rule a file breaks, if any.
fn contract_error(bytes: &[u8]) -> Option<ContractError> {
    check(bytes, WasiGrant::default()).err()
}

#[test]
fn every_name_of_the_contract_passes_and_no_other() {
    let mut passed = 0;
    let mut random = fastrand::Rng::with_seed(7);
    for (interface, functions) in INTERFACES {
        for function in *functions {
            assert_eq!(
                contract_error(&import(interface, function)),
                None,
                "{interface}: {function}"
            );
            passed += 1;
            // The same with one letter changed, in one name or the other.
            for _ in 0..20 {
                let other = slip(&mut random, function);
                let known = functions.contains(&other.as_str());
                assert!(
                    known || contract_error(&import(interface, &other)).is_some(),
                    "{interface}: {other}"
                );
                let other = slip(&mut random, interface);
                let known = INTERFACES.iter().any(|interface| interface.0 == other)
                    || other.ends_with("@0.1.0");
                let is_theirs = other.starts_with("dcm:choreography/") && known;
                let passes = contract_error(&import(&other, function)).is_none();
                assert!(
                    !passes || is_theirs || other.contains("@0.1."),
                    "{other}: {function}"
                );
            }
        }
    }
    assert!(passed > 35);
}

/// The name with one letter changed.
fn slip(random: &mut fastrand::Rng, name: &str) -> String {
    let mut letters: Vec<_> = name.chars().collect();
    let letter = (0..100).find_map(|_| {
        let at = random.usize(0..letters.len());
        letters[at].is_ascii_lowercase().then_some(at)
    });
    let at = letter.expect("a name has letters");
    letters[at] = if letters[at] == 'x' { 'y' } else { 'x' };
    letters.into_iter().collect()
}

#[test]
fn the_intrinsics_are_refused_by_their_names_before_anything_is_compiled() {
    // Every interface and function that the compiler could offer, and where it would be looked up.
    let functions = [
        "store-data-address",
        "u8-native-load",
        "u8-native-store",
        "u64-native-load",
        "u64-native-store",
        "u64-checked-native-load",
    ];
    let names = [
        "unsafe-intrinsics",
        "UNSAFE-INTRINSICS",
        "wasmtime:unsafe/intrinsics",
        "wasmtime:unsafe-intrinsics/unsafe-intrinsics@0.1.0",
        "dcm:inplace/inplace",
        "dcm:choreography/inplace@0.1.0",
        "dcm:choreography/unsafe-intrinsics@0.1.0",
        "u0000000000000000",
    ];
    for name in names {
        for function in functions {
            let found = contract_error(&import(name, function));
            assert!(
                matches!(found, Some(ContractError::Unknown { .. })),
                "{name}: {found:?}"
            );
        }
    }
    for (interface, _) in INTERFACES {
        for function in functions {
            let found = contract_error(&import(interface, function));
            assert!(
                matches!(found, Some(ContractError::Unknown { .. })),
                "{interface}: {found:?}"
            );
            let newer = interface.replace("@0.1.0", "@0.1.3");
            let found = contract_error(&import(&newer, function));
            assert!(
                matches!(found, Some(ContractError::Version { .. })),
                "{newer}: {found:?}"
            );
        }
    }
}

#[test]
fn a_guest_beside_the_compiled_in_interfaces_sees_only_its_own_memory() {
    // All that it can address lies in its memory: what it reads there is what it wrote, although the memory shared with
    // the host changes in every turn.
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            let id = rig.load(
                &guest(
                    r#"(memory 1)
                    (func (export "start") (memory.fill (i32.const 0) (i32.const 0x5a) (i32.const 65536)))
                    (func (export "pre-process") (local $at i32)
                      (drop (call $commands.set (i32.const 0) (call $sensors.read (i32.const 0)) (call $clock.now)))
                      (loop $on
                        (if (i64.ne (i64.load (local.get $at)) (i64.const 0x5a5a5a5a5a5a5a5a))
                          (then (unreachable)))
                        (local.set $at (i32.add (local.get $at) (i32.const 8)))
                        (br_if $on (i32.lt_u (local.get $at) (i32.const 65536)))))"#,
                ),
                &Grant {
                    fuel: 1_000_000,
                    ..everything()
                },
                &LoadOptions::default(),
            );
            let id = id.expect("a guest");
            for turn in 0..50 {
                rig.sensed[0] = f64::from(turn);
                rig.turn();
            }
            assert_eq!(rig.fate(id).1, guests::End::None);
        });
    }
}

#[test]
fn nobody_finds_what_another_guest_left_in_its_place() {
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            let writer = guest(
                r#"(memory 4) (table 100 funcref) (global $g (mut i64) (i64.const 0)) (func $f)
                (elem declare func $f)
                (func (export "start")
                  (memory.fill (i32.const 0) (i32.const 0x77) (i32.const 262144))
                  (table.fill (i32.const 0) (ref.func $f) (i32.const 100))
                  (global.set $g (i64.const 7)))
                (func (export "pre-process") (drop (call $lane.finish)))"#,
            );
            let reader = guest(
                r#"(memory 4) (table 100 funcref) (global $g (mut i64) (i64.const 0))
                (func (export "start") (local $at i32)
                  (if (i64.ne (global.get $g) (i64.const 0)) (then (unreachable)))
                  (loop $on
                    (if (i64.ne (i64.load (local.get $at)) (i64.const 0)) (then (unreachable)))
                    (local.set $at (i32.add (local.get $at) (i32.const 8)))
                    (br_if $on (i32.lt_u (local.get $at) (i32.const 262144))))
                  (local.set $at (i32.const 0))
                  (loop $on
                    (if (i32.eqz (ref.is_null (table.get (local.get $at)))) (then (unreachable)))
                    (local.set $at (i32.add (local.get $at) (i32.const 1)))
                    (br_if $on (i32.lt_u (local.get $at) (i32.const 100)))))
                (func (export "pre-process") (drop (call $lane.finish)))"#,
            );
            let [writer, reader] =
                [writer, reader].map(|value| rig.prepare(&value, &everything()).expect("a guest"));
            for _ in 0..100 {
                for one in [&writer, &reader] {
                    let loaded = rig
                        .manager
                        .load(one, &everything(), &LoadOptions::default());
                    loaded.expect("its place is clean");
                    rig.turns(3);
                }
            }
        });
    }
}

#[test]
fn a_joint_that_was_not_granted_cannot_be_moved_in_any_way() {
    let only_first = Grant {
        actuators: Some(vec![0, 1]),
        ..everything()
    };
    let options = LoadOptions {
        mask: Some(vec![1, 2]),
        priority: Some(100.0),
        ..LoadOptions::default()
    };
    // Its grant and its options have only J1 in common.
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            let tries = guest(
                r#"(memory (export "memory") 1) (global $joint (mut i32) (i32.const 0))
                (func $refused (param $answer i32)
                  (if (i32.ne (local.get $answer) (i32.const 2)) (then (unreachable))))
                (func $try
                  (call $refused (call $commands.set (global.get $joint) (f64.const 9) (call $clock.now)))
                  (call $refused (call $commands.put (global.get $joint) (f64.const 9) (call $clock.now)
                    (i32.const 1)))
                  (call $refused (call $commands.clear (global.get $joint)))
                  (call $refused (call $lane.drive (global.get $joint) (f64.const 9) (f64.const 1)))
                  (call $refused (call $lane.set-weight-on (global.get $joint) (f64.const 1)))
                  (call $refused (call $lane.set-gains (global.get $joint)
                    (f64.const 1) (f64.const 1) (f64.const 1) (f64.const 1)))
                  (i64.store (i32.const 0) (i64.extend_i32_u (global.get $joint)))
                  (f64.store (i32.const 8) (f64.const 9))
                  (i64.store (i32.const 16) (call $clock.now))
                  (call $refused (call $bulk.set-all (i32.const 0) (i32.const 3))))
                (func $all
                  (global.set $joint (i32.const 0)) (call $try)
                  (global.set $joint (i32.const 2)) (call $try)
                  (global.set $joint (i32.const 4)) (call $try)
                  (drop (call $commands.set (i32.const 1) (f64.const 9) (call $clock.now))))
                (func (export "pre-process") (call $all))
                (func (export "post-process") (call $all))"#,
            );
            let id = rig.load(&tries, &only_first, &options).expect("a guest");
            rig.turns(10);
            assert_eq!(
                rig.fate(id).1,
                guests::End::None,
                "{}",
                rig.status(id).figures.details
            );
            assert_eq!(rig.sent, [0.0, 9.0, 0.0, 0.0, 0.0]);
        });
    }
}

#[test]
fn what_is_nested_is_the_guests_own_affair_and_what_it_asks_for_outside_is_not() {
    // An inner component may name its own import as it likes, if the guest itself provides it.
    let own = whole(
        r#"(component
        (component $a (core module $m (func (export "h"))) (core instance $i (instantiate $m))
          (func (export "go") (canon lift (core func $i "h"))))
        (instance $a (instantiate $a))
        (component $b (import "wasi:sockets/tcp@0.2.0" (instance $n (export "go" (func))))
          (alias export $n "go" (func $go)) (export "pre-process" (func $go)))
        (instance $b (instantiate $b (with "wasi:sockets/tcp@0.2.0" (instance $a))))
        (alias export $b "pre-process" (func $h))
        (export "pre-process" (func $h)))"#,
    );
    assert_eq!(contract_error(&own), None);
    let outside = whole(
        r#"(component
        (import "wasi:sockets/tcp@0.2.0" (instance $a (export "go" (func))))
        (component $b (import "n" (instance $n (export "go" (func))))
          (alias export $n "go" (func $go)) (export "pre-process" (func $go)))
        (instance $b (instantiate $b (with "n" (instance $a))))
        (alias export $b "pre-process" (func $h))
        (export "pre-process" (func $h)))"#,
    );
    assert!(matches!(
        contract_error(&outside),
        Some(ContractError::Wasi { .. })
    ));
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        rig.load(&own, &everything(), &LoadOptions::default())
            .expect("it is harmless");
        rig.turns(3);
    });
}
