//! Streams a file to the client in pieces, so that a slow client costs no memory.
//! Used by the downloads of choreographies and recordings. The law: at most one piece of a file is in memory.

use std::fs::File;
use std::io;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use tokio::io::AsyncReadExt;

/// The size of a piece, bytes.
const PIECE: usize = 64 << 10;

/// An answer with this file, to be saved under this name.
pub(super) fn sent(file: File, name: &str, kind: &'static str) -> Response {
    let file = tokio::fs::File::from_std(file);
    let pieces = try_unfold(file, |mut file| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, io::Error>((read > 0).then_some((piece, file)))
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
