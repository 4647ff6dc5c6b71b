//! The listeners: the local socket, and addresses with or without TLS. All lead to the same service.
//! Opened by `serve`. The law: connections are limited, in all and from one address; a peer that sends no request
//! within seconds, or reads nothing of an answer, is disconnected.

mod certificate;
mod idle_timeout;

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::lock;
use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

pub(crate) use certificate::Certificate;

use idle_timeout::IdleTimeout;

use crate::routes::Peer;

/// The timeouts of the TLS handshake, and of the request's head.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// Counts the connections, and limits them.
#[derive(Debug)]
pub(crate) struct ConnectionLimit {
    most: usize,
    most_each: usize,
    open: Mutex<HashMap<Option<IpAddr>, usize>>,
}

/// A counted connection. Dropping it frees its place.
struct ConnectionPermit {
    limit: Arc<ConnectionLimit>,
    address: Option<IpAddr>,
}

impl ConnectionLimit {
    /// At most `most` connections, and `most_each` from one address.
    pub(crate) fn new(most: usize, most_each: usize) -> Arc<ConnectionLimit> {
        Arc::new(ConnectionLimit {
            most,
            most_each,
            open: Mutex::default(),
        })
    }

    fn admit(self: &Arc<ConnectionLimit>, address: Option<IpAddr>) -> Option<ConnectionPermit> {
        let mut open = lock(&self.open);
        let all: usize = open
            .iter()
            // The local socket has a limit of its own: it must be usable when all others are in use.
            .filter(|it| it.0.is_some() == address.is_some())
            .map(|it| it.1)
            .sum();
        let own = open.entry(address).or_default();
        if all >= self.most || *own >= self.most_each {
            return None;
        }
        *own += 1;
        Some(ConnectionPermit {
            limit: Arc::clone(self),
            address,
        })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = lock(&self.limit.open);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// Listens on the local socket until the process ends.
///
/// # Errors
/// The socket cannot be made.
pub(crate) fn local(path: &Path, limit: Arc<ConnectionLimit>, service: Router) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    // The permissions of its folder decide who can connect; the gate decides what each user may do.
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666))?;
    tokio::spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // Out of file descriptors: wait for some.
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let Some(permit) = limit.admit(None) else {
                continue;
            };
            let user = stream.peer_cred().ok().map(|it| it.uid());
            let peer = Peer {
                address: None,
                user,
                tls: false,
            };
            tokio::spawn(serve(stream, peer, service.clone(), permit));
        }
    });
    Ok(())
}

/// Listens on an address until the process ends.
pub(crate) fn network(
    listener: TcpListener,
    certificate: Option<TlsAcceptor>,
    limit: Arc<ConnectionLimit>,
    service: Router,
) {
    tokio::spawn(async move {
        loop {
            let Ok((stream, from)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let address = from.ip().to_canonical();
            let Some(permit) = limit.admit(Some(address)) else {
                continue;
            };
            // Small answers are sent at once.
            let _ = stream.set_nodelay(true);
            let peer = Peer {
                address: Some(address),
                user: None,
                tls: certificate.is_some(),
            };
            let service = service.clone();
            match certificate.clone() {
                None => {
                    tokio::spawn(serve(stream, peer, service, permit));
                }
                Some(acceptor) => {
                    tokio::spawn(async move {
                        let greeted =
                            tokio::time::timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await;
                        if let Ok(Ok(stream)) = greeted {
                            serve(stream, peer, service, permit).await;
                        }
                    });
                }
            }
        }
    });
}

async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: Peer,
    service: Router,
    _permit: ConnectionPermit,
) {
    let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        service.clone().oneshot(request.map(Body::new))
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HANDSHAKE_TIMEOUT)
        // A client that has closed its sending half is answered all the same.
        .half_close(true)
        .max_headers(64)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(IdleTimeout::with(stream)), answer)
        .with_upgrades();
    // An error of one connection does not concern the others.
    let _ = connection.await;
}
