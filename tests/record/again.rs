//! A recording is replayed, and nothing differs.

use std::path::Path;
use std::time::Duration;

use cycle::{ActuatorId, Merge, Span};
use drivers::sim::SimEvent;
use guests::LoadOptions;
use recording::Recording;
use robot::live::{LoopRequest, MoveRequest, Operation, Tempo};
use tests::rig::{FORMS, component};

use super::film::{Film, copy, hear_back, judge, sealed, small, sway, wait_for};

#[test]
fn what_clients_and_guests_did_is_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let verdict = judge(&small(folder.path()));
    assert!(verdict.is_identical(), "{verdict:?}");
    assert_eq!((verdict.same, verdict.run, verdict.echoed), (450, 1, 0));
}

#[test]
fn real_time_with_everything_that_can_happen_is_made_again() {
    for form in FORMS {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("real.mcap");
        let film = Film {
            tempo: Tempo::Real(4.0),
            form,
            guests: &[("sway", sway()), ("hum", hum())],
            ..Film::of(2_000)
        };
        film.shoot(&path, |counter, service, window| {
            let nap = || std::thread::sleep(Duration::from_millis(60));
            let manager = service.manager();
            wait_for(window, 450);
            let find = |name: &str| manager.find(name).expect("it is there");
            manager
                .turn(find("sway"), "pull", 0.75)
                .expect("a parameter");
            nap();
            manager.pause(find("sway"), true).expect("it is there");
            let second = service.load(&hum(), Some("hum"), LoadOptions::default());
            nap();
            manager.pause(find("sway"), false).expect("it is there");
            manager
                .set_priority(find("sway"), 12.0)
                .expect("it is there");
            manager.set_weight(find("sway"), 0.5).expect("it is there");
            nap();
            let (old, fade) = (find("sway"), Span::from_millis(200));
            let swapped = service.swap(old, &sway(), Some("sway"), LoadOptions::default(), fade);
            swapped.expect("a version");
            for (token, order) in orders().into_iter().enumerate() {
                assert!(counter.send(token as u64, order).is_ok());
                nap();
            }
            hear_back(counter, orders().len());
            manager
                .end(second.expect("it came in").id)
                .expect("it is there");
        });
        let verdict = judge(&path);
        assert!(verdict.is_identical(), "{form:?}: {verdict:?}");
        // A replay repeats what a score sent in real time.
        assert_eq!((verdict.run, verdict.echoed), (2, 2), "{form:?}");
    }
}

fn orders() -> Vec<LoopRequest> {
    let to = vec![ActuatorId(0)];
    let after = vec![Span::from_millis(200)];
    vec![
        LoopRequest::Move(MoveRequest::new(to, Merge::ClearAll, after, vec![0.4])),
        LoopRequest::Simulate(SimEvent::Push {
            actuator: 1,
            torque: 0.3,
        }),
        LoopRequest::Operate(Operation::Hold),
        LoopRequest::Operate(Operation::Resume),
        LoopRequest::Operate(Operation::Press),
        LoopRequest::Operate(Operation::Release),
        LoopRequest::Operate(Operation::Arm),
    ]
}

/// A score: it moves the lamp up and down for ever, and posts events.
fn hum() -> Vec<u8> {
    component(
        r#"(module
    (import "dcm/body" "find-actuator" (func $actuator (param i32 i32) (result i32)))
    (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
    (import "dcm/clock" "now" (func $now (result i64)))
    (import "dcm/clock" "sleep-until" (func $sleep (param i64) (result i64)))
    (memory (export "memory") 1)
    (data (i32.const 0) "Lamp")
    (func (export "run") (local $lamp i32) (local $at i64) (local $up f64)
      (local.set $lamp (call $actuator (i32.const 0) (i32.const 4)))
      (local.set $at (call $now))
      (loop $on
        (local.set $up (f64.sub (f64.const 1) (local.get $up)))
        (drop (call $set (local.get $lamp) (local.get $up)
          (i64.add (local.get $at) (i64.const 70000000))))
        (local.set $at (call $sleep (i64.add (local.get $at) (i64.const 100000000))))
        (br $on))))"#,
    )
}

#[test]
fn in_virtual_time_a_score_is_run_again_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("score.mcap");
    let film = Film {
        guests: &[("hum", hum()), ("sway", sway())],
        ..Film::of(1_500)
    };
    film.shoot(&path, |_, _, _| {});
    let verdict = judge(&path);
    assert!(verdict.is_identical(), "{verdict:?}");
    assert_eq!((verdict.run, verdict.echoed), (2, 0));
}

/// A score that sends more than the lane has room for, and clears it, again and again.
fn changes_its_mind() -> Vec<u8> {
    component(
        r#"(module
    (import "dcm/body" "find-actuator" (func $actuator (param i32 i32) (result i32)))
    (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
    (import "dcm/commands" "clear" (func $clear (param i32) (result i32)))
    (import "dcm/clock" "now" (func $now (result i64)))
    (import "dcm/clock" "sleep-until" (func $sleep (param i64) (result i64)))
    (memory (export "memory") 1)
    (data (i32.const 0) "Lamp")
    (func (export "run") (local $lamp i32) (local $at i64) (local $i i64)
      (local.set $lamp (call $actuator (i32.const 0) (i32.const 4)))
      (loop $on
        (local.set $at (call $now))
        (local.set $i (i64.const 0))
        (loop $ahead
          (local.set $i (i64.add (local.get $i) (i64.const 1)))
          (drop (call $set (local.get $lamp)
            (f64.div (f64.convert_i64_u (i64.rem_u (local.get $i) (i64.const 90))) (f64.const 100))
            (i64.add (local.get $at) (i64.mul (local.get $i) (i64.const 1000000)))))
          (br_if $ahead (i64.lt_u (local.get $i) (i64.const 6000))))
        (local.set $at (call $sleep (i64.add (local.get $at) (i64.const 170000000))))
        (drop (call $clear (local.get $lamp)))
        (drop (call $set (local.get $lamp) (f64.const 0.95) (local.get $at)))
        (local.set $at (call $sleep (i64.add (local.get $at) (i64.const 90000000))))
        (br $on))))"#,
    )
}

#[test]
fn clears_that_overtake_are_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let guests = [("mind", changes_its_mind()), ("hum", hum())];
    for (tempo, run, echoed) in [(Tempo::Fast, 2, 0), (Tempo::Real(4.0), 0, 2)] {
        let path = folder.path().join(format!("{echoed}.mcap"));
        let film = Film {
            tempo,
            guests: &guests,
            ..Film::of(1_200)
        };
        film.shoot(&path, |_, _, _| {});
        let verdict = judge(&path);
        assert!(verdict.is_identical(), "{verdict:?}");
        assert_eq!((verdict.run, verdict.echoed), (run, echoed));
    }
}

/// A score that posts to the second of its topics for ever.
fn claps() -> Vec<u8> {
    component(
        r#"(module
    (import "dcm/events" "topic" (func $topic (param i32 i32) (result i32)))
    (import "dcm/events" "post" (func $post (param i32 f64) (result i32)))
    (import "dcm/clock" "now" (func $now (result i64)))
    (import "dcm/clock" "sleep-until" (func $sleep (param i64) (result i64)))
    (memory (export "memory") 1)
    (data (i32.const 0) "stamp") (data (i32.const 8) "clap")
    (func (export "run") (local $clap i32) (local $at i64)
      (drop (call $topic (i32.const 0) (i32.const 5)))
      (local.set $clap (call $topic (i32.const 8) (i32.const 4)))
      (local.set $at (call $now))
      (loop $on
        (local.set $at (call $sleep (i64.add (local.get $at) (i64.const 90000000))))
        (drop (call $post (local.get $clap) (f64.const 1)))
        (br $on))))"#,
    )
}

/// A motion that switches the lamp when it hears that.
fn switches() -> Vec<u8> {
    component(
        r#"(module
    (import "dcm/body" "find-actuator" (func $actuator (param i32 i32) (result i32)))
    (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
    (import "dcm/clock" "now" (func $now (result i64)))
    (import "dcm/events" "topic" (func $topic (param i32 i32) (result i32)))
    (import "dcm/events" "next" (func $next (result i32)))
    (memory (export "memory") 1)
    (data (i32.const 0) "Lamp") (data (i32.const 8) "clap")
    (global $lamp (mut i32) (i32.const 0)) (global $up (mut f64) (f64.const 0))
    (func (export "start")
      (global.set $lamp (call $actuator (i32.const 0) (i32.const 4)))
      (drop (call $topic (i32.const 8) (i32.const 4))))
    (func (export "pre-process")
      (if (call $next) (then
        (global.set $up (f64.sub (f64.const 1) (global.get $up)))
        (drop (call $set (global.get $lamp) (global.get $up) (call $now)))))))"#,
    )
}

#[test]
fn an_event_of_a_score_reaches_the_same_guests_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let both = [("claps", claps()), ("switches", switches())];
    for (tempo, run, echoed) in [(Tempo::Real(4.0), 1, 1), (Tempo::Fast, 2, 0)] {
        let path = folder.path().join(format!("{echoed}.mcap"));
        let film = Film {
            tempo,
            // In real time the score has its topics before the motion comes.
            guests: &both[..run],
            ..Film::of(1_200)
        };
        film.shoot(&path, |_, service, window| {
            if echoed > 0 {
                wait_for(window, 400);
                let loaded = service.load(&switches(), Some("switches"), LoadOptions::default());
                loaded.expect("it is a guest");
            }
        });
        let verdict = judge(&path);
        assert!(verdict.is_identical(), "{verdict:?}");
        assert_eq!((verdict.run, verdict.echoed), (run, echoed));
    }
}

/// A score that moves the lamp once, sleeps for so many milliseconds, and ends.
fn brief(millis: u64) -> Vec<u8> {
    component(&format!(
        r#"(module
    (import "dcm/body" "find-actuator" (func $actuator (param i32 i32) (result i32)))
    (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
    (import "dcm/clock" "now" (func $now (result i64)))
    (import "dcm/clock" "sleep-until" (func $sleep (param i64) (result i64)))
    (memory (export "memory") 1)
    (data (i32.const 0) "Lamp")
    (func (export "run") (local $until i64)
      (local.set $until (i64.add (call $now) (i64.const {})))
      (drop (call $set (call $actuator (i32.const 0) (i32.const 4)) (f64.const 0.5) (local.get $until)))
      (drop (call $sleep (local.get $until)))))"#,
        millis * 1_000_000
    ))
}

/// Why each score ended, as the turns have it in which that was seen.
fn ends(path: &Path) -> Vec<u32> {
    let recording = Recording::open(path).expect("a recording");
    let inputs = recording
        .each_turn()
        .flat_map(|item| item.turn.guest_inputs);
    let over = inputs.filter(|input| input.kind() == recording::guest_input::Kind::ScoreEnded);
    over.map(|over| over.number).collect()
}

#[test]
fn scores_that_end_at_once_are_made_again_with_the_reason_of_their_end() {
    let names: Vec<String> = (1..=12).map(|i| format!("brief-{i}")).collect();
    let guests: Vec<_> = (1..=12).map(|i| brief(i * 7)).collect();
    let guests: Vec<_> = names.iter().map(String::as_str).zip(guests).collect();
    let finished = guests::End::Finished as u32;
    let folder = tempfile::tempdir().expect("a folder");
    // In real time a loop sees a score's end at any moment of its thread's last steps.
    let real = [(); 2].map(|()| (Tempo::Real(8.0), 0, guests.len()));
    let fast = [(); 4].map(|()| (Tempo::Fast, guests.len(), 0));
    for (number, (tempo, run, echoed)) in real.into_iter().chain(fast).enumerate() {
        let path = folder.path().join(format!("{number}.mcap"));
        let film = Film {
            tempo,
            guests: &guests,
            ..Film::of(450)
        };
        film.shoot(&path, |_, _, _| {});
        assert_eq!(ends(&path), vec![finished; guests.len()]);
        let verdict = judge(&path);
        assert!(verdict.is_identical(), "{verdict:?}");
        assert_eq!((verdict.run, verdict.echoed), (run, echoed));
    }
}

#[test]
fn the_reason_of_a_score_s_end_is_named_if_it_differs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, changed) = (folder.path().join("a.mcap"), folder.path().join("b.mcap"));
    let film = Film {
        guests: &[("brief", brief(50))],
        ..Film::of(450)
    };
    film.shoot(&path, |_, _, _| {});
    copy(&path, &changed, |mut turn| {
        for guest_input in &mut turn.guest_inputs {
            if guest_input.kind() == recording::guest_input::Kind::ScoreEnded {
                guest_input.number = 0;
            }
        }
        vec![sealed(&turn)]
    });
    let found = judge(&changed)
        .difference
        .expect("a difference")
        .to_string();
    let told =
        "score-ended of guest 1: why it ended: no reason in the recording, finished in the replay";
    assert!(found.contains(told), "{found}");
}

#[test]
fn a_guest_that_the_clock_has_cut_is_cut_again() {
    // It spins in the 400th turn, and has more fuel than time.
    let spins = component(
        r#"(module
    (import "dcm/clock" "turn" (func $turn (result i64)))
    (memory (export "memory") 0)
    (func (export "pre-process")
      (if (i64.ge_u (call $turn) (i64.const 400)) (then (loop $on (br $on))))))"#,
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cut.mcap");
    let film = Film {
        tempo: Tempo::Real(2.0),
        guests: &[("spins", spins), ("sway", sway())],
        ..Film::of(600)
    };
    film.shoot(&path, |_, _, _| {});
    let recording = Recording::open(&path).expect("a recording");
    let cut = recording
        .each_turn()
        .flat_map(|item| item.turn.guests)
        .any(|item| item.end > 3);
    assert!(cut, "it was to be cut");
    let verdict = judge(&path);
    assert!(verdict.is_identical(), "{verdict:?}");
}

#[test]
fn a_recording_describes_itself_to_viewers() {
    use prost::Message;
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = std::fs::read(small(folder.path())).expect("a file");
    let summary = mcap::Summary::read(&bytes)
        .expect("sound")
        .expect("an index");
    let mut topics: Vec<_> = summary.channels.values().collect();
    topics.sort_by_key(|topic| topic.id);
    let named = |channel: &&std::sync::Arc<mcap::Channel<'_>>| {
        let schema = channel.schema.as_ref().expect("a schema");
        assert_eq!(
            (channel.message_encoding.as_str(), schema.encoding.as_str()),
            ("protobuf", "protobuf")
        );
        let files = prost_types::FileDescriptorSet::decode(&*schema.data).expect("a description");
        let (package, name) = schema.name.split_once('.').expect("a package");
        let file = files.file.iter().find(|item| item.package() == package);
        let messages = &file.expect("its package").message_type;
        assert!(
            messages.iter().any(|message| message.name() == name),
            "{}",
            schema.name
        );
        format!("{} {}", channel.topic, schema.name)
    };
    let told: Vec<_> = topics.iter().map(named).collect();
    assert_eq!(
        told,
        [
            "/run dcm.Run",
            "/turn dcm.Turn",
            "/guest dcm.Guest",
            "/joint_states foxglove.JointStates",
            "/joint_commands foxglove.JointStates",
            "/log foxglove.Log",
            "/event_topic dcm.EventTopic"
        ]
    );
    let stats = summary.stats.expect("statistics");
    assert_eq!(stats.attachment_count, 2, "the description and the guest");
    for topic in ["/turn", "/joint_states", "/joint_commands"] {
        let channel = topics.iter().find(|item| item.topic == topic).expect("it");
        assert_eq!(stats.channel_message_counts[&channel.id], 450, "{topic}");
    }
}

/// The log for viewers says whose lane was opened, ended, and was gone.
#[test]
fn the_log_says_whose_lane_it_is() {
    use prost::Message;
    /// As Foxglove specifies it.
    #[derive(Clone, PartialEq, prost::Message)]
    struct Log {
        #[prost(string, tag = "3")]
        message: String,
    }
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = std::fs::read(small(folder.path())).expect("a file");
    let messages = mcap::MessageStream::new(&bytes).expect("a recording");
    let lines: Vec<String> = messages
        .map(|message| message.expect("a message"))
        .filter(|message| message.channel.topic == "/log")
        .map(|message| Log::decode(&*message.data).expect("a log").message)
        .filter(|value| value.contains("lane"))
        .collect();
    assert_eq!(
        lines,
        [
            "the lane of clients was opened",
            "the lane of sway was opened"
        ]
    );
}
