//! The dashboard's files: in the program, served as they are, needing nothing from elsewhere.
//! Laid beside the API's routes. The law: a page asks for nothing but this robot (`routes::guarded`).

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// The files, by their paths.
const FILES: [(&str, &str, &str); 20] = [
    ("/", HTML, include_str!("dashboard/index.html")),
    ("/page.css", CSS, include_str!("dashboard/page.css")),
    ("/api.js", JS, include_str!("dashboard/api.js")),
    ("/ask.js", JS, include_str!("dashboard/ask.js")),
    ("/body.js", JS, include_str!("dashboard/body.js")),
    ("/brush.js", JS, include_str!("dashboard/brush.js")),
    ("/chart.js", JS, include_str!("dashboard/chart.js")),
    ("/figure.js", JS, include_str!("dashboard/figure.js")),
    ("/happened.js", JS, include_str!("dashboard/happened.js")),
    ("/memory.js", JS, include_str!("dashboard/memory.js")),
    ("/page.js", JS, include_str!("dashboard/page.js")),
    ("/parts.js", JS, include_str!("dashboard/parts.js")),
    ("/people.js", JS, include_str!("dashboard/people.js")),
    (
        "/recordings.js",
        JS,
        include_str!("dashboard/recordings.js"),
    ),
    ("/shape.js", JS, include_str!("dashboard/shape.js")),
    ("/shelf.js", JS, include_str!("dashboard/shelf.js")),
    ("/sight.js", JS, include_str!("dashboard/sight.js")),
    ("/stage.js", JS, include_str!("dashboard/stage.js")),
    ("/turns.js", JS, include_str!("dashboard/turns.js")),
    ("/view.js", JS, include_str!("dashboard/view.js")),
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
