//! Examines a robot's boards: opens each of them as a loop would, and closes it again.
//! Called by `dcm-run doctor ROBOT`.
//! No motor gets force, and a board that a loop drives is not touched. A servo board is asked for its table;
//! lines are requested for a moment; of LoLA, which accepts one client, only the socket is looked up.

use super::Finding;
use crate::boards::{self, OpenedBoard, lock_board};
use description::{BoardSpec, Bus, Driver, Robot, fullest, loads};

const AREA: &str = "board";

/// Examines the robot's boards.
pub(super) fn examine(robot: &Robot) -> Vec<Finding> {
    let real = robot
        .boards
        .iter()
        .enumerate()
        .filter(|pair| pair.1.is_real());
    let mut findings: Vec<_> = real
        .map(|(place, board)| opened(robot, place, board))
        .collect();
    if findings.is_empty() {
        findings.push(Finding::good(AREA, "all boards are simulated"));
    }
    findings
        .extend(loads(robot).filter_map(|load| buffer(&robot.boards[load.board], load.bits / 8)));
    let share = fullest(robot);
    if share > 0.5 {
        let found = format!("the buses are busy for {:.0} % of a turn", 100.0 * share);
        findings.push(Finding::warning(
            AREA,
            found,
            "raise `speed`: the kernel needs time besides",
        ));
    }
    findings
}

fn opened(robot: &Robot, place: usize, board: &BoardSpec) -> Finding {
    if let Driver::Lola { socket } = &board.driver {
        return match socket.exists() {
            true => Finding::good(
                AREA,
                format!("`{}`: {} exists", board.name, socket.display()),
            ),
            false => Finding::bad(
                AREA,
                format!("`{}`: {} does not exist", board.name, socket.display()),
                "start the robot or its simulator",
            ),
        };
    }
    let tried = lock_board(board)
        .map_err(|why| why.to_string())
        .and_then(|lock| boards::device(robot, place, &[], false).map(|ready| (lock, ready)));
    let name = &board.name;
    match tried {
        Ok((
            _,
            OpenedBoard {
                warning: Some(warning),
                ..
            },
        )) => {
            let (found, fix) = warning.split_once("; fix: ").unwrap_or((&warning, ""));
            Finding::warning(AREA, format!("`{name}`: {found}"), fix)
        }
        Ok(_) => Finding::good(AREA, format!("`{name}`: {}", what(board))),
        Err(why) => {
            let (found, fix) = why
                .split_once("; fix: ")
                .unwrap_or((&why, "check its wires and its driver"));
            Finding::bad(AREA, format!("`{name}`: {found}"), fix)
        }
    }
}

fn what(board: &BoardSpec) -> String {
    match (&board.driver, board.bus()) {
        (_, Some(Bus::Spi(spi))) => format!(
            "{} at {} bit/s, mode {}",
            spi.path.display(),
            spi.speed,
            spi.mode
        ),
        (_, Some(Bus::Socket(path))) => format!("a process listens at {}", path.display()),
        (Driver::Lines { .. }, _) => "its lines are there and free".to_owned(),
        _ => "it can be opened".to_owned(),
    }
}

/// A finding if the kernel's buffer is smaller than a frame.
fn buffer(board: &BoardSpec, bytes: u32) -> Option<Finding> {
    let path = "/sys/module/spidev/parameters/bufsiz";
    let size: u32 = std::fs::read_to_string(path).ok()?.trim().parse().ok()?;
    if size >= bytes {
        return None;
    }
    let found = format!(
        "`{}`: its frames have {bytes} bytes, but the kernel's buffer has {size}",
        board.name
    );
    Some(Finding::bad(
        AREA,
        found,
        format!("boot with `spidev.bufsiz={}`", bytes.next_power_of_two()),
    ))
}
