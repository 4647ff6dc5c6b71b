//! Buttons are where they make sense for the state of the body and for the role of a person, and a sentence says what
//! to press next.

use serde_json::json;
use tests::rig::component;
use tests::served::serve;

use crate::browser::Browser;
use crate::common::home;
use crate::{QUIET, SPINS, paired};

/// The buttons of the body that are shown.
const SHOWN: &str = "[...document.querySelectorAll('#operations [data-operation]')]\
    .filter((it) => it.checkVisibility()).map((it) => it.dataset.operation)";

#[test]
fn each_state_has_its_buttons_and_says_which_is_next() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    let mut expect = |state: &str, buttons: &[&str], next: &str| {
        page.until(&format!(
            "document.querySelector('#state').textContent === {state:?}"
        ));
        assert_eq!(page.value(SHOWN), json!(buttons), "{state}");
        page.until(&format!(
            "document.querySelector('#next').textContent.includes({next:?})"
        ));
        page.click(&format!(
            "[data-operation={}]",
            match state {
                "running" => "hold",
                "holding" => "resume",
                _ => return,
            }
        ));
    };
    expect("running", &["hold", "retreat", "disarm"], "Go plays a cue");
    expect("holding", &["resume", "retreat", "disarm"], "Resume");
    expect("running", &["hold", "retreat", "disarm"], "Go plays a cue");
    home.good(&["estop"]);
    expect("estop", &["release", "disarm"], "Release stop");
    home.good(&["disarm"]);
    expect("disarmed", &["arm"], "Arm");
    // A finding says how grave it is.
    let file = home.file("spins.wasm", component(SPINS));
    page.choose("#file", &file);
    page.until("document.querySelector('#verdict .severity').textContent === 'failure'");
    page.until("document.querySelector('#verdict li').textContent.includes('Fix: ')");
}

#[test]
fn whoever_may_only_watch_sees_no_button_but_those_that_read_and_stop() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let shown = home.good(&["pair", "--show", "--role", "watch", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    let code = shown["code"].as_str().expect("a code");
    let mut page = Browser::open(&format!("http://{}/", served.address()), (1280, 900), false);
    page.until("document.querySelector('#pair').open");
    page.fill("#code", code);
    page.fill("#who", "wanda");
    page.press("\r", "Enter");
    page.until("document.querySelector('#me').textContent.includes('wanda, and may watch')");
    page.until("document.querySelector('#next').textContent.includes('it takes the role perform')");
    let shown = "[...document.querySelectorAll('button')].filter((it) => it.checkVisibility())\
        .map((it) => it.textContent)";
    let wanted = [
        "STOP",
        "\u{2190}",
        "\u{2192}",
        "+",
        "\u{2212}",
        "0",
        "Unpair this browser",
    ];
    assert_eq!(page.value(shown), json!(wanted));
    page.click("#stop");
    page.until("document.querySelector('#state').textContent === 'estop'");
    assert_eq!(page.value(SHOWN), json!([]));
    page.until("document.querySelector('#next').textContent.includes('it takes the role operate')");
}

#[test]
fn a_clock_that_was_in_the_future_is_told_of_and_corrected() {
    let home = home();
    drop(serve(&home, QUIET));
    let index = home.path("run/state/nao/index.json");
    let text = std::fs::read(&index).unwrap_or_else(|_| b"{}".to_vec());
    let mut stored: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    stored["latest"] = 4_294_967_295_u64.into();
    std::fs::write(&index, stored.to_string()).expect("a file");
    let served = serve(&home, QUIET);
    let mut page = paired(&served, (1280, 900));
    page.until("document.querySelector('#clock').textContent.includes('2106')");
    page.click("#correct-clock button");
    page.click("#correct-clock button");
    page.until("!document.querySelector('#clock').textContent.includes('2106')");
    assert_eq!(
        page.value("document.querySelectorAll('#correct-clock button').length"),
        0
    );
    assert!(home.good(&["clock"]).contains("UTC"));
}
