//! The log of requests: each has an id, which its answer says in a header and which all entries about it have.
//! Put around all routes by `routes::service`. What a request is about is logged, never what it proves itself with.

use std::time::Instant;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use ring::rand::{SecureRandom, SystemRandom};
use tracing::Instrument;

/// The header of a request's id. A client may choose it, to find its requests in the log.
const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that a client may choose, bytes.
const ID_MAX: usize = 64;

/// The longest path that is logged, bytes.
const PATH_MAX: usize = 200;

tokio::task_local! {
    /// The id of the request that this task works on.
    static ID: String;
}

/// The id of the request that is being worked on.
pub(crate) fn current() -> Option<String> {
    ID.try_with(String::clone)
        .ok()
        .filter(|value| !value.is_empty())
}

/// Lets work that is handed to another task be of the same request.
pub(crate) fn with_same<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    // Outside a request the id is empty: it is this task's that hands the work over.
    ID.scope(current().unwrap_or_default(), work)
}

/// Passes a request on, and logs it when it is answered.
pub(crate) async fn pass(request: Request, next: Next) -> Response {
    let id = chosen(request.headers()).unwrap_or_else(random);
    let (method, path) = (request.method().clone(), request.uri().path());
    let path = path[..path.floor_char_boundary(PATH_MAX)].to_owned();
    let span = tracing::info_span!("request", request = id);
    let began = Instant::now();
    let work = async move {
        let mut response = next.run(request).await;
        log_response(&method, &path, &response, began);
        if let Some(id) = current().and_then(|value| HeaderValue::from_str(&value).ok()) {
            response.headers_mut().insert(HEADER, id);
        }
        response
    };
    ID.scope(id, work.instrument(span)).await
}

fn log_response(method: &Method, path: &str, response: &Response, began: Instant) {
    let (status, took_ms) = (response.status(), began.elapsed().as_millis());
    let code = status.as_u16();
    if status.is_server_error() {
        tracing::warn!(status = code, took_ms, "{method} {path} failed");
    } else if matches!(*method, Method::GET | Method::HEAD) {
        tracing::trace!(status = code, took_ms, "{method} {path}");
    } else {
        tracing::debug!(status = code, took_ms, "{method} {path}");
    }
}

/// The id that the client has chosen.
fn chosen(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(HEADER)?.to_str().ok()?;
    let sound = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_id = !id.is_empty() && id.len() <= ID_MAX && id.chars().all(sound);
    is_id.then(|| id.to_owned())
}

fn random() -> String {
    let mut bytes = [0; 8];
    // Without randomness the ids are all the same, and the requests still work.
    let _ = SystemRandom::new().fill(&mut bytes);
    network::hex::hex(&bytes)
}

#[cfg(test)]
mod tests {
    use super::{HEADER, chosen};
    use axum::http::{HeaderMap, HeaderValue};

    #[test]
    fn a_client_chooses_an_id_without_what_could_look_like_another_entry() {
        let with = |id: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, HeaderValue::from_static(id));
            chosen(&headers)
        };
        assert_eq!(with("run-7.a_b").as_deref(), Some("run-7.a_b"));
        assert_eq!(with("a b"), None);
        assert_eq!(with(""), None);
        assert_eq!(with("a=b"), None);
        assert_eq!(chosen(&HeaderMap::new()), None);
    }
}
