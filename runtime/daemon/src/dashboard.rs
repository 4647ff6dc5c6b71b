//! The dashboard's files: compiled into the program and served unchanged.
//! Used by `routes`. The law: a page loads nothing from other hosts (`routes::guarded`).

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// The files, by their paths.
const FILES: [(&str, &str, &str); 22] = [
    ("/", HTML, include_str!("dashboard/index.html")),
    ("/page.css", CSS, include_str!("dashboard/page.css")),
    ("/access.js", JS, include_str!("dashboard/access.js")),
    ("/api.js", JS, include_str!("dashboard/api.js")),
    ("/camera.js", JS, include_str!("dashboard/camera.js")),
    ("/chart.js", JS, include_str!("dashboard/chart.js")),
    (
        "/choreographies.js",
        JS,
        include_str!("dashboard/choreographies.js"),
    ),
    ("/dom.js", JS, include_str!("dashboard/dom.js")),
    ("/events.js", JS, include_str!("dashboard/events.js")),
    ("/figure.js", JS, include_str!("dashboard/figure.js")),
    ("/guests.js", JS, include_str!("dashboard/guests.js")),
    ("/joints.js", JS, include_str!("dashboard/joints.js")),
    (
        "/kinematics.js",
        JS,
        include_str!("dashboard/kinematics.js"),
    ),
    ("/link.js", JS, include_str!("dashboard/link.js")),
    ("/memory.js", JS, include_str!("dashboard/memory.js")),
    ("/page.js", JS, include_str!("dashboard/page.js")),
    ("/paint.js", JS, include_str!("dashboard/paint.js")),
    (
        "/recordings.js",
        JS,
        include_str!("dashboard/recordings.js"),
    ),
    ("/request.js", JS, include_str!("dashboard/request.js")),
    ("/stop.js", JS, include_str!("dashboard/stop.js")),
    ("/turns.js", JS, include_str!("dashboard/turns.js")),
    (
        "/visibility.js",
        JS,
        include_str!("dashboard/visibility.js"),
    ),
];

/// Routes to the files.
pub(crate) fn pages() -> Router<Arc<App>> {
    FILES
        .iter()
        .fold(Router::new(), |router, (path, kind, text)| {
            router.route(path, get(move || async move { file(kind, text) }))
        })
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([("content-type", kind)], text).into_response()
}
