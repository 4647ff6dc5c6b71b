//! One request and its answer. The connection is kept for the next request.
//! Called by the client. A request that may change something is sent once, over a connection of its own or
//! over the one that the server has just answered on.

use std::convert::Infallible;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use hyper::client::conn::http1::SendRequest;
use hyper::{Method, Request, header};
use hyper_util::rt::TokioIo;
use tokio::task::JoinHandle;

use super::ApiClient;
use super::error::{ClientError, refused};
use crate::lock;
use protocol::robot::Hello;

/// The maximum length of an answer, bytes: a choreography.
const ANSWER_MAX: usize = 65 << 20;

/// The size of a piece of an upload, bytes.
const PIECE: usize = 64 << 10;

/// In which time an answer begins over a connection that was idle: if it does not, the connection may be dead without
/// anybody having noticed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long after a greeting any request may use its connection: the server closes one that stays idle.
const FRESH: Duration = Duration::from_secs(1);

/// Why there is no answer, if the other end has closed the connection without one.
const CLOSED: &str = "it closed the connection without an answer";

/// The body and the headers of a request.
#[derive(Debug, Default)]
pub struct RequestBody<'s> {
    /// Additional headers.
    pub headers: Vec<(&'s str, String)>,
    /// The bytes.
    pub bytes: Bytes,
    /// Their media type.
    pub kind: &'s str,
    /// Whether the request only reads, so that it may be sent again. GET does so anyway.
    pub only_reads: bool,
}

type SentBody = UnsyncBoxBody<Bytes, Infallible>;

/// A connection between two requests, and the task that reads and writes it.
#[derive(Debug)]
pub(super) struct IdleConnection {
    sender: SendRequest<SentBody>,
    task: JoinHandle<()>,
    /// When the server has answered the greeting, if no request followed.
    greeted: Option<Instant>,
}

impl IdleConnection {
    fn is_fresh(&self) -> bool {
        self.greeted
            .is_some_and(|greeted| greeted.elapsed() < FRESH)
    }
}

impl Drop for IdleConnection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The place of an idle connection.
#[derive(Debug)]
pub(super) struct IdleSlot(pub(super) Mutex<Option<IdleConnection>>);

impl ApiClient {
    pub(super) async fn exchange_greeting(&self) -> Result<(), ClientError> {
        let sent = RequestBody::default();
        let greeting = self.exchange(Method::GET, "/api/v2/hello", sent, |_| {});
        match greeting.await {
            Ok(_) => {}
            // A WebSocket of a viewer does so.
            Err(ClientError::Away(_, why)) if why == CLOSED => {
                return Err(ClientError::NoServer(None));
            }
            Err(error) => return Err(self.explained(error).await),
        }
        if let Some(idle) = lock(&self.idle.0).as_mut() {
            idle.greeted = Some(Instant::now());
        }
        Ok(())
    }

    /// An error; if the server has no such path because it has version 1 of the API, this.
    pub(super) async fn explained(&self, error: ClientError) -> ClientError {
        if !matches!(&error, ClientError::Refused(refused) if refused.code == "no-route") {
            return error;
        }
        let sent = RequestBody::default();
        let greeting = self.exchange(Method::GET, "/api/v1/hello", sent, |_| {});
        let hello = tokio::time::timeout(IDLE_TIMEOUT, greeting).await;
        let hello = hello.ok().and_then(Result::ok);
        match hello.and_then(|hello| serde_json::from_slice::<Hello>(&hello).ok()) {
            Some(hello) => ClientError::OtherVersion(hello.version),
            None => error,
        }
    }

    pub(super) async fn exchange(
        &self,
        method: Method,
        path: &str,
        sent: RequestBody<'_>,
        gone: impl FnMut(usize) + Send + 'static,
    ) -> Result<Bytes, ClientError> {
        // The server may have closed the connection of the last request. Only a request that changes nothing may be
        // sent again, so only such a request uses it.
        let idle = lock(&self.idle.0).take();
        let only_reads = sent.only_reads || method == Method::GET;
        if let Some(idle) = idle.filter(|idle| only_reads || idle.is_fresh()) {
            if !only_reads {
                let request = self.build(&method, path, &sent, gone)?;
                let answer = self.exchange_over(idle, request, self.timeout).await;
                return answer.unwrap_or_else(|why| Err(self.away(why)));
            }
            let request = self.build(&method, path, &sent, |_| {})?;
            if let Ok(answer) = self.exchange_over(idle, request, IDLE_TIMEOUT).await {
                return answer;
            }
        }
        let request = self.build(&method, path, &sent, gone)?;
        let stream = TokioIo::new(self.connect().await?);
        let (sender, connection) = hyper::client::conn::http1::handshake(stream)
            .await
            .map_err(|error| self.away(error.to_string()))?;
        let task = tokio::spawn(async { _ = connection.await });
        let new = IdleConnection {
            sender,
            task,
            greeted: None,
        };
        let answer = self.exchange_over(new, request, self.timeout).await;
        answer.unwrap_or_else(|why| Err(self.away(why)))
    }

    fn build(
        &self,
        method: &Method,
        path: &str,
        sent: &RequestBody<'_>,
        mut gone: impl FnMut(usize) + Send + 'static,
    ) -> Result<Request<SentBody>, ClientError> {
        let length = sent.bytes.len();
        let pieces: Vec<_> = (0..length)
            .step_by(PIECE)
            .map(|i| sent.bytes.slice(i..(i + PIECE).min(length)))
            .collect();
        let mut so_far = 0;
        let pieces = futures_util::stream::iter(pieces).map(move |piece| {
            so_far += piece.len();
            gone(so_far);
            Ok::<_, Infallible>(Frame::data(piece))
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
        for (name, value) in &sent.headers {
            request = request.header(*name, value);
        }
        let body = StreamBody::new(pieces).boxed_unsync();
        request
            .body(body)
            .map_err(|error| ClientError::Strange(error.to_string()))
    }

    /// Sends a request over this connection, and keeps the connection. Fails if the server does not begin to answer
    /// in this time.
    async fn exchange_over(
        &self,
        mut over: IdleConnection,
        request: Request<SentBody>,
        within: Duration,
    ) -> Result<Result<Bytes, ClientError>, String> {
        let told = |error: hyper::Error| match error.is_incomplete_message() {
            true => CLOSED.to_owned(),
            false => error.to_string(),
        };
        over.greeted = None;
        over.sender.ready().await.map_err(told)?;
        let answer = tokio::time::timeout(within, over.sender.send_request(request)).await;
        let answer = answer
            .map_err(|_| "it does not answer".to_owned())?
            .map_err(told)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = http_body_util::Limited::new(answer.into_body(), ANSWER_MAX);
        let body = match body.collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) => return Ok(Err(ClientError::Strange(error.to_string()))),
        };
        *lock(&self.idle.0) = Some(over);
        Ok(if status.is_success() {
            Ok(body)
        } else {
            Err(refused(status, &headers, &body))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use hyper::Method;
    use serde_json::Value;

    use crate::client::{Address, ApiClient};

    /// A server that answers this many requests on each connection, then closes it. Its address, and the number of the
    /// connection of each request.
    fn server(requests: [usize; 3]) -> (Address, Receiver<usize>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let (sender, served) = channel();
        std::thread::spawn(move || {
            for (number, requests) in requests.into_iter().enumerate() {
                let (stream, _) = listener.accept().expect("a client");
                let mut lines = BufReader::new(&stream).lines();
                for _ in 0..requests {
                    while lines
                        .next()
                        .is_some_and(|line| !line.expect("a line").is_empty())
                    {}
                    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull";
                    (&stream).write_all(answer).expect("the client reads");
                    sender.send(number).expect("the test listens");
                }
            }
        });
        (Address::Plain(address), served)
    }

    #[test]
    fn requests_that_only_read_share_a_connection_until_it_is_closed() {
        let (address, served) = server([3, 1, 1]);
        let client = ApiClient::new(address, None).expect("a client");
        let get = || client.get::<Value>("/").expect("an answer");
        (0..4).for_each(|_| _ = get());
        let posted = client.ask::<Value>(Method::POST, "/", None::<&()>);
        posted.expect("an answer");
        assert_eq!(served.iter().take(5).collect::<Vec<_>>(), [0, 0, 0, 1, 2]);
    }

    #[test]
    fn a_request_that_follows_a_greeting_shares_its_connection() {
        let (address, served) = server([2, 1, 1]);
        let client = ApiClient::new(address, None).expect("a client");
        client.greet(Duration::from_secs(10)).expect("an answer");
        for _ in 0..2 {
            let posted = client.ask::<Value>(Method::POST, "/", None::<&()>);
            posted.expect("an answer");
        }
        assert_eq!(served.iter().take(3).collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn a_server_that_listens_and_does_not_answer_is_away() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let client = ApiClient::new(Address::Plain(address), None).expect("a client");
        let error = client
            .greet(Duration::from_millis(50))
            .expect_err("no answer");
        assert!(
            error
                .to_string()
                .contains("cannot be reached: it does not answer; fix: "),
            "{error}"
        );
    }
}
