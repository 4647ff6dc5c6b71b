//! The promises that every board keeps towards the turn, whatever carries it: one list, run over all.
//! Called by `conformance.rs` for what is there on every machine, by `devices/buses.rs` for a real kernel's bus.
//! A promise is checked only through the turn's own interface.

use std::time::{Duration, Instant};

use cycle::Answer;
use drivers::faults::{Fault, Faults, own_error};

/// The subject of the tests: a body with at least one joint that has a sensor.
pub(crate) trait Subject {
    /// A turn of this number; all joints have this target. The answer, and where the first joint is.
    fn turn(&mut self, number: u64, powered: bool, counts: f64) -> (Answer, f64);

    /// The plug is pulled, or put back.
    fn plug(&mut self, is_in: bool);

    /// The counts; `None` for a body without a bus.
    fn faults(&self) -> Option<Faults>;

    /// Sets the board's own error; false if it has none.
    fn fail(&mut self, _code: u16) -> bool {
        false
    }
}

/// The requirements, in the subject's counts and turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) range: (f64, f64),
    /// How near a joint must come to its target, and in how many turns.
    pub(crate) near: f64,
    pub(crate) moving: u64,
    /// Turns until the board is known.
    pub(crate) reading: u64,
    /// Turns after which a turn is acknowledged.
    pub(crate) behind: u64,
    /// The longest turn, if nobody answers.
    pub(crate) timeout: Duration,
}

/// All promises, one after the other.
pub(crate) fn keep_all(subject: &mut dyn Subject, terms: Terms) {
    let mut trial = Trial::of(subject, terms);
    trial.is_found();
    trial.stands_still_unpowered();
    trial.follows_and_acknowledges();
    trial.stays_within_its_range();
    trial.stands_still_unpowered();
    trial.tells_its_own_errors();
    for _ in 0..2 {
        trial.is_missed_while_it_is_unplugged();
        trial.comes_back_by_itself();
    }
}

/// Those that are kept even on a wire that does anything to frames: within its range, and well again soon after.
pub(crate) fn bear(subject: &mut dyn Subject, terms: Terms, turns: u64, heal: impl FnOnce()) {
    let mut trial = Trial::of(subject, terms);
    for turn in 0..turns {
        trial.turn(true, trial.share(((turn / 10) % 11) as f64 / 10.0));
    }
    heal();
    trial.is_found();
    trial.follows_and_acknowledges();
}

struct Trial<'s> {
    subject: &'s mut dyn Subject,
    terms: Terms,
    number: u64,
    read: f64,
    acknowledged: u64,
}

impl Trial<'_> {
    fn of(subject: &mut dyn Subject, terms: Terms) -> Trial<'_> {
        Trial {
            subject,
            terms,
            number: 0,
            read: f64::NAN,
            acknowledged: 0,
        }
    }

    /// A turn, and what holds in every turn.
    fn turn(&mut self, powered: bool, counts: f64) -> Answer {
        self.number += 1;
        let before = self.subject.faults();
        let began = Instant::now();
        let (answer, read) = self.subject.turn(self.number, powered, counts);
        let took = began.elapsed();
        assert!(took < self.terms.timeout, "a turn took {took:?}");
        if let (Some(before), Some(after)) = (before, self.subject.faults()) {
            assert_eq!(
                after.exchanges(),
                before.exchanges() + 1,
                "each is counted once"
            );
            assert_eq!(after.good - before.good, u64::from(answer.answered));
            let error = Fault::of_error(answer.error);
            assert_eq!(error.is_some(), !answer.answered, "{answer:?}");
            if let Some(fault) = error {
                assert_eq!(
                    after.of(fault),
                    before.of(fault) + 1,
                    "{fault:?} is counted"
                );
            }
        }
        if answer.answered {
            let (lowest, highest) = self.terms.range;
            assert!((lowest..=highest).contains(&read), "it reads {read}");
            assert!(answer.acknowledged >= self.acknowledged, "turns rise");
            assert!(answer.acknowledged <= self.number, "none that is to come");
            (self.read, self.acknowledged) = (read, answer.acknowledged);
        }
        answer
    }

    fn share(&self, share: f64) -> f64 {
        let (lowest, highest) = self.terms.range;
        lowest + (highest - lowest) * share
    }

    fn is_found(&mut self) {
        let mut last = Answer::default();
        for _ in 0..self.terms.reading {
            last = self.turn(false, self.share(0.5));
            if last.answered {
                return;
            }
        }
        panic!("it never answers: {:?}", Fault::of_error(last.error));
    }

    /// What coasts has come to rest after as long as a motion takes.
    fn stands_still_unpowered(&mut self) {
        for _ in 0..self.terms.moving {
            assert!(self.turn(false, self.share(0.9)).answered);
        }
        let place = self.read;
        for turn in 0..100 {
            let target = self.share(f64::from(turn % 10) / 10.0);
            assert!(self.turn(false, target).answered);
            assert_eq!(self.read, place, "it moves by itself");
        }
    }

    fn follows_and_acknowledges(&mut self) {
        for share in [0.25, 0.75, 0.5, 0.6] {
            let target = self.share(share);
            for _ in 0..self.terms.moving {
                let answer = self.turn(true, target);
                assert!(answer.answered, "{:?}", Fault::of_error(answer.error));
                assert_eq!(answer.error, 0);
                let behind = self.number - answer.acknowledged;
                assert!(behind <= self.terms.behind, "{behind} turns behind");
            }
            let off = (self.read - target).abs();
            assert!(off <= self.terms.near, "{off} from {target}");
        }
    }

    /// The reading is checked in every turn.
    fn stays_within_its_range(&mut self) {
        for target in [1e9, -1e9, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300] {
            for _ in 0..self.terms.moving {
                assert!(self.turn(true, target).answered);
            }
        }
    }

    fn tells_its_own_errors(&mut self) {
        for code in [7, 0x7fff, 0] {
            if self.subject.fail(code) {
                let answers = [(); 3].map(|()| self.turn(true, self.share(0.5)));
                assert_eq!(answers[2].error, own_error(code));
                assert!(answers[2].answered, "it answers all the same");
            }
        }
    }

    fn is_missed_while_it_is_unplugged(&mut self) {
        self.subject.plug(false);
        for _ in 0..80 {
            let answer = self.turn(true, self.share(0.2));
            assert!(!answer.answered, "nobody is there");
        }
    }

    fn comes_back_by_itself(&mut self) {
        self.subject.plug(true);
        self.is_found();
        self.follows_and_acknowledges();
    }
}
