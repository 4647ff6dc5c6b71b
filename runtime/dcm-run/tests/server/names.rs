//! Names, tags and digests of what is stored: a digest means its own bytes, one name means one thing, and a signature
//! is for one name.

use std::fs;

use crate::common::home;
use crate::hard::{QUIET, SIGNED, Upload, end, key, now, restart_server, upload};
use hyper::Method;
use network::client::ApiClient;
use network::hex::{digest, hex};
use serde_json::{Value, json};
use tests::process::Home;
use tests::rig::component;
use tests::served::{BLINK, WAVE, ask_loop, refused, serve};

fn bytes(path: &str) -> Vec<u8> {
    fs::read(path).expect("a file")
}

/// The code of the answer to a tag.
fn tag(client: &ApiClient, tag: &str, choreography: &str) -> String {
    let body = json!({ "choreography": choreography });
    let path = format!("/api/v2/tags/{tag}");
    match client.ask::<Value>(Method::PUT, &path, Some(&body)) {
        Ok(_) => "taken".to_owned(),
        Err(network::client::ClientError::Refused(error)) => error.code,
        Err(other) => panic!("{other}"),
    }
}

/// What is downloaded under this reference.
fn pulled(home: &Home, reference: &str) -> String {
    let path = home.path("pulled.wasm");
    // It is written anew each time.
    let _ = fs::remove_file(&path);
    home.good(&[
        "pull",
        reference,
        "-o",
        path.to_str().expect("a path"),
        "--force",
    ]);
    digest(&fs::read(path).expect("a file"))
}

#[test]
fn a_digest_always_means_its_own_bytes() {
    let home = home();
    let served = serve(&home, QUIET);
    let author = served.client(Some(&served.token("author")));
    let (wave, blink) = (bytes(WAVE), bytes(BLINK));
    assert!(upload(&author, &wave, "wave").is_none());
    assert!(upload(&author, &blink, "blink").is_none());
    let (is_wave, is_blink) = (digest(&wave), digest(&blink));
    // All of it, its first digits, and whatever else could be taken for one.
    for tried in [
        is_wave.as_str(),
        &is_wave[..8],
        &is_wave[..40],
        "deadbeef",
        "20261124",
        "ABCDEF12",
    ] {
        assert_eq!(tag(&author, tried, "blink"), "invalid-name", "{tried}");
        let said = upload(&author, &blink, tried).expect("it is refused");
        assert_eq!(said.code, "invalid-name", "{tried}");
    }
    for known in [
        &is_wave[..],
        &is_wave[..8],
        &format!("sha256:{is_wave}"),
        &is_wave.to_uppercase(),
    ] {
        assert_eq!(pulled(&home, known), is_wave);
    }
    // Shorter ones are names, and so are those with another letter.
    for tried in ["feed", "1234567", "deadbeeg", "2026-11-24"] {
        assert_eq!(tag(&author, tried, "wave"), "taken", "{tried}");
        assert_eq!(pulled(&home, tried), is_wave);
    }
    // One name means one thing.
    assert_eq!(tag(&author, "wave", "blink"), "taken");
    let listed = home.good(&["ls", "--all"]);
    assert_eq!(pulled(&home, "wave"), is_wave, "{listed}");
    assert_eq!(tag(&author, "best", "blink"), "taken");
    assert_eq!(
        upload(&author, &wave, "best").expect("it is refused").code,
        "taken"
    );
    assert_eq!(pulled(&home, "best"), is_blink);
}

#[test]
fn a_store_of_before_is_mended_and_says_so() {
    let home = home();
    let served = serve(&home, QUIET);
    let author = served.client(Some(&served.token("author")));
    let (wave, blink) = (bytes(WAVE), bytes(BLINK));
    assert!(upload(&author, &wave, "wave").is_none());
    assert!(upload(&author, &blink, "blink").is_none());
    let (is_wave, is_blink) = (digest(&wave), digest(&blink));
    end(served);
    let path = home.path("run/state/nao/index.json");
    let mut index: Value =
        serde_json::from_slice(&fs::read(&path).expect("a table")).expect("JSON");
    index["tags"][&is_wave] = is_blink.clone().into();
    index["tags"]["blink"] = is_wave.clone().into();
    index["names"]["12345678"] = json!([is_blink]);
    // What would be their next names are taken.
    index["tags"]["x-12345678"] = is_wave.clone().into();
    index["boot"] = json!([{ "choreography": "12345678" }]);
    fs::write(&path, index.to_string()).expect("a file");
    let served = serve(&home, QUIET);
    assert_eq!(pulled(&home, &is_wave), is_wave);
    assert_eq!(pulled(&home, "blink"), is_blink);
    assert_eq!(pulled(&home, "x-12345678"), is_wave);
    assert_eq!(pulled(&home, "x2-12345678"), is_blink);
    assert_eq!(pulled(&home, "x-blink"), is_wave);
    assert_eq!(pulled(&home, &format!("x-{}", &is_wave[..56])), is_blink);
    let boot: Value = served
        .client(Some(&served.token("watch")))
        .get("/api/v2/boot")
        .expect("a list");
    assert_eq!(boot[0]["choreography"], "x2-12345678");
    let output = home.good(&["audit"]);
    for part in [
        "the name 12345678 reads as a digest",
        "the tag blink",
        "is a name as well",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
}

const STAYS: &str = r#"(module (func (export "pre-process")))"#;
const STAYS_TOO: &str = r#"(module (func (export "pre-process") (nop)))"#;

#[test]
fn a_signature_is_for_one_name_and_for_its_time_whatever_begins_to_play() {
    let home = home();
    let settings = format!("{QUIET}{SIGNED}");
    let served = serve(&home, &settings);
    served.wait_until_it_runs();
    let anna = key(&home, "anna");
    home.good(&["keys", "trust", "anna"]);
    let author = served.client(Some(&served.token("author")));
    let push = |bytes: &[u8], name: &str, text: &str| {
        let (said, signature) = (digest(bytes), hex(text.as_bytes()));
        let upload = Upload {
            bytes,
            said: &said,
            name,
            signature: &signature,
        };
        upload.fate(&author)
    };
    let (first, second) = (component(STAYS), component(STAYS_TOO));
    let sign = |bytes: &[u8], name: &str, ends| anna.sign(&digest(bytes), name, "nao", now(), ends);
    assert_eq!(
        push(&first, "wave", &sign(&first, "dance", None)),
        "signature-name"
    );
    // It lasts for as long as it takes to begin the first time.
    let soon = now() + 20;
    assert_eq!(
        push(&first, "first", &sign(&first, "first", Some(soon))),
        "taken"
    );
    assert_eq!(
        push(&second, "second", &sign(&second, "second", None)),
        "taken"
    );
    home.good(&["start", "first", "--no-check"]);
    home.good(&["boot", "first", "--no-check"]);
    while now() <= soon + 1 {
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    // The same bytes under another name, whose signature lasts: it is for that name alone.
    assert_eq!(push(&first, "other", &sign(&first, "other", None)), "taken");
    // Whatever begins to play is verified again: by its name, by its digest, as a swap, planned, and at boot.
    let is_first = digest(&first);
    for words in [
        vec!["start", "first", "--no-check"],
        vec!["start", "first", "--no-check", "--at", "+60"],
    ] {
        let output = home.bad(1, &words);
        assert!(
            output.contains("the signature has expired"),
            "{words:?}: {output}"
        );
    }
    home.good(&["stop", "first"]);
    // Who asks by the digest gets the name that is signed.
    let printed = home.good(&["start", &is_first, "--no-check", "--json"]);
    assert!(printed.contains("other"), "{printed}");
    home.good(&["stop", "other"]);
    home.good(&["rm", "other"]);
    let output = home.bad(1, &["start", &is_first, "--no-check"]);
    assert!(output.contains("the signature has expired"), "{output}");
    home.good(&["start", "second", "--no-check"]);
    let perform = served.client(Some(&served.token("perform")));
    perform
        .ask::<Value>(Method::PUT, "/api/v2/lease", None::<&()>)
        .expect("control");
    let guests = ask_loop(&perform, "guests", &json!({}));
    let playing = guests
        .as_array()
        .expect("a list")
        .iter()
        .find(|guest| guest["life"] == "running");
    let path = format!("/api/v2/guests/{}/swap", playing.expect("it plays")["id"]);
    let body = json!({ "choreography": "first" });
    assert_eq!(
        refused(&perform, Method::POST, &path, Some(&body)),
        "signature-ended"
    );
    end(served);
    let served = serve(&home, &settings);
    tests::process::until("the boot entry is refused", || {
        home.good(&["audit"]).contains("signature-ended")
    });
    // A name that the signer has not signed gives nothing either, although the bytes are the same.
    restart_server(&served);
    let author = served.client(Some(&served.token("author")));
    let body =
        json!({ "choreography": digest(&second), "wish": { "file": "wave", "unchecked": true } });
    let started = author
        .ask::<Value>(Method::POST, "/api/v2/guests", Some(&body))
        .expect("it starts");
    assert_eq!(started["loaded"]["name"], "second", "{started}");
}
