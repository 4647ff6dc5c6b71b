//! The robot's HTTP API, and its OpenAPI description.
//! Served by every listener. The law: a route that is not in the description is refused (`gate`).

pub mod body;
pub mod choreographies;
pub mod clock;
pub mod dcm;
mod download;
pub mod error;
pub mod extract;
pub mod frames;
pub mod gate;
pub mod guests;
pub(crate) mod gzip;
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
pub(crate) mod request_log;
pub mod robot;
pub mod stream;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use socket::ErrorCode;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use error::ApiError;
pub use gate::{MOVES, Needs, OWN, Peer, is_own_host, needs};

use crate::app::App;

/// It is done.
pub(super) const DONE: axum::Json<api::guests::Confirmation> =
    axum::Json(api::guests::Confirmation { done: true });

/// The paths of the emergency stop: of this version, and of the first one. Whatever a button was made for is heard.
pub const STOP_PATHS: [&str; 2] = ["/api/v2/body/stop", "/api/v1/body/stop"];

/// The maximum size of a request's body, uploads excepted, bytes.
pub const BODY_MAX: usize = 256 << 10;

/// All routes, and their description.
pub fn described() -> (Router<Arc<App>>, OpenApi) {
    let (router, mut description) = OpenApiRouter::new()
        .merge(robot_routes())
        .merge(body_routes())
        .merge(loop_requests::routes())
        .merge(guests_routes())
        .merge(dcm_routes())
        .merge(store_routes())
        .merge(people_routes())
        .split_for_parts();
    description.info.contact = None;
    description.info.license = None;
    description.info.title = "dcm-run".to_owned();
    description.info.version = socket::VERSION.to_string();
    // Those of the loop are there as well.
    let codes = ErrorCode::ALL.iter();
    let codes = codes.map(|it| format!("\n- `{}`: {}", it.word(), it.meaning()));
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
    (router, description)
}

/// Routes of the robot, its timing, events and recordings.
fn robot_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(robot::hello))
        .routes(routes!(robot::state))
        .routes(routes!(robot::timing))
        .routes(routes!(clock::read, clock::correct))
        .routes(routes!(recordings::list))
        .routes(routes!(recordings::fetch, recordings::remove))
        .routes(routes!(frames::frames))
        .routes(routes!(stream::stream))
        .routes(routes!(metrics::metrics))
        .routes(routes!(openapi::description))
        .routes(routes!(openapi::page))
}

/// Routes of the body.
fn body_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(body::stop))
        .routes(routes!(body::stop_of_version_1))
        .routes(routes!(body::schedule))
}

/// Routes of guests and scheduled starts.
fn guests_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(guests::start))
        .routes(routes!(guests::swap))
        .routes(routes!(guests::planned))
        .routes(routes!(guests::cancel))
}

/// Routes of the DCM's calls and its memory.
fn dcm_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(dcm::set))
        .routes(routes!(dcm::set_alias))
        .routes(routes!(dcm::create_alias))
        .routes(routes!(dcm::remove_alias))
        .routes(routes!(dcm::get_time))
        .routes(routes!(dcm::get_prefix))
        .routes(routes!(naoqi::ping))
        .routes(routes!(naoqi::version))
        .routes(routes!(naoqi::calibration))
        .routes(routes!(naoqi::preferences))
        .routes(routes!(naoqi::special))
        .routes(routes!(naoqi::exit))
        .routes(routes!(memory::get_data))
        .routes(routes!(memory::get_list_data))
        .routes(routes!(memory::get_data_list))
        .routes(routes!(memory::insert_list_data))
        .routes(routes!(memory::raise_event))
        .routes(routes!(memory::remove_data))
        .routes(routes!(memory::events))
}

/// Routes of the store and the trusted keys.
fn store_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(choreographies::list))
        .routes(routes!(
            push::push,
            choreographies::pull,
            choreographies::remove
        ))
        .routes(routes!(choreographies::check))
        .routes(routes!(choreographies::tag, choreographies::untag))
        .routes(routes!(choreographies::roll_back))
        .routes(routes!(choreographies::boot, choreographies::set_boot))
}

/// Routes of access.
fn people_routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(keys::list, keys::trust))
        .routes(routes!(keys::revoke))
        .routes(routes!(people::pair))
        .routes(routes!(people::pair_exchange))
        .routes(routes!(people::pair_proof))
        .routes(routes!(people::show_code))
        .routes(routes!(people::me, people::leave))
        .routes(routes!(people::tokens, people::make_token))
        .routes(routes!(people::revoke_token))
        .routes(routes!(people::lease, people::take_over, people::give_back))
        .routes(routes!(people::acts))
}

/// The whole service.
pub fn service(app: &Arc<App>) -> Router {
    let (router, description) = described();
    let gate = gate::Gate {
        app: Arc::clone(app),
        needs: Arc::new(needs(&description)),
    };
    router
        .route_layer(from_fn_with_state(gate, gate::pass))
        .layer(axum::Extension(openapi::DescriptionFile::of(&description)))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .merge(crate::dashboard::pages())
        .fallback(nothing_here)
        .layer(map_response(guarded))
        .layer(from_fn(gzip::pass))
        .layer(from_fn(request_log::pass))
        .with_state(Arc::clone(app))
}

async fn nothing_here() -> ApiError {
    let error = ErrorCode::NoRoute.error("the API has no such path");
    ApiError::new(
        StatusCode::NOT_FOUND,
        error.fix("/api/v2 lists what there is"),
    )
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
        .is_some_and(|it| it.as_bytes().starts_with(b"text/plain"));
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
