//! The listeners: the local socket, and addresses with or without TLS. All lead to the same service.
//! Opened by `serve`. Connections live in the runtime that calls `local` and `network`. Only the stop is answered
//! there; all other requests have another runtime, so that nothing they do can delay it.
//! Every connection has a place (`access::connections`), and is closed when it loses it; a peer that sends no
//! request within seconds, or reads nothing of an answer, is disconnected.

mod answering_body;
mod certificate;
mod elsewhere;
mod foxglove;
mod idle_timeout;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, header};
use hyper::body::Body as _;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::runtime::Handle;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

pub(crate) use certificate::Certificate;
pub(crate) use foxglove::foxglove;

use answering_body::AnsweringBody;
use elsewhere::answer_in;
use idle_timeout::IdleTimeout;

use crate::access::{Answering, Origin};
use crate::app::App;
use crate::routes::{Peer, STOP_PATHS};

/// The timeouts of the TLS handshake, and of the request's head.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// What answers requests.
#[derive(Clone)]
pub(crate) struct Service {
    /// All routes.
    pub router: Router,
    /// The runtime that answers all requests but the stop.
    pub work: Handle,
}

/// Listens on the local socket until the process ends.
///
/// # Errors
/// The socket cannot be made.
pub(crate) fn local(path: &Path, app: Arc<App>, service: Service) -> io::Result<()> {
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
            let user = stream.peer_cred().ok().map(|peer| peer.uid());
            let is_owner = user.is_some_and(|user| app.settings.access.is_owner(user));
            let origin = Origin::User(user, is_owner);
            let Some(connection) = app.connections.admit(origin, Instant::now()) else {
                continue;
            };
            let peer = Peer {
                address: None,
                user,
                tls: false,
                connection: Some(connection),
            };
            tokio::spawn(serve(stream, peer, service.clone()));
        }
    });
    Ok(())
}

/// Listens on an address until the process ends.
pub(crate) fn network(
    listener: TcpListener,
    certificate: Option<TlsAcceptor>,
    app: Arc<App>,
    service: Service,
) {
    tokio::spawn(async move {
        loop {
            let Ok((stream, from)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let address = from.ip().to_canonical();
            let origin = Origin::Address(address);
            let Some(connection) = app.connections.admit(origin, Instant::now()) else {
                continue;
            };
            // Small answers are sent at once.
            let _ = stream.set_nodelay(true);
            let peer = Peer {
                address: Some(address),
                user: None,
                tls: certificate.is_some(),
                connection: Some(Arc::clone(&connection)),
            };
            let service = service.clone();
            match certificate.clone() {
                None => {
                    tokio::spawn(serve(stream, peer, service));
                }
                Some(acceptor) => {
                    tokio::spawn(async move {
                        let greeted = tokio::select! {
                            accepted = tokio::time::timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)) => accepted,
                            () = connection.displaced() => return,
                        };
                        if let Ok(Ok(stream)) = greeted {
                            serve(stream, peer, service).await;
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
    service: Service,
) {
    let connection = peer.connection.clone();
    let stream = IdleTimeout::with(stream, connection.clone());
    let answer = service_fn(move |request: hyper::Request<Incoming>| {
        answer(request, peer.clone(), service.clone())
    });
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HANDSHAKE_TIMEOUT)
        // A client that has closed its sending half is answered all the same.
        .half_close(true)
        .max_headers(64)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(stream), answer)
        .with_upgrades();
    let displaced = async {
        match connection {
            Some(connection) => connection.displaced().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        // An error of one connection does not concern the others.
        _ = served => {}
        () = displaced => {}
    }
}

async fn answer(
    mut request: hyper::Request<Incoming>,
    peer: Peer,
    service: Service,
) -> Result<hyper::Response<Body>, std::convert::Infallible> {
    let connection = peer.connection.clone();
    let answering = connection
        .as_ref()
        .map(|connection| connection.answering(Instant::now()));
    request.extensions_mut().insert(peer);
    let is_stop = request.method() == Method::POST && STOP_PATHS.contains(&request.uri().path());
    let is_beyond = connection
        .as_ref()
        .is_some_and(|connection| connection.is_beyond);
    // No route reads this body: it is dropped and the connection closed, so that it takes no time from others.
    let is_without_body = is_stop || matches!(*request.method(), Method::GET | Method::HEAD);
    let drops_body = is_without_body && !request.body().is_end_stream();
    let request = request.map(|body| {
        if drops_body {
            Body::empty()
        } else {
            Body::new(body)
        }
    });
    let answered = service.router.oneshot(request);
    // Beyond the limit everything else is refused, and the place is free again for the next who may want to stop.
    let mut response = if is_stop || is_beyond {
        answered.await?
    } else {
        answer_in(&service.work, answered).await
    };
    if is_beyond || drops_body {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        // A WebSocket is an answer that goes on until its connection ends.
        answering.into_iter().for_each(Answering::until_it_ends);
        return Ok(response);
    }
    Ok(response.map(|body| Body::new(AnsweringBody::of(body, answering))))
}
