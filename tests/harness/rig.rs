//! A test rig for guests: a body of joints, a board that records, a manager and its scheduler, and a clock that the
//! test sets. What guests do is observed at the board, as on a robot.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant as Clock};

use check::CheckOptions;
use cycle::{
    Actuator, Cycle, Gains, Hooks, Instant, Kind, LaneSettings, Ports, Report, SensorId, Span,
    State,
};
use guests::{
    BodyNames, Cache, Choreography, CodeForm, Compiler, End, Grant, GuestBody, GuestError, GuestId,
    GuestLife, GuestManager, GuestScheduler, GuestSettings, GuestStatus, LoadOptions, Ticker, Tier,
    WasiAccess,
};
use recording::ReplayOptions;
use scripting::memory::CycleStore;
use sensors::PageWriter;

use crate::{Wire, effort};

/// The period of a rig.
pub const PERIOD: Span = Span::from_millis(1);

/// The rig.
pub struct Rig<'r, 'm> {
    /// The cycle.
    pub cycle: &'r mut Cycle<'m>,
    /// Admits guests.
    pub manager: &'r GuestManager,
    /// The scheduler of the guests in the loop.
    pub scheduler: GuestScheduler,
    page: PageWriter,
    /// The instant of the last turn.
    pub now: Instant,
    /// What was sent to the board in the last turn.
    pub sent: Vec<f64>,
    /// What the board's sensors read in the next exchange.
    pub sensed: Vec<f64>,
}

/// The settings of a rig.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of joints, and of sensors. If there is a group rule, J0 is in that group.
    pub joints: usize,
    /// How guests reach sensors and commands.
    pub form: CodeForm,
    /// The room for commands in a guest's lane.
    pub room: u32,
    /// The grant of guests.
    pub grant: Grant,
    /// Whether the loop waits for scores.
    pub lockstep: Option<Duration>,
    /// The number of lanes.
    pub lanes: usize,
    /// The most guests at the same time.
    pub guests: usize,
    /// Compiles components.
    pub compiler: Compiler,
    /// The cache of compiled code.
    pub cache: Cache,
    /// Whether hooks have a deadline by the real clock, as on a robot. On a busy test machine that would end guests
    /// that did nothing wrong.
    pub strict: bool,
    /// Whether each joint has its sensor: then what it reads counts.
    pub measured: bool,
    /// The gains of each joint, if they have any.
    pub gains: Option<Gains>,
}

/// Machine code that the tests of this program have compiled.
pub fn shared_cache() -> Cache {
    static SHARED: LazyLock<Cache> = LazyLock::new(Cache::in_memory);
    SHARED.clone()
}

/// The usual terms of a check, with the shared cache.
pub fn check_options() -> CheckOptions {
    CheckOptions {
        cache: shared_cache(),
        ..CheckOptions::default()
    }
}

/// A compiler in this process; it optimises where the promises are tested at length.
fn compiler() -> Compiler {
    let first = if effort() > 1 {
        Tier::Good
    } else {
        Tier::USUAL
    };
    Compiler::here().with_first(first)
}

/// The usual terms of a replay, with the shared cache.
pub fn replay_options() -> ReplayOptions {
    ReplayOptions {
        cache: shared_cache(),
        ..ReplayOptions::default()
    }
}

/// The grant of guests in a rig: everything, and 1,000,000 fuel.
pub fn everything() -> Grant {
    Grant {
        fuel: 1_000_000,
        memory: 16 << 20,
        priority: 100.0,
        actuators: None,
        wasi: WasiAccess::default(),
    }
}

impl Plan {
    /// A few joints, and guests of this form.
    pub fn of(form: CodeForm) -> Plan {
        Plan {
            joints: 4,
            form,
            room: 4096,
            grant: everything(),
            lockstep: Some(guests::THINKING),
            lanes: 16,
            guests: guests::GUESTS,
            compiler: compiler(),
            cache: shared_cache(),
            strict: false,
            measured: false,
            gains: None,
        }
    }
}

/// Both forms, so that every test runs with both.
pub const FORMS: [CodeForm; 2] = [CodeForm::InPlace, CodeForm::Calls];

/// A component from a module in text form, in which the contract's package may be written `dcm`.
pub fn component(text: &str) -> Vec<u8> {
    let text = full_names(text);
    let module = wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    guests::componentize(&module).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The text with the contract's full names: `"dcm/commands"` is `"dcm:choreography/commands@0.1.0"`.
pub fn full_names(text: &str) -> String {
    let mut full = String::new();
    for (place, part) in text.split("\"dcm/").enumerate() {
        if place == 0 {
            full.push_str(part);
            continue;
        }
        let (name, rest) = part.split_once('"').expect("a closing quote");
        full.push_str(&format!("\"dcm:choreography/{name}@0.1.0\"{rest}"));
    }
    full
}

/// The clock that interrupts guests beside their fuel: as the runtime sets it, or so slow that a loaded machine
/// interrupts no guest.
enum Ticking {
    Strict(#[allow(dead_code, reason = "it ticks until it is dropped")] Ticker),
    Lenient(Arc<AtomicBool>),
}

impl Drop for Ticking {
    fn drop(&mut self) {
        if let Ticking::Lenient(stop) = self {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

fn ticker(plan: &Plan, manager: &GuestManager) -> Ticking {
    if plan.strict {
        return Ticking::Strict(Ticker::start(manager.engines(), || {}).expect("a thread"));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let (stopped, engines) = (Arc::clone(&stop), manager.engines().clone());
    std::thread::spawn(move || {
        for tick in 1u64.. {
            std::thread::sleep(Duration::from_millis(1));
            engines.scores.increment_epoch();
            if tick.is_multiple_of(200) {
                engines.hooks.increment_epoch();
            }
            if stopped.load(Ordering::Relaxed) {
                return;
            }
        }
    });
    Ticking::Lenient(stop)
}

/// Calls `f` with a rig whose body runs.
pub fn with_rig<R>(plan: &Plan, f: impl FnOnce(&mut Rig<'_, '_>) -> R) -> R {
    let mut actuators = crate::joints(plan.joints);
    for (place, joint) in actuators.iter_mut().enumerate() {
        joint.sensor = plan.measured.then_some(SensorId(place as u16));
        joint.gains = plan.gains;
    }
    actuators.push(Actuator::new("Trigger", Kind::Trigger, 0.0, 1.0));
    let names: Vec<_> = (0..plan.joints).map(|i| format!("S{i}")).collect();
    let sensors: Vec<_> = names.iter().map(|name| crate::sensor(name)).collect();
    let body = crate::body_of(&actuators, &sensors);
    let cycle_plan = cycle::Plan {
        followed: 64,
        ..crate::plan(&body, plan.lanes, plan.room as usize)
    };
    let mut store = CycleStore::new(&cycle_plan);
    let settings = crate::bare(PERIOD);
    let mut cycle = Cycle::new(&body, &cycle_plan, store.lend(), settings).expect("a sound body");
    let page = PageWriter::private(&crate::creation(&body, PERIOD)).expect("memory");
    let names = BodyNames {
        actuators: vec![("First".to_owned(), 0)],
        sensors: vec![("FirstSensor".to_owned(), 0)],
        aliases: vec![("Both".to_owned(), vec![0, 1])],
    };
    let guest_body = Arc::new(GuestBody::new(&body, names, PERIOD, page.window()));
    let lane = LaneSettings {
        room: plan.room,
        ..LaneSettings::STANDARD
    };
    let settings = GuestSettings {
        form: plan.form,
        compiler: plan.compiler.clone(),
        // Other tests take the processors meanwhile, and a compiler stands behind everything else.
        budget: guests::CompileBudget {
            time: Some(std::time::Duration::from_secs(60)),
            memory: None,
        },
        cache: plan.cache.clone(),
        lockstep: plan.lockstep,
        logged: false,
        guests: plan.guests,
        lane,
    };
    let (manager, scheduler) = GuestManager::new(guest_body, settings).expect("engines");
    let _ticker = ticker(plan, &manager);
    let mut rig = Rig {
        cycle: &mut cycle,
        manager: &manager,
        scheduler,
        page,
        now: Instant::ZERO,
        sent: vec![0.0; actuators.len()],
        sensed: vec![0.0; plan.joints],
    };
    for _ in 0..100 {
        rig.turn();
        match rig.cycle.stage().state() {
            State::Disarmed => drop(rig.cycle.stage().arm()),
            State::Running => return f(&mut rig),
            _ => {}
        }
    }
    panic!("the body did not start");
}

fn turn(
    cycle: &mut Cycle<'_>,
    now: Instant,
    hooks: &mut impl Hooks,
    (sent, sensed): (&mut [f64], &[f64]),
    page: &mut PageWriter,
) -> Report {
    let mut board = Wire(
        |out: &cycle::Outgoing<'_>, back: &mut cycle::Incoming<'_>| {
            for (kept, target) in sent.iter_mut().zip(out.targets) {
                *kept = target.counts;
            }
            back.counts.copy_from_slice(sensed);
            back.answers[0].answered = true;
            back.answers[0].acknowledged = out.turn;
        },
    );
    cycle.turn(
        now,
        &mut Ports {
            inbox: &mut (),
            hooks,
            board: &mut board,
            page,
        },
    )
}

impl Rig<'_, '_> {
    /// Makes one turn, and what the manager does between turns.
    pub fn turn(&mut self) -> Report {
        let report = self.turn_alone();
        self.manager.housekeep();
        report
    }

    /// What the loop's thread does in a turn.
    pub fn turn_alone(&mut self) -> Report {
        self.now = self.now + PERIOD;
        let wires = (&mut self.sent[..], &self.sensed[..]);
        turn(
            self.cycle,
            self.now,
            &mut self.scheduler,
            wires,
            &mut self.page,
        )
    }

    /// The same with these hooks instead of guests.
    pub fn turn_of(&mut self, hooks: &mut impl Hooks) -> Report {
        self.now = self.now + PERIOD;
        let wires = (&mut self.sent[..], &self.sensed[..]);
        turn(self.cycle, self.now, hooks, wires, &mut self.page)
    }

    /// Makes this many turns.
    pub fn turns(&mut self, count: usize) {
        for _ in 0..count {
            self.turn();
        }
    }

    /// Loads a choreography.
    pub fn load(
        &mut self,
        bytes: &[u8],
        grant: &Grant,
        options: &LoadOptions,
    ) -> Result<GuestId, GuestError> {
        let choreography = self.prepare(bytes, grant)?;
        self.manager.load(&choreography, grant, options)
    }

    /// Makes a choreography.
    pub fn prepare(&self, bytes: &[u8], grant: &Grant) -> Result<Choreography, GuestError> {
        self.manager
            .prepare(bytes, grant)
            .map_err(GuestError::Prepare)
    }

    /// Loads a guest in text form, with everything granted.
    pub fn guest(&mut self, text: &str) -> GuestId {
        self.guest_with(text, &LoadOptions::default())
    }

    /// Loads a guest in text form.
    pub fn guest_with(&mut self, text: &str, options: &LoadOptions) -> GuestId {
        let loaded = self.load(&component(text), &everything(), options);
        loaded.unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// The status of a guest.
    pub fn status(&self, id: GuestId) -> GuestStatus {
        let list = self.manager.list();
        let found = list.into_iter().find(|item| item.id == id);
        found.expect("it was loaded")
    }

    /// In which phase of its life a guest is, and why it ended.
    pub fn fate(&self, id: GuestId) -> (GuestLife, End) {
        let figures = self.status(id).figures;
        (figures.life, figures.end)
    }

    /// Makes turns until `done`, at most this many, and waits for threads beside the loop.
    pub fn until(&mut self, turns: usize, mut done: impl FnMut(&mut Self) -> bool) {
        let until = Clock::now() + Duration::from_secs(20);
        for _ in 0..turns {
            if done(self) {
                return;
            }
            assert!(Clock::now() < until, "it took too long by the clock");
            self.turn();
        }
        assert!(done(self), "not within {turns} turns");
    }
}
