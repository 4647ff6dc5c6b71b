//! Errors as the API tells them: one shape.
//! Made by the server, read by the client. The law: every error has a code, a sentence, and a fix where there is one.

use serde::{Deserialize, Serialize};
use socket::Trouble;
use utoipa::ToSchema;

/// An error as it is told.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: Trouble,
}
