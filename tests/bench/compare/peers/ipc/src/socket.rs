//! A unix socket of datagrams. Called by `main`. Neither side waits; a frame for which there is no room is
//! dropped, and the reader empties the socket, so that what it keeps is the newest that has come.

use std::os::unix::net::UnixDatagram;

use crate::Frame;

const BYTES: usize = size_of::<Frame>();

fn newest(socket: &UnixDatagram) -> Option<Frame> {
    let (mut bytes, mut some) = ([0; BYTES], false);
    while socket.recv(&mut bytes).is_ok_and(|count| count == BYTES) {
        some = true;
    }
    let number =
        |place: usize| f64::from_le_bytes(bytes[place * 8..][..8].try_into().expect("8 bytes"));
    some.then(|| std::array::from_fn(number))
}

pub(crate) fn read() {
    let path = std::env::temp_dir().join(format!("compare-{}.socket", std::process::id()));
    let socket = UnixDatagram::bind(&path).expect("a socket");
    socket.set_nonblocking(true).expect("a setting");
    let mut writer = protocol::writer(&["socket-writer", path.to_str().expect("a path")]);
    crate::contest(|| newest(&socket));
    writer.kill().expect("a process");
    writer.wait().expect("an end");
    std::fs::remove_file(path).expect("a file");
}

pub(crate) fn write(path: &str) {
    let socket = UnixDatagram::unbound().expect("a socket");
    socket.set_nonblocking(true).expect("a setting");
    socket.connect(path).expect("a reader");
    crate::each_millisecond(|frame| {
        let bytes: Vec<u8> = frame.iter().flat_map(|item| item.to_le_bytes()).collect();
        // No room: the reader has frames enough.
        let _ = socket.send(&bytes);
    });
}
