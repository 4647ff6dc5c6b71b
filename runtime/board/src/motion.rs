//! One output between two frames: on its way from the target that holds now to the one that was known ahead.
//! Kept by the firmware, one for each output.
//! The law: without a later frame it ends at what was known ahead, and stays.

/// Horizons that it may be behind its host; and where it must gather speed first.
const BEHIND: u32 = 64;
const BEHIND_GATHERING: u32 = 512;

/// A speed of one word a second, in what speeds are counted in here: a millionth of it, as clocks count µs.
const WORD: u64 = 1_000_000;

/// An output on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Motion {
    from: u16,
    to: u16,
    /// When it began, and how long it takes, µs.
    began: u32,
    takes: u32,
    /// How fast it may gather speed, in words/s²; 0 if that is not limited.
    acceleration: u32,
    /// How fast it is, or was until a moment ago, and how fast it might have been. Neither is kept for an output that
    /// gathers speed as it likes.
    speed: i64,
    allowed: u64,
    /// Of a trigger: it was fired, and nobody has asked for that yet.
    fired: bool,
}

impl Motion {
    /// It stays at this word.
    pub(crate) fn at(word: u16) -> Motion {
        Motion {
            from: word,
            to: word,
            ..Motion::default()
        }
    }

    /// How fast it may gather speed from here on.
    pub(crate) fn limit(&mut self, acceleration: u32) {
        self.acceleration = acceleration;
    }

    /// From one word to another in so many µs, for a motor that had no force until now.
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

    /// A trigger's word is this one: it is fired if that is another one than before, unless it is only told.
    pub(crate) fn fire(&self, word: u16, is_told: bool) -> Motion {
        Motion {
            fired: self.fired || (!is_told && word != self.to),
            from: word,
            to: word,
            takes: 0,
            ..*self
        }
    }

    /// Whether it was fired since this was asked last.
    pub(crate) fn fires(&mut self) -> bool {
        core::mem::take(&mut self.fired)
    }

    /// Where it is. The clock goes round every 71 minutes: who has arrived must be told so before.
    pub(crate) fn word(&self, clock: u32) -> u16 {
        let gone = clock.wrapping_sub(self.began);
        if gone >= self.takes {
            return self.to;
        }
        let (from, to) = (i64::from(self.from), i64::from(self.to));
        let word = from + (to - from) * i64::from(gone) / i64::from(self.takes);
        // Between two words there are only words.
        u16::try_from(word).unwrap_or(self.to)
    }

    /// From where it is to another word, which the host reaches in so many µs: one horizon, or as many as frames were
    /// lost. What is left of the line before is added, so that nothing is faster than the host, however frames come;
    /// less a 128th of the time that has passed, or of its own if that is shorter, so that it catches up; and no more
    /// than so many horizons, so that it does not come later and later behind a host that is faster than its horizon
    /// says. And it takes so long that it is no faster than the line before and what that may have gathered.
    pub(crate) fn go_on(&self, to: u16, clock: u32, takes: u32, horizon: u32) -> Motion {
        let gone = clock.wrapping_sub(self.began);
        let is_on_its_way = self.from != self.to && gone < self.takes;
        // A way that was begun anew in every frame would never end.
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

    /// How fast the next line may be, which would have this speed.
    fn allowed(&self, next: i64, gone: u32, horizon: u32) -> u64 {
        let gathered = |time: u32| u64::from(self.acceleration) * u64::from(time);
        if self.speed.signum() != next.signum() {
            gathered(gone.clamp(horizon / 2, horizon))
        } else if gone < horizon / 2 {
            // Frames that come together gather speed once.
            self.allowed
        } else {
            // Words are rounded: by one in each line.
            let rounded = WORD * WORD / u64::from(horizon);
            self.allowed
                .min(self.speed.unsigned_abs() + rounded)
                .saturating_add(gathered(gone.min(horizon * 2)))
        }
    }

    /// The same line, but no faster than this, and a word for rounding.
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

    /// How fast this line is.
    fn speed(&self) -> i64 {
        let way = i64::from(self.to) - i64::from(self.from);
        way * (WORD * WORD) as i64 / i64::from(self.takes.max(1))
    }

    /// It stays where it has arrived, however often the clock goes round; when it has stayed for half a horizon, it
    /// stands.
    pub(crate) fn settle(&mut self, clock: u32, horizon: u32) {
        let gone = clock.wrapping_sub(self.began);
        if gone >= self.takes {
            self.from = self.to;
            if gone - self.takes > horizon / 2 {
                self.speed = 0;
            }
        }
    }
}
