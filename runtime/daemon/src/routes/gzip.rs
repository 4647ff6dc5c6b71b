//! Compresses answers by gzip, for whoever accepts it: the page's files once for all, JSON as it is answered.
//! Put around all routes by `service`. What is short, streamed or about STOP is passed on as it is, at once.

use std::io::Write;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::{BodyExt, Collected};

/// Sizes of JSON that are compressed, bytes: what is shorter gains nothing, what is longer would take long.
const LEAST: u64 = 1 << 10;
const MOST: u64 = 8 << 20;

/// From this size on another thread compresses it, so that no other answer waits.
const LONG: usize = 64 << 10;

/// A file that is compressed once, for all who ask for it.
#[derive(Clone)]
pub(crate) struct PackedFile {
    kind: &'static str,
    plain: Bytes,
    gzip: Bytes,
}

impl PackedFile {
    /// A file of this content type.
    pub(crate) fn of(kind: &'static str, plain: Bytes) -> PackedFile {
        let gzip = Bytes::from(gzip(&plain, Compression::best()));
        PackedFile { kind, plain, gzip }
    }

    /// The answer for whoever sent these headers.
    pub(crate) fn answer(self, headers: &HeaderMap) -> Response {
        let kind = [(header::CONTENT_TYPE, self.kind)];
        if !is_accepted(headers) {
            return (kind, [(header::VARY, "accept-encoding")], self.plain).into_response();
        }
        let mut response = (kind, self.gzip).into_response();
        mark(response.headers_mut());
        response
    }
}

/// Compresses this.
fn gzip(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), level);
    // Writing to memory never fails.
    let _ = packed.write_all(bytes);
    packed.finish().unwrap_or_default()
}

/// Whether whoever sent these headers reads gzip.
fn is_accepted(headers: &HeaderMap) -> bool {
    let all = headers.get_all(header::ACCEPT_ENCODING).iter();
    let texts = all.filter_map(|item| item.to_str().ok());
    let mut codings = texts.flat_map(|text| text.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts
            .next()
            .is_some_and(|part| part.eq_ignore_ascii_case("gzip"));
        // A weight of 0 refuses it.
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        is_gzip && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// Compresses the answer, if it is JSON of some length and the client reads gzip.
pub(super) async fn pass(request: Request, next: Next) -> Response {
    let is_wanted = is_accepted(request.headers()) && !request.uri().path().ends_with("/stop");
    let response = next.run(request).await;
    if is_wanted && is_long_json(&response) {
        return packed(response).await;
    }
    response
}

fn is_long_json(response: &Response) -> bool {
    let of = |name| response.headers().get(name).map(HeaderValue::as_bytes);
    of(header::CONTENT_TYPE).is_some_and(|text| text.starts_with(b"application/json"))
        && of(header::CONTENT_ENCODING).is_none()
        // A stream does not know its size.
        && response.body().size_hint().exact().is_some_and(|exact| (LEAST..=MOST).contains(&exact))
}

async fn packed(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(whole) = body.collect().await.map(Collected::to_bytes) else {
        // The body is in memory, so that this does not happen.
        return Response::from_parts(parts, Body::empty());
    };
    let kept = whole.clone();
    let work = move || gzip(&whole, Compression::fast());
    let bytes = match kept.len() < LONG {
        true => Some(work()),
        false => tokio::task::spawn_blocking(work).await.ok(),
    };
    let Some(bytes) = bytes else {
        return Response::from_parts(parts, Body::from(kept));
    };
    mark(&mut parts.headers);
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(Bytes::from(bytes)))
}

/// Says that an answer is compressed, and that others may get another one.
fn mark(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
}

#[cfg(test)]
mod tests {
    use super::is_accepted;
    use axum::http::{HeaderMap, HeaderValue, header};

    #[test]
    fn gzip_is_for_those_who_ask_for_it() {
        let accepts = |words: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(words));
            is_accepted(&headers)
        };
        assert!(accepts("gzip, deflate, br, zstd"));
        assert!(accepts("br;q=1.0, GZIP;q=0.5"));
        assert!(!accepts("gzip;q=0"));
        assert!(!accepts("br, x-gzipped"));
        assert!(!is_accepted(&HeaderMap::new()));
    }
}
