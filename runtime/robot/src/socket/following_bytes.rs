//! The bytes that follow a request's line: a choreography, or packed commands.
//! Used by the request handler. As many are read as were announced, and no more than there may be.

use std::io::Read;

use ::protocol::{Ask, ErrorCode, PACKED_MAX, RequestError, unpack, unpack_values};
use guests::COMPONENT_MAX;

/// Reads the announced number of bytes.
pub(super) fn receive(bytes: u64, more: &mut dyn Read) -> Result<Vec<u8>, RequestError> {
    let most = COMPONENT_MAX as u64;
    if bytes > most {
        let sentence = format!(
            "the choreography has {} MiB, and the maximum is {} MiB",
            bytes >> 20,
            most >> 20
        );
        return Err(ErrorCode::TooLarge
            .error(sentence)
            .fix("build it without debugging information"));
    }
    let mut received = Vec::new();
    let read = more.take(bytes).read_to_end(&mut received);
    if read.is_err() || received.len() as u64 != bytes {
        let sentence = format!("{bytes} bytes were announced, but {} came", received.len());
        return Err(ErrorCode::CutOff.error(sentence).fix("send all bytes"));
    }
    Ok(received)
}

/// The request with the commands that follow it as bytes.
pub(super) fn unpacked(mut ask: Ask, more: &mut dyn Read) -> Result<Ask, RequestError> {
    let (packed, is_double) = match &mut ask {
        Ask::Schedule { packed, lists, .. } => (packed, !lists.is_empty()),
        Ask::Move { packed, values, .. } => (packed, !values.is_empty()),
        _ => return Ok(ask),
    };
    let packed = std::mem::take(packed);
    if packed == 0 {
        return Ok(ask);
    }
    if packed > PACKED_MAX as u64 {
        let sentence = format!("the commands have {packed} bytes, and the maximum is {PACKED_MAX}");
        let fix = "send it in parts: the later ones when the earlier ones have been played";
        return Err(ErrorCode::TooLarge.error(sentence).fix(fix));
    }
    let bytes = receive(packed, more)?;
    if is_double {
        let sentence = "the request has commands in its line, and packed ones after it";
        return Err(ErrorCode::WrongCount
            .error(sentence)
            .fix("send one of them"));
    }
    match &mut ask {
        Ask::Schedule { lists, .. } => {
            *lists = unpack(&bytes).map_err(|error| {
                ErrorCode::InvalidRequest
                    .error(error.to_string())
                    .fix("send whole lists")
            })?;
        }
        Ask::Move { values, .. } => {
            *values = unpack_values(&bytes).ok_or_else(|| {
                let sentence = format!("{packed} bytes are not whole values of 8 bytes");
                ErrorCode::InvalidRequest
                    .error(sentence)
                    .fix("send whole values")
            })?;
        }
        _ => {}
    }
    Ok(ask)
}
