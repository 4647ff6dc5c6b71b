//! Plays choreographies on a simulated robot in virtual time, and records what was sent. The same bytes give
//! the same table, on every machine and in both forms.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use cycle::{Instant, Ports, State};
use description::{Robot, RobotSource, load};
use drivers::sim::SimEvent;
use guests::{CodeForm, Compiler, GuestError, LoadOptions};
use protocol::Guest;
use robot::guest_service::{GuestService, GuestServiceSettings, StartedGuests};
use robot::live::{SharedSim, assemble, private_page};
use robot::socket::guest_report;

/// The NAO that is shipped.
pub static NAO: LazyLock<Arc<Robot>> =
    LazyLock::new(|| Arc::new(load(&RobotSource::of("nao")).expect("it is shipped")));

/// The number of turns from one row of a table to the next.
const ROW: u64 = 10;

/// What a choreography did.
#[derive(Debug)]
pub struct Played {
    /// A row for every tenth turn since it started: what was sent to each actuator that ever moved.
    pub table: String,
    /// Turns from its first to its last.
    pub turns: u64,
    /// How it ended.
    pub guest: Guest,
    /// The number of values that a limit changed.
    pub clips: u64,
    /// Its log lines.
    pub said: Vec<String>,
}

/// Plays these bytes until the guest ends, or for this many turns; these events happen to the body.
///
/// # Errors
///
/// The guest is not admitted.
///
/// # Panics
///
/// The robot cannot be assembled.
pub fn play(
    robot: &Arc<Robot>,
    bytes: &[u8],
    form: CodeForm,
    turns: u64,
    events: &[(f64, SimEvent)],
) -> Result<Played, GuestError> {
    let mut page = private_page(robot).expect("memory");
    let manner = GuestServiceSettings {
        form,
        lockstep: Some(guests::THINKING),
        logged: false,
        compiler: Compiler::here(),
        cache: crate::rig::shared_cache(),
    };
    let gathered = GuestService::start(robot, page.window(), manner).expect("engines");
    let StartedGuests {
        service,
        mut scheduler,
        ..
    } = gathered;
    service.load(bytes, Some("played"), LoadOptions::default())?;
    let played = assemble(robot, |cycle, sim| {
        let (mut rows, mut first, mut clips) = (Vec::new(), None, 0);
        for turn in 1.. {
            let now = Instant::from_nanos(robot.settings.period.nanos() * turn);
            let since = first.map_or(0, |value| turn - value);
            for (at, event) in events {
                let due = (at * 1e9) as u64 / robot.settings.period.nanos();
                if first.is_some() && due == since {
                    let _ = sim.borrow_mut().apply(*event);
                }
            }
            let mut ports = Ports {
                inbox: &mut (),
                hooks: &mut scheduler,
                board: &mut SharedSim(sim),
                page: &mut page,
            };
            let report = cycle.turn(now, &mut ports);
            if report.state == State::Disarmed {
                // Not before enough sensor values were read.
                let _ = cycle.stage().arm();
            }
            if report.state != State::Running {
                assert!(turn < 10_000, "the body does not start");
                continue;
            }
            let first = *first.get_or_insert(turn);
            clips += u64::from(report.clips);
            if (turn - first).is_multiple_of(ROW) {
                rows.push(
                    cycle
                        .stage()
                        .tracks()
                        .iter()
                        .map(|track| track.sent)
                        .collect::<Vec<_>>(),
                );
            }
            service.manager().housekeep();
            if (turn > first && scheduler.is_empty()) || turn - first >= turns {
                return (rows, turn - first, clips);
            }
        }
        unreachable!("it ends after so many turns")
    });
    let (rows, turns, clips) = played.expect("a sound robot");
    service.manager().housekeep();
    let said = std::iter::from_fn(|| service.next_log_line()).map(|value| value.text);
    let mut guests = service.list().into_iter().map(guest_report);
    Ok(Played {
        table: table(robot, &rows),
        turns,
        guest: guests.next().expect("it came in"),
        clips,
        said: said.collect(),
    })
}

/// A row for each time, a column for each actuator that ever moved; those that are always equal share one.
fn table(robot: &Robot, rows: &[Vec<f64>]) -> String {
    let moved = |place: &usize| rows.iter().any(|row| row[*place] != rows[0][*place]);
    let agree = |a: usize, b: usize| rows.iter().all(|row| row[a] == row[b]);
    let all: Vec<_> = (0..robot.actuators.len()).filter(moved).collect();
    let mut columns: Vec<(usize, String)> = Vec::new();
    for place in &all {
        let alike = all.iter().filter(|item| agree(**item, *place));
        let (first, many) = (alike.clone().next(), alike.count());
        let name = &robot.actuators[*place].name;
        match many {
            1 => columns.push((*place, name.clone())),
            many if first == Some(place) => columns.push((*place, format!("{name}+{}", many - 1))),
            _ => {}
        }
    }
    let width = |title: &str| title.len().max(7);
    let period = robot.settings.period.seconds();
    let mut text = format!("{:>6}", "s");
    // Writing to a string never fails.
    for (_, title) in &columns {
        let _ = write!(text, "  {title:>0$}", width(title));
    }
    for (at, row) in rows.iter().enumerate() {
        let _ = write!(text, "\n{:>6.1}", at as f64 * ROW as f64 * period);
        for (place, title) in &columns {
            // No minus before zero.
            let value = (row[*place] * 1e4).round() / 1e4 + 0.0;
            let _ = write!(text, "  {value:>0$.4}", width(title));
        }
    }
    text.push('\n');
    text
}
