//! The movement of one guest: it moves, it has arrived, its joints settle. Kept by `arrivals`, which looks at all of
//! them in every turn.
//! Only sensors settle a movement, unless no joint is left that has one and that others do not move.

use cycle::{Actuator, ActuatorId, Kind, LaneId, Stage};

use crate::shared::event_bus::{EventBus, ROBOT};
use crate::shared::report::End;
use crate::shared::terms::GuestId;
use crate::shared::topics::GuestTopics;

/// How far from the value that was sent a joint has arrived: this share of its range, and at most so much, rad.
const SHARE_OF_RANGE: f64 = 0.02;
const TOLERANCE: f64 = 0.035;

/// A guest that is looked at.
#[derive(Debug)]
pub(super) struct Movement {
    pub(super) guest: Option<WatchedGuest>,
    pub(super) phase: MovementPhase,
    /// The joints of this movement, as bits.
    pub(super) moved: Box<[u64]>,
    /// What it has driven so far, as bits, and whether any of it has moved.
    pub(super) driven: Box<[u64]>,
    pub(super) has_moved: bool,
    /// How far a limp joint is from where its guest wants it, or last wanted it: it has no force to get there.
    pub(super) limp: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct WatchedGuest {
    pub(super) id: GuestId,
    pub(super) topics: GuestTopics,
    /// Its lane, until it is gone.
    pub(super) lane: Option<LaneId>,
    /// Why it ends, when it does.
    pub(super) end: End,
    /// Whether it arrives at its end alone: values that stay the same are a part of it.
    pub(super) has_end: bool,
}

/// Where a movement stands; counts are of turns, instants in ns.
#[derive(Clone, Copy, Debug)]
pub(super) enum MovementPhase {
    Still,
    /// Whether commands waited in it, and wait now; since when nothing has changed.
    Moving {
        waited: bool,
        waits: bool,
        same: u32,
    },
    /// When it has arrived, and since how many turns; since when all of it is where it was sent.
    Settling {
        since: u64,
        turns: u32,
        inside: u32,
    },
}

/// How long things may take, in turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct SettleTimes {
    pub(super) still: u32,
    pub(super) patience: u32,
}

impl Movement {
    /// Nothing moves any more.
    pub(super) fn rest(&mut self) {
        self.phase = MovementPhase::Still;
        self.moved.fill(0);
        self.limp = None;
    }

    /// Looks at what the lane has to do, and whether what it drives has changed.
    pub(super) fn follow(
        &mut self,
        (lane, drives): (LaneId, bool),
        (movable, changed, limp): (&[u64], &[u64], &[u64]),
        stage: &Stage<'_>,
    ) {
        let of_limp = self
            .moved
            .iter()
            .zip(limp)
            .any(|(moved, limp)| moved & limp != 0);
        self.limp = if of_limp {
            self.limp_by(lane, limp, stage)
        } else {
            None
        };
        let (mut shows, mut hides) = (false, false);
        let (mut waits, mut driven, mut travels) = (false, false, false);
        let words = self.moved.iter_mut().zip(self.driven.iter_mut());
        for (word, (moved, own)) in words.enumerate() {
            let lane = stage.lane_word(lane, word);
            *own |= lane.driven;
            let joints = lane.driven & movable[word];
            if joints & lane.hidden != 0 {
                hides = true;
                if joints & !lane.hidden == 0 {
                    continue;
                }
            }
            shows |= joints != 0;
            let waiting = lane.waits & movable[word];
            // Its own values begin a movement, also while others hide them; what others do to the sum does not.
            let shown = if drives {
                lane.shifted & movable[word]
            } else {
                0
            };
            *moved = (*moved | waiting | shown) & !lane.hidden;
            waits |= waiting != 0;
            driven |= shown != 0;
            travels |= drives && lane.driven & !lane.hidden & changed[word] & *moved != 0;
        }
        // The body does what others want: its movement stands still until it is seen.
        if hides && !shows {
            return;
        }
        self.has_moved |= waits || driven;
        self.phase = match self.phase {
            MovementPhase::Moving { waited, .. } if waits || driven || travels => {
                MovementPhase::Moving {
                    waited: waits || waited,
                    waits,
                    same: 0,
                }
            }
            _ if waits || driven => MovementPhase::Moving {
                waited: waits,
                waits,
                same: 0,
            },
            MovementPhase::Moving { waited, same, .. } => MovementPhase::Moving {
                waited,
                waits,
                same: same.saturating_add(1),
            },
            other => other,
        };
    }

    pub(super) fn step(
        &mut self,
        guest: &WatchedGuest,
        (changed, times): (&[u64], SettleTimes),
        stage: &Stage<'_>,
        bus: &EventBus,
    ) {
        let topics = guest.topics;
        match self.phase {
            MovementPhase::Moving { waited, same, .. }
                if same >= if waited { 1 } else { times.still } && (waited || !guest.has_end) =>
            {
                self.arrive(topics, stage.now().nanos(), bus);
            }
            MovementPhase::Settling {
                since,
                turns,
                inside,
            } => {
                let seconds = stage.now().nanos().saturating_sub(since) as f64 / 1e9;
                for (moved, changed) in self.moved.iter_mut().zip(changed) {
                    // Somebody else moves it now.
                    *moved &= if turns > 0 { !changed } else { u64::MAX };
                }
                let turns = turns + 1;
                match self.farthest(stage) {
                    // Whoever waits for it is not to wait for ever.
                    None => {
                        bus.post(topics.settled, seconds, ROBOT);
                        self.rest();
                    }
                    Some((share, _)) if share <= 1.0 && inside + 1 >= times.still => {
                        bus.post(topics.settled, seconds, ROBOT);
                        self.rest();
                    }
                    Some((_, distance)) if turns >= times.patience => {
                        bus.post(topics.unsettled, distance, ROBOT);
                        self.rest();
                    }
                    Some((share, _)) => {
                        let inside = if share <= 1.0 { inside + 1 } else { 0 };
                        self.phase = MovementPhase::Settling {
                            since,
                            turns,
                            inside,
                        };
                    }
                }
            }
            _ => {}
        }
    }

    /// Its guest has ended itself. What stood all the time where it was sent has arrived as well; what is cut off has
    /// not.
    pub(super) fn end(&mut self, topics: GuestTopics, now: u64, bus: &EventBus) {
        match self.phase {
            MovementPhase::Moving { waits: false, .. } => self.arrive(topics, now, bus),
            MovementPhase::Moving { .. } => self.rest(),
            MovementPhase::Still
                if !self.has_moved && self.driven.iter().any(|item| *item != 0) =>
            {
                self.moved.copy_from_slice(&self.driven);
                self.arrive(topics, now, bus);
            }
            _ => {}
        }
    }

    fn arrive(&mut self, topics: GuestTopics, now: u64, bus: &EventBus) {
        bus.post(topics.arrived, 0.0, ROBOT);
        self.phase = MovementPhase::Settling {
            since: now,
            turns: 0,
            inside: 0,
        };
    }

    /// Of the joints that were moved, the one that is farthest from where it was sent: how far in its tolerances, and
    /// in its unit. Nothing, if none of them has a sensor.
    fn farthest(&self, stage: &Stage<'_>) -> Option<(f64, f64)> {
        let mut farthest = self.limp.map(|limp| (f64::INFINITY, limp));
        for place in members(&self.moved) {
            let sent = stage.tracks().get(place).map(|track| track.sent);
            let far = sent.and_then(|sent| distance(stage, place, sent));
            if far.is_some_and(|far| farthest.is_none_or(|most: (f64, f64)| far.0 > most.0)) {
                farthest = far;
            }
        }
        farthest
    }

    /// How far the farthest of the limp joints is from where its guest wants it.
    #[cold]
    fn limp_by(&self, lane: LaneId, limp: &[u64], stage: &Stage<'_>) -> Option<f64> {
        let is_limp = |place: &usize| limp[place / 64] & 1 << (place % 64) != 0;
        let by = members(&self.moved).filter(is_limp).filter_map(|place| {
            let shares = stage.shares(ActuatorId(u16::try_from(place).ok()?)).ok()?;
            let wanted = shares
                .filter(|share| share.lane == lane)
                .map(|share| share.value)
                .next()?;
            distance(stage, place, wanted)
        });
        // A lane that shows nothing any more wants what it wanted.
        by.map(|pair| pair.1).reduce(f64::max).or(self.limp)
    }
}

/// The numbers of the bits that are set.
fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let bits = |(at, word): (usize, &u64)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.checked_sub(1)?;
            Some(at * 64 + bit)
        })
    };
    words.iter().enumerate().flat_map(bits)
}

/// How far a joint is from this value, in its tolerances and in its unit. Nothing, if it has no sensor.
fn distance(stage: &Stage<'_>, place: usize, value: f64) -> Option<(f64, f64)> {
    let (sensor, tolerance) = measured(stage.body().actuators.get(place)?)?;
    let sensed = *stage.sensors().get(sensor)?;
    let distance = (sensed - value).abs();
    // What cannot be read has not arrived.
    let distance = if distance.is_nan() {
        f64::INFINITY
    } else {
        distance
    };
    Some((distance / tolerance, distance))
}

/// The sensor of a joint, and how far from the value that was sent it has arrived.
fn measured(actuator: &Actuator<'_>) -> Option<(usize, f64)> {
    let sensor = actuator.sensor.filter(|_| actuator.kind != Kind::Wheel)?;
    let width = actuator.range.max - actuator.range.min;
    let tolerance = TOLERANCE.min(SHARE_OF_RANGE * width).max(f64::EPSILON);
    Some((usize::from(sensor.0), tolerance))
}
