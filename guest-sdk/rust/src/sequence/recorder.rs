//! Teaching by hand: makes a sequence of what sensors measure while a person moves the limp body.
//! Called by motions, in `pre_process` or `post_process`.
//! Played back, no output is further from a sample than the error, at the instant of that sample. It keeps no
//! samples, and a full store refuses the sample in which it would be exceeded.
//!
//! Since the last key a range of slopes has lines that pass all samples within the error. A sample narrows it. One
//! that would leave none is on a line of its own: the samples before it get a key at their end, on the line that fits
//! them best among those. (Elmeleegy and others, 2009: a swing filter.)

use super::{FIRST, MotionSequence, REACH};
use crate::answer::Answer;
use crate::output::Output;
use crate::time::{Instant, Span};

/// The time from the start to the first sample, to come from where the body is then.
const LEAD: Span = Span::from_millis(1000);

/// Records N measured values as a [`MotionSequence`] with at most K keys of each.
///
/// ```
/// use choreography::prelude::*;
/// use choreography::sequence::{MotionPlayer, MotionRecorder};
///
/// static HeadYaw: Actuator = Actuator::named("HeadYaw");
/// static YawSensor: Sensor = Sensor::named("HeadYaw");
///
/// let mut stage = Rehearsal::alone(nao());
/// let mut recorder = MotionRecorder::<1, 8>::new(0.02);
/// for turn in 0..100 {
///     HeadYaw.gains(0.0, 0.0, 0.0, 1.0); // limp
///     stage.sensor(&YawSensor, 0.01 * f64::from(turn)); // a person turns the head
///     assert!(recorder.feed(now(), &[YawSensor.read()]).is_done());
///     stage.turn();
/// }
/// let lesson = recorder.finish();
/// assert_eq!(lesson.keys(0).len(), 2); // one line
///
/// let mut player = MotionPlayer::new(lesson, [&HeadYaw]);
/// while player.is_alive() {
///     player.step(now());
///     stage.turn();
/// }
/// assert!((stage.sent(&HeadYaw) - 0.99).abs() < 0.02);
/// ```
#[derive(Clone, Debug)]
pub struct MotionRecorder<const N: usize, const K: usize> {
    sequence: MotionSequence<N, K>,
    fits: [LineFit; N],
    error: f64,
    resolution: Span,
    lead: Span,
    began: Option<Instant>,
    last: Instant,
}

impl<const N: usize, const K: usize> MotionRecorder<N, K> {
    /// A recorder within this error, in the unit of the values.
    pub fn new(error: f64) -> MotionRecorder<N, K> {
        MotionRecorder {
            sequence: MotionSequence::new(),
            fits: [LineFit::new(); N],
            error: error.max(0.0),
            resolution: Span::ZERO,
            lead: LEAD,
            began: None,
            last: Instant::ZERO,
        }
    }

    /// Takes no sample that is sooner than this after the one before; default: all are taken.
    #[must_use]
    pub fn every(self, resolution: Span) -> Self {
        MotionRecorder { resolution, ..self }
    }

    /// The time from the start of the sequence to the first sample, to come from where the body is then. Default: 1 s;
    /// at least 1 ms.
    #[must_use]
    pub fn leading(self, lead: Span) -> Self {
        let lead = lead.max(FIRST);
        MotionRecorder { lead, ..self }
    }

    /// Takes the values that are measured at this instant. One that is not finite is of a sensor that has measured
    /// nothing: it is left out.
    ///
    /// With [`Answer::Full`], an output needs more than K keys; with [`Answer::OutOfReach`], it records for 24.8 days.
    /// The sample is not taken then: finish the recording.
    #[must_use = "a sample that is refused is not recorded"]
    pub fn feed(&mut self, now: Instant, measured: &[f64; N]) -> Answer {
        let began = self.began.unwrap_or(now);
        let is_soon = now <= self.last || now - self.last < self.resolution;
        if self.began.is_some() && is_soon {
            return Answer::Done;
        }
        let at = self.lead + (now - began);
        if at > REACH {
            return Answer::OutOfReach;
        }
        let lists = self.sequence.lists.iter().zip(&self.fits);
        let mut lists = lists.zip(measured).filter(|pair| pair.1.is_finite());
        if lists.any(|((list, fit), value)| !list.has_room(fit.needs(at, *value, self.error))) {
            return Answer::Full;
        }
        for (place, value) in measured
            .iter()
            .enumerate()
            .filter(|pair| pair.1.is_finite())
        {
            self.take(place, at, *value);
        }
        (self.began, self.last) = (Some(began), now);
        Answer::Done
    }

    /// Ends the recording. The edit time of the sequence is at its end.
    #[must_use]
    pub fn finish(mut self) -> MotionSequence<N, K> {
        for place in 0..N {
            self.close(place);
        }
        self.sequence.set_edit_time(self.sequence.end().max(FIRST));
        self.sequence
    }

    fn take(&mut self, place: usize, at: Span, value: f64) {
        if !self.fits[place].has(at, value, self.error) {
            self.close(place);
        }
        let fit = &mut self.fits[place];
        if fit.anchor.is_none() {
            *fit = LineFit::at(at, value);
            self.sequence.put(place, at, Output::of(value));
        } else {
            fit.extend(at, value, self.error);
        }
    }

    /// Makes a key at the last sample of the line, where the next line begins.
    fn close(&mut self, place: usize) {
        if let Some((at, value)) = self.fits[place].end() {
            self.sequence.put(place, at, Output::of(value));
            self.fits[place] = LineFit::at(at, value);
        }
    }
}

/// A line from the last key through the samples since.
#[derive(Clone, Copy, Debug)]
struct LineFit {
    /// The last key.
    anchor: Option<(Span, f64)>,
    /// The last sample since, if there is one.
    latest: Option<Span>,
    /// The lowest and highest slope of a line that passes all samples within the error.
    lowest: f64,
    highest: f64,
    /// The sums of `time · way` and `time²` of all samples, from the key: their quotient is the slope of least squares.
    ways: f64,
    squares: f64,
}

impl LineFit {
    const fn new() -> LineFit {
        LineFit {
            anchor: None,
            latest: None,
            lowest: f64::NEG_INFINITY,
            highest: f64::INFINITY,
            ways: 0.0,
            squares: 0.0,
        }
    }

    fn at(at: Span, value: f64) -> LineFit {
        LineFit {
            anchor: Some((at, value)),
            ..LineFit::new()
        }
    }

    /// The slopes that are left with this sample, and its time and way from the key.
    fn narrowed(&self, at: Span, value: f64, error: f64) -> Option<[f64; 4]> {
        let (start, from) = self.anchor?;
        let (time, way) = ((at - start).seconds(), value - from);
        let lowest = self.lowest.max((way - error) / time);
        let highest = self.highest.min((way + error) / time);
        Some([lowest, highest, time, way])
    }

    /// Whether a line passes this sample, too.
    fn has(&self, at: Span, value: f64, error: f64) -> bool {
        let slopes = self.narrowed(at, value, error);
        slopes.is_none_or(|[lowest, highest, ..]| lowest <= highest)
    }

    /// The room for keys that it needs with this sample: for that which ends the line, and one before if it breaks.
    fn needs(&self, at: Span, value: f64, error: f64) -> usize {
        if self.has(at, value, error) { 1 } else { 2 }
    }

    fn extend(&mut self, at: Span, value: f64, error: f64) {
        if let Some([lowest, highest, time, way]) = self.narrowed(at, value, error) {
            (self.lowest, self.highest, self.latest) = (lowest, highest, Some(at));
            self.ways += time * way;
            self.squares += time * time;
        }
    }

    /// The end of the line: at its last sample, on the slope that fits them best.
    fn end(&self) -> Option<(Span, f64)> {
        let ((start, from), latest) = (self.anchor?, self.latest?);
        let best = self.ways / self.squares;
        let slope = best.max(self.lowest).min(self.highest);
        Some((latest, from + slope * (latest - start).seconds()))
    }
}
