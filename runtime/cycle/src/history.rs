//! What was sent in the last turns. Written and read by the exchange, for boards that acknowledge a frame later.
//! The values of a turn lie side by side, so that a turn touches few cache lines of it.

use crate::body::Body;
use crate::frame::Answer;
use crate::track::Track;

/// How many turns back a board may acknowledge: some boards are not due in every turn.
pub(crate) const HISTORY: usize = 16;

/// The values sent, a row for each of the last turns.
pub(crate) struct SentHistory<'m> {
    values: &'m mut [f64],
    actuators: usize,
}

impl<'m> SentHistory<'m> {
    /// Over this memory: [`HISTORY`] values for each actuator.
    pub(crate) fn new(values: &'m mut [f64], actuators: usize) -> SentHistory<'m> {
        SentHistory { values, actuators }
    }

    /// The row of a turn.
    pub(crate) fn row(&mut self, turn: u64) -> &mut [f64] {
        let begin = turn as usize % HISTORY * self.actuators;
        &mut self.values[begin..begin + self.actuators]
    }

    /// Tells the tracks what their boards have acknowledged of earlier turns.
    pub(crate) fn acknowledge(
        &self,
        turn: u64,
        answers: &[Answer],
        body: &Body<'_>,
        tracks: &mut [Track],
    ) {
        for (place, (actuator, track)) in body.actuators.iter().zip(tracks).enumerate() {
            let answer = answers[usize::from(actuator.board.0)];
            let is_later = answer.answered && answer.acknowledged != turn;
            let sent = is_later.then(|| self.acknowledged(turn, answer.acknowledged, place));
            if let Some(sent) = sent.flatten() {
                track.acknowledged = sent;
            }
        }
    }

    /// What was sent in the turn that a board has acknowledged; nothing if that is too long ago, or before the first.
    fn acknowledged(&self, turn: u64, acknowledged: u64, actuator: usize) -> Option<f64> {
        let age = turn.checked_sub(acknowledged)?;
        let is_kept = age < HISTORY as u64 && acknowledged > 0;
        let place = acknowledged as usize % HISTORY * self.actuators + actuator;
        self.values.get(place).copied().filter(|_| is_kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_known_for_sixteen_turns() {
        let mut values = [0.0; 3 * HISTORY];
        let mut history = SentHistory::new(&mut values, 3);
        for turn in 1..100_u64 {
            for (place, value) in history.row(turn).iter_mut().enumerate() {
                *value = turn as f64 + place as f64 / 10.0;
            }
            for acknowledged in 0..turn + 3 {
                let is_known = acknowledged > 0 && acknowledged <= turn && turn - acknowledged < 16;
                let expected = is_known.then_some(acknowledged as f64 + 0.2);
                assert_eq!(
                    history.acknowledged(turn, acknowledged, 2),
                    expected,
                    "{turn}"
                );
            }
        }
    }
}
