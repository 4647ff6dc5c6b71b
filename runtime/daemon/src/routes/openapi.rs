//! The API's own description, and a page to read it.

use std::collections::HashSet;

use axum::extract::Extension;
use axum::http::{HeaderMap, Method};
use axum::response::{Html, Response};
use protocol::ErrorBody;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{Content, OpenApi, RefOr, Schema};

use super::gzip::PackedFile;

/// This description, as OpenAPI. Needs no token.
#[utoipa::path(get, path = "/api/v2/openapi.json", tag = "robot",
    responses((status = 200, body = serde_json::Value), (status = "default", body = ErrorBody)))]
pub async fn description(
    headers: HeaderMap,
    Extension(DescriptionFile(file)): Extension<DescriptionFile>,
) -> Response {
    file.answer(&headers)
}

/// The description as it is answered: made once, since whoever asks needs no token.
#[derive(Clone)]
pub struct DescriptionFile(PackedFile);

impl DescriptionFile {
    pub(super) fn of(description: &OpenApi) -> DescriptionFile {
        // What utoipa has made always becomes JSON.
        let json = serde_json::to_vec(description).unwrap_or_default();
        DescriptionFile(PackedFile::of("application/json", json.into()))
    }
}

/// This description, as a page. Needs no token.
#[utoipa::path(get, path = "/api/v2", tag = "robot",
    responses((status = 200, content_type = "text/html", body = String), (status = "default", body = ErrorBody)))]
pub async fn page() -> Html<&'static str> {
    Html(include_str!("../dashboard/api.html"))
}

/// The routes that take parameters in their address.
pub(super) fn with_query(description: &OpenApi) -> HashSet<(Method, String)> {
    let mut routes = HashSet::new();
    for (path, item) in &description.paths.paths {
        let operations = [
            (Method::GET, &item.get),
            (Method::PUT, &item.put),
            (Method::POST, &item.post),
            (Method::DELETE, &item.delete),
        ];
        for (method, operation) in operations {
            let parameters = operation.iter().flat_map(|operation| &operation.parameters);
            let mut places = parameters
                .flatten()
                .filter_map(|parameter| match parameter {
                    RefOr::T(parameter) => Some(&parameter.parameter_in),
                    RefOr::Ref(_) => None,
                });
            if places.any(|place| *place == ParameterIn::Query) {
                routes.insert((method, path.clone()));
            }
        }
    }
    routes
}

/// Adds what the format wants of every operation: an identifier of its own, and a description of each response. And
/// an object that is a part of others may have their fields.
pub(super) fn complete(description: &mut OpenApi) {
    open_parts(description);
    for (path, item) in &mut description.paths.paths {
        let operations = [
            ("get", &mut item.get),
            ("put", &mut item.put),
            ("post", &mut item.post),
            ("delete", &mut item.delete),
            ("patch", &mut item.patch),
        ];
        for (method, operation) in operations {
            if let Some(operation) = operation {
                operation.operation_id = Some(identifier(method, path));
                describe_responses(operation);
                for response in operation.responses.responses.values_mut() {
                    if let RefOr::T(response) = response {
                        without_bytes(response.content.iter_mut());
                    }
                }
                if let Some(RefOr::T(body)) = &mut operation.request_body {
                    without_bytes(body.content.iter_mut());
                }
            }
        }
    }
}

/// `post_guests_guest_swap` for `POST /api/v2/guests/{guest}/swap`.
fn identifier(method: &str, path: &str) -> String {
    let words = path.trim_start_matches("/api/v2").split('/');
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let words = words.filter(|word| !word.is_empty());
    let words = words.map(|word| {
        word.trim_matches(['{', '}'])
            .chars()
            .map(plain)
            .collect::<String>()
    });
    let mut all = vec![method.to_owned()];
    all.extend(words);
    all.join("_")
}

/// A file is no list of numbers: bytes have no schema.
fn without_bytes<'c>(contents: impl Iterator<Item = (&'c String, &'c mut RefOr<Content>)>) {
    let files = ["application/octet-stream", "application/wasm"];
    for (_, content) in contents.filter(|content| files.contains(&content.0.as_str())) {
        if let RefOr::T(content) = content {
            content.schema = None;
        }
    }
}

fn describe_responses(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else {
            continue;
        };
        if response.description.is_empty() {
            response.description = match status.as_str() {
                "default" => "It was refused, or failed: the code, a sentence, and the fix.",
                "202" => "It is accepted, and done later.",
                "101" => "The connection is a WebSocket now.",
                _ => "It is done.",
            }
            .to_owned();
        }
    }
}

fn open_parts(description: &mut OpenApi) {
    let Some(components) = &mut description.components else {
        return;
    };
    let all = components.schemas.values();
    let wholes = all.filter_map(|item| match item {
        RefOr::T(Schema::AllOf(whole)) => Some(&whole.items),
        _ => None,
    });
    let parts = wholes.flatten().filter_map(|item| match item {
        RefOr::Ref(part) => part.ref_location.rsplit('/').next().map(str::to_owned),
        RefOr::T(_) => None,
    });
    for part in parts.collect::<Vec<_>>() {
        if let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(&part) {
            object.additional_properties = None;
        }
    }
}
