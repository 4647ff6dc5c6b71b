//! Layers: several sequences on the same actuators, each with a share that can fade. Called by motions, in
//! `pre_process`.
//! An output is the mean of all layers by their weights times their shares. A layer without either has no part
//! in it, and shares change evenly, so nothing jumps when a layer comes or goes.

use core::array::from_fn;

use super::{Milestone, MotionPlayer};
use crate::output::Output;
use crate::time::{Instant, Span};

/// The share of a layer, and how it changes.
#[derive(Clone, Copy, Debug)]
struct LayerShare {
    share: f64,
    target: f64,
    /// Per second.
    rate: f64,
}

/// L layers of sequences on N actuators. At first the lowest layer has all of the share, and the others none.
///
/// ```
/// use choreography::prelude::*;
/// use choreography::sequence::{MotionLayers, MotionPlayer, MotionSequence};
///
/// static HeadYaw: Actuator = Actuator::named("HeadYaw");
///
/// let mut stage = Rehearsal::alone(nao());
/// let players = [0.2, 0.6].map(|yaw| {
///     let mut keys = MotionSequence::<1, 1>::new();
///     keys.set_edit_time(100.ms());
///     assert!(keys.set(0, Output::of(yaw)).is_done());
///     MotionPlayer::new(keys, [&HeadYaw])
/// });
/// let mut layers = MotionLayers::new(players);
/// for turn in 0..100 {
///     if turn == 50 {
///         layers.fade(1, 1.0, 200.ms()); // as much as the lower one
///     }
///     layers.step(now());
///     stage.turn();
/// }
/// assert!((stage.sent(&HeadYaw) - 0.4).abs() < 1e-9);
/// assert!(stage.fastest(&HeadYaw) < 2.5);
/// ```
#[derive(Clone, Debug)]
pub struct MotionLayers<const N: usize, const K: usize, const L: usize> {
    players: [MotionPlayer<N, K>; L],
    shares: [LayerShare; L],
    clock: Option<Instant>,
}

impl<const N: usize, const K: usize, const L: usize> MotionLayers<N, K, L> {
    /// Layers of these players, the lowest first. All have the same actuators.
    pub fn new(players: [MotionPlayer<N, K>; L]) -> Self {
        let shares = from_fn(|layer| {
            let share = if layer == 0 { 1.0 } else { 0.0 };
            LayerShare {
                share,
                target: share,
                rate: 0.0,
            }
        });
        MotionLayers {
            players,
            shares,
            clock: None,
        }
    }

    /// The player of a layer: its speed, its rounds, its position.
    pub fn player(&mut self, layer: usize) -> Option<&mut MotionPlayer<N, K>> {
        self.players.get_mut(layer)
    }

    /// The share of a layer; 0 if there is no such layer.
    pub fn share(&self, layer: usize) -> f64 {
        self.shares.get(layer).map_or(0.0, |share| share.share)
    }

    /// Lets the share of a layer go evenly to this one, 0 to 1, in this time. A number that is not finite changes
    /// nothing.
    pub fn fade(&mut self, layer: usize, to: f64, over: Span) {
        if let Some(share) = self.shares.get_mut(layer).filter(|_| to.is_finite()) {
            share.target = to.clamp(0.0, 1.0);
            share.rate = if over > Span::ZERO {
                libm::fabs(share.target - share.share) / over.seconds()
            } else {
                f64::INFINITY
            };
        }
    }

    /// Goes on to this turn, and drives the actuators in it. Returns what each layer has passed.
    pub fn step(&mut self, now: Instant) -> [Option<Milestone>; L] {
        let last = self.clock.replace(now);
        let passed = last.map_or(0.0, |value| (now - value).seconds());
        for share in &mut self.shares {
            let (way, most) = (share.target - share.share, share.rate * passed);
            // A fade of no time has an infinite rate: it is there at once, in the first turn as well.
            if libm::fabs(way) <= most || share.rate.is_infinite() {
                share.share = share.target;
            } else {
                share.share += libm::copysign(most, way);
            }
        }
        let milestones = from_fn(|layer| self.players[layer].advance(now));
        self.drive();
        milestones
    }

    /// An output of all layers in this turn; a weight of 0 leaves its actuator to others.
    pub fn output(&self, place: usize) -> Output {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (player, share) in self.players.iter().zip(&self.shares) {
            let output = player.output(place);
            let part = output.weight * share.share;
            if part > 0.0 {
                sum += output.value * part;
                weight += part;
            }
        }
        if weight > 0.0 {
            Output {
                value: sum / weight,
                weight: f64::min(weight, 1.0),
            }
        } else {
            Output::default()
        }
    }

    fn drive(&self) {
        let actuators = self.players.first().map(MotionPlayer::actuators);
        for (place, actuator) in actuators.into_iter().flatten().enumerate() {
            let output = self.output(place);
            if output.weight > 0.0 {
                actuator.drive_to(output);
            }
        }
    }
}
