//! The words that stand for one of a few values, each list once: for the schema, the reader and the complaints.
//! Used by `keys`, which says where each may stand, and by `read`, which looks them up.
//! A word that may be written means something, and a value that a word means may be written.

use cycle::{GroupRule, Keep, named_enum};
use drivers::lines::Bias;

use crate::robot::PartModel;

named_enum! {
    /// What drives a board, but for the parts, each of which is named by its model.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum DriverName {
        Sim => "sim",
        Servo => "servo",
        Lines => "lines",
        Lola => "lola",
    }
}

/// Every word that may stand as a board's driver.
pub(crate) const DRIVERS: [&str; DriverName::NAMES.len() + PartModel::NAMES.len()] = {
    let mut words = [""; DriverName::NAMES.len() + PartModel::NAMES.len()];
    let mut place = 0;
    while place < words.len() {
        words[place] = if place < DriverName::NAMES.len() {
            DriverName::NAMES[place]
        } else {
            PartModel::NAMES[place - DriverName::NAMES.len()]
        };
        place += 1;
    }
    words
};

/// Where a line goes while nobody drives it.
pub(crate) const BIASES: [(&str, Bias); 3] = [
    ("pull-up", Bias::PullUp),
    ("pull-down", Bias::PullDown),
    ("none", Bias::None),
];

/// What happens when a second lane wants an exclusive group.
pub(crate) const GROUP_RULES: [(&str, GroupRule); 2] =
    [("refuse", GroupRule::Refuse), ("rank", GroupRule::Rank)];

/// What a lane does with an actuator when its commands are done.
pub(crate) const KEEPS: [(&str, Keep); 2] = [("hold", Keep::Hold), ("release", Keep::Release)];

/// The words of a list.
pub(crate) const fn words<T: Copy, const COUNT: usize>(
    list: &[(&'static str, T); COUNT],
) -> [&'static str; COUNT] {
    let mut words = [""; COUNT];
    let mut place = 0;
    while place < COUNT {
        words[place] = list[place].0;
        place += 1;
    }
    words
}
