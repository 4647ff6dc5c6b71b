//! The door to Foxglove's server: the same rules as at the main door, and then its bytes are passed on.
//! Opened by `serve`. The library's own server has no limits and lets any web site in, so it listens where nobody else
//! looks, at an address of the loopback that is drawn anew. Few connections, a head within seconds, and a web
//! page only of the origins in the settings; when the server behind it is gone, it is started anew.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ring::rand::{SecureRandom, SystemRandom};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use viewers::WebSocketServerHandle;

use super::idle_timeout::IdleTimeout;
use crate::access::{Connections, Origin};
use crate::app::App;
use crate::routes::is_own_host;

/// The maximum number of connections. Each takes three file descriptors.
const CONNECTIONS_MAX: usize = 24;

/// How long a client may take to send the head of its request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest head of a request.
const HEAD_MAX: usize = 8 << 10;

/// The origin of Foxglove's program for desktops: no web site can have it.
const DESKTOP: &str = "file://";

/// The library's server, behind the door.
struct Behind {
    app: Arc<App>,
    server: Mutex<Option<(WebSocketServerHandle, SocketAddr)>>,
}

/// Serves Foxglove at this address until the process ends. Returns the port.
///
/// # Errors
/// The address cannot be listened at, or the library's server cannot be started.
pub(crate) async fn foxglove(app: &Arc<App>, address: SocketAddr) -> Result<u16, String> {
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| error.to_string())?;
    let port = listener
        .local_addr()
        .map_err(|error| error.to_string())?
        .port();
    let behind = Arc::new(Behind {
        app: Arc::clone(app),
        server: Mutex::new(None),
    });
    behind.place().await?;
    let connections = Connections::new(CONNECTIONS_MAX, CONNECTIONS_MAX);
    tokio::spawn(async move {
        loop {
            let Ok((stream, from)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let origin = Origin::Address(from.ip().to_canonical());
            let admitted = connections.admit(origin, Instant::now());
            // Beyond the limit the body can be stopped, which is not done here.
            let Some(connection) = admitted.filter(|admitted| !admitted.is_beyond) else {
                continue;
            };
            let behind = Arc::clone(&behind);
            tokio::spawn(async move {
                let mut stream = IdleTimeout::with(stream, Some(Arc::clone(&connection)));
                let pass = async {
                    match behind.enter(&mut stream).await {
                        Ok(head) => {
                            connection.is_of_a_known_caller();
                            let _answering = connection.answering(Instant::now());
                            behind.pass(stream, &head).await
                        }
                        Err(refusal) => refuse(stream, refusal).await,
                    }
                };
                tokio::select! {
                    // An error means that one of the two has closed it.
                    _ = pass => {}
                    () = connection.displaced() => {}
                }
            });
        }
    });
    Ok(port)
}

/// Why a client is not let in: the line of status, and a sentence.
type EntryRefusal = (&'static str, String);

impl Behind {
    /// Reads the head of a request, and checks where it comes from.
    async fn enter(&self, stream: &mut IdleTimeout<TcpStream>) -> Result<Vec<u8>, EntryRefusal> {
        let read = tokio::time::timeout(HEAD_TIMEOUT, read_head(stream)).await;
        let Ok(Ok(head)) = read else {
            let sentence = "no head of a request came".to_owned();
            return Err(("408 Request Timeout", sentence));
        };
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut request = httparse::Request::new(&mut headers);
        if !request
            .parse(&head)
            .is_ok_and(|number| number.is_complete())
        {
            let sentence = "this is no request of HTTP".to_owned();
            return Err(("400 Bad Request", sentence));
        }
        let of = |name: &str| {
            let mut all = request.headers.iter();
            let found = all.find(|item| item.name.eq_ignore_ascii_case(name));
            found.map(|stored_value| String::from_utf8_lossy(stored_value.value).into_owned())
        };
        let host = of("host").unwrap_or_default();
        if !is_own_host(&self.app.settings.server.names, &host) {
            let sentence = format!(
                "this robot is not called `{host}`; fix: use its address, or add the name to `server.names` \
                 in dcm-run.toml"
            );
            return Err(("421 Misdirected Request", sentence));
        }
        let origins = &self.app.settings.foxglove.origins;
        let is_ours = |text: &String| text == DESKTOP || origins.contains(text);
        if let Some(origin) = of("origin").filter(|value| !is_ours(value)) {
            let sentence = format!(
                "the page `{origin}` may not watch this robot; fix: add it to `foxglove.origins` in dcm-run.toml"
            );
            return Err(("403 Forbidden", sentence));
        }
        let upgrade = of("upgrade").unwrap_or_default();
        if !upgrade.eq_ignore_ascii_case("websocket") {
            let sentence = "here is a WebSocket for Foxglove, and no page".to_owned();
            return Err(("426 Upgrade Required", sentence));
        }
        Ok(head)
    }

    /// Passes on what both say, until one of them ends.
    async fn pass(&self, mut stream: IdleTimeout<TcpStream>, head: &[u8]) -> io::Result<()> {
        let mut server = match self.connect().await {
            Ok(server) => server,
            Err(error) => {
                tracing::warn!("Foxglove cannot be served: {error}");
                let sentence = "the server for Foxglove does not answer".to_owned();
                return refuse(stream, ("503 Service Unavailable", sentence)).await;
            }
        };
        server.set_nodelay(true)?;
        server.write_all(head).await?;
        copy_bidirectional(&mut stream, &mut server).await?;
        Ok(())
    }

    async fn connect(&self) -> Result<TcpStream, String> {
        let place = self.place().await?;
        if let Ok(stream) = TcpStream::connect(place).await {
            return Ok(stream);
        }
        *self.server.lock().await = None;
        let place = self.place().await?;
        let connected = TcpStream::connect(place).await;
        connected.map_err(|error| error.to_string())
    }

    /// Where the library's server listens. It is started if there is none.
    async fn place(&self) -> Result<SocketAddr, String> {
        let mut server = self.server.lock().await;
        if let Some((_, place)) = &*server {
            return Ok(*place);
        }
        let mut drawn = [0; 3];
        let filled = SystemRandom::new().fill(&mut drawn);
        filled.map_err(|_| "the machine has no random numbers".to_owned())?;
        // Not the loopback's first addresses, where others look.
        let address = Ipv4Addr::new(127, drawn[0] | 1, drawn[1], drawn[2].clamp(1, 254));
        let at = SocketAddr::from((address, 0));
        let started = self.app.viewers.serve(&self.app.name, at).await?;
        let place = SocketAddr::from((address, started.port()));
        *server = Some((started, place));
        Ok(place)
    }
}

/// Reads up to the empty line.
async fn read_head(stream: &mut IdleTimeout<TcpStream>) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        if head.len() >= HEAD_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut piece = [0; 1024];
        let length = stream.read(&mut piece).await?;
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        head.extend_from_slice(&piece[..length]);
    }
    Ok(head)
}

async fn refuse(
    mut stream: IdleTimeout<TcpStream>,
    (status, sentence): EntryRefusal,
) -> io::Result<()> {
    let length = sentence.len() + 1;
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{sentence}\n"
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}
