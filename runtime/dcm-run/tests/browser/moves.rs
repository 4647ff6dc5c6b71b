//! Poses, and joints moved by hand: only with control, at a bounded speed, and not after STOP.

use std::time::{Duration, Instant};

use sensors::PageReader;
use tests::process::until;
use tests::served::serve;

use crate::common::home;
use crate::{QUIET, paired, picture};

/// What was sent to this joint last.
fn sent(body: &PageReader, joint: &str) -> f64 {
    let place = body
        .actuators()
        .iter()
        .position(|actuator| actuator.name == joint);
    let place = place.expect("a joint");
    body.read(|value| value.sent(place))
        .flatten()
        .expect("a value")
}

/// Drags a joint's slider.
fn drag(joint: &str, to: f64) -> String {
    format!(
        "(() => {{ const it = [...document.querySelectorAll('#sliders label')]\
         .find((it) => it.textContent.startsWith({joint:?})).querySelector('input'); \
         it.value = {to}; it.dispatchEvent(new Event('input')); }})()"
    )
}

#[test]
fn whoever_holds_control_moves_joints_and_poses_slowly() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let body = served.page();
    let mut page = paired(&served, (1280, 900));
    page.until("document.querySelector('#move-told').textContent.includes('Take control')");
    assert_eq!(
        page.value("document.querySelector('#moves').disabled"),
        true
    );
    page.click("#move-control");
    page.until("!document.querySelector('#moves').disabled");
    page.value("document.querySelector('#speed').value = '0.2'");
    page.value("document.querySelector('#move').scrollIntoView()");
    page.picture(&picture("moves.png"));
    // A jump of the slider is a slow motion of the joint.
    page.value(&drag("HeadYaw", 1.0));
    let (begun, first) = (Instant::now(), sent(&body, "HeadYaw"));
    until("it moves", || sent(&body, "HeadYaw") > first + 0.1);
    while begun.elapsed() < Duration::from_secs(2) {
        // Read in this order, a late reader sees less than what was allowed by then.
        let (now, allowed) = (sent(&body, "HeadYaw"), begun.elapsed().as_secs_f64() * 0.2);
        assert!(
            now - first <= allowed + 0.05,
            "{now} after {:?}",
            begun.elapsed()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    // It stays where it is when the move is stopped.
    page.click("#let-be");
    page.until("document.querySelector('#let-be').hidden");
    let there = sent(&body, "HeadYaw");
    std::thread::sleep(Duration::from_millis(500));
    assert!((sent(&body, "HeadYaw") - there).abs() < 0.1 && there < 0.9);
    // A pose takes as long as its farthest joint needs.
    page.value("document.querySelector('#speed').value = '1'");
    page.value("[...document.querySelectorAll('#poses button')].find((it) => it.textContent === 'crouch').click()");
    until("it crouches", || sent(&body, "LKneePitch") > 2.0);
    // After STOP nothing is sent, also when it is released.
    page.value(&drag("HeadYaw", -1.0));
    page.press("Escape", "Escape");
    page.until("document.querySelector('#moves').disabled");
    page.click("[data-operation=release]");
    page.click("[data-operation=resume]");
    page.until("!document.querySelector('#moves').disabled");
    std::thread::sleep(Duration::from_millis(500));
    assert!(sent(&body, "HeadYaw") > -0.9);
    // Another one takes control.
    home.good(&["take-over"]);
    page.until("document.querySelector('#move-told').textContent.includes('Take control')");
    assert_eq!(
        page.value("document.querySelector('#moves').disabled"),
        true
    );
}
