//! The registry of devices: the type and the address of every board, and of what hangs on it, by the NAO's keys.
//! Asked for with the long names. It says what the description says; what a board itself reports is not in it.

use std::collections::BTreeMap;

use cycle::{BoardId, Kind};
use description::{Bus, Driver, Port, Robot};

/// The keys of boards and of what hangs on them.
const DEVICE: &str = "Device/DeviceList";
const SUBDEVICE: &str = "Device/SubDeviceList";

/// Types and addresses, by their keys.
pub(super) fn devices(robot: &Robot) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    for (number, board) in robot.boards.iter().enumerate() {
        let (kind, bus) = reached(&board.driver);
        let values = [
            ("Type", kind),
            ("Bus", bus),
            ("Address", number.to_string()),
        ];
        for (figure, value) in values {
            keys.insert(format!("{DEVICE}/{}/{figure}", board.name), value);
        }
    }
    let mut add = |path: &str, kind: &str, board: BoardId, channel: u16, port: Option<&Port>| {
        let stem = path.strip_suffix("/Value").unwrap_or(path);
        let board = robot.boards.get(usize::from(board.0));
        let board = board.map_or_else(String::new, |board| board.name.clone());
        let address = port.map_or_else(|| channel.to_string(), |port| port.name.clone());
        let values = [
            ("Type", kind.to_owned()),
            ("Device", board),
            ("Address", address),
        ];
        for (figure, value) in values {
            keys.insert(format!("{SUBDEVICE}/{stem}/{figure}"), value);
        }
    };
    for actuator in &robot.actuators {
        add(
            &actuator.path,
            word(actuator.kind),
            actuator.board,
            actuator.channel,
            actuator.port.as_ref(),
        );
    }
    for sensor in &robot.sensors {
        let kind = if sensor.derived.is_some() {
            "computed"
        } else {
            "sensor"
        };
        add(
            &sensor.path,
            kind,
            sensor.board,
            sensor.channel,
            sensor.port.as_ref(),
        );
    }
    keys
}

/// The driver of a board, and what carries its bytes.
fn reached(driver: &Driver) -> (String, String) {
    let carried = |bus: &Bus| match bus {
        Bus::Spi(spi) => spi.path.display().to_string(),
        Bus::Socket(path) => path.display().to_string(),
    };
    let (name, bus) = match driver {
        Driver::Sim => ("sim", "none".to_owned()),
        Driver::Servo { bus, .. } => ("servo", carried(bus)),
        Driver::Lines { chip, .. } => ("lines", chip.clone().unwrap_or_else(|| "gpio".to_owned())),
        Driver::Lola { socket } => ("lola", socket.display().to_string()),
        Driver::Part { part, bus, .. } => (part.name(), carried(bus)),
    };
    (name.to_owned(), bus)
}

/// The type of an actuator.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Joint => "joint",
        Kind::Hand => "hand",
        Kind::Wheel => "wheel",
        Kind::Stiffness { .. } => "stiffness",
        Kind::Light => "light",
        Kind::Trigger => "trigger",
    }
}
