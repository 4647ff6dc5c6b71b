//! The body of an answer, which counts as being answered until all of it is sent.
//! `listen` wraps every answer in it, so that a connection in use keeps its place.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

use crate::access::Answering;

/// A body, and the mark that its connection is in use.
pub(super) struct AnsweringBody {
    body: Body,
    _answering: Option<Answering>,
}

impl AnsweringBody {
    pub(super) fn of(body: Body, answering: Option<Answering>) -> AnsweringBody {
        AnsweringBody {
            body,
            _answering: answering,
        }
    }
}

impl HttpBody for AnsweringBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
