//! The player: evaluates a sequence once in each turn, for the time that has passed, and drives the actuators.
//! Called by motions, in `pre_process`; it calls the playhead, the sequence and the actuators.
//! The first round begins where the body is, and each other where the one before has ended. Nothing jumps but
//! by `seek`, by a change of the keys, and backwards, where rounds begin at the last keys; `approach` is a `seek`
//! without the jump.

use core::array::from_fn;

use super::approach::Approach;
use super::own::OwnOutputs;
use super::playback::{Course, Milestone, Playback, Rounds};
use super::{Keyframe, MotionSequence};
use crate::actuator::Actuator;
use crate::answer::Answer;
use crate::output::Output;
use crate::sensor::Sensor;
use crate::time::{Instant, Span};

/// Plays a [`MotionSequence`] on N actuators. It begins in its first step, unless it was paused before.
///
/// ```
/// use choreography::prelude::*;
/// use choreography::sequence::{Milestone, MotionPlayer, MotionSequence, Rounds};
///
/// static HeadYaw: Actuator = Actuator::named("HeadYaw");
///
/// let mut stage = Rehearsal::alone(nao());
/// let mut shake = MotionSequence::<1, 2>::new();
/// for (at, yaw) in [(300.ms(), 0.4), (600.ms(), 0.0)] {
///     shake.set_edit_time(at);
///     assert!(shake.set(0, Output::of(yaw)).is_done());
/// }
/// let mut player = MotionPlayer::new(shake, [&HeadYaw]);
/// player.set_rounds(Rounds::Count(2));
/// player.set_speed(1.5);
/// let mut rounds = 0;
/// while player.is_alive() {
///     if player.step(now()) == Some(Milestone::Round) {
///         rounds += 1;
///     }
///     stage.turn();
/// }
/// assert_eq!((rounds, now()), (1, Instant::ZERO + 810.ms())); // 800 ms, and the first turn
/// ```
#[derive(Clone, Debug)]
pub struct MotionPlayer<const N: usize, const K: usize> {
    pub(super) sequence: MotionSequence<N, K>,
    pub(super) actuators: [&'static Actuator; N],
    sensors: Option<[&'static Sensor; N]>,
    /// Where this round has begun: its keys at time zero.
    pub(super) origins: [Output; N],
    pub(super) playback: Playback,
    pub(super) approach: Option<Approach<N>>,
    pub(super) is_held: bool,
    clock: Option<Instant>,
    /// The way of the last step; `None` if it did not play. And whether it has begun in that step.
    course: Option<Course>,
    has_begun: bool,
    pub(super) answer: Answer,
    pub(super) own: OwnOutputs<N>,
}

impl<const N: usize, const K: usize> MotionPlayer<N, K> {
    /// A player of this sequence on these actuators. The body is where the actuators were last sent.
    pub const fn new(sequence: MotionSequence<N, K>, actuators: [&'static Actuator; N]) -> Self {
        MotionPlayer {
            origins: sequence.starts,
            sequence,
            actuators,
            sensors: None,
            playback: Playback::new(),
            approach: None,
            is_held: true,
            clock: None,
            course: None,
            has_begun: false,
            answer: Answer::Done,
            own: OwnOutputs::NONE,
        }
    }

    /// The body is where these sensors measure it. One that this body does not have counts as where its actuator was
    /// sent.
    #[must_use]
    pub const fn measured_by(mut self, sensors: [&'static Sensor; N]) -> Self {
        self.sensors = Some(sensors);
        self
    }

    /// Plays from the start in the next step; from the end, if the speed is negative.
    pub fn play(&mut self) {
        self.playback.rewind();
        (self.approach, self.clock) = (None, None);
    }

    /// Stands still from now on, and holds its values.
    pub fn pause(&mut self) {
        self.playback.is_paused = true;
    }

    /// Goes on from where it stands, without the time of the pause. Also at its end, if the speed has turned.
    pub fn resume(&mut self) {
        let was_playing = self.is_playing();
        self.playback.resume(self.sequence.end());
        if !was_playing {
            self.clock = None;
        }
    }

    /// Goes to this time, at most the end. A sequence that is over plays on from there, to the end of its last round.
    pub fn seek(&mut self, at: Span) {
        self.approach = None;
        if self.playback.is_over() {
            self.clock = None;
        }
        self.playback.seek(at.min(self.sequence.end()));
    }

    /// Goes to this time as [`seek`](MotionPlayer::seek) does, but without a jump: its time stands there until the
    /// outputs have come from where they are, in this span, slowly at both ends. If it is far, it takes longer: no
    /// actuator is faster than half of its greatest velocity. A pause stops it on its way; one that is chosen during a
    /// pause goes there.
    ///
    /// ```
    /// use choreography::prelude::*;
    /// use choreography::sequence::{MotionPlayer, MotionSequence};
    ///
    /// static HeadYaw: Actuator = Actuator::named("HeadYaw");
    ///
    /// let mut stage = Rehearsal::alone(nao());
    /// let mut turn = MotionSequence::<1, 1>::new();
    /// turn.set_edit_time(4.s());
    /// assert!(turn.set(0, Output::of(0.8)).is_done());
    /// let mut player = MotionPlayer::new(turn, [&HeadYaw]);
    /// for number in 0..200 {
    ///     if number == 50 {
    ///         player.approach(3.s(), 1.s()); // from 0.1 to 0.6
    ///     }
    ///     player.step(now());
    ///     stage.turn();
    /// }
    /// assert!((stage.sent(&HeadYaw) - 0.7).abs() < 0.01 && stage.fastest(&HeadYaw) < 0.8);
    /// ```
    pub fn approach(&mut self, at: Span, over: Span) {
        self.seek(at);
        let at = at.min(self.sequence.end());
        if over == Span::ZERO {
            return;
        }
        self.approach = Some(self.way(at, over));
    }

    /// The way from where the outputs are to this time.
    fn way(&self, at: Span, over: Span) -> Approach<N> {
        let from = from_fn(|place| self.own.present(place, self.actuators[place]));
        let to = from_fn(|place| self.sequence.output_from(self.origins[place], place, at));
        let mut way = Approach::new(&self.actuators, from, to, at, over);
        way.is_chosen_in_pause = self.playback.is_paused;
        way
    }

    /// Sets the speed: 1 as written, 0.5 half as fast, negative backwards. It holds for the time since the last step.
    /// A number that is not finite is refused with [`Answer::NotFinite`].
    pub fn set_speed(&mut self, speed: f64) -> Answer {
        if !speed.is_finite() {
            return Answer::NotFinite;
        }
        self.playback.speed = speed;
        Answer::Done
    }

    /// Turns its speed round: it plays back the way that it has come. Called at each [`Milestone::End`], it plays to
    /// and fro.
    ///
    /// ```
    /// use choreography::prelude::*;
    /// use choreography::sequence::{Milestone, MotionPlayer, MotionSequence};
    ///
    /// static HeadYaw: Actuator = Actuator::named("HeadYaw");
    ///
    /// let mut stage = Rehearsal::alone(nao());
    /// let mut shake = MotionSequence::<1, 1>::new();
    /// shake.set_edit_time(200.ms());
    /// assert!(shake.set(0, Output::of(0.4)).is_done());
    /// let mut player = MotionPlayer::new(shake, [&HeadYaw]);
    /// for _ in 0..100 {
    ///     if player.step(now()) == Some(Milestone::End) {
    ///         player.reverse();
    ///     }
    ///     stage.turn();
    /// }
    /// assert_eq!((stage.highest(&HeadYaw), player.position()), (0.4, 190.ms()));
    /// assert!(stage.fastest(&HeadYaw) < 2.1);
    /// ```
    pub fn reverse(&mut self) {
        self.playback.speed = -self.playback.speed;
        if self.playback.is_over() {
            self.playback.resume(self.sequence.end());
        }
    }

    /// Sets how often it is played; default: once.
    ///
    /// Forward, each round begins with the values and weights with which the one before has ended, and where the body
    /// is if these have no weight. Backwards, each round begins at the last keys.
    pub fn set_rounds(&mut self, rounds: Rounds) {
        self.playback.rounds = rounds;
    }

    /// Sets whether an output stays as its last key is, until the guest is ended; default: true. If not, it is left
    /// to others after its last key, and all are at the end.
    pub fn set_hold(&mut self, is_held: bool) {
        self.is_held = is_held;
    }

    /// Whether it has not ended. One that is paused has not.
    pub fn is_alive(&self) -> bool {
        !self.playback.is_over()
    }

    /// Whether its time passes.
    pub fn is_playing(&self) -> bool {
        self.is_alive() && !self.playback.is_paused
    }

    /// The time that it has reached.
    pub fn position(&self) -> Span {
        span(self.playback.at(self.sequence.end()))
    }

    /// The sequence.
    pub const fn sequence(&self) -> &MotionSequence<N, K> {
        &self.sequence
    }

    /// The sequence, to be edited. A change counts from the next step on.
    pub const fn sequence_mut(&mut self) -> &mut MotionSequence<N, K> {
        &mut self.sequence
    }

    /// Its actuators.
    pub const fn actuators(&self) -> &[&'static Actuator; N] {
        &self.actuators
    }

    /// The first refusal of the values of the last step.
    pub const fn answer(&self) -> Answer {
        self.answer
    }

    /// Goes on to this turn, and drives the actuators in it. Returns what it has passed; each end only once.
    ///
    /// A key with a weight of 0 that it passes gets the value where the body is then: what follows fades in from there.
    pub fn step(&mut self, now: Instant) -> Option<Milestone> {
        let milestone = self.advance(now);
        self.drive();
        milestone
    }

    /// Goes on to this turn as [`step`](MotionPlayer::step) does, but drives nothing: for those who use its
    /// [`output`](MotionPlayer::output) in another way, or [`drive`](MotionPlayer::drive) it when they have seen
    /// what was passed.
    pub fn advance(&mut self, now: Instant) -> Option<Milestone> {
        let last = self.clock.replace(now);
        let passed = last.map_or(Span::ZERO, |value| now - value);
        let end = self.sequence.end();
        self.has_begun = self.playback.begin(end);
        if self.has_begun {
            self.origins = from_fn(|place| self.begun(place));
            // A way that was chosen before it began is gone from here on, and nothing was driven until now.
            if let Some(way) = self.approach.take() {
                self.approach = Some(self.way(way.at, way.lasts));
            }
        }
        if let Some(way) = &mut self.approach {
            way.is_chosen_in_pause &= self.playback.is_paused;
        }
        let stands = self.stands_on_its_way();
        let passed = if self.playback.has_begun() {
            passed
        } else {
            Span::ZERO
        };
        let passed = match &mut self.approach {
            Some(_) if stands => {
                self.course = None;
                return None;
            }
            Some(way) if way.passed + passed < way.lasts => {
                way.passed = way.passed + passed;
                self.course = None;
                return None;
            }
            Some(way) => way.passed + passed - way.lasts,
            None => passed,
        };
        self.approach = None;
        let course = self.playback.advance(passed, end);
        if let Some(course) = &course {
            self.pass(course, end);
        }
        self.course = course;
        course.and_then(|course| course.milestone)
    }

    /// Whether the last step has passed this time of the sequence, or has begun at it. A time to which it was sought
    /// is not passed.
    pub fn has_passed(&self, at: Span) -> bool {
        let course = self.course.as_ref();
        course.is_some_and(|course| course.passes(at) || self.has_begun && course.begins_at(at))
    }

    /// Where the body is, or NaN.
    fn body_at(&self, place: usize) -> f64 {
        let sensed = self.sensors.map_or(f64::NAN, |sensor| sensor[place].read());
        if sensed.is_finite() {
            sensed
        } else {
            self.own.present(place, self.actuators[place]).value
        }
    }

    /// The start of an output: where the body is.
    fn begun(&self, place: usize) -> Output {
        Output {
            value: self.body_at(place),
            ..self.sequence.starts[place]
        }
    }

    /// Passes keys, and ends of rounds.
    fn pass(&mut self, course: &Course, end: Span) {
        let is_met =
            |keyframe: &Keyframe| keyframe.output.weight <= 0.0 && course.passes(keyframe.at);
        let bodies: [Option<f64>; N] = from_fn(|place| {
            let is_passed = self.sequence.keys(place).iter().any(is_met);
            is_passed.then(|| self.body_at(place))
        });
        for (list, body) in self.sequence.lists.iter_mut().zip(bodies) {
            let Some(body) = body.filter(|body| body.is_finite()) else {
                continue;
            };
            for key in list.keys_mut().iter_mut().filter(|key| is_met(key)) {
                key.output.value = body;
            }
        }
        if course.begins_anew() {
            self.origins = from_fn(|place| self.begun_anew(place, end));
        }
    }

    /// The start of an output in the next round.
    fn begun_anew(&self, place: usize, end: Span) -> Output {
        let last = self.sequence.keys(place).last();
        let last = last.filter(|keyframe| {
            keyframe.output.weight > 0.0 && (self.is_held || keyframe.at == end)
        });
        last.map_or_else(|| self.begun(place), |keyframe| keyframe.output)
    }
}

/// A time of the playhead, at least zero.
pub(super) fn span(nanos: f64) -> Span {
    Span::from_nanos((nanos + 0.5) as u64)
}
