//! Lets lights pulse when a client has fallen silent, until one is back, so that people at the robot see it.
//! Called by the thread that shows a loop, for each of its events and between them.
//! The loop is asked on its socket, as any client asks it: the turn does nothing for it, and recordings have
//! it.

use cycle::{Event, EventEntry, Instant, Merge};
use description::Robot;
use protocol::{Ask, Caller};
use robot::live::CLIENTS;

/// From dark to bright, or back, ns.
const HALF: u64 = 250_000_000;

/// How many pulses are sent at once, and how long before the last one is over the next follow, ns.
const PULSES: u64 = 20;
const AHEAD: u64 = 4 * HALF;

/// Whether lights pulse now.
#[derive(Debug, Default)]
pub(super) struct LostLight {
    /// When the last pulse that was sent is over.
    until: Option<u64>,
}

impl LostLight {
    /// Follows an event of this robot; `owner` is of the event's lane.
    pub(super) fn follow(
        &mut self,
        name: &str,
        robot: &Robot,
        entry: EventEntry,
        owner: Option<&str>,
    ) {
        if robot.lost_lights.is_empty() {
            return;
        }
        match entry.event {
            Event::LaneSilent(_) => self.pulse(name, robot, entry.at.nanos(), Merge::ClearAll),
            Event::LaneOpened(_) if owner == Some(CLIENTS) && self.until.take().is_some() => {
                let dark = entry.at.nanos().saturating_add(HALF);
                send(name, robot, vec![(dark, 0.0)], Merge::ClearAll);
            }
            _ => {}
        }
    }

    /// Sends the next pulses if the last ones are nearly over.
    pub(super) fn update(&mut self, name: &str, robot: &Robot, now: Instant) {
        if let Some(until) = self.until.filter(|until| now.nanos() + AHEAD >= *until) {
            self.pulse(name, robot, until, Merge::Merge);
        }
    }

    fn pulse(&mut self, name: &str, robot: &Robot, from: u64, merge: Merge) {
        let halves = 1..=2 * PULSES;
        let list = halves.map(|half| (from.saturating_add(half * HALF), (half % 2) as f64));
        send(name, robot, list.collect(), merge);
        self.until = Some(from.saturating_add(2 * PULSES * HALF));
    }
}

/// Sends these values to the lights.
fn send(name: &str, robot: &Robot, list: Vec<(u64, f64)>, merge: Merge) {
    let lights = robot.lost_lights.iter();
    let ask = Ask::Schedule {
        to: lights
            .map(|light| robot.actuators[usize::from(light.0)].name.clone())
            .collect(),
        same: true,
        lists: vec![list],
        packed: 0,
        merge,
        lane: None,
    };
    let name = name.to_owned();
    // Whoever shows the loop does not wait for its answer.
    let asks = move || {
        let reply = Caller::reach(Some(&name)).and_then(|mut caller| caller.ask(ask));
        if let Err(why) = reply {
            tracing::warn!("the lights of a silent client do not pulse: {why}");
        }
    };
    let thread = std::thread::Builder::new().name("lost light".to_owned());
    if let Err(why) = thread.spawn(asks) {
        tracing::warn!("the lights of a silent client do not pulse: {why}");
    }
}
