//! Streams a file to the client in pieces, so that a slow client costs no memory.
//! Used by the downloads of choreographies and recordings. At most one piece of a file is in memory; a
//! download has a place until it has ended.

use std::fs::File;
use std::io::{self, Cursor};

use archive::MissingEnd;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::access::TransferPlace;

/// The size of a piece, bytes.
const PIECE: usize = 64 << 10;

/// An answer with this file, to be saved under this name.
pub(super) fn sent(place: TransferPlace, file: File, name: &str, kind: &'static str) -> Response {
    answer(place, tokio::fs::File::from_std(file), name, kind)
}

/// An answer with as much of this file as is whole, and an end.
pub(super) fn sent_with_end(
    place: TransferPlace,
    file: File,
    end: MissingEnd,
    name: &str,
    kind: &'static str,
) -> Response {
    let whole = tokio::fs::File::from_std(file).take(end.whole);
    answer(place, whole.chain(Cursor::new(end.ending)), name, kind)
}

fn answer(
    place: TransferPlace,
    from: impl AsyncRead + Send + 'static,
    name: &str,
    kind: &'static str,
) -> Response {
    let pieces = try_unfold((Box::pin(from), place), |(mut from, place)| async move {
        let mut piece = vec![0; PIECE];
        let read = from.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, io::Error>((read > 0).then_some((piece, (from, place))))
    });
    let headers = [
        ("content-type", kind.to_owned()),
        (
            "content-disposition",
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}
