//! The API's own description, and a page to read it.

use std::sync::Arc;

use api::error::ErrorBody;
use axum::Json;
use axum::extract::Extension;
use axum::response::Html;
use utoipa::openapi::OpenApi;

/// This description, as OpenAPI. Needs no token.
#[utoipa::path(get, path = "/api/v1/openapi.json", security(()), tag = "robot",
    responses((status = 200, body = serde_json::Value), (status = "default", body = ErrorBody)))]
pub async fn description(Extension(it): Extension<Arc<OpenApi>>) -> Json<OpenApi> {
    Json((*it).clone())
}

/// This description, as a page. Needs no token.
#[utoipa::path(get, path = "/api/v1", security(()), tag = "robot",
    responses((status = 200, content_type = "text/html", body = String), (status = "default", body = ErrorBody)))]
pub async fn page() -> Html<&'static str> {
    Html(include_str!("../dashboard/api.html"))
}
