//! The client of a robot's server, local or remote. `connect` connects, `exchange` sends a request.
//! Used by every verb that needs a server. It sends only requests of the API's description; a missing answer
//! is an error of its own.

mod connect;
mod error;
mod exchange;
mod known;
mod pinned;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use hyper::{Method, header};
use protocol::{Ask, Need, ReplyBody};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

pub use error::ClientError;
pub use exchange::RequestBody;
pub use known::{KnownRobot, KnownRobots};
pub use pinned::fingerprint;

use connect::OpenConnection;
use error::{beginning, refused};
use exchange::IdleSlot;
use pinned::CertificatePin;

use crate::lock;

/// The timeout of an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);

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

/// A client of a robot's server. Requests that only read share a connection.
#[derive(Debug)]
pub struct ApiClient {
    address: Address,
    token: Option<String>,
    runtime: Runtime,
    pin: Arc<CertificatePin>,
    timeout: Duration,
    open: OpenConnection,
    idle: IdleSlot,
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
            idle: IdleSlot(Mutex::new(None)),
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

    /// Asks the server who it is, and keeps the connection for the first request, which should follow at once. A server
    /// that hangs is found before a request that changes something is sent to it: it might carry that out later.
    ///
    /// # Errors
    /// [`ClientError`]: the server cannot be reached, or does not answer within this time.
    pub fn greet(&self, within: Duration) -> Result<(), ClientError> {
        self.runtime.block_on(async {
            let done = tokio::time::timeout(within, self.exchange_greeting()).await;
            done.unwrap_or_else(|_| Err(self.away("it does not answer".to_owned())))
        })
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

    /// Sends one of the loop's own requests, and returns the loop's reply.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn request(&self, ask: &Ask) -> Result<ReplyBody, ClientError> {
        let kind = ask.kind();
        let text = serde_json::to_value(ask).and_then(|request| match &request {
            Value::Object(whole) if let Some(fields) = whole.get(kind.word()) => {
                serde_json::to_vec(fields)
            }
            _ => Ok(b"{}".to_vec()),
        });
        let text = text.map_err(|error| ClientError::Strange(error.to_string()))?;
        let sent = RequestBody {
            bytes: Bytes::from(text),
            kind: "application/json",
            only_reads: matches!(kind.needs(), Need::Remote(need) if !need.audit),
            ..RequestBody::default()
        };
        let path = format!("/api/v2/loop/{}", kind.word());
        let bytes = self.send(Method::POST, &path, sent, |_| {})?;
        read(&bytes)
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
            sent.bytes =
                Bytes::from(text.map_err(|error| ClientError::Strange(error.to_string()))?);
            sent.kind = "application/json";
        }
        let bytes = self.send(method, path, sent, |_| {})?;
        read(&bytes)
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
            match done.unwrap_or_else(|_| Err(self.away(late()))) {
                Ok(answer) => Ok(answer),
                Err(error) => Err(self.explained(error).await),
            }
        })
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
            let mut request = url.into_client_request().map_err(|error| strange(&error))?;
            if let Some(token) = &self.token {
                let value = format!("Bearer {token}")
                    .parse()
                    .map_err(|error| strange(&error))?;
                request.headers_mut().insert(header::AUTHORIZATION, value);
            }
            use tokio_tungstenite::tungstenite::Error;
            let (mut socket, _) = match tokio_tungstenite::client_async(request, stream).await {
                Ok(opened) => opened,
                Err(Error::Http(answer)) => {
                    let body = answer.body().clone().unwrap_or_default();
                    let error = refused(answer.status(), answer.headers(), &body);
                    return Err(self.explained(error).await);
                }
                Err(error) => return Err(self.away(error.to_string())),
            };
            while let Some(message) = socket.next().await {
                let message = message.map_err(|error| self.away(error.to_string()))?;
                if let Message::Text(text) = message {
                    let value = serde_json::from_str(&text).map_err(|error| strange(&error))?;
                    if !hear(value) {
                        return Ok(());
                    }
                }
            }
            Err(self.away("the stream ended".to_owned()))
        })
    }
}

/// Reads an answer.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ClientError> {
    serde_json::from_slice(bytes)
        .map_err(|error| ClientError::Strange(format!("{error} in {}", beginning(bytes))))
}
