//! The order of calls: the highest priority first; of equal priorities, the older guest first.

use guests::{GuestId, LoadOptions};
use tests::rig::Rig;

use crate::both;
use crate::text::{guest, hears, module};

/// Posts its digit in this hook.
fn speaker(hook: &str, digit: u32) -> String {
    module(&format!(
        r#"(func (export "{hook}")
          (drop (call $events.post (i32.const 0) (f64.const {digit}))))"#
    ))
}

/// Sets J0 to the digits that it receives in a turn, as one number.
fn listener() -> Vec<u8> {
    guest(
        &(hears(1)
            + r#"(func (export "pre-process") (local $heard f64)
          (loop $all (if (call $events.next) (then
            (local.set $heard (f64.add (f64.mul (local.get $heard) (f64.const 10))
              (call $events.current-value)))
            (br $all))))
          (drop (call $commands.set (i32.const 0) (local.get $heard) (call $clock.now))))"#),
    )
}

/// Loads the listener, and guests with these priorities, which post 1, 2, 3.
fn speakers(rig: &mut Rig<'_, '_>, hook: &str, priorities: [f64; 3]) -> [GuestId; 3] {
    let everything = tests::rig::everything();
    let loaded = rig.load(&listener(), &everything, &LoadOptions::default());
    loaded.expect("a listener");
    let mut digit = 0;
    priorities.map(|priority| {
        digit += 1;
        let options = LoadOptions {
            priority: Some(priority),
            ..LoadOptions::default()
        };
        rig.guest_with(&speaker(hook, digit), &options)
    })
}

#[test]
fn the_highest_priority_is_called_first_and_the_older_among_equals() {
    both(|rig| {
        speakers(rig, "pre-process", [10.0, 50.0, 10.0]);
        rig.turns(3);
        assert_eq!(rig.sent[0], 213.0);
        rig.turn();
        assert_eq!(rig.sent[0], 213.0);
    });
}

#[test]
fn post_process_goes_by_the_same_order() {
    both(|rig| {
        speakers(rig, "post-process", [0.0, 7.0, 100.0]);
        rig.turns(3);
        assert_eq!(rig.sent[0], 321.0);
    });
}

#[test]
fn a_priority_given_from_outside_counts_from_the_next_turn_on() {
    both(|rig| {
        let [first, _, third] = speakers(rig, "pre-process", [10.0, 10.0, 10.0]);
        rig.turns(3);
        assert_eq!(rig.sent[0], 123.0);
        rig.manager.set_priority(third, 20.0).expect("it is there");
        rig.manager.set_priority(first, 0.0).expect("it is there");
        // They post in the new order now, which is received in the next turn.
        rig.turn();
        assert_eq!(rig.sent[0], 123.0);
        rig.turn();
        assert_eq!(rig.sent[0], 321.0);
    });
}

#[test]
fn a_priority_that_a_guest_gives_itself_counts_from_the_next_turn_on() {
    both(|rig| {
        let [_, _, third] = speakers(rig, "pre-process", [10.0, 10.0, 10.0]);
        rig.manager.end(third).expect("it is there");
        rig.guest(&module(
            r#"(func (export "pre-process")
              (drop (call $lane.set-priority (f64.const 90)))
              (drop (call $events.post (i32.const 0) (f64.const 4))))"#,
        ));
        // It was called as the youngest once, which is received in the turn after.
        rig.turns(2);
        assert_eq!(rig.sent[0], 124.0);
        rig.turn();
        assert_eq!(rig.sent[0], 412.0);
    });
}

#[test]
fn a_guest_that_ends_leaves_the_others_in_their_order() {
    both(|rig| {
        let [_, second, _] = speakers(rig, "pre-process", [10.0, 10.0, 10.0]);
        rig.turns(3);
        rig.manager.end(second).expect("it is there");
        rig.turns(2);
        assert_eq!(rig.sent[0], 13.0);
    });
}
