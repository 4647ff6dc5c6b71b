//! The numbers in recordings: those of the contract, and of no other time.

use std::path::Path;

use cycle::{ActuatorId, Merge, Span};
use prost::Message;
use prost_types::FileDescriptorSet;
use recording::{Recording, Run};
use robot::live::{LoopRequest, MoveRequest, Tempo};

use super::film::{Film, hear_back, judge, rewrite, small, wait_for};
use crate::ROOT;

/// The cases of `enum merge` in the contract, in their order.
fn merges_of_the_contract() -> Vec<String> {
    let contract = Path::new(ROOT).join("wit/commands.wit");
    let text = std::fs::read_to_string(contract).expect("the contract");
    let (_, cases) = text.split_once("enum merge {").expect("the enum");
    let (cases, _) = cases.split_once('}').expect("its end");
    let cases = cases.lines().map(str::trim);
    cases
        .filter_map(|case| case.strip_suffix(',').map(str::to_owned))
        .collect()
}

#[test]
fn a_merge_has_one_number_in_the_contract_the_loop_and_recordings() {
    let contract = merges_of_the_contract();
    assert_eq!(contract.len(), 4);
    assert_eq!(contract, Merge::NAMES);
    let described = Path::new(ROOT).join("runtime/recording/src/made/recording.bin");
    let described = std::fs::read(described).expect("the descriptors");
    let described = FileDescriptorSet::decode(&*described).expect("descriptors");
    let file = described.file.iter().find(|item| item.package() == "dcm");
    let file = file.expect("our messages");
    let merge = file.enum_type.iter().find(|item| item.name() == "Merge");
    let cases = merge.expect("the enum").value.iter();
    let cases: Vec<_> = cases.map(|case| (case.number(), case.name())).collect();
    let expected = contract
        .iter()
        .map(|contract| contract.to_uppercase().replace('-', "_"));
    let expected: Vec<_> = (0..).zip(expected).collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|expected| (expected.0, expected.1.as_str()))
        .collect();
    assert_eq!(cases, expected);
    for message in ["RecordedRequest", "Command"] {
        let fields = file.message_type.iter().find(|item| item.name() == message);
        let mut fields = fields.expect("the message").field.iter();
        let field = fields
            .find(|field| field.name() == "merge")
            .expect("the field");
        assert_eq!(field.type_name(), ".dcm.Merge", "{message}");
    }
}

#[test]
fn what_was_asked_is_recorded_with_the_number_of_its_merge() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("merges.mcap");
    let film = Film {
        tempo: Tempo::Step,
        ..Film::of(450)
    };
    film.shoot(&path, |sender, _, window| {
        assert!(sender.send(0, LoopRequest::Step(400)).is_ok());
        wait_for(window, 400);
        hear_back(sender, 1);
        for merge in Merge::ALL {
            let after = vec![Span::from_millis(300)];
            let motion = MoveRequest::new(vec![ActuatorId(0)], merge, after, vec![0.25]);
            assert!(sender.send(1, LoopRequest::Move(motion)).is_ok());
        }
        hear_back(sender, 4);
        assert!(sender.send(2, LoopRequest::Step(50)).is_ok());
    });
    let recording = Recording::open(&path).expect("a recording");
    let (mut asked, mut taken) = (Vec::new(), Vec::new());
    for read in recording.each_turn() {
        let moves = read.turn.requests.iter();
        let moves =
            moves.filter(|movement| movement.kind() == recording::recorded_request::Kind::Move);
        asked.extend(moves.map(|movement| movement.merge));
        taken.extend(read.turn.commands.iter().map(|command| command.merge));
    }
    assert_eq!((asked, taken), (vec![0, 1, 2, 3], vec![0, 1, 2, 3]));
    assert!(judge(&path).is_identical());
}

#[test]
fn a_recording_of_another_format_is_refused_and_can_still_be_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (small(folder.path()), folder.path().join("other.mcap"));
    for (format, told) in [
        (0, "it is of a time when recordings had other numbers"),
        (7, "it has format 7, and this program reads format 2"),
    ] {
        rewrite(&from, &to, |topic, data| match topic {
            "/run" => {
                let run = Run::decode(&*data).expect("a run");
                assert_eq!(run.format, 2);
                vec![Run { format, ..run }.encode_to_vec()]
            }
            _ => vec![data],
        });
        let error = Recording::open_whole(&to).expect_err("its numbers mean something else");
        let error = error.to_string();
        let (sentence, fix) = error.split_once("; fix: ").expect("a fix");
        assert!(sentence.contains(told) && !fix.contains("; fix"), "{error}");
        let shown = Recording::open(&to).expect("its values are there");
        assert_eq!(shown.each_turn().count(), 450);
    }
    assert!(Recording::open_whole(&from).is_ok());
}
