//! The four doors of the turn: who sends requests, who runs in it, who moves, who watches.
//! Implemented by the rooms above; `()` is a door that leads nowhere.
//! The law: whatever comes through a door was allocated, locked and opened before the turn.

use crate::cycle::View;
use crate::frame::{Incoming, Outgoing};
use crate::stage::Stage;

/// Hands in what waits outside, at most so much that the turn stays within its time.
pub trait Inbox {
    /// Called once in a turn, after its edge.
    fn take_in(&mut self, stage: &mut Stage<'_>);
}

/// Runs guests inside the turn.
pub trait Hooks {
    /// Before the lanes are sampled: what is set for now or earlier reaches the wire in this turn.
    fn pre_process(&mut self, stage: &mut Stage<'_>);
    /// After the exchange: the sensors are those of this turn.
    fn post_process(&mut self, stage: &mut Stage<'_>);
}

/// Everything that is wired to motors and sensors.
pub trait Board {
    /// Sends one frame and receives one. A board that fails says so in its answer.
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>);
}

/// Shows the state to others.
pub trait Publisher {
    /// Called once in a turn, after the exchange.
    fn publish(&mut self, view: &View<'_>);
}

impl Inbox for () {
    fn take_in(&mut self, _: &mut Stage<'_>) {}
}

impl Hooks for () {
    fn pre_process(&mut self, _: &mut Stage<'_>) {}
    fn post_process(&mut self, _: &mut Stage<'_>) {}
}

impl Board for () {
    /// Nothing is wired: every board takes its frame and reads what it read before.
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        for answer in back.answers.iter_mut() {
            answer.answered = true;
            answer.acknowledged = out.turn;
        }
    }
}

impl Publisher for () {
    fn publish(&mut self, _: &View<'_>) {}
}

/// The doors of one turn.
#[derive(Debug)]
pub struct Ports<'p, I, H, B, P> {
    /// Who sends requests.
    pub inbox: &'p mut I,
    /// Who runs in the turn.
    pub hooks: &'p mut H,
    /// Who moves.
    pub board: &'p mut B,
    /// Who watches.
    pub page: &'p mut P,
}
