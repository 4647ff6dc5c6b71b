//! Where lanes live: opened, weighed, asked, ended. What clients and hooks are given to hold.
//! Requests are taken in by `intake`, levels are mixed by `blend`, both on this same stage.
//! The law: a handle is checked at every call, and what changes a blend waits for the next edge.

use crate::alias::{AliasError, AliasId, Aliases};
use crate::bits;
use crate::body::{ActuatorId, Body, GroupId, Kind};
use crate::command::{Command, Refusal, Ticket};
use crate::diary::{Diary, Event};
use crate::frame::Fire;
use crate::intake::Direct;
use crate::lane::{Ending, Keep, LaneCell, LaneId, LaneSettings, Life};
use crate::memory::SETS_OF_LANE;
use crate::pool::Pool;
use crate::safety::{Readiness, Safety, State};
use crate::sheet::Sheet;
use crate::time::{Instant, Span};
use crate::timeline::{Beat, Due, Timeline, Waiting};
use crate::track::Track;

/// How many steps of work one lane may cause in one turn: commands taken in or executed, and
/// commands walked past to find their place. At a few ns a step, a twentieth of a millisecond.
pub const STEPS_PER_TURN: u32 = 16_384;

/// The sets of actuators that each lane has.
#[derive(Clone, Copy)]
pub(crate) enum Set {
    /// Commands wait.
    Waits,
    /// Its timelines contribute to the blend.
    Claims,
    /// A direct output was set for this turn.
    Directs,
    /// Gains were asked for in this turn.
    Gains,
    /// It contributed in the last blend.
    Driven,
    /// It contributed in the last blend, and nothing of it came through.
    Hidden,
}

/// The sets of actuators of the whole stage.
#[derive(Clone, Copy)]
pub(crate) enum TurnSet {
    /// Somebody contributed in this blend; between blends, seen in this request.
    Touched,
    /// Somebody contributed at the level that is being mixed.
    Level,
    /// Lights: shown whatever the safety state is.
    Lights,
}

/// Why a lane was not opened. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaneError {
    /// Every place for a lane is used.
    TableFull,
    /// Not so many commands can be promised any more.
    NoRoom {
        /// How many can.
        room: u32,
    },
    /// The priority is infinite or not a number.
    Priority,
    /// The weight is negative, infinite or not a number.
    Weight,
}

/// What waits for one actuator in one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pending {
    /// How many commands.
    pub count: u32,
    /// The next of them.
    pub next: Option<Command>,
    /// The value that this lane gives the actuator now.
    pub value: f64,
}

/// All lanes of a body, and what they may see of it.
pub struct Stage<'m> {
    pub(crate) body: &'m Body<'m>,
    pub(crate) beat: Beat,
    pub(crate) turn: u64,
    pub(crate) safety: Safety,
    pub(crate) link: Readiness,
    pub(crate) pool: Pool<'m>,
    pub(crate) lanes: &'m mut [LaneCell<'m>],
    pub(crate) timelines: &'m mut [Timeline],
    pub(crate) directs: &'m mut [Direct],
    pub(crate) words: &'m mut [u64],
    pub(crate) tracks: &'m mut [Track],
    pub(crate) values: &'m mut [f64],
    pub(crate) order: &'m mut [u16],
    pub(crate) open: usize,
    pub(crate) holders: &'m mut [Option<LaneId>],
    pub(crate) aliases: Aliases<'m>,
    pub(crate) fires: &'m mut [Fire],
    pub(crate) fired: usize,
    pub(crate) diary: Diary<'m>,
    pub(crate) next_ticket: u32,
    pub(crate) next_age: u64,
    pub(crate) promised: u32,
    /// A lane has been silent for so long that the body shall retreat.
    pub(crate) forsaken: bool,
}

impl<'m> Stage<'m> {
    // ---- What can be seen ----

    /// The instant of this turn; between turns, of the last one.
    pub fn now(&self) -> Instant {
        self.beat.now
    }

    /// The number of this turn, counted from 1.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// The body's table.
    pub fn body(&self) -> &'m Body<'m> {
        self.body
    }

    /// The safety state.
    pub fn state(&self) -> State {
        self.safety.state
    }

    /// The sensors' values in their units, as last read.
    pub fn sensors(&self) -> &[f64] {
        self.values
    }

    /// Each actuator's way through the last turn.
    pub fn tracks(&self) -> &[Track] {
        self.tracks
    }

    /// What happened.
    pub fn diary(&self) -> &Diary<'m> {
        &self.diary
    }

    // ---- Lanes ----

    /// Opens a lane. It is the youngest: among lanes of equal priority it goes last.
    ///
    /// # Errors
    /// [`LaneError`], with nothing changed.
    pub fn open(&mut self, settings: LaneSettings) -> Result<LaneId, LaneError> {
        if !settings.priority.is_finite() {
            return Err(LaneError::Priority);
        }
        if !is_weight(settings.weight) {
            return Err(LaneError::Weight);
        }
        let room = self.pool.capacity() - self.promised;
        if settings.room > room {
            return Err(LaneError::NoRoom { room });
        }
        let place = self.lanes.iter().position(|cell| cell.life.is_none());
        let place = place.ok_or(LaneError::TableFull)?;
        let id = LaneId {
            place: u16::try_from(place).map_err(|_| LaneError::TableFull)?,
            generation: self.lanes[place].generation,
        };
        let cell = &mut self.lanes[place];
        cell.life = Some(Life::Open);
        cell.settings = settings;
        cell.priority_asked = settings.priority;
        cell.weight_asked = settings.weight;
        cell.age = self.next_age;
        cell.opened_at = self.beat.now;
        cell.fed_at = self.beat.now;
        cell.silent = false;
        cell.steps = STEPS_PER_TURN;
        cell.was_overridden = false;
        let actuators = self.body.actuators.len();
        self.timelines[place * actuators..(place + 1) * actuators].fill(Timeline::IDLE);
        self.next_age += 1;
        self.promised += settings.room;
        self.order[self.open] = id.place;
        self.open += 1;
        self.reorder();
        self.diary.note(Event::LaneOpened(id));
        Ok(id)
    }

    /// Ends a lane as it declared when it was opened.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn finish(&mut self, lane: LaneId) -> Result<(), Refusal> {
        let ending = self.lane(lane)?.settings.ending;
        self.end(lane, ending)
    }

    /// Ends a lane in this way. A lane that holds is let go by ending it once more.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn end(&mut self, lane: LaneId, ending: Ending) -> Result<(), Refusal> {
        let now = self.beat.now;
        self.lane(lane)?;
        let place = usize::from(lane.place);
        if matches!(self.lanes[place].life, Some(Life::Fading(_))) {
            return Ok(());
        }
        self.diary.note(Event::LaneEnding(lane));
        let life = match ending {
            Ending::Release => Life::Fading(now),
            Ending::Hold => {
                self.quiet(place, |_| None);
                Life::Holding
            }
            Ending::SafePose(span) => {
                let at = now + span;
                let pose = |it: &crate::body::Actuator<'_>| it.safe.map(|value| Command { at, value });
                self.quiet(place, pose);
                Life::Retreating
            }
        };
        self.lanes[place].life = Some(life);
        Ok(())
    }

    /// Replaces all that waits in a lane, on everything it drives, by at most one command each.
    fn quiet(&mut self, place: usize, then: impl Fn(&crate::body::Actuator<'_>) -> Option<Command>) {
        let actuators = self.body.actuators.len();
        for actuator in 0..actuators {
            let driven = bits::holds(self.set(place, Set::Driven), actuator)
                || bits::holds(self.set(place, Set::Claims), actuator)
                || bits::holds(self.set(place, Set::Waits), actuator);
            if !driven {
                continue;
            }
            let id = ActuatorId(u16::try_from(actuator).unwrap_or(u16::MAX));
            let described = &self.body.actuators[actuator];
            let held = self.tracks[actuator].held;
            let (timeline, mut waiting) = self.timeline(place, actuator);
            timeline.clear(id, &mut waiting);
            timeline.look(id, &waiting);
            timeline.take_up(held);
            let command = (described.kind != Kind::Trigger).then(|| then(described)).flatten();
            if let Some(command) = command {
                timeline.wait_for(command);
            }
            self.set_member(place, Set::Waits, actuator, command.is_some());
            self.set_member(place, Set::Claims, actuator, described.kind != Kind::Trigger);
        }
        self.lanes[place].used = 0;
    }

    /// Says that the lane's client is alive. Every accepted request says so too.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn feed(&mut self, lane: LaneId) -> Result<(), Refusal> {
        let now = self.beat.now;
        self.lane_mut(lane)?.fed_at = now;
        Ok(())
    }

    /// Where the lane is in its life; `None` once it is gone.
    pub fn life(&self, lane: LaneId) -> Option<Life> {
        self.lane(lane).ok()?.life
    }

    /// The lane's settings as the blend uses them now.
    pub fn settings(&self, lane: LaneId) -> Option<LaneSettings> {
        self.lane(lane).ok().map(|cell| cell.settings)
    }

    /// The open lanes, the first to be heard first.
    pub fn lanes(&self) -> impl Iterator<Item = LaneId> + '_ {
        self.order[..self.open].iter().map(|&place| LaneId {
            place,
            generation: self.lanes[usize::from(place)].generation,
        })
    }

    /// Sets the lane's priority from the next edge on; a negative one pauses it.
    ///
    /// # Errors
    /// A stale handle, or a priority that is not a finite number.
    pub fn set_priority(&mut self, lane: LaneId, priority: f64) -> Result<(), Refusal> {
        if !priority.is_finite() {
            return Err(Refusal::Weight);
        }
        self.lane_mut(lane)?.priority_asked = priority;
        Ok(())
    }

    /// Sets the lane's weight on everything from the next edge on.
    ///
    /// # Errors
    /// A stale handle, or a weight that is negative or not a finite number.
    pub fn set_weight(&mut self, lane: LaneId, weight: f64) -> Result<(), Refusal> {
        if !is_weight(weight) {
            return Err(Refusal::Weight);
        }
        self.lane_mut(lane)?.weight_asked = weight;
        Ok(())
    }

    /// Sets the lane's weight on one actuator from the next edge on.
    ///
    /// # Errors
    /// A stale handle, an unknown actuator, or a weight that is negative or not a finite number.
    pub fn set_weight_on(
        &mut self,
        lane: LaneId,
        actuator: ActuatorId,
        weight: f64,
    ) -> Result<(), Refusal> {
        if !is_weight(weight) {
            return Err(Refusal::Weight);
        }
        self.known(actuator)?;
        self.lane_mut(lane)?.weights_changed = true;
        let place = self.timeline_place(usize::from(lane.place), actuator.index());
        self.timelines[place].weight_asked = weight;
        Ok(())
    }

    // ---- What waits ----

    /// What waits for `actuator` in this lane.
    ///
    /// # Errors
    /// A stale handle or an unknown actuator.
    pub fn pending(&self, lane: LaneId, actuator: ActuatorId) -> Result<Pending, Refusal> {
        self.known(actuator)?;
        self.lane(lane)?;
        let place = usize::from(lane.place);
        let timeline = &self.timelines[self.timeline_place(place, actuator.index())];
        let claimed = bits::holds(self.set(place, Set::Claims), actuator.index());
        Ok(Pending {
            count: timeline.waiting,
            next: timeline.next(),
            value: if claimed { timeline.value() } else { self.tracks[actuator.index()].held },
        })
    }

    /// Every command that waits for `actuator` in this lane, in its order, with its ticket.
    /// For use outside the turn: it takes a step for each command.
    ///
    /// # Errors
    /// A stale handle or an unknown actuator.
    pub fn each_pending(
        &self,
        lane: LaneId,
        actuator: ActuatorId,
        mut each: impl FnMut(Command, Ticket),
    ) -> Result<(), Refusal> {
        self.known(actuator)?;
        let cell = self.lane(lane)?;
        let timeline =
            &self.timelines[self.timeline_place(usize::from(lane.place), actuator.index())];
        let mut chain = self.pool.iter(&timeline.chain).peekable();
        let mut sheets = cell.sheets.each_ref().map(|sheet| {
            let waiting = sheet.as_ref().map_or(&[][..], |it| it.waiting_for(actuator));
            let ticket = sheet.as_ref().map_or(Ticket(0), |it| it.ticket);
            waiting.iter().map(move |it| (it.command(), ticket)).peekable()
        });
        let sooner = |a: (Command, Ticket), b: (Command, Ticket)| {
            a.0.at < b.0.at || (a.0.at == b.0.at && a.1.is_before(b.1))
        };
        loop {
            let mut best = chain.peek().copied().map(|it| (it, usize::MAX));
            for (place, sheet) in sheets.iter_mut().enumerate() {
                let Some(&first) = sheet.peek() else { continue };
                if best.is_none_or(|(it, _)| sooner(first, it)) {
                    best = Some((first, place));
                }
            }
            let Some(((command, ticket), from)) = best else { return Ok(()) };
            match sheets.get_mut(from) {
                Some(sheet) => drop(sheet.next()),
                None => drop(chain.next()),
            }
            each(command, ticket);
        }
    }

    /// How many commands of a request still wait. For use outside the turn.
    ///
    /// # Errors
    /// A stale handle.
    pub fn progress(&self, lane: LaneId, ticket: Ticket) -> Result<u32, Refusal> {
        let cell = self.lane(lane)?;
        let in_sheets: u32 =
            cell.sheets.iter().flatten().filter(|it| it.ticket == ticket).map(Sheet::waiting).sum();
        let actuators = self.body.actuators.len();
        let first = usize::from(lane.place) * actuators;
        let in_chains = self.timelines[first..first + actuators]
            .iter()
            .flat_map(|timeline| self.pool.iter(&timeline.chain))
            .filter(|(_, by)| *by == ticket)
            .count();
        Ok(in_sheets + u32::try_from(in_chains).unwrap_or(u32::MAX))
    }

    /// Whether another lane hides this one on `actuator`: what it asked for there in the last
    /// turn had no effect at all.
    ///
    /// # Errors
    /// A stale handle or an unknown actuator.
    pub fn is_overridden(&self, lane: LaneId, actuator: ActuatorId) -> Result<bool, Refusal> {
        self.known(actuator)?;
        self.lane(lane)?;
        Ok(bits::holds(self.set(usize::from(lane.place), Set::Hidden), actuator.index()))
    }

    /// A sheet of this lane's place that is played out or cleared, to be filled again. It can
    /// still be fetched after the lane has gone.
    pub fn spent_sheet(&mut self, lane: LaneId) -> Option<Sheet<'m>> {
        let cell = self.lanes.get_mut(usize::from(lane.place))?;
        let spent = |sheet: &Option<Sheet<'m>>| sheet.as_ref().is_some_and(|it| it.waiting() == 0);
        cell.sheets.iter_mut().find(|sheet| spent(sheet))?.take()
    }

    // ---- Aliases and groups ----

    /// Makes an alias of these actuators.
    ///
    /// # Errors
    /// [`AliasError`], with nothing changed.
    pub fn create_alias(&mut self, members: &[ActuatorId]) -> Result<AliasId, AliasError> {
        self.aliases.create(self.body, members)
    }

    /// Gives an alias other members.
    ///
    /// # Errors
    /// [`AliasError`], with nothing changed.
    pub fn change_alias(
        &mut self,
        alias: AliasId,
        members: &[ActuatorId],
    ) -> Result<(), AliasError> {
        self.aliases.change(self.body, alias, members)
    }

    /// Drops an alias; its handle is stale from here on.
    ///
    /// # Errors
    /// [`AliasError::NoAlias`] for a handle that is stale already.
    pub fn drop_alias(&mut self, alias: AliasId) -> Result<(), AliasError> {
        self.aliases.drop(alias)
    }

    /// The alias' members, in its order.
    ///
    /// # Errors
    /// [`Refusal::NoAlias`] for a stale handle.
    pub fn alias_members(&self, alias: AliasId) -> Result<&[ActuatorId], Refusal> {
        self.aliases.members(alias)
    }

    /// The lane that holds an exclusive group.
    pub fn holder(&self, group: GroupId) -> Option<LaneId> {
        self.holders.get(usize::from(group.0)).copied().flatten()
    }

    /// Lets an exclusive group go. Its commands there end.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn release_group(&mut self, lane: LaneId, group: GroupId) -> Result<(), Refusal> {
        self.lane(lane)?;
        if self.holder(group) == Some(lane) {
            self.holders[usize::from(group.0)] = None;
            self.drop_group(usize::from(lane.place), group);
        }
        Ok(())
    }

    /// Ends what a lane does in a group.
    pub(crate) fn drop_group(&mut self, place: usize, group: GroupId) {
        for (actuator, described) in self.body.actuators.iter().enumerate() {
            if described.group == Some(group) {
                self.let_go(place, actuator);
            }
        }
    }

    // ---- The turn's own steps ----

    /// What was asked for becomes true: priorities, weights, fades, endings.
    pub(crate) fn edge(&mut self) {
        let now = self.beat.now;
        for at in (0..self.open).rev() {
            let place = usize::from(self.order[at]);
            self.edge_of(place, now);
            if self.is_over(place, now) {
                self.free(place);
            }
        }
        self.reorder();
        self.fired = 0;
    }

    fn edge_of(&mut self, place: usize, now: Instant) {
        let id = self.id(place);
        let cell = &mut self.lanes[place];
        cell.steps = STEPS_PER_TURN;
        cell.settings.priority = cell.priority_asked;
        cell.settings.weight = cell.weight_asked;
        let weights_changed = core::mem::take(&mut cell.weights_changed);
        let keep = cell.settings.keep;
        let open = cell.life == Some(Life::Open);
        let quiet_for = now - cell.fed_at;
        if let Some(silence) = cell.settings.silence {
            if open && !cell.silent && quiet_for > silence.after {
                cell.silent = true;
                self.diary.note(Event::LaneSilent(id));
                let ended = self.finish(id);
                debug_assert!(ended.is_ok(), "the handle was just made");
            }
            let silent = self.lanes[place].silent;
            self.forsaken |= silent && silence.body_after.is_some_and(|after| quiet_for > after);
        }
        if weights_changed {
            let first = self.timeline_place(place, 0);
            for timeline in &mut self.timelines[first..first + self.body.actuators.len()] {
                timeline.weight = timeline.weight_asked;
            }
        }
        let words = bits::words(self.body.actuators.len());
        let base = self.set_base(place);
        for word in 0..words {
            let at = |set: Set| base + set as usize * words + word;
            self.words[at(Set::Directs)] = 0;
            self.words[at(Set::Gains)] = 0;
            if keep == Keep::Release && self.lanes[place].life == Some(Life::Open) {
                self.words[at(Set::Claims)] &= self.words[at(Set::Waits)];
            }
        }
        if self.lanes[place].life == Some(Life::Retreating)
            && bits::is_empty(self.set(place, Set::Waits))
        {
            self.lanes[place].life = Some(Life::Fading(now));
        }
    }

    /// Whether the lane has faded out, and nobody waits for its silence to grow.
    fn is_over(&self, place: usize, now: Instant) -> bool {
        let cell = &self.lanes[place];
        let faded = match cell.life {
            Some(Life::Fading(since)) => now - since >= cell.settings.fade_out,
            _ => false,
        };
        let mourned = cell.silent
            && cell
                .settings
                .silence
                .and_then(|silence| silence.body_after)
                .is_some_and(|after| now - cell.fed_at <= after);
        faded && !mourned
    }

    fn free(&mut self, place: usize) {
        let id = self.id(place);
        for actuator in 0..self.body.actuators.len() {
            self.let_go(place, actuator);
        }
        let base = self.set_base(place);
        let words = SETS_OF_LANE * bits::words(self.body.actuators.len());
        self.words[base..base + words].fill(0);
        for holder in self.holders.iter_mut().filter(|holder| **holder == Some(id)) {
            *holder = None;
        }
        let cell = &mut self.lanes[place];
        cell.life = None;
        cell.generation = cell.generation.wrapping_add(1);
        cell.used = 0;
        self.promised -= cell.settings.room;
        if let Some(at) = self.order[..self.open].iter().position(|it| usize::from(*it) == place) {
            self.order.copy_within(at + 1..self.open, at);
            self.open -= 1;
        }
        self.diary.note(Event::LaneGone(id));
    }

    /// Takes an actuator out of a lane: nothing waits there any more, nothing is claimed.
    fn let_go(&mut self, place: usize, actuator: usize) {
        let id = ActuatorId(u16::try_from(actuator).unwrap_or(u16::MAX));
        let (timeline, mut waiting) = self.timeline(place, actuator);
        let freed = timeline.chain.len();
        timeline.clear(id, &mut waiting);
        timeline.look(id, &waiting);
        self.lanes[place].used -= freed.min(self.lanes[place].used);
        for set in [Set::Waits, Set::Claims, Set::Directs, Set::Gains, Set::Driven, Set::Hidden] {
            self.set_member(place, set, actuator, false);
        }
    }

    /// Sorts the lanes: higher priority first, the older first among equals.
    fn reorder(&mut self) {
        let lanes = &*self.lanes;
        let rank = |place: &u16| {
            let cell = &lanes[usize::from(*place)];
            (cell.settings.priority, cell.age)
        };
        // Nearly always sorted already, which this notices in one pass.
        self.order[..self.open].sort_unstable_by(|a, b| {
            let ((a, older), (b, younger)) = (rank(a), rank(b));
            b.total_cmp(&a).then(older.cmp(&younger))
        });
    }

    /// Every lane's value on every actuator for which commands wait.
    pub(crate) fn sample(&mut self) {
        let words = bits::words(self.body.actuators.len());
        for at in 0..self.open {
            let place = usize::from(self.order[at]);
            let base = self.set_base(place) + Set::Waits as usize * words;
            for word in 0..words {
                for actuator in bits::members(word, self.words[base + word]) {
                    self.sample_one(place, actuator);
                }
            }
        }
    }

    #[inline]
    fn sample_one(&mut self, place: usize, actuator: usize) {
        let actuators = self.body.actuators.len();
        let id = ActuatorId(u16::try_from(actuator).unwrap_or(u16::MAX));
        let described = &self.body.actuators[actuator];
        let cell = &mut self.lanes[place];
        let timeline = &mut self.timelines[place * actuators + actuator];
        let waiting = Waiting { pool: &mut self.pool, sheets: &mut cell.sheets };
        let chained = timeline.chain.len();
        let silent = cell.settings.priority < 0.0 || self.safety.state != State::Running;
        let (fires, fired) = (&mut *self.fires, &mut self.fired);
        let mut fire = |command: Command| {
            // A paused lane's triggers, or a body's that does not run, pass unfired.
            silent || {
                let counts = described.calibration.counts(command.value, described.range);
                post(fires, fired, Fire { actuator: id, counts, at: command.at })
            }
        };
        let is_trigger = described.kind == Kind::Trigger;
        let due = if is_trigger { Due::Fire(&mut fire) } else { Due::Reach };
        let sampled = timeline.sample(self.beat, id, waiting, due, &mut cell.steps);
        if sampled.executed == 0 && !sampled.deferred {
            return;
        }
        cell.used -= chained - timeline.chain.len();
        let arrived = timeline.waiting == 0;
        let passed_over = if is_trigger { 0 } else { sampled.executed.saturating_sub(1) };
        self.diary.note_times(Event::Skipped, passed_over);
        if is_trigger && !silent {
            self.diary.note_times(Event::Fired, sampled.executed);
        }
        if sampled.deferred {
            self.diary.note(Event::Deferred);
        }
        if arrived {
            self.diary.note(Event::Arrived);
            self.set_member(place, Set::Waits, actuator, false);
        }
    }

    // ---- Places ----

    pub(crate) fn id(&self, place: usize) -> LaneId {
        LaneId {
            place: u16::try_from(place).unwrap_or(u16::MAX),
            generation: self.lanes[place].generation,
        }
    }

    pub(crate) fn lane(&self, id: LaneId) -> Result<&LaneCell<'m>, Refusal> {
        match self.lanes.get(usize::from(id.place)) {
            Some(cell) if cell.life.is_some() && cell.generation == id.generation => Ok(cell),
            _ => Err(Refusal::NoLane(id)),
        }
    }

    pub(crate) fn lane_mut(&mut self, id: LaneId) -> Result<&mut LaneCell<'m>, Refusal> {
        self.lane(id)?;
        Ok(&mut self.lanes[usize::from(id.place)])
    }

    pub(crate) fn known(&self, id: ActuatorId) -> Result<(), Refusal> {
        if id.index() < self.body.actuators.len() { Ok(()) } else { Err(Refusal::NoActuator(id)) }
    }

    pub(crate) fn timeline_place(&self, lane: usize, actuator: usize) -> usize {
        lane * self.body.actuators.len() + actuator
    }

    pub(crate) fn timeline(
        &mut self,
        lane: usize,
        actuator: usize,
    ) -> (&mut Timeline, Waiting<'_, 'm>) {
        let place = self.timeline_place(lane, actuator);
        let waiting = Waiting { pool: &mut self.pool, sheets: &mut self.lanes[lane].sheets };
        (&mut self.timelines[place], waiting)
    }

    fn set_base(&self, lane: usize) -> usize {
        lane * SETS_OF_LANE * bits::words(self.body.actuators.len())
    }

    pub(crate) fn set(&self, lane: usize, set: Set) -> &[u64] {
        let words = bits::words(self.body.actuators.len());
        let base = self.set_base(lane) + set as usize * words;
        &self.words[base..base + words]
    }

    pub(crate) fn set_mut(&mut self, lane: usize, set: Set) -> &mut [u64] {
        let words = bits::words(self.body.actuators.len());
        let base = self.set_base(lane) + set as usize * words;
        &mut self.words[base..base + words]
    }

    pub(crate) fn turn_set_mut(&mut self, set: TurnSet) -> &mut [u64] {
        let words = bits::words(self.body.actuators.len());
        let base = (self.lanes.len() * SETS_OF_LANE + set as usize) * words;
        &mut self.words[base..base + words]
    }

    pub(crate) fn set_member(&mut self, lane: usize, set: Set, actuator: usize, member: bool) {
        let set = self.set_mut(lane, set);
        if member { bits::insert(set, actuator) } else { bits::remove(set, actuator) }
    }
}

pub(crate) fn is_weight(weight: f64) -> bool {
    weight.is_finite() && weight >= 0.0
}

/// Puts a fire in its place by time; false when there is none left.
fn post(fires: &mut [Fire], fired: &mut usize, fire: Fire) -> bool {
    if *fired >= fires.len() {
        return false;
    }
    let at = fires[..*fired].partition_point(|it| it.at <= fire.at);
    fires.copy_within(at..*fired, at + 1);
    fires[at] = fire;
    *fired += 1;
    true
}

/// The span of `elapsed` that the limits believe in: a body does not leap after a long stall.
pub(crate) fn believed(elapsed: Span, period: Span) -> Span {
    elapsed.min(period.times(2))
}
