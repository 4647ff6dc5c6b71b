//! Topics of events: their names, their numbers, and who keeps them.
//! Used by the bus outside the turn; inside it there are only numbers.
//! A number means the same name to all who have it, as long as one of them has it. Numbers of the robot's own
//! topics lie behind those of guests.

use std::sync::{Mutex, PoisonError};

use crate::shared::answer::NONE;

/// The greatest number of topics of guests.
pub(crate) const TOPICS: usize = 1024;

/// That of the robot's own: five for each guest, and some to which somebody subscribes before there is such a guest.
const OWN_TOPICS: usize = 2048;

pub(crate) const ALL_TOPICS: usize = TOPICS + OWN_TOPICS;

/// The beginnings of the topics that tell of a guest: its name follows.
const OF_GUESTS: [&str; 5] = ["started/", "arrived/", "settled/", "unsettled/", "ended/"];

/// The robot's emergency stop was pressed, and is released.
const OF_ESTOP: [&str; 2] = ["estop/pressed", "estop/released"];

/// The numbers of the topics that tell of one guest.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct GuestTopics {
    /// Its lane is open.
    pub(crate) started: u32,
    /// The last of its commands is executed.
    pub(crate) arrived: u32,
    /// The sensors of what it moved show it where it was sent.
    pub(crate) settled: u32,
    /// They do not, after a while.
    pub(crate) unsettled: u32,
    /// It is gone.
    pub(crate) ended: u32,
}

/// The numbers of the topics that tell of the emergency stop.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct EstopTopics {
    pub(crate) pressed: u32,
    pub(crate) released: u32,
}

/// All topics.
#[derive(Debug, Default)]
pub(crate) struct TopicTable {
    of_guests: Mutex<Vec<Topic>>,
    own: Mutex<Vec<Topic>>,
}

/// A topic, and how many have its number.
#[derive(Debug)]
struct Topic {
    name: String,
    holders: u32,
}

/// Whether this is one of the robot's own topics, to which guests do not post.
pub(crate) fn is_own(topic: u32) -> bool {
    topic as usize >= TOPICS
}

/// The guest that one of the robot's own topics tells of.
pub(crate) fn guest_of(topic: &str) -> Option<&str> {
    OF_GUESTS
        .iter()
        .find_map(|prefix| topic.strip_prefix(prefix))
}

/// Whether a topic of this name is the robot's own.
fn is_own_name(name: &str) -> bool {
    OF_GUESTS.iter().any(|guest| name.starts_with(guest)) || OF_ESTOP.contains(&name)
}

impl TopicTable {
    /// The number of the topic of this name, which is kept until it is released; `NONE` if there is no room.
    pub(crate) fn hold(&self, name: &str) -> u32 {
        let (table, first, most) = if is_own_name(name) {
            (&self.own, TOPICS, OWN_TOPICS)
        } else {
            (&self.of_guests, 0, TOPICS)
        };
        let mut topics = table.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = find_or_add(&mut topics, name, most) else {
            return NONE;
        };
        topics[place].holders += 1;
        u32::try_from(first + place).unwrap_or(NONE)
    }

    /// Keeps this number for the guests' topic of this name, unless another topic has it, or this one another number.
    pub(crate) fn hold_at(&self, number: u32, name: &str) {
        let place = number as usize;
        let mut topics = self
            .of_guests
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if place >= TOPICS || topics.iter().any(|topic| topic.name == name) {
            return;
        }
        while topics.len() <= place {
            let nobody_has_it = Topic {
                name: String::new(),
                holders: 0,
            };
            topics.push(nobody_has_it);
        }
        if topics[place].holders == 0 {
            topics[place] = Topic {
                name: name.to_owned(),
                holders: 1,
            };
        }
    }

    /// Somebody who had this number has it no more.
    pub(crate) fn release(&self, topic: u32) {
        let (table, place) = self.place(topic);
        let mut topics = table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(topic) = topics.get_mut(place) {
            topic.holders = topic.holders.saturating_sub(1);
        }
    }

    /// The name of a topic.
    pub(crate) fn name(&self, topic: u32) -> Option<String> {
        let (table, place) = self.place(topic);
        let topics = table.lock().unwrap_or_else(PoisonError::into_inner);
        Some(topics.get(place)?.name.clone())
    }

    fn place(&self, topic: u32) -> (&Mutex<Vec<Topic>>, usize) {
        let topic = topic as usize;
        match topic.checked_sub(TOPICS) {
            Some(place) => (&self.own, place),
            None => (&self.of_guests, topic),
        }
    }

    /// The topics that tell of the guest of this name.
    pub(crate) fn hold_of_guest(&self, guest: &str) -> GuestTopics {
        let [started, arrived, settled, unsettled, ended] =
            OF_GUESTS.map(|prefix| self.hold(&format!("{prefix}{guest}")));
        GuestTopics {
            started,
            arrived,
            settled,
            unsettled,
            ended,
        }
    }

    /// The topics that tell of the emergency stop.
    pub(crate) fn hold_estop(&self) -> EstopTopics {
        let [pressed, released] = OF_ESTOP.map(|estop| self.hold(estop));
        EstopTopics { pressed, released }
    }

    pub(crate) fn release_of_guest(&self, of: GuestTopics) {
        let all = [of.started, of.arrived, of.settled, of.unsettled, of.ended];
        all.into_iter().for_each(|item| self.release(item));
    }
}

/// The place of the topic of this name. A new one gets a new place, or that of a topic that nobody has.
fn find_or_add(topics: &mut Vec<Topic>, name: &str, most: usize) -> Option<usize> {
    let known = topics.iter().position(|topic| topic.name == name);
    known.or_else(|| {
        let topic = Topic {
            name: name.to_owned(),
            holders: 0,
        };
        if topics.len() < most {
            topics.push(topic);
            return Some(topics.len() - 1);
        }
        let free = topics.iter().position(|topic| topic.holders == 0)?;
        topics[free] = topic;
        Some(free)
    })
}

#[cfg(test)]
mod tests {
    use super::{ALL_TOPICS, OWN_TOPICS, TOPICS, TopicTable, is_own};
    use crate::shared::answer::NONE;

    #[test]
    fn topics_have_one_number_each_and_an_end() {
        let table = TopicTable::default();
        for place in 0..TOPICS {
            assert_eq!(table.hold(&place.to_string()), place as u32);
        }
        assert_eq!(table.hold("7"), 7);
        assert_eq!(table.hold("one more"), NONE);
        // One that nobody has any more is named anew; the others stay.
        (0..TOPICS).for_each(|i| table.release(i as u32));
        assert_eq!(table.hold("7"), 7);
        assert_eq!(table.hold("one more"), 0);
        assert_eq!(table.name(0).as_deref(), Some("one more"));
    }

    #[test]
    fn a_topic_can_have_the_number_that_it_had_once() {
        let table = TopicTable::default();
        table.hold_at(3, "clap");
        table.hold_at(3, "stamp");
        table.hold_at(5, "clap");
        table.hold_at(TOPICS as u32, "own");
        assert_eq!(table.hold("clap"), 3);
        // The places before it are for those that have no such number.
        let last = (0..TOPICS - 1).map(|i| table.hold(&i.to_string())).max();
        assert_eq!(last, Some(TOPICS as u32 - 1));
        assert_eq!(table.hold("one more"), NONE);
    }

    #[test]
    fn what_guests_may_post_and_what_the_robot_tells_have_numbers_apart() {
        let table = TopicTable::default();
        let names = ["ended/wave", "settled/wave", "estop/pressed", "started/"];
        assert!(names.iter().all(|name| is_own(table.hold(name))));
        let names = [
            "wave",
            "estop/start",
            "estop/pressed/",
            "ended",
            "Ended/wave",
        ];
        assert!(names.iter().all(|name| !is_own(table.hold(name))));
        let of_wave = table.hold_of_guest("wave");
        assert_eq!(of_wave.ended, table.hold("ended/wave"));
        for guest in 0..OWN_TOPICS {
            table.hold_of_guest(&guest.to_string());
        }
        assert_eq!(table.hold("ended/late"), NONE);
        assert_eq!(table.name(ALL_TOPICS as u32 + 1), None);
        assert_eq!(table.hold("a guest's"), 5);
    }
}
