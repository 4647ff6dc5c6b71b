//! Lets lights pulse when a client has fallen silent, so that people at the robot see it.
//! Called by the thread that shows a loop, for each of its events.
//! The law: the loop is asked on its socket, as any client asks it: the turn does nothing for it, and recordings have
//! it.

use cycle::{Event, EventEntry, Merge};
use description::Robot;
use socket::{Ask, Caller};

/// From dark to bright, or back, ns.
const HALF: u64 = 250_000_000;

/// How often they pulse for each silence.
const PULSES: u64 = 20;

/// Lets the lights of this robot pulse if this event says that a client is silent.
pub(super) fn pulse(name: &str, robot: &Robot, entry: EventEntry) {
    if !matches!(entry.event, Event::LaneSilent(_)) || robot.lost_lights.is_empty() {
        return;
    }
    let halves = 1..=2 * PULSES;
    let begun = entry.at.nanos();
    let list = halves.map(|half| (begun.saturating_add(half * HALF), (half % 2) as f64));
    let lights = robot.lost_lights.iter();
    let ask = Ask::Schedule {
        to: lights
            .map(|it| robot.actuators[usize::from(it.0)].name.clone())
            .collect(),
        same: true,
        lists: vec![list.collect()],
        packed: 0,
        merge: Merge::ClearAll,
        lane: None,
    };
    let name = name.to_owned();
    // Whoever shows the loop does not wait for its answer.
    let asks = move || {
        let told = Caller::reach(Some(&name)).and_then(|mut caller| caller.ask(ask));
        if let Err(why) = told {
            tracing::warn!("the lights of a silent client do not pulse: {why}");
        }
    };
    let thread = std::thread::Builder::new().name("lost light".to_owned());
    if let Err(why) = thread.spawn(asks) {
        tracing::warn!("the lights of a silent client do not pulse: {why}");
    }
}
