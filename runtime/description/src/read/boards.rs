//! The boards of a description, each with what its driver needs.
//! The first to be read: everything else names one of them.
//! A board that could not be opened as it is written is refused here, before anything moves.

use std::collections::BTreeSet;
use std::path::PathBuf;

use cycle::Span;
use drivers::bus::SpiSettings;
use drivers::lines::Bias;
use drivers::servo::Trait;

use super::table_view::TableView;
use super::{RobotReader, span};
use crate::problem::Problem;
use crate::robot::{BoardSpec, Bus, Driver, PartModel, Port};
use crate::schema::{BIASES, DriverName};
use crate::text::Spot;

/// Bits in a second, where nothing is said.
const SPEED: u32 = 1_000_000;

/// How often a part is written or read, where nothing is said.
const PERIOD: Span = Span::from_millis(20);

/// The keys that mean something to a driver; `sim` stands for any board, and knows them all.
fn keys_of(driver: DriverName) -> &'static [&'static str] {
    match driver {
        DriverName::Sim => &[],
        DriverName::Servo => &[
            "spi",
            "socket",
            "speed",
            "mode",
            "every",
            "outputs",
            "inputs",
            "ready",
            "fault",
            "allow",
            "bias",
            "delay",
            "word-delay",
            "keep-selected",
        ],
        DriverName::Lines => &["chip", "enable", "stop", "every", "bias"],
        DriverName::Lola => &["socket"],
    }
}

/// The keys of SPI alone.
const OF_SPI: [&str; 5] = ["speed", "mode", "delay", "word-delay", "keep-selected"];

/// The keys of every part.
const PART: &[&str] = &[
    "spi",
    "socket",
    "speed",
    "mode",
    "period",
    "chained",
    "every",
    "delay",
    "word-delay",
    "keep-selected",
];

/// Where the lines of an entry go while nobody drives them, if it says so.
pub(super) fn bias(entry: &TableView<'_>) -> Option<Bias> {
    entry.choice("bias", &BIASES)
}

impl<'t> RobotReader<'t> {
    pub(super) fn read_boards(&mut self) {
        let boards = self.section("boards");
        for (name, entry) in &boards {
            let board = self.read_board(name, entry);
            self.complain_of_twin(&board, entry.spot);
            self.robot.boards.push(board);
            self.board_spots.push(entry.spot);
        }
        if self.robot.boards.is_empty() {
            let only = BoardSpec::simulated("body", "the only board");
            self.robot.boards.push(only);
        }
        if let Some((_, entry)) = boards.get(usize::from(u8::MAX)) {
            let sentence = "there are more than 255 boards";
            self.complain(Problem::at(entry.spot, sentence, "one too many"));
        }
    }

    /// Two boards cannot be on one device: each has a chip select, or a socket, of its own.
    fn complain_of_twin(&mut self, board: &BoardSpec, spot: Spot) {
        let device = |spec: &BoardSpec| match (spec.bus(), &spec.driver) {
            (Some(bus), _) => Some(bus.to_string()),
            (None, Driver::Lola { socket }) => Some(socket.display().to_string()),
            _ => None,
        };
        let Some(own) = device(board) else { return };
        let boards = self.robot.boards.iter();
        let Some(first) = boards
            .clone()
            .position(|board| device(board).as_ref() == Some(&own))
        else {
            return;
        };
        let sentence = format!("two boards are on {own}");
        let problem = Problem::at(spot, sentence, "also here");
        self.complain(problem.and(self.board_spots[first], "first here"));
    }

    fn read_board(&mut self, name: &str, entry: &TableView<'t>) -> BoardSpec {
        let word = entry.text("driver").unwrap_or(DriverName::Sim.name());
        self.complain_of_strays(word, entry);
        let driver = match DriverName::of_name(word) {
            Some(DriverName::Servo) => self.bus(name, entry).map(|bus| Driver::Servo {
                bus,
                outputs: entry.whole("outputs"),
                inputs: entry.whole("inputs"),
                allow: self.allowed(entry),
            }),
            Some(DriverName::Lines) => Some(Driver::Lines {
                chip: entry.text("chip").map(str::to_owned),
                enable: port(entry, "enable"),
                stop: port(entry, "stop").map(|port| Port {
                    bias: port.bias.or(Some(pressed(&port))),
                    ..port
                }),
            }),
            Some(DriverName::Lola) => Some(Driver::Lola {
                socket: PathBuf::from(entry.text("socket").unwrap_or("/tmp/robocup")),
            }),
            Some(DriverName::Sim) => None,
            None => self.read_part(name, word, entry),
        };
        BoardSpec {
            driver: driver.unwrap_or(Driver::Sim),
            every: entry.whole("every").unwrap_or(1),
            ready: port(entry, "ready"),
            fault: port(entry, "fault"),
            ..BoardSpec::simulated(name, entry.text("about").unwrap_or_default())
        }
    }

    fn read_part(&mut self, name: &str, model: &str, entry: &TableView<'t>) -> Option<Driver> {
        Some(Driver::Part {
            part: PartModel::of_name(model)?,
            bus: self.bus(name, entry)?,
            period: entry.figure("period").map_or(PERIOD, span),
            chained: entry.whole("chained").unwrap_or(1),
        })
    }

    /// What may be otherwise on a board: `CHANNEL.WHAT`.
    fn allowed(&mut self, entry: &TableView<'t>) -> Vec<(String, Trait)> {
        let mut allowed = Vec::new();
        for (text, spot) in entry.texts("allow") {
            let said = text
                .rsplit_once('.')
                .and_then(|(channel, what)| Some((channel.to_owned(), Trait::of_name(what)?)));
            match said {
                Some(said) => allowed.push(said),
                None => {
                    let words = Trait::NAMES.join(", ");
                    let sentence = format!("`{text}` is not a channel and what of it may differ");
                    let help = format!("write it as `HeadYaw.rest`: a channel, and one of {words}");
                    self.complain(Problem::at(spot, sentence, "here").help(help));
                }
            }
        }
        allowed
    }

    /// The bus of a board that must have one.
    fn bus(&mut self, name: &str, entry: &TableView<'t>) -> Option<Bus> {
        // What a later layer says goes over what an earlier one said.
        let layer = |key| entry.node(key).map_or(0, |node| node.spot.layer);
        let says = |key, other| entry.text(key).filter(|_| layer(key) >= layer(other));
        match (says("spi", "socket"), says("socket", "spi")) {
            (Some(spi), None) => Some(Bus::Spi(SpiSettings {
                path: PathBuf::from(spi),
                speed: entry.whole("speed").unwrap_or(SPEED),
                mode: entry.whole("mode").unwrap_or(0),
                bits: 8,
                delay: entry.whole("delay").unwrap_or(0),
                word_delay: entry.whole("word-delay").unwrap_or(0),
                keep_selected: entry.flag("keep-selected").unwrap_or(false),
            })),
            (None, Some(socket)) => {
                // What an earlier layer says of its bus goes with that.
                for key in OF_SPI {
                    if let Some(node) = entry.node(key).filter(|_| layer(key) >= layer("socket")) {
                        let sentence = format!(
                            "`{key}` is for a board at SPI, and `{name}` is a process at a socket"
                        );
                        let problem = Problem::at(node.spot, sentence, "no use here");
                        self.complain(problem.help("remove it, or use `spi` instead of `socket`"));
                    }
                }
                Some(Bus::Socket(PathBuf::from(socket)))
            }
            (both, _) => {
                let sentence = match both {
                    Some(_) => format!("the board `{name}` has two buses"),
                    None => format!("the board `{name}` has no bus"),
                };
                let help = "say `spi = \"/dev/spidev0.0\"`, or `socket = \"...\"` for a board that is a process";
                self.complain(Problem::at(entry.spot, sentence, "here").help(help));
                None
            }
        }
    }

    /// Complains about keys that mean nothing to the driver. The simulated body stands for any board, and so may a
    /// later layer for what an earlier one described.
    fn complain_of_strays(&mut self, word: &str, entry: &TableView<'t>) {
        let driver = DriverName::of_name(word);
        if driver == Some(DriverName::Sim) {
            return;
        }
        let known = driver.map_or(PART, keys_of);
        let drivers = DriverName::ALL.into_iter().flat_map(keys_of);
        let all: BTreeSet<_> = drivers.chain(PART).collect();
        for key in all {
            let layer = entry.spot_of("driver").layer;
            let is_here = entry.node(key).is_some_and(|node| node.spot.layer >= layer);
            if is_here && !known.contains(key) {
                let sentence = format!("the driver `{word}` has no key `{key}`");
                let help = format!("its keys: {}", known.join(", "));
                let spot = entry.spot_of(key);
                self.complain(Problem::at(spot, sentence, "here").help(help));
            }
        }
    }
}

/// The line that `key` names.
fn port(entry: &TableView<'_>, key: &str) -> Option<Port> {
    Some(Port {
        bias: bias(entry),
        ..Port::of(entry.text(key)?)
    })
}

/// Where a stop line goes by itself: to where it is pressed, so that a broken wire is a pressed stop.
fn pressed(stop: &Port) -> Bias {
    if stop.inverted {
        Bias::PullDown
    } else {
        Bias::PullUp
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{ROBOT, ValueKind};

    #[test]
    fn each_key_of_a_driver_is_a_key_of_a_board() {
        let boards = &ROBOT.key("boards").expect("there are boards").kind;
        let ValueKind::Named(ValueKind::Table(board)) = boards else {
            panic!("boards are named tables");
        };
        let drivers = DriverName::ALL.into_iter().flat_map(keys_of);
        for key in drivers.chain(PART).chain(&OF_SPI) {
            assert!(board.key(key).is_some(), "{key}");
        }
    }
}
