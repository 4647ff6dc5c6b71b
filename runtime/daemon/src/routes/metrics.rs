//! Metrics for Prometheus.

use std::fmt::Write;
use std::sync::Arc;

use api::error::ErrorBody;
use api::robot::BoardState;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use socket::{Ask, ReplyBody};

use super::error::ApiError;
use crate::app::App;
use crate::timing::BOUNDS;

/// Metrics in the text format of Prometheus: turns, state, boards, guests, the store.
#[utoipa::path(get, path = "/metrics", security(("token" = ["watch"])), tag = "robot",
    responses((status = 200, content_type = "text/plain", body = String), (status = "default", body = ErrorBody)))]
pub async fn metrics(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let mut text = String::new();
    turns(&app, &mut text);
    body(&app, &mut text)?;
    if let ReplyBody::Guests(guests) = app.loop_client.ask(Ask::Guests).await? {
        head(
            &mut text,
            "guest_fuel_total",
            "counter",
            "Fuel that a guest's hooks have used.",
        );
        // A later guest may have the name of one that is gone; a series must be unique.
        let playing = || guests.iter().filter(|it| it.life != "gone");
        for it in playing() {
            let fuel: u64 = it.hooks.values().map(|it| it.total).sum();
            line(
                &mut text,
                "guest_fuel_total",
                &[("guest", &it.name), ("digest", &it.digest)],
                fuel as f64,
            );
        }
        head(
            &mut text,
            "guest_commands_total",
            "counter",
            "Commands that were taken of a guest.",
        );
        for it in playing() {
            let labels = [("guest", it.name.as_str()), ("digest", &it.digest)];
            line(
                &mut text,
                "guest_commands_total",
                &labels,
                it.commands as f64,
            );
        }
        head(&mut text, "guests", "gauge", "Guests by what they do.");
        for life in ["loaded", "armed", "running", "paused", "ending", "gone"] {
            let count = guests.iter().filter(|it| it.life == life).count();
            line(&mut text, "guests", &[("life", life)], count as f64);
        }
    }
    let (bytes, kept) = app
        .store(|store| Ok((store.index().bytes(), store.index().kept.len())))
        .await?;
    head(
        &mut text,
        "store_bytes",
        "gauge",
        "Bytes of all choreographies that are kept.",
    );
    line(&mut text, "store_bytes", &[], bytes as f64);
    head(
        &mut text,
        "store_choreographies",
        "gauge",
        "Choreographies that are kept.",
    );
    line(&mut text, "store_choreographies", &[], kept as f64);
    server(&app, &mut text).await;
    let form = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([("content-type", form)], text).into_response())
}

fn turns(app: &App, text: &mut String) {
    let timing = app.streams.timing();
    head(
        text,
        "turns_total",
        "counter",
        "Turns of the loop that were seen.",
    );
    line(text, "turns_total", &[], timing.turns as f64);
    head(
        text,
        "turns_late_total",
        "counter",
        "Turns that began later than half a period after their time.",
    );
    line(text, "turns_late_total", &[], timing.late as f64);
    head(
        text,
        "turns_unseen_total",
        "counter",
        "Turns that were overwritten before the server saw them.",
    );
    line(text, "turns_unseen_total", &[], timing.unseen as f64);
    head(
        text,
        "turn_work_seconds",
        "histogram",
        "How long a turn works.",
    );
    let mut so_far = 0;
    for (place, count) in timing.work.iter().enumerate() {
        so_far += count;
        let bound = BOUNDS.get(place).map(|it| *it as f64 / 1e9);
        let bound = bound.map_or_else(|| "+Inf".to_owned(), |it| it.to_string());
        line(
            text,
            "turn_work_seconds_bucket",
            &[("le", &bound)],
            so_far as f64,
        );
    }
    line(
        text,
        "turn_work_seconds_sum",
        &[],
        timing.worked as f64 / 1e9,
    );
    line(text, "turn_work_seconds_count", &[], so_far as f64);
}

/// A figure of the server itself: its name, kind, description and value.
type ServerFigure = (&'static str, &'static str, &'static str, f64);

async fn server(app: &App, text: &mut String) {
    let (open, displaced, refused) = app.connections.figures();
    let figures: [ServerFigure; 3] = [
        (
            "connections",
            "gauge",
            "Open connections of clients.",
            open as f64,
        ),
        (
            "connections_displaced_total",
            "counter",
            "Silent connections that were closed to make room for others.",
            displaced as f64,
        ),
        (
            "connections_refused_total",
            "counter",
            "Connections for which there was no room.",
            refused as f64,
        ),
    ];
    for (name, kind, about, value) in figures {
        head(text, name, kind, about);
        line(text, name, &[], value);
    }
}

/// A count of a board.
type BoardFigure = fn(&BoardState) -> u64;

fn body(app: &App, text: &mut String) -> Result<(), ApiError> {
    let now = app.streams.named()?;
    head(
        text,
        "state",
        "gauge",
        "1 for the safety state that the body is in.",
    );
    for state in cycle::State::ALL {
        let is = now.state == state.name();
        line(
            text,
            "state",
            &[("state", state.name())],
            f64::from(u8::from(is)),
        );
    }
    let counts: [(&str, &str, BoardFigure, &str); 3] = [
        (
            "board_acks_total",
            "counter",
            |it| it.acks,
            "Exchanges that a board answered.",
        ),
        (
            "board_nacks_total",
            "counter",
            |it| it.nacks,
            "Exchanges that a board did not answer.",
        ),
        (
            "board_age_turns",
            "gauge",
            |it| it.age,
            "Turns since a board's last answer.",
        ),
    ];
    for (name, kind, count, about) in counts {
        head(text, name, kind, about);
        for board in &now.boards {
            line(text, name, &[("board", &board.name)], count(board) as f64);
        }
    }
    head(text, "sensor", "gauge", "What a sensor reads, in its unit.");
    for (name, value) in &now.sensors {
        if let Some(value) = value.filter(|it| it.is_finite()) {
            line(text, "sensor", &[("sensor", name)], value);
        }
    }
    Ok(())
}

fn head(text: &mut String, name: &str, kind: &str, about: &str) {
    // Writing to a string never fails.
    let _ = writeln!(text, "# HELP dcm_{name} {about}\n# TYPE dcm_{name} {kind}");
}

fn line(text: &mut String, name: &str, labels: &[(&str, &str)], value: f64) {
    let escaped = |it: &str| {
        it.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    };
    let labels: Vec<_> = labels
        .iter()
        .map(|(key, value)| format!("{key}=\"{}\"", escaped(value)))
        .collect();
    let _ = if labels.is_empty() {
        writeln!(text, "dcm_{name} {value}")
    } else {
        writeln!(text, "dcm_{name}{{{}}} {value}", labels.join(","))
    };
}
