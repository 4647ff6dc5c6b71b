//! The dashboard in a real browser, as people use it: pairing, dropping a show into it, checking, playing, tuning,
//! stopping; and the server is killed meanwhile. Screenshots go to `target/pictures`.

#[path = "common/browser.rs"]
mod browser;
mod common;

use std::path::{Path, PathBuf};

use browser::Browser;
use common::home;
use cycle::State;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tests::process::until;
use tests::rig::component;
use tests::served::{WAVE, serve};

/// Uses more fuel than any grant has.
const SPINS: &str = r#"(module (func (export "pre-process") (loop (br 0))))"#;

/// The number of lines about the body's state that are shown more than once.
const SHOWN_AGAIN: &str = "(() => { const all = [...document.querySelectorAll('#events li')]\
    .map((it) => it.textContent).filter((it) => it.includes('the body is'));\
    return all.length - new Set(all).size; })()";

fn picture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_dcm-run"))
        .with_file_name("pictures")
        .join(name)
}

#[test]
fn a_person_pairs_uploads_plays_tunes_and_stops() {
    let home = home();
    let served = serve(&home, "[server]\nlisten = [\"127.0.0.1:0\"]\n");
    let url = format!("http://{}/", served.address());
    until("the body runs", || {
        served.page().read(|it| it.state()).flatten() == Some(State::Running)
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
    page.click("#play");
    page.until("document.querySelector('#guests .card p')?.textContent.startsWith('running')");
    let fuel = "document.querySelector('#guests .card p').textContent.match(/fuel (\\d+)/)[1] > 0";
    page.until(fuel);
    page.picture(&picture("dashboard.png"));
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
            .is_some_and(|it| (it - 7.0).abs() < 0.1)
    });
    // The server is killed: the page reconnects by itself, and the guest plays on.
    kill(Pid::from_raw(served.server()), Signal::SIGKILL).expect("it is there");
    page.until("document.querySelector('#state').textContent === 'not connected'");
    let second = served.address();
    until("another server", || home.run(&["ls"]).status.success());
    // It has another port in this test; on a robot it has the same.
    if served.address() != second || page.value("location.host") != served.address().as_str() {
        let go = format!("location.href = 'http://{}/'", served.address());
        page.value(&go);
    }
    page.until("document.querySelector('#state')?.textContent === 'running'");
    // The guest's button ends it, and the space bar stops everything.
    page.until(
        "[...document.querySelectorAll('#guests button')].some((it) => it.textContent === 'End')",
    );
    page.value("[...document.querySelectorAll('#guests button')].find((it) => it.textContent === 'End').click()");
    page.until("document.querySelector('#guests').textContent.includes('Nobody plays')");
    page.value("document.activeElement.blur()");
    page.press(" ", "Space");
    page.until("document.querySelector('#state').textContent === 'estop'");
    assert_eq!(
        served.page().read(|it| it.state()).flatten(),
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
    page.value("location.href = '/api/v1'");
    page.until("document.querySelectorAll('#operations section').length > 40");
}
