//! A recording is played on a body beside the live one, with a slider of time.

use serde_json::json;
use tests::process::until;
use tests::served::{WAVE, serve};

use crate::common::home;
use crate::{paired, picture};

/// Scrolls to the recordings, until they are listed.
pub(crate) const LISTED: &str = "(document.querySelector('#h-recordings').scrollIntoView(), \
    document.querySelector('#recordings li'))";

/// Whether something is drawn on a canvas.
fn is_drawn(canvas: &str) -> String {
    format!(
        "(() => {{ const it = document.querySelector({canvas:?}); \
         return it.getContext('2d').getImageData(0, 0, it.width, it.height).data.some(Boolean); }})()"
    )
}

#[test]
fn a_recording_is_played_beside_the_live_body() {
    let home = home();
    let served = serve(&home, "[server]\nlisten = [\"127.0.0.1:0\"]\n");
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check"]);
    until("it has waved", || {
        home.good(&["ps", "--all", "--json"]).contains("finished")
    });
    let mut page = paired(&served, (1280, 900));
    page.until(LISTED);
    // Ended, so that it has an end.
    page.click("#record:not([disabled])[aria-pressed=true]");
    page.until("document.querySelector('#record').getAttribute('aria-pressed') === 'false'");
    page.click("#recordings [aria-label^='Play ']");
    page.until("document.querySelector('#replay').checkVisibility()");
    page.until("Number(document.querySelector('#replay-time').value) > 0.5");
    page.until(&is_drawn("#replayed"));
    let place =
        "['#figure', '#replayed'].map((it) => document.querySelector(it).getBoundingClientRect())";
    let beside = format!("(([a, b]) => a.top === b.top && a.right <= b.left)({place})");
    assert_eq!(page.value(&beside), true);
    // The slider goes to any time; while the robot waved, its shoulder was up.
    let seek = "(() => { const it = document.querySelector('#replay-time'); it.value = Number(it.max) - 2.5; \
        it.dispatchEvent(new Event('input')); })()";
    page.value(seek);
    page.until("document.querySelector('#replay-play').textContent === 'Play'");
    let shown = "(() => { const at = Number(document.querySelector('#replay-time').value); \
        const [, state, told] = document.querySelector('#replay-state').textContent.match(/(.*) at (.*) s/); \
        return state === 'running' && Math.abs(told - at) < 0.06; })()";
    page.until(shown);
    page.value("window.scrollTo(0, 0)");
    page.picture(&picture("replay.png"));
    // It plays on, and stops at its end. Nothing moves on the robot.
    page.click("#replay-play");
    page.until("document.querySelector('#replay-time').value === document.querySelector('#replay-time').max");
    page.until("document.querySelector('#replay-play').textContent === 'Play'");
    assert_eq!(
        page.value("document.querySelector('#guests').textContent"),
        json!("Nobody plays.")
    );
    page.click("#replay-close");
    assert_eq!(page.value("document.querySelector('#replay').hidden"), true);
    assert_eq!(
        page.value("document.querySelector('#trouble').hidden"),
        true
    );
}
