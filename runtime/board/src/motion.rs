//! One output between two frames: on its way from the target that holds now to the one that was known ahead.
//! Kept by the firmware, one for each output.
//! The law: without a later frame it ends at what was known ahead, and stays.

/// Horizons that it may be behind its host.
const BEHIND: u32 = 64;

/// An output on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Motion {
    from: u16,
    to: u16,
    /// When it began, and how long it takes, µs.
    began: u32,
    takes: u32,
    /// Of a trigger: it was fired, and nobody has asked for that yet.
    fired: bool,
}

impl Motion {
    /// It stays at this word.
    pub(crate) fn at(word: u16) -> Motion {
        Motion {
            from: word,
            to: word,
            began: 0,
            takes: 0,
            fired: false,
        }
    }

    /// From one word to another in so many µs.
    pub(crate) fn line(from: u16, to: u16, began: u32, takes: u32) -> Motion {
        Motion {
            from,
            to,
            began,
            takes,
            fired: false,
        }
    }

    /// A trigger's word is this one: it is fired if that is another one than before, unless it is only told.
    pub(crate) fn fire(&self, word: u16, is_told: bool) -> Motion {
        Motion {
            fired: self.fired || (!is_told && word != self.to),
            ..Motion::at(word)
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
    /// less a 128th of the time that has passed, so that it catches up; and no more than so many horizons, so that it
    /// does not come later and later behind a host that is faster than its horizon says.
    pub(crate) fn go_on(&self, to: u16, clock: u32, takes: u32, horizon: u32) -> Motion {
        let gone = clock.wrapping_sub(self.began);
        let is_on_its_way = self.from != self.to && gone < self.takes;
        // A way that was begun anew in every frame would never end.
        if is_on_its_way && to == self.to {
            return *self;
        }
        let left = if is_on_its_way { self.takes - gone } else { 0 };
        let behind = left.saturating_sub(gone.div_ceil(128));
        let behind = behind.min(horizon.saturating_mul(BEHIND));
        Motion::line(self.word(clock), to, clock, takes.saturating_add(behind))
    }

    /// It stays where it has arrived, however often the clock goes round.
    pub(crate) fn settle(&mut self, clock: u32) {
        if clock.wrapping_sub(self.began) >= self.takes {
            *self = Motion {
                fired: self.fired,
                ..Motion::at(self.to)
            };
        }
    }
}
