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
        .map(|it| it.expect("a message"))
        .filter(|it| it.channel.topic == "/log")
        .map(|it| LogLine::decode(&*it.data).expect("a line").message)
        .filter(|it| it.contains("lane"))
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
        admitted.extend(service.list().into_iter().map(|it| (it.id.0, it.name)));
        assert_eq!(third.name, "sway-3");
        assert!(sender.send(1, LoopRequest::Step(450)).is_ok());
    });
    let recording = Recording::open(&path).expect("a recording");
    let guests: Vec<&Guest> = recording.guests.iter().map(|it| &it.0).collect();
    let recorded: Vec<_> = guests
        .iter()
        .map(|it| (it.number, it.name.clone()))
        .collect();
    assert_eq!(recorded, admitted);
    let names: Vec<_> = recorded.iter().map(|it| it.1.as_str()).collect();
    assert_eq!(names, ["sway", "sway-2", "sway-3"]);
    // What was asked for is there as well: a replay asks for the same.
    let requested: Vec<_> = guests
        .iter()
        .map(|it| it.requested_name.as_deref())
        .collect();
    assert_eq!(requested, [None, None, Some("sway")]);
    let lines = lines_of_lanes(&path);
    for name in ["sway", "sway-2", "sway-3"] {
        let line = format!("the lane of {name} was opened");
        assert_eq!(
            lines.iter().filter(|it| **it == line).count(),
            1,
            "{lines:?}"
        );
    }
    let verdict = judge(&path);
    assert!(verdict.is_identical(), "{verdict:?}");
    assert_eq!(verdict.run, 3);
}
