//! One output between two frames: it moves from the present target to the target at the horizon.
//! The firmware has one for each output.
//! Without a later frame it ends at the target at the horizon, and stays there.

/// The most horizons by which an output may lag behind its host; and the same with a limited acceleration.
const BEHIND: u32 = 64;
const BEHIND_GATHERING: u32 = 512;

/// One word a second in this file's unit of speed, which is a millionth of that, because clocks count µs.
const WORD: u64 = 1_000_000;

/// The motion of an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Motion {
    from: u16,
    to: u16,
    /// When the line began, and how long it takes, µs.
    began: u32,
    takes: u32,
    /// The greatest acceleration, in words/s²; 0 for no limit.
    acceleration: u32,
    /// The speed, present or recent, and the allowed speed. Neither is kept for an output without a limit of
    /// acceleration.
    speed: i64,
    allowed: u64,
    /// For a trigger: it was fired, and `fires` has not reported it yet.
    fired: bool,
}

impl Motion {
    /// A motion that stays at this word.
    pub(crate) fn at(word: u16) -> Motion {
        Motion {
            from: word,
            to: word,
            ..Motion::default()
        }
    }

    /// Sets the greatest acceleration.
    pub(crate) fn limit(&mut self, acceleration: u32) {
        self.acceleration = acceleration;
    }

    /// A line from one word to another in `takes` µs, for a motor that had no force until now.
    pub(crate) fn begin(&self, from: u16, to: u16, clock: u32, takes: u32) -> Motion {
        Motion {
            speed: 0,
            allowed: 0,
            ..self.line(from, to, clock, takes)
        }
    }

    fn line(&self, from: u16, to: u16, began: u32, takes: u32) -> Motion {
        Motion {
            from,
            to,
            began,
            takes,
            ..*self
        }
    }

    /// Sets a trigger's word. A change fires the trigger, unless `is_initial`: then the word is only set.
    pub(crate) fn fire(&self, word: u16, is_initial: bool) -> Motion {
        Motion {
            fired: self.fired || (!is_initial && word != self.to),
            from: word,
            to: word,
            takes: 0,
            ..*self
        }
    }

    /// Whether it was fired since the last call.
    pub(crate) fn fires(&mut self) -> bool {
        core::mem::take(&mut self.fired)
    }

    /// The present position. The clock wraps every 71 minutes: an output that has arrived must be settled before.
    pub(crate) fn word(&self, clock: u32) -> u16 {
        let gone = clock.wrapping_sub(self.began);
        if gone >= self.takes {
            return self.to;
        }
        let (from, to) = (i64::from(self.from), i64::from(self.to));
        let word = from + (to - from) * i64::from(gone) / i64::from(self.takes);
        // A value between two words fits a word.
        u16::try_from(word).unwrap_or(self.to)
    }

    /// A line from the present position to another word, which the host reaches in `takes` µs: one horizon, and one
    /// more for each lost frame. The remaining time of the previous line is added, so that nothing is faster than the
    /// host, however frames arrive. A 128th of the elapsed time, or of the new line's time if that is shorter, is
    /// subtracted, so that the output catches up. The added time is limited, so that the lag does not grow behind a
    /// host that is faster than its horizon. The line also takes long enough to stay within the allowed speed.
    pub(crate) fn extend_to(&self, to: u16, clock: u32, takes: u32, horizon: u32) -> Motion {
        let gone = clock.wrapping_sub(self.began);
        let is_on_its_way = self.from != self.to && gone < self.takes;
        // A line that began again in every frame would never end.
        if is_on_its_way && to == self.to {
            return *self;
        }
        let left = if is_on_its_way { self.takes - gone } else { 0 };
        let passed = gone.min(left.saturating_add(takes));
        let behind = left.saturating_sub(passed.div_ceil(128));
        let most = match self.acceleration {
            0 => BEHIND,
            _ => BEHIND_GATHERING,
        };
        let behind = behind.min(horizon.saturating_mul(most));
        let line = self.line(self.word(clock), to, clock, takes.saturating_add(behind));
        if self.acceleration == 0 || horizon == 0 {
            return line;
        }
        line.bounded(self.allowed(line.speed(), gone, horizon))
    }

    /// The allowed speed of the next line, which would have the speed `next`.
    fn allowed(&self, next: i64, gone: u32, horizon: u32) -> u64 {
        let gathered = |time: u32| u64::from(self.acceleration) * u64::from(time);
        if self.speed.signum() != next.signum() {
            gathered(gone.clamp(horizon / 2, horizon))
        } else if gone < horizon / 2 {
            // Frames that arrive together accelerate only once.
            self.allowed
        } else {
            // Rounding changes a line by one word.
            let rounded = WORD * WORD / u64::from(horizon);
            self.allowed
                .min(self.speed.unsigned_abs() + rounded)
                .saturating_add(gathered(gone.min(horizon * 2)))
        }
    }

    /// The same line, slowed down to the allowed speed, with one word of tolerance for rounding.
    fn bounded(self, allowed: u64) -> Motion {
        let way = u64::from(self.to.abs_diff(self.from)).saturating_sub(1);
        let least = (way * WORD * WORD).checked_div(allowed).unwrap_or_default();
        let line = Motion {
            takes: self.takes.max(u32::try_from(least).unwrap_or(u32::MAX)),
            allowed,
            ..self
        };
        Motion {
            speed: line.speed(),
            ..line
        }
    }

    /// The speed of this line.
    fn speed(&self) -> i64 {
        let way = i64::from(self.to) - i64::from(self.from);
        way * (WORD * WORD) as i64 / i64::from(self.takes.max(1))
    }

    /// Ends a line that has arrived, so that a wrap of the clock does not matter. After half a horizon the output
    /// counts as standing.
    pub(crate) fn finish_line(&mut self, clock: u32, horizon: u32) {
        let gone = clock.wrapping_sub(self.began);
        if gone >= self.takes {
            self.from = self.to;
            if gone - self.takes > horizon / 2 {
                self.speed = 0;
            }
        }
    }
}
