//! The binary's output and exit codes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

pub(crate) fn dcm_run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dcm-run"))
        .args(args)
        .current_dir(ROOT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A verb that does not read its input may have ended.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Word for word, except for what cargo adds, and except that the minute passes faster.
#[test]
fn the_readmes_first_command_brings_a_robot_to_life_and_ends() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).expect("a README");
    let words = readme
        .lines()
        .find_map(|line| line.strip_prefix("cargo try "))
        .expect("a first command");
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_dcm-run"))
        .args(words.split_whitespace())
        .arg("--fast")
        .current_dir(ROOT)
        .env("DCM_RUN_DIR", folder.path())
        .output()
        .expect("the binary runs");
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        printed.contains("the body is running") && printed.contains("dance  finished"),
        "{printed}"
    );
    assert!(
        printed.contains("stopped softly") && printed.contains("misses: none"),
        "{printed}"
    );
}

/// The first command names no program, so there must be only one.
#[test]
fn cargo_run_has_one_program_to_run() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    let output: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let ours = output["workspace_default_members"]
        .as_array()
        .expect("members");
    let packages = output["packages"].as_array().expect("packages");
    let programs: Vec<_> = packages
        .iter()
        .filter(|package| ours.contains(&package["id"]))
        .flat_map(|package| package["targets"].as_array().expect("targets"))
        .filter(|item| item["kind"][0] == "bin")
        .map(|item| item["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(programs, ["dcm-run"]);
}

#[test]
fn the_readmes_example_prints_what_the_readme_shows() {
    let output = dcm_run(&["trace", "tests/traces/worked-example-2/script.txt"], "");
    assert!(output.status.success());
    let readme =
        std::fs::read_to_string(Path::new(ROOT).join("tests/traces/README.md")).expect("a README");
    assert!(
        readme.contains(&text(&output.stdout)),
        "the README shows something else"
    );
}

/// The guide's example is compiled and run by its own tests.
#[test]
fn the_readmes_choreography_is_that_of_the_guide() {
    let read = |name: &str| std::fs::read_to_string(Path::new(ROOT).join(name)).expect(name);
    let (readme, guide) = (read("README.md"), read("guest-sdk/README.md"));
    let (_, example) = readme.split_once("```rust\n").expect("an example");
    let (example, _) = example.split_once("```").expect("its end");
    assert!(guide.contains(example), "the guide has no\n{example}");
}

#[test]
fn a_script_comes_from_standard_input_and_its_mistakes_are_named() {
    let good = dcm_run(
        &["trace", "-"],
        "actuator A joint -1..1\nevery 10 until 10\n",
    );
    assert_eq!(text(&good.stdout), " t  A\n 0  0\n10  0\n");
    for (script, words) in [
        (
            "",
            "no turns: write `every 10 until 100` or `turns 0 10 20`",
        ),
        (
            "actuator A knee -1..1\n",
            "line 1: expected joint, hand, wheel, stiffness, light or trigger, found \"knee\"",
        ),
        (
            "\nactuator A joint 1\n",
            "line 2: expected a range such as -1..1, found \"1\"",
        ),
        (
            "actuator A joint 1..-1\nturns 0\n",
            "this body cannot run: Body(Range(ActuatorId(0)))",
        ),
        (
            "actuator A joint -1..1\nturns 0\nat 0 shared merge B 1:1\n",
            "line 3: there is no actuator \"B\"",
        ),
        (
            "turns 0\nat 0 nobody merge A 1:1\n",
            "line 2: \"nobody\" is neither a lane nor",
        ),
        (
            "actuator A joint -1..1\nturns 0\nat 0 shared merge A 1-1\n",
            "expected a command such as 10:0.5",
        ),
        ("turns -99999999\n", "there is no instant"),
        ("every 0 until 10\n", "a step must be above 0"),
        (
            "set good-link 99999\nturns 0\n",
            "the script takes too long to start",
        ),
    ] {
        let output = dcm_run(&["trace", "-"], script);
        assert_eq!(output.status.code(), Some(1), "{script:?}");
        assert!(
            text(&output.stderr).contains(words),
            "{script:?}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn a_table_is_compared_with_an_expected_one() {
    let script = "tests/traces/worked-example-1/script.txt";
    let same = dcm_run(
        &[
            "trace",
            script,
            "--expect",
            "tests/traces/worked-example-1/expected.txt",
        ],
        "",
    );
    assert_eq!(
        (same.status.code(), text(&same.stdout)),
        (Some(0), String::new())
    );
    let other = dcm_run(
        &[
            "trace",
            script,
            "--expect",
            "tests/traces/worked-example-2/expected.txt",
        ],
        "",
    );
    assert_eq!(other.status.code(), Some(3));
    assert!(
        text(&other.stdout)
            .contains("differs from tests/traces/worked-example-2/expected.txt at line 1")
    );
}

#[test]
fn features_lists_every_row_and_counts_them() {
    let all = text(&dcm_run(&["features"], "").stdout);
    assert_eq!(all.lines().count(), 169, "168 rows and the sum");
    let missing = text(&dcm_run(&["features", "--missing"], "").stdout);
    assert!(missing.lines().count() < all.lines().count());
    // Each row has one of three states, and the sum has how many have which.
    let states = |state: &str| {
        let words = all.lines().map(|line| line.split_whitespace().nth(1));
        words.filter(|word| *word == Some(state)).count()
    };
    let (shown, partly, no) = (states("shown"), states("partly"), states("no"));
    let sum = format!(
        "of {} features, tests show {shown}, and {partly} partly; {no} are not there or not shown",
        shown + partly + no
    );
    assert_eq!(all.lines().last(), Some(sum.as_str()));
    assert!(partly > 5 && missing.contains("; missing: ") && !missing.contains(" shown "));
}

#[test]
fn every_verb_explains_itself() {
    for (verb, words) in [
        ("start", "20:15:30"),
        ("stop", "Without a guest the loop ends"),
        ("pair", "asks for the code"),
        ("push", "Exit code 3"),
        ("boot", "three starts in a row"),
        ("top", "Space presses"),
    ] {
        let help = text(&dcm_run(&[verb, "--help"], "").stdout);
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(words), "{verb}: {help}");
    }
}

#[test]
fn a_unit_of_systemd_lets_the_robot_reach_its_body_and_come_down() {
    let unit = |words: &[&str]| {
        let words = [&["service", "print"][..], words].concat();
        let output = dcm_run(&words, "");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let nao = unit(&["--robot", "nao", "--sim"]);
    for line in [
        "Type=notify",
        "KillMode=process",
        "PrivateTmp=yes",
        "ProtectSystem=strict",
        "ProtectKernelLogs=yes",
        "SystemCallFilter=@system-service",
        "UMask=0077",
        "LimitNOFILE=65536",
        "User=dcm-run",
    ] {
        assert!(nao.lines().any(|item| item == line), "{line}: {nao}");
    }
    assert!(
        nao.contains("dcm-run serve --robot nao --id nao --sim\n"),
        "{nao}"
    );
    // Its body is at a socket in /tmp.
    let v6 = unit(&["--robot", "nao-v6"]);
    assert!(!v6.contains("PrivateTmp"), "{v6}");
    // Only groups that this machine has.
    let other = unit(&["--robot", "nao", "--sim", "--as", "nobody"]);
    assert!(
        other.contains("User=nobody\n") && !other.contains(" realtime "),
        "{other}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("a state");
    let kept = unit(&[
        "--robot",
        "nao",
        "--sim",
        "--state",
        state.to_str().expect("a path"),
    ]);
    let path = state.display();
    assert!(kept.contains(&format!("--state \"{path}\"\n")), "{kept}");
    assert!(
        kept.contains(&format!("ReadWritePaths=\"{path}\"\n")),
        "{kept}"
    );
    let own = unit(&["--robot", "nao", "--sim", "--user"]);
    assert!(
        own.contains("NoNewPrivileges=yes")
            && !own.contains("ProtectSystem")
            && !own.contains("User="),
        "{own}"
    );
    // A package's unit names no robot, and nothing of the machine that made it; /tmp has the socket of a NAO V6.
    let words = ["--as", "dcm-run", "--program", "/usr/bin/dcm-run"];
    let any = dcm_run(&[&["service", "template"][..], &words].concat(), "");
    let any = text(&any.stdout);
    for line in [
        "ExecStart=/usr/bin/dcm-run serve --robot %i --id %i $DCM_RUN_OPTIONS",
        "User=dcm-run",
        "EnvironmentFile=-/etc/dcm-run/%i.env",
        "ProtectSystem=strict",
    ] {
        assert!(any.lines().any(|item| item == line), "{line}: {any}");
    }
    assert!(
        !any.contains("SupplementaryGroups") && !any.contains("PrivateTmp"),
        "{any}"
    );
}

#[test]
fn wrong_words_and_missing_files_have_their_exit_codes() {
    assert_eq!(dcm_run(&["dance"], "").status.code(), Some(2));
    let output = dcm_run(&["trace", "no/such/script"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr)
            .starts_with("dcm-run: there is no file `no/such/script`; fix: check its folder")
    );
}
