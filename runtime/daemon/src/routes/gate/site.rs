//! Protects against other web sites: checks the Host and Origin of a browser's request.
//! Called by the gate. A request that another site makes a browser send is refused.

use std::net::IpAddr;

use axum::http::{HeaderMap, StatusCode, header};
use protocol::ErrorCode;

use super::errors::other_site;
use super::{OWN, Peer};
use crate::api_error::ApiError;
use crate::app::App;

/// A browser's request must come from this robot's page, and have one of its names as host. A stop that the page or a
/// program sends may have any name, since it must be heard.
pub(super) fn own_site(
    app: &App,
    peer: &Peer,
    headers: &HeaderMap,
    is_stop: bool,
) -> Result<(), ApiError> {
    let text = |item| headers.get(item).and_then(|header| header.to_str().ok());
    if peer.address.is_none() {
        return Ok(());
    }
    let host = text(header::HOST).unwrap_or_default();
    let has_one = headers.get_all(header::HOST).iter().count() <= 1;
    let is_own = has_one && is_own_host(&app.settings.server.names, host);
    let is_heard = is_stop && headers.contains_key(OWN);
    if !(is_own || is_heard) {
        let error = ErrorCode::UnknownHost.error(format!("this robot is not called `{host}`"));
        let fix = "use its address, or add the name to `server.names` in dcm-run.toml";
        return Err(ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            error.fix(fix),
        ));
    }
    let scheme = if peer.tls { "https" } else { "http" };
    match text(header::ORIGIN) {
        Some(origin) if origin != format!("{scheme}://{host}") => Err(other_site()),
        _ => Ok(()),
    }
}

/// Accepts only known host names: addresses, this machine's, and `names`. Others may be attacks by DNS rebinding.
pub fn is_own_host(names: &[String], host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let own = rustix::system::uname();
    let own = own.nodename().to_string_lossy();
    bare.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || name.eq_ignore_ascii_case(&own)
        || name.eq_ignore_ascii_case(&format!("{own}.local"))
        || names.iter().any(|text| text.eq_ignore_ascii_case(name))
}
