//! The algebra of postures: one over or under another, a mix of two, and how far two are apart.
//! Called by motions.
//! What only one posture uses keeps its value, and what neither uses stays unused.

use super::{Posture, is_used};
use crate::output::Output;

/// Shares of an average outside these are none of the other posture, and all of it.
const NONE: f64 = 0.001;
const ALL: f64 = 0.999;

impl<const N: usize> Posture<N> {
    /// Takes all outputs that the other posture uses.
    pub fn overlay(&mut self, other: &Posture<N>) {
        self.merge(
            other,
            |mine, other| {
                if is_used(&other) { other } else { mine }
            },
        );
    }

    /// Takes the other posture's outputs where this one's are unused.
    pub fn underlay(&mut self, other: &Posture<N>) {
        self.merge(
            other,
            |mine, other| {
                if is_used(&mine) { mine } else { other }
            },
        );
    }

    /// Goes this share of the way to the other posture, from 0 to 1: a cross-fade.
    ///
    /// Where both use an output, value and weight are mixed. Where only one does, its value stays, and its weight fades
    /// in or out. A share below 0.001 changes nothing, and one above 0.999 makes this posture the other.
    pub fn average(&mut self, other: &Posture<N>, share: f64) {
        if share > ALL {
            *self = *other;
        } else if share >= NONE {
            self.merge(other, |mine, other| {
                match (is_used(&mine), is_used(&other)) {
                    (true, true) => Output::mix(mine, other, share),
                    (true, false) => faded(mine, 1.0 - share),
                    (false, true) => faded(other, share),
                    (false, false) => mine,
                }
            });
        }
    }

    /// The sum of both postures, each multiplied by its share: weights are added, and a value is the mean of
    /// both by these weights. What only one uses keeps its value.
    pub fn combine(&mut self, other: &Posture<N>, my_share: f64, other_share: f64) {
        let part = |item: Output, share: f64| {
            let weight = item.weight * share;
            if is_used(&item) {
                (item.value * weight, weight)
            } else {
                (0.0, 0.0)
            }
        };
        self.merge(other, |mine, other| {
            let (one, two) = (part(mine, my_share), part(other, other_share));
            let (sum, weight) = (one.0 + two.0, one.1 + two.1);
            if weight > 0.0 {
                let value = sum / weight;
                Output { value, weight }
            } else {
                faded(mine, 0.0) // unused: a mean of nothing would be 0 / 0
            }
        });
    }

    /// The sum of the squared differences of all outputs that both postures use.
    pub fn diff(&self, other: &Posture<N>) -> f64 {
        self.differences(other)
            .map(|difference| difference * difference)
            .sum()
    }

    /// The mean of the squared differences of all outputs that both postures use; 0 if there is none.
    pub fn average_diff(&self, other: &Posture<N>) -> f64 {
        let add = |(sum, count): (f64, f64), value: f64| (sum + value * value, count + 1.0);
        let (sum, count) = self.differences(other).fold((0.0, 0.0), add);
        sum / f64::max(count, 1.0)
    }

    /// The largest difference of an output that both postures use, without a sign; 0 if there is none.
    pub fn largest_diff(&self, other: &Posture<N>) -> f64 {
        self.differences(other).map(libm::fabs).fold(0.0, f64::max)
    }

    fn differences(&self, other: &Posture<N>) -> impl Iterator<Item = f64> {
        let both = self.outputs.iter().zip(&other.outputs);
        both.filter(|pair| is_used(pair.0) && is_used(pair.1))
            .map(|pair| pair.0.value - pair.1.value)
    }

    fn merge(&mut self, other: &Posture<N>, merged: impl Fn(Output, Output) -> Output) {
        for (mine, other) in self.outputs.iter_mut().zip(other.outputs) {
            *mine = merged(*mine, other);
        }
    }
}

/// An output with a share of its weight.
fn faded(output: Output, share: f64) -> Output {
    Output {
        weight: output.weight * share,
        ..output
    }
}
