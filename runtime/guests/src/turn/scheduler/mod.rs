//! All guests of a loop, inside its turn: the port through which the cycle calls their hooks.
//! Owned by the loop's thread; reached from outside by a ring of cues, and heard by a ring of notes.
//! The law: hooks are called by priority, the highest first, and among equals the older first. A guest
//! that breaks is never called again, and nothing is freed here.

mod activity;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant as Clock};

use cycle::{Hooks, Span, Stage};
use rtrb::{Consumer, Producer, RingBuffer};

use crate::load::engine::TICK;
use crate::shared::guest_body::Scene;
use crate::shared::report::{End, Life};
use crate::shared::terms::GuestId;
use crate::turn::channel::{Cue, Note, Wings};
use crate::turn::guest::{Armed, Running};
use crate::turn::hooks::Called;
use crate::turn::inputs::{Ear, Heard};
use crate::turn::score::Playing;
use crate::turn::slot::Actor;

/// Guests at the same time.
pub const GUESTS: usize = 64;

/// Ticks that a hook is given at least: a tick may be just about to come.
const LEAST_TICKS: u64 = 3;

/// Cues that may be on their way.
const CUES: usize = 256;

/// Cues that are taken in one turn.
const CUES_PER_TURN: usize = 32;

/// How long a loop in virtual time waits for a score that thinks, unless somebody has less time.
pub const THINKING: Duration = Duration::from_secs(10);

/// The loop's end.
#[derive(Debug)]
pub struct Troupe {
    cues: Consumer<Cue>,
    notes: Producer<Note>,
    /// Who is there, in the order in which they came.
    pub(crate) actors: Vec<(u64, Actor)>,
    /// The places above, in the order in which they are called.
    order: Vec<u16>,
    order_is_old: bool,
    next_age: u64,
    scene: Arc<Scene>,
    /// How long the loop waits for scores that think.
    lockstep: Option<Duration>,
    /// Ticks of the clock that a hook may take, if it is stricter than its terms.
    ticks: Option<u64>,
    pub(crate) ear: Ear,
}

impl Troupe {
    /// A troupe and its outside end. In `lockstep` the loop waits so long for scores: in virtual time only.
    pub(crate) fn new(scene: Arc<Scene>, lockstep: Option<Duration>) -> (Troupe, Wings) {
        let (cues, cues_in) = RingBuffer::new(CUES);
        // Of each guest there are at most two, and of guests no more than there are places and cues.
        let (notes_out, notes) = RingBuffer::new(2 * (GUESTS + CUES));
        let troupe = Troupe {
            cues: cues_in,
            notes: notes_out,
            actors: Vec::with_capacity(GUESTS),
            order: Vec::with_capacity(GUESTS),
            order_is_old: false,
            next_age: 0,
            scene,
            lockstep,
            ticks: None,
            ear: Ear::default(),
        };
        (troupe, Wings { cues, notes })
    }

    /// Gives the calling thread what it needs to call guests, so that the first turn with one finds it
    /// there. To be called once by the loop's thread, which nothing interrupts if it is `real_time`: then
    /// whoever takes longer than a period is ended by the clock.
    pub fn settle(&mut self, real_time: bool) {
        wasmtime::Engine::tls_eager_initialize();
        if real_time && self.lockstep.is_none() {
            let period = self.scene.period.nanos().div_ceil(TICK.as_nanos() as u64);
            self.ticks = Some(period.max(LEAST_TICKS));
        }
    }

    /// How many guests are there.
    pub fn len(&self) -> usize {
        self.actors.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.actors.is_empty()
    }

    fn tell(&mut self, note: Note) {
        if let Err(rtrb::PushError::Full(note)) = self.notes.push(note) {
            // It cannot be: see `new`. Were it, a leak is better than freeing here.
            debug_assert!(false, "the ring of notes is full");
            std::mem::forget(note);
        }
    }

    fn take_cues(&mut self, stage: &mut Stage<'_>) {
        for _ in 0..CUES_PER_TURN {
            let Ok(cue) = self.cues.pop() else { return };
            if let Some(heard) = cue.heard() {
                self.ear.hear(heard);
            }
            match cue {
                Cue::Enter(armed) => self.add(Actor::Waiting(armed)),
                Cue::EnterScore(part) => self.add(Actor::WaitingScore(part)),
                Cue::End(id, end) => self.end(id, end, stage),
                Cue::Pause(id, paused) => {
                    if let Some(actor) = self.find(id) {
                        actor.pause(paused, stage);
                    }
                }
                Cue::Turn(id, param, value) => match self.find(id) {
                    Some(Actor::Motion(it)) => it.guest.turn_param(param, value),
                    Some(Actor::Waiting(it)) => it.0.turn_param(param, value),
                    _ => {}
                },
                Cue::Priority(id, priority) => {
                    if let Some(actor) = self.find(id) {
                        actor.set_priority(priority, stage);
                    }
                    self.order_is_old = true;
                }
                Cue::Weight(id, weight) => {
                    if let Some(actor) = self.find(id) {
                        actor.set_weight(weight, stage);
                    }
                }
                Cue::Swap(old, new, fade) => self.swap(old, new, fade, stage),
                Cue::Cut(id, hook) => {
                    if let Some(Actor::Motion(it)) = self.find(id) {
                        it.guest.cut = Some(hook);
                    }
                }
            }
        }
    }

    /// One more on the list. The director lets in no more than there are places.
    fn add(&mut self, actor: Actor) {
        debug_assert!(self.actors.len() < GUESTS);
        self.actors.push((self.next_age, actor));
        self.next_age += 1;
        self.order_is_old = true;
    }

    fn find(&mut self, id: GuestId) -> Option<&mut Actor> {
        let mut actors = self.actors.iter_mut();
        actors.find(|it| it.1.id() == id).map(|it| &mut it.1)
    }

    fn end(&mut self, id: GuestId, end: End, stage: &mut Stage<'_>) {
        if let Some(place) = self.actors.iter().position(|it| it.1.id() == id) {
            self.end_at(place, end, stage);
        }
    }

    /// Ends who is at this place; its place is kept until its lane is gone.
    fn end_at(&mut self, place: usize, end: End, stage: &mut Stage<'_>) {
        let (age, actor) = self.actors.swap_remove(place);
        self.order_is_old = true;
        let left = match actor {
            Actor::Waiting(armed) => {
                let id = armed.0.id;
                self.tell(Note::Spent(armed.forgo(end)));
                self.tell(Note::Gone(id));
                return;
            }
            Actor::WaitingScore(part) => {
                let id = part.id;
                part.report.end_by(end);
                part.report.cancel.store(true, Relaxed);
                self.tell(Note::ScoreSpent(part));
                self.tell(Note::Gone(id));
                return;
            }
            Actor::Motion(running) => {
                let (id, report) = (running.guest.id, Arc::clone(&running.guest.report));
                let (lane, spent) = running.leave(end, stage);
                self.tell(Note::Spent(spent));
                Actor::Leaving(id, report, lane)
            }
            Actor::Score(playing) => {
                let Playing { part, voice, .. } = playing;
                let lane = voice.lane;
                part.report.end_by(end);
                part.report.become_(Life::Ending);
                part.report.cancel.store(true, Relaxed);
                let _ = stage.finish(lane);
                let (id, report) = (part.id, Arc::clone(&part.report));
                self.tell(Note::ScoreSpent(part));
                Actor::Leaving(id, report, lane)
            }
            // A lane that holds is let go when it is ended once more.
            Actor::Leaving(id, report, lane) => {
                let _ = stage.end(lane, cycle::Ending::Release);
                Actor::Leaving(id, report, lane)
            }
        };
        self.actors.push((age, left));
    }

    /// Who waits comes in as soon as the body runs.
    fn let_in(&mut self, stage: &mut Stage<'_>) {
        let waits = |it: &(u64, Actor)| matches!(it.1, Actor::Waiting(_) | Actor::WaitingScore(_));
        if !self.actors.iter().any(waits) || !stage.follows() {
            return;
        }
        for place in (0..self.actors.len()).rev() {
            if !matches!(
                self.actors[place].1,
                Actor::Waiting(_) | Actor::WaitingScore(_)
            ) {
                continue;
            }
            let (age, actor) = self.actors.swap_remove(place);
            self.order_is_old = true;
            match actor {
                Actor::Waiting(mut armed) => {
                    let id = armed.0.id;
                    armed.0.terms.ticks = self.ticks.unwrap_or(armed.0.terms.ticks);
                    match armed.enter(stage) {
                        Ok(running) => self.actors.push((age, Actor::Motion(running))),
                        Err(spent) => {
                            self.tell(Note::Spent(spent));
                            self.tell(Note::Gone(id));
                        }
                    }
                }
                Actor::WaitingScore(part) => match part.enter(stage) {
                    Ok(playing) => self.actors.push((age, Actor::Score(playing))),
                    Err(part) => {
                        let id = part.id;
                        self.tell(Note::ScoreSpent(part));
                        self.tell(Note::Gone(id));
                    }
                },
                other => self.actors.push((age, other)),
            }
        }
    }

    /// One version takes over from another, at the edge of this turn.
    fn swap(&mut self, old: GuestId, mut new: Armed, fade: Span, stage: &mut Stage<'_>) {
        let Some(place) = self.actors.iter().position(|it| it.1.id() == old) else {
            return self.add(Actor::Waiting(new));
        };
        let running = match &mut self.actors[place].1 {
            Actor::Motion(running) => running,
            other => {
                if let Actor::Waiting(old) = other {
                    new.follow(old.0.terms.lane.priority, old.0.terms.paused);
                }
                self.end_at(place, End::Swapped, stage);
                return self.add(Actor::Waiting(new));
            }
        };
        new.follow(running.voice.priority, running.voice.paused);
        let terms = &mut new.0.terms;
        terms.lane.fade_in = fade;
        terms.ticks = self.ticks.unwrap_or(terms.ticks);
        let id = new.0.id;
        match new.enter(stage) {
            Err(spent) => {
                self.tell(Note::Spent(spent));
                self.tell(Note::Gone(id));
            }
            Ok(mut entered) => {
                entered.inherit(running, stage);
                let _ = stage.set_fade_out(running.voice.lane, fade);
                self.end_at(place, End::Swapped, stage);
                self.add(Actor::Motion(entered));
            }
        }
    }

    /// In virtual time, waits until every score has said what it has to say until now; never again for one
    /// that has let it wait in vain.
    fn wait_for_scores(&mut self) {
        let Some(thinking) = self.lockstep else {
            return;
        };
        let until = Clock::now() + thinking;
        for (_, actor) in &mut self.actors {
            let Actor::Score(playing) = actor else {
                continue;
            };
            let nap = &playing.part.nap;
            while !playing.given_up && nap.is_thinking() {
                std::thread::yield_now();
                playing.given_up = Clock::now() > until;
            }
        }
    }

    fn sort(&mut self) {
        if !std::mem::take(&mut self.order_is_old) {
            return;
        }
        self.order.clear();
        self.order
            .extend((0..self.actors.len()).map(|it| it as u16));
        let key = |place: &u16| {
            let (age, actor) = &self.actors[usize::from(*place)];
            (-actor.priority(), *age)
        };
        self.order.sort_unstable_by(|a, b| {
            let ((a, older), (b, younger)) = (key(a), key(b));
            a.total_cmp(&b).then(older.cmp(&younger))
        });
    }

    /// Calls everyone in order; who ends is taken off the list before anybody is called again.
    fn each(
        &mut self,
        stage: &mut Stage<'_>,
        mut call: impl FnMut(&mut Actor, &mut Stage<'_>, &mut Ear) -> Called,
    ) {
        self.sort();
        let mut ended = [(GuestId(0), End::None); GUESTS];
        let mut count = 0;
        for at in 0..self.order.len() {
            let place = usize::from(self.order[at]);
            let actor = &mut self.actors[place].1;
            let before = actor.priority();
            let end = match call(actor, stage, &mut self.ear) {
                Called::Well => {
                    self.order_is_old |= actor.priority().total_cmp(&before).is_ne();
                    continue;
                }
                Called::Over => End::Finished,
                Called::Badly(end) => end,
            };
            ended[count] = (actor.id(), end);
            count += 1;
        }
        for (id, end) in &ended[..count] {
            self.end(*id, *end, stage);
        }
    }

    /// Takes those off the list whose lanes are gone.
    fn clear_out(&mut self, stage: &Stage<'_>) {
        for place in (0..self.actors.len()).rev() {
            let Actor::Leaving(id, report, lane) = &self.actors[place].1 else {
                continue;
            };
            if stage.life(*lane).is_none() {
                let id = *id;
                report.become_(Life::Gone);
                self.actors.swap_remove(place);
                self.order_is_old = true;
                self.tell(Note::Gone(id));
            }
        }
    }
}

/// What the clock has done to a guest is heard: it does not follow from what the guest was given.
fn noted(called: Called, running: &Running, ear: &mut Ear) -> Called {
    if let Called::Badly(End::TooLong) = called {
        ear.hear(Heard::Cut(running.guest.id, running.guest.last));
    }
    called
}

impl Hooks for Troupe {
    fn pre_process(&mut self, stage: &mut Stage<'_>) {
        self.scene.bus.turn();
        self.ear.begin();
        self.clear_out(stage);
        self.take_cues(stage);
        self.let_in(stage);
        self.wait_for_scores();
        self.each(stage, |actor, stage, ear| match actor {
            Actor::Motion(running) if running.finished => Called::Over,
            Actor::Motion(running) if !running.voice.paused => {
                noted(running.pre_process(stage), running, ear)
            }
            Actor::Score(playing) => playing.play(stage, ear),
            _ => Called::Well,
        });
    }

    fn post_process(&mut self, stage: &mut Stage<'_>) {
        self.each(stage, |actor, stage, ear| match actor {
            Actor::Score(playing) => playing.see(stage),
            Actor::Motion(running) if !running.voice.paused => {
                let called = match running.post_process(stage) {
                    Called::Well => running.is_alive(stage),
                    other => other,
                };
                noted(called, running, ear)
            }
            _ => Called::Well,
        });
    }
}
