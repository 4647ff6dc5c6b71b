//! The playhead: speed, pauses, rounds, and the end. Called by the player; it knows neither keys nor body.
//! Time that passes is counted once, at the speed that holds; an end is told once, also when the playhead
//! lands on it exactly.

use crate::time::Span;

/// How often a sequence is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// This many times; 0 counts as 1.
    Count(u32),
    /// Until somebody stops it.
    Endless,
}

/// What a step of a player has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Milestone {
    /// The end of a round: the next one has begun.
    Round,
    /// The end of the last round.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlayState {
    /// It begins in the next step.
    Ready,
    Playing,
    /// It has ended in this step.
    Ending,
    Over,
}

/// A playhead, in nanoseconds: as a float, so that slow speeds lose nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playback {
    pub(super) speed: f64,
    pub(super) rounds: Rounds,
    pub(super) is_paused: bool,
    /// The rounds before this one.
    done: u64,
    state: PlayState,
    /// `None` before it begins, unless it was set.
    playhead: Option<f64>,
    /// The playhead of the step before, in this round.
    before: f64,
}

/// The way of the playhead in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    from: f64,
    to: f64,
    is_forward: bool,
    /// The rounds that have begun.
    pub(super) begun: u64,
    pub(super) milestone: Option<Milestone>,
}

impl Course {
    /// Whether this time was passed: it is behind where the step began, and not behind where it has ended.
    pub(super) fn passes(&self, at: Span) -> bool {
        let at = at.nanos() as f64;
        let (after, until) = match self.is_forward {
            true => (at > self.from, at <= self.to),
            false => (at < self.from, at >= self.to),
        };
        match self.begun {
            0 => after && until,
            1 => after || until,
            _ => true,
        }
    }

    /// Whether it has begun at this time.
    pub(super) fn begins_at(&self, at: Span) -> bool {
        (self.from - at.nanos() as f64).abs() < 0.5
    }

    /// Whether another round has begun forward, behind the end of the one before.
    pub(super) fn begins_anew(&self) -> bool {
        self.is_forward && self.begun > 0
    }
}

impl Playback {
    pub(super) const fn new() -> Playback {
        Playback {
            speed: 1.0,
            rounds: Rounds::Count(1),
            is_paused: false,
            done: 0,
            state: PlayState::Ready,
            playhead: None,
            before: 0.0,
        }
    }

    /// From the start, or from the end if it plays backwards.
    pub(super) fn rewind(&mut self) {
        (self.is_paused, self.done) = (false, 0);
        (self.state, self.playhead) = (PlayState::Ready, None);
    }

    pub(super) fn resume(&mut self, end: Span) {
        self.is_paused = false;
        let at = self.at(end);
        let has_way = self.speed > 0.0 && at < end.nanos() as f64 || self.speed < 0.0 && at > 0.0;
        if self.is_over() && has_way {
            self.state = PlayState::Playing;
        }
    }

    pub(super) fn seek(&mut self, at: Span) {
        self.before = at.nanos() as f64;
        self.playhead = Some(self.before);
        if self.is_over() {
            self.state = PlayState::Playing;
        }
    }

    /// Whether it has begun.
    pub(super) fn has_begun(&self) -> bool {
        self.state != PlayState::Ready
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, PlayState::Ending | PlayState::Over)
    }

    /// Whether it was over before this step.
    pub(super) fn is_past(&self) -> bool {
        self.state == PlayState::Over
    }

    /// The playhead.
    pub(super) fn at(&self, end: Span) -> f64 {
        let first = if self.speed < 0.0 { end } else { Span::ZERO };
        self.playhead.unwrap_or(first.nanos() as f64)
    }

    /// Where the playhead was in the step before.
    pub(super) fn before(&self) -> f64 {
        self.before
    }

    /// Begins, if it is to. Returns whether it has.
    pub(super) fn begin(&mut self, end: Span) -> bool {
        let begins = self.state == PlayState::Ready && !self.is_paused;
        if begins {
            (self.playhead, self.state) = (Some(self.at(end)), PlayState::Playing);
        }
        begins
    }

    /// Goes on for this time; `None` if it does not play.
    pub(super) fn advance(&mut self, passed: Span, end: Span) -> Option<Course> {
        let from = self.at(end);
        self.before = from;
        if self.is_over() {
            self.state = PlayState::Over;
        }
        if self.is_paused || self.state != PlayState::Playing {
            return None;
        }
        let (end, left) = (end.nanos() as f64, self.rounds_left());
        let to = from + passed.nanos() as f64 * self.speed;
        let begun = rounds(to, end, self.speed).min(left as f64);
        let to = to - libm::copysign(begun * end, self.speed);
        let is_past = self.speed > 0.0 && to >= end || self.speed < 0.0 && to <= 0.0;
        let (to, begun) = (to.clamp(0.0, end), begun as u64);
        let is_over = end <= 0.0 || is_past && begun == left;
        self.done = self.done.saturating_add(begun);
        self.playhead = Some(to);
        if is_over {
            self.state = PlayState::Ending;
        }
        if begun > 0 {
            self.before = if self.speed > 0.0 { 0.0 } else { end };
        }
        let round = (begun > 0).then_some(Milestone::Round);
        Some(Course {
            from,
            to,
            is_forward: self.speed > 0.0,
            begun,
            milestone: if is_over { Some(Milestone::End) } else { round },
        })
    }

    fn rounds_left(&self) -> u64 {
        match self.rounds {
            Rounds::Count(count) => u64::from(count.max(1) - 1).saturating_sub(self.done),
            Rounds::Endless => u64::MAX,
        }
    }
}

/// How many times the end lies before this time, or the start if it plays backwards. One that is reached exactly
/// does not yet.
fn rounds(to: f64, end: f64, speed: f64) -> f64 {
    if end > 0.0 && speed > 0.0 && to > end {
        libm::ceil(to / end) - 1.0
    } else if end > 0.0 && speed < 0.0 && to < 0.0 {
        libm::ceil(-to / end)
    } else {
        0.0
    }
}
