//! The cycle, and one turn of it as a straight list of steps.
//! Owned by the real-time thread, or by whoever turns the clock by hand.
//! The law: a turn cannot fail. Each step answers its own faults, and the turn has a report.

use crate::alias::Aliases;
use crate::bits;
use crate::body::{ActuatorId, Body, BodyError, Kind};
use crate::diary::{Diary, Event};
use crate::frame::{Answer, Fire, Incoming, Outgoing, Target};
use crate::limits;
use crate::memory::{Memory, Plan, TooSmall};
use crate::pool::Pool;
use crate::ports::{Board, Hooks, Inbox, Page, Ports};
use crate::safety::{Input, Manners, Readiness, Safety, State};
use crate::stage::{Stage, TurnSet, believed};
use crate::time::{Instant, Span};
use crate::timeline::Beat;
use crate::track::Track;
use crate::watch::{Link, Patience, Watch};

/// How the cycle behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The time from one turn to the next.
    pub period: Span,
    /// How long the body's own movements take.
    pub manners: Manners,
    /// How much is borne before the body reacts.
    pub patience: Patience,
}

impl Settings {
    /// The usual manners and patience at this period.
    pub fn at(period: Span) -> Settings {
        Settings { period, manners: Manners::default(), patience: Patience::at(period) }
    }
}

/// Why a cycle was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MakeError {
    /// The body is not sound.
    Body(BodyError),
    /// A slice of the memory is too short.
    Memory(TooSmall),
    /// The period is zero.
    Period,
}

/// What one turn did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// The number of the turn, counted from 1.
    pub turn: u64,
    /// Its instant.
    pub now: Instant,
    /// The time since the turn before.
    pub elapsed: Span,
    /// Whether it came late.
    pub late: bool,
    /// Whole periods that passed without a turn.
    pub missed: u64,
    /// The safety state after it.
    pub state: State,
    /// The factor on gains and stiffnesses.
    pub power: f64,
    /// Values that a limit changed.
    pub clips: u32,
    /// Triggers fired.
    pub fired: u32,
    /// Boards that did not answer.
    pub missing: u32,
}

/// What the page shows of one turn.
#[derive(Debug)]
pub struct View<'a> {
    /// The number of the turn.
    pub turn: u64,
    /// Its instant.
    pub now: Instant,
    /// The safety state.
    pub state: State,
    /// The factor on gains and stiffnesses.
    pub power: f64,
    /// Each actuator's commanded, limited and sent values, coverage, gains and clips.
    pub tracks: &'a [Track],
    /// What the boards were sent.
    pub targets: &'a [Target],
    /// The sensors in their units.
    pub sensors: &'a [f64],
    /// The triggers that fired, the earliest first.
    pub fires: &'a [Fire],
    /// The link to each board.
    pub links: &'a [Link],
    /// What happened.
    pub diary: &'a Diary<'a>,
}

/// The cycle.
pub struct Cycle<'m> {
    stage: Stage<'m>,
    settings: Settings,
    watch: Watch,
    targets: &'m mut [Target],
    counts: &'m mut [f64],
    answers: &'m mut [Answer],
    links: &'m mut [Link],
}

impl<'m> Cycle<'m> {
    /// A cycle in `boot`, over this body and this memory.
    ///
    /// # Errors
    /// [`MakeError`] names what is wrong with the body, the memory or the settings.
    pub fn new(
        body: &'m Body<'m>,
        plan: &Plan,
        memory: Memory<'m>,
        settings: Settings,
    ) -> Result<Cycle<'m>, MakeError> {
        body.check().map_err(MakeError::Body)?;
        memory.check(plan).map_err(MakeError::Memory)?;
        if settings.period == Span::ZERO {
            return Err(MakeError::Period);
        }
        let frames = memory.frames;
        let mut stage = Stage {
            body,
            beat: Beat { now: Instant::ZERO, before: Instant::ZERO },
            turn: 0,
            safety: Safety::BOOT,
            link: Readiness::default(),
            pool: Pool::new(&mut memory.commands[..plan.commands]),
            lanes: &mut memory.lanes[..plan.lanes],
            timelines: memory.timelines,
            directs: memory.directs,
            words: memory.words,
            tracks: &mut memory.tracks[..plan.actuators],
            values: &mut frames.values[..plan.sensors],
            order: memory.order,
            open: 0,
            holders: &mut memory.holders[..plan.groups],
            aliases: Aliases::new(&mut memory.aliases[..plan.aliases]),
            fires: &mut memory.fires[..plan.fires],
            fired: 0,
            diary: Diary::new(&mut memory.entries[..plan.entries]),
            next_ticket: 0,
            next_age: 0,
            promised: 0,
            forsaken: false,
        };
        for (place, actuator) in body.actuators.iter().enumerate() {
            stage.tracks[place].settle(actuator.rest);
            match actuator.kind {
                Kind::Light => bits::insert(stage.turn_set_mut(TurnSet::Lights), place),
                Kind::Stiffness { joint } => {
                    stage.tracks[joint.index()].stiffness = Some(ActuatorId(place as u16));
                }
                _ => {}
            }
        }
        Ok(Cycle {
            stage,
            settings,
            watch: Watch::new(settings.patience),
            targets: &mut frames.targets[..plan.actuators],
            counts: &mut frames.counts[..plan.sensors],
            answers: &mut frames.answers[..plan.boards],
            links: &mut frames.links[..plan.boards],
        })
    }

    /// Where lanes live, for use between turns.
    pub fn stage(&mut self) -> &mut Stage<'m> {
        &mut self.stage
    }

    /// One turn. It cannot fail; what went wrong is in the report, the diary and the page.
    pub fn turn<I: Inbox, H: Hooks, B: Board, P: Page>(
        &mut self,
        now: Instant,
        ports: &mut Ports<'_, I, H, B, P>,
    ) -> Report {
        let late = self.wake(now);
        self.adopt();
        self.stage.edge();
        ports.inbox.take_in(&mut self.stage);
        ports.hooks.pre_process(&mut self.stage);
        self.stage.sample();
        self.stage.blend();
        self.aim();
        self.limit();
        self.exchange(ports.board);
        ports.page.publish(&self.view());
        ports.hooks.post_process(&mut self.stage);
        self.judge(late);
        self.report(late)
    }

    /// What there is to see between turns.
    pub fn view(&self) -> View<'_> {
        View {
            turn: self.stage.turn,
            now: self.stage.beat.now,
            state: self.stage.safety.state,
            power: self.stage.safety.power,
            tracks: self.stage.tracks,
            targets: self.targets,
            sensors: self.stage.values,
            links: self.links,
            fires: &self.stage.fires[..self.stage.fired],
            diary: &self.stage.diary,
        }
    }

    // ---- The steps, in their order ----

    /// Takes the clock's word, unless it stood still or went back; whether the turn is late.
    fn wake(&mut self, now: Instant) -> bool {
        let stage = &mut self.stage;
        let before = if stage.turn == 0 { now.before(self.settings.period) } else { stage.beat.now };
        let now = now.max(before);
        stage.beat = Beat { now, before };
        stage.turn += 1;
        stage.diary.turn_to(now);
        if now == before {
            stage.diary.note(Event::ClockStood);
        }
        let late = now - before > self.settings.patience.late_after;
        if late {
            stage.diary.note(Event::Overrun);
        }
        late
    }

    /// A limp joint is where its sensor says: whatever moves it next starts from there.
    fn adopt(&mut self) {
        let stage = &mut self.stage;
        if stage.link.readings == 0 {
            return;
        }
        let all_limp = stage.safety.is_limp();
        for (actuator, track) in stage.body.actuators.iter().zip(stage.tracks.iter_mut()) {
            let limp = (track.limp || all_limp) && limits::is_jointed(actuator.kind);
            let Some(sensor) = actuator.sensor.filter(|_| limp) else { continue };
            let measured = stage.values[sensor.index()];
            if measured.is_finite() {
                track.settle(actuator.range.clamp(measured));
            }
        }
        for coupling in stage.body.couplings {
            let range = coupling.range_at(stage.tracks[coupling.driver.index()].limited);
            let driven = &mut stage.tracks[coupling.driven.index()];
            if (driven.limp || all_limp) && !range.holds(driven.limited) {
                driven.settle(range.clamp(driven.limited));
            }
        }
    }

    /// What each actuator shall do, by the blend and by the safety state.
    fn aim(&mut self) {
        let stage = &mut self.stage;
        let (now, manners) = (stage.beat.now, self.settings.manners);
        stage.safety.fade(now, now - stage.beat.before, &manners);
        let Safety { state, since, power } = stage.safety;
        let eased = (now - since).share_of(manners.ease_in);
        let retreated = (now - since).share_of(manners.retreat);
        let gains_asked = state == State::Running && stage.gains_were_asked();
        for (place, actuator) in stage.body.actuators.iter().enumerate() {
            let blend = stage.take_blend(place);
            if let Some(own) = actuator.gains.filter(|_| state != State::Estop) {
                let gains = if gains_asked { stage.blend_gains(place, own, now) } else { own };
                stage.tracks[place].gains = gains.scaled(power);
            }
            let track = &mut stage.tracks[place];
            track.coverage = blend.map_or(0.0, |(_, coverage)| coverage);
            let blended = blend.map(|(value, _)| value);
            track.commanded = match (actuator.kind, state) {
                (Kind::Light, _) => blended.unwrap_or(track.held),
                // A wheel that nobody drives stands still.
                (Kind::Wheel, _) => blended.unwrap_or(actuator.range.clamp(0.0)),
                (Kind::Trigger, _) => track.held,
                (_, State::Running) => {
                    blended.map_or(track.held, |value| track.on_the_way(value, eased))
                }
                (_, State::Safe) => {
                    actuator.safe.map_or(track.held, |pose| track.on_the_way(pose, retreated))
                }
                _ => track.held,
            };
        }
    }

    /// Nothing reaches the wire that has not passed here.
    fn limit(&mut self) {
        let stage = &mut self.stage;
        let frozen = stage.safety.state == State::Estop;
        let seconds = believed(stage.beat.now - stage.beat.before, self.settings.period).seconds();
        let actuators = stage.body.actuators;
        for (actuator, track) in actuators.iter().zip(stage.tracks.iter_mut()) {
            if frozen && actuator.kind != Kind::Light {
                track.freeze(actuator);
                continue;
            }
            limits::limit(actuator, track, seconds);
            if let Some(heat) = &actuator.heat {
                limits::cool(heat, stage.values[heat.sensor.index()], track);
            }
        }
        for coupling in stage.body.couplings.iter().filter(|_| !frozen) {
            limits::couple(coupling, actuators, stage.tracks, seconds);
        }
        self.round();
    }

    /// From limited values to the board's counts, and back to what these mean.
    fn round(&mut self) {
        let Stage { body, tracks, safety, .. } = &mut self.stage;
        for ((actuator, track), target) in
            body.actuators.iter().zip(tracks.iter_mut()).zip(self.targets.iter_mut())
        {
            track.round(actuator, actuator.range, safety.power, target);
        }
        for coupling in body.couplings {
            let range = coupling.range_at(tracks[coupling.driver.index()].sent);
            let place = coupling.driven.index();
            let target = &mut self.targets[place];
            tracks[place].round(&body.actuators[place], range, safety.power, target);
        }
        for place in 0..body.actuators.len() {
            if limits::is_jointed(body.actuators[place].kind) {
                let unstiff = tracks[place].stiffness.is_some_and(|it| tracks[it.index()].sent <= 0.0);
                let gainless = body.actuators[place].gains.is_some() && tracks[place].gains.is_limp();
                tracks[place].limp = safety.is_limp() || unstiff || gainless;
            }
        }
    }

    /// Sends the targets, receives the readings.
    fn exchange<B: Board>(&mut self, board: &mut B) {
        let stage = &mut self.stage;
        self.answers.fill(Answer::default());
        let out = Outgoing {
            turn: stage.turn,
            now: stage.beat.now,
            powered: !stage.safety.is_limp(),
            targets: self.targets,
            fires: &stage.fires[..stage.fired],
        };
        board.exchange(&out, &mut Incoming { counts: self.counts, answers: self.answers });
        for (place, sensor) in stage.body.sensors.iter().enumerate() {
            if self.answers[usize::from(sensor.board.0)].answered {
                stage.values[place] = sensor.calibration.value(self.counts[place]);
            }
        }
    }

    /// Judges lateness, boards and silence, and lets the safety state follow.
    fn judge(&mut self, late: bool) {
        let stage = &mut self.stage;
        let elapsed = stage.beat.now - stage.beat.before;
        let reaction =
            self.watch.judge(late, elapsed, self.answers, self.links, &mut stage.diary);
        stage.link.hear(self.links, &self.settings.manners);
        let forsaken = core::mem::take(&mut stage.forsaken).then_some(Input::Retreat);
        let ready = stage.link.booted.then_some(Input::Ready);
        let faded_in = (stage.safety.power >= 1.0).then_some(Input::FadedIn);
        for input in [reaction, forsaken, ready, faded_in].into_iter().flatten() {
            stage.enter(input);
        }
    }

    fn report(&self, late: bool) -> Report {
        let Stage { beat, tracks, safety, fired, turn, .. } = &self.stage;
        let elapsed = beat.now - beat.before;
        Report {
            turn: *turn,
            now: beat.now,
            elapsed,
            late,
            missed: (elapsed.nanos() / self.settings.period.nanos()).saturating_sub(1),
            state: safety.state,
            power: safety.power,
            clips: tracks.iter().map(|track| u32::from(track.clipped_now)).map(u32::count_ones).sum(),
            fired: *fired as u32,
            missing: self.answers.iter().filter(|answer| !answer.answered).count() as u32,
        }
    }
}
