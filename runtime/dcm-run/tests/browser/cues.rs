//! The list of cues: in order, by themselves, again, from a mark, at a time; and what STOP and a reload leave of it.

use serde_json::{Value, json};
use tests::process::{Home, until};
use tests::rig::component;
use tests::served::serve;

use crate::browser::Browser;
use crate::common::home;
use crate::{QUIET, paired, picture};

/// Turns the head a little, and plays for so many turns.
fn module(turns: u32) -> String {
    format!(
        r#"(module
        (import "dcm/body" "find-actuator" (func $find (param i32 i32) (result i32)))
        (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
        (import "dcm/clock" "now" (func $now (result i64)))
        (memory (export "memory") 1)
        (data (i32.const 0) "HeadYaw")
        (global $turns (mut i32) (i32.const 0))
        (global $yaw (mut i32) (i32.const 0))
        (func (export "start") (global.set $yaw (call $find (i32.const 0) (i32.const 7))))
        (func (export "pre-process")
          (if (i32.eq (global.get $turns) (i32.const 10)) (then
            (drop (call $set (global.get $yaw) (f64.const 0.1)
              (i64.add (call $now) (i64.const 500000000))))))
          (global.set $turns (i32.add (global.get $turns) (i32.const 1))))
        (func (export "is-alive") (result i32) (i32.lt_u (global.get $turns) (i32.const {turns}))))"#
    )
}

/// Uploads such a choreography, and adds it to the cues.
fn add(page: &mut Browser, home: &Home, name: &str, turns: u32) {
    let file = home.file(&format!("{name}.wasm"), component(&module(turns)));
    page.choose("#file", &file);
    page.until(&format!(
        "document.querySelector('#verdict').textContent.includes('{name} passes')"
    ));
    let cues = page.value("document.querySelectorAll('.cue').length");
    page.click(&format!("[aria-label='Add to the cues {name}']"));
    page.until(&format!(
        "document.querySelectorAll('.cue').length > {cues}"
    ));
}

/// Changes a control of a cue, counted from 0.
fn set(page: &mut Browser, cue: usize, control: &str, change: &str) {
    page.value(&format!(
        "(() => {{ const it = document.querySelectorAll('.cue')[{cue}].querySelector({control:?}); {change}; \
         it.dispatchEvent(new Event('change')); }})()"
    ));
}

fn told(page: &mut Browser, words: &str) {
    page.until(&format!(
        "document.querySelector('#cue-told').textContent.includes({words:?})"
    ));
}

/// The names of the guests that were started, in their order.
fn started(home: &Home) -> Vec<Value> {
    let lines = home.good(&["ps", "--all", "--json"]);
    let mut guests: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    guests.sort_by_key(|guest| guest["id"].as_u64());
    guests
        .into_iter()
        .map(|guest| guest["name"].clone())
        .collect()
}

/// Loads the page again, and waits until it has gone.
fn reload(page: &mut Browser) {
    page.value("window.isOld = true; location.reload()");
    page.until("!window.isOld");
}

/// The names of the cues, in their order.
const NAMES: &str = "[...document.querySelectorAll('.cue strong')].map((it) => it.textContent)";

#[test]
fn cues_play_in_their_order_again_and_by_themselves() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    // Without a cue there is nothing to start.
    page.until("document.querySelector('#next').textContent.includes('Go plays a cue')");
    assert_eq!(page.value("document.querySelector('#go').disabled"), true);
    add(&mut page, &home, "one", 500);
    add(&mut page, &home, "two", 250);
    told(&mut page, "Next: 1 one, 0:05.");
    set(&mut page, 0, "[type=checkbox]", "it.checked = true");
    set(&mut page, 1, "[type=number]", "it.value = 2");
    page.click("#go");
    told(&mut page, "of 0:05. Then two by itself.");
    page.until("document.querySelectorAll('.cue progress')[0].value > 0.5");
    page.value("document.querySelector('#cues-part').scrollIntoView()");
    page.until("document.querySelector('#plans').textContent.includes('when one has ended, planned by anna')");
    page.picture(&picture("cues.png"));
    told(&mut page, "two plays");
    told(&mut page, "Next: 1 one, 0:05.");
    page.until("!document.querySelector('#cue-told').textContent.includes('plays')");
    assert_eq!(started(&home), [json!("one"), json!("two"), json!("two")]);
    // A list that repeats begins again.
    page.click("#cue-round");
    set(&mut page, 1, "[type=number]", "it.value = 1");
    set(&mut page, 1, "[type=checkbox]", "it.checked = true");
    page.click("[aria-label='Start at two']");
    told(&mut page, "Next: 2 two");
    page.click("#go");
    told(&mut page, "two plays");
    told(&mut page, "one plays");
    // Whoever ends a cue wants nothing to follow.
    page.click("#cue-end");
    page.until("!document.querySelector('#cue-told').textContent.includes('plays')");
    until("nothing is planned", || {
        home.good(&["start", "--planned", "--json"]).is_empty()
    });
    assert_eq!(started(&home).len(), 5);
}

#[test]
fn cues_outlive_a_reload_and_stop_leaves_nothing_to_follow() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    // It plays until its end button is pressed, however busy the machine is.
    add(&mut page, &home, "long", 2_000_000_000);
    add(&mut page, &home, "short", 400);
    set(&mut page, 0, "[type=checkbox]", "it.checked = true");
    page.click("#go");
    told(&mut page, "Then short by itself.");
    reload(&mut page);
    told(&mut page, "Then short by itself.");
    told(&mut page, "long plays");
    // STOP cancels what would follow; the guest itself waits, as every guest does.
    page.press("Escape", "Escape");
    page.until("document.querySelector('#state').textContent === 'estop'");
    until("nothing is planned", || {
        home.good(&["start", "--planned", "--json"]).is_empty()
    });
    assert_eq!(page.value("document.querySelector('#go').disabled"), true);
    page.click("[data-operation=release]");
    page.click("[data-operation=resume]");
    page.until("document.querySelector('#state').textContent === 'running'");
    page.click("#cue-end");
    told(&mut page, "Next: 2 short");
    // Their order is kept in this browser, and so is the mark.
    page.click("[aria-label='Move up short']");
    page.click("[aria-label='Start at short']");
    reload(&mut page);
    told(&mut page, "Next: 1 short, 0:04.");
    assert_eq!(page.value(NAMES), json!(["short", "long"]));
    // A start at a time is planned by the robot, and can be cancelled.
    let plan = |seconds: u32| {
        format!(
            "(() => {{ const at = new Date(Date.now() + {seconds}e3); \
             document.querySelector('#cue-at').value = at.toTimeString().slice(0, 8); \
             document.querySelector('#cue-plan').click(); }})()"
        )
    };
    page.value("document.querySelector('#cues-part').scrollIntoView()");
    page.value(&plan(600));
    page.click("[aria-label='Cancel the start of short']");
    page.until("document.querySelectorAll('#plans li').length === 0");
    page.click("[aria-label='Start at short']");
    page.value(&plan(4));
    page.until("document.querySelectorAll('#plans li').length === 1");
    told(&mut page, "short plays");
    page.click("[aria-label='Take out short']");
    page.until("document.querySelectorAll('.cue').length === 1");
    assert_eq!(page.value(NAMES), json!(["long"]));
}
