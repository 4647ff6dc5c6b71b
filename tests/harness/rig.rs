//! A stage for guests: a body of joints, a board that remembers, a manager and its scheduler, and a clock
//! that is turned by hand.
//! The law: what guests do is seen at the board, as it would be on a robot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant as Clock};

use cycle::{Actuator, Cycle, Instant, Kind, LaneSettings, Ports, Report, Span, State};
use guests::{
    BodyNames, Cache, Choreography, CodeForm, Compiler, End, Grant, GuestBody, GuestError, GuestId,
    GuestLife, GuestManager, GuestScheduler, GuestSettings, GuestStatus, LoadOptions, Ticker,
    WasiAccess,
};
use scripting::memory::CycleStore;
use sensors::PageWriter;

use crate::Wire;

/// The period of a rig.
pub const PERIOD: Span = Span::from_millis(1);

/// The rig.
pub struct Rig<'r, 'm> {
    /// The cycle.
    pub cycle: &'r mut Cycle<'m>,
    /// Brings guests in.
    pub manager: &'r GuestManager,
    /// The guests in the loop.
    pub scheduler: GuestScheduler,
    page: PageWriter,
    /// The instant of the last turn.
    pub now: Instant,
    /// What the board was sent in the last turn.
    pub sent: Vec<f64>,
    /// What the board's sensors read in the next exchange.
    pub sensed: Vec<f64>,
}

/// How a rig is made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Joints; there are as many sensors, and J0's group is exclusive if there is one.
    pub joints: usize,
    /// How guests reach sensors and commands.
    pub form: CodeForm,
    /// Commands for which a guest's lane has room.
    pub room: u32,
    /// What guests are granted.
    pub grant: Grant,
    /// Whether the loop waits for scores.
    pub lockstep: Option<Duration>,
    /// Lanes.
    pub lanes: usize,
    /// Where compiling happens.
    pub compiler: Compiler,
    /// What was compiled before.
    pub cache: Cache,
    /// Whether hooks are watched by the clock on the wall as on a robot. A test machine has other things
    /// to do, and a guest that is ended for that would be nobody's fault.
    pub strict: bool,
}

/// What guests of a rig are granted: everything, and 1,000,000 fuel.
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
            compiler: Compiler::Here,
            cache: Cache::none(),
            strict: false,
        }
    }
}

/// Both forms, so that every test is for both.
pub const FORMS: [CodeForm; 2] = [CodeForm::InPlace, CodeForm::Calls];

/// A component of a module in text form. The contract's package may be written `dcm`.
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

/// What ticks behind the fuel.
enum Ticking {
    Strict(#[allow(dead_code, reason = "it ticks until it is dropped")] Ticker),
    Patient(Arc<AtomicBool>),
}

impl Drop for Ticking {
    fn drop(&mut self) {
        if let Ticking::Patient(stop) = self {
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
    Ticking::Patient(stop)
}

/// Runs `f` with a rig whose body runs.
pub fn with_rig<R>(plan: &Plan, f: impl FnOnce(&mut Rig<'_, '_>) -> R) -> R {
    let mut actuators = crate::joints(plan.joints);
    actuators.push(Actuator::new("Trigger", Kind::Trigger, 0.0, 1.0));
    let names: Vec<_> = (0..plan.joints).map(|it| format!("S{it}")).collect();
    let sensors: Vec<_> = names.iter().map(|name| crate::sensor(name)).collect();
    let body = crate::body_of(&actuators, &sensors);
    let cycle_plan = crate::plan(&body, plan.lanes, plan.room as usize);
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
        cache: plan.cache.clone(),
        lockstep: plan.lockstep,
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

impl Rig<'_, '_> {
    /// One turn, and what the manager does between turns.
    pub fn turn(&mut self) -> Report {
        let report = self.turn_alone();
        self.manager.housekeep();
        report
    }

    /// What the loop's thread does in a turn.
    pub fn turn_alone(&mut self) -> Report {
        self.now = self.now + PERIOD;
        let (sent, sensed) = (&mut self.sent, &self.sensed);
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
        self.cycle.turn(
            self.now,
            &mut Ports {
                inbox: &mut (),
                hooks: &mut self.scheduler,
                board: &mut board,
                page: &mut self.page,
            },
        )
    }

    /// So many turns.
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
        wishes: &LoadOptions,
    ) -> Result<GuestId, GuestError> {
        let choreography = self.prepare(bytes, grant)?;
        self.manager.load(&choreography, grant, wishes)
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
    pub fn guest_with(&mut self, text: &str, wishes: &LoadOptions) -> GuestId {
        let loaded = self.load(&component(text), &everything(), wishes);
        loaded.unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// What is told of a guest.
    pub fn status(&self, id: GuestId) -> GuestStatus {
        let list = self.manager.list();
        let found = list.into_iter().find(|it| it.id == id);
        found.expect("it was loaded")
    }

    /// Where a guest is, and why it ended.
    pub fn fate(&self, id: GuestId) -> (GuestLife, End) {
        let figures = self.status(id).figures;
        (figures.life, figures.end)
    }

    /// Turns until `done`, at most so many, with patience for threads beside the loop.
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
