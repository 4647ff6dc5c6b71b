//! A client over HTTP/1.1. Called by `main`. An answer is read to its end before the next is asked for.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Barrier;
use std::time::{Duration, Instant};

struct Connection {
    stream: BufReader<TcpStream>,
    request: Vec<u8>,
    answer: Vec<u8>,
}

impl Connection {
    fn open(address: SocketAddr, path: &str) -> Connection {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Connection {
            stream: BufReader::new(stream),
            request: format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").into_bytes(),
            answer: Vec::new(),
        }
    }

    /// Asks once, and reads the answer.
    fn ask(&mut self) {
        self.stream
            .get_mut()
            .write_all(&self.request)
            .expect("it is sent");
        let (mut line, mut length) = (String::new(), 0);
        let mut is_first = true;
        loop {
            line.clear();
            let read = self.stream.read_line(&mut line).expect("an answer");
            assert!(read > 0, "the connection was closed");
            if std::mem::take(&mut is_first) {
                assert!(line.starts_with("HTTP/1.1 200"), "{line}");
            }
            let header = line.trim_end().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        self.answer.resize(length, 0);
        self.stream.read_exact(&mut self.answer).expect("a body");
        assert!(length > 0, "an empty answer");
    }
}

/// Answers the driver with the time for each request, all connections together. A server that allows only so many a
/// second is given time to forget the last ones.
pub(crate) fn contest(
    address: SocketAddr,
    path: &str,
    connections: usize,
    each_second: Option<f64>,
) {
    let open = |_| Connection::open(address, path);
    let mut all: Vec<_> = (0..connections).map(open).collect();
    protocol::contest_timed(|calls| {
        let each = calls.div_ceil(connections as u64);
        if let Some(rate) = each_second {
            let requests = each as f64 * connections as f64;
            std::thread::sleep(Duration::from_secs_f64(requests / rate));
        }
        let begins = Barrier::new(connections + 1);
        let begun = std::thread::scope(|scope| {
            for connection in &mut all {
                let begins = &begins;
                scope.spawn(move || {
                    begins.wait();
                    (0..each).for_each(|_| connection.ask());
                });
            }
            begins.wait();
            Instant::now()
        });
        begun.elapsed().as_nanos() as f64 / (each * connections as u64) as f64
    });
}
