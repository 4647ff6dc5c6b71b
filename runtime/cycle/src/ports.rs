//! The turn's four ports: requests come in, hooks run, boards are driven, and the state is published.
//! The crates above implement these traits; `()` implements each of them and does nothing.
//! The law: an implementation has allocated, locked and opened all it needs before the turn.

use crate::cycle::View;
use crate::frame::{Incoming, Outgoing};
use crate::stage::Stage;

/// Hands the waiting requests to the stage, and no more of them than fit into one turn.
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

/// The boards: everything that is wired to motors and sensors.
pub trait Board {
    /// Sends one frame and receives one. A board that fails says so in its answer.
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>);
}

/// Publishes the state after each turn.
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

/// The ports of one turn.
#[derive(Debug)]
pub struct Ports<'p, I, H, B, P> {
    /// Where requests come from.
    pub inbox: &'p mut I,
    /// What runs inside the turn.
    pub hooks: &'p mut H,
    /// What drives motors and reads sensors.
    pub board: &'p mut B,
    /// What publishes the state.
    pub page: &'p mut P,
}
