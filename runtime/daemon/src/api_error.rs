//! Errors of the API: one JSON shape, and an HTTP status for each code.
//! Handlers convert the errors of the crates below. Every error has a code, a message, and a fix where there
//! is one.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use network::signature::SignatureError;
use protocol::{ErrorBody, RequestError, status_of};

use crate::store::StoreError;

/// An error of a handler.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    error: RequestError,
    /// The methods that the path answers, if it is another one.
    allow: Option<HeaderValue>,
}

impl ApiError {
    /// An error with this status.
    pub fn new(status: StatusCode, error: RequestError) -> ApiError {
        ApiError {
            status,
            error,
            allow: None,
        }
    }

    /// With the methods that the path answers.
    #[must_use]
    pub(crate) fn allowing(self, methods: &str) -> ApiError {
        ApiError {
            allow: HeaderValue::from_str(methods).ok(),
            ..self
        }
    }

    /// Its code, for the audit log.
    pub fn code(&self) -> &str {
        &self.error.code
    }

    /// What is wrong, in a sentence.
    pub fn sentence(&self) -> &str {
        &self.error.sentence
    }
}

/// The code of a refused request, for the audit log.
#[derive(Clone, Debug)]
pub(crate) struct RefusalCode(pub(crate) String);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let why = RefusalCode(self.error.code.clone());
        let body = ErrorBody { error: self.error };
        let mut response = (self.status, Json(body)).into_response();
        response.extensions_mut().insert(why);
        let headers = response.headers_mut();
        headers.extend(self.allow.map(|value| (header::ALLOW, value)));
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> ApiError {
        ApiError::new(status(&error.code), error)
    }
}

impl From<StoreError> for ApiError {
    fn from(refusal: StoreError) -> ApiError {
        refusal.error().into()
    }
}

impl From<SignatureError> for ApiError {
    fn from(flaw: SignatureError) -> ApiError {
        let error = flaw.code().error(flaw.to_string());
        ApiError::new(StatusCode::FORBIDDEN, error.fix(flaw.fix()))
    }
}

/// The status of an error of the loop or the store.
fn status(code: &str) -> StatusCode {
    StatusCode::from_u16(status_of(code)).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY)
}
