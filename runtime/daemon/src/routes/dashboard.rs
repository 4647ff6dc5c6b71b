//! The dashboard's files: compiled into the program, and served unchanged, or compressed once for all.
//! Used by `routes`. A page loads nothing from other hosts (`routes::guarded`).

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::routing::get;

use crate::app::App;
use crate::routes::gzip::PackedFile;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// The scripts, by their names.
macro_rules! scripts {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("/", $name, ".js"), JS, include_str!(concat!("../dashboard/", $name, ".js")))),*]
    };
}

/// The page and its style.
const PAGE: [(&str, &str, &str); 2] = [
    ("/", HTML, include_str!("../dashboard/index.html")),
    ("/page.css", CSS, include_str!("../dashboard/page.css")),
];

/// Its scripts.
const SCRIPTS: &[(&str, &str, &str)] = scripts![
    "access",
    "api",
    "body-view",
    "camera",
    "chart",
    "check",
    "choreographies",
    "control",
    "cues",
    "dom",
    "events",
    "face",
    "figure",
    "guests",
    "joints",
    "kinematics",
    "link",
    "memory",
    "move",
    "operations",
    "page",
    "paint",
    "performance",
    "plans",
    "recordings",
    "replay",
    "request",
    "stop",
    "turns",
    "visibility",
];

/// Routes to the files.
pub(crate) fn pages() -> Router<Arc<App>> {
    PAGE.iter()
        .chain(SCRIPTS)
        .fold(Router::new(), |router, (path, kind, text)| {
            let file = PackedFile::of(kind, Bytes::from_static(text.as_bytes()));
            let answer = move |headers: HeaderMap| async move { file.answer(&headers) };
            router.route(path, get(answer))
        })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{PAGE, SCRIPTS};

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/dashboard");
        let all = fs::read_dir(folder).expect("a folder");
        let files = all.map(|replayer| {
            replayer
                .expect("a file")
                .file_name()
                .into_string()
                .expect("a name")
        });
        // The documentation of the API has a route of its own.
        let mut missing = files.filter(|file| !file.ends_with(".html"));
        let is_served = |name: &str| PAGE.iter().chain(SCRIPTS).any(|pair| pair.0[1..] == *name);
        assert_eq!(missing.find(|item| !is_served(item)), None);
    }
}
