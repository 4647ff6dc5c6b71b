//! Errors of the API: one JSON shape, and an HTTP status for each code.
//! Handlers convert the errors of the crates below. The law: every error has a code, a message, and a fix where there
//! is one.

use api::error::{ErrorBody, status_of};
use api::signature::SignatureError;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use socket::Trouble;

use crate::store::StoreError;

/// An error of a handler.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    trouble: Trouble,
}

impl ApiError {
    /// An error with this status.
    pub fn new(status: StatusCode, trouble: Trouble) -> ApiError {
        ApiError { status, trouble }
    }

    /// Its code, for the audit log.
    pub fn code(&self) -> &str {
        &self.trouble.code
    }
}

/// The code of a refused request, for the audit log.
#[derive(Clone, Debug)]
pub struct RefusalCode(pub String);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let why = RefusalCode(self.trouble.code.clone());
        let body = ErrorBody {
            error: self.trouble,
        };
        let mut response = (self.status, Json(body)).into_response();
        response.extensions_mut().insert(why);
        response
    }
}

impl From<Trouble> for ApiError {
    fn from(trouble: Trouble) -> ApiError {
        ApiError {
            status: status(&trouble.code),
            trouble,
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(refusal: StoreError) -> ApiError {
        refusal.trouble().into()
    }
}

impl From<SignatureError> for ApiError {
    fn from(flaw: SignatureError) -> ApiError {
        let trouble = Trouble::new(flaw.code(), flaw.to_string());
        ApiError::new(StatusCode::FORBIDDEN, trouble.fix(flaw.fix()))
    }
}

/// The status of an error of the loop or the store.
fn status(code: &str) -> StatusCode {
    StatusCode::from_u16(status_of(code)).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY)
}
