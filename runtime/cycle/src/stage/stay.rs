//! Computes which commands of a timeline a merge would keep, and how much work it would take. `intake` calls it while
//! it checks a request. Nothing changes here.

use super::Stage;
use crate::body::ActuatorId;
use crate::command::{CheckedPart, Merge};
use crate::time::Instant;

/// The number of commands that stay, the number freed from the chain, and the steps.
pub(crate) struct Stay {
    pub(crate) waiting: u32,
    pub(crate) freed: u32,
    pub(crate) steps: u32,
}

impl Stage<'_> {
    /// Computes what would stay on a timeline after the deletions of `merge`.
    pub(crate) fn stay(
        &self,
        place: usize,
        actuator: ActuatorId,
        merge: Merge,
        part: &CheckedPart,
    ) -> Stay {
        let timeline = &self.timelines[self.timeline_place(place, actuator.index())];
        let (waiting, chained) = (timeline.waiting, timeline.chain.len());
        let last = self.pool.last_at(&timeline.chain);
        let appended = last.is_none_or(|last| last <= part.first);
        // Merging into the chain, or finding where to cut it, walks the chain.
        let walk = if appended { 0 } else { chained };
        let count = |is_before: &dyn Fn(Instant) -> bool| {
            let in_chain = self.pool.count_while(&timeline.chain, is_before);
            let trajectories = self.lanes[place].trajectories.iter().flatten();
            let in_trajectories: u32 = trajectories
                .map(|trajectory| trajectory.count_while(actuator, is_before))
                .sum();
            (in_chain, in_chain + in_trajectories)
        };
        match merge {
            Merge::ClearAll => Stay {
                waiting: 0,
                freed: chained,
                // Each of them is counted for its request.
                steps: if self.lanes[place].settings.follows && self.progress.follows_any() {
                    chained
                } else {
                    0
                },
            },
            Merge::Merge => Stay {
                waiting,
                freed: 0,
                steps: walk,
            },
            // Without a new command there is no instant from which to delete.
            _ if part.count == 0 => Stay {
                waiting,
                freed: 0,
                steps: 0,
            },
            Merge::ClearAfter => {
                let (in_chain, all) = count(&|at| at < part.first);
                Stay {
                    waiting: all,
                    freed: chained - in_chain,
                    steps: chained,
                }
            }
            Merge::ClearBefore => {
                let (in_chain, all) = count(&|at| at <= part.last);
                Stay {
                    waiting: waiting - all,
                    freed: in_chain,
                    steps: in_chain,
                }
            }
        }
    }
}
