//! Requests about clients' own lanes, as they are recorded.
//! Written by `turn`, read back by `orders`. What is read back is what was written.

use cycle::{Ending, SilenceTimeout, Span};
use robot::live::{ClientLane, LaneRequest};

use super::recorded_request::Kind;
use super::{RecordedLane, recorded_lane};

/// The record of a request about a lane; nothing if it changes nothing.
pub(super) fn recorded(asked: &LaneRequest) -> Option<(Kind, RecordedLane)> {
    let mut value = RecordedLane::default();
    let kind = match asked {
        LaneRequest::Open(lane) => {
            (value.priority, value.weight) = (Some(lane.priority), Some(lane.weight));
            (value.room, value.holds, value.fade) = (lane.room, lane.holds, lane.fade.nanos());
            write_ending(&mut value, Some(lane.ending));
            value.silent_after = lane.silence.map(|silence| silence.after.nanos());
            value.retreat_after = lane
                .silence
                .and_then(|silence| silence.body_after)
                .map(Span::nanos);
            Kind::OpenLane
        }
        LaneRequest::End(ending) => {
            write_ending(&mut value, *ending);
            Kind::EndLane
        }
        LaneRequest::Feed => Kind::FeedLane,
        LaneRequest::Tune { priority, weight } => {
            (value.priority, value.weight) = (*priority, *weight);
            Kind::TuneLane
        }
        LaneRequest::Look => return None,
    };
    Some((kind, value))
}

fn write_ending(lane: &mut RecordedLane, ending: Option<Ending>) {
    use recorded_lane::Ending as Recorded;
    let ending = match ending {
        None => Recorded::Declared,
        Some(Ending::Release) => Recorded::Release,
        Some(Ending::Hold) => Recorded::Hold,
        Some(Ending::SafePose(lasts)) => {
            lane.ending_lasts = lasts.nanos();
            Recorded::SafePose
        }
    };
    lane.ending = ending as i32;
}

/// The request of this record; nothing if no loop has written it.
pub(super) fn request(kind: Kind, lane: RecordedLane) -> Option<LaneRequest> {
    Some(match kind {
        Kind::OpenLane => LaneRequest::Open(ClientLane {
            priority: lane.priority?,
            weight: lane.weight?,
            room: lane.room,
            holds: lane.holds,
            fade: Span::from_nanos(lane.fade),
            ending: ending(&lane)?,
            silence: lane.silent_after.map(|after| SilenceTimeout {
                after: Span::from_nanos(after),
                body_after: lane.retreat_after.map(Span::from_nanos),
            }),
        }),
        Kind::EndLane => LaneRequest::End(ending(&lane)),
        Kind::FeedLane => LaneRequest::Feed,
        Kind::TuneLane => LaneRequest::Tune {
            priority: lane.priority,
            weight: lane.weight,
        },
        _ => return None,
    })
}

fn ending(lane: &RecordedLane) -> Option<Ending> {
    use recorded_lane::Ending as Recorded;
    match lane.ending() {
        Recorded::Declared => None,
        Recorded::Release => Some(Ending::Release),
        Recorded::Hold => Some(Ending::Hold),
        Recorded::SafePose => Some(Ending::SafePose(Span::from_nanos(lane.ending_lasts))),
    }
}
