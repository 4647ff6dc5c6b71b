//! Feeds hostile bytes to readers: for the fuzz targets, and for tests that mutate good inputs. These
//! functions return for any bytes.

use std::io::Write;
use std::sync::{Arc, OnceLock};

use cycle::{Instant, Ports};
use description::{RobotSource, load, parse};
use protocol::places::Places;
use protocol::{Outcome, Reply};
use robot::live::{SharedSim, assemble, request_channel};
use robot::socket::RequestHandler;
use sensors::PageReader;

/// Reads bytes as a description; a robot that is read must be usable. Returns whether it was read.
pub fn description(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    match parse("hostile", &text) {
        Ok(robot) => {
            let lived = assemble(&robot, |cycle, sim| {
                let mut ports = Ports {
                    inbox: &mut (),
                    hooks: &mut (),
                    board: &mut SharedSim(sim),
                    page: &mut (),
                };
                for turn in 1..4 {
                    cycle.turn(Instant::from_millis(turn * 10), &mut ports);
                }
            });
            lived.unwrap_or_else(|error| panic!("{error}:\n{text}"));
            true
        }
        Err(problems) => {
            assert!(!problems.list.is_empty() && !problems.to_string().is_empty());
            for (spot, _) in problems.list.iter().flat_map(|problem| &problem.spots) {
                assert!(spot.from <= spot.to && spot.to <= text.len());
            }
            false
        }
    }
}

/// Sends bytes to the request handler of a loop that has ended. Returns whether the request was carried out.
pub fn line(bytes: &[u8], may_move: bool) -> bool {
    static HANDLER: OnceLock<RequestHandler> = OnceLock::new();
    let handler = HANDLER.get_or_init(|| {
        let robot = load(&RobotSource::of("desk")).expect("it is shipped");
        let (sender, requests) = request_channel();
        drop(requests);
        let places = Places::of("hostile").expect("a name");
        RequestHandler::new(Arc::new(robot), "desk".to_owned(), places, sender)
    });
    let answer = handler.serve(bytes, &mut std::io::empty(), may_move).line;
    assert!(!answer.contains('\n'), "{answer}");
    let reply: Reply =
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
    match reply.outcome {
        Outcome::Ok(_) => true,
        Outcome::Error(error) => {
            assert!(!error.code.is_empty() && !error.sentence.is_empty());
            false
        }
    }
}

/// Opens bytes as a page, and reads all of it. Returns whether it was opened.
pub fn page(bytes: &[u8]) -> bool {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("a file");
    match PageReader::open(file.path()) {
        Ok(page) => {
            let shape = page.shape();
            page.actuators();
            page.sensors();
            for turn in page.turns().take(2_000).chain([0, u64::MAX]) {
                page.read_turn(turn, |frame| {
                    (0..shape.actuators + 2).for_each(|i| _ = frame.sent(i));
                    (0..shape.sensors + 2).for_each(|i| _ = frame.sensor(i));
                    (0..shape.boards + 2).for_each(|i| _ = frame.board(i));
                    frame.state()
                });
            }
            true
        }
        Err(error) => {
            let name = file.path().display().to_string();
            assert!(error.to_string().contains(&name), "{error}");
            false
        }
    }
}
