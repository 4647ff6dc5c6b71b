//! Metrics for Prometheus. What cannot be had now is left out, and the rest is told; `dcm_loop_answers` says
//! whether the loop was asked in vain.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use protocol::robot::BoardState;
use protocol::{Ask, ErrorBody, Guest, RecordingStatus};
use rustix::fs::statvfs;

use crate::api_error::ApiError;
use crate::app::App;
use crate::timing::BOUNDS;

/// The kinds of metrics that there are here.
const COUNTER: &str = "counter";
const GAUGE: &str = "gauge";

/// A count of a board.
type BoardFigure = fn(&BoardState) -> u64;

/// A figure of a guest.
type GuestFigure = fn(&Guest) -> f64;

/// Metrics in the text format of Prometheus: turns, state, boards, guests, the recording, the disk, the server.
#[utoipa::path(get, path = "/metrics", tag = "robot",
    responses((status = 200, content_type = "text/plain", body = String), (status = "default", body = ErrorBody)))]
pub async fn metrics(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let mut text = Exposition(String::new());
    turns(&app, &mut text);
    body(&app, &mut text)?;
    let guests = app.loop_client.get::<Vec<Guest>>(Ask::Guests).await;
    let answers = f64::from(u8::from(guests.is_ok()));
    text.one(
        "loop_answers",
        GAUGE,
        "Whether the loop answers requests.",
        answers,
    );
    if let Ok(guests) = guests {
        self::guests(&guests, &mut text);
    }
    if let Ok(status) = app.loop_client.get(Ask::Recording).await {
        recording(&status, &mut text);
    }
    disk(&app, &mut text).await?;
    server(&app, &mut text).await;
    let form = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([("content-type", form)], text.0).into_response())
}

fn turns(app: &App, text: &mut Exposition) {
    let timing = app.streams.timing();
    let seen = "Turns of the loop that were seen.";
    text.one("turns_total", COUNTER, seen, timing.turns as f64);
    let late = "Turns that began later than half a period after their time.";
    text.one("turns_late_total", COUNTER, late, timing.late as f64);
    let unseen = "Turns that were overwritten before the server saw them.";
    text.one("turns_unseen_total", COUNTER, unseen, timing.unseen as f64);
    text.head(
        "realtime",
        GAUGE,
        "1 for whether the loop keeps its period, as of its last turns.",
    );
    let page = app.streams.page();
    for verdict in cycle::RealtimeVerdict::ALL {
        let is = f64::from(u8::from(page.realtime() == verdict));
        text.line("realtime", &[("verdict", verdict.name())], is);
    }
    let age = "Seconds since the newest turn was first seen.";
    text.one(
        "turn_age_seconds",
        GAUGE,
        age,
        app.streams.age().as_secs_f64(),
    );
    text.head("turn_work_seconds", "histogram", "How long a turn works.");
    let mut so_far = 0;
    for (place, count) in timing.work.iter().enumerate() {
        so_far += count;
        let bound = BOUNDS.get(place).map(|bound| *bound as f64 / 1e9);
        let bound = bound.map_or_else(|| "+Inf".to_owned(), |bound| bound.to_string());
        text.line("turn_work_seconds_bucket", &[("le", &bound)], so_far as f64);
    }
    text.line("turn_work_seconds_sum", &[], timing.worked as f64 / 1e9);
    text.line("turn_work_seconds_count", &[], so_far as f64);
}

fn body(app: &App, text: &mut Exposition) -> Result<(), ApiError> {
    let now = app.streams.named()?;
    text.head(
        "state",
        GAUGE,
        "1 for the safety state that the body is in.",
    );
    for state in cycle::State::ALL {
        let is = f64::from(u8::from(now.state == state.name()));
        text.line("state", &[("state", state.name())], is);
    }
    let counts: [(&str, &str, &str, BoardFigure); 3] = [
        (
            "board_acks_total",
            COUNTER,
            "Exchanges that a board answered.",
            |value| value.acks,
        ),
        (
            "board_nacks_total",
            COUNTER,
            "Exchanges that a board did not answer.",
            |value| value.nacks,
        ),
        (
            "board_age_turns",
            GAUGE,
            "Turns since a board's last answer.",
            |value| value.age,
        ),
    ];
    for (name, kind, about, count) in counts {
        text.head(name, kind, about);
        for board in &now.boards {
            text.line(name, &[("board", &board.name)], count(board) as f64);
        }
    }
    text.head("sensor", GAUGE, "What a sensor reads, in its unit.");
    for (name, value) in &now.sensors {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            text.line("sensor", &[("sensor", name)], value);
        }
    }
    Ok(())
}

fn guests(guests: &[Guest], text: &mut Exposition) {
    let figures: [(&str, &str, &str, GuestFigure); 4] = [
        (
            "guest_fuel_total",
            COUNTER,
            "Fuel that a guest's hooks have used.",
            |one| one.hooks.values().map(|value| value.total).sum::<u64>() as f64,
        ),
        (
            "guest_fuel_turn",
            GAUGE,
            "Fuel that a guest's hooks used when they were called last.",
            |value| value.hooks.values().map(|timing| timing.last).sum::<u64>() as f64,
        ),
        (
            "guest_fuel_granted",
            GAUGE,
            "Fuel that a call of a guest's hook may use.",
            |value| value.fuel as f64,
        ),
        (
            "guest_commands_total",
            COUNTER,
            "Commands that were taken of a guest.",
            |writer| writer.commands as f64,
        ),
    ];
    for (name, kind, about, figure) in figures {
        text.head(name, kind, about);
        // A later guest may have the name of one that is gone; a series must be unique.
        for guest in guests.iter().filter(|guest| guest.life != "gone") {
            let labels = [("guest", guest.name.as_str()), ("digest", &guest.digest)];
            text.line(name, &labels, figure(guest));
        }
    }
    text.head("guests", GAUGE, "Guests by what they do.");
    for life in ["loaded", "armed", "running", "paused", "ending", "gone"] {
        let count = guests.iter().filter(|guest| guest.life == life).count();
        text.line("guests", &[("life", life)], count as f64);
    }
}

fn recording(status: &RecordingStatus, text: &mut Exposition) {
    let is = |flag: bool| f64::from(u8::from(flag));
    text.one(
        "recording_wanted",
        GAUGE,
        "Whether runs are to be recorded.",
        is(status.on),
    );
    let open = "Whether a recording is being written.";
    text.one("recording_open", GAUGE, open, is(status.open.is_some()));
    let failed = "Whether the recording has failed, for example because the disk is full.";
    text.one(
        "recording_failed",
        GAUGE,
        failed,
        is(status.error.is_some()),
    );
    let bytes = "Bytes of the recording that is being written.";
    text.one("recording_bytes", GAUGE, bytes, status.bytes as f64);
}

async fn disk(app: &App, text: &mut Exposition) -> Result<(), ApiError> {
    let (bytes, kept) = app
        .store(|store| Ok((store.index().bytes(), store.index().kept.len())))
        .await?;
    text.one(
        "store_bytes",
        GAUGE,
        "Bytes of all choreographies that are kept.",
        bytes as f64,
    );
    text.one(
        "store_choreographies",
        GAUGE,
        "Choreographies that are kept.",
        kept as f64,
    );
    let recordings = app.recordings.list();
    let bytes: u64 = recordings.iter().map(|recording| recording.bytes).sum();
    text.one(
        "recordings_bytes",
        GAUGE,
        "Bytes of all recordings that are kept.",
        bytes as f64,
    );
    text.one(
        "recordings",
        GAUGE,
        "Recordings that are kept.",
        recordings.len() as f64,
    );
    if let Ok(disk) = statvfs(app.recordings.path()) {
        let bytes = |blocks: u64| (blocks as f64) * disk.f_frsize as f64;
        let size = "Bytes of the disk with the robot's state folder.";
        text.one("disk_bytes", GAUGE, size, bytes(disk.f_blocks));
        let free = "Bytes of that disk that are free.";
        text.one("disk_free_bytes", GAUGE, free, bytes(disk.f_bavail));
    }
    Ok(())
}

async fn server(app: &App, text: &mut Exposition) {
    let (open, displaced, refused) = app.connections.figures();
    text.one(
        "connections",
        GAUGE,
        "Open connections of clients.",
        open as f64,
    );
    let closed = "Silent connections that were closed to make room for others.";
    text.one(
        "connections_displaced_total",
        COUNTER,
        closed,
        displaced as f64,
    );
    let full = "Connections for which there was no room.";
    text.one("connections_refused_total", COUNTER, full, refused as f64);
    if let Some(audit) = app.audit_writer().last(0).await {
        let lost = "Entries of the audit log that could not be written.";
        text.one("audit_lost_total", COUNTER, lost, audit.lost as f64);
        let passed = "Requests of unknown senders that were too many for the audit log.";
        text.one(
            "audit_passed_over_total",
            COUNTER,
            passed,
            audit.passed_over as f64,
        );
    }
}

/// Metrics as text.
struct Exposition(String);

impl Exposition {
    fn head(&mut self, name: &str, kind: &str, about: &str) {
        // Writing to a string never fails.
        let _ = writeln!(
            self.0,
            "# HELP dcm_{name} {about}\n# TYPE dcm_{name} {kind}"
        );
    }

    fn line(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let escaped = |text: &str| {
            text.replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n")
        };
        let labels: Vec<_> = labels
            .iter()
            .map(|(key, value)| format!("{key}=\"{}\"", escaped(value)))
            .collect();
        let _ = if labels.is_empty() {
            writeln!(self.0, "dcm_{name} {value}")
        } else {
            writeln!(self.0, "dcm_{name}{{{}}} {value}", labels.join(","))
        };
    }

    /// A metric with one value.
    fn one(&mut self, name: &str, kind: &str, about: &str, value: f64) {
        self.head(name, kind, about);
        self.line(name, &[], value);
    }
}
