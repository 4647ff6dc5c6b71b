//! Shows move every joint along the straight lines between their keys, however far these are apart and however they are
//! written. The test draws the lines from the list of keys and knows nothing of how they are sent.

use std::fmt::Write;
use std::sync::Arc;

use cycle::{Instant, Ports, State};
use description::Robot;
use guests::{CodeForm, LoadOptions};
use robot::guest_service::{GuestService, GuestServiceSettings, StartedGuests};
use robot::live::{AssembleOptions, SharedSim, assemble_with, private_page};
use robot::show::Show;
use tests::play::NAO;

/// One key: s, and the value.
type Key = (f64, f64);

/// The record of a run.
struct Played {
    /// The instants of the turns, s.
    at: Vec<f64>,
    /// What was commanded, a row for each turn.
    commanded: Vec<Vec<f64>>,
    /// The commands that were taken: the turn's instant, the actuator, the key.
    taken: Vec<(f64, usize, Key)>,
    /// When it was admitted, s.
    began: f64,
}

/// Plays these bytes in virtual time until they end.
fn play(robot: &Arc<Robot>, bytes: &[u8]) -> Played {
    let mut page = private_page(robot).expect("memory");
    let manner = GuestServiceSettings {
        form: CodeForm::InPlace,
        lockstep: Some(guests::THINKING),
        logged: false,
        compiler: None,
        code: None,
    };
    let StartedGuests {
        service,
        mut scheduler,
        ..
    } = GuestService::start(robot, page.window(), manner).expect("engines");
    let entered = service
        .load(bytes, Some("played"), LoadOptions::default())
        .expect("a sound show");
    let report = service.manager().report(entered.id).expect("it is there");
    let period = robot.settings.period;
    let mut played = Played {
        at: Vec::new(),
        commanded: Vec::new(),
        taken: Vec::new(),
        began: 0.0,
    };
    let options = AssembleOptions {
        taken: 65_536,
        ..AssembleOptions::default()
    };
    assemble_with(robot, options, |cycle, sim| {
        let mut came_in = false;
        for turn in 1.. {
            let now = Instant::from_nanos(period.nanos() * turn);
            let mut ports = Ports {
                inbox: &mut (),
                hooks: &mut scheduler,
                board: &mut SharedSim(sim),
                page: &mut page,
            };
            let state = cycle.turn(now, &mut ports).state;
            if state == State::Disarmed {
                let _ = cycle.stage().arm();
            }
            let view = cycle.view();
            let seconds = |it: Instant| it.nanos() as f64 / 1e9;
            played.at.push(seconds(now));
            played
                .commanded
                .push(view.tracks.iter().map(commanded).collect());
            let key = |it: &cycle::Taken| (usize::from(it.actuator.0), (seconds(it.at), it.taken));
            let taken = view.taken.iter().map(key);
            played
                .taken
                .extend(taken.map(|(actuator, key)| (seconds(now), actuator, key)));
            assert_eq!(view.taken_lost, 0);
            service.manager().housekeep();
            let plays = report.figures().life == guests::GuestLife::Running;
            if plays && !came_in {
                came_in = true;
                // A score starts while the last turn that it sees is the previous one.
                played.began = seconds(now) - period.seconds();
            }
            if came_in && scheduler.is_empty() {
                return;
            }
            assert!(turn < 10_000_000, "it ends");
        }
    })
    .expect("a sound robot");
    assert!(
        !report.figures().end.is_fault(),
        "{}",
        report.figures().details
    );
    played
}

/// What lanes request of it; NaN if none does.
fn commanded(track: &cycle::Track) -> f64 {
    if track.coverage > 0.0 {
        track.commanded
    } else {
        f64::NAN
    }
}

/// The straight line between keys that are in order.
fn line(keys: &[Key], at: f64) -> Option<f64> {
    let next = keys.partition_point(|it| it.0 <= at);
    match next {
        0 => None,
        next if next == keys.len() => Some(keys[next - 1].1),
        next => {
            let ((from, a), (to, b)) = (keys[next - 1], keys[next]);
            Some(a + (b - a) * (at - from) / (to - from))
        }
    }
}

/// Keys for some joints: gaps from 1 ms to 100 s, values anywhere in the range.
fn keys(random: &mut fastrand::Rng, robot: &Robot, lasting: f64) -> Vec<(usize, Vec<Key>)> {
    let joints = robot.actuators.iter().enumerate();
    let joints = joints.filter(|it| matches!(it.1.kind, cycle::Kind::Joint | cycle::Kind::Hand));
    let mut all = Vec::new();
    for (place, actuator) in joints {
        if random.u32(0..3) == 0 {
            continue;
        }
        let (low, high) = (actuator.range.min, actuator.range.max);
        let mut at = if random.bool() {
            0.0
        } else {
            (random.f64() * 20_000.0).round() / 1e3
        };
        let mut own = Vec::new();
        while at <= lasting && own.len() < 400 {
            let value = low + (high - low) * (random.f64() * 1e4).round() / 1e4;
            own.push((at, value.clamp(low, high)));
            // As many short gaps as long ones; in ms, as in files.
            let gap = 1e-3 * 10f64.powf(5.0 * random.f64());
            at = ((at + gap.max(1e-3)) * 1e3).round() / 1e3;
        }
        all.push((place, own));
    }
    all
}

/// The same keys as lines of actuator, time and value; as a table of instants; as JSON.
fn written(random: &mut fastrand::Rng, robot: &Robot, keys: &[(usize, Vec<Key>)]) -> String {
    let mut rows: Vec<(&str, Key)> = Vec::new();
    for (place, own) in keys {
        rows.extend(
            own.iter()
                .map(|it| (robot.actuators[*place].name.as_str(), *it)),
        );
    }
    random.shuffle(&mut rows);
    let mut text = String::new();
    match random.u32(0..3) {
        0 => {
            text += "actuator,time,value\n";
            for (name, (at, value)) in rows {
                let _ = writeln!(text, "{name},{at},{value}");
            }
        }
        1 => {
            let names: Vec<_> = keys
                .iter()
                .map(|it| robot.actuators[it.0].name.as_str())
                .collect();
            let _ = writeln!(text, "time,{}", names.join(","));
            for (name, (at, value)) in rows {
                let fields = names.iter().map(|it| {
                    if *it == name {
                        value.to_string()
                    } else {
                        String::new()
                    }
                });
                let _ = writeln!(text, "{at},{}", fields.collect::<Vec<_>>().join(","));
            }
        }
        _ => {
            let items = rows.iter().map(|(name, (at, value))| {
                format!("{{\"actuator\": \"{name}\", \"time\": {at}, \"value\": {value}}}")
            });
            text = format!("[{}]", items.collect::<Vec<_>>().join(",\n"));
        }
    }
    text
}

#[test]
fn a_show_follows_the_lines_between_its_keys_however_far_they_are_apart() {
    for seed in 0..8 * tests::effort() {
        let mut random = fastrand::Rng::with_seed(seed);
        let lasting = 20.0 + 180.0 * random.f64();
        let keys = keys(&mut random, &NAO, lasting);
        let text = written(&mut random, &NAO, &keys);
        let file = if text.starts_with('[') {
            "show.json"
        } else {
            "show.csv"
        };
        let show = Show::read(file, text.as_bytes()).unwrap_or_else(|it| panic!("{it}"));
        let played = play(&NAO, &show.component().expect("a component"));
        let begin = played.began + show.compiled().lead as f64 / 1e9;
        for (place, own) in &keys {
            let own: Vec<_> = own.iter().map(|it| (begin + it.0, it.1)).collect();
            for (at, row) in played.at.iter().zip(&played.commanded) {
                let Some(asked) = line(&own, at + 1e-12).filter(|_| !row[*place].is_nan()) else {
                    continue;
                };
                assert!(
                    (row[*place] - asked).abs() < 1e-6,
                    "seed {seed}: {} is sent {} at {} s, and its line is at {asked}",
                    NAO.actuators[*place].name,
                    row[*place],
                    at - begin
                );
            }
        }
    }
}

#[test]
fn the_two_keys_of_the_trial_are_a_straight_line() {
    let show = Show::read("show.csv", b"time,HeadYaw\n0,0\n10,1.5\n").expect("a show");
    let played = play(&NAO, &show.component().expect("a component"));
    let yaw = usize::from(NAO.actuator("HeadYaw").expect("it is there").0);
    let at = played.began + 1.0 + 5.0;
    let turn = played
        .at
        .iter()
        .position(|it| *it >= at - 1e-9)
        .expect("it lasts longer");
    assert!(
        (played.commanded[turn][yaw] - 0.75).abs() < 1e-6,
        "{}",
        played.commanded[turn][yaw]
    );
}

/// A command of a shipped score arrives before the key before it has passed.
#[test]
fn the_dance_follows_the_lines_between_its_keys() {
    let path = format!("{}/choreographies/dance/dance.wasm", crate::ROOT);
    let played = play(&NAO, &std::fs::read(path).expect("it is shipped"));
    let mut compared = 0;
    for place in 0..NAO.actuators.len() {
        let own = played
            .taken
            .iter()
            .filter(|it| it.1 == place)
            .map(|it| it.2);
        let mut own: Vec<Key> = own.collect();
        // The last command for an instant counts.
        own.sort_by(|a, b| a.0.total_cmp(&b.0));
        own.dedup_by(|later, earlier| {
            let same = later.0.total_cmp(&earlier.0).is_eq();
            if same {
                earlier.1 = later.1;
            }
            same
        });
        for (at, row) in played.at.iter().zip(&played.commanded) {
            let Some(asked) = line(&own, at + 1e-12).filter(|_| !row[place].is_nan()) else {
                continue;
            };
            assert!(
                (row[place] - asked).abs() < 1e-6,
                "{} is sent {} at {at} s, and its line is at {asked}",
                NAO.actuators[place].name,
                row[place]
            );
            compared += 1;
        }
    }
    assert!(compared > 100_000, "{compared}");
}

/// `trace` draws the same lines: keys from 1 ms to 100 s apart, sampled ten times a second.
#[test]
fn a_script_follows_the_lines_between_its_keys() {
    for seed in 0..8 * tests::effort() {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut keys: Vec<Key> = vec![(0.0, 0.0)];
        while keys.last().is_some_and(|it| it.0 < 200.0) && keys.len() < 200 {
            let (at, _) = keys[keys.len() - 1];
            let gap = 1e-3 * 10f64.powf(5.0 * random.f64());
            let at = ((at + gap) * 1e3).round() / 1e3;
            keys.push((at, (20.0 * random.f64() - 10.0).round() / 4.0));
        }
        let told = keys
            .iter()
            .map(|it| format!("{}:{}", (it.0 * 1e3).round(), it.1));
        let told = told.collect::<Vec<_>>().join(" ");
        let script = format!(
            "actuator A joint -10..10\nevery 100 until 200000\nat 0 shared merge A {told}\n"
        );
        let table = scripting::play(&script).unwrap_or_else(|it| panic!("seed {seed}: {it}"));
        let mut compared = 0;
        for row in table.lines() {
            let mut fields = row.split_whitespace().map(str::parse::<f64>);
            let (Some(Ok(at)), Some(Ok(sent))) = (fields.next(), fields.next()) else {
                continue;
            };
            let asked = line(&keys, at / 1e3 + 1e-9).expect("its first key is at 0");
            // The table has six decimals.
            assert!(
                (sent - asked).abs() < 2e-6,
                "seed {seed}: {sent} at {at} ms, and the line is at {asked}"
            );
            compared += 1;
        }
        assert!(compared > 1_000, "seed {seed}: {compared}");
    }
}
