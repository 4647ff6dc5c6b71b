//! Pairing through a server in between, which has a certificate of its own and passes on whatever it is told.
//! It learns nothing that gets it a token, and the person is told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use hyper::Method;
use network::client::{Address, ApiClient};
use network::hex::{hex, unhex};
use network::pairing::OpenExchange;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use tests::served::{refused, serve};

use crate::common::home;
use crate::hard::QUIET;

/// What was said to the robot through a relay: methods, paths and bodies.
type Overheard = Arc<Mutex<Vec<String>>>;

/// A server with its own certificate, that passes every request on to the robot at this address.
fn relay(robot: String) -> (SocketAddr, Overheard) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let made = rcgen::generate_simple_self_signed(vec!["nao".to_owned()]).expect("a certificate");
    let chain: Vec<CertificateDer<'static>> = vec![made.cert.der().clone()];
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key.into())
        .expect("a certificate");
    let (config, overheard) = (Arc::new(config), Overheard::default());
    let heard = Arc::clone(&overheard);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let session = ServerConnection::new(Arc::clone(&config)).expect("a session");
            let (robot, heard) = (robot.clone(), Arc::clone(&heard));
            // Whoever does not speak TLS hears nothing.
            std::thread::spawn(move || pass_on(session, client.expect("a client"), &robot, &heard));
        }
    });
    (address, overheard)
}

/// Passes on the requests of one connection.
fn pass_on(
    session: ServerConnection,
    client: TcpStream,
    robot: &str,
    heard: &Overheard,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(StreamOwned::new(session, client));
    let robot = ApiClient::new(Address::Tls(robot.to_owned(), None), None).expect("a client");
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head)? == 0 {
                return Ok(());
            }
        }
        let length = head
            .to_lowercase()
            .split_once("content-length: ")
            .and_then(|pair| pair.1.lines().next()?.parse().ok());
        let mut body = vec![0; length.unwrap_or_default()];
        stream.read_exact(&mut body)?;
        let words: Vec<&str> = head.split(' ').collect();
        let text = String::from_utf8_lossy(&body);
        let sentence = format!("{} {} {text}", words[0], words[1]);
        heard.lock().expect("a list").push(sentence);
        let method = words[0].parse().expect("a method");
        let body: Option<Value> = serde_json::from_slice(&body).ok();
        let answer: Value = robot
            .ask(method, words[1], body.as_ref())
            .expect("it answers");
        let answer = answer.to_string();
        let length = answer.len();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{answer}");
        stream.get_mut().write_all(head.as_bytes())?;
    }
}

#[test]
fn a_server_in_between_cannot_pair_and_is_told_of() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}tls = \"always\"\n"));
    let (code, robot) = (served.code(), served.address());
    let (between, overheard) = relay(robot.clone());
    let printed = home.bad(1, &["pair", &between.to_string(), "--code", &code]);
    assert!(
        printed.contains("another server stands between you and the robot")
            && printed.contains("fix: "),
        "{printed}"
    );
    let heard = overheard.lock().expect("a list").clone();
    assert!(
        heard
            .iter()
            .any(|text| text.starts_with("POST /api/v2/pair/exchange")),
        "{heard:?}"
    );
    for text in &heard {
        assert!(!text.contains(&code), "the code was sent: {text}");
        assert!(
            !text.starts_with("POST /api/v2/pair/proof"),
            "a proof was sent: {text}"
        );
    }
    assert!(
        home.good(&["tokens"]).contains("no tokens"),
        "nobody was paired"
    );
    // Without it, the same code pairs.
    let output = home.good(&["pair", &robot, "--code", &code, "--name", "anna"]);
    assert!(output.contains("paired with nao as operate"), "{output}");
}

#[test]
fn an_exchange_is_one_guess_and_its_proof_is_for_one_name() {
    let home = home();
    let served = serve(&home, QUIET);
    let client = served.client(None);
    let shown = home.good(&["pair", "--show", "--json"]);
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    let code = shown["code"].as_str().expect("a code");
    let begin = |code: &str| {
        let (open, message) = OpenExchange::begin(code, None);
        let message = json!({ "message": hex(&message) });
        let told = client.ask::<Value>(Method::POST, "/api/v2/pair/exchange", Some(&message));
        told.map(|told| (open, told))
    };
    let bytes = |text: &Value| unhex(text.as_str().expect("text")).expect("digits");
    // What is no message is told as that, and is no guess.
    for message in ["zz", &"0".repeat(66)] {
        let message = json!({ "message": message });
        let error = refused(
            &client,
            Method::POST,
            "/api/v2/pair/exchange",
            Some(&message),
        );
        assert_eq!(error, "invalid-request", "{message}");
    }
    // A wrong code: both ends have other keys, and the robot refuses the proof.
    let (open, told) = begin("00000000").expect("an answer");
    let key = open.finish(&bytes(&told["message"])).expect("a message");
    assert!(!key.proves_robot(&bytes(&told["proof"])));
    let ends = |exchange: &Value, proof: &[u8], name: &str| {
        let proof = hex(proof);
        json!({ "exchange": exchange, "proof": proof, "name": name })
    };
    let wrong = ends(&told["exchange"], &key.client_proof("anna"), "anna");
    let path = "/api/v2/pair/proof";
    assert_eq!(
        refused(&client, Method::POST, path, Some(&wrong)),
        "wrong-code"
    );
    // The right one, with a proof for another name, of another exchange, and of none.
    let (open, told) = begin(code).expect("an answer");
    let key = open.finish(&bytes(&told["message"])).expect("a message");
    assert!(key.proves_robot(&bytes(&told["proof"])));
    let proof = key.client_proof("anna");
    for (exchange, proof, name) in [
        (&told["exchange"], &proof[..], "bert"),
        (&json!(1), &proof[..], "anna"),
        (&json!(0), &proof[..], "anna"),
        (&json!(4_294_967_295_u32), &proof[..], "anna"),
        (&told["exchange"], &proof[..31], "anna"),
        (&told["exchange"], b"", "anna"),
    ] {
        let wrong = ends(exchange, proof, name);
        assert_eq!(
            refused(&client, Method::POST, path, Some(&wrong)),
            "wrong-code"
        );
    }
    let right = ends(&told["exchange"], &proof, "anna");
    let made: Value = client
        .ask(Method::POST, path, Some(&right))
        .expect("a token");
    assert_eq!(made["about"]["name"], "anna");
    // The code is used up, and so is the exchange.
    assert_eq!(
        refused(&client, Method::POST, path, Some(&right)),
        "wrong-code"
    );
    // Five exchanges are five guesses.
    let shown: Value =
        serde_json::from_str(&home.good(&["pair", "--show", "--json"])).expect("JSON");
    for _ in 0..5 {
        begin("11111111").expect("an answer");
    }
    let code = shown["code"].as_str().expect("a code");
    let error = begin(code).expect_err("five are too many").to_string();
    assert!(
        error.contains("too many guesses from your address"),
        "{error}"
    );
    let message = json!({ "message": "xyz" });
    let code = refused(
        &client,
        Method::POST,
        "/api/v2/pair/exchange",
        Some(&message),
    );
    assert_eq!(code, "invalid-request");
}
