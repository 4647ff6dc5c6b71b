//! Who may send which request.
//! Asked by the request handler before anything else. Everyone may look and press stop.

use ::protocol::{Ask, ErrorCode, RequestError};

use super::handler::RequestHandler;

impl RequestHandler {
    /// Whether this caller may send this request, and this handler answers it.
    pub(super) fn permit(&self, ask: &Ask, may_move: bool) -> Result<(), RequestError> {
        if !(may_move || ask.kind().needs().is_open()) {
            let error =
                ErrorCode::NotAllowed.error("you may read and press stop, but not move this robot");
            return Err(error.fix(
                "run as its user or root, or add the user to `access.users` in the description",
            ));
        }
        if self.is_replay && !is_answered_by_replay(ask) {
            let name = &self.places.name;
            let sentence = format!(
                "`{name}` replays a recording, and can only be read: `get`, `watch`, `joints`, `top`"
            );
            return Err(ErrorCode::NotHere
                .error(sentence)
                .fix("name a robot that runs: `dcm-run robots` lists them"));
        }
        Ok(())
    }
}

/// Whether a replay answers this request: it has a body and a page, but no loop.
fn is_answered_by_replay(ask: &Ask) -> bool {
    matches!(
        ask,
        Ask::Hello | Ask::Find { .. } | Ask::Figure | Ask::Names | Ask::Faults
    )
}
