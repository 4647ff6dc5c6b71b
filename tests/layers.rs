//! Shows over one another: each joint follows those shows that may drive it, the one of the highest priority first, and
//! the mean of those of equal priority by their weights. The test computes that from the lists of keys alone.

use std::fmt::Write;

use cycle::{Instant, Ports, State};
use guests::{CodeForm, Compiler, GuestLife, LoadOptions};
use robot::guest_service::{GuestService, GuestServiceSettings, StartedGuests};
use robot::live::{SharedSim, assemble, private_page};
use robot::show::Show;
use tests::play::NAO;

/// How long a show lasts, s, and how far its keys are apart.
const LASTING: f64 = 4.0;
const APART: f64 = 0.25;

/// A show at random, and how it is loaded.
struct Layer {
    /// The values of each joint that it moves, at each key.
    lines: Vec<(usize, Vec<f64>)>,
    priority: f64,
    weight: f64,
    mask: Option<Vec<u32>>,
}

impl Layer {
    fn random(random: &mut fastrand::Rng) -> Layer {
        let joints = NAO.actuators.iter().enumerate();
        let joints = joints.filter(|joint| joint.1.kind == cycle::Kind::Joint);
        let keys = (LASTING / APART) as usize + 1;
        let mut lines = Vec::new();
        for (place, joint) in joints {
            if random.u8(..3) == 0 {
                continue;
            }
            let (low, high) = (joint.range.min, joint.range.max);
            let value = |_| ((low + (high - low) * random.f64()) * 1e4).round() / 1e4;
            let values = (0..keys).map(value).map(|range| range.clamp(low, high));
            lines.push((place, values.collect()));
        }
        let mask = random.bool().then(|| {
            let all = 0..NAO.actuators.len() as u32;
            all.filter(|_| random.u8(..3) > 0).collect()
        });
        Layer {
            lines,
            priority: [5.0, 10.0, 20.0][random.usize(..3)],
            weight: [1.0, 0.5, 0.25][random.usize(..3)],
            mask,
        }
    }

    /// As a file.
    fn text(&self) -> String {
        let mut text = "actuator,time,value\n".to_owned();
        for (place, values) in &self.lines {
            for (key, value) in values.iter().enumerate() {
                let name = &NAO.actuators[*place].name;
                let _ = writeln!(text, "{name},{},{value}", key as f64 * APART);
            }
        }
        text
    }

    /// What it asks of an actuator at this place of the show, s.
    fn asks(&self, actuator: usize, at: f64) -> Option<f64> {
        let may = |mask: &Vec<u32>| mask.contains(&(actuator as u32));
        let (_, values) = self.lines.iter().find(|line| line.0 == actuator)?;
        let next = ((at / APART) as usize + 1).min(values.len() - 1);
        let share = at / APART - (next - 1) as f64;
        let value = values[next - 1] + (values[next] - values[next - 1]) * share;
        self.mask.as_ref().is_none_or(may).then_some(value)
    }
}

/// What all of them together ask of an actuator, each at a place of its own.
fn expected(layers: &[Layer], places: &[f64], actuator: usize) -> Option<f64> {
    let asked = layers.iter().zip(places);
    let asked: Vec<_> = asked
        .filter_map(|(layer, at)| Some((layer, layer.asks(actuator, *at)?)))
        .collect();
    // From the highest level down, each takes a share of what those above have left.
    let mut levels: Vec<_> = asked.iter().map(|pair| pair.0.priority).collect();
    levels.sort_by(|a, b| b.total_cmp(a));
    levels.dedup();
    let (mut left, mut sum, mut covered) = (1.0, 0.0, 0.0);
    for priority in levels {
        let level = || asked.iter().filter(|pair| pair.0.priority == priority);
        let weights: f64 = level().map(|level| level.0.weight).sum();
        let mean = level().map(|level| level.0.weight * level.1).sum::<f64>() / weights;
        let rest = left * level().map(|level| 1.0 - level.0.weight).product::<f64>();
        sum += (left - rest) * mean;
        covered += left - rest;
        left = rest;
    }
    (covered > 0.0).then(|| sum / covered)
}

#[test]
fn shows_over_one_another_share_the_joints_by_mask_priority_and_weight() {
    for seed in 0..2 * tests::effort() {
        let mut random = fastrand::Rng::with_seed(seed);
        let count = random.usize(2..5);
        let layers: Vec<_> = (0..count).map(|_| Layer::random(&mut random)).collect();
        let compared = play(&layers, seed);
        assert!(compared > 1_000, "seed {seed}: only {compared} values");
    }
}

/// Plays all of them at once, and compares what is commanded; how many values.
fn play(layers: &[Layer], seed: u64) -> u64 {
    let mut page = private_page(&NAO).expect("memory");
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
    } = GuestService::start(&NAO, page.window(), manner).expect("engines");
    let mut shows = Vec::new();
    for layer in layers {
        let show = Show::read("show.csv", layer.text().as_bytes()).expect("a sound show");
        let options = LoadOptions {
            priority: Some(layer.priority),
            weight: Some(layer.weight),
            mask: layer.mask.clone(),
            ..LoadOptions::default()
        };
        let bytes = show.component().expect("a component");
        let entered = service.load(&bytes, None, options).expect("a sound show");
        let report = service.manager().report(entered.id).expect("it is there");
        shows.push((report, show.compiled().lead as f64 / 1e9, None));
    }
    let period = NAO.settings.period;
    let mut compared = 0;
    let played = assemble(&NAO, |cycle, sim| {
        for turn in 1..2_000 {
            let now = Instant::from_nanos(period.nanos() * turn);
            let mut ports = Ports {
                inbox: &mut (),
                hooks: &mut scheduler,
                board: &mut SharedSim(sim),
                page: &mut page,
            };
            if cycle.turn(now, &mut ports).state == State::Disarmed {
                let _ = cycle.stage().arm();
            }
            service.manager().housekeep();
            let now = now.nanos() as f64 / 1e9;
            let mut places = Vec::new();
            for (report, lead, began) in &mut shows {
                if report.figures().life == GuestLife::Running {
                    places.push(now - *began.get_or_insert(now) - *lead);
                }
            }
            let is_inside = |value: &f64| (0.0..LASTING).contains(value);
            if places.len() < layers.len() || !places.iter().all(is_inside) {
                continue;
            }
            for (actuator, track) in cycle.view().tracks.iter().enumerate() {
                let Some(value) = expected(layers, &places, actuator) else {
                    continue;
                };
                let name = &NAO.actuators[actuator].name;
                assert!(
                    (track.commanded - value).abs() < 1e-6,
                    "seed {seed}: {name} is at {} and not at {value}, {places:?} s",
                    track.commanded
                );
                compared += 1;
            }
        }
    });
    played.expect("a sound robot");
    compared
}
