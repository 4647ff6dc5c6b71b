//! What a recorder refuses, and what it keeps.

use crate::answer::Answer;
use crate::sequence::MotionRecorder;
use crate::time::{Instant, Time};

#[test]
fn a_full_recording_keeps_what_it_has() {
    let mut recorder = MotionRecorder::<2, 4>::new(0.01)
        .leading(100.ms())
        .every(20.ms());
    // A zigzag that no two lines follow, and a joint that is not there.
    let zigzag = |step: u64| if step % 2 == 0 { 0.0 } else { 0.1 };
    let at = |step: u64| Instant::ZERO + 20.ms() * step;
    let mut taken = 0;
    let answer = loop {
        let answer = recorder.feed(at(taken), &[zigzag(taken), f64::NAN]);
        if !answer.is_done() {
            break answer;
        }
        // Too soon: not taken.
        let soon = recorder.feed(at(taken) + 10.ms(), &[9.0, 9.0]);
        assert_eq!(soon, Answer::Done);
        taken += 1;
        assert!(taken < 9, "it is never full");
    };
    assert_eq!((answer, taken), (Answer::Full, 4));
    assert_eq!(recorder.feed(at(9), &[0.5, 0.0]), Answer::Full);
    let lesson = recorder.finish();
    assert_eq!((lesson.keys(0).len(), lesson.keys(1).len()), (4, 0));
    for step in 0..taken {
        let found = lesson.output(0, 100.ms() + 20.ms() * step);
        assert!((found.value - zigzag(step)).abs() <= 0.01 + 1e-9);
    }
    assert_eq!(lesson.end(), 160.ms());
}
