//! Wrong requests, and what is said of each.

use serde_json::json;

use super::{explain_json, explain_query};
use crate::Call;

/// What is said of this line, which is no request.
fn said(line: &str) -> String {
    let error = serde_json::from_str::<Call>(line).expect_err(line);
    explain_json::<Call>(line.as_bytes(), &error)
}

#[test]
fn a_mistake_is_told_with_its_place_what_was_expected_and_what_came() {
    for (line, told) in [
        ("", "expected JSON, and nothing came"),
        ("hello", "this is no JSON: line 1, column 1 is wrong"),
        (r#"{"id":1"#, "the JSON ends too early, in line 1, column 7"),
        ("[]", "expected an object, and `[]` came"),
        ("{}", "the field `ask` is missing"),
        (
            r#"{"id":-1,"ask":"hello"}"#,
            "`id`: expected a whole number, 0 or more, and `-1` came",
        ),
        (
            r#"{"id":"1","ask":"hello"}"#,
            "`id`: expected a whole number, 0 or more, and `1` came",
        ),
        (
            r#"{"ask":"hello","x":1}"#,
            "there is no field `x`: expected `id`, `request` or `ask`",
        ),
        (
            r#"{"ask":{"pause":{}}}"#,
            "`ask.pause`: the field `guest` is missing",
        ),
        (
            r#"{"ask":{"silence":{"board":"a","silent":"no"}}}"#,
            "`ask.silence.silent`: expected `true` or `false`, and `no` came",
        ),
        (
            r#"{"ask":{"move":{"to":["A"],"after_ns":[1],"values":[1,null]}}}"#,
            "`ask.move.values[1]`: expected a number, and `null` came",
        ),
        (
            r#"{"ask":{"move":{"to":["A"],"after_ns":[1],"values":[1],"merge":"new"}}}"#,
            "`ask.move.merge`: expected `merge`, `clear-all`, `clear-after` or `clear-before`, and `new` came",
        ),
        (
            r#"{"ask":{"schedule":{"to":["A"],"lists":[[[1,0.5,3],[2,0.5]]]}}}"#,
            "`ask.schedule.lists[0][0]`: expected a list of 2 items, and one of 3 came",
        ),
        (
            r#"{"id":1,"id":2,"ask":"hello"}"#,
            "the field `id` is there twice",
        ),
    ] {
        assert_eq!(said(line), told, "{line}");
    }
}

#[test]
fn what_came_is_cut_and_can_be_printed() {
    let long = json!({ "id": "9".repeat(5000), "ask": "hello" }).to_string();
    let told = said(&long);
    assert!(
        told.ends_with("9…` came") && told.chars().count() < 120,
        "{told}"
    );
    let told = said(&json!({ "id": "a\u{202e}b\u{7}\n", "ask": "hello" }).to_string());
    assert!(told.ends_with("and `a\\u{202e}b\\u{7}\\n` came"), "{told}");
    let told = said(&json!({ "k".repeat(5000): 1 }).to_string());
    assert!(told.chars().count() < 160, "{told}");
    let huge = said(r#"{"id":1e300,"ask":"hello"}"#);
    assert_eq!(
        huge,
        "`id`: expected a whole number, 0 or more, and `1e+300` came"
    );
}

#[test]
fn numbers_of_an_address_are_texts() {
    #[derive(Debug, serde::Deserialize)]
    #[allow(dead_code, reason = "only read")]
    struct Since {
        since: u64,
        who: Option<String>,
    }
    let said = |parts: &[(&str, &str)]| {
        let parts = parts.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
        explain_query::<Since>(parts)
    };
    let expected = "`since`: expected a whole number, 0 or more, and";
    assert_eq!(said(&[("since", "x")]), format!("{expected} `x` came"));
    assert_eq!(
        said(&[("since", "")]),
        format!("{expected} an empty text came")
    );
    assert_eq!(said(&[("since", "-1")]), format!("{expected} `-1` came"));
    assert_eq!(said(&[("who", "1")]), "the field `since` is missing");
    assert_eq!(
        said(&[("since", "1"), ("since", "1")]),
        "a parameter is there twice"
    );
}
