//! The turn's four ports: the inbox of requests, the hooks, the boards and the publisher.
//! The crates above implement these traits; `()` implements each of them and does nothing.
//! An implementation allocates, locks and opens everything before the first turn.

use crate::cycle::View;
use crate::frame::{Incoming, Outgoing};
use crate::stage::Stage;

/// Passes the waiting requests to the stage, at most as many as fit into one turn.
pub trait Inbox {
    /// Called once in a turn, after its edge.
    fn take_in(&mut self, stage: &mut Stage<'_>);
}

/// Runs guests inside the turn.
pub trait Hooks {
    /// Called before the lanes are sampled: commands for now or earlier are sent in this turn.
    fn pre_process(&mut self, stage: &mut Stage<'_>);
    /// Called after the exchange: the sensors are those of this turn.
    fn post_process(&mut self, stage: &mut Stage<'_>);
}

/// The boards, which drive motors and read sensors.
pub trait Board {
    /// Sends one frame and receives one. A board's fault is in its answer.
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
    /// Without hardware: every board takes its frame and keeps its previous readings.
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
    /// The source of requests.
    pub inbox: &'p mut I,
    /// The hooks, which run inside the turn.
    pub hooks: &'p mut H,
    /// The boards.
    pub board: &'p mut B,
    /// The publisher of the state.
    pub page: &'p mut P,
}
