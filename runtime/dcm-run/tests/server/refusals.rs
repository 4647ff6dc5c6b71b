//! What the server says of requests that it cannot read: the place, what was expected, and what came, in plain words;
//! names that it refuses; and the codes that its description lists.

use hyper::Method;
use network::client::{ApiClient, ClientError, RequestBody};
use protocol::{ErrorCode, RequestError};
use serde_json::{Value, json};
use tests::served::{WAVE, serve};

use crate::common::home;

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"127.0.0.1:0\"\n";

/// Words of libraries and of Rust, which nobody has to know.
const JARGON: [&str; 9] = [
    "deserialize",
    "invalid type",
    "invalid length",
    "struct",
    "tuple",
    "f64",
    "u32",
    "Failed",
    "buffer",
];

/// The error of a request that is refused.
fn error(client: &ApiClient, method: Method, path: &str, kind: &str, body: &[u8]) -> RequestError {
    let sent = RequestBody {
        headers: Vec::new(),
        bytes: bytes::Bytes::copy_from_slice(body),
        kind,
        only_reads: false,
    };
    match client.send(method.clone(), path, sent, |_| {}) {
        Err(ClientError::Refused(error)) => error,
        Ok(answer) => panic!("{method} {path}: {}", String::from_utf8_lossy(&answer)),
        Err(other) => panic!("{method} {path}: {other}"),
    }
}

#[test]
fn a_request_that_cannot_be_read_is_explained_in_plain_words() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    let posted = |path: &str, body: &str| {
        let path = format!("/api/v2/{path}");
        error(
            &client,
            Method::POST,
            &path,
            "application/json",
            body.as_bytes(),
        )
    };
    for (path, body, told) in [
        ("loop/move", "", "the field `to` is missing"),
        (
            "loop/move",
            "{",
            "the JSON ends too early, in line 1, column 1",
        ),
        (
            "loop/move",
            "moin",
            "this is no JSON: line 1, column 1 is wrong",
        ),
        ("loop/move", "[]", "expected an object, and `[]` came"),
        (
            "loop/move?lane=arms",
            "{}",
            "this route takes no parameters in its address",
        ),
        (
            "loop/move",
            r#"{"to":"HeadYaw","values":0}"#,
            "the field `after_ns` is missing",
        ),
        (
            "loop/move",
            r#"{"to":"HeadYaw","after_ns":1,"values":[0,null]}"#,
            "`values[1]`: expected a number, and `null` came",
        ),
        (
            "loop/move",
            r#"{"to":[],"after_ns":1,"merge":"new"}"#,
            "`merge`: expected `merge`, `clear-all`, `clear-after` or `clear-before`, and `new` came",
        ),
        (
            "loop/pose",
            r#"{"name":"stand","in_ns":1,"speed":2}"#,
            "there is no field `speed`: expected `name`, `in_ns` or `lane`",
        ),
        (
            "loop/lanes",
            r#"{"speed":2}"#,
            "there is no field `speed`: the request has no fields",
        ),
        (
            "dcm/set",
            r#"["HeadYaw","Merge"]"#,
            r#"expected a list of 3 items, and `["HeadYaw","Merge"]` came"#,
        ),
        (
            "dcm/setAlias",
            r#"["Head","ClearAll","time-separate",0,[1],7]"#,
            "`[5]`: expected a list, and `7` came",
        ),
        (
            "tokens",
            r#"{"name":"anna","role":"king"}"#,
            "`role`: expected `watch`, `perform`, `author` or `operate`, and `king` came",
        ),
    ] {
        let error = posted(path, body);
        assert_eq!(
            (error.code.as_str(), error.sentence.as_str()),
            ("invalid-request", told),
            "{path} {body}"
        );
        assert!(error.fix.is_some(), "{path} {body}");
    }
    let huge = r#"{"to":"HeadYaw","values":0,"after_ns":18446744073709551615}"#;
    assert_eq!(posted("loop/move", huge).code, "out-of-reach");
    let long = json!({ "x".repeat(5000): 1 }).to_string();
    let long = posted("loop/move", &long);
    assert!(long.sentence.chars().count() < 200, "{long}");
    // Longer than a line of the loop's socket: the next request is answered as usual.
    let many = json!({ "to": vec!["HeadYaw"; 120_000], "after_ns": 1 }).to_string();
    assert_eq!(posted("loop/move", &many).code, "too-large");
    assert_eq!(
        posted("loop/end", r#"{"guest":"nobody"}"#).code,
        "not-found"
    );
    let large = posted("loop/pose", &" ".repeat(300 << 10));
    assert_eq!(
        (large.code.as_str(), large.sentence.as_str()),
        ("too-large", "the body has more than 256 KiB")
    );
}

#[test]
fn an_address_that_cannot_be_read_is_explained_in_plain_words() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    let whole = "expected a whole number";
    for (method, path, kind, told) in [
        (
            Method::GET,
            "audit?most=x",
            "",
            format!("in the query of the address: `most`: {whole}, 0 or more, and `x` came"),
        ),
        (
            Method::GET,
            "stream?hz=fast",
            "",
            "in the query of the address: `hz`: expected a number, and `fast` came".to_owned(),
        ),
        (
            Method::DELETE,
            "tokens/abc",
            "",
            format!("in the path: `number`: {whole} from 0 to 4294967295, and `abc` came"),
        ),
        (
            Method::DELETE,
            "plans/-1",
            "",
            format!("in the path: `number`: {whole} from 0 to 4294967295, and `-1` came"),
        ),
        (
            Method::GET,
            "stream",
            "",
            "this address is a WebSocket, and the request does not ask for one".to_owned(),
        ),
        (
            Method::POST,
            "loop/pose",
            "text/plain",
            "the body must be JSON, and its `content-type` is `text/plain`".to_owned(),
        ),
        (
            Method::PUT,
            "loop/pose",
            "",
            "the API has no PUT here".to_owned(),
        ),
    ] {
        let path = format!("/api/v2/{path}");
        let error = error(&client, method, &path, kind, b"{}");
        assert_eq!(error.sentence, told, "{path}");
        assert!(error.fix.is_some(), "{path}");
        for word in JARGON {
            assert!(!error.to_string().contains(word), "{path}: {error}");
        }
    }
}

#[test]
fn tokens_and_keys_have_names_like_everything_else() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    let before = client.get::<Value>("/api/v2/tokens").expect("a list");
    let code = served.code();
    for name in ["", "x y\n", "A", "../x", "\u{202e}x", &"a".repeat(65)] {
        for (path, body) in [
            ("tokens", json!({ "name": name, "role": "watch" })),
            ("keys", json!({ "name": name, "key": "0".repeat(64) })),
            ("pair", json!({ "name": name, "code": code })),
        ] {
            let path = format!("/api/v2/{path}");
            let body = body.to_string();
            let error = error(
                &client,
                Method::POST,
                &path,
                "application/json",
                body.as_bytes(),
            );
            assert_eq!(error.code, "invalid-name", "{path} {name:?}: {error}");
            assert!(
                error
                    .fix
                    .is_some_and(|value| value.contains("lowercase letters")),
                "{path}"
            );
        }
    }
    assert_eq!(
        client.get::<Value>("/api/v2/tokens").expect("a list"),
        before
    );
    assert_eq!(
        client.get::<Value>("/api/v2/keys").expect("a list"),
        json!([])
    );
    // The code was not used up by names that cannot be.
    let pair = json!({ "name": "anna", "code": code });
    let made = client.ask::<Value>(Method::POST, "/api/v2/pair", Some(&pair));
    assert_eq!(made.expect("a token")["about"]["name"], "anna");
    let output = home.bad(1, &["keys", "generate", "a b"]);
    assert!(
        output.contains("invalid name `a b`; fix: use 1 to 64 lowercase letters"),
        "{output}"
    );
}

#[test]
fn the_description_lists_every_code_also_those_of_the_loop() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    let described = client
        .get::<Value>("/api/v2/openapi.json")
        .expect("a description");
    let text = described["info"]["description"]
        .as_str()
        .expect("a text")
        .to_owned();
    for code in ErrorCode::ALL {
        let line = format!("\n- `{}`: {}", code.word(), code.meaning());
        assert!(text.contains(&line), "{code:?}");
    }
    // What the loop refuses has codes of the list, and statuses of their own.
    let nobody = json!({ "guest": "nobody" });
    let twice = json!(["Both", ["HeadYaw", "HeadYaw"]]);
    for (method, path, body, code) in [
        (Method::POST, "loop/end", Some(nobody), "not-found"),
        (Method::POST, "dcm/createAlias", Some(twice), "twice"),
        (Method::POST, "loop/resume", None, "not-now"),
    ] {
        let path = format!("/api/v2/{path}");
        let refused = tests::served::refused(&client, method, &path, body.as_ref());
        assert_eq!(refused, code, "{path}");
        assert!(text.contains(&format!("\n- `{code}`: ")), "{code}");
    }
}

/// Whatever comes, the refusal is one sentence of a readable length, and says what to do instead.
#[test]
fn what_is_long_or_odd_is_refused_in_one_short_sentence() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE]);
    let client = served.client(Some(&served.token("operate")));
    let long = "a".repeat(60_000);
    let motion = format!("actuator,time,value\n{long},1,0.1\n");
    let upload = format!(
        "choreographies/{}?name=long&file=long.csv",
        network::hex::digest(motion.as_bytes())
    );
    let find = json!({ "name": long }).to_string();
    let end = json!({ "guest": long }).to_string();
    let base = r#"{"key":"base","value":"\"/etc/passwd\""}"#;
    let octets = "application/octet-stream";
    for (method, path, kind, body, words) in [
        (
            Method::POST,
            "loop/find",
            "",
            find.as_str(),
            "has no value `aaaa",
        ),
        (
            Method::POST,
            "loop/end",
            "",
            end.as_str(),
            "there is no guest `aaaa",
        ),
        (
            Method::POST,
            "loop/try-preference",
            "",
            base,
            "is no preference",
        ),
        (
            Method::POST,
            "loop/load",
            "",
            "{}",
            "only on the robot's machine",
        ),
        (
            Method::PUT,
            &upload,
            octets,
            motion.as_str(),
            "has no actuator `aaaa",
        ),
    ] {
        let kind = if kind.is_empty() {
            "application/json"
        } else {
            kind
        };
        let path = format!("/api/v2/{path}");
        let error = error(&client, method, &path, kind, body.as_bytes());
        let (sentence, fix) = (&error.sentence, error.fix.as_deref().unwrap_or_default());
        assert!(sentence.contains(words), "{path}: {error:?}");
        assert!(sentence.len() < 400 && !fix.is_empty(), "{path}: {error:?}");
        assert!(
            path.contains("choreographies") || !sentence.contains('\n'),
            "{error:?}"
        );
    }
    // A guest that may drive nothing is no mistake.
    let start = json!({ "choreography": "wave", "wish": { "mask": [] } });
    let started = client.ask::<Value>(Method::POST, "/api/v2/guests", Some(&start));
    assert!(started.expect("it plays")["loaded"].is_object());
}
