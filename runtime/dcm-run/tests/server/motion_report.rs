//! What a robot tells of its motion: which lanes drive an actuator, and how late a joint follows.

use crate::common::home;
use sensors::PageReader;
use serde_json::Value;
use tests::process::{Home, until};
use tests::served::{WAVE, ask_loop, serve};

const QUIET: &str = "[recordings]\non = false\n[server]\nlisten = [\"127.0.0.1:0\"]\n";

/// The lines of an answer, as JSON.
fn rows(home: &Home, words: &[&str]) -> Vec<Value> {
    let output = home.good(&[&["--json"], words].concat());
    let rows = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    rows.collect()
}

#[test]
fn who_drives_is_told_on_every_way() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    assert!(
        home.good(&["lane", "driving"])
            .contains("no lane drives anything")
    );
    home.good(&["push", WAVE]);
    home.good(&["start", "wave", "--no-check", "--param", "times=50"]);
    home.good(&[
        "lane",
        "open",
        "above",
        "--priority",
        "20",
        "--weight",
        "0.5",
    ]);
    home.good(&["set", "RShoulderPitch", "0.5", "--lane", "above"]);
    home.good(&["set", "HeadYaw", "0.25", "--in", "60s"]);
    let of = |rows: &[Value], actuator: &str| -> Value {
        let found = rows.iter().find(|row| row["actuator"] == actuator);
        found.map_or(Value::Null, |value| value["lanes"].clone())
    };
    let mut all = Vec::new();
    until("all of them drive", || {
        all = rows(&home, &["lane", "driving"]);
        of(&all, "RShoulderPitch")
            .as_array()
            .is_some_and(|value| value.len() == 2 && value[0]["value"] == 0.5)
            && of(&all, "HeadYaw").is_array()
    });
    let shoulder = of(&all, "RShoulderPitch");
    assert_eq!(shoulder[0]["lane"], "above");
    assert_eq!(shoulder[0]["priority"], 20.0);
    assert_eq!(shoulder[0]["weight"], 0.5);
    assert_eq!(shoulder[1]["lane"], "wave");
    assert_eq!(shoulder[1]["hidden"], false);
    assert_eq!(of(&all, "HeadYaw")[0]["lane"], "clients");
    // Where it was added is told beside it.
    let wave = rows(&home, &["ps"]).remove(0);
    assert_eq!(
        (&wave["name"], wave["from"].is_string()),
        (&Value::from("wave"), true)
    );
    // Half of it left: a full weight hides the guest.
    home.good(&["lane", "tune", "above", "--weight", "1"]);
    let client = served.client(Some(&served.token("watch")));
    until("the guest is hidden", || {
        let fields = serde_json::json!({ "of": ["RShoulderPitch", "LHand"] });
        let all = ask_loop(&client, "driving", &fields);
        let all = all.as_array().expect("a list");
        assert_eq!(all.len(), 2);
        assert_eq!(of(all, "LHand"), serde_json::json!([]));
        of(all, "RShoulderPitch")[1]["hidden"] == true
    });
    let text = home.good(&["lane", "driving", "RShoulderPitch", "LHand"]);
    assert!(text.contains("hidden") && text.contains("nobody"), "{text}");
    let output = home.bad(1, &["lane", "driving", "RSholderPitch"]);
    assert!(output.contains("RShoulderPitch"), "{output}");
}

/// By how many turns `sensor` is best shifted back to lie on what was sent, by trying shifts of a hundredth of a turn.
fn shift(page: &PageReader, joint: &str) -> f64 {
    let place = |labels: Vec<sensors::Label>| labels.iter().position(|label| label.name == joint);
    let actuator = place(page.actuators()).expect("a joint");
    let sensor = place(page.sensors()).expect("a sensor");
    let pairs: Vec<(f64, f64)> = page
        .turns()
        .filter_map(|turn| {
            page.read_turn(turn, |frame| {
                Some((frame.sent(actuator)?, frame.sensor(sensor)?))
            })?
        })
        .collect();
    let stray = |late: f64| {
        let (whole, part) = (late.floor() as usize, late.fract());
        let off = (60..pairs.len()).map(|i| {
            let line = pairs[i - whole].0 * (1.0 - part) + pairs[i - whole - 1].0 * part;
            (pairs[i].1 - line).powi(2)
        });
        off.sum::<f64>()
    };
    let tried = (0..5_000).map(|i| f64::from(i) / 100.0);
    tried
        .min_by(|a, b| stray(*a).total_cmp(&stray(*b)))
        .expect("one is best")
}

#[test]
fn the_latency_of_a_joint_is_what_its_page_shows() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let output = home.bad(1, &["latency"]);
    assert!(output.contains("no joint has moved enough"), "{output}");
    // It is measured over the last turns: on a busy machine they may have passed.
    until("its moves are among the last turns", || {
        for (time, value) in [("600ms", "0.8"), ("500ms", "-0.6"), ("700ms", "0.4")] {
            home.good(&["set", "HeadYaw", value, "--in", time, "--wait"]);
        }
        home.run(&["latency", "HeadYaw"]).status.success()
    });
    let row = rows(&home, &["latency", "HeadYaw"]).remove(0);
    assert_eq!(row["name"], "HeadYaw");
    let ms = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"));
    let page = served.page();
    let period = page.period().seconds() * 1e3;
    let wanted = shift(&page, "HeadYaw") * period;
    assert!(
        (ms("measured_ms") - wanted).abs() <= period,
        "{row}: {wanted}"
    );
    assert!(ms("measured_ms") > 0.0 && ms("board_ms") >= 0.0, "{row}");
    // HeadPitch may have moved as well: its range depends on HeadYaw.
    let all = rows(&home, &["latency"]);
    assert!(all.iter().all(|item| {
        item["name"]
            .as_str()
            .is_some_and(|text| text.starts_with("Head"))
    }));
    let still = rows(&home, &["latency", "LElbowYaw"]).remove(0);
    assert!(still["measured_ms"].is_null(), "{still}");
    let text = home.good(&["latency"]);
    assert!(
        text.contains("MEASURED") && text.contains("HeadYaw"),
        "{text}"
    );
}
