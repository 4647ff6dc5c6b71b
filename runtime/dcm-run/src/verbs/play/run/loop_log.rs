//! What the thread that shows a loop logs of it beside the lines that it shows: events, heat, and the lights of a
//! client that fell silent. Used by `run`.

use std::collections::VecDeque;

use cycle::EventEntry;
use description::Robot;
use guests::PostedEvent;
use robot::heat_log::HeatLog;
use robot::live::{self, EventTrace};
use sensors::PageReader;

use super::lost_light::LostLight;

pub(super) struct LoopLog {
    events: EventTrace,
    /// What was posted, and is written behind what else happened before.
    pub(super) posted: VecDeque<PostedEvent>,
    heat: HeatLog,
    lost_light: LostLight,
}

impl LoopLog {
    pub(super) fn of(robot: &Robot) -> LoopLog {
        LoopLog {
            events: EventTrace::default(),
            posted: VecDeque::new(),
            heat: HeatLog::of(robot),
            lost_light: LostLight::default(),
        }
    }

    /// When there is no event.
    pub(super) fn update(&mut self, name: &str, robot: &Robot, page: &PageReader) {
        self.heat.write(page);
        if let Some(now) = page.read(|frame| frame.now()) {
            self.lost_light.update(name, robot, now);
        }
    }

    /// Logs what was posted before this turn.
    pub(super) fn print_posted(&mut self, turn: u64) {
        while let Some(posted) = self.posted.pop_front_if(|value| value.turn < turn) {
            live::write_posted(&posted);
        }
    }

    /// Logs an event of the body, whose lane is this owner's, and gives its sentence.
    pub(super) fn tell(
        &mut self,
        name: &str,
        robot: &Robot,
        entry: EventEntry,
        owner: Option<&str>,
    ) -> String {
        self.lost_light.follow(name, robot, entry, owner);
        let sentence = live::sentence_of(entry.event, robot, owner);
        self.events.write(entry, &sentence, robot, owner);
        sentence
    }
}
