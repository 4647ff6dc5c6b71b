//! The robot's HTTP API, and its OpenAPI description.
//! Served by every listener. Each route is added with what it needs, by which the gate authorizes.

mod authorized;
pub mod body;
pub mod choreographies;
pub mod clock;
mod dashboard;
pub mod dcm;
mod download;
pub mod extract;
pub mod frames;
pub mod gate;
pub mod guests;
mod gzip;
pub mod keys;
mod long_body;
mod loop_requests;
mod loop_schemas;
pub mod memory;
pub mod metrics;
mod motion;
pub mod naoqi;
pub mod openapi;
pub mod people;
pub mod push;
pub mod recordings;
pub mod robot;
pub mod stream;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use protocol::{ErrorCode, Need, RequestKind};
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::routes;

pub use crate::api_error::ApiError;
pub use authorized::Needs;
use authorized::{ANYBODY, AUTHOR, AuthorizedRouter, OPERATE, PERFORM, WATCH, moving, reading};
pub use gate::{OWN, Peer, is_own_host};

use crate::app::App;
use crate::request_log;

/// It is done.
pub(super) const DONE: axum::Json<protocol::guests::Confirmation> =
    axum::Json(protocol::guests::Confirmation { done: true });

/// The paths of the emergency stop: of this version, and of the first one. Whatever a button was made for is heard.
pub const STOP_PATHS: [&str; 2] = ["/api/v2/body/stop", "/api/v1/body/stop"];

/// The maximum size of a request's body, uploads excepted, bytes.
pub const BODY_MAX: usize = 256 << 10;

/// All routes, their description, and what they need.
pub fn described() -> (Router<Arc<App>>, OpenApi, Needs) {
    let sections = [
        robot_routes,
        body_routes,
        loop_requests::routes,
        guests_routes,
        dcm_routes,
        store_routes,
        people_routes,
    ];
    let empty = AuthorizedRouter::default();
    let AuthorizedRouter { router, needs } = sections
        .into_iter()
        .fold(empty, |router, section| section(router));
    let (router, mut description) = router.split_for_parts();
    description.info.contact = None;
    description.info.license = None;
    description.info.title = "dcm-run".to_owned();
    description.info.version = protocol::VERSION.to_string();
    // Those of the loop are there as well.
    let codes = ErrorCode::ALL.iter();
    let codes = codes.map(|code| format!("\n- `{}`: {}", code.word(), code.meaning()));
    description.info.description = Some(format!(
        "A robot that plays choreographies. Each operation names the lowest role that it needs: watch, perform, \
         author or operate. Those tagged `moves` need control of the robot, which whoever did one of them last has \
         for a minute. Every error has the same shape: a code, a sentence, and a fix. \
         All codes:\n{}",
        codes.collect::<String>()
    ));
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    description
        .components
        .get_or_insert_default()
        .add_security_scheme("token", token);
    openapi::complete(&mut description);
    (router, description, needs)
}

/// Routes of the robot, its timing, events and recordings.
fn robot_routes(router: AuthorizedRouter) -> AuthorizedRouter {
    router
        .add(ANYBODY, routes!(robot::hello))
        .add(WATCH, routes!(robot::state))
        .add(WATCH, routes!(robot::timing))
        .add(WATCH, routes!(clock::read))
        .add(OPERATE, routes!(clock::correct))
        .add(WATCH, routes!(recordings::list))
        .add(WATCH, routes!(recordings::fetch))
        .add(OPERATE, routes!(recordings::remove))
        .add(WATCH, routes!(frames::frames))
        .add(WATCH, routes!(stream::stream))
        .add(WATCH, routes!(metrics::metrics))
        .add(ANYBODY, routes!(openapi::description))
        .add(ANYBODY, routes!(openapi::page))
}

/// Routes of the body.
fn body_routes(router: AuthorizedRouter) -> AuthorizedRouter {
    router
        .add(ANYBODY, routes!(body::stop))
        .add(ANYBODY, routes!(body::stop_of_version_1))
        .add(PERFORM, routes!(body::schedule))
}

/// Routes of guests and scheduled starts.
fn guests_routes(router: AuthorizedRouter) -> AuthorizedRouter {
    router
        .add(moving(PERFORM), routes!(guests::start))
        .add(moving(PERFORM), routes!(guests::swap))
        .add(WATCH, routes!(guests::planned))
        .add(PERFORM, routes!(guests::cancel))
}

/// Routes of the DCM's calls and its memory.
fn dcm_routes(router: AuthorizedRouter) -> AuthorizedRouter {
    router
        .add(PERFORM, routes!(dcm::set))
        .add(PERFORM, routes!(dcm::set_alias))
        .add(PERFORM, routes!(dcm::create_alias))
        .add(PERFORM, routes!(dcm::remove_alias))
        .add(WATCH, routes!(dcm::get_time))
        .add(WATCH, routes!(dcm::get_prefix))
        .add(WATCH, routes!(naoqi::ping))
        .add(WATCH, routes!(naoqi::version))
        .add(moving(OPERATE), routes!(naoqi::calibration))
        .add(moving(OPERATE), routes!(naoqi::preferences))
        .add(reading(WATCH), routes!(naoqi::special))
        .add(OPERATE, routes!(naoqi::exit))
        .add(WATCH, routes!(memory::get_data))
        .add(reading(WATCH), routes!(memory::get_list_data))
        .add(WATCH, routes!(memory::get_data_list))
        .add(PERFORM, routes!(memory::insert_list_data))
        .add(PERFORM, routes!(memory::raise_event))
        .add(PERFORM, routes!(memory::remove_data))
        .add(WATCH, routes!(memory::events))
}

/// Routes of the store and the trusted keys.
fn store_routes(router: AuthorizedRouter) -> AuthorizedRouter {
    router
        .add(WATCH, routes!(choreographies::list))
        .add(AUTHOR, routes!(push::push, choreographies::remove))
        .add(WATCH, routes!(choreographies::pull))
        .add(PERFORM, routes!(choreographies::check))
        .add(AUTHOR, routes!(choreographies::tag, choreographies::untag))
        .add(AUTHOR, routes!(choreographies::roll_back))
        .add(WATCH, routes!(choreographies::boot))
        .add(OPERATE, routes!(choreographies::set_boot))
}

/// Routes of access.
fn people_routes(router: AuthorizedRouter) -> AuthorizedRouter {
    router
        .add(WATCH, routes!(keys::list))
        .add(OPERATE, routes!(keys::trust))
        .add(OPERATE, routes!(keys::revoke))
        .add(ANYBODY, routes!(people::pair))
        .add(ANYBODY, routes!(people::pair_exchange))
        .add(ANYBODY, routes!(people::pair_proof))
        .add(OPERATE, routes!(people::show_code))
        .add(WATCH, routes!(people::me, people::leave))
        .add(OPERATE, routes!(people::tokens, people::make_token))
        .add(OPERATE, routes!(people::revoke_token))
        .add(WATCH, routes!(people::lease))
        .add(PERFORM, routes!(people::take_over, people::give_back))
        .add(OPERATE, routes!(people::acts))
}

/// The whole service.
pub fn service(app: &Arc<App>) -> Router {
    let (router, description, needs) = described();
    let gate = gate::Gate {
        app: Arc::clone(app),
        needs: Arc::new(needs),
        with_query: Arc::new(openapi::with_query(&description)),
    };
    router
        .route_layer(from_fn_with_state(gate, gate::pass))
        .layer(axum::Extension(openapi::DescriptionFile::of(&description)))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .merge(dashboard::pages())
        .fallback(nothing_here)
        .layer(map_response(guarded))
        .layer(from_fn(gzip::pass))
        .layer(from_fn(request_log::pass))
        .with_state(Arc::clone(app))
}

async fn nothing_here(uri: Uri) -> ApiError {
    let kind = uri.path().strip_prefix("/api/v2/loop/");
    let error = match kind.and_then(RequestKind::of).map(RequestKind::needs) {
        Some(Need::LocalOnly) => ErrorCode::NoRoute
            .error("this request is possible only on the robot's machine")
            .fix("run it there: `dcm-run` asks the loop itself"),
        _ => ErrorCode::NoRoute
            .error("the API has no such path")
            .fix("/api/v2 lists what there is"),
    };
    ApiError::new(StatusCode::NOT_FOUND, error)
}

/// Adds the security headers for browsers to every answer.
async fn guarded(mut response: Response) -> Response {
    const HEADERS: [(&str, &str); 6] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ];
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response
            .headers_mut()
            .insert(HeaderName::from_static(name), value);
    }
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    // Errors of axum itself, such as a method that a path does not have, get the same shape as all others.
    let is_own = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|header| header.as_bytes().starts_with(b"text/plain"));
    if response.status().is_client_error() && is_own {
        return plain(response).await;
    }
    response
}

/// An error of axum itself, in the shape of all others.
async fn plain(response: Response) -> Response {
    let (mut parts, _) = response.into_parts();
    let status = parts.status;
    let (code, sentence, fix) = match status {
        StatusCode::PAYLOAD_TOO_LARGE => (
            ErrorCode::TooLarge,
            format!("the body has more than {} KiB", BODY_MAX >> 10),
            "send less at once",
        ),
        StatusCode::METHOD_NOT_ALLOWED => (
            ErrorCode::NoRoute,
            "this path has no such method".to_owned(),
            "/api/v2 lists what there is",
        ),
        _ => (
            ErrorCode::InvalidRequest,
            format!("the request cannot be understood ({status})"),
            "/api/v2 says what is expected",
        ),
    };
    let fault = ApiError::new(status, code.error(sentence).fix(fix)).into_response();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_TYPE);
    let (of_fault, body) = fault.into_parts();
    parts.headers.extend(of_fault.headers);
    parts.extensions.extend(of_fault.extensions);
    Response::from_parts(parts, body)
}
