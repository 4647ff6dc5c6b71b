//! The dashboard's files: in the program, served as they are, needing nothing from elsewhere.
//! Laid beside the API's routes. The law: a page asks for nothing but this robot (`api::guarded`).

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;

/// The files, by their paths.
const FILES: [(&str, &str, &str); 4] = [
    (
        "/",
        "text/html; charset=utf-8",
        include_str!("page/index.html"),
    ),
    (
        "/page.css",
        "text/css; charset=utf-8",
        include_str!("page/page.css"),
    ),
    (
        "/page.js",
        "text/javascript; charset=utf-8",
        include_str!("page/page.js"),
    ),
    (
        "/api.js",
        "text/javascript; charset=utf-8",
        include_str!("page/api.js"),
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
