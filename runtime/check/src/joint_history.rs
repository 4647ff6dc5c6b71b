//! What was commanded and sent while a show played, kept for pictures.
//! Written by the simulation from every posture that is not random; drawn by the command line.
//! It never grows beyond a bound; of a long show fewer points are kept.

use cycle::Track;

/// The most points in time that are kept.
const POINTS: usize = 8_192;

/// The commands of one show over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointHistory {
    /// The number of the loop's turn in which the show began.
    pub first: u64,
    /// The posture from which it was played.
    pub start: String,
    /// On the show's clock, s.
    pub times: Vec<f64>,
    /// For each time, and in it for each actuator: commanded and sent.
    pub values: Vec<Vec<(f64, f64)>>,
    /// Turns from one point to the next; 0 before the first.
    every: u64,
    turns: u64,
}

impl JointHistory {
    pub(super) fn turn(&mut self, turn: u64, at: f64, tracks: &[Track]) {
        if self.turns == 0 {
            (self.first, self.every) = (turn, 1);
        }
        if self.turns.is_multiple_of(self.every) {
            self.times.push(at);
            self.values.push(
                tracks
                    .iter()
                    .map(|track| (track.commanded, track.sent))
                    .collect(),
            );
        }
        self.turns += 1;
        if self.times.len() > POINTS {
            self.every *= 2;
            halve(&mut self.times);
            halve(&mut self.values);
        }
    }
}

/// Keeps every second element, beginning with the first.
fn halve<T>(list: &mut Vec<T>) {
    let mut keep = false;
    list.retain(|_| {
        keep = !keep;
        keep
    });
}
