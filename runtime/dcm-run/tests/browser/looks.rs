//! The page for all eyes, ears and hands: names, headings, contrast, and a window 320 pixels wide, in every mode; a
//! face; and files that are sent compressed. `AXE=axe.min.js` adds the rules of axe-core.

use serde_json::json;
use tests::served::{WAVE, serve};

use crate::browser::Browser;
use crate::common::home;
use crate::replay::LISTED;
use crate::{paired, picture};

const AUDIT: &str = include_str!("audit.js");

/// What axe finds: the rule, and where.
const AXE: &str = "axe.run(document, { resultTypes: ['violations'] }).then((it) => it.violations\
    .map(({ id, nodes }) => `${id}: ${nodes.map((one) => one.target.join(' ')).join(', ')}`))";

/// The size of the window, and what its reader prefers.
type Mode = (
    &'static str,
    (u32, u32),
    &'static [(&'static str, &'static str)],
);

const MODES: [Mode; 5] = [
    ("light", (1280, 900), &[("prefers-color-scheme", "light")]),
    ("dark", (1280, 900), &[("prefers-color-scheme", "dark")]),
    (
        "contrast",
        (1280, 900),
        &[
            ("prefers-contrast", "more"),
            ("prefers-color-scheme", "dark"),
        ],
    ),
    ("colours", (1280, 900), &[("forced-colors", "active")]),
    (
        "narrow",
        (320, 640),
        &[
            ("prefers-color-scheme", "dark"),
            ("prefers-reduced-motion", "reduce"),
        ],
    ),
];

/// Looks at the page in every mode.
fn audit(page: &mut Browser, what: &str) {
    for (mode, size, features) in MODES {
        page.look(size, features);
        page.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        assert_eq!(page.value(AUDIT), json!([]), "{what}, {mode}");
        if let Ok(path) = std::env::var("AXE") {
            let axe = std::fs::read_to_string(path).expect("axe-core");
            page.value(&format!("window.axe ?? (() => {{ {axe} }})(); 0"));
            assert_eq!(page.value(AXE), json!([]), "{what}, {mode}, by axe");
        }
        page.picture(&picture(&format!("{what}-{mode}.png")));
    }
    let (_, size, features) = MODES[0];
    page.look(size, features);
}

#[test]
fn everybody_can_use_the_page_in_every_mode() {
    let home = home();
    let served = serve(&home, "[server]\nlisten = [\"127.0.0.1:0\"]\n");
    served.wait_until_it_runs();
    let mut page = Browser::open(&format!("http://{}/", served.address()), (1280, 900), false);
    page.until("document.querySelector('#pair').open");
    audit(&mut page, "pairing");
    drop(page);
    let mut page = paired(&served, (1280, 900));
    // As much as can be there at once.
    page.choose("#file", std::path::Path::new(WAVE));
    page.until("document.querySelector('#verdict').textContent.includes('wave passes the check')");
    for _ in 0..2 {
        page.click("[aria-label='Add to the cues wave']");
    }
    page.click("#move-control");
    page.value("document.querySelector('#cue-at').value = '03:00:00'");
    page.click("#cue-plan:not([disabled])");
    page.until(LISTED);
    page.click("#recordings [aria-label^='Play ']");
    page.until("document.querySelector('#replay').checkVisibility()");
    page.click("#go:not([disabled])");
    page.until("document.querySelector('#guests .card p')?.textContent.startsWith('running')");
    audit(&mut page, "playing");
    page.press("Escape", "Escape");
    page.until("document.querySelector('#state').textContent === 'estop'");
    audit(&mut page, "stopped");
    // The documentation of the API.
    page.value("location.href = '/api/v2'");
    page.until("document.querySelectorAll('#operations section').length > 40");
    audit(&mut page, "api");
}

#[test]
fn a_body_that_is_pushed_over_lies_on_the_page() {
    let home = home();
    let served = serve(&home, crate::QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    let label = "document.querySelector('#figure').getAttribute('aria-label')";
    page.until(&format!("{label}.startsWith('The body, upright, ')"));
    page.until("document.querySelector('#placing').textContent.startsWith('Light: ')");
    page.picture(&picture("stands.png"));
    home.good(&["sim", "push", "torso", "80N", "300ms", "left"]);
    page.until(&format!("{label}.startsWith('The body, lying, ')"));
    page.picture(&picture("lies.png"));
    home.good(&["sim", "lift"]);
    page.until(&format!("{label}.startsWith('The body, upright, ')"));
}

#[test]
fn the_head_has_a_face_and_files_come_compressed() {
    let home = home();
    let served = serve(&home, crate::QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    // Pixels in the colour of the face, below the ghost: there are some in front, and none behind.
    let face = "(() => { const it = document.querySelector('#figure'); \
        const { data } = it.getContext('2d').getImageData(0, 0, it.width, it.height); let many = 0; \
        for (let at = 0; at < data.length; at += 4) \
        many += [42, 49, 64].every((it, which) => Math.abs(data[at + which] - it) < 10); return many; })()";
    page.until(&format!("{face} > 40"));
    page.value(
        "for (let i = 0; i < 26; i += 1) document.querySelector('#figure')\
         .dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }))",
    );
    page.until(&format!("{face} === 0"));
    let compressed = "performance.getEntriesByType('resource')\
        .filter((it) => /page\\.(css|js)$/.test(it.name)).map((it) => it.encodedBodySize < it.decodedBodySize / 2)";
    assert_eq!(page.value(compressed), json!([true, true]));
    let json = "fetch('/api/v2/openapi.json').then(async (it) => [it.headers.get('content-encoding'), \
        (await it.json()).openapi.slice(0, 1)])";
    assert_eq!(page.value(json), json!(["gzip", "3"]));
    // STOP waits for nothing.
    let stop = "fetch('/api/v2/body/stop', { method: 'POST', headers: { 'x-dcm-run': '1' } })\
        .then((it) => it.headers.get('content-encoding'))";
    assert_eq!(page.value(stop), json!(null));
}
