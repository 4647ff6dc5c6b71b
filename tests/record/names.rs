//! The names of guests in a recording: those that they were admitted with, which everybody else uses as well.

use std::path::Path;

use guests::LoadOptions;
use prost::Message;
use recording::{Guest, Recording};

use robot::live::{LoopRequest, Tempo};

use super::film::{Film, judge, sway};

/// A line of the log, as Foxglove specifies it.
#[derive(Clone, PartialEq, prost::Message)]
struct LogLine {
    #[prost(string, tag = "3")]
    message: String,
}

/// What the log for viewers says of lanes.
fn lines_of_lanes(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).expect("a file");
    let messages = mcap::MessageStream::new(&bytes).expect("a recording");
    messages
        .map(|message| message.expect("a message"))
        .filter(|value| value.channel.topic == "/log")
        .map(|calls| LogLine::decode(&*calls.data).expect("a line").message)
        .filter(|value| value.contains("lane"))
        .collect()
}

#[test]
fn guests_are_recorded_under_the_names_that_they_were_admitted_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("twins.mcap");
    let film = Film {
        guests: &[("sway", sway()), ("sway", sway())],
        tempo: Tempo::Step,
        ..Film::of(450)
    };
    let mut admitted = Vec::new();
    film.shoot(&path, |sender, service, _| {
        let named = LoadOptions {
            name: Some("sway".to_owned()),
            ..LoadOptions::default()
        };
        let third = service.load(&sway(), Some("other"), named).expect("room");
        admitted.extend(
            service
                .list()
                .into_iter()
                .map(|item| (item.id.0, item.name)),
        );
        assert_eq!(third.name, "sway-3");
        assert!(sender.send(1, LoopRequest::Step(450)).is_ok());
    });
    let recording = Recording::open(&path).expect("a recording");
    let guests: Vec<&Guest> = recording.guests.iter().map(|guest| &guest.0).collect();
    let recorded: Vec<_> = guests
        .iter()
        .map(|guest| (guest.number, guest.name.clone()))
        .collect();
    assert_eq!(recorded, admitted);
    let names: Vec<_> = recorded
        .iter()
        .map(|recorded| recorded.1.as_str())
        .collect();
    assert_eq!(names, ["sway", "sway-2", "sway-3"]);
    // What was asked for is there as well: a replay asks for the same.
    let requested: Vec<_> = guests
        .iter()
        .map(|guest| guest.requested_name.as_deref())
        .collect();
    assert_eq!(requested, [None, None, Some("sway")]);
    let lines = lines_of_lanes(&path);
    for name in ["sway", "sway-2", "sway-3"] {
        let line = format!("the lane of {name} was opened");
        assert_eq!(
            lines.iter().filter(|item| **item == line).count(),
            1,
            "{lines:?}"
        );
    }
    let verdict = judge(&path);
    assert!(verdict.is_identical(), "{verdict:?}");
    assert_eq!(verdict.run, 3);
}
