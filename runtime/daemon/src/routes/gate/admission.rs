//! The admission of a request, which is confirmed once the whole request has arrived: the headers may come long before
//! the body, and a token may be revoked, or control taken over, in between.
//! Made by the gate. Only a whole request is an act.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use network::lock;
use protocol::RemoteNeed;

use super::BODY_TIMEOUT;
use super::errors::{control_held, not_known, too_little};
use crate::access::{Principal, TokenError};
use crate::api_error::ApiError;
use crate::app::App;

/// Who was admitted, and for what.
pub(super) struct RequestAdmission {
    pub(super) app: Arc<App>,
    pub(super) who: Principal,
    /// The token that was shown; `None` on the local socket.
    pub(super) shown: Option<String>,
    pub(super) need: RemoteNeed,
    /// Why it was withdrawn.
    pub(super) refusal: Mutex<Option<ApiError>>,
    /// The end of the lease that was made for this request.
    pub(super) new_lease: Mutex<Option<Instant>>,
}

impl RequestAdmission {
    /// Checks the rights once more, and takes control if the request needs it.
    pub(super) fn confirm(&self) -> Result<(), ApiError> {
        self.confirm_role()?;
        if self.need.lease {
            let acted = lock(&self.app.lease).act(&self.who, Instant::now());
            *lock(&self.new_lease) = acted.map_err(|holder| control_held(&holder))?;
        }
        Ok(())
    }

    fn confirm_role(&self) -> Result<(), ApiError> {
        let (Some(shown), Some(role)) = (&self.shown, self.need.role) else {
            return Ok(());
        };
        let who = self.app.tokens().who(Some(shown), self.app.now());
        let who = who.map_err(|stranger| {
            if let TokenError::Ended(ends) = stranger {
                self.app.remember_time(ends);
            }
            not_known(stranger)
        })?;
        if who.role < role {
            return Err(too_little(role, &who));
        }
        Ok(())
    }

    /// The response, or the refusal if the admission was withdrawn. A request that was refused gives control back.
    pub(super) fn conclude(&self, response: Response) -> Response {
        let refusal = lock(&self.refusal).take();
        let response = refusal.map_or(response, ApiError::into_response);
        let new_lease = lock(&self.new_lease).take();
        if let Some(until) = new_lease.filter(|_| response.status().is_client_error()) {
            lock(&self.app.lease).undo(until);
        }
        response
    }

    /// Notes a refusal, which ends the body with an error.
    fn refuse(&self, error: ApiError) -> io::Error {
        *lock(&self.refusal) = Some(error);
        io::ErrorKind::PermissionDenied.into()
    }
}

/// A body that ends with an error when the admission of its sender ends, or when it does not come `in_time`.
pub(super) fn admitted_body(
    body: Body,
    admission: Option<Arc<RequestAdmission>>,
    in_time: bool,
) -> Body {
    let end = in_time.then(|| tokio::time::Instant::now() + BODY_TIMEOUT);
    let pieces = body.into_data_stream();
    Body::from_stream(futures_util::stream::unfold(
        Some((pieces, admission)),
        move |left| async move {
            let (mut pieces, admission) = left?;
            let piece = match end {
                None => pieces.next().await,
                Some(end) => match tokio::time::timeout_at(end, pieces.next()).await {
                    Ok(piece) => piece,
                    Err(_) => return Some((Err(io::ErrorKind::TimedOut.into()), None)),
                },
            };
            let confirmed = admission.as_ref().map_or(Ok(()), |admission| {
                let confirmed = match piece {
                    Some(_) => admission.confirm_role(),
                    None => admission.confirm(),
                };
                confirmed.map_err(|error| admission.refuse(error))
            });
            match (confirmed, piece) {
                (Err(refused), _) => Some((Err(refused), None)),
                (Ok(()), Some(Ok(piece))) => Some((Ok(piece), Some((pieces, admission)))),
                (Ok(()), Some(Err(error))) => Some((Err(io::Error::other(error)), None)),
                (Ok(()), None) => None,
            }
        },
    ))
}
