//! Shows move every joint along the straight lines between their keys, however far these are apart and however they are
//! written. The test draws the lines from the list of keys and knows nothing of how they are sent.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use cycle::{Instant, Ports, State};
use description::Robot;
use guests::{CodeForm, Compiler, LoadOptions};
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
    /// The first turn in which it played.
    first: usize,
}

/// What may change a parameter before a turn.
type Tuner<'t> = dyn FnMut(usize, &[f64]) -> Option<(String, f64)> + 't;

/// Plays these bytes in virtual time until they end.
fn play(robot: &Arc<Robot>, bytes: &[u8]) -> Played {
    play_tuned(robot, bytes, BTreeMap::new(), &mut |_, _| None)
}

/// Plays these bytes with these parameters in virtual time until they end. Before every turn in which they play,
/// `tunes` sees how many there were and what was sent in the last one, and may change parameters.
fn play_tuned(
    robot: &Arc<Robot>,
    bytes: &[u8],
    params: BTreeMap<String, f64>,
    tunes: &mut Tuner<'_>,
) -> Played {
    let mut page = private_page(robot).expect("memory");
    let manner = GuestServiceSettings {
        form: CodeForm::InPlace,
        lockstep: Some(guests::THINKING),
        logged: false,
        compiler: Compiler::here(),
        cache: tests::rig::shared_cache(),
    };
    let StartedGuests {
        service,
        mut scheduler,
        ..
    } = GuestService::start(robot, page.window(), manner).expect("engines");
    let entered = service
        .load(
            bytes,
            Some("played"),
            LoadOptions {
                params: params.into_iter().collect(),
                ..LoadOptions::default()
            },
        )
        .expect("a sound show");
    let report = service.manager().report(entered.id).expect("it is there");
    let period = robot.settings.period;
    let mut played = Played {
        at: Vec::new(),
        commanded: Vec::new(),
        taken: Vec::new(),
        began: 0.0,
        first: 0,
    };
    let options = AssembleOptions {
        taken: 65_536,
        ..AssembleOptions::default()
    };
    assemble_with(robot, options, |cycle, sim| {
        let mut came_in = false;
        let (mut turns, mut sent) = (0, Vec::new());
        for turn in 1.. {
            let now = Instant::from_nanos(period.nanos() * turn);
            if came_in {
                if let Some((name, value)) = tunes(turns, &sent) {
                    let params = BTreeMap::from([(name, value)]);
                    let tuned = service.manager().tune(entered.id, &params, None, None);
                    tuned.expect("it is there");
                }
                turns += 1;
            }
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
            sent = view.tracks.iter().map(|track| track.sent).collect();
            let seconds = |instant: Instant| instant.nanos() as f64 / 1e9;
            played.at.push(seconds(now));
            played
                .commanded
                .push(view.tracks.iter().map(commanded).collect());
            let key = |taken: &cycle::Taken| {
                (
                    usize::from(taken.actuator.0),
                    (seconds(taken.at), taken.taken),
                )
            };
            let taken = view.taken.iter().map(key);
            played
                .taken
                .extend(taken.map(|(actuator, key)| (seconds(now), actuator, key)));
            assert_eq!(view.taken_lost, 0);
            service.manager().housekeep();
            let plays = report.figures().life == guests::GuestLife::Running;
            if plays && !came_in {
                came_in = true;
                let world = entered.world;
                played.first = played.at.len() - 1;
                // A score starts while the last turn that it sees is the previous one; a motion in its first turn.
                played.began = match world {
                    guests::World::Score => seconds(now) - period.seconds(),
                    guests::World::Motion => seconds(now),
                };
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
    let next = keys.partition_point(|key| key.0 <= at);
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
    let joints =
        joints.filter(|joint| matches!(joint.1.kind, cycle::Kind::Joint | cycle::Kind::Hand));
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
                .map(|item| (robot.actuators[*place].name.as_str(), *item)),
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
                .map(|key| robot.actuators[key.0].name.as_str())
                .collect();
            let _ = writeln!(text, "time,{}", names.join(","));
            for (name, (at, value)) in rows {
                let fields = names.iter().map(|item| {
                    if *item == name {
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
    for seed in 0..2 * tests::effort() {
        let mut random = fastrand::Rng::with_seed(seed);
        let lasting = 20.0 + 180.0 * random.f64();
        let keys = keys(&mut random, &NAO, lasting);
        let text = written(&mut random, &NAO, &keys);
        let file = if text.starts_with('[') {
            "show.json"
        } else {
            "show.csv"
        };
        let show = Show::read(file, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let played = play(&NAO, &show.component().expect("a component"));
        let begin = played.began + show.compiled().lead as f64 / 1e9;
        for (place, own) in &keys {
            let own: Vec<_> = own.iter().map(|pair| (begin + pair.0, pair.1)).collect();
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

/// What a person expects of a player, computed from the keys alone.
struct Expected {
    keys: Vec<(usize, Vec<Key>)>,
    last: f64,
    lead: f64,
    params: BTreeMap<&'static str, f64>,
    /// s; before 0 in the lead.
    place: f64,
    /// A place was chosen in this turn, be it the same as before.
    is_sent: bool,
    is_mirrored: bool,
    /// How long it is on its way to a place that was chosen.
    way: Option<f64>,
    /// That was chosen during a pause, which does not stop it.
    is_chosen_in_pause: bool,
    /// A round has ended: so much time was left then.
    rest: Option<f64>,
    from: Vec<f64>,
    is_over: bool,
}

impl Expected {
    fn param(&self, name: &str) -> f64 {
        self.params[name]
    }

    /// The actuator that takes the values of this one, and its sign.
    fn side(&self, place: usize) -> (usize, f64) {
        let name = &NAO.actuators[place].name;
        if !self.is_mirrored {
            return (place, 1.0);
        }
        let other = match name.split_at(1) {
            ("L", rest) if rest.starts_with(char::is_uppercase) => format!("R{rest}"),
            ("R", rest) if rest.starts_with(char::is_uppercase) => format!("L{rest}"),
            _ => name.clone(),
        };
        match NAO.actuator(&other) {
            // NAO's only joint of this name turns both hips.
            None => (place, 1.0),
            Some(id) => {
                let flips = name.ends_with("Roll") || name.ends_with("Yaw");
                (usize::from(id.0), if flips { -1.0 } else { 1.0 })
            }
        }
    }

    /// Forward, where the lead passes as the body's time does.
    fn advance(&mut self, elapsed: f64, speed: f64) {
        let in_lead = elapsed.min((-self.place).max(0.0));
        self.place += in_lead + (elapsed - in_lead) * speed;
    }

    /// Plays on by this time.
    fn play(&mut self, elapsed: f64, sent: &[f64]) {
        let mut elapsed = elapsed;
        let (speed, loops) = (self.param("speed"), self.param("loop") >= 0.5);
        // The last values of a round are sent in one turn at least: the next round begins in the turn after.
        if let Some(rest) = self.rest.take().filter(|_| loops) {
            if speed > 0.0 && self.place >= self.last {
                self.from = sent.to_vec();
                self.place = -self.lead;
                elapsed += rest;
            } else if speed < 0.0 && self.place <= 0.0 {
                self.place = self.last;
                (self.way, self.from) = (Some(elapsed + rest), sent.to_vec());
                return;
            }
        }
        let by = elapsed * speed;
        if by < 0.0 && self.place < -1e-12 {
            // In the lead it has not begun: backward it begins at its end.
            (self.place, self.way, self.from) = (self.last, Some(0.0), sent.to_vec());
            return;
        }
        if by > 0.0 {
            self.advance(elapsed, speed);
        } else {
            self.place += by;
        }
        let beyond = match by {
            _ if by > 0.0 && self.place >= self.last - 1e-12 => Some(self.last),
            _ if by < 0.0 && self.place <= 1e-12 => Some(0.0),
            _ => None,
        };
        if let Some(end) = beyond {
            let rest = ((self.place - end) / speed).max(0.0);
            (self.place, self.is_over) = (end, !loops);
            self.rest = loops.then_some(rest);
        }
    }

    /// The values after this time, by actuator.
    fn turn(&mut self, elapsed: f64, sent: &[f64]) -> BTreeMap<usize, f64> {
        let mut elapsed = elapsed;
        let (at, mirrored) = (self.param("at"), self.param("mirror") >= 0.5);
        let is_paused = self.param("pause") >= 0.5;
        let is_new = std::mem::take(&mut self.is_sent);
        if is_new || mirrored != self.is_mirrored {
            if is_new {
                (self.place, self.is_over) = (at, false);
            }
            self.is_mirrored = mirrored;
            (self.way, self.from) = (Some(0.0), sent.to_vec());
            (self.rest, self.is_chosen_in_pause) = (None, is_paused);
        }
        self.is_chosen_in_pause &= is_paused;
        let long = self.lead.max(0.5);
        if let Some(way) = self.way.filter(|_| !is_paused || self.is_chosen_in_pause) {
            let way = way + elapsed;
            (self.way, elapsed) = (Some(way), 0.0);
            if way >= long - 1e-12 {
                let rest = way - long;
                (self.way, elapsed) = (None, if rest < 1e-9 { 0.0 } else { rest });
            }
        }
        if self.way.is_none() && !is_paused {
            self.play(elapsed, sent);
        }
        let share = self.way.map_or(1.0, |value| value / long);
        let share = share * share * (3.0 - 2.0 * share);
        let values = self.keys.iter().map(|(place, own)| {
            let (to, sign) = self.side(*place);
            let from = self.from[to];
            let (first, value) = own[0];
            let there = if self.place < first - 1e-12 {
                from + (sign * value - from) * (self.place + self.lead) / (first + self.lead)
            } else {
                sign * line(own, self.place + 1e-12).expect("not before its first key")
            };
            (to, from + (there - from) * share)
        });
        values.collect()
    }
}

/// Speed, place, pause, loop and mirror, changed at random while it plays.
#[test]
fn a_show_is_a_player() {
    let period = NAO.settings.period.seconds();
    let (mut ends, mut compared) = (0, 0);
    for seed in 0..4 * tests::effort() {
        let mut random = fastrand::Rng::with_seed(seed);
        // Slow enough for every joint, so that what is sent is what is asked.
        let mut keys = keys(&mut random, &NAO, 20.0);
        for (place, own) in &mut keys {
            let middle = NAO.actuators[*place].range;
            let middle = (middle.min + middle.max) / 2.0;
            own.dedup_by(|later, earlier| later.0 - earlier.0 < 0.05);
            own.iter_mut()
                .for_each(|pair| pair.1 = middle + (pair.1 - middle) * 0.02);
        }
        keys.retain(|key| !key.1.is_empty());
        let last = keys
            .iter()
            .map(|key| key.1[key.1.len() - 1].0)
            .fold(0.0, f64::max);
        let lead = f64::from(random.u8(0..30)) / 10.0;
        let rows = keys.iter().flat_map(|(place, own)| {
            let name = &NAO.actuators[*place].name;
            own.iter().map(move |(at, value)| {
                format!("{{\"actuator\": \"{name}\", \"time\": {at}, \"value\": {value}}}")
            })
        });
        let rows = rows.collect::<Vec<_>>().join(",");
        let text = format!("{{\"name\": \"seed\", \"lead\": {lead}, \"commands\": [{rows}]}}");
        let show =
            Show::read("show.json", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let begin = if random.bool() {
            0.0
        } else {
            (last * random.f64()).floor()
        };
        let speed = if random.bool() { 1.0 } else { -1.5 };
        let start = if begin == 0.0 && speed < 0.0 {
            last
        } else {
            begin
        };
        let mut expected = Expected {
            keys,
            last,
            lead,
            params: BTreeMap::from([
                ("speed", speed),
                ("at", begin),
                ("pause", 0.0),
                ("loop", 0.0),
                ("mirror", 0.0),
            ]),
            place: if start > 0.0 { start } else { -lead },
            is_sent: false,
            is_mirrored: false,
            way: (start > 0.0).then_some(0.0),
            is_chosen_in_pause: false,
            rest: None,
            from: Vec::new(),
            is_over: false,
        };
        let mut values = Vec::new();
        let stops = random.usize(1_000..4_000);
        let params = BTreeMap::from([("at".to_owned(), begin), ("speed".to_owned(), speed)]);
        let bytes = show.component().expect("a component");
        let played = play_tuned(&NAO, &bytes, params, &mut |turn, sent| {
            if expected.is_over {
                return None;
            }
            // In its first turn it has sent what was sent before.
            if turn == 0 {
                expected.from = sent.to_vec();
            }
            let changes: [(&'static str, f64); 5] = [
                ("speed", f64::from(random.i8(-8..=8)) / 2.0),
                (
                    "at",
                    match random.u8(0..3) {
                        0 => expected.param("at"),
                        _ => (last * random.f64() * 10.0).floor() / 10.0,
                    },
                ),
                ("pause", f64::from(random.u8(0..2))),
                ("loop", f64::from(random.u8(0..2))),
                ("mirror", f64::from(random.u8(0..2))),
            ];
            let end: [(&'static str, f64); 3] = [("loop", 0.0), ("pause", 0.0), ("speed", 4.0)];
            let change = match turn {
                _ if turn >= stops => end.get(turn - stops).copied(),
                _ if random.u8(0..60) == 0 => Some(changes[random.usize(0..5)]),
                _ => None,
            };
            if let Some((name, value)) = change {
                expected.params.insert(name, value);
                expected.is_sent = name == "at";
            }
            values.push(expected.turn(period, sent));
            change.map(|(name, value)| (name.to_owned(), value))
        });
        ends += u32::from(expected.is_over);
        for (turn, values) in values.iter().enumerate() {
            let row = &played.commanded[played.first + 1 + turn];
            for (place, value) in values {
                let name = &NAO.actuators[*place].name;
                let range = NAO.actuators[*place].range;
                let value = value.clamp(range.min, range.max);
                if row[*place].is_nan() {
                    continue;
                }
                assert!(
                    (row[*place] - value).abs() < 1e-6,
                    "seed {seed}: {name} is sent {} in turn {turn}, and it should be {value}",
                    row[*place]
                );
                compared += 1;
            }
        }
    }
    assert!(
        ends > 0 && compared > 100_000,
        "{ends} ends, {compared} values"
    );
}

/// Backward and again and again: each round goes from the end to the beginning.
/// What lies at the ends of a round is sent, at any speed and whatever turn passes it; and a round is as long as it is.
#[test]
fn every_round_of_a_loop_sends_its_first_and_its_last_values() {
    let show = Show::read("show.csv", b"time,HeadYaw\n0,0.1\n2,0.5\n").expect("a show");
    let yaw = usize::from(NAO.actuator("HeadYaw").expect("it is there").0);
    let bytes = show.component().expect("a component");
    for speed in [1.0, 3.0, 3.7, 4.0, -1.0, -2.3, -4.0] {
        let params = [("loop", 1.0), ("speed", speed)].map(|pair| (pair.0.to_owned(), pair.1));
        let played = play_tuned(&NAO, &bytes, BTreeMap::from(params), &mut |turn, _| {
            (turn == 2_000).then(|| ("loop".to_owned(), 0.0))
        });
        let values = played.commanded[played.first..]
            .iter()
            .map(|commanded| commanded[yaw]);
        let values: Vec<_> = values.collect();
        let (first, last) = if speed > 0.0 { (0.1, 0.5) } else { (0.5, 0.1) };
        let round = 2.0 / f64::abs(speed) + 1.0;
        let ends: Vec<_> = (1..values.len())
            .filter(|i| values[*i] == last && values[i - 1] != last)
            .map(|i| i as f64 * NAO.settings.period.seconds())
            .collect();
        assert!(ends.len() as f64 >= 20.0 / round - 1.0, "{speed}: {ends:?}");
        for (number, end) in ends.iter().enumerate() {
            let expected = ends[0] + number as f64 * round;
            assert!((end - expected).abs() < 0.011, "{speed}: {end} {expected}");
        }
        let firsts = values.iter().filter(|value| (**value - first).abs() < 0.03);
        assert!(firsts.count() >= ends.len(), "{speed}");
    }
}

#[test]
fn a_show_loops_backward() {
    let show = Show::read("show.csv", b"time,HeadYaw\n0,1\n4,-1\n").expect("a show");
    let yaw = usize::from(NAO.actuator("HeadYaw").expect("it is there").0);
    let params = [("loop", 1.0), ("speed", -1.0)].map(|pair| (pair.0.to_owned(), pair.1));
    let bytes = show.component().expect("a component");
    let played = play_tuned(&NAO, &bytes, BTreeMap::from(params), &mut |turn, _| {
        (turn == 3_000).then(|| ("loop".to_owned(), 0.0))
    });
    let values = played.commanded[played.first..]
        .iter()
        .map(|commanded| commanded[yaw]);
    let values: Vec<_> = values.collect();
    // A round takes 5 s, of which 1 s is the way back to the end.
    let turns = (1.0 / NAO.settings.period.seconds()).round() as usize;
    for round in 0..5 {
        for (seconds, expected) in [(1, -1.0), (3, 0.0), (5, 1.0)] {
            let is = values[(round * 5 + seconds) * turns];
            assert!(
                (is - expected).abs() < 0.03,
                "round {round}, {seconds} s: {is}"
            );
        }
    }
}

/// The last key of a step, of a joint that takes a while to get there: the show ends when it is there.
#[test]
fn a_show_ends_when_its_last_values_are_reached() {
    let text = br#"{"lead": 0, "commands": [{"actuator": "HeadYaw", "time": 0, "value": 1.5}]}"#;
    let show = Show::read("show.json", text).expect("a show");
    let yaw = usize::from(NAO.actuator("HeadYaw").expect("it is there").0);
    let mut last = 0.0;
    let bytes = show.component().expect("a component");
    play_tuned(&NAO, &bytes, BTreeMap::new(), &mut |_, sent| {
        last = sent[yaw];
        None
    });
    assert!((last - 1.5).abs() < 0.03, "{last}");
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
        .position(|value| *value >= at - 1e-9)
        .expect("it lasts longer");
    assert!(
        (played.commanded[turn][yaw] - 0.75).abs() < 1e-6,
        "{}",
        played.commanded[turn][yaw]
    );
}

/// A joint whose first key has no weight stays where it is until then.
#[test]
fn a_joint_waits_for_its_first_key_with_weight() {
    let text =
        "#MSq\nradians\nsetTime 2000\nHeadPitch 0.1\nHeadYaw 0 0\nsetTime 4000\nHeadYaw 1\n#END\n";
    let show = Show::read("show.mot", text.as_bytes()).expect("a show");
    let played = play(&NAO, &show.component().expect("a component"));
    let yaw = usize::from(NAO.actuator("HeadYaw").expect("it is there").0);
    let begin = played.began + show.compiled().lead as f64 / 1e9;
    let mut seen = 0;
    let mut from = None;
    let rows = played.at.iter().zip(&played.commanded);
    for (at, row) in rows.filter(|row| !row.1[yaw].is_nan()) {
        let share = ((at - begin - 2.0) / 2.0).clamp(0.0, 1.0);
        let from = *from.get_or_insert(row[yaw]);
        let asked = from + (1.0 - from) * share;
        seen += 1;
        assert!(
            (row[yaw] - asked).abs() < 1e-6,
            "{} at {} s, not {asked}",
            row[yaw],
            at - begin
        );
    }
    assert!(seen > 200, "{seen}");
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
            .filter(|pair| pair.1 == place)
            .map(|row| row.2);
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
    for seed in 0..2 * tests::effort() {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut keys: Vec<Key> = vec![(0.0, 0.0)];
        while keys.last().is_some_and(|key| key.0 < 200.0) && keys.len() < 200 {
            let (at, _) = keys[keys.len() - 1];
            let gap = 1e-3 * 10f64.powf(5.0 * random.f64());
            let at = ((at + gap) * 1e3).round() / 1e3;
            keys.push((at, (20.0 * random.f64() - 10.0).round() / 4.0));
        }
        let told = keys
            .iter()
            .map(|key| format!("{}:{}", (key.0 * 1e3).round(), key.1));
        let told = told.collect::<Vec<_>>().join(" ");
        let script = format!(
            "actuator A joint -10..10\nevery 100 until 200000\nat 0 shared merge A {told}\n"
        );
        let table = scripting::play(&script).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
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
