//! Monitors joints: impossible readings, following errors, and motors that heat has weakened.
//! Called once at the end of every turn, after the monitor of turns and boards.
//! Only readings of this turn count, and a joint is expected to follow only while it exerts force.

use crate::body::{ActuatorId, Body, Kind};
use crate::event_log::{Event, EventLog};
use crate::frame::Answer;
use crate::monitor::{degree, graver};
use crate::safety::{Input, Safety};
use crate::thresholds::FaultThresholds;
use crate::track::{Clip, Track};

/// Turns without weakening by heat before it is logged again.
const COOL: u32 = 100;

/// Checks each measured joint; returns the gravest reaction.
pub(crate) fn judge(
    thresholds: &FaultThresholds,
    safety: Safety,
    body: &Body<'_>,
    tracks: &mut [Track],
    values: &[f64],
    answers: &[Answer],
    events: &mut EventLog<'_>,
) -> Option<Input> {
    let joint = thresholds.joint;
    let (is_powered, is_moved) = (safety.power >= 1.0, safety.state.is_moved_by_lanes());
    let mut reaction = None;
    for (place, actuator) in body.actuators.iter().enumerate() {
        let id = ActuatorId(place as u16);
        let track = &mut tracks[place];
        if let Kind::Stiffness { joint } = actuator.kind {
            let is_weakened = track.clipped_now & 1 << Clip::Temperature as u8 != 0;
            if is_weakened && track.weakened == 0 {
                events.note(Event::Weakened(joint));
            }
            // A temperature around the threshold is logged once.
            track.weakened = if is_weakened {
                COOL
            } else {
                track.weakened.saturating_sub(1)
            };
            continue;
        }
        let Some(sensor) = actuator.sensor.filter(|_| actuator.kind.is_jointed()) else {
            continue;
        };
        let board = body.sensors[sensor.index()].board;
        if !answers[usize::from(board.0)].answered {
            continue;
        }
        let value = values[sensor.index()];
        let width = actuator.range.max - actuator.range.min;
        let cannot_be = !joint.is_possible(actuator.range, value);
        track.impossible = counted(cannot_be, track.impossible);
        if track.impossible == 1 {
            events.note(Event::Impossible(id));
        }
        let lost = (thresholds.missing_to_hold, thresholds.missing_to_lost);
        let hurt = degree(track.impossible, lost.0, lost.1, Input::Break);
        reaction = graver(reaction, hurt);
        let follows = (value - track.sent).abs() <= joint.follows * width;
        let is_expected = is_powered && !track.limp && !track.weak && !cannot_be;
        track.astray = counted(is_expected && !follows, track.astray);
        let (hold, fault) = (joint.astray_to_hold, joint.astray_to_fault);
        // After a `resume` the same number of turns passes before the next hold and log entry.
        let holds = track.astray > 0 && track.astray.is_multiple_of(hold.max(1)) && hold > 0;
        if (holds && is_moved) || (fault > 0 && track.astray == fault) {
            events.note(Event::Astray(id));
        }
        let hold_now = if holds { track.astray } else { 0 };
        reaction = graver(
            reaction,
            degree(track.astray, hold_now, fault, Input::Break),
        );
    }
    reaction
}

/// The new count of turns in a row.
fn counted(so: bool, before: u32) -> u32 {
    if so { before.saturating_add(1) } else { 0 }
}
