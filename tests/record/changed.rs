//! Recordings that were changed and have correct checksums: the first turn and value that differ are named.

use recording::{Recording, ReplayVerdict, Turn, replay};

use super::film::{copy, sealed, small};
use tests::rig::replay_options;

/// Changes one turn of the small recording, and replays it.
fn changed(number: u64, mut change: impl FnMut(&mut Turn)) -> ReplayVerdict {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (small(folder.path()), folder.path().join("changed.mcap"));
    copy(&from, &to, |mut turn| {
        if turn.number == number {
            change(&mut turn);
        }
        vec![sealed(&turn)]
    });
    let recording = Recording::open(&to).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(recording.damages, []);
    replay(&recording, replay_options(), |_| {
        std::ops::ControlFlow::Continue(())
    })
    .expect("it can be played")
}

fn flip(value: &mut f64) {
    *value = f64::from_bits(value.to_bits() ^ 1);
}

#[test]
fn a_copy_is_as_good_as_what_was_recorded() {
    let verdict = changed(0, |_| {});
    assert!(verdict.is_identical() && verdict.same == 450, "{verdict:?}");
}

#[test]
fn the_lowest_bit_of_an_input_is_found_in_its_turn_and_by_its_name() {
    // A count of a board: seen at once, in what was read.
    let verdict = changed(300, |turn| flip(&mut turn.counts[0]));
    let found = verdict.difference.expect("a difference");
    assert_eq!((found.turn, verdict.same), (300, 299), "{found}");
    assert!(found.what.starts_with("what was read of Base"), "{found}");
    // A client's value: in the command that was taken.
    let verdict = changed(401, |turn| flip(&mut turn.move_values[1]));
    let found = verdict.difference.expect("a difference");
    assert_eq!((found.turn, verdict.same), (401, 400), "{found}");
    assert!(found.what.contains("command for Base"), "{found}");
    // An instant: in what is sent from then on, or in when it counts.
    let verdict = changed(420, |turn| turn.now ^= 1);
    let found = verdict.difference.expect("a difference");
    assert!((420..=421).contains(&found.turn), "{found}");
    // A clock that was wrong by centuries does not make the replay fail.
    for now in [0, u64::MAX, u64::MAX >> 1] {
        let verdict = changed(420, |turn| turn.now = now);
        let found = verdict.difference.expect("a difference");
        assert!((420..=421).contains(&found.turn), "{found}");
    }
    // An operation: nobody held the body.
    let verdict = changed(401, |turn| turn.requests[1].operation = 7);
    let found = verdict.difference.expect("a difference");
    assert!(found.turn >= 401, "{found}");
}

#[test]
fn the_lowest_bit_of_what_came_of_it_is_found() {
    type Change = fn(&mut Turn);
    let all: [(&str, Change); 9] = [
        ("what was sent to Shoulder", |value| {
            flip(&mut value.sent[1]);
        }),
        ("what was asked of Shoulder", |value| {
            flip(&mut value.commanded[1]);
        }),
        ("what the limits left for Shoulder", |value| {
            flip(&mut value.limited[1]);
        }),
        ("the limits that changed Elbow", |value| {
            value.clipped[2] ^= 4;
        }),
        ("what was read of Base", |value| flip(&mut value.sensors[0])),
        ("the state", |value| value.state ^= 1),
        ("the power", |value| flip(&mut value.power)),
        ("the fuel of pre-process of guest 1", |film| {
            film.guests[0].pre_process ^= 1;
        }),
        ("what happened, the 1.", |value| {
            value.events.insert(0, Default::default());
        }),
    ];
    for (what, change) in all {
        let verdict = changed(410, change);
        let found = verdict.difference.expect("a difference");
        assert_eq!((found.turn, verdict.same), (410, 409), "{found}");
        assert!(!found.to_string().contains('"'), "{found}");
        assert!(found.what.starts_with(what), "{what}: {found}");
    }
}

#[test]
fn turns_that_are_missing_or_out_of_place_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (small(folder.path()), folder.path().join("changed.mcap"));
    type Times = fn(&Turn) -> usize;
    let cases: [(&str, Times); 3] = [
        ("turn 200 is missing", |value| {
            usize::from(value.number != 200)
        }),
        ("turns 200 to 219 are missing", |value| {
            usize::from(!(200..220).contains(&value.number))
        }),
        ("turn 200 stands where turn 201 belongs", |value| {
            1 + usize::from(value.number == 200)
        }),
    ];
    for (why, times) in cases {
        copy(&from, &to, |turn| vec![sealed(&turn); times(&turn)]);
        let recording = Recording::open(&to).expect("a recording");
        let verdict = replay(&recording, replay_options(), |_| {
            std::ops::ControlFlow::Continue(())
        });
        let verdict = verdict.expect("it can be played");
        assert_eq!(verdict.stopped.as_deref(), Some(why));
        assert!(
            (199..=200).contains(&verdict.same) && !verdict.is_identical(),
            "{verdict:?}"
        );
    }
}

#[test]
fn what_cannot_have_been_is_refused_in_its_turn() {
    for change in [
        (|value| value.counts.truncate(1)) as fn(&mut Turn),
        |value| value.answers.clear(),
        |value| value.requests[0].values = 1_000_000,
        |turn| turn.move_actuators[0] = 1 << 20,
        |value| value.requests[0].merge = 9,
        |turn| turn.guest_inputs.push(Default::default()),
        |turn| turn.incomplete = true,
    ] {
        let verdict = changed(401, change);
        assert_eq!(verdict.same, 400, "{verdict:?}");
        let why = verdict.stopped.expect("a reason");
        assert!(why.contains("turn 401"), "{why}");
    }
}

#[test]
fn a_damaged_turn_is_told_as_damaged_and_not_compared() {
    use prost::Message;
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (small(folder.path()), folder.path().join("changed.mcap"));
    let nonsense: fn(&Turn) -> Vec<u8> = |_| vec![0xff; 40];
    let flipped: fn(&Turn) -> Vec<u8> = |turn| {
        let mut turn = turn.clone();
        flip(&mut turn.sensors[0]);
        turn.encode_to_vec()
    };
    for (damaged, told) in [
        (300..=300, "turn 300 is damaged, at byte "),
        (300..=304, "turns 300 to 304 are damaged, at byte "),
        (448..=450, "the turns from 448 on are damaged, at byte "),
    ] {
        for damage in [flipped, nonsense] {
            copy(&from, &to, |turn| match damaged.contains(&turn.number) {
                true => vec![damage(&turn)],
                false => vec![sealed(&turn)],
            });
            let recording = Recording::open(&to).expect("a recording");
            let verdict = replay(&recording, replay_options(), |turn| {
                assert!(!damaged.contains(&turn.number), "it was shown");
                std::ops::ControlFlow::Continue(())
            });
            let verdict = verdict.expect("it can be played");
            assert_eq!(verdict.difference, None, "{told}");
            assert_eq!(verdict.same, damaged.start() - 1, "{told}");
            let why = verdict.stopped.expect("a reason");
            let place = why.strip_prefix(told).unwrap_or_else(|| panic!("{why}"));
            assert_eq!(place.parse(), Ok(recording.damages[0].at), "{why}");
        }
    }
}
