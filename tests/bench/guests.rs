//! What guests cost. `cargo bench -p tests --bench guests`; `tests/bench/guests.sh` adds another runtime for
//! comparison.
//!
//! A hook beside the bare call of the same function with the same settings of wasmtime; in both forms; turns with many
//! guests; from bytes to running. Medians of alternating rounds, so that other load on the machine affects all of them.
//! With `--test` everything runs once, and nothing is measured.

use std::sync::Arc;
use std::time::{Duration, Instant};

use guests::probe::Probe;
use guests::{CodeForm, LoadOptions};
use tests::busy::{NativeHooks, busy, written_out};
use tests::rig::{FORMS, Plan, Rig, component, everything, full_names, with_rig};

/// Joints of the body, and sensors.
const JOINTS: usize = 26;

struct Effort {
    rounds: usize,
    calls: u32,
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let effort = if quick {
        Effort {
            rounds: 1,
            calls: 10,
        }
    } else {
        Effort {
            rounds: 31,
            calls: 20_000,
        }
    };
    let [sets, written, upload] = [
        busy("pre-process", 0, JOINTS),
        written_out("pre-process", 0, JOINTS),
        busy("pre-process", JOINTS, JOINTS),
    ];
    let files = [
        ("MODULE", sets, false),
        ("WRITTEN", written, false),
        ("UPLOAD", upload, true),
    ];
    for (key, text, whole) in files {
        if let Some(path) = std::env::var_os(key) {
            let bytes = if whole {
                component(&text)
            } else {
                wat::parse_str(full_names(&text)).expect("a module")
            };
            std::fs::write(path, bytes).expect("a file");
        }
    }
    hooks(&effort);
    turns(&effort);
    native_turns(&effort);
    arrivals(&effort);
}

fn plan(form: CodeForm) -> Plan {
    Plan {
        joints: JOINTS,
        form,
        lanes: 64,
        ..Plan::of(form)
    }
}

/// The median of these, ns.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// How long a call takes, ns.
fn time(calls: u32, mut call: impl FnMut()) -> f64 {
    let begun = Instant::now();
    (0..calls).for_each(|_| call());
    begun.elapsed().as_nanos() as f64 / f64::from(calls)
}

fn probe(rig: &mut Rig<'_, '_>, text: &str) -> Probe {
    let made = rig.prepare(&component(text), &everything());
    let choreography = made.unwrap_or_else(|error| panic!("{error}"));
    let guest_body = Arc::clone(rig.manager.guest_body());
    Probe::new(&guest_body, &choreography, &everything(), rig.cycle.stage())
}

/// One hook, ns: bare, as the scheduler calls it, and with the cost of its commands in the stage.
fn hooks(effort: &Effort) {
    println!("one hook, ns                      bare      hook  hook/bare  and stage");
    for form in FORMS {
        for (name, text) in [
            ("nothing", busy("pre-process", 0, 0)),
            ("26 sensors read", busy("pre-process", JOINTS, 0)),
            ("26 commands sent", busy("pre-process", 0, JOINTS)),
            ("26 read and 26 sent", busy("pre-process", JOINTS, JOINTS)),
            (
                "26 sent, written out",
                written_out("pre-process", 0, JOINTS),
            ),
            (
                "26+26, written out",
                written_out("pre-process", JOINTS, JOINTS),
            ),
        ] {
            with_rig(&plan(form), |rig| {
                let mut probe = probe(rig, &text);
                let stage = rig.cycle.stage();
                let (mut bare, mut hook, mut whole) = (vec![], vec![], vec![]);
                for _ in 0..effort.rounds {
                    probe.fill_up();
                    bare.push(time(effort.calls, || probe.bare()));
                    hook.push(time(effort.calls, || probe.hook_without_stage(stage)));
                    // So few that each actuator's timeline has room for them.
                    whole.push(time(effort.calls.min(10), || probe.hook(stage)));
                }
                let [bare, hook, whole] = [bare, hook, whole].map(median);
                println!(
                    "{:<10} {name:<20} {bare:>8.0}  {hook:>8.0}  {:>9.2}  {whole:>9.0}",
                    form.name(),
                    hook / bare
                );
            });
        }
    }
}

/// Turns with many guests, each of which reads and sends 26 values.
fn turns(effort: &Effort) {
    println!(
        "\nguests in a turn      0        1        4       16       63  (26 read and 26 sent each), µs"
    );
    for form in FORMS {
        let row = [0, 1, 4, 16, 63].map(|guests| {
            with_rig(&plan(form), |rig| {
                let bytes = component(&busy("pre-process", JOINTS, JOINTS));
                let made = rig.prepare(&bytes, &everything());
                let choreography = made.unwrap_or_else(|error| panic!("{error}"));
                for _ in 0..guests {
                    let manager = rig.manager;
                    let loaded =
                        manager.load(&choreography, &everything(), &LoadOptions::default());
                    loaded.unwrap_or_else(|error| panic!("{error}"));
                }
                rig.turns(100);
                let rounds = 0..effort.rounds;
                let times = rounds.map(|_| time(effort.calls.min(200), || _ = rig.turn_alone()));
                median(times.collect()) / 1e3
            })
        });
        let row: String = row.iter().map(|figure| format!("{figure:>9.1}")).collect();
        println!("{:<13}{row}", form.name());
    }
}

/// What a turn costs without guests.
fn native_turns(effort: &Effort) {
    let row = [0, 1, 4, 16, 63].map(|lanes| {
        with_rig(&plan(CodeForm::InPlace), |rig| {
            let mut hooks = NativeHooks::open(rig.cycle.stage(), lanes, JOINTS);
            let rounds = 0..effort.rounds;
            let calls = effort.calls.min(200);
            let times = rounds.map(|_| time(calls, || _ = rig.turn_of(&mut hooks)));
            median(times.collect()) / 1e3
        })
    });
    let row: String = row.iter().map(|figure| format!("{figure:>9.1}")).collect();
    println!("{:<13}{row}", "native");
}

/// From bytes to a running guest: compiled, and from the cache.
fn arrivals(effort: &Effort) {
    println!("\nfrom bytes to running, ms");
    for form in FORMS {
        with_rig(&plan(form), |rig| {
            let bytes = component(&busy("pre-process", JOINTS, JOINTS));
            let rounds = 0..effort.rounds.min(15);
            let times = rounds.map(|_| {
                let begun = Instant::now();
                let id = rig.load(&bytes, &everything(), &LoadOptions::default());
                let id = id.unwrap_or_else(|error| panic!("{error}"));
                rig.turn();
                let took = begun.elapsed();
                rig.manager
                    .end(id)
                    .unwrap_or_else(|error| panic!("{error}"));
                rig.turns(3);
                took
            });
            let times = times.map(|duration: Duration| duration.as_secs_f64() * 1e3);
            println!("{:<10} {:>8.2}", form.name(), median(times.collect()));
        });
    }
}
