//! The dashboard in a real browser, as people use it: pairing, dropping a show into it, checking, playing, tuning,
//! stopping; and the server is killed meanwhile. Screenshots go to `target/pictures`.

#[path = "../common/browser.rs"]
mod browser;
#[path = "../common/mod.rs"]
mod common;

mod cues;
mod looks;
mod motions;
mod moves;
mod replay;
mod states;

use std::path::{Path, PathBuf};
use std::time::Duration;

use browser::Browser;
use common::home;
use cycle::State;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tests::process::until;
use tests::rig::component;
use tests::served::{BREATHE, Served, WAVE, serve, serve_with};

/// Uses more fuel than any grant has.
pub(crate) const SPINS: &str = r#"(module (func (export "pre-process") (loop (br 0))))"#;

/// The number of lines about the body's state that are shown more than once.
const SHOWN_AGAIN: &str = "(() => { const all = [...document.querySelectorAll('#events li')]\
    .map((it) => it.textContent).filter((it) => it.includes('the body is'));\
    return all.length - new Set(all).size; })()";

pub(crate) fn picture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_dcm-run"))
        .with_file_name("pictures")
        .join(name)
}

/// The settings of a robot that only its page is shown of.
pub(crate) const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[recordings]\non = false\n";

/// Counts how often the page says that it is stale.
const COUNT_STALE: &str = "window.stales = 0; new MutationObserver(() => \
    { stales += document.querySelector('#stale').textContent ? 1 : 0; })\
    .observe(document.querySelector('#stale'), { childList: true })";

/// The robot's page, paired, as soon as it shows the body.
pub(crate) fn paired(served: &Served<'_>, size: (u32, u32)) -> Browser {
    let mut page = Browser::open(&format!("http://{}/", served.address()), size, false);
    page.until("document.querySelector('#pair').open");
    page.fill("#code", &served.code());
    page.fill("#who", "anna");
    page.click("#pair-form button[type=submit]");
    page.until("document.querySelector('#turns').textContent.startsWith('turn ')");
    page
}

#[test]
fn a_person_pairs_uploads_plays_tunes_and_stops() {
    let home = home();
    let served = serve(&home, "[server]\nlisten = [\"127.0.0.1:0\"]\n");
    let url = format!("http://{}/", served.address());
    until("the body runs", || {
        served.page().read(|value| value.state()).flatten() == Some(State::Running)
    });
    let mut page = Browser::open(&url, (1280, 900), false);
    // Nobody is paired yet; stop works all the same.
    page.until("document.querySelector('#pair').open");
    page.fill("#code", "12");
    page.fill("#who", "anna");
    page.click("#pair-form button[type=submit]");
    page.until("document.querySelector('#pair-trouble').textContent.includes('wrong code')");
    page.value("document.querySelector('#code').value = ''");
    page.fill("#code", &served.code());
    page.click("#pair-form button[type=submit]");
    page.until("document.querySelector('#state').textContent === 'running'");
    page.until("document.querySelector('#me').textContent.includes('anna, and may operate')");
    page.until("document.querySelectorAll('#joints tbody tr').length > 20");
    // Events from before the page was opened are shown, each of them once.
    page.until("document.querySelector('#events').textContent.includes('the body is running')");
    assert_eq!(page.value(SHOWN_AGAIN), 0);
    // No script of the page can read the token.
    assert_eq!(page.value("document.cookie"), "");
    // A choreography that fails its check is not played: neither while it is first checked, nor later.
    let spins = home.file("spins.wasm", component(SPINS));
    page.choose("#file", &spins);
    for _ in 0..2 {
        page.click("[aria-label='Play spins']");
        page.until(
            "document.querySelector('#verdict').textContent.includes('spins does not pass')",
        );
        assert_eq!(page.value("document.querySelector('#play').disabled"), true);
        page.value("document.querySelector('#verdict').replaceChildren()");
    }
    assert_eq!(home.good(&["ps", "--all", "--json"]), "");
    // A file is uploaded, checked, and only then can it be played.
    page.choose("#file", Path::new(WAVE));
    page.until("document.querySelector('#verdict').textContent.includes('wave passes the check')");
    page.click("[aria-label='Add to the cues wave']");
    page.until("document.querySelector('#cue-told').textContent === 'Next: 1 wave, 0:04.'");
    page.click("#play");
    page.until("document.querySelector('#guests .card p')?.textContent.startsWith('running')");
    let fuel = "document.querySelector('#guests .card p').textContent.match(/fuel (\\d+)/)[1] > 0";
    page.until(fuel);
    // A slider sets a parameter.
    page.value(
        "(() => { const all = [...document.querySelectorAll('#guests label')]; \
         const it = all.find((it) => it.textContent.startsWith('times')).querySelector('input'); it.value = 7; \
         it.dispatchEvent(new Event('input')); it.dispatchEvent(new Event('change')); })()",
    );
    until("the parameter has changed", || {
        let line = home.good(&["ps", "--json"]);
        let guest: Value =
            serde_json::from_str(line.lines().next().unwrap_or("null")).unwrap_or_default();
        guest["params"]["times"][1]
            .as_f64()
            .is_some_and(|number| (number - 7.0).abs() < 0.1)
    });
    // This picture is in the README of the server.
    page.look((1280, 1500), &[("prefers-color-scheme", "light")]);
    page.until(
        "document.querySelector('#figure').getContext('2d').getImageData(200, 200, 200, 200)\
         .data.some(Boolean)",
    );
    page.picture(&picture("dashboard.png"));
    // Another guest, which does not end by itself.
    home.good(&["take-over"]);
    home.good(&["load", BREATHE, "--no-check"]);
    // The server is killed: the page reconnects by itself, and the guest plays on.
    kill(Pid::from_raw(served.server()), Signal::SIGKILL).expect("it is there");
    page.until("document.querySelector('#state').textContent === 'not connected'");
    let second = served.address();
    home.until_good(&["ls"]);
    // It has another port in this test; on a robot it has the same.
    if served.address() != second || page.value("location.host") != served.address().as_str() {
        let go = format!("location.href = 'http://{}/'", served.address());
        page.value(&go);
        // A browser's token is for the robot at that port alone.
        page.until("document.querySelector('#pair')?.open");
        let shown = home.good(&["pair", "--show", "--json"]);
        let shown: Value = serde_json::from_str(&shown).expect("JSON");
        page.fill("#code", shown["code"].as_str().expect("a code"));
        page.fill("#who", "anna");
        page.click("#pair-form button[type=submit]");
    }
    page.until("document.querySelector('#state')?.textContent === 'running'");
    // The guest's button ends it, and the space bar stops everything.
    let end =
        "[...document.querySelectorAll('#guests button')].find((it) => it.textContent === 'End')";
    page.until(end);
    // The first guest may still play.
    page.until(&format!(
        "(() => {{ {end}?.click(); return document.querySelector('#guests').textContent.includes('Nobody plays'); }})()"
    ));
    page.value("document.activeElement.blur()");
    page.press(" ", "Space");
    page.until("document.querySelector('#state').textContent === 'estop'");
    assert_eq!(
        served.page().read(|value| value.state()).flatten(),
        Some(State::Estop)
    );
    page.until("document.querySelector('#events').textContent.includes('the body is in the state `estop`')");
    assert_eq!(page.value(SHOWN_AGAIN), 0);
    page.click("[data-operation=release]");
    page.until("document.querySelector('#state').textContent !== 'estop'");
    page.value(
        "(() => { const it = document.querySelector('#find'); it.value = 'Battery'; \
         it.dispatchEvent(new Event('input')); })()",
    );
    page.until("document.querySelector('#memory').textContent.includes('Battery/Charge')");
}

#[test]
fn a_phone_in_the_dark_and_whoever_has_no_mouse_find_everything() {
    let home = home();
    let served = serve(&home, "[server]\nlisten = [\"127.0.0.1:0\"]\n");
    let url = format!("http://{}/", served.address());
    let mut page = Browser::open(&url, (390, 844), true);
    page.until("document.querySelector('#pair').open");
    page.fill("#code", &served.code());
    page.fill("#who", "bert");
    page.press("\r", "Enter");
    page.until("document.querySelector('#state').textContent === 'running'");
    page.until("document.querySelectorAll('#joints tbody tr').length > 20");
    page.picture(&picture("phone.png"));
    // Nothing overflows, and every control has a name.
    assert_eq!(
        page.value("document.documentElement.scrollWidth <= innerWidth"),
        true
    );
    let nameless = "[...document.querySelectorAll('button, input, meter, canvas, progress')].filter((it) => \
        !(it.textContent.trim() || it.getAttribute('aria-label') || it.labels?.length || it.hidden))\
        .map((it) => it.outerHTML)";
    assert_eq!(page.value(nameless), serde_json::json!([]));
    // The page loads nothing from other hosts.
    let foreign = "performance.getEntriesByType('resource').map((it) => it.name)\
        .filter((it) => !it.startsWith(location.origin))";
    assert_eq!(page.value(foreign), serde_json::json!([]));
    // The documentation of the API is drawn from its description.
    page.value("location.href = '/api/v2'");
    page.until("document.querySelectorAll('#operations section').length > 40");
}

#[test]
fn a_frozen_link_looks_frozen_and_a_stop_says_whether_it_came() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    page.until("document.querySelector('#state').textContent === 'running'");
    page.value("document.querySelector('[data-operation=hold]').focus()");
    let server = Pid::from_raw(served.server());
    kill(server, Signal::SIGSTOP).expect("it is there");
    // All that is shown is old now, and looks so. What is pressed could act at any later time, so nothing can be.
    page.until("document.querySelector('#stale').textContent.startsWith('STALE')");
    page.until("document.querySelector('#stale').checkVisibility()");
    let looks = "(() => { const of = (it) => getComputedStyle(document.querySelector(it)); return [\
        document.querySelector('#state').textContent, document.querySelector('#stale').role, \
        of('main').filter, of('main').opacity < 0.5, document.querySelector('main').inert, \
        of('#stop').opacity, document.querySelector('#stop').closest('[inert]')]; })()";
    let stale = serde_json::json!(["STALE", "alert", "grayscale(1)", true, true, "1", null]);
    assert_eq!(page.value(looks), stale);
    // STOP says by itself that nobody has confirmed it, and what else to do.
    page.press(" ", "Space");
    page.until("document.querySelector('#stop-told').textContent.includes('NOT CONFIRMED')");
    let sentence = "(({ textContent: text, role }) => [text.includes('dcm-run estop'), text.includes('power'), role])\
        (document.querySelector('#stop-told'))";
    assert_eq!(
        page.value(sentence),
        serde_json::json!([true, true, "alert"])
    );
    page.picture(&picture("stale.png"));
    // The press has waited in the link: it stops the body as soon as that goes on, and then the page is as before.
    kill(server, Signal::SIGCONT).expect("it is there");
    page.until("document.querySelector('#state').textContent === 'estop'");
    page.until("document.querySelector('#stop-told').textContent.includes('is confirmed')");
    page.until("document.querySelector('#stale').textContent === ''");
    let looks = "[getComputedStyle(document.querySelector('main')).opacity, \
        document.querySelector('main').inert, document.activeElement.id]";
    // The button that had the focus makes no sense any more: a key that is pressed next presses no other one.
    page.until("document.activeElement.id !== ''");
    assert_eq!(page.value(looks), serde_json::json!(["1", false, "next"]));
    // Without a server a press fails at once.
    page.value("document.querySelector('#stop-told').textContent = ''");
    kill(server, Signal::SIGKILL).expect("it is there");
    page.until("document.querySelector('#state').textContent === 'not connected'");
    page.press("Escape", "Escape");
    page.until("document.querySelector('#stop-told').textContent.includes('NOT CONFIRMED')");
}

#[test]
fn a_slow_body_and_a_page_that_slept_are_not_stale() {
    let home = home();
    let slow = "format = 1\nname = \"slow\"\nbase = \"wheels\"\nperiod = \"1500ms\"\n";
    let slow = home.file("slow.toml", slow);
    let words = [
        "--robot",
        slow.to_str().expect("a path"),
        "--sim",
        "--id",
        "nao",
    ];
    let served = serve_with(&home, QUIET, &words);
    let mut page = paired(&served, (1280, 900));
    page.value(COUNT_STALE);
    let turn = "Number(document.querySelector('#turns').textContent.match(/turn (\\d+)/)[1])";
    page.value(&format!("window.begun = {turn}"));
    page.until(&format!("{turn} >= begun + 3"));
    assert_eq!(page.value("stales"), 0);
    page.sleep(Duration::from_secs(6));
    page.value(&format!("window.begun = {turn}"));
    page.until(&format!("{turn} >= begun + 1"));
    assert_eq!(page.value("stales"), 0);
}

#[test]
fn space_is_for_the_control_in_focus_and_escape_always_stops() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    let stopped = "document.querySelector('#state').textContent === 'estop'";
    let release = |page: &mut Browser| {
        page.until(stopped);
        page.click("[data-operation=release]");
        page.until("document.querySelector('#state').textContent !== 'estop'");
    };
    assert_eq!(
        page.value("document.querySelector('header').innerText.includes('Esc')"),
        true
    );
    // Space ticks a box and presses a button.
    page.until("document.querySelector('#memory input')");
    page.value("document.querySelector('#memory input').focus()");
    page.press(" ", "Space");
    page.until("document.querySelector('#memory input').checked");
    page.value("document.querySelector('#show-code').focus()");
    page.press(" ", "Space");
    page.until("document.querySelector('#shown').textContent.includes('valid for')");
    assert_eq!(
        served.page().read(|value| value.state()).flatten(),
        Some(State::Running)
    );
    // Escape stops, also from a field.
    page.value("document.querySelector('#find').focus()");
    page.press("Escape", "Escape");
    release(&mut page);
    // Whoever has pressed a button with the mouse means STOP by the space bar.
    page.point("#take-over");
    page.until("document.querySelector('#control').textContent === 'anna holds control'");
    page.press(" ", "Space");
    release(&mut page);
    page.value("document.activeElement.blur()");
    page.press(" ", "Space");
    page.until(stopped);
}

#[test]
fn what_cannot_be_undone_asks_and_names_errors_and_events_are_readable() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    // A file's letters stay in its name.
    let file = home.file("\u{fc}n\u{ef}code.wasm", component(SPINS));
    page.choose("#file", &file);
    page.until("document.querySelector('#verdict').textContent.includes('unicode does not pass')");
    // The first press of a button asks, and does nothing else.
    page.click("[aria-label='Remove unicode']");
    page.until("document.querySelector('[aria-label=\"Really remove? unicode\"]')");
    assert!(home.good(&["ls"]).contains("unicode"));
    page.click("[aria-label='Really remove? unicode']");
    page.until("!document.querySelector('#kept').textContent.includes('unicode')");
    page.click("[data-operation=disarm]");
    page.until(
        "document.querySelector('[data-operation=disarm]').textContent.startsWith('Really')",
    );
    assert_eq!(
        served.page().read(|value| value.state()).flatten(),
        Some(State::Running)
    );
    page.click("[data-operation=disarm]");
    page.until("document.querySelector('#state').textContent === 'disarmed'");
    // An error goes when the next act succeeds.
    page.fill("#key-name", "anna");
    page.fill("#key", &"x".repeat(64));
    page.click("#trust button");
    page.until("!document.querySelector('#trouble').hidden");
    page.click("#show-code");
    page.until("document.querySelector('#shown').textContent.includes('valid for')");
    assert_eq!(
        page.value("document.querySelector('#trouble').hidden"),
        true
    );
    // An event that repeats is one line, also if those of several joints alternate.
    let flood = "import('/events.js').then(({ addEvent }) => { for (let i = 0; i < 200; i += 1) addEvent({ \
        number: 1e6 + i, at_ns: 1e12 + i * 1e7, level: 'info', event: 'skipped', \
        text: `commands for ${i % 2 ? 'HeadYaw' : 'HeadPitch'} were replaced by later ones` }); })";
    page.value(flood);
    let lines = "[...document.querySelectorAll('#events li')].map((it) => it.textContent)\
        .filter((it) => it.includes('replaced'))";
    assert_eq!(
        page.value(lines),
        serde_json::json!([
            "1000.010 to 1001.990 s  commands for HeadYaw were replaced by later ones (100 times)",
            "1000.000 to 1001.980 s  commands for HeadPitch were replaced by later ones (100 times)"
        ])
    );
}

#[test]
fn a_loop_that_stands_still_is_stale_though_its_server_answers() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (800, 600));
    let robot = Pid::from_raw(i32::try_from(served.child.id()).expect("a process ID"));
    kill(robot, Signal::SIGSTOP).expect("it is there");
    page.until("document.querySelector('#stale').textContent.startsWith('STALE')");
    // The page opens a stream anew meanwhile. That shows no old frame as a new one.
    std::thread::sleep(Duration::from_secs(7));
    assert_eq!(page.value("document.querySelector('main').inert"), true);
    assert_eq!(
        page.value("document.querySelector('#state').textContent"),
        "STALE"
    );
    page.press("Escape", "Escape");
    page.until("document.querySelector('#stop-told').textContent.includes('NOT CONFIRMED')");
    page.picture(&picture("narrow.png"));
    kill(robot, Signal::SIGCONT).expect("it is there");
    page.until("document.querySelector('#stale').textContent === ''");
    page.until("document.querySelector('#state').textContent === 'estop'");
    page.until("!document.querySelector('#stop-told').textContent.includes('NOT CONFIRMED')");
}
