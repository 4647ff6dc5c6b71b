//! The client of a robot's server, local or remote.
//! Used by every verb that needs a server. The law: it sends only requests of the API's description; a missing answer
//! is an error of its own.

mod known;
mod pinned;

use std::fmt;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use hyper::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use socket::Trouble;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::runtime::Runtime;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

pub use known::{KnownRobot, KnownRobots};
pub use pinned::fingerprint;

use pinned::CertificatePin;

use crate::error::ErrorBody;
use crate::lock;

/// The timeouts of a connection and of an answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);

/// The maximum length of an answer, bytes: a choreography.
const ANSWER_MAX: usize = 65 << 20;

/// The size of a piece of an upload, bytes.
const PIECE: usize = 64 << 10;

/// The address of a robot's server.
#[derive(Clone, Debug, PartialEq)]
pub enum Address {
    /// A socket on this machine.
    Local(PathBuf),
    /// `host:port`, without TLS.
    Plain(String),
    /// `host:port`, with the fingerprint of its certificate, if that is known.
    Tls(String, Option<String>),
}

/// Why a request failed.
#[derive(Debug)]
pub enum ClientError {
    /// It cannot be reached.
    Away(String, String),
    /// Its certificate has changed.
    Changed {
        /// The known fingerprint.
        known: String,
        /// The new one.
        shown: String,
    },
    /// The answer cannot be understood.
    Strange(String),
    /// The server or the loop refused the request.
    Trouble(Trouble),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Away(who, why) => write!(
                f,
                "{who} cannot be reached: {why}; fix: `dcm-run robots` lists those that can"
            ),
            ClientError::Changed { known, shown } => write!(
                f,
                "this is not the robot that you know: its certificate was {known}, and is {shown}; fix: if it was \
                 set up anew, pair with it again: `dcm-run pair`"
            ),
            ClientError::Strange(what) => write!(
                f,
                "the robot gave an unexpected answer: {what}; fix: `dcm-run --version` here and there"
            ),
            ClientError::Trouble(trouble) => write!(f, "{trouble}"),
        }
    }
}

impl std::error::Error for ClientError {}

trait Connection: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Connection for T {}

/// An open connection without a request yet.
struct OpenConnection(Mutex<Option<Pin<Box<dyn Connection>>>>);

impl fmt::Debug for OpenConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenConnection")
            .field(&lock(&self.0).is_some())
            .finish()
    }
}

/// A client of a robot's server.
#[derive(Debug)]
pub struct ApiClient {
    address: Address,
    token: Option<String>,
    runtime: Runtime,
    pin: Arc<CertificatePin>,
    timeout: Duration,
    open: OpenConnection,
}

/// The body and the headers of a request.
#[derive(Debug, Default)]
pub struct RequestBody<'s> {
    /// Additional headers.
    pub headers: Vec<(&'s str, String)>,
    /// The bytes.
    pub bytes: Bytes,
    /// Their media type.
    pub kind: &'s str,
}

impl ApiClient {
    /// A client of the server at this address, with this token.
    ///
    /// # Errors
    /// The client cannot be made.
    pub fn new(address: Address, token: Option<String>) -> Result<ApiClient, ClientError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| ClientError::Away("the robot".to_owned(), error.to_string()))?;
        let known = match &address {
            Address::Tls(_, known) => known.clone(),
            _ => None,
        };
        Ok(ApiClient {
            address,
            token,
            runtime,
            pin: CertificatePin::new(known),
            timeout: ANSWER_TIMEOUT,
            open: OpenConnection(Mutex::new(None)),
        })
    }

    /// The same client with another timeout for answers.
    pub fn within(self, timeout: Duration) -> ApiClient {
        ApiClient { timeout, ..self }
    }

    /// Connects now, and keeps the connection for the first request, which should follow at once.
    ///
    /// # Errors
    /// [`ClientError`]: the server cannot be reached.
    pub fn open(&self) -> Result<(), ClientError> {
        let connection = self.runtime.block_on(self.connect())?;
        *lock(&self.open.0) = Some(connection);
        Ok(())
    }

    /// The fingerprint of the server's certificate.
    pub fn shown(&self) -> Option<String> {
        self.pin.shown()
    }

    /// Sends a GET request.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.ask(Method::GET, path, None::<&()>)
    }

    /// Asks that something is done.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        what: Option<&impl Serialize>,
    ) -> Result<T, ClientError> {
        let mut sent = RequestBody::default();
        if let Some(what) = what {
            let text = serde_json::to_vec(what);
            sent.bytes = Bytes::from(text.map_err(|it| ClientError::Strange(it.to_string()))?);
            sent.kind = "application/json";
        }
        let bytes = self.send(method, path, sent, |_| {})?;
        serde_json::from_slice(&bytes)
            .map_err(|error| ClientError::Strange(format!("{error} in {}", beginning(&bytes))))
    }

    /// Uploads bytes, reports the progress, and returns the answer.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn send(
        &self,
        method: Method,
        path: &str,
        sent: RequestBody<'_>,
        gone: impl FnMut(usize) + Send + 'static,
    ) -> Result<Bytes, ClientError> {
        self.runtime.block_on(async {
            let exchange = self.exchange(method, path, sent, gone);
            let done = tokio::time::timeout(self.timeout, exchange).await;
            let late = || format!("no answer within {} s", self.timeout.as_secs());
            done.unwrap_or_else(|_| Err(self.away(late())))
        })
    }

    async fn exchange(
        &self,
        method: Method,
        path: &str,
        sent: RequestBody<'_>,
        mut gone: impl FnMut(usize) + Send + 'static,
    ) -> Result<Bytes, ClientError> {
        let stream = self.connect().await?;
        let strange = |error: &dyn fmt::Display| ClientError::Strange(error.to_string());
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| self.away(error.to_string()))?;
        let connection = tokio::spawn(connection);
        let length = sent.bytes.len();
        let pieces: Vec<_> = (0..length)
            .step_by(PIECE)
            .map(|it| sent.bytes.slice(it..(it + PIECE).min(length)))
            .collect();
        let mut so_far = 0;
        let pieces = futures_util::stream::iter(pieces).map(move |piece| {
            so_far += piece.len();
            gone(so_far);
            Ok::<_, std::convert::Infallible>(Frame::data(piece))
        });
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.host())
            .header(header::CONTENT_LENGTH, length);
        if !sent.kind.is_empty() {
            request = request.header(header::CONTENT_TYPE, sent.kind);
        }
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        for (name, value) in sent.headers {
            request = request.header(name, value);
        }
        let request = request
            .body(StreamBody::new(pieces))
            .map_err(|it| strange(&it))?;
        let answer = sender.send_request(request).await;
        let answer = answer.map_err(|error| self.away(error.to_string()))?;
        let status = answer.status();
        let body = http_body_util::Limited::new(answer.into_body(), ANSWER_MAX);
        let body = body
            .collect()
            .await
            .map_err(|error| strange(&error))?
            .to_bytes();
        connection.abort();
        if status.is_success() {
            Ok(body)
        } else {
            Err(refused(status, &body))
        }
    }

    /// Reads a stream until it ends or the callback stops it.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn listen(
        &self,
        path: &str,
        mut hear: impl FnMut(Value) -> bool,
    ) -> Result<(), ClientError> {
        self.runtime.block_on(async {
            let stream = self.connect().await?;
            let strange = |error: &dyn fmt::Display| ClientError::Strange(error.to_string());
            let url = format!("ws://{}{path}", self.host());
            let mut request = url.into_client_request().map_err(|it| strange(&it))?;
            if let Some(token) = &self.token {
                let value = format!("Bearer {token}")
                    .parse()
                    .map_err(|it| strange(&it))?;
                request.headers_mut().insert(header::AUTHORIZATION, value);
            }
            use tokio_tungstenite::tungstenite::Error;
            let (mut socket, _) = match tokio_tungstenite::client_async(request, stream).await {
                Ok(opened) => opened,
                Err(Error::Http(answer)) => {
                    let body = answer.body().clone().unwrap_or_default();
                    return Err(refused(answer.status(), &body));
                }
                Err(error) => return Err(self.away(error.to_string())),
            };
            while let Some(message) = socket.next().await {
                let message = message.map_err(|error| self.away(error.to_string()))?;
                if let Message::Text(text) = message {
                    let value = serde_json::from_str(&text).map_err(|it| strange(&it))?;
                    if !hear(value) {
                        return Ok(());
                    }
                }
            }
            Err(self.away("the stream ended".to_owned()))
        })
    }

    async fn connect(&self) -> Result<Pin<Box<dyn Connection>>, ClientError> {
        if let Some(connection) = lock(&self.open.0).take() {
            return Ok(connection);
        }
        let reached = tokio::time::timeout(CONNECT_TIMEOUT, self.reach()).await;
        reached.unwrap_or_else(|_| Err(self.away("it does not answer".to_owned())))
    }

    async fn reach(&self) -> Result<Pin<Box<dyn Connection>>, ClientError> {
        let away = |error: std::io::Error| self.away(error.to_string());
        match &self.address {
            Address::Local(path) => {
                let stream = UnixStream::connect(path).await.map_err(away)?;
                Ok(Box::pin(stream))
            }
            Address::Plain(address) => {
                let stream = TcpStream::connect(address).await.map_err(away)?;
                Ok(Box::pin(stream))
            }
            Address::Tls(address, known) => {
                let stream = TcpStream::connect(address).await.map_err(away)?;
                let config = self.pin.config();
                let config = config.map_err(|error| self.away(error.to_string()))?;
                let host = address.rsplit_once(':').map_or(address.as_str(), |it| it.0);
                let bare = host.trim_start_matches('[').trim_end_matches(']');
                let name = ServerName::try_from(bare.to_owned());
                let name = name.map_err(|error| self.away(error.to_string()))?;
                let connector = TlsConnector::from(Arc::new(config));
                let stream = connector.connect(name, stream).await.map_err(|error| {
                    match (known, self.pin.shown()) {
                        (Some(known), Some(shown)) if *known != shown => ClientError::Changed {
                            known: known.clone(),
                            shown,
                        },
                        _ => self.away(error.to_string()),
                    }
                })?;
                Ok(Box::pin(stream))
            }
        }
    }

    fn host(&self) -> &str {
        match &self.address {
            Address::Local(_) => "localhost",
            Address::Plain(address) | Address::Tls(address, _) => address,
        }
    }

    fn away(&self, why: String) -> ClientError {
        let who = match &self.address {
            Address::Local(path) => format!("the server at {}", path.display()),
            Address::Plain(address) | Address::Tls(address, _) => format!("the robot at {address}"),
        };
        ClientError::Away(who, why)
    }
}

/// The error in an answer of the API.
fn refused(status: StatusCode, body: &[u8]) -> ClientError {
    match serde_json::from_slice::<ErrorBody>(body) {
        Ok(body) => ClientError::Trouble(body.error),
        Err(_) => ClientError::Strange(format!("{status}: {}", beginning(body))),
    }
}

fn beginning(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned()
}
