//! Forgeries over the network, to a robot that accepts signed uploads only: each is refused with its reason, and leaves
//! nothing behind.

use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::home;
use crate::hard::{QUIET, SIGNED, Upload, key, now, restart_server, show};
use network::client::ApiClient;
use network::hex::{digest, hex};
use network::signature::SigningKey;
use serde_json::Value;
use tests::process::{Home, until};
use tests::served::{Served, serve};

/// The attempts and their results.
struct Tried {
    what: BTreeSet<String>,
    codes: BTreeSet<String>,
}

impl Tried {
    fn new() -> Tried {
        Tried {
            what: BTreeSet::new(),
            codes: BTreeSet::new(),
        }
    }

    fn note(&mut self, what: &str, code: String, wanted: &[&str]) {
        assert!(wanted.contains(&code.as_str()), "{what}: {code}");
        assert!(self.what.insert(what.to_owned()), "{what} is tried twice");
        self.codes.insert(code);
    }
}

/// The result of uploading bytes under this digest and name, with this signature in its header.
fn push(client: &ApiClient, bytes: &[u8], said: &str, name: &str, header: &str) -> String {
    let upload = Upload {
        bytes,
        said,
        name,
        signature: header,
    };
    upload.fate(client)
}

/// The result of uploading bytes with their own digest.
fn signed(client: &ApiClient, bytes: &[u8], text: &str) -> String {
    push(client, bytes, &digest(bytes), "show", &hex(text.as_bytes()))
}

/// The answer to these bytes, when the sender has sent all of them.
fn by_hand(served: &Served<'_>, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(served.address()).expect("a server");
    let timeout = Some(Duration::from_secs(3));
    stream.set_read_timeout(timeout).expect("a socket");
    // The server may close the connection before all is sent.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = stream.read(&mut piece) {
        answer.extend_from_slice(&piece[..read]);
    }
    let answer = String::from_utf8_lossy(&answer);
    let code = answer.split("\"code\":\"").nth(1);
    let code = code.and_then(|code| code.split('"').next());
    code.map_or_else(|| format!("no code in: {answer}"), str::to_owned)
}

/// All files and folders, except the audit log, which grows.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        }
        found.insert(path.display().to_string());
    }
    found.retain(|text| !text.ends_with("audit.log"));
    found
}

/// Writes an expired token into the table of a server that reads it again.
fn ended_token(home: &Home, served: &Served<'_>) -> String {
    let words = ["tokens", "make", "ended", "--role", "author", "--days", "1"];
    let token = home.good(&words).trim().to_owned();
    let path = home.path("run/state/nao/tokens.json");
    let text = fs::read(&path).expect("a table");
    let mut table: Value = serde_json::from_slice(&text).expect("a table");
    let all = table["all"].as_array_mut().expect("tokens");
    let ended = all.iter_mut().find(|item| item["name"] == "ended");
    ended.expect("a token")["ends"] = 1.into();
    fs::write(&path, table.to_string()).expect("a file");
    restart_server(served);
    token
}

/// Invalid signatures for `bytes`.
fn signatures(
    tried: &mut Tried,
    client: &ApiClient,
    bytes: &[u8],
    [anna, bert, carl]: [&SigningKey; 3],
) {
    let (is, other, now) = (digest(bytes), digest(b"other"), now());
    let good = anna.sign(&is, "show", "nao", now, None);
    let foreign = anna.sign(&other, "show", "nao", now, None);
    let (body, seal) = good.split_once("seal ").expect("a seal");
    let foreign_seal = foreign.split_once("seal ").expect("a seal").1;
    let lines: Vec<_> = good.lines().collect();
    let swapped = [
        lines[0], lines[1], lines[3], lines[2], lines[4], lines[5], lines[6], "",
    ];
    let form = "signature-form";
    let cases = [
        (
            "a key that is not trusted",
            carl.sign(&is, "show", "nao", now, None),
            "signature-key",
        ),
        (
            "a key that was taken back",
            bert.sign(&is, "show", "nao", now, None),
            "signature-revoked",
        ),
        (
            "a seal of another statement",
            format!("{body}seal {foreign_seal}"),
            "signature-seal",
        ),
        (
            "another end",
            good.replace("ends never", "ends 9999999999"),
            "signature-seal",
        ),
        (
            "another time",
            good.replace(&format!("made {now}"), &format!("made {}", now - 1)),
            "signature-seal",
        ),
        (
            "another digest",
            foreign.replace(&other, &is),
            "signature-seal",
        ),
        (
            "another key",
            good.replace(&anna.public(), &carl.public()),
            "signature-seal",
        ),
        (
            "for a robot in capitals",
            anna.sign(&is, "show", "NAO", now, None),
            "signature-robot",
        ),
        (
            "for a robot and a space",
            anna.sign(&is, "show", "nao ", now, None),
            "signature-robot",
        ),
        (
            "for a robot without a name",
            anna.sign(&is, "show", "", now, None),
            "signature-robot",
        ),
        (
            "for any robot that begins so",
            anna.sign(&is, "show", "na*", now, None),
            "signature-robot",
        ),
        (
            "a robot of two lines",
            anna.sign(&is, "show", "nao\nmade 1", now, None),
            form,
        ),
        (
            "of the last second of all",
            anna.sign(&is, "show", "nao", u64::MAX, None),
            "signature-early",
        ),
        (
            "ended in 1970",
            anna.sign(&is, "show", "nao", now, Some(0)),
            "signature-ended",
        ),
        ("half of it", good[..good.len() / 2].to_owned(), form),
        ("all but its last byte", good.trim_end().to_owned(), form),
        ("twice", good.repeat(2), form),
        ("something behind it", format!("{good}\0"), form),
        ("something before it", format!("\n{good}"), form),
        ("lines as on Windows", good.replace('\n', "\r\n"), form),
        (
            "no first line",
            good.split_once('\n').expect("a line").1.to_owned(),
            form,
        ),
        (
            "another version",
            good.replace("signature 2", "signature 3"),
            form,
        ),
        ("two lines swapped", swapped.join("\n"), form),
        (
            "a digest of another kind",
            good.replace("sha256:", "sha512:"),
            form,
        ),
        (
            "a seal in capitals",
            format!("{body}seal {}", seal.to_uppercase()),
            form,
        ),
        (
            "a seal that is short",
            format!("{body}seal {}\n", &seal[..126]),
            form,
        ),
        (
            "a sign before a number",
            good.replace("made 1", "made +1"),
            form,
        ),
        (
            "a number of too many digits",
            good.replace("made 1", "made 99999999999999999999"),
            form,
        ),
    ];
    for (what, text, code) in &cases {
        assert_ne!(*text, good, "{what}");
        tried.note(what, signed(client, bytes, text), &[*code]);
    }
    let header = hex(good.as_bytes());
    for (what, header, code) in [
        ("no signature", "", "signature-missing"),
        ("a header of an odd length", &header[1..], form),
        ("a header in capitals", header.to_uppercase().as_str(), form),
        ("a header that is no hexadecimal", "good", form),
        ("a header that is no text", "fffe", form),
        (
            "a header that is too long",
            "ab".repeat(4097).as_str(),
            "signature-long",
        ),
    ] {
        tried.note(what, push(client, bytes, &is, "show", header), &[code]);
    }
    // Every byte of the statement and of the seal.
    let mut bent = good.clone().into_bytes();
    for place in 0..bent.len() {
        bent[place] ^= 1 << (place % 8);
        let code = push(client, bytes, &is, "show", &hex(&bent));
        assert!(code.starts_with("signature-"), "byte {place}: {code}");
        bent[place] ^= 1 << (place % 8);
    }
}

/// Bytes that a good signature does not fit, or that cannot be played.
fn contents(tried: &mut Tried, client: &ApiClient, bytes: &[u8], anna: &SigningKey) {
    let sign = |is: &str| hex(anna.sign(is, "show", "nao", now(), None).as_bytes());
    let is = digest(bytes);
    let good = sign(&is);
    let long = [bytes, bytes].concat();
    for (what, sent) in [
        ("a byte less", &bytes[..bytes.len() - 1]),
        ("the same twice", &long[..]),
        ("nothing at all", &bytes[..0]),
    ] {
        tried.note(
            what,
            push(client, sent, &is, "show", &good),
            &["digest-mismatch"],
        );
    }
    let mut bent = bytes.to_vec();
    for bit in 0..8 * bent.len() {
        bent[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            push(client, &bent, &is, "show", &good),
            "digest-mismatch",
            "bit {bit}"
        );
        bent[bit / 8] ^= 1 << (bit % 8);
    }
    for (what, sent) in [
        (
            "signed compiled code",
            &b"\x7fELF\x02\x01\x01\0\0\0\0\0"[..],
        ),
        ("a signed core module", &b"\0asm\x01\0\0\0"[..]),
        ("a signed module of the future", &b"\0asm\x0e\0\x01\0"[..]),
        ("half of a signed component's head", &b"\0asm\x0d\0"[..]),
        (
            "a signed page",
            &b"<!doctype html><script>alert(1)</script>"[..],
        ),
        ("a signed archive", &b"\x1f\x8b\x08\0\0\0\0\0\0\x03"[..]),
        ("signed nothing", &b""[..]),
    ] {
        let is = digest(sent);
        tried.note(
            what,
            push(client, sent, &is, "show", &sign(&is)),
            &["not-a-component"],
        );
    }
    for (what, said) in [
        ("a digest in capitals", is.to_uppercase()),
        ("a digest that is short", is[..62].to_owned()),
        ("a digest that is long", format!("{is}00")),
        (
            "a digest of another kind in the path",
            format!("sha512:{is}"),
        ),
    ] {
        tried.note(
            what,
            push(client, bytes, &said, "show", &good),
            &["invalid-digest"],
        );
    }
    for (what, name) in [
        ("a name of 65 letters", "a".repeat(65)),
        ("a name of 300 letters", "a".repeat(300)),
        ("a name of a path", "a/b".to_owned()),
        ("a name that leads up", "../x".to_owned()),
        ("a name that leads up in its middle", "a..b".to_owned()),
        ("a name like an option", "-x".to_owned()),
        ("a name that is hidden", ".x".to_owned()),
        ("a name of other letters", "%c3%a9".to_owned()),
        (
            "a name of a letter that looks alike",
            "sh%d0%bew".to_owned(),
        ),
        ("a name of two lines", "a%0ab".to_owned()),
        ("a name with a space", "a%20b".to_owned()),
    ] {
        tried.note(
            what,
            push(client, bytes, &is, &name, &good),
            &["invalid-name"],
        );
    }
}

/// Requests with wrong lengths and headers, written by hand.
fn requests(tried: &mut Tried, served: &Served<'_>, bytes: &[u8], anna: &SigningKey, author: &str) {
    let is = digest(bytes);
    let good = hex(anna.sign(&is, "show", "nao", now(), None).as_bytes());
    let put = |query: &str, headers: &str, body: &[u8]| {
        let head = format!(
            "PUT /api/v2/choreographies/{is}?name=show{query} HTTP/1.1\r\nHost: localhost\r\n\
             Connection: close\r\nX-Dcm-Signature: {good}\r\n{headers}\r\n\r\n"
        );
        by_hand(served, &[head.as_bytes(), body].concat())
    };
    let known = format!("Authorization: Bearer {author}\r\n");
    let chunk = [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let chunked = format!("{known}Transfer-Encoding: chunked");
    let of = |length: usize| format!("{known}Content-Length: {length}");
    let length = format!("Content-Length: {}", bytes.len());
    let token = author.trim_start_matches("dcm_");
    for (what, code, wanted) in [
        (
            "a length that is short",
            put("", &of(20), bytes),
            "digest-mismatch",
        ),
        (
            "a length that is long",
            put("", &of(bytes.len() + 1), bytes),
            "cut-off",
        ),
        (
            "chunks without an end",
            put("", &chunked, &chunk),
            "cut-off",
        ),
        ("half a chunk", put("", &chunked, &chunk[..20]), "cut-off"),
        (
            "a chunk of no size",
            put("", &chunked, b"zz\r\nabc\r\n0\r\n\r\n"),
            "cut-off",
        ),
        (
            "64 MiB and one byte",
            put("", &of((64 << 20) + 1), &[]),
            "too-large",
        ),
        ("no token", put("", &length, bytes), "token-missing"),
        (
            "a token in the address",
            put(&format!("&token={author}"), &length, bytes),
            "token-missing",
        ),
        (
            "a token that is called a password",
            put(
                "",
                &format!("Authorization: Basic {author}\r\n{length}"),
                bytes,
            ),
            "token-unknown",
        ),
        (
            "an empty token",
            put("", &format!("Authorization: Bearer \r\n{length}"), bytes),
            "token-unknown",
        ),
        (
            "a token without its head",
            put(
                "",
                &format!("Authorization: Bearer {token}\r\n{length}"),
                bytes,
            ),
            "token-unknown",
        ),
        (
            "two tokens at once",
            put(
                "",
                &format!("Authorization: Bearer {author}, {author}\r\n{length}"),
                bytes,
            ),
            "token-unknown",
        ),
    ] {
        tried.note(what, code, &[wanted]);
    }
}

#[test]
fn every_forgery_is_refused_with_its_reason_and_leaves_nothing() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}{SIGNED}"));
    served.wait_until_it_runs();
    let keys = ["anna", "bert", "carl"].map(|text| key(&home, text));
    home.good(&["keys", "trust", "anna"]);
    home.good(&["keys", "trust", "bert"]);
    home.good(&["keys", "revoke", "bert"]);
    let [author, watch, perform] = ["author", "watch", "perform"].map(|text| served.token(text));
    let ended = ended_token(&home, &served);
    let state = home.path("run/state/nao");
    until("the table is written", || {
        state.join("index.json").is_file()
    });
    let before = files(&state);
    let [anna, bert, carl] = &keys;
    let bytes = show(b"a show that nobody plays");
    let client = served.client(Some(&author));
    let mut tried = Tried::new();
    signatures(&mut tried, &client, &bytes, [anna, bert, carl]);
    contents(&mut tried, &client, &bytes, anna);
    requests(&mut tried, &served, &bytes, anna, &author);
    let good = anna.sign(&digest(&bytes), "show", "nao", now(), None);
    let mut forged = author.clone();
    let last = if forged.ends_with('0') { "1" } else { "0" };
    forged.replace_range(forged.len() - 1.., last);
    for (what, token, codes) in [
        (
            "a token that has ended",
            &ended,
            ["token-ended", "token-ended"],
        ),
        (
            "somebody who may watch",
            &watch,
            ["role-too-low", "role-too-low"],
        ),
        (
            "somebody who may perform",
            &perform,
            ["role-too-low", "role-too-low"],
        ),
        (
            "a token with another end",
            &forged,
            ["token-unknown", "token-unknown"],
        ),
        (
            "a token that is cut",
            &author[..40].to_owned(),
            ["token-unknown", "token-unknown"],
        ),
        (
            "a token in capitals",
            &author.to_uppercase(),
            ["token-unknown", "token-unknown"],
        ),
    ] {
        let client = served.client(Some(token));
        tried.note(what, signed(&client, &bytes, &good), &codes);
    }
    println!(
        "{} forgeries, refused for {:?}",
        tried.what.len(),
        tried.codes
    );
    assert!(tried.what.len() > 60 && tried.codes.len() > 12);
    // Nothing is stored, nobody has played, and the log has every reason.
    assert_eq!(home.good(&["ls", "--json", "--all"]), "");
    assert_eq!(home.good(&["ps", "--json", "--all"]), "");
    // The last entry may still be on its way.
    let until = Instant::now() + Duration::from_secs(10);
    while files(&state) != before && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(100));
    }
    let after = files(&state);
    let left: Vec<_> = after.symmetric_difference(&before).collect();
    assert!(left.is_empty(), "something is left: {left:?}");
    let audit = home.good(&["audit", "--number", "10000"]);
    for code in &tried.codes {
        assert!(audit.contains(&format!("  {code}\n")), "{code}");
    }
    // What was forged was good before.
    assert_eq!(signed(&client, &bytes, &good), "taken");
}

#[test]
fn what_was_signed_before_the_newest_never_comes_back_over_it() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}{SIGNED}"));
    let anna = key(&home, "anna");
    home.good(&["keys", "trust", "anna"]);
    let author = served.client(Some(&served.token("author")));
    let (first, second) = (show(b"first"), show(b"second"));
    let began = now() - 1000;
    let sign =
        |bytes: &[u8], later: u64| anna.sign(&digest(bytes), "show", "nao", began + later, None);
    assert_eq!(signed(&author, &first, &sign(&first, 10)), "taken");
    assert_eq!(signed(&author, &second, &sign(&second, 20)), "taken");
    assert_eq!(
        signed(&author, &first, &sign(&first, 10)),
        "signature-older"
    );
    // The first one is signed again, and is the newest from then on.
    assert_eq!(signed(&author, &first, &sign(&first, 30)), "taken");
    assert_eq!(
        signed(&author, &second, &sign(&second, 20)),
        "signature-older"
    );
    assert_eq!(signed(&author, &second, &sign(&second, 40)), "taken");
}

/// How long the server keeps a connection that sends this at once, and then a byte sometimes; nothing if it keeps it
/// too long.
fn kept_for(served: &Served<'_>, first: &[u8], words: &[u8]) -> Option<Duration> {
    let mut stream = TcpStream::connect(served.address()).expect("a server");
    stream.write_all(first).expect("a server");
    let pace = Some(Duration::from_millis(200));
    stream.set_read_timeout(pace).expect("a socket");
    let begun = Instant::now();
    let mut rest = words.iter();
    while begun.elapsed() < Duration::from_secs(20) {
        match stream.read(&mut [0; 512]) {
            Ok(0) => return Some(begun.elapsed()),
            Err(error) if error.kind() != ErrorKind::WouldBlock => return Some(begun.elapsed()),
            _ => {}
        }
        if let Some(byte) = rest.next() {
            // Reading detects whether it was closed.
            let _ = stream.write_all(&[*byte]);
        }
    }
    None
}

#[test]
fn who_does_not_say_in_time_what_it_wants_is_let_go() {
    let home = home();
    let served = serve(&home, QUIET);
    let slow = [
        b"GET /api/v2/hello HTTP/1.1\r\nX-Slow: ".as_slice(),
        &[b'a'; 200],
    ]
    .concat();
    let pair = "POST /api/v2/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 500\r\n\r\n{\"code\": \"";
    std::thread::scope(|scope| {
        for (first, words) in [
            ("", &slow[..]),
            ("", b""),
            ("", b"GET /api/v2/hello HTTP/1.1\r\nHost: localhost\r\n"),
            // A body that never ends: everybody may request pairing.
            (pair, &slow[..]),
        ] {
            let served = &served;
            scope.spawn(move || {
                let kept = kept_for(served, first.as_bytes(), words);
                let output = String::from_utf8_lossy(words);
                println!("let go after {kept:?}: {output}");
                assert!(kept.is_some(), "{output}");
            });
        }
    });
    assert!(served.client(None).get::<Value>("/api/v2/hello").is_ok());
}
