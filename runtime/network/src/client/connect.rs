//! Connects to a server: over a socket on this machine, or over TCP, with TLS or without.
//! Called for each request that has no connection yet. A certificate that is not the known one is refused.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;

use super::error::ClientError;
use super::{Address, ApiClient};
use crate::lock;

/// The timeout of a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) trait Connection: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Connection for T {}

/// An open connection without a request yet.
pub(super) struct OpenConnection(pub(super) Mutex<Option<Pin<Box<dyn Connection>>>>);

impl fmt::Debug for OpenConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenConnection")
            .field(&lock(&self.0).is_some())
            .finish()
    }
}

impl ApiClient {
    pub(super) async fn connect(&self) -> Result<Pin<Box<dyn Connection>>, ClientError> {
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
                let host = address
                    .rsplit_once(':')
                    .map_or(address.as_str(), |pair| pair.0);
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

    pub(super) fn host(&self) -> &str {
        match &self.address {
            Address::Local(_) => "localhost",
            Address::Plain(address) | Address::Tls(address, _) => address,
        }
    }

    pub(super) fn away(&self, why: String) -> ClientError {
        let who = match &self.address {
            Address::Local(path) => format!("the server at {}", path.display()),
            Address::Plain(address) | Address::Tls(address, _) => format!("the robot at {address}"),
        };
        ClientError::Away(who, why)
    }
}
