//! The works that are counted, each as the other benches do it. Called by `main`, under valgrind.
//! What is counted is done `CALLS` times, after as much before it as makes every call like the last.

use std::hint::black_box;

use cycle::{
    ActuatorId, Command, CommandSet, Incoming, Instant, Merge, Outgoing, Request, Span, To,
};
use guests::probe::Probe;
use guests::{CodeForm, Compiler, LoadOptions, Tier};
use sensors::{PageReader, PageWriter};
use tests::busy::{busy, written_out};
use tests::rig::{Plan, Rig, component, everything, with_rig};
use tests::{Wire, bare, body, body_of, creation, joints, lane, plan, start, turn, with_cycle};
use wire::{Down, DownKind, Up, UpKind, length};

/// How often each work is done while it is counted.
pub(crate) const CALLS: u32 = 20;

const JOINTS: usize = 26;
const PERIOD: Span = Span::from_millis(1);

/// Counts what it is given to do.
type Count<'c> = &'c mut dyn FnMut(&mut dyn FnMut());

pub(crate) struct Work {
    pub(crate) name: &'static str,
    pub(crate) run: fn(Count<'_>),
}

pub(crate) const WORKS: &[Work] = &[
    work("turn, no guest", |value| turns(CodeForm::InPlace, 0, value)),
    work("turn, 1 guest", |value| turns(CodeForm::InPlace, 1, value)),
    work("turn, 8 guests", |value| turns(CodeForm::InPlace, 8, value)),
    work("turn, 8 guests by calls", |value| {
        turns(CodeForm::Calls, 8, value);
    }),
    work("turn, 26 lines sampled", lines),
    work("hook, 26 read and 26 sent", looped),
    work("hook, the same written out", straight),
    work("a command for now", |count| intake(1, count)),
    work("26 commands in a request", |value| {
        intake(JOINTS as u16, value);
    }),
    work("a frame of the page read", page),
    work("a frame down, written and read", down),
    work("a frame up, written and read", up),
];

const fn work(name: &'static str, run: fn(Count<'_>)) -> Work {
    Work { name, run }
}

fn with_guests(form: CodeForm, f: impl FnOnce(&mut Rig<'_, '_>)) {
    let plan = Plan {
        joints: JOINTS,
        guests: 10,
        compiler: Compiler::here().with_first(Tier::Good),
        ..Plan::of(form)
    };
    with_rig(&plan, f);
}

/// What the loop's thread does in a turn with so many guests, each of which reads 26 and sends 26.
fn turns(form: CodeForm, guests: usize, count: Count<'_>) {
    with_guests(form, |rig| {
        let bytes = component(&busy("pre-process", JOINTS, JOINTS));
        let made = rig.prepare(&bytes, &everything());
        let choreography = made.unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..guests {
            let options = LoadOptions::default();
            let loaded = rig.manager.load(&choreography, &everything(), &options);
            loaded.unwrap_or_else(|error| panic!("{error}"));
        }
        rig.turns(20);
        for _ in 0..CALLS {
            count(&mut || _ = rig.turn_alone());
        }
    });
}

fn looped(count: Count<'_>) {
    hook(&busy("pre-process", JOINTS, JOINTS), count);
}

fn straight(count: Count<'_>) {
    hook(&written_out("pre-process", JOINTS, JOINTS), count);
}

fn hook(text: &str, count: Count<'_>) {
    with_guests(CodeForm::InPlace, |rig| {
        let made = rig.prepare(&component(text), &everything());
        let choreography = made.unwrap_or_else(|error| panic!("{error}"));
        let body = std::sync::Arc::clone(rig.manager.guest_body());
        let mut probe = Probe::new(&body, &choreography, &everything(), rig.cycle.stage());
        for _ in 0..3 {
            probe.hook_without_stage(rig.cycle.stage());
        }
        for _ in 0..CALLS {
            count(&mut || probe.hook_without_stage(rig.cycle.stage()));
        }
    });
}

/// A turn in which every joint is on its way.
fn lines(count: Count<'_>) {
    let actuators = joints(JOINTS);
    let body = body(&actuators);
    with_cycle(&body, &plan(&body, 1, JOINTS), bare(PERIOD), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let all: Vec<_> = (0..JOINTS as u16).map(ActuatorId).collect();
        let by = cycle.stage().open(lane(JOINTS)).expect("a lane");
        let (at, values) = (now + Span::from_millis(864_000_000), vec![1.0; JOINTS]);
        let request = Request::vector(To::Many(&all), &at, &values);
        cycle.stage().submit(by, &request).expect("room");
        for _ in 0..3 {
            now = now + PERIOD;
            turn(cycle, now);
        }
        for _ in 0..CALLS {
            now = now + PERIOD;
            count(&mut || _ = turn(cycle, black_box(now)));
        }
    });
}

/// A request of one command for each of so many joints.
fn intake(wide: u16, count: Count<'_>) {
    let actuators = joints(JOINTS);
    let body = body(&actuators);
    with_cycle(&body, &plan(&body, 1, 4_096), bare(PERIOD), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let all: Vec<_> = (0..wide).map(ActuatorId).collect();
        let by = cycle.stage().open(lane(4_096)).expect("a lane");
        for call in 0..CALLS + 3 {
            now = now + PERIOD;
            turn(cycle, now);
            let command = [Command {
                at: now,
                value: f64::from(call),
            }];
            let request = Request {
                to: To::Many(&all),
                merge: Merge::Merge,
                commands: CommandSet::Same(&command),
            };
            let mut send = || _ = cycle.stage().submit(by, black_box(&request));
            match call {
                0..3 => send(),
                _ => count(&mut send),
            }
        }
    });
}

/// All values that were sent, and all sensors, added up in place.
fn page(count: Count<'_>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let actuators = joints(JOINTS);
    let names: Vec<_> = (0..JOINTS).map(|place| format!("S{place}")).collect();
    let sensors: Vec<_> = names.iter().map(|name| tests::sensor(name)).collect();
    let body = body_of(&actuators, &sensors);
    let mut writer = PageWriter::create(&path, &creation(&body, PERIOD)).expect("a page");
    let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
        back.counts.fill(out.turn as f64);
        back.answers[0].answered = true;
    });
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        for turn in 0..3 {
            let now = Instant::from_millis(1_000 + turn);
            tests::turn_shown(cycle, now, &mut board, &mut writer);
        }
    });
    let page = PageReader::open(&path).expect("a page");
    let read = || {
        page.read(|frame| {
            let sent: f64 = (0..JOINTS).filter_map(|i| frame.sent(i)).sum();
            let sensors: f64 = (0..JOINTS).filter_map(|i| frame.sensor(i)).sum();
            sent + sensors
        })
    };
    for _ in 0..CALLS {
        count(&mut || _ = black_box(read()));
    }
}

fn down(count: Count<'_>) {
    let mut bytes = vec![0; length(JOINTS, JOINTS).expect("it fits")];
    let frame = Down {
        kind: DownKind::Run,
        powered: true,
        stopped: false,
        keeps: false,
        sequence: 7,
        horizon: 200,
        boots: 1,
        outputs: &[],
    };
    for _ in 0..CALLS {
        count(&mut || {
            frame.emit(black_box(&mut bytes), JOINTS, |value| {
                (value as u16, 2 * value as u16)
            });
            let read = Down::parse(black_box(&bytes)).expect("a frame");
            let outputs = (0..read.count()).filter_map(|i| read.output(i));
            black_box(outputs.map(|output| u32::from(output.0)).sum::<u32>());
        });
    }
}

fn up(count: Count<'_>) {
    let mut bytes = vec![0; length(JOINTS, JOINTS).expect("it fits")];
    let frame = Up {
        kind: UpKind::Run,
        powered: true,
        relaxed: false,
        stopped: false,
        acknowledged: 6,
        error: 0,
        boots: 1,
        refused: None,
        clock: 123_456,
        inputs: &[],
    };
    for _ in 0..CALLS {
        count(&mut || {
            frame.emit(black_box(&mut bytes), JOINTS, |value| value as u16);
            let read = Up::parse(black_box(&bytes)).expect("a frame");
            let inputs = (0..JOINTS).filter_map(|i| read.input(i));
            black_box(inputs.map(u32::from).sum::<u32>());
        });
    }
}
