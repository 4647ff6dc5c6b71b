//! Tells what becomes of the movements of guests: `started`, `arrived`, `settled` or `unsettled`, `ended`; and of the
//! robot's emergency stop. Kept by the scheduler, and looked at once in every turn, after the exchange.
//! Nothing is allocated here, and a guest that is gone is still looked after until what it has moved has
//! settled.

use cycle::{Kind, LaneId, Stage, State};

use super::movement::{Movement, MovementPhase, SettleTimes, WatchedGuest};
use super::{GUESTS, SPARE};
use crate::shared::event_bus::{EventBus, ROBOT};
use crate::shared::report::End;
use crate::shared::terms::GuestId;
use crate::shared::topics::{EstopTopics, GuestTopics};

/// How long a joint must stay where it was sent, and how long a value that is set in every turn must stay the same, ms.
const STILL: u64 = 100;

/// How long joints may take to get there, ms.
const PATIENCE: u64 = 2_000;

/// Guests whose movements are looked at, or still settle, at the same time.
const MOVEMENTS: usize = GUESTS + SPARE;

/// The movements of all guests.
#[derive(Debug)]
pub(crate) struct Arrivals {
    movements: Box<[Movement]>,
    /// No place from this one on has a guest.
    used: usize,
    /// What moves, as bits: no lights, triggers and stiffnesses.
    movable: Box<[u64]>,
    /// The values of the last turn, and where they are others in this one, as bits.
    values: Box<[f64]>,
    changed: Box<[u64]>,
    /// Joints without force, as bits.
    limp: Box<[u64]>,
    estop: EstopTopics,
    /// The emergency stop is pressed, since this instant, ns.
    pressed: Option<u64>,
    times: SettleTimes,
}

impl Arrivals {
    /// For a body of so many actuators; `period` in ns.
    pub(crate) fn new(actuators: usize, period: u64, bus: &EventBus) -> Arrivals {
        let words = actuators.div_ceil(64);
        let turns = |millis: u64| {
            let turns = (millis * 1_000_000).div_ceil(period.max(1));
            u32::try_from(turns).unwrap_or(u32::MAX).max(1)
        };
        let movement = |_| Movement {
            guest: None,
            phase: MovementPhase::Still,
            moved: vec![0; words].into_boxed_slice(),
            driven: vec![0; words].into_boxed_slice(),
            has_moved: false,
            limp: None,
        };
        Arrivals {
            movements: (0..MOVEMENTS).map(movement).collect(),
            used: 0,
            movable: vec![0; words].into_boxed_slice(),
            values: vec![f64::NAN; actuators].into_boxed_slice(),
            changed: vec![0; words].into_boxed_slice(),
            limp: vec![0; words].into_boxed_slice(),
            estop: bus.topics.hold_estop(),
            pressed: None,
            times: SettleTimes {
                still: turns(STILL),
                patience: turns(PATIENCE),
            },
        }
    }

    /// The greatest number of guests that it lets go without being asked.
    pub(crate) const fn most() -> usize {
        MOVEMENTS
    }

    /// A guest's lane is open. Returns the topics of the one that has settled for longest, if there was no room.
    pub(crate) fn start(
        &mut self,
        id: GuestId,
        topics: GuestTopics,
        (lane, has_end): (LaneId, bool),
    ) -> Option<GuestTopics> {
        let age = |movement: &Movement| match (movement.guest, movement.phase) {
            (None, _) => u64::MAX,
            (Some(WatchedGuest { lane: None, .. }), MovementPhase::Settling { turns, .. }) => {
                u64::from(turns) + 1
            }
            _ => 0,
        };
        // There are more of them than guests. Of those that are free the first, so that few need be looked at.
        let places = self.movements.iter().enumerate().rev();
        let (place, _) = places.max_by_key(|place| age(place.1))?;
        self.used = self.used.max(place + 1);
        let free = &mut self.movements[place];
        let dropped = free.guest.replace(WatchedGuest {
            id,
            topics,
            lane: Some(lane),
            end: End::None,
            has_end,
        });
        free.phase = MovementPhase::Still;
        free.moved.fill(0);
        free.driven.fill(0);
        (free.has_moved, free.limp) = (false, None);
        dropped.map(|dropped| dropped.topics)
    }

    /// A guest begins to end. What it may still move, it moves; but what is cut off does not arrive.
    pub(crate) fn leave(&mut self, id: GuestId, end: End) {
        if let Some(movement) = self.find(id)
            && let Some(guest) = &mut movement.guest
        {
            guest.end = end;
            if let MovementPhase::Moving { .. } = movement.phase
                && end != End::Finished
            {
                movement.rest();
            }
        }
    }

    /// A guest is gone. Whether its movement still settles; if not, its topics may be released.
    pub(crate) fn gone(&mut self, id: GuestId, now: u64, bus: &EventBus) -> bool {
        let Some(movement) = self.find(id) else {
            return false;
        };
        let Some(guest) = &mut movement.guest else {
            return false;
        };
        guest.lane = None;
        let (topics, end) = (guest.topics, guest.end);
        if end == End::Finished {
            movement.end(topics, now, bus);
        }
        let settles =
            matches!(movement.phase, MovementPhase::Settling { .. }) && end != End::Swapped;
        if !settles {
            movement.guest = None;
        }
        settles
    }

    fn find(&mut self, id: GuestId) -> Option<&mut Movement> {
        let is_of = |movement: &&mut Movement| movement.guest.is_some_and(|guest| guest.id == id);
        self.movements[..self.used].iter_mut().find(is_of)
    }

    /// Looks at all movements; `release` is told the topics of guests that are gone and have settled.
    pub(crate) fn see(
        &mut self,
        stage: &Stage<'_>,
        bus: &EventBus,
        mut release: impl FnMut(GuestTopics),
    ) {
        self.see_estop(stage, bus);
        while let Some(last) = self.used.checked_sub(1)
            && self.movements[last].guest.is_none()
        {
            self.used = last;
        }
        if self.used == 0 {
            return;
        }
        self.see_changes(stage);
        // While the body does not follow, the time of all movements stands still.
        if !stage.follows() {
            return;
        }
        for movement in &mut self.movements[..self.used] {
            let Some(guest) = movement.guest else {
                continue;
            };
            if let Some(lane) = guest.lane {
                if stage.is_paused(lane) && matches!(movement.phase, MovementPhase::Moving { .. }) {
                    continue;
                }
                let drives = guest.end == End::None;
                movement.follow(
                    (lane, drives),
                    (&self.movable, &self.changed, &self.limp),
                    stage,
                );
            }
            movement.step(&guest, (&self.changed, self.times), stage, bus);
            if guest.lane.is_none() && !matches!(movement.phase, MovementPhase::Settling { .. }) {
                movement.guest = None;
                release(guest.topics);
            }
        }
    }

    fn see_estop(&mut self, stage: &Stage<'_>, bus: &EventBus) {
        let now = stage.now().nanos();
        match (stage.state() == State::Estop, self.pressed) {
            (true, None) => {
                self.pressed = Some(now);
                bus.post(self.estop.pressed, 0.0, ROBOT);
            }
            (false, Some(since)) => {
                self.pressed = None;
                let seconds = now.saturating_sub(since) as f64 / 1e9;
                bus.post(self.estop.released, seconds, ROBOT);
            }
            _ => {}
        }
    }

    fn see_changes(&mut self, stage: &Stage<'_>) {
        let all = stage.body().actuators.iter().zip(stage.tracks());
        self.changed.fill(0);
        self.limp.fill(0);
        for (place, (actuator, track)) in all.enumerate() {
            // Before it is rounded to counts: a slow movement may have the same counts for a while.
            let before = std::mem::replace(&mut self.values[place], track.limited);
            let bit = 1 << (place % 64);
            if is_movable(actuator.kind) {
                self.movable[place / 64] |= bit;
                self.limp[place / 64] |= if track.limp { bit } else { 0 };
                // A limp joint is not sent anywhere: its values follow its sensor.
                let same = before == track.limited || track.limp;
                self.changed[place / 64] |= if same { 0 } else { bit };
            }
        }
    }
}

/// Whether an actuator of this kind moves the body.
fn is_movable(kind: Kind) -> bool {
    matches!(kind, Kind::Joint | Kind::Hand | Kind::Wheel)
}
