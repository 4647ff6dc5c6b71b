//! A connection with an idle timeout: a peer that reads nothing of what is sent is disconnected.
//! `listen` wraps every connection in it. A peer that reads a byte now and then is served to the end.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::access::AdmittedConnection;

/// How long a peer may read nothing.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// A connection, and its timeout.
pub(super) struct IdleTimeout<S> {
    stream: S,
    /// Its place, which it has as long as it is open, also as a WebSocket.
    _connection: Option<Arc<AdmittedConnection>>,
    timeout: Duration,
    /// Runs while bytes wait to be read by the peer.
    end: Option<Pin<Box<Sleep>>>,
}

impl<S> IdleTimeout<S> {
    pub(super) fn with(stream: S, connection: Option<Arc<AdmittedConnection>>) -> IdleTimeout<S> {
        IdleTimeout {
            stream,
            _connection: connection,
            timeout: WRITE_TIMEOUT,
            end: None,
        }
    }

    fn taken<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.end = None;
            return poll;
        }
        let timeout = self.timeout;
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(end.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for IdleTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for IdleTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.taken(cx, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.taken(cx, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_flush(cx);
        self.taken(cx, poll)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.taken(cx, poll)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::sleep;

    use super::IdleTimeout;

    #[tokio::test]
    async fn who_takes_nothing_is_let_go_and_who_takes_little_is_served() {
        let (ours, mut theirs) = duplex(16);
        let sent = tokio::spawn(async move {
            let mut ours = IdleTimeout {
                timeout: Duration::from_secs(2),
                ..IdleTimeout::with(ours, None)
            };
            ours.write_all(&[1; 64]).await
        });
        // Any progress restarts the timeout.
        for _ in 0..8 {
            sleep(Duration::from_millis(400)).await;
            theirs.read_u8().await.expect("a byte");
        }
        assert!(!sent.is_finished());
        let error = sent
            .await
            .expect("no panic")
            .expect_err("nothing is taken any more");
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
    }
}
