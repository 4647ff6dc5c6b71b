//! Requests about clients' own lanes, as they are recorded.
//! Written by `turn`, read back by `orders`. The law: what is read back is what was written.

use cycle::{Ending, SilenceTimeout, Span};
use robot::live::{ClientLane, LaneRequest};

use super::recorded_request::Kind;
use super::{RecordedLane, recorded_lane};

/// The record of a request about a lane; nothing if it changes nothing.
pub(super) fn recorded(asked: &LaneRequest) -> Option<(Kind, RecordedLane)> {
    let mut it = RecordedLane::default();
    let kind = match asked {
        LaneRequest::Open(lane) => {
            (it.priority, it.weight) = (Some(lane.priority), Some(lane.weight));
            (it.room, it.holds, it.fade) = (lane.room, lane.holds, lane.fade.nanos());
            write_ending(&mut it, Some(lane.ending));
            it.silent_after = lane.silence.map(|it| it.after.nanos());
            it.retreat_after = lane.silence.and_then(|it| it.body_after).map(Span::nanos);
            Kind::OpenLane
        }
        LaneRequest::End(ending) => {
            write_ending(&mut it, *ending);
            Kind::EndLane
        }
        LaneRequest::Feed => Kind::FeedLane,
        LaneRequest::Tune { priority, weight } => {
            (it.priority, it.weight) = (*priority, *weight);
            Kind::TuneLane
        }
        LaneRequest::Look => return None,
    };
    Some((kind, it))
}

fn write_ending(it: &mut RecordedLane, ending: Option<Ending>) {
    use recorded_lane::Ending as Recorded;
    let ending = match ending {
        None => Recorded::Declared,
        Some(Ending::Release) => Recorded::Release,
        Some(Ending::Hold) => Recorded::Hold,
        Some(Ending::SafePose(lasts)) => {
            it.ending_lasts = lasts.nanos();
            Recorded::SafePose
        }
    };
    it.ending = ending as i32;
}

/// The request of this record; nothing if no loop has written it.
pub(super) fn request(kind: Kind, it: RecordedLane) -> Option<LaneRequest> {
    Some(match kind {
        Kind::OpenLane => LaneRequest::Open(ClientLane {
            priority: it.priority?,
            weight: it.weight?,
            room: it.room,
            holds: it.holds,
            fade: Span::from_nanos(it.fade),
            ending: ending(&it)?,
            silence: it.silent_after.map(|after| SilenceTimeout {
                after: Span::from_nanos(after),
                body_after: it.retreat_after.map(Span::from_nanos),
            }),
        }),
        Kind::EndLane => LaneRequest::End(ending(&it)),
        Kind::FeedLane => LaneRequest::Feed,
        Kind::TuneLane => LaneRequest::Tune {
            priority: it.priority,
            weight: it.weight,
        },
        _ => return None,
    })
}

fn ending(it: &RecordedLane) -> Option<Ending> {
    use recorded_lane::Ending as Recorded;
    match it.ending() {
        Recorded::Declared => None,
        Recorded::Release => Some(Ending::Release),
        Recorded::Hold => Some(Ending::Hold),
        Recorded::SafePose => Some(Ending::SafePose(Span::from_nanos(it.ending_lasts))),
    }
}
