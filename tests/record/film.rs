//! Makes recordings for the other tests in this folder, and takes them apart. The loop itself records, as with
//! `run --record`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cycle::{ActuatorId, Merge, Span};
use description::{GuestForm, RobotSource, load_told};
use guests::{CodeForm, Compiler, LoadOptions};
use mcap::records::{MessageHeader, Record};
use prost::Message;
use recording::{Recording, RecordingSummary, ReplayVerdict, Turn, record, replay};
use robot::guest_service::{GuestService, GuestServiceSettings};
use robot::live::{
    Control, LoopRequest, LoopSetup, MoveRequest, Operation, RequestSender, Tempo, event_channel,
    live, private_page, request_channel,
};
use sensors::Window;
use tests::rig::{component, replay_options};

/// How a run is made that is recorded.
pub(crate) struct Film<'f> {
    pub(crate) robot: &'f str,
    pub(crate) tempo: Tempo,
    pub(crate) form: CodeForm,
    pub(crate) turns: u64,
    /// Guests from the beginning: names and bytes.
    pub(crate) guests: &'f [(&'f str, Vec<u8>)],
}

impl Film<'_> {
    pub(crate) fn of(turns: u64) -> Film<'static> {
        Film {
            robot: "desk",
            tempo: Tempo::Fast,
            form: CodeForm::InPlace,
            turns,
            guests: &[],
        }
    }

    /// Runs it while `meanwhile` sends requests, and records it.
    pub(crate) fn shoot(
        &self,
        path: &Path,
        meanwhile: impl FnOnce(&mut RequestSender, &GuestService, &Window),
    ) -> RecordingSummary {
        let (mut robot, layers) = load_told(&RobotSource::of(self.robot)).expect("it is shipped");
        robot.machine.guests = match self.form {
            CodeForm::InPlace => GuestForm::InPlace,
            CodeForm::Calls => GuestForm::Calls,
        };
        let robot = Arc::new(robot);
        let real = matches!(self.tempo, Tempo::Real(_));
        let page = private_page(&robot).expect("memory");
        let (recorder, tape, scribe) = record(path, &robot, &layers, real, 0).expect("a recording");
        let manner = GuestServiceSettings {
            form: self.form,
            lockstep: (!real).then_some(guests::THINKING),
            logged: false,
            compiler: Compiler::here(),
            cache: tests::rig::shared_cache(),
        };
        let window = page.window();
        let gathered = GuestService::start(&robot, page.window(), manner).expect("engines");
        let (mut service, scheduler) = (gathered.service, gathered.scheduler);
        service.set_recorder(scribe);
        for (name, bytes) in self.guests {
            let entered = service.load(bytes, Some(name), LoadOptions::default());
            entered.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let (mut sender, requests) = request_channel();
        let (events, _news) = event_channel();
        let control = Control::default();
        let setup = LoopSetup {
            page: Some(page),
            turns: Some(self.turns),
            arm: true,
            scheduler: Some(scheduler),
            recorder: Some(Box::new(tape)),
            ..LoopSetup::bare(self.tempo, requests, events, &control)
        };
        let tally = std::thread::scope(|scope| {
            let robot = &robot;
            let body = scope.spawn(move || live(robot, setup, |_| {}));
            meanwhile(&mut sender, &service, &window);
            body.join().expect("it does not panic").expect("a robot")
        });
        assert_eq!(tally.turns, self.turns);
        let recorded = recorder.finish().expect("it was written");
        assert_eq!((recorded.turns, recorded.lost), (self.turns, 0));
        recorded
    }
}

/// Waits until the loop has answered this many requests.
pub(crate) fn hear_back(sender: &mut RequestSender, count: usize) {
    let begun = Instant::now();
    let mut back = 0;
    while back < count && !sender.is_abandoned() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no answer comes");
        back += usize::from(sender.back().is_some());
        std::thread::yield_now();
    }
}

/// Waits until the loop has made this turn.
pub(crate) fn wait_for(window: &Window, turn: u64) {
    let begun = Instant::now();
    while window.turn() < turn {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it makes no turns"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A small recording in which a guest and a client move the arm.
pub(crate) fn small(folder: &Path) -> PathBuf {
    let path = folder.join("small.mcap");
    let film = Film {
        tempo: Tempo::Step,
        guests: &[("sway", sway())],
        ..Film::of(450)
    };
    film.shoot(&path, |sender, _, window| {
        assert!(sender.send(1, LoopRequest::Step(400)).is_ok());
        wait_for(window, 400);
        hear_back(sender, 1);
        let to = vec![ActuatorId(0), ActuatorId(1)];
        let after = vec![Span::from_millis(100), Span::from_millis(300)];
        let motion = MoveRequest::new(to, Merge::Merge, after, vec![0.5, -0.25, 0.125, 0.75]);
        assert!(sender.send(2, LoopRequest::Move(motion)).is_ok());
        assert!(
            sender
                .send(3, LoopRequest::Operate(Operation::Hold))
                .is_ok()
        );
        assert!(
            sender
                .send(4, LoopRequest::Operate(Operation::Resume))
                .is_ok()
        );
        hear_back(sender, 3);
        assert!(sender.send(5, LoopRequest::Step(50)).is_ok());
    });
    path
}

/// A guest that moves the elbow by what it reads, and has a parameter.
pub(crate) fn sway() -> Vec<u8> {
    component(
        r#"(module
    (import "dcm/body" "find-actuator" (func $actuator (param i32 i32) (result i32)))
    (import "dcm/body" "find-sensor" (func $sensor (param i32 i32) (result i32)))
    (import "dcm/sensors" "read" (func $read (param i32) (result f64)))
    (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
    (import "dcm/clock" "now" (func $now (result i64)))
    (import "dcm/params" "declare" (func $declare (param i32 i32 f64 f64 f64) (result i32)))
    (import "dcm/params" "get" (func $param (param i32) (result f64)))
    (memory (export "memory") 1)
    (data (i32.const 0) "Elbow") (data (i32.const 8) "Elbow/Position/Sensor/Value")
    (data (i32.const 48) "pull")
    (global $elbow (mut i32) (i32.const 0)) (global $angle (mut i32) (i32.const 0))
    (global $pull (mut i32) (i32.const 0))
    (func (export "start")
      (global.set $elbow (call $actuator (i32.const 0) (i32.const 5)))
      (global.set $angle (call $sensor (i32.const 8) (i32.const 27)))
      (global.set $pull
        (call $declare (i32.const 48) (i32.const 4) (f64.const 0) (f64.const 0.25) (f64.const 1))))
    (func (export "pre-process")
      (drop (call $set (global.get $elbow)
        (f64.add (f64.mul (call $read (global.get $angle)) (f64.const 0.9))
          (f64.mul (call $param (global.get $pull)) (f64.const 0.5)))
        (i64.add (call $now) (i64.const 200000000))))))"#,
    )
}

/// Opens it and replays it.
pub(crate) fn judge(path: &Path) -> ReplayVerdict {
    let recording = Recording::open(path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(recording.damages, []);
    replay(&recording, replay_options(), |_| {
        std::ops::ControlFlow::Continue(())
    })
    .expect("it can be played")
}

/// A turn's bytes with a correct checksum.
pub(crate) fn sealed(turn: &Turn) -> Vec<u8> {
    let turn = Turn {
        checksum: 0,
        ..turn.clone()
    };
    let mut bytes = turn.encode_to_vec();
    let seal = crc32fast::hash(&bytes).to_le_bytes();
    // Field 26, four fixed bytes.
    bytes.extend([0xd5, 0x01]);
    bytes.extend(seal);
    bytes
}

/// Copies a recording, with each turn changed by `change`; turns for which it returns nothing are left out.
pub(crate) fn copy(from: &Path, to: &Path, mut change: impl FnMut(Turn) -> Vec<Vec<u8>>) {
    rewrite(from, to, |topic, data| match topic {
        "/turn" => change(Turn::decode(&*data).expect("a turn")),
        _ => vec![data],
    });
}

/// Copies a recording, with each message of a topic changed by `change`.
pub(crate) fn rewrite(
    from: &Path,
    to: &Path,
    mut change: impl FnMut(&str, Vec<u8>) -> Vec<Vec<u8>>,
) {
    let bytes = std::fs::read(from).expect("a file");
    let file = std::fs::File::create(to).expect("a file");
    let mut writer = mcap::WriteOptions::new()
        .chunk_size(Some(1 << 16))
        .create(file)
        .expect("a file");
    let mut channels = Vec::new();
    let records = mcap::read::ChunkFlattener::new(&bytes).expect("a recording");
    for record in records {
        match record.expect("a record") {
            Record::Schema { header, data } => {
                let made = writer.add_schema_with_id(header.id, &header.name, "protobuf", &data);
                // It may be repeated in the index.
                made.expect("a schema");
            }
            Record::Channel(channel) => {
                let made = writer.add_channel_with_id(
                    channel.id,
                    channel.schema_id,
                    &channel.topic,
                    "protobuf",
                    &channel.metadata,
                );
                made.expect("a channel");
                channels.push((channel.id, channel.topic));
            }
            Record::Message { header, data } => {
                let known = channels
                    .iter()
                    .find(|channel| channel.0 == header.channel_id);
                let topic = known.map_or("", |name| name.1.as_str());
                for data in change(topic, data.into_owned()) {
                    let header = MessageHeader { ..header };
                    let written = writer.write_to_known_channel(&header, &data);
                    written.expect("a message");
                }
            }
            Record::Attachment { header, data, .. } => {
                let attachment = mcap::Attachment {
                    log_time: header.log_time,
                    create_time: header.create_time,
                    name: header.name,
                    media_type: header.media_type,
                    data: Cow::Borrowed(&data),
                };
                writer.attach(&attachment).expect("an attachment");
            }
            _ => {}
        }
    }
    writer.finish().expect("a file");
}
