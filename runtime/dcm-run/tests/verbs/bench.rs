//! `dcm-run bench`: every period has a verdict that follows from its turns, and every figure was measured.

use serde_json::Value;

use super::cli::{dcm_run, text};

fn json(args: &[&str]) -> Value {
    let output = dcm_run(args, "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_str(&text(&output.stdout)).expect("one line of JSON")
}

/// What can be said of the verdict from the quantiles alone.
fn verdict_fits(told: &Value) {
    let nanos = |of: &str, key: &str| told[of][key].as_u64().expect("a time");
    let period = told["period_ns"].as_u64().expect("a period");
    let turns = told["turns"].as_u64().expect("a count");
    let verdict = told["verdict"].as_str().expect("a verdict");
    let done = |key: &str| nanos("waking", key) + nanos("working", key);
    match verdict {
        "unknown" => assert!(turns < 100, "{told}"),
        // With half of the turns late, it cannot be comfortable.
        "comfortable" => assert!(nanos("waking", "median_ns") <= period / 2, "{told}"),
        "tight" => assert!(done("longest_ns") > period / 2, "{told}"),
        "no" => assert!(done("longest_ns") > period, "{told}"),
        other => panic!("{other} is no verdict"),
    }
    assert!(verdict == "unknown" || turns >= 100, "{told}");
}

#[test]
fn each_period_has_a_verdict_and_each_figure_was_measured() {
    let told = json(&["bench", "--for", "200ms", "--json"]);
    let loops = told["loops"].as_array().expect("loops");
    let periods: Vec<_> = loops
        .iter()
        .map(|robot_loop| robot_loop["period_ns"].as_u64())
        .collect();
    let wanted = [1, 2, 5, 10, 20].map(|i| Some(i * 1_000_000));
    assert_eq!(periods, wanted);
    for robot_loop in loops {
        let turns = 200_000_000 / robot_loop["period_ns"].as_u64().expect("a period");
        assert_eq!(robot_loop["turns"], turns, "{robot_loop}");
        verdict_fits(robot_loop);
    }
    let figures = &told["figures"];
    assert_eq!(figures["choreography"], "dance");
    let turns = figures["turns"].as_array().expect("turns");
    let guests: Vec<_> = turns.iter().map(|turn| turn["guests"].as_u64()).collect();
    assert_eq!(guests, [Some(0), Some(1), Some(8)]);
    let medians: Vec<_> = turns
        .iter()
        .map(|turn| turn["median_ns"].as_u64())
        .collect();
    assert!(medians.iter().all(Option::is_some), "{figures}");
    // Eight guests are work, whatever else the machine does.
    assert!(medians[2] > medians[0], "{figures}");
    let positive = |value: &Value| value.as_f64().is_some_and(|number| number > 0.0);
    assert!(positive(&figures["page"]["read_ns"]), "{figures}");
    assert!(positive(&figures["page"]["array_ns"]), "{figures}");
    assert!(positive(&figures["check"]["times_real_time"]), "{figures}");
}

#[test]
fn one_period_has_histograms_and_may_have_a_guest() {
    let one = ["bench", "--period", "2ms", "--for", "400ms"];
    let told = json(&[&one[..], &["--play", "breathe", "--json"]].concat());
    assert_eq!(told["turns"], 200);
    verdict_fits(&told);
    let buckets = told["waking"]["buckets_ns"].as_array().expect("buckets");
    let sum: u64 = buckets.iter().filter_map(|bucket| bucket[2].as_u64()).sum();
    assert_eq!(sum, 200, "{told}");
    let output = text(&dcm_run(&one, "").stdout);
    assert!(
        output.contains("200 turns of 2 ms") && output.contains("wake-up latency: median"),
        "{output}"
    );
}

#[test]
fn a_robot_for_which_the_dance_is_not_says_so_and_has_the_rest() {
    let output = dcm_run(&["bench", "--robot", "hexapod", "--for", "20ms"], "");
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{printed}{}", text(&output.stderr));
    for part in [
        "hexapod, ",
        "20 ms",
        "a turn without guests",
        "checking `dance`",
        "newest frame",
    ] {
        assert!(printed.contains(part), "{part} is not in\n{printed}");
    }
    let last = printed.lines().last().expect("a line");
    assert!(last.contains("a verdict needs 100 turns"), "{printed}");
}

#[test]
fn what_cannot_be_measured_is_refused() {
    for (args, code, why) in [
        (["--period", "10us"], 2, "expected a period from 50us to 1s"),
        (["--period", "100s"], 2, "expected a period from 50us to 1s"),
        (["--play", "danse"], 1, "did you mean `dance`?"),
        (
            ["--processor", "4095"],
            1,
            "the loop cannot run on CPU 4095",
        ),
    ] {
        let output = dcm_run(&["bench", args[0], args[1], "--for", "20ms"], "");
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{printed}");
        assert!(printed.contains(why), "{printed}");
    }
}
