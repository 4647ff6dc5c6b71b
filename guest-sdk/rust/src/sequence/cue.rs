//! Cue points: named times of a sequence, which are posted as events when they are passed, and to which it can go.
//! Called by motions, in `pre_process`, after the player's step.
//! A cue that is passed is posted in that turn, also backwards, and once for each round in which it is passed.

use super::MotionPlayer;
use crate::answer::Answer;
use crate::event::Topic;
use crate::time::Span;

/// A time of a sequence, and the topic that is its name.
#[derive(Clone, Copy, Debug)]
pub struct CuePoint {
    /// The time after the start of the sequence.
    pub at: Span,
    /// What is posted there; a topic of the cast, so that it is known to all.
    pub topic: &'static Topic,
}

/// The cue points of a sequence, at most C.
///
/// ```
/// use choreography::prelude::*;
/// use choreography::sequence::{CueSheet, MotionPlayer, MotionSequence};
///
/// choreography! {
///     /// Looks aside, and says when it is there.
///     motion Aside as "aside";
///     hooks pre_process, is_alive;
///     joints HeadYaw;
///     topics Begun = "aside/begun", There = "aside/there";
/// }
///
/// struct Aside(MotionPlayer<1, 2>, CueSheet<2>);
///
/// impl Motion for Aside {
///     fn start() -> Aside {
///         let (mut keys, mut cues) = (MotionSequence::new(), CueSheet::new());
///         keys.set_edit_time(500.ms());
///         let done = keys.set(0, Output::of(0.4)).then(|| cues.add(Span::ZERO, &Begun));
///         assert!(done.then(|| cues.add(500.ms(), &There)).is_done());
///         Aside(MotionPlayer::new(keys, [&HeadYaw]), cues)
///     }
///     fn pre_process(&mut self, now: Instant) {
///         self.0.step(now);
///         self.1.post_passed(&self.0, 1.0);
///     }
///     fn is_alive(&self) -> bool {
///         self.0.is_alive()
///     }
/// }
///
/// let mut stage = Rehearsal::of::<Aside>(nao());
/// stage.run_for(200.ms());
/// assert_eq!((stage.posted(&Begun).len(), stage.posted(&There).len()), (1, 0));
/// stage.run_to_its_end(1.s());
/// assert_eq!(stage.posted(&There), [1.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CueSheet<const C: usize> {
    cues: [Option<CuePoint>; C],
}

impl<const C: usize> CueSheet<C> {
    /// A sheet without cues.
    pub const fn new() -> CueSheet<C> {
        CueSheet { cues: [None; C] }
    }

    /// Adds a cue. It is refused with [`Answer::Full`] if there are C already.
    #[must_use = "a cue that is refused is not there"]
    pub fn add(&mut self, at: Span, topic: &'static Topic) -> Answer {
        match self.cues.iter_mut().find(|cue| cue.is_none()) {
            Some(free) => {
                *free = Some(CuePoint { at, topic });
                Answer::Done
            }
            None => Answer::Full,
        }
    }

    /// All cues, in the order in which they were added.
    pub fn cues(&self) -> impl Iterator<Item = CuePoint> {
        self.cues.iter().flatten().copied()
    }

    /// The cues that the last step of this player has passed.
    pub fn passed<const N: usize, const K: usize>(
        &self,
        player: &MotionPlayer<N, K>,
    ) -> impl Iterator<Item = CuePoint> {
        self.cues().filter(|cue| player.has_passed(cue.at))
    }

    /// Posts this value under the topics of all cues that the last step of this player has passed. Returns the first
    /// refusal.
    pub fn post_passed<const N: usize, const K: usize>(
        &self,
        player: &MotionPlayer<N, K>,
        value: f64,
    ) -> Answer {
        let post = |first: Answer, point: CuePoint| {
            let answer = point.topic.post(value);
            first.then(|| answer)
        };
        self.passed(player).fold(Answer::Done, post)
    }

    /// Lets a player go to the first cue of this topic. That is [`Answer::Unknown`] if there is none.
    pub fn seek<const N: usize, const K: usize>(
        &self,
        player: &mut MotionPlayer<N, K>,
        topic: &Topic,
    ) -> Answer {
        self.approach(player, topic, Span::ZERO)
    }

    /// The same without a jump: it comes there in this span, as [`MotionPlayer::approach`] does.
    pub fn approach<const N: usize, const K: usize>(
        &self,
        player: &mut MotionPlayer<N, K>,
        topic: &Topic,
        over: Span,
    ) -> Answer {
        let Some(cue) = self.cues().find(|cue| cue.topic.name() == topic.name()) else {
            return Answer::Unknown;
        };
        player.approach(cue.at, over);
        Answer::Done
    }
}

impl<const C: usize> Default for CueSheet<C> {
    fn default() -> CueSheet<C> {
        CueSheet::new()
    }
}
